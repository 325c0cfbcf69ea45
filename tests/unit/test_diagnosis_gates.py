"""A gate stands in the way of exactly what it is there for, and of nothing that looks so."""

from dataclasses import replace

import pytest
from diagnosis_cases import (
    CONFIRMED,
    ENDS,
    F1,
    F2,
    F3,
    F4,
    F5,
    F6,
    F7,
    FINDINGS,
    H1,
    H2,
    H3,
    INCONCLUSIVE,
    finding,
)

from bench import gate_oracle
from witmark.diagnosis import gates, support, wire
from witmark.diagnosis.deciding import MOST_REPLY_BYTES, judge_decision
from witmark.diagnosis.decision import Countercheck, FinalState
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    FindingId,
    FindingKind,
    Group,
    Support,
)
from witmark.diagnosis.hypotheses import EndState, HypothesisId
from witmark.diagnosis.plain import to_plain
from witmark.diagnosis.saying import is_safe
from witmark.kernel.model.outcome import Admitted, Refused

# Findings that only this page needs, each stored beside those of the case.
DERIVED_AGAINST = finding(
    8, Group.DIFF, kind=FindingKind.DERIVED, bears_on={H1: Direction.AGAINST}
)
DIRECT_AGAINST = finding(9, Group.LOGS, bears_on={H1: Direction.AGAINST})
FOR_RIVAL = finding(10, Group.LOGS, bears_on={H2: Direction.FOR})
UNSAID = finding(11, Group.COVERAGE)
GROUND = gates.Ground(
    {one.id: one for one in (*FINDINGS, DERIVED_AGAINST, FOR_RIVAL, UNSAID)},
    {end.hypothesis.id: end.state for end in ENDS},
    ("logs after the first megabyte",),
    ("the parser skips a check",),
)
WITH_AGAINST = replace(GROUND, findings={**GROUND.findings, DIRECT_AGAINST.id: DIRECT_AGAINST})
FIRST, SECOND, THIRD = CONFIRMED.evaluations
STRANGER, STRAY = HypothesisId("H9"), FindingId("F-9999")


def objections(diagnosis, ground=GROUND):
    """What the gates say, and the oracle has to say the same."""
    report = gates.check(diagnosis, ground)
    names = [one.name for one in report.objections]
    context = {
        "findings": to_plain(tuple(ground.findings.values())),
        "hypotheses": [
            {"hypothesis": {"id": name}, "state": state.value}
            for name, state in ground.ends.items()
        ],
        "interpretation": {"assumptions": [{"text": one} for one in ground.assumptions]},
        "not_looked_at": list(ground.partial),
        "support_levels": {"digest": support.table_digest(ground.table)},
    }
    assert gate_oracle.broken(wire.decision_plain(diagnosis), context) == set(names)
    return names


def but(*evaluations, **changes):
    """The confirmed decision with other evaluations or other parts."""
    said = {FIRST.hypothesis_id: FIRST, H2: SECOND, H3: THIRD}
    said |= {one.hypothesis_id: one for one in evaluations}
    return replace(CONFIRMED, evaluations=tuple(said.values()), **changes)


def check(**changes):
    return replace(CONFIRMED.countercheck, **changes)


def cause(*ids):
    return replace(CONFIRMED.root_cause, evidence_ids=ids)


def test_the_decisions_of_the_case_hold():
    assert objections(CONFIRMED) == []
    assert objections(INCONCLUSIVE) == []


# One failing case per gate, and it fails for exactly that --------------------------------

