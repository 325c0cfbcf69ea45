"""What real parts taught: facts that read true in the arrays and false at the machine."""

from dataclasses import replace

import numpy as np
import pytest
from desk_samples import assembly, facts, judged
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS
from polyhedra import extruded
from solids import box, brep, cut, fuse, oval, rod

from witmark.review.features.graph import face_graph
from witmark.review.features.hole_families import find_hole_families
from witmark.review.features.recognise import recognise
from witmark.review.judging import VerdictKind
from witmark.review.measures import edge_distance_mm, ligament_mm
from witmark.review.neutrality import faults_in
from witmark.review.proposing import propose
from witmark.review.reporting import faces_of
from witmark.review.wording import shown_name

DOWN = (0, 0, -1)


def bored(shape):
    graph = face_graph(brep(shape))
    return graph, find_hole_families(graph).holes


def kinds(found):
    return [str(f.kind) for f in found.features if f.kind != "surface_boundary"]


def verdicts(given, catalogue_id):
    return [
        v
        for v in judged(given).verdicts
        if v.catalogue_id == catalogue_id
        and v.unit.anchor.kind not in ("part", "surface_boundary", "inline")
    ]


def test_a_blade_beside_a_cup_is_no_edge_of_its_bore():
    """The plane of a fan's blade, drawn on, passes through the hub's bore."""
    hub = cut(rod((0, 0, 0), (0, 0, 1), 10, 20), rod((0, 0, 20), DOWN, 8, 15))
    fan = fuse(hub, box((9, 2, 0), (25, 4, 20)))
    graph, holes = bored(fan)

    assert edge_distance_mm(graph, holes[0], holes).value_mm != 0


def test_a_ligament_is_weighed_against_the_smaller_hole():
    plate = cut(
        box((0, 0, -10), (120, 100, 0)),
        rod((50, 50, 0), DOWN, 30, 10),
        rod((84, 50, 0), DOWN, 2, 10),
    )
    graph, holes = bored(plate)

    for hole in holes:
        measured = ligament_mm(graph, hole, holes)
        assert measured.value_mm == pytest.approx(2)
        assert measured.beside_d_mm == pytest.approx(4)


def test_a_sound_wall_beside_a_bearing_bore_is_no_finding():
    plate = cut(
        box((0, 0, -10), (120, 100, 0)),
        rod((50, 50, 0), DOWN, 30, 10),
        rod((86, 50, 0), DOWN, 2, 10),
    )

    assert {v.kind for v in verdicts(assembly(brep(plate)), "P39")} == {VerdictKind.SATISFIED}


def test_a_hole_cut_open_by_the_edge_is_told_once_as_a_partial_hole():
    plate = cut(box((0, 0, -10), (60, 40, 0)), rod((57, 20, 0), DOWN, 5, 10))
    given = assembly(brep(plate))

    assert [v.kind for v in verdicts(given, "P28")] == [VerdictKind.VIOLATED]
    assert [v.kind for v in verdicts(given, "P38")] == [VerdictKind.NOT_APPLICABLE]


def test_the_blind_end_of_a_slot_cannot_be_milled_sharp():
    """Long enough to be a slot, and its end has the corners of a pocket all the same."""
    given = assembly(brep(cut(box((0, 0, 0), (60, 40, 20)), box((-1, 15, 10), (40, 23, 21)))))

    assert [(v.kind, v.severity) for v in verdicts(given, "P14")] == [
        (VerdictKind.VIOLATED, "critical")
    ]


def test_a_slot_from_end_to_end_has_no_corner_to_judge():
    given = assembly(brep(cut(box((0, 0, 0), (60, 40, 20)), box((-1, 15, 10), (61, 23, 21)))))

    assert [v.kind for v in verdicts(given, "P14")] == [VerdictKind.NOT_APPLICABLE]


def test_a_tee_slot_from_end_to_end_has_no_sharp_corner_and_is_not_deep():
    plate = cut(box((0, 0, 0), (60, 60, 30)), box((-1, 26, 16), (61, 34, 31)))
    given = assembly(brep(cut(plate, box((-1, 22, 16), (61, 38, 22)))))

    for rule in ("P13", "P14"):
        assert [v.kind for v in verdicts(given, rule)] == [VerdictKind.NOT_APPLICABLE]


def test_an_open_pocket_whose_walls_face_nothing_has_no_width_to_be_narrow():
    """A corner cut away around a post: three walls, none across from another."""
    corner = cut(box((0, 0, 0), (60, 40, 20)), box((20, 15, 10), (61, 41, 21)))
    given = assembly(brep(fuse(corner, rod((20, 15, 0), (0, 0, 1), 6, 20))))
    (pocket,) = [f for f in facts(given)[1][0].features if f.kind == "open_pocket"]

    assert pocket.facts["pocket.facing"] is False
    assert [v.kind for v in verdicts(given, "P13")] == [VerdictKind.NOT_APPLICABLE]


def test_a_bend_in_a_plate_is_no_slot_without_a_width():
    bend = extruded([(0, 0), (60, 0), (90, 12), (88, 17), (59, 5), (0, 5)], 40)

    assert all(f.facts.get("slot.w") != 0 for f in recognise(bend).features)


