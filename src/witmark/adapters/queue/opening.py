"""How the queue's file is opened: made, brought up to date, or refused with the way out.

``PRAGMA user_version`` is the number of steps a file has been through. A step, once released,
is never edited. Every commit is on the disk when it returns (WAL, ``synchronous = FULL``):
a lease that another worker could be given again is no lease.
"""

from collections.abc import Sequence
from pathlib import Path

import apsw

from witmark.adapters.queue.errors import NewerQueueError, NotAQueueError, refusals

BUSY_MS = 30_000
"""How long a worker waits for the others; each holds the file for a few milliseconds."""

APPLICATION = 0x57697451  # "WitQ"; tells the queue from files of other programs

STEPS: Sequence[str] = (
    """
    CREATE TABLE fence(last INTEGER NOT NULL);
    INSERT INTO fence VALUES (0);
    CREATE TABLE job(
      case_id TEXT NOT NULL, package_id TEXT NOT NULL, revision INTEGER NOT NULL,
      standing TEXT NOT NULL CHECK (standing IN ('waiting', 'leased', 'parked')),
      due_ms INTEGER NOT NULL, fence INTEGER NOT NULL, lapses INTEGER NOT NULL,
      reason TEXT NOT NULL, PRIMARY KEY (case_id, package_id)) WITHOUT ROWID;
    CREATE INDEX job_due ON job(due_ms) WHERE standing <> 'parked';
    """,
)


def opened(path: Path) -> apsw.Connection:
    """Open the queue, making its folder and the file where they are missing.

    Raises:
        NewerQueueError: a later version wrote it.
        NotAQueueError: another program wrote it.
        DamagedQueueError: it is not a whole database.
        QueueBusyError: another process is bringing it up to date, and does not end.
        DiskError: the disk refuses.
    """
    with refusals(path):
        db = apsw.Connection(str(path))
        try:
            db.set_busy_timeout(BUSY_MS)
            _check(db, path)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            _bring_up_to_date(db, path)
        except BaseException:
            db.close()
            raise
        return db


def _bring_up_to_date(db: apsw.Connection, path: Path) -> None:
    if _number(db, "user_version") == len(STEPS):
        return
    db.execute("BEGIN IMMEDIATE")  # an error closes the connection, which undoes it
    for step in STEPS[_check(db, path) :]:
        db.execute(step)
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {len(STEPS)}")
    db.execute("COMMIT")


def _check(db: apsw.Connection, path: Path) -> int:
    """Return how many steps the file has been through; refuse what is not for us."""
    version, application = _number(db, "user_version"), _number(db, "application_id")
    if application != APPLICATION and (version or _number(db, "schema_version")):
        raise NotAQueueError(path)
    if version > len(STEPS):
        raise NewerQueueError(path, version, len(STEPS))
    return version


def _number(db: apsw.Connection, pragma: str) -> int:
    [(number,)] = db.execute(f"PRAGMA {pragma}")
    return int(number)