FAILING = {
    "hypotheses-known": (
        replace(
            INCONCLUSIVE,
            countercheck=replace(INCONCLUSIVE.countercheck, alternative_id=STRANGER),
        ),
        GROUND,
        "unknown hypothesis 'H9'",
    ),
    "hypotheses-once": (
        replace(CONFIRMED, evaluations=(FIRST, SECOND)),
        GROUND,
        "'H3' is not evaluated",
    ),
    "evidence-known": (
        but(replace(THIRD, supporting_evidence_ids=(STRAY,))),
        GROUND,
        "no stored finding is called 'F-9999'",
    ),
    "evidence-once": (
        but(replace(THIRD, supporting_evidence_ids=(F4.id, F4.id))),
        GROUND,
        "H3 cites a finding twice",
    ),
    "states-supported": (
        but(replace(THIRD, state=FinalState.FACTUALLY_REJECTED)),
        GROUND,
        "H3 is rejected, but no finding is cited against it",
    ),
    "nothing-is-no-proof": (
        but(
            replace(
                THIRD, state=FinalState.FACTUALLY_REJECTED, contradicting_evidence_ids=(F5.id,)
            )
        ),
        GROUND,
        "rejected by looks that were not complete",
    ),
    "contradictions-answered": (
        but(confidence=Support.SUPPORTED),
        WITH_AGAINST,
        "H1 leaves out 'F-0009' against it",
    ),
    "limits-said": (
        but(replace(THIRD, scope_limits=())),
        GROUND,
        "H3 is unresolved; say in scope_limits",
    ),
    "people-apart": (
        replace(CONFIRMED, human_assumptions=()),
        GROUND,
        "assumptions of people",
    ),
    "safe-text": (
        replace(CONFIRMED, final_reason="the frame \u202e is it"),
        GROUND,
        "turn the direction",
    ),
    "confirmed-confidence": (
        replace(CONFIRMED, confidence=Support.WEAK),
        GROUND,
        "needs the confidence supported",
    ),
    "confirmed-selected": (
        CONFIRMED,
        replace(GROUND, ends={**GROUND.ends, H1: EndState.REJECTED}),
        "H1 was factually rejected by the investigation",
    ),
    "confirmed-cause": (
        replace(CONFIRMED, root_cause=cause(F1.id, F7.id)),
        GROUND,
        "does not cite 'F-0007'",
    ),
    "confirmed-countercheck": (
        replace(CONFIRMED, countercheck=check(evidence_ids=(F1.id,))),
        GROUND,
        "does not cite what the countercheck cites",
    ),
    "confirmed-not-by-rank": (
        but(
            replace(FIRST, supporting_evidence_ids=(F1.id, F2.id, F4.id)),
            root_cause=cause(F4.id),
        ),
        GROUND,
        "ranks and likenesses alone",
    ),
    "confirmed-level": (
        but(replace(FIRST, supporting_evidence_ids=(F1.id,)), root_cause=cause(F1.id)),
        GROUND,
        "allow weak at most",
    ),
    "inconclusive-alleges-nothing": (
        replace(INCONCLUSIVE, confidence=Support.SUPPORTED),
        GROUND,
        "insufficient or weak",
    ),
    "inconclusive-hands-over": (
        replace(INCONCLUSIVE, review_actions=("ask",)),
        GROUND,
        "a person can carry out",
    ),
}


@pytest.mark.clause("DIA-GATE-01")
@pytest.mark.parametrize("name", [name for name, _ in gates.GATES])
def test_a_gate_refuses_what_it_is_there_for_and_says_why(name):
    diagnosis, ground, words = FAILING[name]
    assert objections(diagnosis, ground) == [name]
    [objection] = gates.check(diagnosis, ground).objections
    assert words in objection.because


@pytest.mark.clause("DIA-GATE-02")
@pytest.mark.parametrize(
    ("name", "diagnosis"),
    [
        ("evidence-known", but(replace(THIRD, supporting_evidence_ids=(FindingId(look),))))
        for look in (
            "F-0001 ",
            "f-0001",
            "F‐0001",
            "F-0001\u200b",
            "Ｆ-0001",
            "F-001",
            "F-00010",
        )
    ]
    + [
        ("hypotheses-once", replace(CONFIRMED, evaluations=(*CONFIRMED.evaluations, THIRD))),
        (
            "evidence-once",
            but(
                replace(
                    THIRD, contradicting_evidence_ids=(F4.id,), supporting_evidence_ids=(F4.id,)
                )
            ),
        ),
        ("evidence-once", replace(CONFIRMED, root_cause=cause(F1.id, F1.id))),
        ("evidence-once", replace(CONFIRMED, countercheck=check(evidence_ids=(F3.id, F3.id)))),
        ("nothing-is-no-proof", but(replace(THIRD, supporting_evidence_ids=(F6.id,)))),
        ("limits-said", replace(CONFIRMED, remaining_uncertainty=())),
        ("confirmed-confidence", replace(CONFIRMED, confidence=Support.INSUFFICIENT)),
        ("confirmed-countercheck", replace(CONFIRMED, countercheck=check(is_adequate=False))),
        (
            "confirmed-countercheck",
            replace(CONFIRMED, countercheck=check(reason="it is not so")),
        ),
        ("inconclusive-hands-over", replace(INCONCLUSIVE, review_actions=())),
        ("inconclusive-hands-over", replace(INCONCLUSIVE, review_actions=(f"{'x' * 19} ",))),
        ("inconclusive-alleges-nothing", replace(INCONCLUSIVE, selected_hypothesis_id=H1)),
        (
            "inconclusive-alleges-nothing",
            replace(INCONCLUSIVE, root_cause=CONFIRMED.root_cause),
        ),
    ],
)
def test_a_gate_refuses_each_way_of_breaking_its_promise(name, diagnosis):
    assert objections(diagnosis) == [name]


