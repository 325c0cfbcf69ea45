"""Retrieved rules are judged against facts; what is missing is asked for once."""

import dataclasses

import pytest
from desk_samples import ASIDE, HERE, SHORT, assembly, deep_plate, facts, judged

from witmark.adapters.cards.book import bundled, read_rulebook
from witmark.review.deciding import VerdictKind
from witmark.review.looking import second_look
from witmark.review.reviewing import judge_facts
from witmark.testing.breps import Turned, plate

BOOK = read_rulebook(bundled())
NEAR_EDGE = Turned(3, 30, ((2.5, 0), (2.5, -20)))  # wall 0.5 mm from the edge


def verdict(found, catalogue_id, kind="hole"):
    (only,) = [
        v
        for v in found.verdicts
        if v.catalogue_id == catalogue_id and v.unit.anchor.kind == kind
    ]
    return only


def test_a_deep_hole_is_a_minor_violation_that_cites_its_ratio():
    deep = verdict(judged(assembly(deep_plate())), "P29")

    assert (deep.kind, deep.severity.value) == (VerdictKind.VIOLATED, "minor")
    assert [(f.name, f.value) for f in deep.measured] == [("hole.ld", 6.0)]
    assert deep.fact_refs[0].endswith("/facts/hole.ld")


@pytest.mark.clause("REV-JUDGE-04")
def test_edge_distance_is_measured_only_because_a_judge_asked():
    first, _ = facts(assembly(plate([NEAR_EDGE])))
    found = judged(assembly(plate([NEAR_EDGE])))

    assert b"edge_dist" not in first.raw
    assert [(r.fact, r.answer.value) for r in found.requests if r.fact == "hole.edge_dist"] == [
        ("hole.edge_dist", 0.5)
    ]
    assert verdict(found, "P38").severity.value == "critical"


@pytest.mark.clause("REV-JUDGE-04")
@pytest.mark.clause("REV-FACT-05")
def test_a_question_is_put_once_however_many_instances_ask_it():
    asked = []
    first, found = facts(assembly(plate([SHORT])))
    twice = dataclasses.replace(
        assembly(plate([SHORT])),
        instances=tuple(
            dataclasses.replace(
                assembly(plate([SHORT])).instances[0], path=(name,), placement=p
            )
            for name, p in (("a", HERE), ("b", ASIDE))
        ),
    )
    first, found = facts(twice)
    look = second_look(found)

    def listening(*question):
        asked.append(question)
        return look(*question)

    judged_twice = judge_facts(first, BOOK, listening)

    assert len(asked) == len(set(asked))
    assert {r.unit.component_id for r in judged_twice.requests} == {"a", "b"}


@pytest.mark.clause("REV-JUDGE-05")
def test_what_a_second_look_cannot_tell_is_undetermined_and_named():
    first, _ = facts(assembly(plate([SHORT])))

    edge = verdict(judge_facts(first, BOOK, lambda *_: None), "P38")

    assert edge.kind is VerdictKind.UNDETERMINED
    assert [one.fact for one in edge.missing] == ["hole.beside_edge"]


@pytest.mark.clause("REV-JUDGE-06")
def test_nothing_is_decided_on_a_part_that_fails_its_check():
    brep = deep_plate()
    broken = dataclasses.replace(
        brep, body_valid=brep.body_valid & False, body_fault=("open shell",)
    )

    kinds = {v.kind for v in judged(assembly(broken)).verdicts if v.catalogue_id == "P29"}

    assert VerdictKind.VIOLATED not in kinds
    assert VerdictKind.UNDETERMINED in kinds


def test_a_single_hole_has_no_neighbour_to_be_too_near_to():
    assert verdict(judged(assembly(plate([SHORT]))), "P39").kind is VerdictKind.NOT_APPLICABLE


def test_two_holes_side_by_side_are_measured_from_wall_to_wall():
    near = Turned(60.4, 30, ((5, 0), (5, -20)))
    found = judged(assembly(plate([SHORT, near])))

    thin = [
        v for v in found.verdicts if (v.catalogue_id, v.unit.anchor.kind) == ("P39", "hole")
    ]

    assert {v.severity.value for v in thin} == {"major"}
    assert {f.value for v in thin for f in v.measured if f.name == "hole.ligament"} == {0.4}


@pytest.mark.clause("REV-SCOPE-02")
def test_a_context_part_gets_no_verdict():
    bush = plate(
        [Turned(10, 10, ((9, 0), (9, -30)))], length_mm=20.0, width_mm=20.0, thickness_mm=30.0
    )
    found = judged(assembly(bush, deep_plate(), names=["hex nut", "plate"]))

    assert {v.unit.component_id for v in found.verdicts} == {"root/plate"}


def test_the_same_facts_are_judged_the_same():
    assert judged(assembly(deep_plate())) == judged(assembly(deep_plate()))
