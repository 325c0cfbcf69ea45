"""What a case says, apart from what it means: every statement with its place and its basis."""

from dataclasses import dataclass
from enum import StrEnum

from witmark.kernel.evidence import EvidenceRef

FORMAT = "witmark.interpretation/1"


class StatementBasis(StrEnum):
    """Where a statement of an interpretation comes from."""

    OBSERVED = "observed"  # it stands in a log, a trace, an output
    REPORTED = "reported"  # a person says they saw it
    ASSUMED = "assumed"  # a person takes it to be so: "it looks as if", "probably"
    INTENDED = "intended"  # what a document or a person says it is meant to do
    DERIVED = "derived"  # it follows by a fixed rule


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the case says.

    Attributes:
        text: In the words of the case, or of the rule that derived it.
        basis: Where it comes from.
        ref: The place it rests on.
        quote: What stands there.
    """

    text: str
    basis: StatementBasis
    ref: EvidenceRef
    quote: str


@dataclass(frozen=True, slots=True)
class Version:
    """A version that the case names: of what, which, and whether it was good or bad there."""

    subject: str
    version: str
    is_good: bool | None  # None: the case does not say
    at: Statement


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a call stack.

    Attributes:
        path: As the trace spells it.
        line: From 1; ``None`` where the trace has none.
        function: As the trace spells it.
        code: The source line that the trace quotes; empty if it quotes none.
        at: The place in the input.
    """

    path: str
    line: int | None
    function: str
    code: str
    at: EvidenceRef


@dataclass(frozen=True, slots=True)
class Trace:
    """A call stack, the innermost frame last, and what was raised.

    ``language`` is ``python``, ``jvm``, ``javascript``, ``go``, ``dotnet``, ``rust`` or
    ``native``. ``exception`` and ``message`` are empty where the trace says neither.
    """

    language: str
    frames: tuple[Frame, ...]
    exception: str
    message: str
    at: EvidenceRef


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a case says. A part that is empty was not found; it is not guessed.

    Attributes:
        title: Of the report.
        symptom: What went wrong.
        expected: What was meant to happen.
        observed: What was seen.
        intended: What is said to be meant so, and is no fault.
        assumptions: What people take to be so.
        versions: Versions that are named.
        environment: Systems, interpreters, settings.
        times: When it was seen.
        names: Identifiers of code that the report mentions, as spelled, in order.
        traces: Every call stack.
        unread: Inputs that could not be read, and why; they prove nothing.
    """

    title: str
    symptom: tuple[Statement, ...]
    expected: tuple[Statement, ...]
    observed: tuple[Statement, ...]
    intended: tuple[Statement, ...]
    assumptions: tuple[Statement, ...]
    versions: tuple[Version, ...]
    environment: tuple[Statement, ...]
    times: tuple[Statement, ...]
    names: tuple[Statement, ...]
    traces: tuple[Trace, ...]
    unread: tuple[tuple[str, str], ...] = ()
