"""Fillets, obrounds, bosses and turned shoulders of real solids, read from STEP."""

import pytest
from solids import box, brep, cut, filleted, fuse, rod

from witmark.review.features.recognise import recognise


def features(shape, *kinds):
    found = recognise(brep(shape))
    assert found.unexplained == ()
    return [f for f in found.features if f.kind in kinds]


def block():
    return box((-40, -30, -20), (40, 30, 0))


def rounded_pocket(corner, floor=0.0):
    """30 x 20, 8 deep, in the top of a block; corner and floor radii."""
    tool = filleted(
        box((-15, -10, -8), (15, 10, 5)), corner, lambda x, y, _: abs(x) == 15 and abs(y) == 10
    )
    if floor:
        tool = filleted(tool, floor, lambda _x, _y, z: z == pytest.approx(-8))
    return cut(block(), tool)


def obround(length, width, depth):
    half = (length - width) / 2
    ends = [rod((s * half, 0, 5), (0, 0, -1), width / 2, depth + 5) for s in (1, -1)]
    return fuse(box((-half, -width / 2, -depth), (half, width / 2, 5)), *ends)


def test_corner_rounds_are_the_pockets_corners():
    (pocket,) = features(rounded_pocket(3), "pocket")

    assert pocket.facts["pocket.corner_r"] == pytest.approx(3)
    assert pocket.facts["pocket.corners"] == 4
    assert pocket.facts["pocket.min_width"] == pytest.approx(20)
    assert pocket.facts["pocket.depth"] == pytest.approx(8)
    assert pocket.facts["pocket.floor_r"] == 0.0
    assert pocket.facts["pocket.distinct_r"] == 1


def test_floor_rounds_are_kept_apart_from_corner_rounds():
    (pocket,) = features(rounded_pocket(4, floor=1.5), "pocket")

    assert pocket.facts["pocket.corner_r"] == pytest.approx(4)
    assert pocket.facts["pocket.floor_r"] == pytest.approx(1.5)
    assert pocket.facts["pocket.distinct_r"] == 2
    assert pocket.facts["pocket.depth"] == pytest.approx(8)


def test_a_pocket_lists_its_fillets_but_they_keep_their_own_name():
    found = recognise(brep(rounded_pocket(3)))
    (pocket,) = [f for f in found.features if f.kind == "pocket"]
    fillets = {f: found.features[found.home[f]].kind for f in pocket.faces}

    assert list(fillets.values()).count("fillet") == 4


def test_internal_radii_are_counted_once_each_for_the_part():
    found = recognise(brep(rounded_pocket(4, floor=1.5)))

    assert found.facts["part.internal_r_count"] == 2


def test_a_round_on_a_top_edge_says_so():
    shape = filleted(block(), 2, lambda _, y, z: z == 0 and y == 30)

    (fillet,) = features(shape, "fillet")

    assert fillet.facts["fillet.side"] == "external"
    assert fillet.facts["fillet.r"] == pytest.approx(2)
    assert fillet.facts["fillet.on_top_edge"] is True


def test_a_round_corner_of_the_outline_is_no_top_edge():
    shape = filleted(block(), 6, lambda x, y, _: abs(x) == 40 and abs(y) == 30)

    fillets = features(shape, "fillet")

    assert len(fillets) == 4
    assert not any(f.facts["fillet.on_top_edge"] for f in fillets)


@pytest.mark.parametrize("depth", [6.0, 25.0])
def test_an_obround_is_a_slot_as_wide_as_its_ends(depth):
    (slot,) = features(cut(block(), obround(36, 10, depth)), "slot")

    assert slot.facts["slot.w"] == pytest.approx(10)
    assert slot.facts["slot.depth"] == pytest.approx(min(depth, 20))
    assert slot.facts["section.profile"] == "obround"
    assert slot.facts["pocket.through"] is (depth > 20)


def test_an_island_narrows_its_pocket():
    island = rod((0, 0, -8), (0, 0, 1), 6, 8)
    shape = fuse(rounded_pocket(3), island)

    (pocket,) = features(shape, "pocket")
    (boss,) = features(shape, "boss")

    assert pocket.facts["pocket.min_width"] == pytest.approx(10 - 6)
    assert len(boss.faces) == 1


def test_a_groove_round_the_bottom_of_a_slot_is_measured_to_its_deepest_line():
    """A half round below square walls, as a ball-nosed cutter leaves."""
    tool = fuse(
        box((-50, -3, -5), (50, 3, 5)),
        rod((-50, 0, -5), (1, 0, 0), 3, 100),
    )

    (slot,) = features(cut(block(), tool), "slot")

    assert slot.facts["slot.w"] == pytest.approx(6)
    assert slot.facts["slot.depth"] == pytest.approx(8)


def test_a_round_bar_lying_in_a_face_leaves_a_gouge():
    (slot,) = features(cut(block(), rod((-50, 0, 2), (1, 0, 0), 5, 100)), "slot")

    assert slot.facts["section.profile"] == "round"
    assert slot.facts["slot.depth"] == pytest.approx(3)
    assert slot.facts["slot.w"] == pytest.approx(10)  # as wide as the cutter that fits it


def test_the_shoulder_of_a_shaft_is_a_step():
    shaft = fuse(rod((0, 0, 0), (0, 0, 1), 20, 30), rod((0, 0, 30), (0, 0, 1), 12, 25))

    (step,) = features(shaft, "step")

    assert len(step.faces) == 2


def test_a_neck_between_two_shoulders_is_a_groove():
    shaft = fuse(
        rod((0, 0, 0), (0, 0, 1), 20, 30),
        rod((0, 0, 30), (0, 0, 1), 16, 4),
        rod((0, 0, 34), (0, 0, 1), 20, 30),
    )

    (groove,) = features(shaft, "groove")

    assert groove.facts["groove.w"] == pytest.approx(4)
    assert groove.facts["groove.depth"] == pytest.approx(4)


def test_a_pin_on_a_square_plate_is_a_boss():
    (boss,) = features(fuse(block(), rod((0, 0, 0), (0, 0, 1), 5, 30)), "boss")

    assert boss.direction == pytest.approx((0, 0, 1))


def test_the_flat_of_a_d_shaped_bore_belongs_to_the_bore():
    d_shaped = cut(rod((0, 0, 5), (0, 0, -1), 10, 40), box((7, -20, -40), (20, 20, 10)))

    found = recognise(brep(cut(block(), d_shaped)))

    assert found.unexplained == ()
    (hole,) = [f for f in found.features if f.kind == "hole"]
    assert len(hole.faces) == 2
