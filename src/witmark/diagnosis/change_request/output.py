"""What phase 5 leaves in a package: a validated change request, or a refusal with its reasons.

All of it follows from the ground and the number alone; making it again gives the same bytes,
which a replay demands.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from witmark.diagnosis.change_request import output_gates
from witmark.diagnosis.change_request.document import FORMAT, ChangeRequest
from witmark.diagnosis.change_request.ground import Ground
from witmark.diagnosis.change_request.page import page_of
from witmark.diagnosis.change_request.writing import write_request
from witmark.diagnosis.package import phase_path
from witmark.diagnosis.plain import artefact_bytes
from witmark.diagnosis.redacting import Redactor
from witmark.diagnosis.saying import plainly
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.gate import Check, GateReport

VALIDATION = "witmark.output-validation/1"
REQUEST_NAME, PAGE_NAME = "change_request.json", "change_request.md"
POLICY_NAME, VALIDATION_NAME = "policy.json", "validation.json"
READY, REFUSED = "ready", "refused"
PHASE = "change_request"


@dataclass(frozen=True, slots=True)
class Validation:
    """What the final validation came to.

    Attributes:
        outcome: ``ready`` or ``refused``.
        diagnosis: The published result that was asked about.
        policy: The frozen policy.
        document: The document that was held, kept only if it is ready.
        page: Its page, likewise.
        checks: Every gate, in order, with why it objects.
    """

    outcome: str
    diagnosis: Digest
    policy: Digest
    document: Digest
    page: Digest
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A request, how it was held, and the files it comes to."""

    request: ChangeRequest
    report: GateReport
    files: Mapping[str, bytes]

    @property
    def outcome(self) -> str:
        """``ready`` if every gate holds."""
        return READY if self.report.admits else REFUSED


def make(ground: Ground, number: int) -> Made:
    """Write the request, hold it, and render what is published of it."""
    request = write_request(ground, number)
    raw, page = artefact_bytes(FORMAT, request), page_of(request).encode()
    report = output_gates.check(output_gates.Output(request, raw, page), ground)
    report = GateReport(tuple(_shown(one, ground) for one in report.checks))
    validation = Validation(
        READY if report.admits else REFUSED,
        ground.result,
        ground.policy.digest,
        digest_of(raw),
        digest_of(page),
        report.checks,
    )
    files = {
        path_of(number, POLICY_NAME): ground.policy.to_bytes(),
        path_of(number, VALIDATION_NAME): artefact_bytes(VALIDATION, validation),
    }
    if report.admits:
        files[path_of(number, REQUEST_NAME)] = raw
        files[path_of(number, PAGE_NAME)] = page
    return Made(request, report, files)


def path_of(number: int, name: str) -> str:
    """Where a change request keeps an artefact.

    >>> path_of(1, REQUEST_NAME)
    'analysis/change_request/0001/change_request.json'
    """
    return phase_path(PHASE, number, name)


def paths_of(number: int) -> tuple[str, ...]:
    """Every place where a change request may put an artefact."""
    names = POLICY_NAME, VALIDATION_NAME, REQUEST_NAME, PAGE_NAME
    return tuple(path_of(number, name) for name in names)


def subject_of(number: int) -> str:
    """How the audit record calls a change request."""
    return f"{PHASE}-{number:04d}"


def pointers_of(number: int, outcome: str) -> dict[str, str]:
    """The manifest's pointers to what phase 5 left."""
    found = {
        "change_policy": path_of(number, POLICY_NAME),
        "output_validation": path_of(number, VALIDATION_NAME),
    }
    if outcome == READY:
        found["change_request"] = path_of(number, REQUEST_NAME)
        found["change_request_summary"] = path_of(number, PAGE_NAME)
    return found


def _shown(check: Check, ground: Ground) -> Check:
    """An objection as it may be kept: it quotes what was refused."""
    because = Redactor(ground.secrets.known).text(plainly(check.because, 500))
    return Check(check.name, check.outcome, because)