def test_a_passage_is_measured_only_where_wall_and_island_are_abreast():
    """A half-round island faces one wall; drawn on, it nearly touches the other's plane."""
    island = cut(rod((30, 20.0, 5), (0, 0, 1), 8, 15), box((20, 20, 0), (40, 40, 30)))
    pocket = cut(box((0, 0, 0), (60, 40, 20)), box((5, 3, 10), (55, 28.5, 21)))
    (found,) = [f for f in recognise(brep(fuse(pocket, island))).features if f.kind == "pocket"]

    assert found.facts["pocket.min_width"] == pytest.approx(8.5, abs=0.51)


def test_a_free_form_rod_between_two_eyes_is_no_window():
    """Its wall is concave at both ends and looks outward: nothing is cut there."""
    eyes = fuse(box((-20, -20, 0), (20, 20, 10)), box((-20, -20, 60), (20, 20, 70)))
    link = recognise(brep(fuse(eyes, oval((0, 0, 60), 12, 7, 50))))

    assert "through_window" not in kinds(link)
    assert "freeform_recess" not in kinds(link)
    assert link.unexplained == ()


def test_an_oval_window_is_a_recess_though_its_one_wall_is_a_free_form():
    found = recognise(brep(cut(box((-30, -20, 0), (30, 20, 10)), oval((0, 0, 11), 12, 4, 12))))

    assert kinds(found) == ["freeform_recess"]


def test_a_round_of_changing_radius_on_an_outer_edge_is_no_corner_to_judge():
    """Outside it is a free surface, in a corner a blend whose radius nobody can tell."""
    outer = tapering_round(box((0, 0, 0), (60, 40, 20)), lambda x, y, z: (y, z) == (40, 20))
    ell = cut(box((0, 0, 0), (60, 40, 20)), box((-1, 20, 10), (61, 41, 21)))
    inner = tapering_round(ell, lambda x, y, z: (y, z) == (20, 10))

    assert kinds(recognise(brep(outer))) == ["freeform_surface"]
    assert "freeform_surface" not in kinds(recognise(brep(inner)))


def tapering_round(shape, where):
    """Round the edge whose middle ``where`` holds for, from 1 mm to 6 mm."""
    maker = BRepFilletAPI_MakeFillet(shape)
    edges = TopExp_Explorer(shape, TopAbs_ShapeEnum.TopAbs_EDGE)
    while edges.More():
        edge = TopoDS.Edge(edges.Current())
        curve = BRepAdaptor_Curve(edge)
        middle = curve.Value((curve.FirstParameter() + curve.LastParameter()) / 2)
        if where(*(round(v, 6) for v in (middle.X(), middle.Y(), middle.Z()))):
            maker.Add(1.0, 6.0, edge)
        edges.Next()
    return maker.Shape()


def many_free_forms():
    """A plate with four oval windows: walls on which nothing can be measured."""
    plate = box((0, 0, 0), (120, 40, 10))
    return brep(cut(plate, *(oval((15 + 30 * k, 20, 11), 10, 3, 12) for k in range(4))))


def test_places_that_nobody_can_measure_share_one_unit_that_counts_them():
    blob, found = facts(assembly(many_free_forms()))
    (unit,) = [u for u in propose(blob) if u.anchor.kind == "freeform_recess"]
    told = len(unit.fact_bundle.related_features) + 1

    assert told == sum(f.kind == unit.anchor.kind for f in found[0].features) == 4
    assert "4 places" in unit.semantic_location_en
    assert "4 处" in unit.semantic_location
    assert faults_in(unit.retrieval_sentence) == faults_in(unit.retrieval_sentence_en) == ()


def test_places_on_a_broken_solid_are_told_once_per_kind():
    """Nothing measured on it can be trusted, so ten holes are ten times the same news."""
    plate = cut(
        box((0, 0, -10), (90, 40, 0)),
        *(rod((15 + 30 * k, 20, 0), DOWN, 4, 10) for k in (0, 1, 2)),
    )
    arrays = brep(plate)
    broken = replace(arrays, body_valid=np.array([False]))
    found = [
        v
        for v in judged(assembly(broken)).verdicts
        if v.unit.anchor.kind == "hole" and v.kind is not VerdictKind.NOT_APPLICABLE
    ]

    assert {v.kind for v in found} == {VerdictKind.UNDETERMINED}
    assert len({v.rule_id for v in found}) == len(found)
    assert all("3 places" in v.unit.semantic_location_en for v in found)


def test_the_picture_of_a_group_shows_every_place_of_it():
    given = assembly(many_free_forms())
    blob, found = facts(given)
    grouped = [v for v in judged(given).verdicts if v.unit.fact_bundle.related_features]
    part, faces = faces_of(grouped[0], blob.data)

    kind = grouped[0].unit.anchor.kind
    shown = {face for f in found[0].features if f.kind == kind for face in f.faces}
    assert (part, set(faces)) == (0, shown)


@pytest.mark.parametrize(
    ("instance", "part", "shown"),
    [
        ("left arm", "arm", "left arm"),
        ("NAUO4", "USB cable", "USB cable [NAUO4]"),
        ("6", "l-bracket", "l-bracket [6]"),
        ("SOLID", "housing", "housing [SOLID]"),
        ("7", "COMPOUND", "7"),
        ("*DIT38", "HEAD_BACK", "HEAD_BACK [*DIT38]"),
        ("", "housing", "housing"),
    ],
)
def test_a_component_is_called_by_the_name_that_says_something(instance, part, shown):
    assert shown_name(instance, part) == shown
