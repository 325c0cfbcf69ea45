"""A worker: takes a job, does one dispatch of it, says in the queue what comes next, goes on.

| one dispatch comes to | the job |
|---|---|
| published | is complete |
| rejected, attempts left | is eligible again now, behind those that wait |
| blocked until some time | is eligible then |
| blocked, and not by time | is parked with the reason |
| a fault of the input, or of what is stored | is parked with the reason |
| a fault outside, such as a full disk | is eligible again in half a minute |
| asked to stop between two phases | is eligible again now |
| the worker's death | is leased to the next one when the lease ends |

Nothing sleeps while it has a job, and no dispatch makes more than one model request. A worker
that lost its lease does no harm: what keeps two of them from publishing twice is the package
itself, whose next step only one writer can add.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum

from witmark.diagnosis.builder import Blocked, Built, Published, Rejected
from witmark.diagnosis.dispatch import DispatchPort, Job, Lease, Standing
from witmark.diagnosis.use_cases import DiagnosisDesk, run_next_phase
from witmark.kernel.errors import InputError, IntegrityError, OutsideError, one_line
from witmark.kernel.model.outcome import Because

POLL_S = 0.5
AFTER_TROUBLE_MS = 30_000
"""When a job is tried again after something outside us failed."""

HELD_MS = 1_000
"""When a package is tried again that somebody else is at work on."""


class Did(StrEnum):
    """What a dispatch came to."""

    PUBLISHED = "published"
    REJECTED = "rejected"
    WAITS = "waits"
    PARKED = "parked"
    STOPPED = "stopped"
    LOST = "lost"  # the lease; another worker has the job


@dataclass(frozen=True, slots=True)
class Dispatched:
    """One dispatch, for whoever watches.

    Attributes:
        job: Of which job.
        did: What it came to.
        told: More of it, in words.
        again_ms: When the job is eligible again, in milliseconds since 1970.
    """

    job: Job
    did: Did
    told: str
    again_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker and all it needs.

    Attributes:
        queue: Where jobs come from.
        desk: Does the work, and knows the time.
        keep: Holds a lease for as long as the dispatch takes.
        sleep: Between two polls, for so many seconds.
        is_stopped: Whether somebody asked it to stop.
        retry_id: Opens a blocked model call again, once per name and package.
    """

    queue: DispatchPort
    desk: DiagnosisDesk
    keep: Callable[[Lease], AbstractContextManager[None]]
    sleep: Callable[[float], Awaitable[None]]
    is_stopped: Callable[[], bool]
    retry_id: str | None = None

    async def work(self, *, wait: bool) -> AsyncIterator[Dispatched]:
        """Do jobs until none is eligible, or with ``wait`` for ever; stop when asked.

        Where nothing else is left, it stays for what other workers hold, until it is seen
        that they live: what a dead one had is done before this ends.
        """
        patience_ms: int | None = None
        while not self.is_stopped():
            if leases := self.queue.claim():
                patience_ms = None
                yield await self._dispatched(leases[0])
                continue
            if not wait:
                if patience_ms is None:
                    patience_ms = self._last_lease_ms()
                if self._now_ms() > patience_ms:
                    return
            await self.sleep(POLL_S)

    async def _dispatched(self, lease: Lease) -> Dispatched:
        try:
            with self.keep(lease):
                built = await self._step(lease.job)
        except (InputError, IntegrityError) as error:
            return self._park(lease, one_line(error))
        except OutsideError as error:
            at_ms = self._now_ms() + AFTER_TROUBLE_MS
            return self._again(lease, Did.WAITS, at_ms, one_line(error))
        return self._settled(lease, built)

    async def _step(self, job: Job) -> Built | None:
        """The phases that are left and one round of the diagnosis; ``None``: stopped before."""
        while not self.is_stopped():
            if not run_next_phase(job.case_id, job.package_id, self.desk):
                return await self.desk.builder.build(job.case_id, job.package_id, self.retry_id)
        return None

    def _settled(self, lease: Lease, built: Built | None) -> Dispatched:
        now_ms = self._now_ms()
        match built:
            case None:
                return self._again(lease, Did.STOPPED, now_ms, "the phases so far are kept")
            case Published(diagnosis=diagnosis):
                if self.queue.complete([lease]):
                    return _lost(lease)
                return Dispatched(lease.job, Did.PUBLISHED, diagnosis.status.value)
            case Rejected(left=left):
                told = f"the decision was invalid; attempts left: {left}"
                return self._again(lease, Did.REJECTED, now_ms, told)
            case Blocked(eligible_at_ms=None):
                return self._park(lease, _because(built))
            case Blocked(because=because, eligible_at_ms=int(at_ms)):
                soonest_ms = now_ms + HELD_MS if because is Because.HELD else now_ms
                return self._again(lease, Did.WAITS, max(at_ms, soonest_ms), _because(built))
        raise AssertionError(f"no such outcome: {built!r}")

    def _again(self, lease: Lease, did: Did, at_ms: int, told: str) -> Dispatched:
        if not self.queue.defer_until(lease, at_ms):
            return _lost(lease)
        return Dispatched(lease.job, did, told, at_ms)

    def _park(self, lease: Lease, reason: str) -> Dispatched:
        if not self.queue.park(lease, reason):
            return _lost(lease)
        return Dispatched(lease.job, Did.PARKED, reason)

    def _last_lease_ms(self) -> int:
        """When the last lease that somebody holds ends; long ago if nobody holds any."""
        held = (one for one in self.queue.entries() if one.standing is Standing.LEASED)
        return max((one.due_ms for one in held), default=0)

    def _now_ms(self) -> int:
        return self.desk.clock.now_ms()


def _lost(lease: Lease) -> Dispatched:
    return Dispatched(lease.job, Did.LOST, "another worker was given the job meanwhile")


def _because(blocked: Blocked) -> str:
    failures = "; ".join(f"{one.code}: {one.detail}" for one in blocked.failures)
    told = f"no decision came ({blocked.because.value})"
    return f"{told}: {failures}" if failures else told
