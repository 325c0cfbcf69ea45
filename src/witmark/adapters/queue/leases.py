"""Jobs and leases as rows. Each call is one transaction that begins by taking the write lock.

That lock is what makes a claim exclusive: who reads which jobs are due holds it until they
are leased. Read first and lock afterwards, and two workers are given the same job.
"""

import contextlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import apsw

from witmark.adapters.queue.errors import REFUSED, refusal, refusals
from witmark.adapters.queue.opening import opened
from witmark.diagnosis.case import CaseId, PackageId
from witmark.diagnosis.dispatch import LAPSED, MOST_LAPSES, Entry, Job, Lease, Standing
from witmark.diagnosis.ports import Clock

LEASE_MS = 15_000
"""How long a worker that fell silent keeps a job from the others; a living one renews."""

_DUE = """
    SELECT case_id, package_id, revision, standing, lapses FROM job
    WHERE standing <> 'parked' AND due_ms <= ?
    ORDER BY due_ms, case_id, package_id LIMIT ?
"""
_LEASE = """
    UPDATE job SET standing = 'leased', due_ms = ?, fence = ?, lapses = ?
    WHERE case_id = ? AND package_id = ?
"""
_GIVE_UP = """
    UPDATE job SET standing = 'parked', due_ms = ?, lapses = ?, reason = ?
    WHERE case_id = ? AND package_id = ?
"""
# What the holder of a lease may do to his job, as long as nobody else was given it.
_RENEW = """
    UPDATE job SET due_ms = ?
    WHERE case_id = ? AND package_id = ? AND standing = 'leased' AND fence = ?
"""
_SETTLE = """
    UPDATE job SET standing = ?, due_ms = ?, reason = ?, lapses = 0
    WHERE case_id = ? AND package_id = ? AND standing = 'leased' AND fence = ?
"""
_COMPLETE = """
    DELETE FROM job WHERE revision <= ?
    AND case_id = ? AND package_id = ? AND standing = 'leased' AND fence = ?
"""
_DO_ANEW = """
    UPDATE job SET standing = 'waiting', due_ms = ?, lapses = 0
    WHERE case_id = ? AND package_id = ? AND standing = 'leased' AND fence = ?
"""


