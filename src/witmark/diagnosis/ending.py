"""The ending when every decision was invalid: inconclusive, and no cause is alleged."""

from witmark.diagnosis.context import Frozen
from witmark.diagnosis.decision import (
    Countercheck,
    Diagnosis,
    Evaluation,
    FinalState,
    Status,
)
from witmark.diagnosis.findings import Support
from witmark.diagnosis.hypotheses import HypothesisId
from witmark.diagnosis.saying import said_plainly

REASON = "final validation failed: none of the decisions that were proposed kept every gate"


def inconclusive_ending(frozen: Frozen, invalid: int) -> Diagnosis:
    """Write the deterministic report; it follows from the context and the count alone."""
    ends = frozen.plain["hypotheses"]
    evaluations = tuple(
        Evaluation(
            HypothesisId(end["hypothesis"]["id"]),
            FinalState.UNRESOLVED,
            "no valid decision evaluated this hypothesis",
            (),
            (),
            "",
            tuple(end["open_questions"]) or ("every question about it is open",),
        )
        for end in ends
    )
    assumptions = tuple(one["text"] for one in frozen.plain["interpretation"]["assumptions"])
    return said_plainly(_ending(frozen, invalid, evaluations, assumptions))


def _ending(
    frozen: Frozen,
    invalid: int,
    evaluations: tuple[Evaluation, ...],
    assumptions: tuple[str, ...],
) -> Diagnosis:
    return Diagnosis(
        Status.INCONCLUSIVE,
        None,
        None,
        Support.INSUFFICIENT,
        evaluations,
        Countercheck(False, None, "no valid decision examined an alternative", ()),
        "",
        assumptions,
        (
            f"{invalid} proposed decisions were refused; the package keeps them",
            *frozen.plain["not_looked_at"],
        ),
        REASON,
        _actions(frozen),
    )


def _actions(frozen: Frozen) -> tuple[str, ...]:
    places = [one["location"] for one in frozen.plain["suspects"][:5]]
    looks = [
        f"read {place['path']} lines {place['start_line']} to {place['end_line']}"
        f"{' (' + place['name'] + ')' if place['name'] else ''} with the findings cited for it"
        for place in places
    ]
    return (
        *looks,
        "read the refused decisions and their objections in the record of the model's calls",
        "decide by hand between the hypotheses, by the open questions that are listed",
    )
