"""The promises of the source contract about decisions, contexts and limits, one by one."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

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
    INTERPRETED,
    INVESTIGATED,
    investigated_package,
)

import witmark.diagnosis
from witmark.diagnosis import gates, wire
from witmark.diagnosis.config import ConfigError, DiagnosisConfig, DiagnosisLimits
from witmark.diagnosis.context import freeze
from witmark.diagnosis.decision import FinalState
from witmark.diagnosis.findings import FindingId, Support
from witmark.diagnosis.hypotheses import EndState, HypothesisId
from witmark.diagnosis.plain import from_plain, to_plain

ROOT = Path(__file__).resolve().parent.parent.parent
GROUND = gates.Ground(
    {one.id: one for one in FINDINGS},
    {end.hypothesis.id: end.state for end in ENDS},
    INVESTIGATED.not_looked_at,
    tuple(one.text for one in INTERPRETED.assumptions),
)


def objections(diagnosis, ground=GROUND):
    return {one.name for one in gates.check(diagnosis, ground).objections}


def evaluated(diagnosis, name, **changes):
    """The same decision with one evaluation changed."""
    return replace(
        diagnosis,
        evaluations=tuple(
            replace(one, **changes) if one.hypothesis_id == name else one
            for one in diagnosis.evaluations
        ),
    )


def test_the_samples_pass_every_gate():
    assert objections(CONFIRMED) == set()
    assert objections(INCONCLUSIVE) == set()
    assert len(gates.check(CONFIRMED, GROUND).checks) == len(gates.GATES)


@pytest.mark.clause("DIA-SEED-06")
def test_the_contracts_names_are_importable_from_the_desk():
    assert witmark.diagnosis.DiagnosisBuilder.__name__ == "DiagnosisBuilder"
    assert witmark.diagnosis.DiagnosisConfig is DiagnosisConfig
    with pytest.raises(AttributeError):
        _ = witmark.diagnosis.Nothing


@pytest.mark.clause("DIA-SEED-05")
def test_the_page_on_the_phases_changes_only_on_purpose():
    raw = (ROOT / "docs" / "architecture.md").read_bytes()
    pinned = (ROOT / "tests" / "golden" / "architecture.sha256").read_text("utf-8").split()[0]
    assert hashlib.sha256(raw).hexdigest() == pinned
    for phase in ("assembly", "interpretation", "hypotheses", "investigation", "4A", "4B"):
        assert phase in raw.decode()


@pytest.mark.clause("DIA-SEED-17")
def test_a_decision_is_read_back_as_it_was_written_and_nothing_else_is_read():
    for diagnosis in (CONFIRMED, INCONCLUSIVE):
        assert wire.read_decision(wire.decision_json(diagnosis)) == diagnosis
    plain = wire.decision_plain(CONFIRMED)
    for name in plain:
        less = {key: value for key, value in plain.items() if key != name}
        with pytest.raises(wire.NotADecisionError, match=name):
            wire.read_decision(json.dumps(less))
    for text in (
        json.dumps({**plain, "more": 1}),
        json.dumps({**plain, "status": "sure"}),
        json.dumps({**plain, "countercheck": {**plain["countercheck"], "adequate": 1}}),
        json.dumps(plain)[:-1],
        json.dumps(plain).replace('"status"', '"status": "confirmed", "status"', 1),
        "",
        "[]",
        "NaN",
    ):
        with pytest.raises(wire.NotADecisionError):
            wire.read_decision(text)


@pytest.mark.clause("DIA-SEED-18")
@pytest.mark.parametrize("level", [Support.INSUFFICIENT, Support.WEAK])
def test_confirmed_needs_a_supported_confidence(level):
    assert "confirmed-confidence" in objections(replace(CONFIRMED, confidence=level))
    assert objections(replace(CONFIRMED, confidence=Support.SUPPORTED)) == set()


@pytest.mark.clause("DIA-SEED-19")
def test_confirmed_needs_a_selected_hypothesis_that_stands():
    assert "confirmed-selected" in objections(replace(CONFIRMED, selected_hypothesis_id=None))
    weak = evaluated(CONFIRMED, H1, state=FinalState.NOT_SUPPORTED)
    assert "confirmed-selected" in objections(weak)
    rejected = replace(GROUND, ends={**GROUND.ends, H1: EndState.REJECTED})
    assert "confirmed-selected" in objections(CONFIRMED, rejected)


@pytest.mark.clause("DIA-SEED-20")
def test_the_root_cause_cites_stored_findings_that_its_hypothesis_cites_too():
    cause = CONFIRMED.root_cause
    for ids in ((), (F3.id,), (F1.id, FindingId("F-9999"))):
        changed = replace(CONFIRMED, root_cause=replace(cause, evidence_ids=ids))
        assert "confirmed-cause" in objections(changed)
    assert "confirmed-cause" in objections(replace(CONFIRMED, root_cause=None))


@pytest.mark.clause("DIA-SEED-21")
@pytest.mark.parametrize(
    "changes",
    [
        {"is_adequate": False},
        {"alternative_id": None},
        {"alternative_id": H1},
        {"reason": "no"},
        {"evidence_ids": ()},
        {"evidence_ids": (F7.id,)},
        {"alternative_id": H3},
    ],
)
def test_an_alternative_is_examined_on_findings_that_its_evaluation_cites(changes):
    changed = replace(CONFIRMED, countercheck=replace(CONFIRMED.countercheck, **changes))
    assert "confirmed-countercheck" in objections(changed)


@pytest.mark.clause("DIA-SEED-22")
def test_any_hypothesis_may_cite_any_finding():
    other = evaluated(CONFIRMED, H2, contradicting_evidence_ids=(F3.id, F7.id))
    assert objections(other) == set()
    both = evaluated(CONFIRMED, H3, supporting_evidence_ids=(F1.id,))
    assert objections(both) == set()


@pytest.mark.clause("DIA-SEED-23")
def test_a_contradiction_that_is_left_out_or_not_answered_is_refused():
    against = replace(F7, id=FindingId("F-0008"), bears_on={H1: gates.Direction.AGAINST})
    ground = replace(GROUND, findings={**GROUND.findings, against.id: against})
    assert "contradictions-answered" in objections(CONFIRMED, ground)
    cited = evaluated(CONFIRMED, H1, contradicting_evidence_ids=(against.id,))
    assert "contradictions-answered" in objections(cited, ground)
    answered = evaluated(
        cited, H1, contradictions_answered="it concerns another call than the failing one"
    )
    supported = replace(answered, confidence=Support.SUPPORTED)
    assert objections(supported, ground) == set()
    silent = evaluated(CONFIRMED, H3, scope_limits=())
    assert "limits-said" in objections(silent)
    assert "limits-said" in objections(replace(CONFIRMED, remaining_uncertainty=()))
    text = gates.feedback(gates.check(silent, GROUND))
    assert text.startswith("limits-said: ")
    assert "H3" in text


@pytest.mark.clause("DIA-SEED-24")
def test_every_hypothesis_is_evaluated_exactly_once():
    missing = replace(CONFIRMED, evaluations=CONFIRMED.evaluations[:2])
    doubled = replace(CONFIRMED, evaluations=(*CONFIRMED.evaluations, CONFIRMED.evaluations[0]))
    unknown = evaluated(CONFIRMED, H3, hypothesis_id=HypothesisId("H4"))
    assert "hypotheses-once" in objections(missing)
    assert "hypotheses-once" in objections(doubled)
    assert {"hypotheses-known", "hypotheses-once"} <= objections(unknown)


@pytest.mark.clause("DIA-SEED-25")
@pytest.mark.parametrize("name", ["F-9999", "F-0001 ", "f-0001", "F-000１", "F-0001\u200b", ""])
def test_an_invented_or_look_alike_reference_is_refused(name):
    changed = evaluated(CONFIRMED, H3, supporting_evidence_ids=(FindingId(name),))
    assert "evidence-known" in objections(changed)


@pytest.mark.clause("DIA-SEED-25")
def test_a_state_without_a_reference_is_refused():
    for name, field in ((H1, "supporting_evidence_ids"), (H2, "contradicting_evidence_ids")):
        assert "states-supported" in objections(evaluated(CONFIRMED, name, **{field: ()}))
    twice = evaluated(CONFIRMED, H2, contradicting_evidence_ids=(F3.id, F3.id))
    both = evaluated(CONFIRMED, H2, supporting_evidence_ids=(F3.id,))
    assert "evidence-once" in objections(twice)
    assert "evidence-once" in objections(both)


@pytest.mark.clause("DIA-SEED-26")
def test_the_loops_confidence_and_marker_authorise_nothing():
    weak = (
        replace(F1, kind=gates.FindingKind.HEURISTIC),
        replace(F2, kind=gates.FindingKind.HEURISTIC),
    )
    ground = replace(GROUND, findings={**GROUND.findings, F1.id: weak[0], F2.id: weak[1]})
    assert max(end.loop_confidence for end in ENDS) == 0.9
    assert ENDS[0].was_counterchecked
    assert {"confirmed-not-by-rank", "confirmed-level"} <= objections(CONFIRMED, ground)


@pytest.mark.clause("DIA-SEED-27")
def test_partial_and_empty_looks_prove_no_absence():
    partial = evaluated(
        CONFIRMED,
        H3,
        state=FinalState.FACTUALLY_REJECTED,
        contradicting_evidence_ids=(F5.id,),
        scope_limits=(),
    )
    assert "nothing-is-no-proof" in objections(partial)
    empty = evaluated(CONFIRMED, H3, supporting_evidence_ids=(F6.id,))
    assert "nothing-is-no-proof" in objections(empty)
    check = replace(CONFIRMED.countercheck, alternative_id=H3, evidence_ids=(F5.id,))
    assert "confirmed-countercheck" in objections(replace(partial, countercheck=check))


@pytest.mark.clause("DIA-SEED-29")
def test_what_people_assume_is_listed_apart():
    assert "people-apart" in objections(replace(CONFIRMED, human_assumptions=()))
    assert objections(replace(CONFIRMED, human_assumptions=("another",))) == set()


@pytest.mark.clause("DIA-SEED-28")
def test_what_is_meant_to_be_so_has_a_place_of_its_own():
    said = replace(CONFIRMED, intended_external_behaviour="an empty name is refused by design")
    assert objections(said) == set()
    plain = wire.decision_plain(said)
    assert plain["intended_external_behavior"] == "an empty name is refused by design"
    assert plain["root_cause"] == wire.decision_plain(CONFIRMED)["root_cause"]


@pytest.mark.clause("DIA-SEED-33", "DIA-SEED-34")
def test_inconclusive_alleges_nothing_and_hands_over():
    for changes in (
        {"selected_hypothesis_id": H1},
        {"root_cause": CONFIRMED.root_cause},
        {"confidence": Support.SUPPORTED},
    ):
        assert "inconclusive-alleges-nothing" in objections(replace(INCONCLUSIVE, **changes))
    for actions in ((), ("look",)):
        assert "inconclusive-hands-over" in objections(
            replace(INCONCLUSIVE, review_actions=actions)
        )


def test_a_text_that_turns_the_page_is_refused():
    for text in ("\u202eevil", "a\u200bb", "bell\x07", "   "):
        assert "safe-text" in objections(replace(CONFIRMED, final_reason=text))
    assert objections(replace(CONFIRMED, final_reason="a reason, 一个理由")) == set()


def test_a_claim_above_the_table_is_refused():
    alone = evaluated(CONFIRMED, H1, supporting_evidence_ids=(F1.id,))
    alone = replace(alone, root_cause=replace(alone.root_cause, evidence_ids=(F1.id,)))
    assert objections(alone) == {"confirmed-level"}
    by_words = evaluated(CONFIRMED, H1, supporting_evidence_ids=(F4.id,))
    by_words = replace(by_words, root_cause=replace(by_words.root_cause, evidence_ids=(F4.id,)))
    assert {"confirmed-level", "confirmed-not-by-rank"} <= objections(by_words)


# The context -------------------------------------------------------------------------


def frozen():
    package = investigated_package()
    manifest = package.manifest()
    inventory = package.inventory(manifest)
    return freeze(manifest, inventory, INTERPRETED, INVESTIGATED, max_bytes=10**6)


@pytest.mark.clause("DIA-SEED-11", "DIA-SEED-12", "DIA-SEED-13", "DIA-SEED-14", "DIA-SEED-15")
def test_the_context_holds_everything_a_decision_may_rest_on():
    plain = frozen().plain
    assert [one["path"] for one in plain["case"]["inputs"]] == [
        "inputs/logs/run.log",
        "inputs/report.md",
        "inputs/source/pkg/load.py",
    ]
    assert plain["interpretation"] == to_plain(INTERPRETED)
    assert plain["hypotheses"] == to_plain(ENDS)
    assert plain["accounts"] == to_plain(INVESTIGATED.accounts)
    found = from_plain(tuple[type(F1), ...], plain["findings"], place="context")
    assert found == FINDINGS
    assert all(quote.text for one in found for quote in one.quotes)
    assert frozen().raw == frozen().raw


@pytest.mark.clause("DIA-SEED-15")
def test_a_secret_is_replaced_and_every_replacement_is_listed():
    secret = "ghp_" + "a1B2" * 10
    said = replace(INTERPRETED, title=f"token {secret} leaks")
    package = investigated_package()
    manifest = package.manifest()
    found = freeze(manifest, package.inventory(manifest), said, INVESTIGATED, max_bytes=10**6)
    assert secret not in found.raw.decode()
    assert found.plain["interpretation"]["title"] == "token [redacted github-token 1] leaks"
    [listed] = found.plain["redactions"]
    assert (listed["kind"], listed["times"]) == ("github-token", 1)


# The limits --------------------------------------------------------------------------


@pytest.mark.clause("DIA-SEED-68", "DIA-SEED-71")
def test_the_example_loads_and_holds_the_defaults():
    found = DiagnosisConfig.load(ROOT / "config" / "diagnosis.example.toml")
    assert found.limits == DiagnosisLimits(2 * 1024 * 1024, 4 * 1024 * 1024)
    assert found.max_invalid_responses == 3


@pytest.mark.clause("DIA-SEED-68")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[diagnosis]\nmax_invalid_response = 2", "diagnosis.max_invalid_response"),
        ("[diagnosis]\nmax_invalid_responses = 0", "diagnosis.max_invalid_responses"),
        ("[diagnosis]\nmax_invalid_responses = true", "diagnosis.max_invalid_responses"),
        ("[diagnosis.limits]\nmax_context_bytes = '2M'", "diagnosis.limits.max_context_bytes"),
        ("diagnosis = 1", "diagnosis"),
        ("max_invalid_responses = 5", "max_invalid_responses"),
        ("[diagnosi]\nmax_invalid_responses = 5", "diagnosi"),
        ("[", "no TOML"),
    ],
)
def test_a_wrong_configuration_is_refused_with_its_place(tmp_path, text, place):
    file = tmp_path / "d.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=r"d\.toml") as caught:
        DiagnosisConfig.load(file)
    assert place in str(caught.value)
    with pytest.raises(ConfigError):
        DiagnosisConfig.load(tmp_path / "none.toml")


@pytest.mark.clause("DIA-SEED-69")
def test_limits_that_promise_more_than_others_let_through_are_refused():
    config = DiagnosisConfig(limits=DiagnosisLimits(2000, 4000))
    config.check(max_request_bytes=2000, max_file_bytes=4000)
    with pytest.raises(ConfigError, match="max_context_bytes"):
        config.check(max_request_bytes=1999, max_file_bytes=4000)
    with pytest.raises(ConfigError, match="max_artifact_bytes"):
        config.check(max_request_bytes=2000, max_file_bytes=3999)
