"""Which packages wait for a worker, and who has which: the port to a queue of jobs.

A job carries ids alone. What is to be done stands in the package, so a queue that is lost
costs nothing but the order: every package without a diagnosis can be queued again.

| a job is | step | and then is |
|---|---|---|
| (not there), parked | enqueue | waiting, eligible now |
| waiting, leased | enqueue | the same; the newer revision is remembered |
| waiting, eligible | claim | leased, under a fence that no lease ever had |
| leased, its time is over | claim by anybody | leased anew; parked where it lapses too often |
| leased | renew | leased for longer |
| leased | complete | gone; waiting, if a newer revision was queued meanwhile |
| leased | defer_until | waiting, eligible then |
| leased | park | parked with a reason, until somebody enqueues it again |

Whoever holds an older fence than the job's is told so and changes nothing. The builder knows
nothing of all this (an import contract holds that), so another engine can stand in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from witmark.diagnosis.case import CaseId, PackageId

MOST_LAPSES = 5
"""A job whose lease lapsed so often in a row is parked: its workers die of it."""

LAPSED = "{lapses} workers in a row did not come back from it"
"""The reason it is parked with."""


@dataclass(frozen=True, slots=True, order=True)
class Job:
    """The next thing for one revision of one package, whatever that is by then."""

    case_id: CaseId
    package_id: PackageId
    revision: int

    @property
    def package(self) -> str:
        """The package as it is named on a command line."""
        return f"{self.case_id}/{self.package_id}"


@dataclass(frozen=True, slots=True)
class Lease:
    """A job in one worker's hands.

    Attributes:
        job: What it is about.
        fence: Greater than that of every lease given before it, of whatever job.
        until_ms: From then on anybody may claim the job, in milliseconds since 1970.
    """

    job: Job
    fence: int
    until_ms: int


class Standing(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    LEASED = "leased"
    PARKED = "parked"


@dataclass(frozen=True, slots=True)
class Entry:
    """A job as a list shows it.

    Attributes:
        job: With the newest revision that was queued.
        standing: Where it stands.
        due_ms: Waiting: eligible from then on. Leased: when the lease ends. Parked: since.
        lapses: How many leases in a row ended by themselves.
        reason: Why it is parked; empty otherwise.
    """

    job: Job
    standing: Standing
    due_ms: int
    lapses: int = 0
    reason: str = ""


class DispatchPort(Protocol):
    """A durable queue of jobs: never two of one package, never lost, never two at once.

    Each call is one step that happens wholly or not at all, and is durable when it returns.
    """

    def enqueue(self, jobs: Iterable[Job]) -> Sequence[Job]:
        """Have jobs done, from now on.

        Returns:
            Those that were not waiting or leased already, sorted.
        """

    def claim(self, most: int = 1) -> Sequence[Lease]:
        """Take at most so many eligible jobs, the longest eligible first, then by id."""

    def renew(self, leases: Iterable[Lease]) -> Sequence[Lease]:
        """Hold leases for longer; those that are not ours any more are missing."""

    def complete(self, leases: Iterable[Lease]) -> Sequence[Lease]:
        """Take jobs out, for good.

        Returns:
            The leases that were refused, because somebody else was given the job since.
        """

    def defer_until(self, lease: Lease, eligible_at_ms: int) -> bool:
        """Give a job back, for whoever claims then; ``False``: it is not ours any more."""

    def park(self, lease: Lease, reason: str) -> bool:
        """Lay a job aside until it is queued again; ``False``: it is not ours any more."""

    def entries(self) -> Sequence[Entry]:
        """Every job, sorted."""
