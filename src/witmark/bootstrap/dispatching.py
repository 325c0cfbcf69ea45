"""Wires the queue of jobs: one file in the data folder, shared by every worker."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence

from witmark.adapters.clock import SystemClock
from witmark.adapters.queue import SqliteQueue
from witmark.adapters.queue.leases import LEASE_MS
from witmark.bootstrap.case_packages import opened, packages
from witmark.bootstrap.home import home
from witmark.bootstrap.workspaces import made
from witmark.diagnosis.case import CaseId, Manifest, PackageId
from witmark.diagnosis.dispatch import Job, Lease
from witmark.kernel.errors import OutsideError, WitmarkError

QUEUE_FILE = "queue.sqlite3"

_BEATS = 3
"""How often a lease is renewed while it lasts: two may be missed."""


@contextlib.contextmanager
def open_queue() -> Iterator[SqliteQueue]:
    """The queue of this data folder; made where there is none.

    Raises:
        UnwritableError: the data folder cannot be made.
        WitmarkError: as ``SqliteQueue`` says.
    """
    queue = SqliteQueue(made(home()) / QUEUE_FILE, SystemClock())
    try:
        yield queue
    finally:
        queue.close()


def keeper(queue: SqliteQueue) -> Callable[[Lease], contextlib.AbstractContextManager[None]]:
    """Holds a lease in a thread of its own, while the worker is busy or waits for a model."""

    @contextlib.contextmanager
    def keep(lease: Lease) -> Iterator[None]:
        ended = threading.Event()

        def beat() -> None:
            while not ended.wait(LEASE_MS / _BEATS / 1000):
                with contextlib.suppress(OutsideError):  # the next beat tries again; whether
                    queue.renew([lease])  # the lease is still ours, its fence says at the end

        thread = threading.Thread(target=beat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    return keep


def job_of(case_id: CaseId, package_id: PackageId) -> Job | None:
    """What is to be done for a package now; ``None``: it is diagnosed."""
    return _job(opened(case_id, package_id).manifest())


def unfinished() -> tuple[Sequence[Job], Sequence[tuple[str, WitmarkError]]]:
    """What is to be done for every package there is, and which of them cannot be read."""
    jobs, unreadable = [], []
    for case, package, manifest in packages():
        if isinstance(manifest, WitmarkError):
            unreadable.append((f"{case}/{package}", manifest))
        elif (job := _job(manifest)) is not None:
            jobs.append(job)
    return jobs, unreadable


def _job(manifest: Manifest) -> Job | None:
    if "diagnosis" in manifest.pointers:
        return None
    return Job(manifest.case_id, manifest.package_id, manifest.revision)