@pytest.mark.clause("DIA-GATE-02")
@pytest.mark.parametrize(
    ("names", "diagnosis"),
    [
        (
            {"hypotheses-known", "hypotheses-once"},
            replace(
                CONFIRMED,
                evaluations=(FIRST, SECOND, replace(THIRD, hypothesis_id=HypothesisId("Н3"))),
            ),
        ),
        (
            {"confirmed-selected", "confirmed-cause"},
            replace(CONFIRMED, selected_hypothesis_id=None),
        ),
        ({"confirmed-cause"}, replace(CONFIRMED, root_cause=None)),
        ({"confirmed-cause"}, replace(CONFIRMED, root_cause=cause())),
        (
            {"confirmed-countercheck", "confirmed-level"},
            replace(CONFIRMED, countercheck=check(alternative_id=None)),
        ),
        (
            {"confirmed-countercheck", "confirmed-level"},
            replace(CONFIRMED, countercheck=check(alternative_id=H3)),
        ),
        ({"confirmed-countercheck"}, replace(CONFIRMED, countercheck=check(evidence_ids=()))),
        (
            {"confirmed-countercheck", "states-supported"},
            but(replace(SECOND, state=FinalState.SUPPORTED)),
        ),
        (
            {"hypotheses-once", "confirmed-countercheck", "confirmed-level"},
            replace(CONFIRMED, evaluations=(FIRST, THIRD)),
        ),
        (
            {"states-supported", "contradictions-answered"},
            but(replace(THIRD, state=FinalState.SUPPORTED)),
        ),
        ({"confirmed-selected"}, but(replace(FIRST, state=FinalState.NOT_SUPPORTED))),
    ],
)
def test_what_breaks_several_promises_is_told_all_of_them(names, diagnosis):
    assert names <= set(objections(diagnosis))


@pytest.mark.clause("DIA-GATE-03")
@pytest.mark.parametrize(
    ("diagnosis", "ground"),
    [
        (but(replace(THIRD, state=FinalState.NOT_SUPPORTED, scope_limits=())), GROUND),
        (but(replace(THIRD, contradicting_evidence_ids=(F5.id,))), GROUND),
        (
            but(
                replace(
                    THIRD,
                    state=FinalState.FACTUALLY_REJECTED,
                    contradicting_evidence_ids=(F5.id, F7.id),
                )
            ),
            GROUND,
        ),
        (
            but(
                replace(
                    FIRST,
                    contradicting_evidence_ids=(DIRECT_AGAINST.id,),
                    contradictions_answered="that line is of another request altogether",
                ),
                confidence=Support.SUPPORTED,
            ),
            WITH_AGAINST,
        ),
        (replace(CONFIRMED, confidence=Support.SUPPORTED), GROUND),
        (replace(CONFIRMED, human_assumptions=()), replace(GROUND, assumptions=())),
        (replace(CONFIRMED, remaining_uncertainty=()), replace(GROUND, partial=())),
        (
            but(
                replace(FIRST, supporting_evidence_ids=(F1.id, F2.id, F4.id)),
                root_cause=cause(F1.id, F4.id),
            ),
            GROUND,
        ),
        (replace(CONFIRMED, countercheck=check(evidence_ids=(F3.id, F1.id))), GROUND),
        (replace(CONFIRMED, final_reason="原因\n\tعربي 🙂 é"), GROUND),
        (replace(INCONCLUSIVE, confidence=Support.INSUFFICIENT), GROUND),
        (
            replace(
                INCONCLUSIVE,
                countercheck=replace(
                    INCONCLUSIVE.countercheck, alternative_id=H2, evidence_ids=(F3.id,)
                ),
            ),
            GROUND,
        ),
        (CONFIRMED, replace(GROUND, ends={**GROUND.ends, H1: EndState.WEAKENED})),
    ],
)
def test_what_only_looks_like_a_broken_promise_holds(diagnosis, ground):
    assert objections(diagnosis, ground) == []


