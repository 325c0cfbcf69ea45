"""A queue of jobs wholly in memory."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from witmark.diagnosis.case import CaseId, PackageId
from witmark.diagnosis.dispatch import LAPSED, MOST_LAPSES, Entry, Job, Lease, Standing
from witmark.diagnosis.ports import Clock


@dataclass(frozen=True, slots=True)
class _Row:
    entry: Entry
    fence: int = 0


class MemoryQueue:
    """A ``DispatchPort`` in a dict."""

    def __init__(
        self, clock: Clock, *, lease_ms: int = 30_000, most_lapses: int = MOST_LAPSES
    ) -> None:
        self._clock, self._lease_ms, self._most_lapses = clock, lease_ms, most_lapses
        self._rows: dict[tuple[CaseId, PackageId], _Row] = {}
        self._fence = 0
        self._lock = threading.Lock()

    def enqueue(self, jobs: Iterable[Job]) -> Sequence[Job]:
        """Have jobs done; those that were not in the queue come back."""
        with self._lock:
            return [job for job in sorted(set(jobs)) if self._put(job)]

    def claim(self, most: int = 1) -> Sequence[Lease]:
        """Take at most so many eligible jobs, the longest eligible first."""
        with self._lock:
            now_ms = self._clock.now_ms()
            due = [
                row.entry
                for row in self._rows.values()
                if row.entry.standing is not Standing.PARKED and row.entry.due_ms <= now_ms
            ]
            leases: list[Lease] = []
            for entry in sorted(due, key=lambda one: (one.due_ms, one.job)):
                if len(leases) < most and (lease := self._lease(entry, now_ms)) is not None:
                    leases.append(lease)
            return leases

    def renew(self, leases: Iterable[Lease]) -> Sequence[Lease]:
        """Hold leases for longer; lost ones are missing."""
        with self._lock:
            until_ms = self._clock.now_ms() + self._lease_ms
            renewed = []
            for lease in leases:
                if (row := self._held(lease)) is not None:
                    entry = replace(row.entry, due_ms=until_ms)
                    self._rows[_key(lease.job)] = replace(row, entry=entry)
                    renewed.append(replace(lease, until_ms=until_ms))
            return renewed

    def complete(self, leases: Iterable[Lease]) -> Sequence[Lease]:
        """Take jobs out; refused ones come back."""
        with self._lock:
            return [lease for lease in leases if not self._complete(lease)]

    def defer_until(self, lease: Lease, eligible_at_ms: int) -> bool:
        """Give a job back for later."""
        return self._settle(lease, Standing.WAITING, eligible_at_ms, "")

    def park(self, lease: Lease, reason: str) -> bool:
        """Lay a job aside."""
        return self._settle(lease, Standing.PARKED, self._clock.now_ms(), reason)

    def entries(self) -> Sequence[Entry]:
        """Every job, sorted."""
        with self._lock:
            return [self._rows[key].entry for key in sorted(self._rows)]

    def _put(self, job: Job) -> bool:
        row = self._rows.get(_key(job))
        if row is not None and row.entry.standing is not Standing.PARKED:
            newest = max(job, row.entry.job)
            self._rows[_key(job)] = replace(row, entry=replace(row.entry, job=newest))
            return False
        self._rows[_key(job)] = _Row(Entry(job, Standing.WAITING, self._clock.now_ms()))
        return True

    def _lease(self, entry: Entry, now_ms: int) -> Lease | None:
        lapses = entry.lapses + (entry.standing is Standing.LEASED)
        if lapses >= self._most_lapses:
            why = LAPSED.format(lapses=lapses)
            parked = Entry(entry.job, Standing.PARKED, now_ms, lapses, why)
            self._rows[_key(entry.job)] = _Row(parked)
            return None
        self._fence += 1
        until_ms = now_ms + self._lease_ms
        taken = Entry(entry.job, Standing.LEASED, until_ms, lapses)
        self._rows[_key(entry.job)] = _Row(taken, self._fence)
        return Lease(entry.job, self._fence, until_ms)

    def _complete(self, lease: Lease) -> bool:
        row = self._held(lease)
        if row is None:
            return False
        if row.entry.job.revision > lease.job.revision:
            waiting = Entry(row.entry.job, Standing.WAITING, self._clock.now_ms())
            self._rows[_key(lease.job)] = _Row(waiting)
        else:
            del self._rows[_key(lease.job)]
        return True

    def _settle(self, lease: Lease, standing: Standing, due_ms: int, reason: str) -> bool:
        with self._lock:
            row = self._held(lease)
            if row is None:
                return False
            entry = Entry(row.entry.job, standing, due_ms, reason=reason)
            self._rows[_key(lease.job)] = _Row(entry)
            return True

    def _held(self, lease: Lease) -> _Row | None:
        row = self._rows.get(_key(lease.job))
        return row if row is not None and row.fence == lease.fence else None


def _key(job: Job) -> tuple[CaseId, PackageId]:
    return job.case_id, job.package_id
