"""Pockets, windows, slots and steps with plane walls, found in arrays."""

import math

import numpy as np
import pytest
from polyhedra import cornered, extruded, notched, on_a_plate, polyhedron, rectangle, sunk
from solids import box, brep, cut, fuse, rod

from witmark.review.brep import SurfaceKind
from witmark.review.features.feature import Feature
from witmark.review.features.recognise import Recognition, recognise

TRIANGLE = [(0.0, 0.0), (12.0, 0.0), (6.0, 9.0)]
TEE = [(0.0, 0.0), (60.0, 0.0), (60.0, 30.0), (34.0, 30.0), (34.0, 22.0), (38.0, 22.0)]
TEE += [(38.0, 16.0), (22.0, 16.0), (22.0, 22.0), (26.0, 22.0), (26.0, 30.0), (0.0, 30.0)]
HEXAGON = [(8 * math.cos(math.pi * k / 3), 8 * math.sin(math.pi * k / 3)) for k in range(6)]
ELL = [(0.0, 0.0), (30.0, 0.0), (30.0, 8.0), (6.0, 8.0), (6.0, 25.0), (0.0, 25.0)]


def only(found: Recognition) -> Feature:
    features = [f for f in found.features if f.kind != "surface_boundary"]
    assert len(features) == 1, [f.kind for f in features]
    assert found.unexplained == ()
    return features[0]


def test_a_plain_block_is_base_all_over():
    block = extruded([(0, 0), (30, 0), (30, 20), (0, 20)], 10)

    found = recognise(block)

    assert found.features == ()
    assert found.base == frozenset(range(6))
    assert found.share == 1.0


def test_a_rectangular_pocket_is_measured_to_its_floor_and_across():
    pocket = only(recognise(sunk(rectangle(8, 20), 6, through=False)))

    assert pocket.kind == "pocket"
    assert pocket.direction == (0.0, 0.0, 1.0)
    facts = pocket.facts
    assert facts["pocket.depth"] == pytest.approx(6)
    assert facts["pocket.min_width"] == pytest.approx(8)
    assert facts["pocket.depth_to_width"] == pytest.approx(0.75)
    assert (facts["pocket.corners"], facts["pocket.corner_r"]) == (4, 0.0)
    assert (facts["pocket.floor_r"], facts["pocket.distinct_r"]) == (0.0, 0)
    assert (facts["pocket.open_sides"], facts["pocket.through"]) == (0, False)
    assert facts["section.profile"] == "rectangular"


def test_a_window_is_as_deep_as_the_plate_and_has_no_floor():
    window = only(recognise(sunk(rectangle(8, 20), 6, through=True)))

    assert window.kind == "through_window"
    assert window.facts["pocket.through"] is True
    assert window.facts["pocket.depth"] == pytest.approx(6)
    assert window.facts["pocket.min_width"] == pytest.approx(8)


@pytest.mark.parametrize("through", [False, True])
@pytest.mark.parametrize(
    ("outline", "profile", "sides", "width"),
    [
        (TRIANGLE, "triangular", 3, 9.0),
        (HEXAGON, "polygonal", 6, 8 * math.sqrt(3)),
    ],
)
def test_sections_are_told_by_their_sides(outline, profile, sides, width, through):
    facts = only(recognise(sunk(outline, 5, through=through))).facts

    assert (facts["section.profile"], facts["section.sides"]) == (profile, sides)
    assert facts["pocket.min_width"] == pytest.approx(width)


def test_the_width_of_a_bent_pocket_is_its_narrower_leg():
    facts = only(recognise(sunk(ELL, 5, through=False))).facts

    assert facts["pocket.min_width"] == pytest.approx(6)
    assert facts["pocket.corners"] == 5  # the sixth stands out: no cutter has to reach it


def test_a_channel_from_end_to_end_is_a_slot():
    profile = [(0, 0), (30, 0), (30, 20), (18, 20), (18, 9), (14, 9), (14, 20), (0, 20)]

    slot = only(recognise(extruded(profile, 50)))

    assert slot.kind == "slot"
    assert slot.facts["slot.w"] == pytest.approx(4)
    assert slot.facts["slot.depth"] == pytest.approx(11)
    assert slot.facts["pocket.corners"] == 0  # its ends are open: it has no upright corner
    assert slot.facts["pocket.distinct_r"] == 0


def test_a_vee_is_a_slot_measured_at_its_mouth():
    vee = [(0, 0), (30, 0), (30, 20), (19, 20), (15, 14), (11, 20), (0, 20)]

    slot = only(recognise(extruded(vee, 50)))

    assert (slot.kind, slot.facts["section.profile"]) == ("slot", "vee")
    assert slot.facts["slot.w"] == pytest.approx(8)
    assert slot.facts["slot.depth"] == pytest.approx(6)