@pytest.mark.clause("DIA-GATE-04")
def test_any_hypothesis_may_cite_a_finding_whoever_found_it_and_for_which_other():
    """Promise 22: where a finding comes from restricts nothing."""
    elsewhere = replace(UNSAID, investigator="somebody else", action="A77")
    ground = replace(GROUND, findings={**GROUND.findings, UNSAID.id: elsewhere})
    for name in (F3.id, UNSAID.id, FOR_RIVAL.id):
        shared = but(
            replace(FIRST, supporting_evidence_ids=(F1.id, F2.id, name)),
            root_cause=cause(F1.id, name),
        )
        assert objections(shared, ground) == []
        assert objections(but(replace(THIRD, supporting_evidence_ids=(name,))), ground) == []


@pytest.mark.clause("DIA-GATE-05")
def test_the_loops_confidence_and_its_marker_are_nothing_that_a_gate_could_ask():
    """Promise 26: the ground of a decision does not even hold them."""
    ends = [replace(end, loop_confidence=1.0, was_counterchecked=True) for end in ENDS]
    assert {end.hypothesis.id: end.state for end in ends} == GROUND.ends
    unproved = replace(CONFIRMED, countercheck=Countercheck(False, None, "the loop did it", ()))
    assert {"confirmed-countercheck", "confirmed-level"} <= set(objections(unproved))


@pytest.mark.clause("DIA-GATE-06")
@pytest.mark.parametrize("whole", [Completeness.PARTIAL, Completeness.EMPTY])
def test_a_look_that_was_not_whole_is_no_proof_of_absence(whole):
    """Promise 27: neither against the rival nor for the cause."""
    findings = {**GROUND.findings, F3.id: replace(F3, completeness=whole)}
    found = objections(CONFIRMED, replace(GROUND, findings=findings))
    assert {"nothing-is-no-proof", "confirmed-countercheck", "confirmed-level"} <= set(found)


@pytest.mark.clause("DIA-GATE-07")
@pytest.mark.parametrize(
    "char",
    "\x00\x07\x1b\r\x7f\x85\xad\u061c\u200b\u200e\u2028\u202e\u2066\ufeff\ufe0f\u3164\u2800"
    "\ue000\U000e0041\ud800\u115f",
)
def test_a_text_may_hide_nothing(char):
    for text in (f"the {char}frame is it", char):
        assert not is_safe(text)
        assert objections(replace(CONFIRMED, final_reason=text)) == ["safe-text"]


# The table of support ------------------------------------------------------------------


def case(*for_it, against=(), rival=H2, against_rival=(F3,)):
    return support.Case(H1, for_it, tuple(against), rival, tuple(against_rival))


HEURISTIC_AGAINST = replace(F3, kind=FindingKind.HEURISTIC)
PARTIAL_AGAINST = replace(F3, completeness=Completeness.PARTIAL)
BOTH = replace(F1, bears_on={H1: Direction.FOR, H2: Direction.FOR})
EARLIER = replace(F2, group=Group.EARLIER)
TEXT_DIRECT = replace(F1, group=Group.TEXT)
SAME_VOICE = replace(F3, group=F1.group)


