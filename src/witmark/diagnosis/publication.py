"""What a diagnosis publishes: the wrapped result, its summary, and a failure report.

All three follow from the context, the decision and the call that it came from; rendering them
again gives the same bytes, which a replay demands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from witmark.diagnosis import wire
from witmark.diagnosis.case import CaseId, PackageId
from witmark.diagnosis.context import Frozen
from witmark.diagnosis.decision import Diagnosis, Status
from witmark.diagnosis.package import phase_path
from witmark.diagnosis.summary import summary_of
from witmark.kernel.canon import Digest, canonical_json, digest_of
from witmark.kernel.model.outcome import Accepted, Rejected

RESULT = "witmark.diagnosis-result/1"
FAILURE = "witmark.failure-report/1"
RESULT_NAME = "diagnosis_result.json"
SUMMARY_NAME = "diagnosis_result.md"
FAILURE_NAME = "failure_report.json"


@dataclass(frozen=True, slots=True)
class Identity:
    """Which diagnosis of which analysis of which package."""

    case_id: CaseId
    package_id: PackageId
    revision: int
    number: int

    @property
    def subject(self) -> str:
        """The run under which the model's calls are recorded."""
        return f"diagnosis-{self.number:04d}"

    def path(self, name: str) -> str:
        """Where this diagnosis keeps an artefact."""
        return phase_path("diagnosis", self.number, name)


@dataclass(frozen=True, slots=True)
class CallBinding:
    """The accepted call that a decision came from.

    Attributes:
        operation: The durable operation.
        attempt: Which attempt of it was accepted.
        request: The digest of the exact request.
        reply: The digest of the reply's text.
        model: What answered.
        journal: Where the calls are recorded.
        head: The digest of the record's last entry then.
    """

    operation: Digest
    attempt: int
    request: Digest
    reply: Digest
    model: str
    journal: str
    head: Digest

    def to_plain(self) -> dict[str, Any]:
        """Plain data for the result."""
        return {
            "attempt": self.attempt,
            "head": self.head,
            "journal": self.journal,
            "model": self.model,
            "operation": self.operation,
            "reply": self.reply,
            "request": self.request,
        }


def binding_of(accepted: Accepted, journal: str, head: Digest) -> CallBinding:
    """Bind a decision to its call."""
    reply = accepted.reply
    return CallBinding(
        accepted.operation,
        accepted.attempt,
        accepted.request,
        digest_of(reply.text.encode("utf-8", "surrogatepass")),
        reply.model,
        journal,
        head,
    )


def rejected_plain(rejected: Rejected, journal: str, head: Digest) -> dict[str, Any]:
    """Bind a deterministic ending to the calls that were refused."""
    return {
        "feedback": rejected.feedback,
        "head": head,
        "invalid": rejected.invalid,
        "journal": journal,
        "operation": rejected.operation,
    }


def publication_of(
    identity: Identity,
    frozen: Frozen,
    diagnosis: Diagnosis,
    call: CallBinding | None,
    invalid: Mapping[str, Any] | None = None,
) -> dict[str, bytes]:
    """Make the files of a publication, by path.

    Args:
        identity: Which diagnosis.
        frozen: What it was decided on.
        diagnosis: What was decided.
        call: The accepted call; ``None`` if every answer was invalid, and the ending is the
            deterministic one.
        invalid: Then, the binding of the rejected calls: ``operation``, ``invalid``,
            ``journal``, ``head``, ``feedback``.
    """
    result = {
        "context": {"digest": frozen.digest, "path": identity.path("context.json")},
        "diagnosis": wire.decision_plain(diagnosis),
        "format": RESULT,
        "hypotheses": frozen.plain["hypotheses"],
        "identity": {
            "case_id": identity.case_id,
            "number": identity.number,
            "package_id": identity.package_id,
            "revision": identity.revision,
        },
        "model_call": None if call is None else call.to_plain(),
        "not_looked_at": frozen.plain["not_looked_at"],
        "rejected_calls": dict(invalid) if invalid else None,
        "suspects": frozen.plain["suspects"],
    }
    raw = canonical_json(result)
    files = {
        identity.path(RESULT_NAME): raw,
        identity.path(SUMMARY_NAME): summary_of(result, frozen.plain).encode(),
    }
    if diagnosis.status is Status.INCONCLUSIVE:
        files[identity.path(FAILURE_NAME)] = canonical_json(_failure(result, raw))
    return files


def _failure(result: Mapping[str, Any], raw: bytes) -> dict[str, Any]:
    diagnosis = result["diagnosis"]
    return {
        "diagnosis": digest_of(raw),
        "final_reason": diagnosis["final_reason"],
        "format": FAILURE,
        "identity": result["identity"],
        "open_questions": {
            one["hypothesis"]["id"]: one["open_questions"] for one in result["hypotheses"]
        },
        "rejected_calls": result["rejected_calls"],
        "remaining_uncertainty": diagnosis["remaining_uncertainty"],
        "review_actions": diagnosis["review_actions"],
        "routing": "review",
    }
