"""The seeded parts are what they claim to be, before any review looks at them."""

import math
import re

import pytest
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.STEPControl import STEPControl_Reader

from bench.seeded_parts import holes, lookalikes
from bench.seeded_parts.case import P01, RULES
from bench.seeded_parts.catalogue import all_cases
from bench.seeded_parts.shapes import block, drill, pocket
from bench.seeded_parts.working import cut, face_middle, faces, is_sound, volume_mm3
from bench.seeded_parts.writing import (
    PLACEMENTS,
    Variant,
    every_variant,
    placement,
    step_text,
    write_shape,
)

CASES = all_cases()
FIRST = [case for case in CASES if case.dims == 1]


def read_again(path):
    reader = STEPControl_Reader()
    reader.ReadFile(str(path))
    reader.TransferRoots()
    return reader.OneShape()


@pytest.mark.parametrize("case", FIRST, ids=lambda case: case.family)
def test_a_seeded_part_is_a_sound_solid_before_anything_is_struck_out(case):
    assert is_sound(case.make())


def test_every_rule_has_a_violating_a_sound_and_an_undecidable_part():
    violated = {rule for case in CASES for rule in case.expected.violated}
    held = {rule for case in CASES for rule in case.expected.satisfied}
    left_open = {rule for case in CASES for rule in case.expected.undetermined}

    assert violated == held == set(RULES)
    assert left_open == {*RULES, P01}


def test_every_case_has_three_sets_of_dimensions():
    families = {case.family for case in CASES}

    assert {f: sum(c.family == f for c in CASES) for f in families} == dict.fromkeys(
        families, 3
    )


def test_dimensions_of_one_case_differ_in_size_and_share_their_verdict():
    for family in {case.family for case in CASES}:
        expected = [case.expected for case in CASES if case.family == family]
        assert all(one == expected[0] for one in expected)


def test_a_part_that_may_not_be_decided_breaks_nothing():
    for case in CASES:
        if case.expected.undetermined:
            assert not case.expected.violated


def test_a_drilled_hole_takes_a_cylinder_and_a_cone_away():
    body = cut(block(40, 40, 30), drill(8, 15))

    bore = math.pi * 16 * 15
    tip = math.pi * 16 * (4 / math.tan(math.radians(59))) / 3
    assert volume_mm3(body) == pytest.approx(40 * 40 * 30 - bore - tip, rel=1e-9)


def test_a_rounded_pocket_keeps_the_metal_of_its_four_corners():
    body = cut(block(60, 40, 20), pocket(30, 20, 8, 4))

    corners = 4 * (16 - math.pi * 16 / 4)
    assert volume_mm3(body) == pytest.approx(60 * 40 * 20 - (30 * 20 - corners) * 8, rel=1e-9)


def test_a_hole_that_breaks_out_keeps_the_share_of_its_wall_that_it_names():
    d, share = 10.0, 0.76
    body = holes.broken_out((d, share))

    whole = math.pi * d * 2 * d
    walls = [area for area in map(_area, faces(body)) if abs(area - share * whole) < 1e-6]
    assert len(walls) == 1


def _area(face):
    from OCP.BRepGProp import BRepGProp  # noqa: PLC0415
    from OCP.GProp import GProp_GProps  # noqa: PLC0415

    props = GProp_GProps()
    BRepGProp.SurfaceProperties_s(face, props)
    return props.Mass()


def test_a_split_wall_has_one_face_more_than_a_whole_one():
    whole = cut(block(36, 36, 12), drill(6, 14, point_deg=180))

    assert len(faces(lookalikes.split_wall(6.0))) == len(faces(whole)) + 1


@pytest.mark.parametrize("unit", ["MM", "INCH"])
def test_a_written_part_reads_back_with_its_volume(unit, tmp_path):
    case = next(c for c in CASES if c.family == "P16-sound")
    body = case.make()
    write_shape(body, case, Variant(3, unit), tmp_path / "part.step")

    assert volume_mm3(read_again(tmp_path / "part.step")) == pytest.approx(
        volume_mm3(body), rel=1e-8
    )


def test_an_inch_file_says_so():
    assert "'INCH'" in step_text(block(10, 10, 10), product="x", unit="INCH")


def test_a_struck_out_face_leaves_the_file_with_an_open_skin(tmp_path):
    case = next(c for c in CASES if c.family == "P29-open-missing-face")
    body = case.make()
    write_shape(body, case, Variant(0, "MM"), tmp_path / "part.step")

    again = read_again(tmp_path / "part.step")

    text = (tmp_path / "part.step").read_text(encoding="ascii")
    shell = re.search(r"CLOSED_SHELL\s*\('',\s*\(([^)]*)\)", text)
    assert len(shell[1].split(",")) == len(faces(body)) - 1
    assert len(faces(again)) == len(faces(body)) - 1
    assert not (BRepCheck_Analyzer(again).IsValid() and again.Closed())


def test_the_struck_out_face_is_the_outer_side_towards_minus_x(tmp_path):
    case = next(c for c in CASES if c.family == "P29-open-missing-face")
    body = case.make()
    write_shape(body, case, Variant(0, "MM"), tmp_path / "part.step")
    moved_there = placement(case.name, 0)

    kept = [face_middle(f) for f in faces(read_again(tmp_path / "part.step"))]

    gone = min((face_middle(f) for f in faces(body)), key=lambda p: round(p[0], 6))
    x, y, z = _carried(gone, moved_there)
    assert all(math.dist((x, y, z), p) > 1e-3 for p in kept)


def _carried(point, motion):
    from OCP.gp import gp_Pnt  # noqa: PLC0415

    there = gp_Pnt(*point).Transformed(motion)
    return there.X(), there.Y(), there.Z()


def test_the_same_part_is_written_with_the_same_bytes(tmp_path):
    case = next(c for c in CASES if c.family == "P37-open-free-bore")
    for name in ("a.step", "b.step"):
        write_shape(case.make(), case, Variant(4, "INCH"), tmp_path / name)

    assert (tmp_path / "a.step").read_bytes() == (tmp_path / "b.step").read_bytes()


def test_the_variants_hold_ten_turns_and_a_mirror_in_two_units():
    variants = every_variant()
    mirrored = [placement("any", n).IsNegative() for n in range(PLACEMENTS)]

    assert len(set(variants)) == 22
    assert mirrored == [False] * 10 + [True]


def test_near_threshold_holes_differ_by_two_hundredths():
    just = {c.family: c for c in FIRST if c.family.startswith("P29")}
    over, under = just["P29-just-over-4"], just["P29-sound-just-under-4"]

    assert over.expected.violated == {"P29": "minor"}
    assert under.expected.satisfied >= {"P29"}
    assert volume_mm3(over.make()) != volume_mm3(under.make())


def test_a_pocket_too_narrow_for_its_depth_says_that_its_corners_are_too():
    """No corner that fits a width of a fourth of the depth is a fourth of the depth."""
    for case in CASES:
        if "P13" in case.expected.violated:
            assert "P14" in case.expected.violated
