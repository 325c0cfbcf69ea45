"""The benches of the models at the desks notice what they are there to notice."""

import random
from dataclasses import replace

import pytest

from bench import fuzz
from bench.model_grounds import grounds
from witmark.kernel.model.outcome import Admitted, Refused

DICE = random.Random  # repeatable, no secret
GROUNDS = {one.purpose: one for one in grounds()}


@pytest.mark.parametrize("purpose", sorted(GROUNDS))
def test_a_good_reply_is_admitted_by_both_and_published(purpose):
    ground = GROUNDS[purpose]

    assert ground.is_published
    assert all(ground.admits(one) and ground.is_sound(one) for one in ground.good)


@pytest.mark.parametrize("purpose", sorted(GROUNDS))
def test_judge_and_oracle_agree_on_spoilt_replies(purpose):
    both, *differing = fuzz.fuzzed(GROUNDS[purpose], 150, DICE(1))

    assert both > 10
    assert differing == [0, 0]


@pytest.mark.parametrize("purpose", sorted(GROUNDS))
def test_a_judge_that_lets_everything_or_nothing_in_is_noticed(purpose):
    ground = GROUNDS[purpose]
    blind = replace(ground, judge=lambda _: Admitted())
    deaf = replace(ground, judge=lambda _: Refused("no"))

    assert fuzz.fuzzed(blind, 50, DICE(1))[1] > 10
    assert fuzz.fuzzed(deaf, 50, DICE(1))[2] > 10
