"""Contacts between instances, found on made assemblies whose answer is known."""

import dataclasses
import math

import numpy as np
import pytest
from desk_samples import assembly, facts

from witmark.kernel.canon import read_canonical
from witmark.review import contacts
from witmark.review.assembly import Placement
from witmark.review.brep import SurfaceKind
from witmark.review.contacts import contacts_blob, contacts_of
from witmark.testing.breps import Turned, plate

HOLE = Turned(50, 30, ((5, 0), (5, -20)))  # 10 mm through 20 mm
FLAT = np.eye(3)
OVER = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])  # half a turn about x


def at(x=0.0, y=0.0, z=0.0, rotation=FLAT):
    return Placement(rotation, np.array([x, y, z]))


def found(*placements, parts=None):
    parts = parts or [plate() for _ in placements]
    return contacts_of(assembly(*parts, places=list(placements)))


@pytest.mark.clause("REV-MOD-13")
def test_two_plates_one_on_the_other_touch_on_the_area_they_share():
    (pair,) = found(at(), at(x=50.0, z=20.0)).pairs
    (contact,) = pair.contacts

    assert (pair.a, pair.b, contact.kind, contact.gap_mm) == (0, 1, "planar", 0.0)
    assert contact.area_mm2 == pytest.approx(50 * 60, rel=1e-6)
    assert contact.at_mm == pytest.approx((75.0, 30.0, 0.0), abs=0.01)


@pytest.mark.clause("REV-MOD-13")
def test_a_hole_in_the_face_is_not_part_of_the_contact():
    (pair,) = found(at(), at(z=20.0), parts=[plate([HOLE]), plate()]).pairs

    assert pair.contacts[0].area_mm2 == pytest.approx(6000 - math.pi * 25, rel=0.005)


@pytest.mark.parametrize(
    ("gap_mm", "touches"), [(0.0, True), (0.009, True), (0.011, False), (-0.011, False)]
)
def test_planes_further_apart_than_the_tolerance_do_not_touch(gap_mm, touches):
    pairs = found(at(), at(z=20.0 + gap_mm)).pairs

    assert bool(pairs) == touches
    if touches:
        assert pairs[0].contacts[0].gap_mm == gap_mm


def test_faces_that_look_the_same_way_do_not_touch():
    """Two plates side by side share the plane of their tops; only their flanks meet."""
    (pair,) = found(at(), at(x=100.0)).pairs

    assert len(pair.contacts) == 1
    assert pair.contacts[0].area_mm2 == pytest.approx(60 * 20, rel=1e-6)


def test_plates_on_one_plane_without_overlap_do_not_touch():
    assert found(at(), at(x=100.5, z=20.0)).pairs == ()


def test_a_turned_and_a_mirrored_instance_touch_where_they_stand():
    turned = found(at(), at(y=60.0, rotation=OVER)).pairs  # face to face, tops together
    mirrored = found(at(), at(rotation=np.diag([1.0, 1.0, -1.0]))).pairs

    for pairs in (turned, mirrored):
        assert max(c.area_mm2 for c in pairs[0].contacts) == pytest.approx(6000, rel=1e-6)


def pin(radius_mm, length_mm=20.0):
    """A cylinder in the place of the hole: the hole's wall, seen from the other side."""
    made = plate([Turned(50, 30, ((radius_mm, 0), (radius_mm, -length_mm)))])
    walls = made.face_kind == SurfaceKind.CYLINDER
    return dataclasses.replace(made, face_side=np.where(walls, 1, made.face_side))


@pytest.mark.clause("REV-MOD-13")
@pytest.mark.parametrize(
    ("radius_mm", "gap_mm"), [(5.0, 0.0), (4.96, 0.04), (5.03, -0.03), (4.9, None)]
)
def test_a_shaft_touches_a_bore_of_its_radius(radius_mm, gap_mm):
    bored, shaft = plate([HOLE]), pin(radius_mm)
    pairs = found(at(), at(), parts=[bored, shaft]).pairs
    round_ = [c for pair in pairs for c in pair.contacts if c.kind == "cylindrical"]

    assert [c.gap_mm for c in round_] == ([] if gap_mm is None else [gap_mm])
    for contact in round_:
        smaller = min(radius_mm, 5.0)
        assert contact.area_mm2 == pytest.approx(2 * math.pi * smaller * 20, rel=1e-4)


@pytest.mark.parametrize(
    ("x", "z", "count"), [(0.04, 0, 1), (0.06, 0, 0), (0, 15, 1), (0, 21, 0)]
)
def test_a_shaft_beside_the_axis_or_out_of_the_bore_does_not_touch_it(x, z, count):
    pairs = found(at(), at(x=x, z=z), parts=[plate([HOLE]), pin(5.0)]).pairs
    round_ = [c for pair in pairs for c in pair.contacts if c.kind == "cylindrical"]

    assert len(round_) == count
    if z == 15:
        assert round_[0].area_mm2 == pytest.approx(2 * math.pi * 5 * 5, rel=1e-4)


def test_two_bores_do_not_touch():
    pairs = found(at(), at(), parts=[plate([HOLE]), plate([HOLE])]).pairs

    assert [c for p in pairs for c in p.contacts if c.kind == "cylindrical"] == []


@pytest.mark.clause("REV-MOD-13")
def test_what_is_not_looked_at_is_counted(monkeypatch):
    monkeypatch.setattr(contacts, "MOST_PAIRS", 2)
    stack = [at(z=20.0 * k) for k in range(5)]
    some = found(*stack)

    assert [(p.a, p.b) for p in some.pairs] == [(0, 1), (1, 2)]
    assert some.skipped_pairs == 2


def test_contacts_do_not_depend_on_the_order_of_the_instances():
    one = found(at(), at(z=20.0), at(x=100.0))
    other = found(at(x=100.0), at(z=20.0), at())

    def areas(all_):
        return sorted(c.area_mm2 for pair in all_.pairs for c in pair.contacts)

    assert areas(one) == areas(other)


def test_the_blob_is_canonical_and_names_the_facts():
    given = assembly(plate(), plate(), places=[at(), at(z=20.0)])
    first, _ = facts(given)
    blob = contacts_blob(given, first)

    assert read_canonical(blob.raw, place="contacts") == blob.data
    assert blob.data["facts"] == first.digest
    assert blob.raw == contacts_blob(given, first).raw
