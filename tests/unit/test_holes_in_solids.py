"""Holes as CAD systems leave them: slanted, split, crossed, rounded, cut by edges and slots."""

import math

import numpy as np
import pytest

pytest.importorskip("OCP")

from moves import moved, shuffled
from solids import ball, box, brep, cone, cut, filleted, fuse, oval, rod

from witmark.review.features.freeform_bores import free_form_bores
from witmark.review.features.graph import face_graph
from witmark.review.features.hole_facts import hole_facts
from witmark.review.features.hole_families import find_hole_families, part_hole_facts
from witmark.review.features.holes import find_holes
from witmark.review.features.inline import find_inline
from witmark.review.measures import (
    CANNOT_KNOW,
    NOTHING_THERE,
    Measure,
    edge_distance_mm,
    ligament_mm,
)

DOWN = (0, 0, -1)


def plate():
    return box((0, 0, -20), (100, 60, 0))


def drill(x, y, radius, depth):
    return rod((x, y, 1), DOWN, radius, depth + 1)


def shaft():
    return rod((0, 0, 0), (0, 0, 1), 20, 100)


def read(shape):
    graph = face_graph(brep(shape))
    return graph, find_holes(graph)


def facts_of(shape):
    """Facts of every hole, the widest first."""
    found = [hole_facts(hole) for hole in read(shape)[1]]
    return sorted(found, key=lambda facts: -(facts.get("hole.d") or 0))


def only(shape):
    (facts,) = facts_of(shape)
    return facts


def test_a_slanted_hole_knows_its_angle_and_its_length_along_the_axis():
    tilt = math.radians(20)
    start = (50 - 15 * math.sin(tilt), 30, 15 * math.cos(tilt))
    found = only(cut(plate(), rod(start, (math.sin(tilt), 0, -math.cos(tilt)), 4, 60)))

    assert found["hole.entry_angle"] == pytest.approx(20)
    assert found["hole.exit_angle"] == pytest.approx(20)
    assert found["hole.depth"] == pytest.approx(20 / math.cos(tilt))
    assert found["hole.coverage"] == 1


def test_a_radial_hole_enters_a_curved_face():
    found = only(cut(shaft(), rod((0, 0, 50), (1, 0, 0), 4, 30)))

    assert found["hole.entry_kind"] == "curved"
    assert found["hole.entry_angle"] == pytest.approx(math.degrees(math.asin(4 / 20)))
    assert found["hole.entry_flat"] == 0


def test_an_offset_radial_hole_enters_more_steeply():
    found = only(cut(shaft(), rod((-30, 8, 50), (1, 0, 0), 4, 60)))

    assert found["hole.entry_angle"] == pytest.approx(math.degrees(math.asin(12 / 20)))


def test_a_spot_face_on_a_shaft_is_a_flat():
    seat = rod((18.5, 0, 50), (1, 0, 0), 6, 10)
    found = only(cut(shaft(), seat, rod((0, 0, 50), (1, 0, 0), 4, 30)))

    assert found["hole.entry_kind"] == "curved"
    assert found["hole.entry_flat"] == pytest.approx(1.5)


def test_a_shaft_is_no_hole():
    assert facts_of(shaft()) == []


def test_a_tube_is_bored_through():
    found = only(cut(shaft(), rod((0, 0, -1), (0, 0, 1), 12, 102)))

    assert (found["hole.through"], found["hole.d"], found["hole.depth"]) == (True, 24, 100)


@pytest.mark.parametrize(
    "slot",
    [
        box((40, 28, -6), (60, 32, 1)),  # across the mouth
        box((-1, 20, -14), (101, 30, -6)),  # halfway through the middle
        box((49, 30, -21), (51, 61, 1)),  # the slit of a clamp, open to the outside
        box((48, 30, -21), (52, 37, 1)),  # a keyway
    ],
)
def test_what_a_slot_cut_from_a_wall_is_not_missing(slot):
    found = only(cut(plate(), drill(50, 30, 5, 30), slot))

    assert found["hole.coverage"] == 1
    assert (found["hole.d"], found["hole.depth"]) == (10, pytest.approx(20, abs=3.001))


