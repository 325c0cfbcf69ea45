"""The diagnosis itself (``diagnosis-output-v1``): confirmed with its reasons, or inconclusive.

The words of the levels are the contract's. What a field may hold is checked in ``wire``; what
it may claim is decided in ``gates``.
"""

from dataclasses import dataclass
from enum import StrEnum

from witmark.diagnosis.findings import FindingId, Support
from witmark.diagnosis.hypotheses import HypothesisId


class Status(StrEnum):
    """What a diagnosis comes to."""

    CONFIRMED = "confirmed"
    INCONCLUSIVE = "inconclusive"


class FinalState(StrEnum):
    """How a hypothesis stands in the final evaluation."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"
    FACTUALLY_REJECTED = "factually_rejected"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True)
class RootCause:
    """What is said to be the cause, and the stored findings it rests on."""

    summary: str
    technical_description: str
    evidence_ids: tuple[FindingId, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The final word on one hypothesis; exactly one per hypothesis.

    Attributes:
        hypothesis_id: Which.
        state: How it stands.
        reason: Why.
        supporting_evidence_ids: Findings for it.
        contradicting_evidence_ids: Findings against it; Decision v2 wants them answered.
        contradictions_answered: How each contradiction is reconciled with the state.
        scope_limits: What was not looked at and could change the state (Decision v2).
    """

    hypothesis_id: HypothesisId
    state: FinalState
    reason: str
    supporting_evidence_ids: tuple[FindingId, ...]
    contradicting_evidence_ids: tuple[FindingId, ...]
    contradictions_answered: str
    scope_limits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Countercheck:
    """Whether an alternative was really examined, and on what.

    Attributes:
        is_adequate: Whether at least one alternative was.
        alternative_id: Which one; ``None`` only in an inconclusive diagnosis.
        reason: Why it does not hold, or why that cannot be said.
        evidence_ids: The findings that tell the two apart.
    """

    is_adequate: bool
    alternative_id: HypothesisId | None
    reason: str
    evidence_ids: tuple[FindingId, ...]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is published, by whomever it was proposed, once every gate holds."""

    status: Status
    selected_hypothesis_id: HypothesisId | None
    root_cause: RootCause | None
    confidence: Support
    evaluations: tuple[Evaluation, ...]
    countercheck: Countercheck
    intended_external_behaviour: str
    human_assumptions: tuple[str, ...]
    remaining_uncertainty: tuple[str, ...]
    final_reason: str
    review_actions: tuple[str, ...]
