"""What could be the cause: rivals that predict different things.

There is always a rival. A hypothesis belongs to a class of causes, says what would be seen if
it were true and what if it were not, and keeps its open questions to the very end.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

HypothesisId = NewType("HypothesisId", str)
"""``H1``, ``H2`` … in the order in which they were formed."""


class CauseClass(StrEnum):
    """The classes that hypotheses come from; exactly one rival of each class at most."""

    REGRESSION = "regression-by-change"
    UNCHECKED_INPUT = "unchecked-input"
    TYPE_OR_NONE = "type-or-none"
    BOUNDARY = "off-by-one-or-boundary"
    RESOURCE_OR_TIME = "resource-or-time"
    CONFIGURATION = "configuration"
    ENVIRONMENT = "environment-or-version"
    WRONG_LOGIC = "wrong-logic"
    EXTERNAL_BY_DESIGN = "external-by-design"  # it behaves as it is meant to


class EndState(StrEnum):
    """How a hypothesis stands when the investigation is over."""

    OPEN = "open"
    SUPPORTED = "supported"
    WEAKENED = "weakened"
    REJECTED = "rejected"  # a direct finding speaks against it


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One possible cause.

    Attributes:
        id: Its name in this revision.
        cause_class: Which kind of cause.
        statement: What would be the case, one sentence.
        predicts: What would then be found, each one sentence.
        refuted_by: What would speak against it.
        questions: What is not known and would decide.
        suspects: Qualified names or paths it speaks of; may be empty.
    """

    id: HypothesisId
    cause_class: CauseClass
    statement: str
    predicts: tuple[str, ...]
    refuted_by: tuple[str, ...]
    questions: tuple[str, ...]
    suspects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HypothesisEnd:
    """How the investigation left a hypothesis."""

    hypothesis: Hypothesis
    state: EndState
    findings_for: tuple[str, ...]
    findings_against: tuple[str, ...]
    open_questions: tuple[str, ...]
    loop_confidence: float  # authorises nothing; for the trace
    was_counterchecked: bool  # a marker of the loop; authorises nothing
