"""What a judge is told of the surroundings of a place: in words, bounded, and complete in count."""

import re

import pytest
from desk_samples import assembly, deep_plate
from model_samples import asked_of, reviewed_with, sealed, sensible

from witmark.review.asking import surroundings as room
from witmark.review.assembly import Placement
from witmark.review.neutrality import RAW_IDS
from witmark.review.use_cases import verify_report
from witmark.testing.breps import plate


def requests(model, judging):
    return [asked_of(r) for r in model.asked if (r.purpose == "review.judge") is judging]
