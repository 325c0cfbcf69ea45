"""A diagnosis for people to look at: what was decided, on what, when, and what it took.

It adds no conclusion: everything in it stands in the package, and a secret stands behind the
mark that it has in the frozen context. HTML and SARIF are made of it, outside the package.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from witmark.diagnosis.budget import Account
from witmark.diagnosis.case import InputKind, Phase, Routing, State
from witmark.diagnosis.decision import Diagnosis
from witmark.diagnosis.feedback import Feedback
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingId,
    FindingKind,
    Support,
    Suspect,
)
from witmark.diagnosis.hypotheses import HypothesisEnd, HypothesisId
from witmark.diagnosis.interpretation import Interpretation
from witmark.diagnosis.investigated import Action
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import EvidenceRef
from witmark.kernel.model.ledger import Call


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ref leads, for a person: a file, and lines from 1, columns from 1.

    Attributes:
        path: Of the file, as it was handed in.
        kind: What that file is for the analysis.
        source_path: In the source tree; empty for a file that is no source.
        start_line: First line; 0 if the ref is not to a piece of text.
        end_line: Last line.
        start_column: Of the first character.
        end_column: Behind the last character.
    """

    path: str
    kind: InputKind
    source_path: str
    start_line: int = 0
    end_line: int = 0
    start_column: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A stored line of the source; ``is_met`` where a call stack went through it."""

    number: int
    text: str
    is_met: bool


@dataclass(frozen=True, slots=True)
class Looked:
    """A suspect with the lines that stand there.

    Attributes:
        suspect: The place and its rank.
        ref: The place, to be opened; ``None`` where no stored source holds it.
        lines: Some of its lines, as they are stored.
        left_out: How many lines of it are not among them.
        is_cause: Whether the confirmed root cause rests on findings here.
    """

    suspect: Suspect
    ref: EvidenceRef | None
    lines: tuple[Line, ...]
    left_out: int
    is_cause: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One finding against every hypothesis; a hypothesis it says nothing of is not in it."""

    finding: FindingId
    kind: FindingKind
    completeness: Completeness
    cells: Mapping[HypothesisId, Direction]
    is_cited: bool


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened with the fault, at a time that the case names.

    Attributes:
        at: The time, as it is spelled.
        what: ``reported``, ``log-begins``, ``log-ends``, ``quoted`` or ``stack``.
        text: What stands there.
        ref: The place.
    """

    at: str
    what: str
    text: str
    ref: EvidenceRef


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the analysis, from its checkpoint.

    Attributes:
        at_ms: When, in milliseconds since 1970.
        phase: Which.
        revision: Of the analysis.
        is_reopened: Whether it began a new revision on the same inputs.
        said: What a person said in it, if that is what the step is.
    """

    at_ms: int
    phase: Phase
    revision: int
    is_reopened: bool = False
    said: Feedback | None = None


@dataclass(frozen=True, slots=True)
class FrameSeen:
    """A line of a call stack; ``finding`` says where in the source it lies, if one does."""

    path: str
    line: int | None
    function: str
    at: EvidenceRef
    finding: Finding | None


@dataclass(frozen=True, slots=True)
class Stack:
    """A call stack, the innermost frame last."""

    language: str
    exception: str
    message: str
    at: EvidenceRef
    frames: tuple[FrameSeen, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """A file that was handed in, and how many secrets of which kind it holds."""

    path: str
    kind: InputKind
    size: int
    digest: Digest
    secrets: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Redaction:
    """A secret that was replaced by a mark: its kind, its number, how often."""

    kind: str
    number: int
    times: int


@dataclass(frozen=True, slots=True)
class CaseReport:
    """Everything a report of a diagnosis shows; secrets are replaced by marks throughout.

    Attributes:
        name: ``case/package``.
        title: Of the report that was handed in, or the case's own name.
        revision: Of the analysis.
        state: How far the package is.
        routing: Who looks next.
        diagnosis: What was decided.
        interpretation: What the case says.
        ends: How the investigation left each hypothesis.
        levels: How well everything that was found supports each, by the table.
        findings: Everything that was found.
        places: Where each ref of the report leads.
        suspects: Places in the source, the likeliest first.
        matrix: Findings against hypotheses, what is cited first.
        stacks: Call stacks, in order.
        happened: The fault in time.
        steps: The analysis in time, every revision.
        accounts: What could be spent.
        actions: What was spent, in order.
        not_looked_at: What was left out, and why.
        given: The inputs.
        redactions: What was replaced by marks.
        calls: Requests for the decision, in order.
        is_embedded: Whether the embedded analyst decided, and no model.
        refused: How many proposed decisions kept not every gate.
        bindings: Digests by what they bind: ``context``, ``result``, ``request``, ``support``.
        made_by: The version of this program that made the report.
    """

    name: str
    title: str
    revision: int
    state: State
    routing: Routing
    diagnosis: Diagnosis
    interpretation: Interpretation
    ends: tuple[HypothesisEnd, ...]
    levels: Mapping[HypothesisId, Support]
    findings: tuple[Finding, ...]
    places: Mapping[EvidenceRef, Place]
    suspects: tuple[Looked, ...]
    matrix: tuple[Row, ...]
    stacks: tuple[Stack, ...]
    happened: tuple[Event, ...]
    steps: tuple[Step, ...]
    accounts: tuple[Account, ...]
    actions: tuple[Action, ...]
    not_looked_at: tuple[str, ...]
    given: tuple[Given, ...]
    redactions: tuple[Redaction, ...]
    calls: tuple[Call, ...]
    is_embedded: bool
    refused: int
    bindings: Mapping[str, str]
    made_by: str

    @property
    def cited(self) -> frozenset[FindingId]:
        """Every finding that the decision cites."""
        return cited_by(self.diagnosis)

    @property
    def feedback(self) -> tuple[Step, ...]:
        """What people said, the newest last."""
        return tuple(step for step in self.steps if step.said is not None)


def cited_by(diagnosis: Diagnosis) -> frozenset[FindingId]:
    """Every finding that a decision cites anywhere."""
    cited = set(diagnosis.countercheck.evidence_ids)
    if diagnosis.root_cause is not None:
        cited |= set(diagnosis.root_cause.evidence_ids)
    for one in diagnosis.evaluations:
        cited |= set(one.supporting_evidence_ids) | set(one.contradicting_evidence_ids)
    return frozenset(cited)
