"""What an investigation found, so that anybody can look at the same place and see it.

A finding is stored with its contents. It says how it was come by, which way it points for
which hypothesis, and which other findings it is *not* independent of; a sum of ten findings of
one group is one voice. What was looked at only in part proves no absence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from witmark.diagnosis.hypotheses import HypothesisId
from witmark.kernel.evidence import EvidenceRef

FindingId = NewType("FindingId", str)
"""``F-`` and the first hex digits of what the finding says: equal findings have equal ids."""


class FindingKind(StrEnum):
    """How far a finding is from what can be read in the inputs."""

    DIRECT = "direct"  # it stands there, and the quote is it
    DERIVED = "derived"  # it follows by a fixed rule from what stands there
    HEURISTIC = "heuristic"  # a rank, a likeness


class Direction(StrEnum):
    """Which way a finding points for one hypothesis."""

    FOR = "for"
    AGAINST = "against"
    NEUTRAL = "neutral"  # it fits either way: it does not discriminate


class Completeness(StrEnum):
    """How much of what could be looked at was looked at."""

    COMPLETE = "complete"
    PARTIAL = "partial"  # a limit ended the look; never proof of absence
    EMPTY = "empty"  # there was nothing to look at; never proof of absence


class Group(StrEnum):
    """Whose voice a finding is. Findings of one group are not independent."""

    TEXT = "text"  # every ranking by words
    TRACE = "trace"
    NAMES = "names"  # names in the report, resolved; calls between definitions
    DIFF = "diff"  # what changed between versions, configurations, locks
    HISTORY = "history"
    LOGS = "logs"
    COVERAGE = "coverage"
    LINEAGE = "lineage"  # which exception can be raised where
    EARLIER = "earlier"  # packages diagnosed before
    KNOWLEDGE = "knowledge"
    DESIGN = "design"  # findings of the review desk


@dataclass(frozen=True, slots=True)
class CodeLocation:
    """A place in the source snapshot that a person can open.

    Lines count from 1, both ends included. ``name`` is the qualified name
    (``Class.method``), empty for a whole file.
    """

    path: str
    name: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted place in an input; the text is what stands at the ref, to the character."""

    ref: EvidenceRef
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found.

    Attributes:
        id: Named by its contents.
        investigator: Who found it.
        action: Under which action of the budget.
        group: Whose voice it is.
        kind: How far from the inputs.
        completeness: Of the look that found it.
        statement: What was found, one sentence, no conclusion about the cause.
        quotes: The places it rests on; never empty unless ``completeness`` is EMPTY.
        location: The place in the source it speaks of, if it does.
        bears_on: Which way it points, per hypothesis. It restricts nothing: any hypothesis
            may cite any finding.
        strength: 0 to 1, orders findings of one group; no gate reads it.
        is_provocation: Whether the quoted text tries to give instructions; shown, not obeyed.
    """

    id: FindingId
    investigator: str
    action: str
    group: Group
    kind: FindingKind
    completeness: Completeness
    statement: str
    quotes: tuple[Quote, ...]
    location: CodeLocation | None = None
    bears_on: Mapping[HypothesisId, Direction] = field(default_factory=dict)
    strength: float = 0.0
    is_provocation: bool = False


class Support(StrEnum):
    """How well a hypothesis is supported, in words; the rules are a versioned table."""

    INSUFFICIENT = "insufficient"
    WEAK = "weak"
    SUPPORTED = "supported"
    STRONGLY_SUPPORTED = "strongly_supported"


@dataclass(frozen=True, slots=True)
class Suspect:
    """A place in the source that the analyst would look at, the likeliest first.

    Attributes:
        rank: From 1.
        location: Where.
        level: How well supported that the fault is here.
        findings: On what it rests.
        features: The named numbers of the ranking, for the trace; no gate reads them.
    """

    rank: int
    location: CodeLocation
    level: Support
    findings: tuple[FindingId, ...]
    features: Mapping[str, float]
