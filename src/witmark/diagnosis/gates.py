"""Deterministic checks between a decision and its publication.

They hold provenance and structure: that everything cited is stored, that each hypothesis has
exactly one ending, that an alternative was examined on findings that are really there. They
cannot hold that the inference is right; the summary says so.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from witmark.diagnosis import support
from witmark.diagnosis.decision import Diagnosis, Evaluation, FinalState, Status
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingId,
    FindingKind,
    Support,
)
from witmark.diagnosis.hypotheses import EndState, HypothesisId
from witmark.diagnosis.saying import is_safe
from witmark.kernel.gate import Check, GateReport, Outcome

REASON_CHARS = 20  # fewer say nothing that a person can check


@dataclass(frozen=True, slots=True)
class Ground:
    """What a decision is held to: the stored findings and how the investigation ended.

    Attributes:
        findings: Every stored finding of this revision, by id.
        ends: How the investigation left each hypothesis.
        partial: What was not looked at.
        assumptions: What people assume, as the interpretation has it.
        table: The version of the table of support levels that it was frozen with.
    """

    findings: Mapping[FindingId, Finding]
    ends: Mapping[HypothesisId, EndState]
    partial: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    table: str = support.TABLE_VERSION

    def get(self, ids: Iterable[FindingId]) -> tuple[Finding, ...]:
        """The findings of some ids; those that are not stored are missing."""
        return tuple(self.findings[one] for one in ids if one in self.findings)


Gate = Callable[[Diagnosis, Ground], str]
"""Says what is wrong, in words that the next attempt can act on; nothing if it holds."""


def check(diagnosis: Diagnosis, ground: Ground) -> GateReport:
    """Ask every gate; the report admits the decision or says what stands in its way."""
    return GateReport(tuple(_checked(name, gate, diagnosis, ground) for name, gate in GATES))


def _checked(name: str, gate: Gate, diagnosis: Diagnosis, ground: Ground) -> Check:
    because = gate(diagnosis, ground)
    return Check(name, Outcome.FAILS if because else Outcome.HOLDS, because)


# Every decision ---------------------------------------------------------------------


def _hypotheses_known(diagnosis: Diagnosis, ground: Ground) -> str:
    named = {one.hypothesis_id for one in diagnosis.evaluations}
    named |= {one for one in (diagnosis.selected_hypothesis_id,) if one is not None}
    named |= {one for one in (diagnosis.countercheck.alternative_id,) if one is not None}
    if strays := sorted(named - set(ground.ends)):
        return f"unknown hypothesis {_listed(strays)}; there are {_listed(sorted(ground.ends))}"
    return ""


def _hypotheses_once(diagnosis: Diagnosis, ground: Ground) -> str:
    times = Counter(one.hypothesis_id for one in diagnosis.evaluations)
    if doubled := sorted(name for name, count in times.items() if count > 1):
        return f"{_listed(doubled)} is evaluated more than once"
    if missing := sorted(set(ground.ends) - set(times)):
        return f"{_listed(missing)} is not evaluated; each hypothesis is, exactly once"
    return ""


def _evidence_known(diagnosis: Diagnosis, ground: Ground) -> str:
    strays = sorted(set(_cited(diagnosis)) - set(ground.findings))
    return f"no stored finding is called {_listed(strays)}" if strays else ""


def _evidence_once(diagnosis: Diagnosis, _: Ground) -> str:
    for ids, where in _citations(diagnosis):
        if len(set(ids)) != len(ids):
            return f"{where} cites a finding twice"
    for one in diagnosis.evaluations:
        if both := set(one.supporting_evidence_ids) & set(one.contradicting_evidence_ids):
            return f"{one.hypothesis_id} cites {_listed(sorted(both))} for and against it"
    return ""


def _states_supported(diagnosis: Diagnosis, _: Ground) -> str:
    for one in diagnosis.evaluations:
        if one.state is FinalState.SUPPORTED and not one.supporting_evidence_ids:
            return f"{one.hypothesis_id} is supported, but no finding is cited for it"
        if one.state is FinalState.FACTUALLY_REJECTED and not one.contradicting_evidence_ids:
            return f"{one.hypothesis_id} is rejected, but no finding is cited against it"
    return ""


def _nothing_is_no_proof(diagnosis: Diagnosis, ground: Ground) -> str:
    for finding in ground.get(sorted(set(_cited(diagnosis)))):
        if finding.completeness is Completeness.EMPTY:
            return f"{finding.id} found nothing to look at; that is evidence of nothing"
    for one in diagnosis.evaluations:
        if one.state is not FinalState.FACTUALLY_REJECTED:
            continue
        against = ground.get(one.contradicting_evidence_ids)
        if against and all(f.completeness is not Completeness.COMPLETE for f in against):
            return f"{one.hypothesis_id} is rejected by looks that were not complete"
    return ""


def _contradictions_answered(diagnosis: Diagnosis, ground: Ground) -> str:
    for one in diagnosis.evaluations:
        if one.state is not FinalState.SUPPORTED:
            continue
        left_out = [
            finding.id
            for finding in ground.findings.values()
            if finding.bears_on.get(one.hypothesis_id) is Direction.AGAINST
            and finding.kind is FindingKind.DIRECT
            and finding.id not in one.contradicting_evidence_ids
        ]
        if left_out:
            return f"{one.hypothesis_id} leaves out {_listed(sorted(left_out))} against it"
        is_answered = len(one.contradictions_answered.strip()) >= REASON_CHARS
        if one.contradicting_evidence_ids and not is_answered:
            return f"{one.hypothesis_id} does not answer what speaks against it"
    return ""


def _limits_said(diagnosis: Diagnosis, ground: Ground) -> str:
    for one in diagnosis.evaluations:
        if one.state is FinalState.UNRESOLVED and not one.scope_limits:
            return f"{one.hypothesis_id} is unresolved; say in scope_limits what would decide"
    if ground.partial and not diagnosis.remaining_uncertainty:
        return "something was not looked at; say in remaining_uncertainty what that leaves open"
    return ""


def _people_apart(diagnosis: Diagnosis, ground: Ground) -> str:
    if ground.assumptions and not diagnosis.human_assumptions:
        return "the case holds assumptions of people; list them in human_assumptions"
    return ""


def _safe_text(diagnosis: Diagnosis, _: Ground) -> str:
    for text in _texts(diagnosis):
        if not is_safe(text):
            return "a text holds characters that hide or turn the direction of writing"
        if not text.strip():
            return "a text is blank"
    return ""


# A confirmed one ---------------------------------------------------------------------


def _confirmed_confidence(diagnosis: Diagnosis, _: Ground) -> str:
    if not _is_confirmed(diagnosis):
        return ""
    if diagnosis.confidence in {Support.SUPPORTED, Support.STRONGLY_SUPPORTED}:
        return ""
    return "confirmed needs the confidence supported or strongly_supported"


def _confirmed_selected(diagnosis: Diagnosis, ground: Ground) -> str:
    if not _is_confirmed(diagnosis):
        return ""
    selected = _selected(diagnosis)
    if selected is None:
        return "confirmed needs a selected hypothesis that is evaluated"
    if selected.state is not FinalState.SUPPORTED:
        return f"{selected.hypothesis_id} is selected, but evaluated as {selected.state.value}"
    if ground.ends.get(selected.hypothesis_id) is EndState.REJECTED:
        return f"{selected.hypothesis_id} was factually rejected by the investigation"
    return ""


def _confirmed_cause(diagnosis: Diagnosis, _: Ground) -> str:
    if not _is_confirmed(diagnosis):
        return ""
    if diagnosis.root_cause is None:
        return "confirmed needs a root cause"
    cited = set(diagnosis.root_cause.evidence_ids)
    if not cited:
        return "the root cause cites no stored finding"
    selected = _selected(diagnosis)
    own = set(selected.supporting_evidence_ids) if selected else set()
    if strays := sorted(cited - own):
        return f"the evaluation of the selected hypothesis does not cite {_listed(strays)}"
    return ""


def _confirmed_countercheck(diagnosis: Diagnosis, ground: Ground) -> str:
    return (
        next(_against_countercheck(diagnosis, ground), "") if _is_confirmed(diagnosis) else ""
    )


def _against_countercheck(diagnosis: Diagnosis, ground: Ground) -> Iterator[str]:
    found = diagnosis.countercheck
    alternative = _evaluation(diagnosis, found.alternative_id)
    if not found.is_adequate or alternative is None:
        yield "confirmed needs an alternative that was counterchecked"
        return
    if alternative.hypothesis_id == diagnosis.selected_hypothesis_id:
        yield "the alternative is the selected hypothesis itself"
    if alternative.state is FinalState.SUPPORTED:
        yield f"the alternative {alternative.hypothesis_id} is supported as well"
    if len(found.reason.strip()) < REASON_CHARS:
        yield "the countercheck gives no reason"
    if not found.evidence_ids:
        yield "the countercheck cites no stored finding"
    shared = set(alternative.contradicting_evidence_ids) & set(found.evidence_ids)
    if not shared:
        yield "the alternative's evaluation does not cite what the countercheck cites"
    if all(f.completeness is not Completeness.COMPLETE for f in ground.get(sorted(shared))):
        yield "the countercheck rests on looks that were not complete"


def _confirmed_not_by_rank(diagnosis: Diagnosis, ground: Ground) -> str:
    if not _is_confirmed(diagnosis) or diagnosis.root_cause is None:
        return ""
    cited = ground.get(diagnosis.root_cause.evidence_ids)
    if cited and all(one.kind is FindingKind.HEURISTIC for one in cited):
        return "the root cause rests on ranks and likenesses alone"
    return ""


def _confirmed_level(diagnosis: Diagnosis, ground: Ground) -> str:
    selected = _selected(diagnosis)
    if not _is_confirmed(diagnosis) or selected is None:
        return ""
    level = support.level_of(case_of(diagnosis, selected, ground), ground.table)
    if support.allows(level, diagnosis.confidence):
        return ""
    return (
        f"the findings cited allow {level.value} at most ({ground.table}), "
        f"not {diagnosis.confidence.value}"
    )


def case_of(diagnosis: Diagnosis, selected: Evaluation, ground: Ground) -> support.Case:
    """What the support table is asked about a selected hypothesis."""
    alternative = _evaluation(diagnosis, diagnosis.countercheck.alternative_id)
    rival = None if alternative is None else alternative.hypothesis_id
    against = () if alternative is None else alternative.contradicting_evidence_ids
    return support.Case(
        selected.hypothesis_id,
        ground.get(selected.supporting_evidence_ids),
        ground.get(selected.contradicting_evidence_ids),
        rival,
        ground.get(against),
    )


# An inconclusive one -----------------------------------------------------------------


def _inconclusive_alleges_nothing(diagnosis: Diagnosis, _: Ground) -> str:
    if _is_confirmed(diagnosis):
        return ""
    if diagnosis.selected_hypothesis_id is not None or diagnosis.root_cause is not None:
        return "inconclusive selects no hypothesis and alleges no root cause; both are null"
    if diagnosis.confidence not in {Support.INSUFFICIENT, Support.WEAK}:
        return "inconclusive has the confidence insufficient or weak"
    return ""


def _inconclusive_hands_over(diagnosis: Diagnosis, _: Ground) -> str:
    if _is_confirmed(diagnosis):
        return ""
    if not any(len(one.strip()) >= REASON_CHARS for one in diagnosis.review_actions):
        return "inconclusive needs a review action that a person can carry out"
    return ""


GATES: tuple[tuple[str, Gate], ...] = (
    ("hypotheses-known", _hypotheses_known),
    ("hypotheses-once", _hypotheses_once),
    ("evidence-known", _evidence_known),
    ("evidence-once", _evidence_once),
    ("states-supported", _states_supported),
    ("nothing-is-no-proof", _nothing_is_no_proof),
    ("contradictions-answered", _contradictions_answered),
    ("limits-said", _limits_said),
    ("people-apart", _people_apart),
    ("safe-text", _safe_text),
    ("confirmed-confidence", _confirmed_confidence),
    ("confirmed-selected", _confirmed_selected),
    ("confirmed-cause", _confirmed_cause),
    ("confirmed-countercheck", _confirmed_countercheck),
    ("confirmed-not-by-rank", _confirmed_not_by_rank),
    ("confirmed-level", _confirmed_level),
    ("inconclusive-alleges-nothing", _inconclusive_alleges_nothing),
    ("inconclusive-hands-over", _inconclusive_hands_over),
)


# Helpers -----------------------------------------------------------------------------


def feedback(report: GateReport) -> str:
    """What the next attempt is told: every objection, by name."""
    return "; ".join(f"{one.name}: {one.because}" for one in report.objections)


def _is_confirmed(diagnosis: Diagnosis) -> bool:
    return diagnosis.status is Status.CONFIRMED


def _selected(diagnosis: Diagnosis) -> Evaluation | None:
    return _evaluation(diagnosis, diagnosis.selected_hypothesis_id)


def _evaluation(diagnosis: Diagnosis, name: HypothesisId | None) -> Evaluation | None:
    return next((one for one in diagnosis.evaluations if one.hypothesis_id == name), None)


def _citations(diagnosis: Diagnosis) -> Iterator[tuple[tuple[FindingId, ...], str]]:
    if diagnosis.root_cause is not None:
        yield diagnosis.root_cause.evidence_ids, "the root cause"
    yield diagnosis.countercheck.evidence_ids, "the countercheck"
    for one in diagnosis.evaluations:
        yield one.supporting_evidence_ids, one.hypothesis_id
        yield one.contradicting_evidence_ids, one.hypothesis_id


def _cited(diagnosis: Diagnosis) -> Iterator[FindingId]:
    for ids, _ in _citations(diagnosis):
        yield from ids


def _texts(diagnosis: Diagnosis) -> Iterator[str]:
    """Every text that has to say something."""
    if diagnosis.root_cause is not None:
        yield diagnosis.root_cause.summary
        yield diagnosis.root_cause.technical_description
    yield diagnosis.countercheck.reason
    for one in diagnosis.evaluations:
        yield one.reason
        yield from one.scope_limits
        yield one.contradictions_answered or "-"
    yield from diagnosis.human_assumptions
    yield from diagnosis.remaining_uncertainty
    yield from diagnosis.review_actions
    yield diagnosis.final_reason
    yield diagnosis.intended_external_behaviour or "-"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(str(name)) for name in list(names)[:5])
