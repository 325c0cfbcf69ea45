"""A match is not a finding: verdicts follow from facts, cite them, and say what is missing."""

from dataclasses import replace

import pytest
from rule_samples import BLOB, book, fact, judged, unit

from witmark.review.candidates import Candidates
from witmark.review.judging import FactRequest, VerdictKind, judge, judge_all
from witmark.review.rulebook.predicate import FactTypeError, Truth
from witmark.review.rulebook.store import RuleStore
from witmark.review.units import FactBundle, MissingFact

DEEP = {"hole.ld": 12.0, "hole.d": 5.0}
PAIR = {"role_a": ("machined", 0.78), "role_b": ("unmachined", 0.62)}

BESIDE = {"hole.beside_edge": True}


def boundary(height, roles):
    facts = [fact(f"surface.{name}", value, sure) for name, (value, sure) in roles.items()]
    facts.append(fact("surface.step_height", height))
    made = unit("surface_boundary", {})
    return replace(made, fact_bundle=replace(made.fact_bundle, brep_facts=tuple(facts)))


@pytest.mark.clause("REV-JUDGE-02")
def test_a_violation_shows_its_measure_its_limit_and_every_step():
    verdict = judged("18.P29", "hole", DEEP)

    assert (verdict.kind, verdict.severity) == (VerdictKind.VIOLATED, "major")
    assert [(f.name, f.value) for f in verdict.measured] == [("hole.ld", 12.0)]
    assert verdict.fact_refs == (f"{BLOB}#/parts/0/features/0/facts/hole.ld",)
    assert verdict.limit.expression == "hole.ld > 10"
    assert verdict.limit.words.zh == "孔深径比 > 10"
    assert [(s.clause, s.expression, s.outcome, s.severity) for s in verdict.trace] == [
        ("bad_if", "hole.ld > 10", Truth.TRUE, "major")
    ]
    assert verdict.missing == ()


def test_the_worst_tier_that_holds_gives_the_severity():
    verdict = judged("18.P29", "hole", {"hole.ld": 6.0})

    assert verdict.severity == "minor"
    assert [s.outcome for s in verdict.trace] == [Truth.FALSE, Truth.TRUE]


def test_a_single_limit_keeps_its_own_grade():
    near = judged("18.P38", "hole", {"hole.d": 6.0}, BESIDE | {"hole.edge_dist": 0.5})
    close = judged("18.P38", "hole", {"hole.d": 6.0}, BESIDE | {"hole.edge_dist": 2.0})

    assert (near.limit.grade, close.limit.grade) == ("a", "c")


@pytest.mark.clause("REV-JUDGE-02")
def test_satisfied_cites_what_it_read_and_the_good_limit():
    verdict = judged("18.P29", "hole", {"hole.ld": 3.0})

    assert verdict.kind is VerdictKind.SATISFIED
    assert not verdict.grey
    assert verdict.limit.expression == "hole.ld <= 4"
    assert verdict.fact_refs


@pytest.mark.clause("REV-JUDGE-03")
def test_between_bad_and_good_is_satisfied_but_grey():
    verdict = judged("18.P44", "hole", {"hole.step_order": "waisted"})

    assert (verdict.kind, verdict.grey) == (VerdictKind.SATISFIED, True)


@pytest.mark.clause("REV-JUDGE-04")
def test_an_expensive_fact_is_asked_for_once():
    first = judged("18.P38", "hole", {"hole.d": 6.0})

    assert isinstance(first, FactRequest)
    assert [one.fact for one in first.facts] == ["hole.beside_edge", "hole.edge_dist"]
    wanted = first.facts[1]
    assert "B-rep" in wanted.suggested_extraction
    assert wanted.suggested_extraction_en.startswith("computed B-rep check")
    second = judged("18.P38", "hole", {"hole.d": 6.0}, BESIDE | {"hole.edge_dist": None})
    assert second.kind is VerdictKind.UNDETERMINED
    assert [item.fact for item in second.missing] == ["hole.edge_dist"]


@pytest.mark.clause("REV-JUDGE-04")
def test_one_second_look_is_enough_for_a_rule():
    first = judged("18.P39", "hole", {"hole.d": 6.0})

    asked = ["hole.others", "hole.ligament", "hole.ligament_d"]
    assert [item.fact for item in first.facts] == asked
    answers = {"hole.others": 2, "hole.ligament": 2.0, "hole.ligament_d": 6.0}
    second = judged("18.P39", "hole", {"hole.d": 6.0}, answers)
    assert (second.kind, second.severity) == (VerdictKind.VIOLATED, "minor")
    assert {f.name for f in second.cited} == set(asked)


def test_a_null_that_stands_in_the_bundle_is_still_asked_for():
    assert isinstance(
        judged("18.P38", "hole", {"hole.d": 6.0, "hole.edge_dist": None}), FactRequest
    )


def test_an_answer_fills_a_null_but_never_replaces_a_measured_value():
    hole = {"hole.d": 6.0, "hole.edge_dist": None}
    filled = judged("18.P38", "hole", hole, BESIDE | {"hole.edge_dist": 9.0})
    kept = judged(
        "18.P38", "hole", hole | {"hole.edge_dist": 0.1}, BESIDE | {"hole.edge_dist": 9.0}
    )

    assert filled.kind is VerdictKind.SATISFIED
    assert kept.severity == "critical"


def test_a_known_fact_that_decides_alone_needs_no_other():
    verdict = judged("18.P19", "slot", {"slot.w": 0.5, "slot.depth": None})

    assert (verdict.kind, verdict.severity) == (VerdictKind.VIOLATED, "major")