def test_a_crossing_hole_of_its_size_does_not_end_a_hole():
    cross = rod((50, -1, -10), (0, 1, 0), 3.5, 80)
    found = facts_of(cut(plate(), drill(50, 30, 3, 30), cross))

    assert [(facts["hole.d"], facts["hole.depth"]) for facts in found] == [(7, 60), (6, 20)]


def test_a_hole_into_a_wider_bore_ends_there():
    found = facts_of(cut(plate(), drill(50, 30, 6, 30), rod((50, -1, -10), (0, 1, 0), 2, 32)))

    assert found[1]["hole.through"] is True
    assert found[1]["hole.exit_kind"] == "curved"
    assert found[1]["hole.exit_angle"] == pytest.approx(math.degrees(math.asin(2 / 6)))


@pytest.mark.parametrize("y", [4, 2, 0, -1.5])
def test_a_hole_cut_by_the_edge_is_partial(y):
    graph, (hole,) = read(cut(plate(), drill(50, y, 5, 30)))

    share = 1 - math.acos(y / 5) / math.pi
    assert hole_facts(hole)["hole.coverage"] == pytest.approx(share)
    assert edge_distance_mm(graph, hole, [hole]) == NOTHING_THERE


@pytest.mark.parametrize(
    "pocket",
    [
        fuse(
            box((40, 25, -30), (60, 35, 1)), drill(40, 30, 5, 40), drill(60, 30, 5, 40)
        ),  # obround
        fuse(box((-1, 25, -30), (60, 35, 1)), drill(60, 30, 5, 40)),  # open slot
        filleted(
            box((40, 20, -10), (70, 40, 1)), 3, lambda _x, _y, z: abs(z + 4.5) < 0.01
        ),  # pocket corners
        rod((-1, 30, 0), (1, 0, 0), 4, 110),  # a half pipe milled along the face
    ],
)
def test_round_ends_and_corners_are_no_holes(pocket):
    assert facts_of(cut(plate(), pocket)) == []


def test_a_boss_in_a_bore_leaves_a_bore():
    bored = cut(plate(), drill(50, 30, 15, 12))
    found = only(fuse(bored, rod((50, 30, -12), (0, 0, 1), 5, 8)))

    assert (found["hole.d"], found["hole.bottom"]) == (30, "flat")


def test_a_narrow_ring_is_a_groove_and_no_drilled_hole():
    _, (groove,) = read(
        fuse(cut(plate(), drill(50, 30, 15, 5)), rod((50, 30, -5), (0, 0, 1), 12, 5))
    )

    assert groove.kind == "annular_groove"
    assert hole_facts(groove) == {}


@pytest.mark.parametrize(
    "interruption",
    [
        [rod((50, 30, -8), DOWN, 6, 1.3)],  # a circlip or oil groove
        [rod((50, 30, -4), DOWN, 6, 1.3), rod((50, 30, -12), DOWN, 6, 1.3)],
        [cone((50, 30, -8), DOWN, 5, 6, 1), cone((50, 30, -9), DOWN, 6, 5, 1)],  # a V groove
    ],
)
def test_a_groove_does_not_make_a_bore_shorter(interruption):
    found = only(cut(plate(), drill(50, 30, 5, 30), *interruption))

    assert (found["hole.d"], found["hole.depth"]) == (10, pytest.approx(20))
    assert found["hole.ld"] == pytest.approx(2)
    assert found["hole.step_order"] == "single"


