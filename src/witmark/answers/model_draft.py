"""What asking a model for an answer came to: its words, why they were not used, what it took.

A draft that was not used is kept here for the record and the trace; no word of it is published.
"""

from dataclasses import dataclass
from enum import StrEnum

from witmark.answers.plain_fields import Fields
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import EvidenceRef

FORMAT = "witmark.model-draft/1"
MODEL = "model"
"""Who drafted an answer whose words are a model's (``draftBy``)."""


class ModelOutcome(StrEnum):
    """How it ended; only of a draft that was ``used`` does the reader see a word."""

    USED = "used"
    ABSTAINED = "abstained"  # it says that the exhibits do not tell; nothing can check that
    REJECTED = "rejected"  # too many replies broke the schema or a gate
    WAITING = "waiting"  # no provider is eligible yet, or another process is at it
    BLOCKED = "blocked"  # no provider is left
    TOO_LARGE = "too-large"  # the settings do not allow a request of this size


@dataclass(frozen=True, slots=True)
class RefusedReply:
    """A reply that broke the schema or a gate: the model's words, and what it was told."""

    attempt: int
    text: str
    because: str


@dataclass(frozen=True, slots=True)
class Binding:
    """What a replay holds the run to.

    Attributes:
        subject: Names the journal of the calls.
        operation: Which way to ask it was; empty if nothing could be sent.
        head: The journal's last entry that the run saw; empty if there was none.
        requests: Every request of the journal up to there, in order, whichever run sent it.
        prompt: Of the prompt file.
        schema: Of the reply's JSON Schema.
        inputs: The blob that holds the plan and the pack.
    """

    subject: str
    operation: str
    head: str
    requests: tuple[Digest, ...]
    prompt: Digest
    schema: Digest
    inputs: Digest


@dataclass(frozen=True, slots=True)
class ModelDraft:
    """One ask of a model, over.

    Attributes:
        outcome: How it ended.
        because: Why nothing of it is used, for a developer; empty if it is.
        sentences: What it proposed in the reply that was accepted, with the exhibits cited.
        reason: Why it abstains, in its words.
        refused: The replies that were not accepted.
        exhibits: What it was shown, by the ids it was told.
        not_shown: What was left out, and is named in the request.
        binding: For the replay.
        calls: Every request that this run sent, under OpenTelemetry's names; none where a
            reply was kept from before.
        total: The same added up.
        eligible_at_ms: When it is worth asking again, since 1970; 0 for no such time.
    """

    outcome: ModelOutcome
    because: str
    sentences: tuple[tuple[str, tuple[str, ...]], ...]
    reason: str
    refused: tuple[RefusedReply, ...]
    exhibits: tuple[tuple[str, EvidenceRef], ...]
    not_shown: tuple[EvidenceRef, ...]
    binding: Binding
    calls: tuple[Fields, ...]
    total: Fields
    eligible_at_ms: int = 0
    worded_by: str = ""
    """What the provider calls the model whose reply was accepted, or what it was asked for as;
    empty if none was."""

    @property
    def is_used(self) -> bool:
        """Whether the model's words are what is published."""
        return self.outcome is ModelOutcome.USED

    def to_plain(self) -> dict[str, object]:
        """``modelDraft`` of a run's record."""
        bound = self.binding
        return {
            "format": FORMAT,
            "outcome": self.outcome.value,
            "because": self.because or None,
            "sentences": [{"text": t, "exhibits": list(ids)} for t, ids in self.sentences],
            "reason": self.reason or None,
            "refused": [
                {"attempt": one.attempt, "text": one.text, "because": one.because}
                for one in self.refused
            ],
            "exhibits": [{"id": name, "ref": str(ref)} for name, ref in self.exhibits],
            "notShown": [str(ref) for ref in self.not_shown],
            "eligibleAtMs": self.eligible_at_ms or None,
            "binding": {
                "subject": bound.subject,
                "operation": bound.operation or None,
                "head": bound.head or None,
                "requests": list(bound.requests),
                "prompt": bound.prompt,
                "schema": bound.schema,
                "inputs": bound.inputs,
            },
            "calls": [dict(call) for call in self.calls],
            "total": dict(self.total),
            "wordedBy": self.worded_by or None,
        }