def test_a_dovetail_is_a_slot_though_its_flanks_lean_over_the_floor():
    dovetail = [(0, 0), (30, 0), (30, 20), (18, 20), (21, 12), (9, 12), (12, 20), (0, 20)]

    slot = only(recognise(extruded(dovetail, 50)))

    assert slot.kind == "slot"
    assert slot.facts["slot.depth"] == pytest.approx(8)


def test_a_long_cut_with_one_end_is_a_blind_slot_with_two_corners():
    slot = only(recognise(notched(reach=30, width=5, depth=8)))

    assert slot.kind == "blind_slot"
    assert slot.facts["slot.w"] == pytest.approx(5)
    assert slot.facts["slot.depth"] == pytest.approx(8)
    assert (slot.facts["pocket.corners"], slot.facts["pocket.corner_r"]) == (2, 0.0)
    assert slot.facts["pocket.open_sides"] == 1


def test_a_short_cut_open_at_one_side_is_an_open_pocket():
    pocket = only(recognise(notched(reach=20, width=18, depth=6)))

    assert pocket.kind == "open_pocket"
    assert pocket.facts["pocket.min_width"] == pytest.approx(18)
    assert pocket.facts["pocket.open_sides"] == 1


def test_a_shoulder_from_end_to_end_is_a_step_without_corners():
    step = only(
        recognise(extruded([(0, 0), (30, 0), (30, 12), (18, 12), (18, 20), (0, 20)], 50))
    )

    assert step.kind == "step"
    assert not any(name.startswith("pocket.") for name in step.facts)


def test_a_step_that_leans_is_slanted():
    profile = [(0, 0), (30, 0), (30, 11), (18, 14), (18, 20), (0, 20)]

    step = only(recognise(extruded(profile, 50)))

    assert (step.kind, step.facts["section.profile"]) == ("step", "slanted")


def test_a_corner_step_has_one_sharp_corner_and_no_width():
    step = only(recognise(cornered(reach=(15, 12), depth=9)))

    assert step.kind == "blind_step"
    assert (step.facts["pocket.corners"], step.facts["pocket.corner_r"]) == (1, 0.0)
    assert step.facts["pocket.depth"] == pytest.approx(9)
    assert "pocket.min_width" not in step.facts  # nothing faces its walls


def test_a_block_on_a_plate_is_a_boss_and_the_plate_stays_base():
    found = recognise(on_a_plate(12, 7))
    boss = only(found)

    assert boss.kind == "boss"
    assert boss.faces == (6, 7, 8, 9)
    assert {1, 10} <= found.base  # the plate round it, and the boss's top on the envelope


def test_a_bevel_along_an_edge_is_a_chamfer():
    bevelled = [(0, 0), (30, 0), (30, 18), (28, 20), (0, 20)]

    chamfer = only(recognise(extruded(bevelled, 50)))

    assert chamfer.kind == "chamfer"
    assert chamfer.facts["chamfer.c"] == pytest.approx(2)
    assert chamfer.facts["chamfer.angle"] == pytest.approx(45)


def test_a_flat_chamfer_is_named_by_its_long_leg_and_small_angle():
    leg = 3 * math.tan(math.radians(30))
    bevelled = [(0, 0), (30, 0), (30, 20 - leg), (27, 20), (0, 20)]

    chamfer = only(recognise(extruded(bevelled, 50)))

    assert chamfer.facts["chamfer.c"] == pytest.approx(3)
    assert chamfer.facts["chamfer.angle"] == pytest.approx(30)


def test_the_sides_of_a_hexagonal_bar_are_no_chamfers():
    bar = extruded(HEXAGON, 60)

    found = recognise(bar)

    assert found.features == ()
    assert len(found.base) == 8


def test_a_low_pad_beside_a_large_face_is_a_boundary_with_unknown_roles():
    found = recognise(on_a_plate(12, 0.5))

    (boundary,) = [f for f in found.features if f.kind == "surface_boundary"]
    assert boundary.faces == (1, 10)
    assert boundary.facts["surface.step_height"] == pytest.approx(0.5)
    assert boundary.facts["surface.role_a"] is None
    assert boundary.facts["surface.role_b"] is None


def test_a_high_pad_makes_no_boundary():
    found = recognise(on_a_plate(12, 3.0))

    assert [f.kind for f in found.features] == ["boss"]


def test_a_pocket_with_a_free_form_wall_stays_a_pocket_whose_corners_are_unknown():
    part = sunk(rectangle(8, 20), 6, through=False)
    part.face_kind[6] = SurfaceKind.FREEFORM  # the first wall

    (pocket,) = [f for f in recognise(part).features if f.kind == "pocket"]

    unknown = ("min_width", "depth_to_width", "corner_r", "corners", "floor_r", "distinct_r")
    assert [pocket.facts[f"pocket.{name}"] for name in unknown] == [None] * len(unknown)


