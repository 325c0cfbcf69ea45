"""The change request: what is wrong, where it may be changed, and how to know it is right.

Every sentence of it is a *claim* with the places it rests on. It holds no code, no patch and no
instruction to run anything: it is read by whoever changes the code.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from witmark.diagnosis.case import CaseId, PackageId
from witmark.diagnosis.findings import CodeLocation, FindingId, FindingKind, Group
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import EvidenceRef

FORMAT = "witmark.change-request/1"


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence, and where each part of it can be read."""

    text: str
    evidence: tuple[EvidenceRef, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """What the request rests on; a change of any of it makes it another request.

    Attributes:
        case_id: Whose case.
        package_id: Which package.
        revision: Of the analysis.
        number: Of the change request in the package.
        diagnosis: The published result.
        context: The frozen context it was decided on.
        inventory: The list of the raw inputs.
        policy: The frozen policy.
        policy_version: The operator's name for it.
        feedback: What a person said of the diagnosis last; ``None`` if nobody did.
    """

    case_id: CaseId
    package_id: PackageId
    revision: int
    number: int
    diagnosis: Digest
    context: Digest
    inventory: Digest
    policy: Digest
    policy_version: str
    feedback: Digest | None


@dataclass(frozen=True, slots=True)
class RootCause:
    """The cause as it was diagnosed, and the findings that carry it."""

    summary: Claim
    description: Claim
    confidence: str
    findings: tuple["CitedFinding", ...]


@dataclass(frozen=True, slots=True)
class CitedFinding:
    """A stored finding of the diagnosis."""

    id: FindingId
    kind: FindingKind
    group: Group
    says: Claim


class Relation(StrEnum):
    """How a place in scope is related to the root cause."""

    CAUSE = "cause"  # a finding that carries the root cause lies there
    SAME_FILE = "same-file"
    SUSPECT = "suspect"  # in another file


@dataclass(frozen=True, slots=True)
class Place:
    """A place that may be changed.

    Attributes:
        location: Where, in the source snapshot's own terms.
        file: The very bytes of the file.
        relation: Why it is in scope.
        evidence: What leads there.
    """

    location: CodeLocation
    file: Digest
    relation: Relation
    evidence: tuple[EvidenceRef, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be changed, as the policy decided; everything else may not.

    Attributes:
        places: In the order of their weight; nothing outside them is in scope.
        left_out: Places that the findings lead to and that may not be changed, each with why.
        allowed: The policy's patterns, as they were.
        forbidden: Likewise.
        reach: Likewise.
        most_files: Likewise.
        most_definitions: Likewise.
    """

    places: tuple[Place, ...]
    left_out: tuple[Claim, ...]
    allowed: tuple[str, ...]
    forbidden: tuple[str, ...]
    reach: str
    most_files: int
    most_definitions: int


class Proof(StrEnum):
    """What a required test is for."""

    REGRESSION = "regression"  # fails before the change, passes after it
    EXISTING = "existing"  # passes before and after
    COUNTERCHECK = "countercheck"  # tells the cause from the alternative


@dataclass(frozen=True, slots=True)
class RequiredTest:
    """A test that the change has to bring or to keep, in words."""

    proof: Proof
    says: Claim


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """The whole document; its field names say what each part holds."""

    title: Claim
    bound: Bound
    root_cause: RootCause
    observed: tuple[Claim, ...]
    expected: tuple[Claim, ...]
    scope: Scope
    tests: tuple[RequiredTest, ...]
    acceptance_criteria: tuple[Claim, ...]
    contradictions: tuple[Claim, ...]
    risks: tuple[Claim, ...]
    after_release: tuple[Claim, ...]
    open_questions: tuple[Claim, ...]
    reviewers: tuple[Claim, ...]

    @property
    def claims(self) -> Iterator[Claim]:
        """Every claim, in the order of the page."""
        yield self.title
        yield self.root_cause.summary
        yield self.root_cause.description
        yield from (one.says for one in self.root_cause.findings)
        yield from self.observed
        yield from self.expected
        yield from self.scope.left_out
        yield from (one.says for one in self.tests)
        yield from self.acceptance_criteria
        yield from self.contradictions
        yield from self.risks
        yield from self.after_release
        yield from self.open_questions
        yield from self.reviewers

    @property
    def refs(self) -> Iterator[EvidenceRef]:
        """Every place that is cited."""
        for claim in self.claims:
            yield from claim.evidence
        for place in self.scope.places:
            yield from place.evidence

    @property
    def texts(self) -> Iterator[str]:
        """Every text that somebody reads."""
        yield from (one.text for one in self.claims)
        for place in self.scope.places:
            yield place.location.path
            yield place.location.name or "-"
        yield from self.scope.allowed
        yield from self.scope.forbidden
        yield self.bound.policy_version