def test_a_ridge_parts_two_bores_of_one_size():
    ridge = cut(plate(), drill(50, 30, 5, 30))
    ring = cut(rod((50, 30, -10), DOWN, 6, 2), rod((50, 30, -9), DOWN, 4, 4))
    found = only(fuse(ridge, ring))

    assert (found["hole.d"], found["hole.depth"]) == (8, pytest.approx(2))
    assert found["hole.ld"] == pytest.approx(1)
    assert found["hole.step_order"] == "waisted"


def test_a_ball_end_is_a_sphere():
    found = only(cut(plate(), fuse(drill(50, 30, 5, 10), ball((50, 30, -10), 5))))

    assert (found["hole.bottom"], found["hole.depth"]) == ("sphere", pytest.approx(10))


def at_radius(radius, depth):
    return lambda x, y, z: (
        abs(math.hypot(x - 50, y - 30) - radius) < 0.01 and abs(z + depth) < 0.01
    )


@pytest.mark.parametrize("rounded", [10, 0])
def test_a_fillet_at_an_end_belongs_to_the_hole(rounded):
    shape = filleted(cut(plate(), drill(50, 30, 8, 10)), 1.5, at_radius(8, rounded))
    _, (hole,) = read(shape)
    found = hole_facts(hole)

    assert (found["hole.depth"], found["hole.bottom"]) == (pytest.approx(10), "flat")
    assert (found["hole.entry_kind"], found["hole.entry_angle"]) == ("plane", 0)
    assert len(hole.faces) == 3  # wall, floor, fillet


@pytest.mark.parametrize("rounded", [8, 4])
def test_a_fillet_at_a_shoulder_changes_no_depth(rounded):
    stepped = cut(plate(), drill(50, 30, 8, 8), drill(50, 30, 4, 30))
    _, (hole,) = read(filleted(stepped, 1, at_radius(rounded, 8)))

    assert [segment.depth_mm for segment in hole.segments] == pytest.approx([8, 12])


def test_a_point_that_breaks_through_leaves_a_through_hole():
    _, (hole,) = read(cut(plate(), drill(50, 30, 5, 18), cone((50, 30, -18), DOWN, 5, 0, 5)))

    assert hole.through is True
    assert [segment.kind for segment in hole.segments] == ["drill", "drill point"]


def test_two_ears_are_bored_in_line():
    ears = cut(box((0, 0, 0), (60, 60, 40)), box((10, -1, 10), (50, 61, 41)))
    left, right = rod((-1, 30, 25), (1, 0, 0), 5, 12), rod((49, 30.4, 25), (1, 0, 0), 4, 12)
    graph, holes = read(cut(ears, left, right))
    (line,) = find_inline(graph, holes)

    assert line.kind == "inline"
    assert line.facts["inline.offset"] == pytest.approx(0.4)
    assert line.facts["inline.d"] == pytest.approx(8)


def test_blind_holes_back_to_back_are_not_in_line():
    block = box((0, 0, 0), (60, 60, 40))
    left, right = rod((-1, 30, 25), (1, 0, 0), 5, 11), rod((61, 30.4, 25), (-1, 0, 0), 5, 11)
    graph, holes = read(cut(block, left, right))

    assert find_inline(graph, holes) == ()
    assert ligament_mm(graph, holes[0], holes).value_mm == pytest.approx(40)


def drill_up(x, y, radius, top, *, tip=False):
    """Drilled from below up to ``top``, where a point may begin."""
    tool = rod((x, y, -21), (0, 0, 1), radius, 21 + top)
    return fuse(tool, cone((x, y, top), (0, 0, 1), radius, 0, 2)) if tip else tool