def test_a_free_form_face_is_never_silently_something_else():
    part = extruded([(0, 0), (30, 0), (30, 20), (0, 20)], 10)
    part.face_kind[2] = SurfaceKind.FREEFORM

    found = recognise(part)

    assert [f.kind for f in found.features] == ["freeform_surface"]
    assert found.home[2] == 0
    assert 2 not in found.base


def test_faces_that_no_rule_explains_lower_the_share():
    """Two loose triangles facing each other bound nothing that has a name."""
    corners = np.array([(0, 0, 0), (9, 0, 0), (0, 9, 0), (0, 0, 1), (9, 0, 1), (0, 9, 1)])
    sheet = polyhedron(corners.astype(float), [[[0, 1, 2]], [[5, 4, 3]]])

    found = recognise(sheet)

    assert found.unexplained == (0, 1)
    assert found.share == 0.0


def test_the_inside_of_a_bent_strap_is_no_window():
    """Its plane walls look in from all sides, yet its two ends stand apart below the top."""
    outline = [(-40, 0), (40, 0), (40, 30), (18, 22), (18, 19), (37, 26), (37, 3)]
    outline += [(-37, 3), (-37, 26), (-18, 19), (-18, 22), (-40, 30)]

    found = recognise(extruded([(float(x), float(y)) for x, y in outline], 60))

    (inside,) = [f for f in found.features if "pocket.depth" in f.facts]
    assert inside.kind == "open_pocket"
    assert inside.facts["pocket.open_sides"] == 2


def test_a_window_that_a_slot_bites_is_a_window_still():
    """Seen from above: a square hole with a groove across the plate through it."""
    plate = cut(box((-30, -30, 0), (30, 30, 20)), box((-8, -8, -1), (8, 8, 21)))

    found = recognise(brep(cut(plate, box((-31, -3, 14), (31, 3, 21)))))

    assert "through_window" in [f.kind for f in found.features]


def test_a_tee_slot_opens_through_its_neck():
    """As wide as the neck, as deep as the channel's floor, and no corner upright in it."""
    found = recognise(extruded(TEE, 50))

    slot = only(found)
    assert slot.kind == "slot"
    assert len(slot.faces) == 7
    assert (slot.facts["slot.w"], slot.facts["slot.depth"]) == (8, 14)
    assert (slot.facts["pocket.corners"], slot.facts["pocket.corner_r"]) == (0, None)
    assert "pocket.depth_to_width" not in slot.facts
    assert len(found.base) == 7


@pytest.mark.parametrize(("channel", "radius"), [(0, 0.0), (8, 8.0)])
def test_a_tee_slot_whose_channel_ends_inside_is_one_slot(channel, radius):
    """The neck runs on over ledges beyond the channel, which ends square or round."""
    plate = cut(box((-30, -30, -30), (30, 30, 0)), box((-31, -4, -8), (31, 4, 1)))
    ends = [rod((x, 0, -14), (0, 0, 1), 8, 7) for x in (-12, 12) if channel]
    plate = cut(plate, box((-12, -8, -14), (12, 8, -7)), *ends)

    found = recognise(brep(plate))

    slot = only(found)
    assert slot.kind == "slot"
    assert slot.direction == pytest.approx((0, 0, 1))
    assert slot.facts["slot.w"] == pytest.approx(8)
    assert slot.facts["slot.depth"] == pytest.approx(14)
    assert slot.facts["pocket.corner_r"] == pytest.approx(radius)
    assert len(found.base) == 7


def test_a_tee_slot_that_stops_is_blind():
    plate = cut(box((-30, -30, -30), (30, 30, 0)), box((-31, -4, -8), (31, 4, 1)))

    slot = only(recognise(brep(cut(plate, box((-31, -8, -14), (10, 8, -8))))))

    assert slot.kind == "blind_slot"
    assert slot.facts["pocket.open_sides"] == 1
    assert slot.facts["pocket.corner_r"] == 0.0


def test_a_step_has_the_height_of_its_wall_and_the_width_of_its_floor():
    ell = extruded([(0, 0), (30, 0), (30, 12), (18, 12), (18, 20), (0, 20)], 50)

    step = only(recognise(ell))

    assert (step.kind, step.facts["step.height"], step.facts["step.width"]) == ("step", 8, 12)


def test_steps_on_both_sides_of_a_slot_have_their_own_width():
    plate = cut(box((-30, -30, -30), (30, 30, 0)), box((-31, -10, -5), (31, 10, 1)))

    found = recognise(brep(cut(plate, box((-31, -4, -15), (31, 4, 1)))))

    steps = [f.facts for f in found.features if f.kind == "step"]
    assert [s["step.height"] for s in steps] == pytest.approx([5, 5])
    assert [s["step.width"] for s in steps] == pytest.approx([6, 6])


