"""What crosses a border: a model's reply (``diagnosis-output-v1``), and what is published.

A reply is strict: nothing missing, nothing more, every type exact. What it may claim is decided
in ``gates``, not here.
"""

import json
import re
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from witmark.diagnosis.decision import (
    Countercheck,
    Diagnosis,
    Evaluation,
    FinalState,
    RootCause,
    Status,
)
from witmark.diagnosis.findings import FindingId, Support
from witmark.diagnosis.hypotheses import HypothesisId
from witmark.diagnosis.saying import MOST_CHARS, MOST_ITEMS
from witmark.kernel.canon import canonical_json
from witmark.kernel.model.request import OutputSchema

FORMAT = "diagnosis-output-v1"

MOST_DEEP = 32  # the form itself is four deep
_DEEP = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{\]}]', re.DOTALL)

Said = Annotated[str, StringConstraints(min_length=1, max_length=MOST_CHARS)]
MaybeSaid = Annotated[str, StringConstraints(max_length=MOST_CHARS)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Names = Annotated[list[Name], Field(max_length=MOST_ITEMS)]
Lines = Annotated[list[Said], Field(max_length=MOST_ITEMS)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RootCauseV1(_Strict):
    """The cause that is alleged."""

    summary: Said
    technical_description: Said
    evidence_ids: Names


class EvaluationV1(_Strict):
    """The final word on one hypothesis."""

    hypothesis_id: Name
    state: Literal["supported", "not_supported", "factually_rejected", "unresolved"]
    reason: Said
    supporting_evidence_ids: Names
    contradicting_evidence_ids: Names
    contradictions_answered: MaybeSaid
    scope_limits: Lines


class CountercheckV1(_Strict):
    """Whether an alternative was really examined."""

    adequate: bool
    alternative_hypothesis_id: Name | None
    reason: Said
    evidence_ids: Names


class DiagnosisOutputV1(_Strict):
    """The whole decision, as a model returns it and as it is published."""

    format: Literal["diagnosis-output-v1"]
    status: Literal["confirmed", "inconclusive"]
    selected_hypothesis_id: Name | None
    root_cause: RootCauseV1 | None
    confidence: Literal["insufficient", "weak", "supported", "strongly_supported"]
    hypothesis_evaluations: Annotated[list[EvaluationV1], Field(max_length=MOST_ITEMS)]
    countercheck: CountercheckV1
    intended_external_behavior: MaybeSaid
    human_assumptions: Lines
    remaining_uncertainty: Lines
    final_reason: Said
    review_actions: Lines


class NotADecisionError(ValueError):
    """A reply is not in the form of ``diagnosis-output-v1``; says where, for the next try."""


@cache
def schema() -> OutputSchema:
    """The JSON Schema that a provider is told, and that is checked here anyway.

    It is a file of ours and not made anew: it is part of every request, and another release of
    a library would spell it otherwise. A test holds that it says what the classes say.
    """
    raw = resources.files("witmark.diagnosis").joinpath("forms", f"{FORMAT}.json").read_bytes()
    return OutputSchema(FORMAT, json.loads(raw))


def read_decision(text: str) -> Diagnosis:
    """Read a reply.

    What is said of a refusal is in words of ours: it is judged again in every replay, and
    the words of a library, or how deep it can read, may be others then.

    Raises:
        NotADecisionError: it is not JSON, doubles a key, or does not keep the schema.
    """
    if _depth(text) > MOST_DEEP:
        raise NotADecisionError("not one JSON object: it is nested too deep")
    try:
        found = DiagnosisOutputV1.model_validate_json(json.dumps(_plain(text)))
    except ValidationError as error:
        told = [_told(one) for one in error.errors(include_url=False, include_input=False)]
        raise NotADecisionError("; ".join(sorted(set(told))[:5])) from error
    return _decision_of(found)


def _plain(text: str) -> object:
    try:
        return json.loads(
            text,
            object_pairs_hook=_each_key_once,
            parse_constant=_no_constant,
            parse_int=_no_number,
            parse_float=_no_number,
        )
    except _TwiceError as error:
        raise NotADecisionError("not one JSON object: a key stands twice") from error
    except ValueError as error:
        raise NotADecisionError("not one JSON object and nothing else") from error


def _told(error: Any) -> str:  # noqa: ANN401 - pydantic's own mapping
    place = ".".join(str(part) for part in error["loc"])
    place = place if len(place) <= _PLACE_CHARS else f"{place[:_PLACE_CHARS]}…"
    return f"{place or 'reply'}: {_WORDS.get(error['type'], 'not in the form')}"


_PLACE_CHARS = 200
_WORDS = {
    "bool_type": "true or false is wanted",
    "extra_forbidden": "nothing is called so",
    "json_invalid": "half a character",
    "list_type": "a list is wanted",
    "literal_error": "none of the words of the form",
    "missing": "it is missing",
    "model_type": "an object is wanted",
    "string_too_long": "too long",
    "string_too_short": "empty",
    "string_type": "a text is wanted",
    "too_long": "too many",
}


def _depth(text: str) -> int:
    """How deep brackets are nested outside strings, at the deepest, or no less than that."""
    if (most := text.count("[") + text.count("{")) <= MOST_DEEP:
        return most  # a decision of the usual size: no need to tell its strings apart
    depth = deepest = 0
    for hit in _DEEP.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(hit[0], 0)
        deepest = max(deepest, depth)
    return deepest


def decision_plain(diagnosis: Diagnosis) -> dict[str, Any]:
    """The decision as plain data, in the words of the schema."""
    cause, check = diagnosis.root_cause, diagnosis.countercheck
    return {
        "confidence": diagnosis.confidence.value,
        "countercheck": {
            "adequate": check.is_adequate,
            "alternative_hypothesis_id": check.alternative_id,
            "evidence_ids": list(check.evidence_ids),
            "reason": check.reason,
        },
        "final_reason": diagnosis.final_reason,
        "format": FORMAT,
        "human_assumptions": list(diagnosis.human_assumptions),
        "hypothesis_evaluations": [_evaluation_plain(one) for one in diagnosis.evaluations],
        "intended_external_behavior": diagnosis.intended_external_behaviour,
        "remaining_uncertainty": list(diagnosis.remaining_uncertainty),
        "review_actions": list(diagnosis.review_actions),
        "root_cause": None
        if cause is None
        else {
            "evidence_ids": list(cause.evidence_ids),
            "summary": cause.summary,
            "technical_description": cause.technical_description,
        },
        "selected_hypothesis_id": diagnosis.selected_hypothesis_id,
        "status": diagnosis.status.value,
    }


def decision_json(diagnosis: Diagnosis) -> str:
    """The decision as the text that a provider would return."""
    return canonical_json(decision_plain(diagnosis)).decode()


def _evaluation_plain(one: Evaluation) -> dict[str, Any]:
    return {
        "contradicting_evidence_ids": list(one.contradicting_evidence_ids),
        "contradictions_answered": one.contradictions_answered,
        "hypothesis_id": one.hypothesis_id,
        "reason": one.reason,
        "scope_limits": list(one.scope_limits),
        "state": one.state.value,
        "supporting_evidence_ids": list(one.supporting_evidence_ids),
    }


def _decision_of(found: DiagnosisOutputV1) -> Diagnosis:
    cause, check = found.root_cause, found.countercheck
    return Diagnosis(
        Status(found.status),
        _maybe_hypothesis(found.selected_hypothesis_id),
        None
        if cause is None
        else RootCause(cause.summary, cause.technical_description, _ids(cause.evidence_ids)),
        Support(found.confidence),
        tuple(_evaluation_of(one) for one in found.hypothesis_evaluations),
        Countercheck(
            check.adequate,
            _maybe_hypothesis(check.alternative_hypothesis_id),
            check.reason,
            _ids(check.evidence_ids),
        ),
        found.intended_external_behavior,
        tuple(found.human_assumptions),
        tuple(found.remaining_uncertainty),
        found.final_reason,
        tuple(found.review_actions),
    )


def _evaluation_of(found: EvaluationV1) -> Evaluation:
    return Evaluation(
        HypothesisId(found.hypothesis_id),
        FinalState(found.state),
        found.reason,
        _ids(found.supporting_evidence_ids),
        _ids(found.contradicting_evidence_ids),
        found.contradictions_answered,
        tuple(found.scope_limits),
    )


def _ids(names: list[str]) -> tuple[FindingId, ...]:
    return tuple(FindingId(name) for name in names)


def _maybe_hypothesis(name: str | None) -> HypothesisId | None:
    return None if name is None else HypothesisId(name)


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(found := dict(pairs)) != len(pairs):
        raise _TwiceError
    return found


class _TwiceError(ValueError):
    """A key stands twice."""


def _no_number(_: str) -> int:
    return 0  # the form has none, so whichever it is, it is refused; and none is too large


def _no_constant(text: str) -> object:
    raise ValueError(f"{text} is not JSON")