@pytest.mark.parametrize(
    ("first", "second", "offset"),
    [
        (drill(50, 30, 4, 10), drill_up(50.05, 30, 4, -9), 0.05),
        (drill(50, 30, 4, 10), drill_up(50, 30.05, 4, -10), 0.05),  # end to end
        (drill(50, 30, 4.1, 10), drill_up(51, 30, 4, -9), 1),
        (drill(50, 30, 4, 10), drill_up(50.05, 30, 4, -9, tip=True), 0.05),
    ],
)
def test_bores_that_meet_inside_a_little_off_are_through_and_in_line(first, second, offset):
    graph, holes = read(cut(plate(), first, second))
    (line,) = find_inline(graph, holes)
    found = [hole_facts(hole) for hole in holes]

    assert line.facts["inline.offset"] == pytest.approx(offset)
    assert [facts["hole.through"] for facts in found] == [True, True]
    assert [facts["hole.bottom"] for facts in found] == ["none", "none"]
    assert [facts["hole.exit_angle"] for facts in found] == [0, 0]
    assert sum(len(hole.faces) for hole in holes) == graph.brep.faces - 6  # ledges, too
    assert ligament_mm(graph, holes[0], holes) == NOTHING_THERE


def test_bores_that_overlap_by_less_than_half_are_not_in_line():
    graph, holes = read(cut(plate(), drill(50, 30, 4, 10), drill_up(55, 30, 4, -9)))

    assert find_inline(graph, holes) == ()
    assert [hole_facts(hole)["hole.through"] for hole in holes] == [False, False]
    assert sum(len(hole.faces) for hole in holes) == graph.brep.faces - 6


def test_blind_bores_that_end_apart_have_their_floors():
    graph, holes = read(cut(plate(), drill(50, 30, 4, 8), drill_up(50.05, 30, 4, -12)))

    assert find_inline(graph, holes) == ()
    assert [hole_facts(hole)["hole.bottom"] for hole in holes] == ["flat", "flat"]


def test_an_eccentric_step_is_in_line_but_off():
    graph, holes = read(cut(plate(), drill(50, 30, 10, 10), drill(51, 30, 5, 30)))
    (line,) = find_inline(graph, holes)

    assert line.facts["inline.offset"] == pytest.approx(1)


def test_a_pocket_across_a_hole_makes_two_bores_of_it():
    notch = fuse(drill(50, 4, 6, 14), box((44, -5, -14), (56, 4, 1)))
    shape = cut(plate(), cut(notch, box((0, -9, -6), (99, 99, 9))), drill(50, 4, 1.5, 30))

    assert [facts["hole.step_order"] for facts in facts_of(shape)] == ["single", "single"]


@pytest.mark.parametrize("depth", [30, 10])
def test_a_free_form_bore_is_seen_and_said_to_be_unknown(depth):
    graph, holes = read(cut(plate(), oval((50, 30, 1), 5, 4.8, depth)))
    (bore,) = free_form_bores(graph, set())

    assert holes == ()
    assert bore.kind == "freeform_bore"
    assert set(bore.facts.values()) == {None}


def test_a_counterbore_over_a_free_form_bore_does_not_know_what_follows():
    shape = cut(plate(), drill(50, 30, 9, 6), oval((50, 30, 1), 5, 4.8, 30))
    graph, (hole,) = read(shape)
    found = hole_facts(hole)

    assert found["hole.d"] is found["hole.ld"] is found["hole.through"] is None
    assert found["hole.entry_angle"] == 0
    assert edge_distance_mm(graph, hole, [hole]) == CANNOT_KNOW
    assert len(free_form_bores(graph, set(hole.faces))) == 1


def test_a_square_window_with_wavy_walls_is_no_bore():
    graph, _ = read(cut(plate(), oval((50, 30, 1), 20, 4, 30)))

    assert free_form_bores(graph, set()) == ()