class SqliteQueue:
    """A ``DispatchPort`` in one SQLite file; many processes may share it.

    Args:
        path: The file; its folder must be there.
        clock: What time it is. All workers of a file must go by the same one.
        lease_ms: How long a lease lasts unless it is renewed.
        most_lapses: A job whose lease lapsed so often in a row is parked.

    Raises:
        WitmarkError: as ``opening.opened`` says; every call may raise ``QueueBusyError``,
            ``DiskError`` or ``DamagedQueueError``, and has then changed nothing.
    """

    def __init__(
        self,
        path: Path,
        clock: Clock,
        *,
        lease_ms: int = LEASE_MS,
        most_lapses: int = MOST_LAPSES,
    ) -> None:
        self._path, self._clock = path, clock
        self._lease_ms, self._most_lapses = lease_ms, most_lapses
        self._lock = threading.RLock()  # one connection, one thread at a time
        self._db = opened(path)

    def enqueue(self, jobs: Iterable[Job]) -> Sequence[Job]:
        """Have jobs done, from now on; those that were not in the queue come back."""
        with self._writing() as db:
            now_ms = self._clock.now_ms()
            return [job for job in sorted(set(jobs)) if _put(db, job, now_ms)]

    def claim(self, most: int = 1) -> Sequence[Lease]:
        """Take at most so many eligible jobs, the longest eligible first, then by id."""
        leases: list[Lease] = []
        with self._writing() as db:
            now_ms = self._clock.now_ms()
            while left := most - len(leases):
                if not (rows := list(db.execute(_DUE, (now_ms, left)))):
                    break
                fence = _fences(db, len(rows), now_ms)
                for at, row in enumerate(rows):
                    if (lease := self._lease(row, fence + at, now_ms)) is not None:
                        leases.append(lease)
        return leases

    def renew(self, leases: Iterable[Lease]) -> Sequence[Lease]:
        """Hold leases for longer; those that are not ours any more are missing."""
        with self._writing() as db:
            until_ms = self._clock.now_ms() + self._lease_ms
            renewed = [lease for lease in leases if _changed(db, _RENEW, (until_ms,), lease)]
        return [replace(lease, until_ms=until_ms) for lease in renewed]

    def complete(self, leases: Iterable[Lease]) -> Sequence[Lease]:
        """Take jobs out, for good; the leases that were refused come back."""
        with self._writing() as db:
            now_ms = self._clock.now_ms()
            return [lease for lease in leases if not _complete(db, lease, now_ms)]

    def defer_until(self, lease: Lease, eligible_at_ms: int) -> bool:
        """Give a job back, for whoever claims then; ``False``: it is not ours any more."""
        return self._settle(lease, Standing.WAITING, eligible_at_ms, "")

    def park(self, lease: Lease, reason: str) -> bool:
        """Lay a job aside until it is queued again; ``False``: it is not ours any more."""
        return self._settle(lease, Standing.PARKED, self._clock.now_ms(), reason)

    def entries(self) -> Sequence[Entry]:
        """Every job, sorted."""
        query = (
            "SELECT case_id, package_id, revision, standing, due_ms, lapses, reason FROM job"
        )
        with self._lock, refusals(self._path):
            rows = list(self._db.execute(f"{query} ORDER BY case_id, package_id"))
        return [
            Entry(Job(CaseId(case), PackageId(package), revision), Standing(standing), *rest)
            for case, package, revision, standing, *rest in rows
        ]

    def close(self) -> None:
        """Let go of the file. What is leased stays leased until its time is over."""
        with self._lock:
            self._db.close()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        """Hold the write lock; commit at the end, or leave everything as it was."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield self._db
                self._db.execute("COMMIT")
            except BaseException as error:
                if self._db.in_transaction:  # some refusals have rolled it back already
                    self._db.execute("ROLLBACK")
                if isinstance(error, REFUSED):
                    raise refusal(error, self._path) from error
                raise

    def _lease(
        self, row: tuple[str, str, int, str, int], fence: int, now_ms: int
    ) -> Lease | None:
        case, package, revision, standing, lapsed = row
        lapses = lapsed + (standing == Standing.LEASED)
        if lapses >= self._most_lapses:
            why = LAPSED.format(lapses=lapses)
            self._db.execute(_GIVE_UP, (now_ms, lapses, why, case, package))
            return None
        until_ms = now_ms + self._lease_ms
        self._db.execute(_LEASE, (until_ms, fence, lapses, case, package))
        return Lease(Job(CaseId(case), PackageId(package), revision), fence, until_ms)

    def _settle(self, lease: Lease, standing: Standing, due_ms: int, reason: str) -> bool:
        with self._writing() as db:
            return _changed(db, _SETTLE, (standing.value, due_ms, reason), lease)


def _put(db: apsw.Connection, job: Job, now_ms: int) -> bool:
    """Put a job in; ``False`` if it is waiting or leased already."""
    of = (job.case_id, job.package_id)
    query = "SELECT standing FROM job WHERE case_id = ? AND package_id = ?"
    found = db.execute(query, of).fetchone()
    if found is not None and found[0] != Standing.PARKED:
        newest = (
            "UPDATE job SET revision = max(revision, ?) WHERE case_id = ? AND package_id = ?"
        )
        db.execute(newest, (job.revision, *of))
        return False
    values = (*of, job.revision, Standing.WAITING.value, now_ms)
    db.execute("INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, 0, 0, '')", values)
    return True


def _fences(db: apsw.Connection, many: int, now_ms: int) -> int:
    """Use up so many fences; the first of them.

    They go on from the time where that is later, so that a queue that was lost and made anew
    gives none that a worker of the old one may still hold.
    """
    [(last,)] = db.execute(
        "UPDATE fence SET last = max(last, ?) + ? RETURNING last", (now_ms, many)
    )
    return int(last) - many + 1


def _complete(db: apsw.Connection, lease: Lease, now_ms: int) -> bool:
    """Take a job out, or have it done anew if a newer revision was queued meanwhile."""
    return _changed(db, _COMPLETE, (lease.job.revision,), lease) or _changed(
        db, _DO_ANEW, (now_ms,), lease
    )


def _changed(
    db: apsw.Connection, statement: str, values: tuple[int | str, ...], lease: Lease
) -> bool:
    """Whether a statement on a job in our hands found it there."""
    db.execute(statement, (*values, lease.job.case_id, lease.job.package_id, lease.fence))
    return db.changes() == 1
