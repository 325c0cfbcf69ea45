"""What one dispatch of a model call comes to. A "no" is a value."""

from dataclasses import dataclass
from enum import StrEnum

from witmark.kernel.canon import Digest
from witmark.kernel.model.reply import Failure, Reply


@dataclass(frozen=True, slots=True)
class Admitted:
    """A desk's judgement: the reply keeps the schema and every gate."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A desk's judgement: it does not, and why; the next attempt is told so."""

    feedback: str


Judgement = Admitted | Refused


@dataclass(frozen=True, slots=True)
class Accepted:
    """The reply that stands from now on; asking again gives it again, without a call."""

    operation: Digest
    attempt: int
    request: Digest
    reply: Reply


@dataclass(frozen=True, slots=True)
class Rejected:
    """The answer was invalid. It is kept whole, and no more is made of it.

    Attributes:
        operation: Which one.
        feedback: Why, in the words that the next attempt is given.
        invalid: How many answers to this question were invalid so far.
        left: How many more may be; with none left the desk writes its honest ending.
        unheeded: What the settings say by now instead of the number that was frozen when
            this was first asked; ``None`` if they say nothing else.
    """

    operation: Digest
    feedback: str
    invalid: int
    left: int
    unheeded: int | None = None

    @property
    def most(self) -> int:
        """How many invalid answers end it, as it was frozen."""
        return self.invalid + self.left


class Because(StrEnum):
    """What a call waits for, or what blocks it."""

    BACKING_OFF = "backing-off"
    NEXT_PROVIDER = "next-provider"  # the next dispatch's
    HELD = "held"  # another dispatcher is at work on this run
    EXHAUSTED = "exhausted"  # every provider failed as often as it may
    MISCONFIGURED = "misconfigured"  # every provider refuses the configuration


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing can be done now. Dispatch again, not before ``eligible_at_ms`` (since 1970)."""

    operation: Digest
    because: Because
    eligible_at_ms: int
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Blocked:
    """No provider is left. A ``retry_id``, or another configuration, opens it again."""

    operation: Digest
    because: Because
    failures: tuple[Failure, ...] = ()


Outcome = Accepted | Rejected | Waiting | Blocked