def test_a_certain_tier_waits_for_a_worse_one_that_a_second_look_can_settle():
    rule = book().store.open("18.P38")
    tiers = (
        replace(rule.tiers[0], when=rule.tiers[0].when),
        replace(rule.tiers[1], when=book().store.open("18.P30").tiers[1].when),
    )
    mixed = replace(rule, tiers=tiers)
    hole = unit("hole", {"hole.d": 0.8})

    assert isinstance(judge(hole, mixed), FactRequest)
    after = judge(
        hole,
        mixed,
        {
            name: fact(name, value)
            for name, value in (BESIDE | {"hole.edge_dist": None}).items()
        },
    )
    assert (after.kind, after.severity) == (VerdictKind.VIOLATED, "minor")


@pytest.mark.clause("REV-JUDGE-06")
def test_an_invalid_solid_is_never_measured_even_where_a_fact_says_bad():
    verdict = judged("18.P29", "hole", DEEP | {"part.valid": False})

    assert verdict.kind is VerdictKind.UNDETERMINED
    assert verdict.measured == ()
    assert "有效性检查" in verdict.missing[0].why_needed
    assert verdict.fact_refs == (f"{BLOB}#/parts/0/features/0/facts/part.valid",)


def test_an_invalid_solid_asks_for_nothing():
    verdict = judged("18.P38", "hole", {"hole.d": 6.0, "part.valid": False})

    assert verdict.kind is VerdictKind.UNDETERMINED


def test_a_rule_about_other_places_is_not_applicable():
    assert judged("18.P29", "pocket", {"pocket.depth": 3.0}).kind is VerdictKind.NOT_APPLICABLE


def test_a_condition_that_fails_makes_a_rule_not_applicable_and_shows_why():
    verdict = judged("18.P27", "hole", {"hole.through": False})

    assert verdict.kind is VerdictKind.NOT_APPLICABLE
    assert [(s.clause, s.outcome) for s in verdict.trace] == [("applies_if", Truth.FALSE)]


def test_a_role_of_which_nobody_is_sure_is_unknown():
    rule = book().store.open("18.2.4")
    sure = judge(boundary(0.2, PAIR), rule)
    unsure = judge(boundary(0.2, PAIR | {"role_b": ("unmachined", 0.59)}), rule)

    assert sure.kind is VerdictKind.VIOLATED
    assert unsure.kind is VerdictKind.UNDETERMINED
    assert [item.fact for item in unsure.missing] == ["surface.role_b"]


@pytest.mark.clause("REV-JUDGE-05")
def test_what_nobody_can_measure_is_named_and_not_asked_for():
    verdict = judged("18.2.4", "surface_boundary", {"surface.step_height": 0.2})

    assert verdict.kind is VerdictKind.UNDETERMINED
    assert [item.fact for item in verdict.missing] == ["surface.role_a", "surface.role_b"]
    assert all(item.suggested_extraction_en for item in verdict.missing)


def test_a_missing_fact_keeps_the_units_own_words():
    made = unit("hole", {"hole.ld": None})
    own = MissingFact("hole.ld", "孔壁为自由曲面", "重新建模", "free form", "model it again")
    made = replace(made, fact_bundle=replace(made.fact_bundle, missing_facts=(own,)))

    assert judge(made, book().store.open("18.P29")).missing == (own,)


def test_a_fact_of_the_wrong_kind_stops_the_review():
    with pytest.raises(FactTypeError):
        judged("18.P29", "hole", {"hole.ld": "deep"})


def test_a_count_and_a_measure_of_the_same_value_keep_their_own_spelling():
    """Decisions are remembered; a remembered 4 must not stand where 4.0 was read."""
    one = judged("18.P29", "hole", {"hole.ld": 4})
    two = judged("18.P29", "hole", {"hole.ld": 4.0})

    assert repr(one.trace[0].readings[0].values) == "(('hole.ld', 4),)"
    assert repr(two.trace[0].readings[0].values) == "(('hole.ld', 4.0),)"


@pytest.mark.clause("REV-JUDGE-01")
def test_only_rules_that_retrieval_returned_are_opened():
    opened = []

    class Watched(RuleStore):
        def open(self, rule_id):
            opened.append(rule_id)
            return super().open(rule_id)

    store = Watched("book", book().store.rules)
    hole = unit("hole", DEEP)
    returned = Candidates(book().index).find(hole)
    results = judge_all(hole, returned, store)

    assert opened == [c.rule_id for c in returned] == [r.rule_id for r in results]
    assert judge_all(hole, (), store) == ()


@pytest.mark.clause("REV-JUDGE-05")
def test_a_freeform_bore_leaves_every_hole_rule_open():
    bore = unit("freeform_bore", {})
    asked = {
        name: fact(name, None)
        for name in (
            "hole.others",
            "hole.beside_edge",
            "hole.edge_dist",
            "hole.ligament",
            "hole.ligament_d",
        )
    }
    verdicts = judge_all(bore, Candidates(book().index).find(bore), book().store, asked)

    open_ids = {v.catalogue_id for v in verdicts if v.kind is VerdictKind.UNDETERMINED}
    assert open_ids == {"P26", "P27", "P28", "P29", "P30", "P34", "P37", "P38", "P39", "P44"}
    assert all(v.missing for v in verdicts if v.kind is VerdictKind.UNDETERMINED)
    assert isinstance(bore.fact_bundle, FactBundle)
