"""Holes are told as the trade tells them: what tool, how deep, from where, to what bottom."""

import math

import pytest

from witmark.review.features.drill_list import off_list_mm
from witmark.review.features.graph import face_graph
from witmark.review.features.hole_facts import HOLE_FACTS, hole_facts, step_order
from witmark.review.features.holes import find_holes
from witmark.testing.breps import Turned, plate

POINT_118 = 5.0 / math.tan(math.radians(59))


def only_hole(*outline, parts=1):
    (hole,) = find_holes(face_graph(plate([Turned(50, 30, outline, parts)])))
    return hole


def facts(*outline, parts=1):
    return hole_facts(only_hole(*outline, parts=parts))


def kinds(hole):
    return [segment.kind for segment in hole.segments]


def test_a_box_has_no_hole():
    assert find_holes(face_graph(plate())) == ()


def test_a_through_hole_has_no_bottom_and_two_mouths():
    found = facts((5, 0), (5, -20))

    assert (found["hole.through"], found["hole.bottom"]) == (True, "none")
    assert (found["hole.d"], found["hole.depth"], found["hole.ld"]) == (10, 20, 2)
    assert (found["hole.entry_kind"], found["hole.exit_kind"]) == ("plane", "plane")
    assert (found["hole.entry_angle"], found["hole.exit_angle"]) == (0, 0)
    assert found["hole.coverage"] == 1


def test_every_hole_has_exactly_the_facts_of_the_vocabulary():
    assert tuple(facts((5, 0), (5, -20))) == HOLE_FACTS
    assert tuple(facts((5, 0), (5, -9), (0, -9))) == HOLE_FACTS


def test_a_blind_hole_with_a_cone_has_its_point_angle():
    hole = only_hole((5, 0), (5, -12), (0, -12 - POINT_118))
    found = hole_facts(hole)

    assert (found["hole.through"], found["hole.bottom"]) == (False, "cone")
    assert found["hole.bottom_angle"] == pytest.approx(118)
    assert found["hole.depth"] == pytest.approx(12)  # the point is not depth
    assert found["hole.exit_kind"] is None
    assert kinds(hole) == ["drill", "drill point"]


def test_a_blind_hole_enters_at_its_open_end():
    hole = only_hole((5, 0), (5, -12), (0, -12))

    assert hole.at_mm == pytest.approx((50, 30, 0))
    assert hole.direction == pytest.approx((0, 0, -1))
    assert hole_facts(hole)["hole.bottom"] == "flat"


def test_a_point_with_a_blunt_tip_is_still_a_point():
    assert facts((5, 0), (5, -9), (1, -11), (0, -11))["hole.bottom"] == "cone"
    assert facts((5, 0), (5, -9), (4, -10), (0, -10))["hole.bottom"] == "flat"


def test_a_counterbore_makes_a_flat_for_the_drill():
    hole = only_hole((9, 0), (9, -8), (5, -8), (5, -20))
    found = hole_facts(hole)

    assert kinds(hole) == ["counterbore", "drill"]
    assert (found["hole.d"], found["hole.depth"]) == (10, 12)
    assert found["hole.entry_flat"] == pytest.approx(1.8)
    assert found["hole.exit_flat"] == 0
    assert found["hole.step_order"] == "monotone"


def test_a_shallow_counterbore_is_a_spot_face_and_no_step():
    hole = only_hole((12, 0), (12, -1), (5, -1), (5, -20))

    assert kinds(hole) == ["spot face", "drill"]
    assert hole_facts(hole)["hole.step_order"] == "single"
    assert hole_facts(hole)["hole.entry_flat"] == pytest.approx(2.4)


def test_a_countersink_is_no_diameter_and_no_flat():
    hole = only_hole((8, 0), (5, -3), (5, -20))
    found = hole_facts(hole)

    assert kinds(hole) == ["countersink", "drill"]
    assert hole.segments[0].angle_deg == pytest.approx(90)
    assert (found["hole.d"], found["hole.depth"], found["hole.entry_flat"]) == (10, 17, 0)
    assert found["hole.step_order"] == "single"


def test_an_edge_break_is_a_chamfer():
    assert kinds(only_hole((5.5, 0), (5, -0.5), (5, -20))) == ["chamfer", "drill"]