def test_planes_that_lean_over_each_other_have_no_height_that_anyone_could_tell():
    found = recognise(extruded([(0, 0), (30, 0), (30, 8), (22, 10), (18, 16), (0, 20)], 50))

    (step,) = [f for f in found.features if f.kind == "step"]
    assert (step.facts["step.height"], step.facts["step.width"]) == (None, None)


def test_a_square_boss_has_a_width_and_a_round_one_a_diameter():
    square = only(recognise(on_a_plate(12, 6)))
    plate = box((-30, -30, -10), (30, 30, 0))
    round_one = only(recognise(brep(fuse(plate, rod((0, 0, 0), (0, 0, 1), 7, 5)))))

    assert square.facts == {"boss.w": pytest.approx(12), "boss.height": pytest.approx(6)}
    assert round_one.facts == {"boss.d": pytest.approx(14), "boss.height": pytest.approx(5)}


def test_a_ring_cut_into_a_face_is_measured_across_and_down():
    ring = cut(rod((0, 0, -4), (0, 0, 1), 20, 5), rod((0, 0, -5), (0, 0, 1), 15, 7))

    found = recognise(brep(cut(box((-40, -40, -20), (40, 40, 0)), ring)))

    (groove,) = [f for f in found.features if f.kind == "annular_groove"]
    assert groove.facts["groove.d"] == pytest.approx(40)
    assert groove.facts["groove.w"] == pytest.approx(5)
    assert groove.facts["groove.depth"] == pytest.approx(4)


def test_a_turned_shoulder_and_a_neck_are_measured():
    shaft = fuse(rod((0, 0, 0), (0, 0, 1), 10, 30), rod((0, 0, 30), (0, 0, 1), 6, 20))
    neck = cut(rod((0, 0, 10), (0, 0, 1), 12, 3), rod((0, 0, 9), (0, 0, 1), 8, 5))

    found = recognise(brep(cut(shaft, neck)))

    facts = {str(f.kind): f.facts for f in found.features}
    assert facts["step"] == {
        "step.height": pytest.approx(4),
        "step.width": pytest.approx(20),
    }
    assert facts["groove"] == {
        "groove.w": pytest.approx(3),
        "groove.depth": pytest.approx(2),
        "groove.d": pytest.approx(16),
    }


@pytest.mark.parametrize("through", [False, True])
@pytest.mark.parametrize(("sides", "faceted"), [(6, False), (8, True), (24, True)])
def test_the_edges_of_a_round_left_as_flats_are_no_corners(sides, faceted, through):
    turn = 2 * math.pi / sides
    outline = [(8 * math.cos(turn * k), 8 * math.sin(turn * k)) for k in range(sides)]

    recess = only(recognise(sunk(outline, 5, through=through)))

    assert recess.kind == ("through_window" if through else "pocket")
    assert (recess.facts["section.profile"] == "faceted_round") is faceted
    assert recess.facts["pocket.corner_r"] == (None if faceted else 0.0)
    assert recess.facts["pocket.corners"] == (None if faceted else 6)


def test_eight_walls_that_touch_no_circle_have_sharp_corners():
    outline = [(-8, -3), (-3, -8), (3, -8), (8, -3), (8, 12), (3, 17), (-3, 17), (-8, 12)]

    facts = only(
        recognise(sunk([(float(x), float(y)) for x, y in outline], 5, through=True))
    ).facts

    assert (facts["pocket.corners"], facts["pocket.corner_r"]) == (8, 0.0)


def test_the_slit_of_a_clamp_is_a_slot_and_no_ground():
    """Its walls run from the outside into the bore and have no concave edge."""
    clamp = cut(box((-20, -20, 0), (20, 20, 15)), rod((0, 0, -1), (0, 0, 1), 10, 17))

    found = recognise(brep(cut(clamp, box((0, -1.5, -1), (21, 1.5, 16)))))

    (slit,) = [f for f in found.features if f.kind == "slot"]
    assert slit.facts["slot.w"] == pytest.approx(3)
    assert slit.facts["slot.depth"] is None
    assert not found.base.intersection(slit.faces)


def test_lands_that_stand_far_apart_stay_ground():
    """The two ends of a bent strap look at each other across all of its length."""
    outline = [(-40, 0), (40, 0), (40, 30), (18, 22), (18, 19), (37, 26), (37, 3)]
    outline += [(-37, 3), (-37, 26), (-18, 19), (-18, 22), (-40, 30)]

    found = recognise(extruded([(float(x), float(y)) for x, y in outline], 60))

    assert all("slot.w" not in f.facts for f in found.features)
