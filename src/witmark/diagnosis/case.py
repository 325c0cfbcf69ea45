"""A case and its package: what was handed in, how far its analysis is, and what it made.

A package is a folder. Its *inventory* lists every raw input with its digest; its *manifest*
says where the analysis stands, and a new one is written for every step. Both are sealed
records of ours; everything else in the folder is an artefact that a checkpoint declared, or a
raw input. There is no third kind: a file that nobody declared is an input that nobody listed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from witmark.kernel.canon import Digest

CaseId = NewType("CaseId", str)
"""What people call the case: lower-case letters, digits, ``-``, ``_`` and ``.``."""

PackageId = NewType("PackageId", str)
"""One package of a case. It stays the same however often the case is analysed."""


class InputKind(StrEnum):
    """What a raw input is for the analysis. An unknown one is preserved like any other."""

    REPORT = "report"  # what a person wrote about the fault
    LOG = "log"
    TRACE = "trace"
    SOURCE = "source"  # a file of the source snapshot
    GOOD_SOURCE = "good-source"  # of the last version that was good, where one was given
    CONFIG = "config"
    LOCK = "lock"  # pinned versions
    COVERAGE = "coverage"
    SCREENSHOT = "screenshot"
    STEP = "step"  # a STEP model, for the review desk
    REPOSITORY = "repository"  # a file of a version control folder
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RawInput:
    """One file that was handed in.

    Attributes:
        path: Below the package, with ``/``; raw inputs lie below ``inputs/`` unless
            somebody put them elsewhere.
        digest: Of its bytes.
        size: In bytes.
        kind: What it is for the analysis.
        origin: Where it came from: a path as the user gave it, or ``archive!member``.
    """

    path: str
    digest: Digest
    size: int
    kind: InputKind
    origin: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """Every raw input of one analysis revision, sorted by path."""

    revision: int
    inputs: tuple[RawInput, ...]

    def of(self, *kinds: InputKind) -> tuple[RawInput, ...]:
        """The inputs of some kinds, in order."""
        return tuple(one for one in self.inputs if one.kind in kinds)


class State(StrEnum):
    """Where the analysis of a package stands. The table is in ``lifecycle``."""

    ASSEMBLED = "ASSEMBLED"
    INTERPRETED = "INTERPRETED"
    HYPOTHESES_READY = "HYPOTHESES_READY"
    INVESTIGATED = "INVESTIGATED"
    BUILDING_DIAGNOSIS = "BUILDING_DIAGNOSIS"
    OUTPUT_READY = "OUTPUT_READY"
    FAILED_TO_ANALYZE = "FAILED_TO_ANALYZE"


class Routing(StrEnum):
    """Who is to look at the case next."""

    ANALYSIS = "analysis"
    REVIEW = "review"  # a person
    OUTPUT = "output"  # the hand-over to whoever changes code


class Phase(StrEnum):
    """The steps of an analysis that leave a checkpoint."""

    ASSEMBLY = "assembly"
    INTERPRETATION = "interpretation"
    HYPOTHESES = "hypotheses"
    INVESTIGATION_STARTED = "investigation-started"
    INVESTIGATION = "investigation"
    DIAGNOSIS_STARTED = "diagnosis-started"
    DIAGNOSIS = "diagnosis"
    CHANGE_REQUEST_STARTED = "change-request-started"
    CHANGE_REQUEST = "change-request"  # validated, or refused by the validation
    DELIVERY_STARTED = "delivery-started"
    DELIVERY = "delivery"  # handed over
    FEEDBACK = "feedback"  # a person accepted, rejected or reopened


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One step that was done, and every file that is its own.

    Attributes:
        phase: Which step.
        revision: Of the analysis.
        files: The artefacts it wrote, each with its digest.
        records: Files that grow or come and go and so have no digest: journals, locks,
            blobs of a model call. Exact paths, declared before they are written.
        bindings: What the step rests on or settled, such as the digest of its context or
            ``max_invalid_responses``.
        at_ms: When, in milliseconds since 1970; nothing is decided by it.
    """

    phase: Phase
    revision: int
    files: Mapping[str, Digest]
    records: tuple[str, ...] = ()
    bindings: Mapping[str, str | int] = field(default_factory=dict)
    at_ms: int = 0


@dataclass(frozen=True, slots=True)
class Manifest:
    """Where a package stands: one of these per generation, the newest counts.

    Attributes:
        case_id: Whose package it is.
        package_id: Which package.
        revision: Of the analysis, from 1; it rises when inputs change or a case is reopened.
        generation: Of the manifest, from 1; it rises with every step.
        state: How far the analysis is.
        routing: Who looks next.
        inventory: The path of the inventory of this revision.
        pointers: Artefacts by role: ``interpretation``, ``hypotheses``, ``investigation``,
            ``diagnosis``, ``diagnosis_summary``, ``diagnosis_context``, ``failure_report``,
            ``change_request``, ``change_request_summary``, ``change_policy``,
            ``output_validation``, ``feedback``; only those of this revision.
        checkpoints: Every step ever done, in order, older revisions included.
        previous: The digest of the manifest before.
    """

    case_id: CaseId
    package_id: PackageId
    revision: int
    generation: int
    state: State
    routing: Routing
    inventory: str
    pointers: Mapping[str, str]
    checkpoints: tuple[Checkpoint, ...]
    previous: Digest | None

    def last(self, phase: Phase) -> Checkpoint | None:
        """The newest checkpoint of a phase in this revision."""
        of_now = [c for c in self.checkpoints if c.revision == self.revision]
        return next((c for c in reversed(of_now) if c.phase is phase), None)

    @property
    def declared(self) -> Mapping[str, Digest | None]:
        """Every file that is not a raw input; without a digest where it may change."""
        found: dict[str, Digest | None] = {}
        for checkpoint in self.checkpoints:
            found |= dict.fromkeys(checkpoint.records)
            found |= checkpoint.files
        return found
