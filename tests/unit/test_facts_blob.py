"""One canonical blob: equal parts, equal bytes; unknown is null; numbers rounded once."""

import json
import re

import numpy as np
import pytest
from desk_samples import ASIDE, HERE, SHORT, assembly, deep_plate, facts

from witmark.review.assembly import Placement
from witmark.testing.breps import Turned, moved, plate


def features(blob):
    return blob.data["parts"][0]["features"]


@pytest.mark.clause("REV-FACT-02")
def test_the_same_assembly_has_the_same_bytes():
    assert facts(assembly(deep_plate()))[0].raw == facts(assembly(deep_plate()))[0].raw


@pytest.mark.clause("REV-FACT-02")
def test_an_inch_hole_reads_the_same_as_a_millimetre_hole():
    noisy = plate([Turned(50, 30, ((4.999999999999812 / 2, 0), (2.5, -20)))])
    exact = plate([Turned(50, 30, ((2.5, 0), (2.5, -20)))])

    assert features(facts(assembly(noisy))[0])[0]["facts"]["hole.d"] == 5.0
    assert features(facts(assembly(exact))[0])[0]["facts"]["hole.d"] == 5.0


@pytest.mark.clause("REV-FACT-02")
def test_no_minus_zero_and_no_more_than_six_decimals_are_written():
    turn = np.array([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    raw = facts(assembly(moved(deep_plate(), turn, np.array([1 / 3, -0.0, 7.0]))))[0].raw

    assert not re.search(rb"-0\.0(?![0-9])", raw)
    assert not re.search(rb"\d\.\d{7,}(?!\d*e)", raw)


@pytest.mark.clause("REV-FACT-02")
def test_what_cannot_be_measured_is_null():
    face = facts(assembly(plate()))[0].data["parts"][0]["faces"][0]

    assert face["kind"] == "plane"
    assert face["radius_mm"] is None


@pytest.mark.clause("REV-FACT-04")
def test_features_stand_in_the_placement_of_each_instance():
    blob, _ = facts(assembly(plate([SHORT]), plate([SHORT]), places=[HERE, ASIDE]))

    first, second = (one["places"][0]["at_mm"] for one in blob.data["instances"])

    assert [round(b - a, 6) for a, b in zip(first, second, strict=True)] == [200.0, 0.0, 0.0]


@pytest.mark.clause("REV-FACT-04")
def test_a_mirrored_instance_says_so_and_turns_its_directions():
    mirror = Placement(np.diag([1.0, 1.0, -1.0]), np.zeros(3))
    blob, _ = facts(assembly(plate([SHORT]), places=[mirror]))
    (instance,) = blob.data["instances"]

    assert instance["mirrored"] is True
    (hole,) = blob.data["parts"][0]["features"]
    assert instance["places"][0]["direction"] == [0.0, 0.0, -hole["direction"][2]]


@pytest.mark.clause("REV-FACT-03")
def test_every_face_is_explained_or_counted_as_unexplained():
    part = facts(assembly(plate([SHORT])))[0].data["parts"][0]
    unexplained = [f for f in part["faces"] if f["feature"] is None and not f["base"]]

    assert part["coverage"]["faces"] == len(part["faces"])
    assert part["coverage"]["explained"] == len(part["faces"]) - len(unexplained)


def test_the_blob_is_what_it_says():
    blob, _ = facts(assembly(deep_plate()))

    assert json.loads(blob.raw) == blob.data