def test_a_through_hole_is_entered_where_it_is_wider():
    below = only_hole((5, 0), (5, -12), (9, -12), (9, -20))

    assert below.at_mm == pytest.approx((50, 30, -20))
    assert below.direction == pytest.approx((0, 0, 1))
    assert kinds(below) == ["counterbore", "drill"]


def test_depth_over_diameter_is_the_greatest_of_all_bores():
    found = facts((5, 0), (5, -17), (4, -17), (4, -20))

    assert found["hole.depth"] == 3
    assert found["hole.ld"] == pytest.approx(1.7)


def test_a_waist_and_a_bulge_are_told_apart():
    waist = ((9, 0), (9, -6), (5, -6), (5, -14), (9, -14), (9, -20))
    bulge = ((5, 0), (5, -6), (9, -6), (9, -14), (5, -14), (5, -20))

    assert facts(*waist)["hole.step_order"] == "waisted"
    assert facts(*waist)["hole.exit_flat"] == pytest.approx(1.8)
    assert facts(*bulge)["hole.step_order"] == "bulged"


def test_a_blind_hole_that_widens_inside_is_bulged():
    assert facts((5, 0), (5, -6), (9, -6), (9, -14), (0, -14))["hole.step_order"] == "bulged"


def test_a_ring_groove_is_no_step_and_no_drill_size():
    hole = only_hole((5, 0), (5, -8), (5.37, -8), (5.37, -9), (5, -9), (5, -20))

    assert kinds(hole) == ["drill", "groove", "drill"]
    assert hole_facts(hole)["hole.step_order"] == "single"
    assert hole_facts(hole)["hole.d_off_list"] == 0


@pytest.mark.parametrize("parts", [2, 3, 5])
def test_a_split_wall_is_one_hole_that_covers_the_whole_turn(parts):
    outline = ((9, 0), (9, -8), (5, -8), (5, -12), (0, -12 - POINT_118))
    whole, split = facts(*outline), facts(*outline, parts=parts)

    assert split["hole.coverage"] == 1
    assert split == pytest.approx(whole)


def test_a_wall_split_along_the_axis_is_one_segment():
    hole = only_hole((5, 0), (5, -7), (5, -20))

    assert kinds(hole) == ["drill"]
    assert hole.segments[0].depth_mm == 20


def test_a_countersink_alone_is_a_countersink():
    hole = only_hole((6, 0), (0, -6))

    assert (hole.kind, kinds(hole)) == ("countersink", ["countersink"])
    assert hole_facts(hole)["hole.ld"] is None
    assert hole_facts(hole)["hole.d"] == pytest.approx(12)


def test_a_slim_cone_is_a_tapered_hole():
    assert only_hole((6, 0), (5, -20)).kind == "tapered_hole"


def test_the_two_holes_of_a_plate_are_two():
    part = plate([Turned(20, 30, ((5, 0), (5, -20))), Turned(60, 30, ((3, 0), (3, -20)))])

    found = [hole_facts(hole)["hole.d"] for hole in find_holes(face_graph(part))]

    assert found == [10, 6]


@pytest.mark.parametrize(
    ("d_mm", "off_mm"),
    [(2.95, 0), (2.97, 0.02), (3.05, 0.05), (13.9, 0), (14.1, 0.1), (31.75, 0), (40.3, 0.2)],
)
def test_the_drill_list_has_finer_steps_for_finer_drills(d_mm, off_mm):
    assert off_list_mm(d_mm) == pytest.approx(off_mm, abs=1e-9)


def test_above_the_list_holes_are_bored_to_any_size():
    assert off_list_mm(50) == 0
    assert off_list_mm(62) is None


def test_one_segment_off_the_list_is_enough():
    assert facts((9, 0), (9, -8), (5.04, -8), (5.04, -20))["hole.d_off_list"] == pytest.approx(
        0.02
    )


def test_order_knows_long_stacks():
    assert step_order([20, 16, 10], blind=True) == "monotone"
    assert step_order([20, 10, 16, 10], blind=False) == "bulged"
    assert step_order([10, 10.004], blind=False) == "single"
