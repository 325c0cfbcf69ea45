"""What this desk needs from the outside world."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from witmark.diagnosis.case import CaseId, Inventory, PackageId, RawInput, Routing, State
from witmark.diagnosis.code import Snapshot
from witmark.diagnosis.findings import Completeness, Finding
from witmark.diagnosis.hypotheses import Hypothesis
from witmark.diagnosis.interpretation import Interpretation
from witmark.diagnosis.scoring import Scores
from witmark.kernel.errors import InputError
from witmark.kernel.store import BatchDisk


class CaseStore(Protocol):
    """Where packages lie."""

    def disk(self, case_id: CaseId, package_id: PackageId) -> BatchDisk:
        """The folder of a package; it need not be there yet."""

    def packages(self, case_id: CaseId) -> Sequence[PackageId]:
        """The packages of a case, sorted."""

    def cases(self) -> Sequence[CaseId]:
        """Every case, sorted."""


class Clock(Protocol):
    """What time it is; asked only for the record and for who is eligible."""

    def now_ms(self) -> int:
        """Milliseconds since 1970."""


class Router(Protocol):
    """Who is told when a case moves on."""

    def route(
        self, case_id: CaseId, package_id: PackageId, state: State, routing: Routing
    ) -> None:
        """Take note. Called after the step is durable; calling again is harmless."""


class Outbox(Protocol):
    """A folder from which somebody else takes what is finished. Nothing in it is changed."""

    name: str
    """What it is called; the same name is the same folder, also in another process."""

    @property
    def stands(self) -> bool:
        """Whether it is there at all, so that what is in it can be told."""

    def make(self) -> None:
        """Make it, durably, where it is not there.

        Raises:
            OutsideError: the system refused.
        """

    def holds(self, name: str, files: Mapping[str, bytes]) -> bool:
        """Whether it has a delivery of this name, durably, with these very files.

        Raises:
            IntegrityError: it has one of this name that is another.
            OutsideError: that cannot be found out.
        """

    def put(self, name: str, files: Mapping[str, bytes]) -> None:
        """Make a delivery visible and durable, whole or not at all.

        One that is there already with the same files is no error, whoever put it.

        Raises:
            IntegrityError: something else has this name; it is not overwritten.
            OutsideError: the system refused; whether it is there, ``holds`` says.
        """


# Source ------------------------------------------------------------------------------


class SourceReader(Protocol):
    """Parses source files into definitions. Reads text, runs nothing."""

    version: str
    """Of the grammars; part of what a finding rests on."""

    def snapshot(
        self, files: Mapping[str, bytes], *, most: int, like: Snapshot | None = None
    ) -> Snapshot:
        """Parse files by path, at most ``most`` of them; the rest is listed as unread.

        What stands in ``like`` with the same path and bytes is taken from there.
        """


@dataclass(frozen=True, slots=True)
class Commit:
    """One change in a version history."""

    id: str
    at_s: int
    author: str
    message: str
    paths: tuple[str, ...]
    tags: tuple[str, ...] = ()


class UnreadableHistoryError(InputError):
    """A version control folder that was handed in cannot be read; it proves nothing."""

    code = "input.unreadable-history"
    hint = "hand in the whole .git folder, or none"


class History(Protocol):
    """Reads a version control folder that was handed in. Runs nothing."""

    def commits(self, files: Mapping[str, bytes], *, most: int) -> Sequence[Commit]:
        """The history from the checked-out commit backwards, newest first, bounded.

        A merge is followed along its first parent alone.

        Args:
            files: By path below the ``.git`` folder.
            most: How many commits at most.

        Raises:
            UnreadableHistoryError: it is broken, incomplete, or larger than is read.
        """


# Investigation -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """What one look may take, whoever looks."""

    most_findings: int = 40
    most_files: int = 5_000
    most_bytes: int = 64 * 1024 * 1024
    most_chars_per_quote: int = 600


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two cases are.

    Attributes:
        is_same: The same exception out of the same innermost functions, values aside.
        frames: How many innermost frames they share without a gap.
        of: How many were compared.
        words: The share of words that both use, 0 to 1; it makes nothing the same.
    """

    is_same: bool = False
    frames: int = 0
    of: int = 0
    words: float = 0.0


@dataclass(frozen=True, slots=True)
class Earlier:
    """A package that was diagnosed before, as it is frozen in this one.

    Attributes:
        case_id: Whose.
        package_id: Which.
        revision: Of its analysis.
        likeness: To this case.
        result: The very text of its published result.
        feedback: That of what a person said of it; empty if nobody did.
    """

    case_id: CaseId
    package_id: PackageId
    revision: int
    likeness: Likeness
    result: str
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class CaseView:
    """Everything that an investigator may read; nothing in it can be changed or run.

    Attributes:
        inventory: The raw inputs.
        read: Their bytes, by input.
        interpretation: What the case says.
        hypotheses: What could be the cause.
        source: The faulty snapshot, where one was given.
        good_source: The last good one, where one was given.
        scores: Both, made searchable, with what the report says of each place; ``None``
            without source.
        earlier: Diagnosed packages of other cases that are like this one, the likest first.
    """

    inventory: Inventory
    read: Callable[[RawInput], bytes]
    interpretation: Interpretation
    hypotheses: tuple[Hypothesis, ...]
    source: Snapshot | None
    good_source: Snapshot | None = None
    scores: Scores | None = None
    earlier: tuple[Earlier, ...] = ()

    @property
    def the_scores(self) -> Scores:
        """The scores of a case that has source."""
        if self.scores is None:
            raise AssertionError("asked to look at the source of a case without any")
        return self.scores


@dataclass(frozen=True, slots=True)
class Look:
    """What one investigator found in one action.

    Attributes:
        findings: In a fixed order.
        completeness: Of the look as a whole.
        not_looked_at: What was left out, and why; shown to people.
        cost: Credits that it really took.
    """

    findings: tuple[Finding, ...]
    completeness: Completeness
    not_looked_at: tuple[str, ...]
    cost: int


class Investigator(Protocol):
    """Looks at a case from one side. Read-only, deterministic, under limits."""

    name: str
    needs: str
    """What a case has to hold before it can look, as whoever handed it in is told."""
    reserve: int
    """Credits to set aside before it looks."""

    def can_look(self, view: CaseView) -> bool:
        """Whether the case holds anything for it."""

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """How much a look is expected to tell rivals apart, 0 to 1; orders the actions."""

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Look once. The same view gives the same look."""