@pytest.mark.parametrize(
    ("tools", "distance"),
    [
        ([drill(50, 12, 5, 30)], 7),
        ([drill(50, 12, 9, 6), drill(50, 12, 5, 30)], 3),  # the counterbore is nearer
        ([drill(50, 12, 5, 30), cone((50, 12, 0), DOWN, 8, 5, 3)], 4),  # so is a countersink
        ([drill(50, 12, 5, 30), cone((50, 12, 0), DOWN, 5.5, 5, 0.5)], 7),  # no edge break
        ([drill(50, 12, 5, 30), box((60, -1, -5), (70, 61, 1))], 5),  # a slot to the edge
        ([drill(50, 12, 5, 30), box((55.5, 4, -5), (70, 56, 1))], 0.5),  # a pocket beside it
        ([drill(50, 12, 5, 30), box((60, 4, -4.9), (70, 56, 1))], 7),  # too shallow, so far off
        ([drill(50, 12, 5, 3), box((60, 4, -9), (70, 56, 1))], 7),  # so is the hole
        ([drill(50, 12, 5, 30), box((60, 4, -30), (70, 56, 1))], 5),  # a window
        ([drill(50, 12, 5, 30), drill(59, 12, 3, 30)], 7),  # another hole is no edge
        ([box((20, 10, -8), (80, 50, 1)), drill(26, 30, 5, 30)], 21),  # near a pocket's wall
        ([box((20, 10, -8), (80, 50, 1)), drill(50, 30, 5, 15)], 25),  # in a pocket's floor
    ],
)
def test_the_edge_distance_is_the_least_to_an_outer_edge(tools, distance):
    graph, holes = read(cut(plate(), *tools))

    assert edge_distance_mm(graph, holes[0], holes).value_mm == pytest.approx(distance)


@pytest.mark.parametrize("where", [lambda z: abs(z) < 0.01, lambda z: abs(z + 10) < 0.01])
def test_the_rim_of_a_pocket_with_round_corners_is_an_edge(where):
    corners = box((56, 20, -10), (80, 40, 1))
    pocket = filleted(corners, 4, lambda _x, _y, z: abs(z + 4.5) < 0.01)
    shape = cut(plate(), drill(50, 30, 5, 30), pocket)
    rounded = filleted(shape, 0.5, lambda x, y, z: where(z) and 55 < x < 81 and 19 < y < 41)
    graph, (hole,) = read(rounded)

    assert edge_distance_mm(graph, hole, [hole]).value_mm == pytest.approx(1)


def test_the_edge_of_a_rounded_plate_is_where_the_rounding_ends():
    shape = cut(plate(), drill(50, 12, 5, 30))
    rounded = filleted(
        shape, 3, lambda x, y, z: abs(z) < 0.01 and math.hypot(x - 50, y - 12) > 5.1
    )
    graph, (hole,) = read(rounded)

    assert edge_distance_mm(graph, hole, [hole]).value_mm == pytest.approx(7)


def test_grooves_ledges_and_rims_do_not_care_how_the_part_lies():
    shape = cut(
        plate(),
        *(drill(50, 30, 4, 10), drill_up(50.05, 30, 4, -9)),
        *(drill(20, 30, 5, 30), rod((20, 30, -8), DOWN, 6, 1.3)),
        *(drill(80, 30, 5, 30), box((86, 20, -8), (95, 40, 1))),
    )
    turn, _ = np.linalg.qr(np.random.default_rng(7).normal(size=(3, 3)))
    lying, standing = brep(shape), moved(brep(shape), turn, np.array([7.0, -3.0, 11.0]))
    order = np.arange(lying.faces)[::-1]

    told = facts_and_edges(lying)
    assert (0.05, 8) in told  # the line
    assert sorted(row[-1] for row in told if len(row) > 2) == [1, 15, 26, 26]
    assert facts_and_edges(shuffled(standing, order)) == told


def facts_and_edges(part):
    graph = face_graph(part)
    holes = find_holes(graph)
    rows = [
        (*hole_facts(hole).values(), edge_distance_mm(graph, hole, holes).value_mm)
        for hole in holes
    ]
    lines = [tuple(line.facts.values()) for line in find_inline(graph, holes)]
    rounded = [
        tuple(round(v, 6) + 0.0 if isinstance(v, float) else v for v in row)
        for row in (*rows, *lines)
    ]
    return sorted(rounded, key=str)