@pytest.mark.clause("DIA-GATE-08")
@pytest.mark.parametrize(
    ("level", "asked"),
    [
        (Support.STRONGLY_SUPPORTED, case(F1, F2)),
        (Support.STRONGLY_SUPPORTED, case(F1, UNSAID)),
        (Support.SUPPORTED, case(F1, F2, against=[DERIVED_AGAINST])),
        (Support.SUPPORTED, case(F1, F2, against_rival=[HEURISTIC_AGAINST])),
        (Support.WEAK, case(F1)),
        (Support.WEAK, case(F1, replace(F1, id=F2.id))),
        (Support.WEAK, case(F2, F4)),
        (Support.WEAK, case(F4)),
        (Support.WEAK, case(BOTH, F2)),
        (Support.WEAK, case(F1, F2, rival=None, against_rival=[])),
        (Support.WEAK, case(F1, F2, against_rival=[])),
        (Support.WEAK, case(F1, F2, against_rival=[PARTIAL_AGAINST])),
        (Support.WEAK, case(F1, F2, against_rival=[FOR_RIVAL])),
        (Support.WEAK, case(F1, DERIVED_AGAINST)),
        (Support.WEAK, case(F1, F4)),  # the words of a report hold those of its trace
        (Support.WEAK, case(F1, EARLIER)),
        (Support.WEAK, case(F1, F4, EARLIER)),
        (Support.WEAK, case(F1, F2, against_rival=[SAME_VOICE])),
        (Support.STRONGLY_SUPPORTED, case(F1, F2, against_rival=[SAME_VOICE, F3])),
        (Support.WEAK, case(TEXT_DIRECT, EARLIER)),
        (Support.INSUFFICIENT, case()),
        (Support.INSUFFICIENT, case(F6)),
        (Support.INSUFFICIENT, case(replace(F1, completeness=Completeness.PARTIAL))),
        (Support.INSUFFICIENT, case(DERIVED_AGAINST)),
    ],
)
def test_the_table_gives_a_case_its_level(level, asked):
    assert support.level_of(asked) is level


@pytest.mark.clause("DIA-GATE-08")
@pytest.mark.parametrize(
    "asked", [case(F1, F4), case(F1, EARLIER), case(F1, F2, against_rival=[SAME_VOICE])]
)
def test_a_context_is_held_to_the_table_it_was_frozen_with(asked):
    first, second = support.TABLES

    assert support.level_of(asked, first) is Support.STRONGLY_SUPPORTED
    assert support.level_of(asked, second) is Support.WEAK
    assert support.table_of(support.table_digest(first)) == first
    assert support.table_of("sha256:" + "0" * 64) is None


@pytest.mark.clause("DIA-GATE-08")
def test_a_claim_may_be_lower_than_the_table_and_never_higher():
    allowed = [
        [support.allows(level, claimed) for claimed in support.ORDER] for level in support.ORDER
    ]
    assert allowed == [[column <= row for column in range(4)] for row in range(4)]


# The form ------------------------------------------------------------------------------


@pytest.mark.clause("DIA-GATE-09")
def test_a_refusal_of_the_form_is_in_words_of_ours_whatever_library_reads_it():
    """It is judged again in every replay; another release of a library must not change it."""
    text = wire.decision_json(CONFIRMED)
    told = {
        "": "schema: not one JSON object and nothing else",
        "[]": "schema: reply: an object is wanted",
        "[" * 100_000: "schema: not one JSON object: it is nested too deep",
        '{"a":' * 500: "schema: not one JSON object: it is nested too deep",
        "9" * 5_000: "schema: reply: an object is wanted",
        text[:-1] + ',"status":"confirmed"}': "schema: not one JSON object: a key stands twice",
        text[:-1] + ',"z":NaN}': "schema: not one JSON object and nothing else",
        text[:-1] + ',"z":1e999}': "schema: z: nothing is called so",
        text.replace('"adequate":true', '"adequate":1'): (
            "schema: countercheck.adequate: true or false is wanted"
        ),
        text.replace("frame is it", "\\ud800"): "schema: reply: half a character",
    }
    for said, words in told.items():
        assert judge_decision(said, ground=GROUND) == Refused(words)
    assert judge_decision(text, ground=GROUND) == Admitted()


@pytest.mark.clause("DIA-GATE-09")
def test_brackets_in_words_are_no_depth():
    said = wire.decision_json(replace(CONFIRMED, final_reason=f'{"[{" * 500} \\" {"[" * 50}'))
    assert judge_decision(said, ground=GROUND) == Admitted()


@pytest.mark.clause("DIA-GATE-10")
def test_a_reply_that_could_not_be_published_is_refused_while_it_can_be_asked_again():
    text = wire.decision_json(CONFIRMED)
    fits = text + " " * (MOST_REPLY_BYTES - len(text.encode()))
    assert judge_decision(fits, ground=GROUND) == Admitted()
    assert isinstance(judge_decision(f"{fits} ", ground=GROUND), Refused)


@pytest.mark.clause("DIA-GATE-09")
def test_the_schema_that_is_sent_says_what_the_reader_holds():
    assert wire.schema().json == wire.DiagnosisOutputV1.model_json_schema()