def test_the_edge_of_a_disc_is_an_arc():
    graph, (hole,) = read(cut(rod((0, 0, -10), (0, 0, 1), 40, 10), drill(30, 5, 4, 30)))

    assert edge_distance_mm(graph, hole, [hole]).value_mm == pytest.approx(
        36 - math.hypot(30, 5)
    )


def test_the_edge_of_a_shaft_is_its_end():
    graph, (hole,) = read(cut(shaft(), rod((0, 0, 9), (1, 0, 0), 4, 30)))

    assert edge_distance_mm(graph, hole, [hole]).value_mm == pytest.approx(5)


@pytest.mark.parametrize(
    ("tools", "wall"),
    [
        ([drill(30, 30, 5, 30), drill(44, 30, 3, 30)], 6),
        ([drill(30, 30, 9, 6), drill(30, 30, 5, 30), drill(44, 30, 3, 30)], 2),
        ([rod((-1, 30, -10), (1, 0, 0), 3, 200), drill(50, 21, 3, 30)], 3),  # crossing, apart
        ([rod((-1, 30, -10), (1, 0, 0), 3, 31), drill(40, 30, 3, 30)], 7),  # towards a wall
    ],
)
def test_the_ligament_is_the_least_wall_between_two_holes(tools, wall):
    graph, holes = read(cut(plate(), *tools))

    for hole in holes:
        assert ligament_mm(graph, hole, holes).value_mm == pytest.approx(wall, abs=1e-3)


def test_a_lone_hole_has_no_ligament():
    graph, holes = read(cut(plate(), drill(30, 30, 5, 30)))

    assert ligament_mm(graph, holes[0], holes) == NOTHING_THERE


def test_holes_that_cross_meet_on_purpose():
    cross = rod((50, -1, -10), (0, 1, 0), 4, 80)
    graph, holes = read(cut(plate(), drill(50, 30, 6, 30), cross))

    assert [ligament_mm(graph, hole, holes) for hole in holes] == [NOTHING_THERE] * 2


def test_an_ear_with_a_free_form_bore_is_in_line_but_nobody_knows_how_well():
    ears = cut(box((0, 0, -60), (40, 40, 0)), box((-1, -1, -50), (41, 30, -10)))
    shape = cut(ears, rod((20, 15, 1), DOWN, 5, 15), oval((20.3, 15, -45), 5, 4.8, 20))
    found = find_hole_families(face_graph(brep(shape)))
    (line,) = found.in_line

    assert len(found.holes) == len(found.free_form) == 1
    assert line.facts == {"inline.offset": None, "inline.d": None}


def test_the_wall_towards_a_free_form_bore_cannot_be_known():
    shape = cut(
        plate(), drill(20, 30, 5, 30), drill(50, 30, 5, 30), oval((65, 30, 1), 5, 4.8, 30)
    )
    graph = face_graph(brep(shape))
    found = find_hole_families(graph)
    walls = [ligament_mm(graph, hole, found.holes, found.free_form) for hole in found.holes]

    assert len(walls) == 2
    assert CANNOT_KNOW in walls
    assert Measure(20.0, beside_d_mm=10.0) in walls


def test_diameters_are_counted_once_and_close_ones_are_told():
    sizes = [drill(10 + 16 * i, 30, d / 2, 30) for i, d in enumerate([10, 10, 10.1, 6, 6.004])]
    found = find_hole_families(face_graph(brep(cut(plate(), *sizes))))

    assert part_hole_facts(found) == {"part.hole_d_count": 3, "part.hole_d_close_pairs": 1}


def test_a_bore_of_unknown_size_leaves_the_count_unknown():
    shape = cut(plate(), drill(20, 30, 5, 30), oval((65, 30, 1), 5, 4.8, 30))
    found = find_hole_families(face_graph(brep(shape)))

    assert set(part_hole_facts(found).values()) == {None}
    assert [feature.kind for feature in found.features] == ["hole", "freeform_bore"]
