"""Runs and sessions in a file of their own: what cannot be rebuilt must not share a fate."""

import contextlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

from witmark.adapters.sqlite.errors import RESTORE, refusals
from witmark.adapters.sqlite.opening import SHELF_STEPS, opened, transaction
from witmark.kernel.errors import EntryTakenError


class SqliteShelf:
    """A ``RunShelf`` in one SQLite file; what it has taken survives a power cut.

    Args:
        path: The file; its folder must be there.

    Raises:
        WitmarkError: as ``opened`` says.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()  # one connection, one thread at a time
        self._db = opened(path, SHELF_STEPS, loses=RESTORE, synchronous="FULL")

    def put_run(self, run_id: str, record: bytes) -> None:
        """Keep a run's record; the same bytes again are no error, others are refused.

        Raises:
            EntryTakenError: another record stands under this id.
        """
        with self._writing() as db:
            found = db.execute("SELECT record FROM run WHERE id = ?", (run_id,)).fetchone()
            if found is None:
                db.execute("INSERT INTO run(id, record) VALUES (?, ?)", (run_id, record))
            elif found[0] != record:
                raise EntryTakenError(f"run {run_id}")
            db.execute("INSERT OR REPLACE INTO last_run VALUES (1, ?)", (run_id,))

    def run(self, run_id: str) -> bytes | None:
        """Return a run's record, or ``None``."""
        found = self._all("SELECT record FROM run WHERE id = ?", run_id)
        return found[0][0] if found else None

    def run_ids(self) -> Sequence[str]:
        """Every run, oldest first."""
        return [name for (name,) in self._all("SELECT id FROM run ORDER BY no")]

    def last_run(self) -> str | None:
        """The run that was put last, new or not."""
        found = self._all("SELECT id FROM last_run")
        return found[0][0] if found else None

    def session(self, session_id: str) -> tuple[int, bytes] | None:
        """Return a session's version and state, or ``None``."""
        found = self._all("SELECT version, state FROM session WHERE id = ?", session_id)
        return (found[0][0], found[0][1]) if found else None

    def put_session(self, session_id: str, version: int, state: bytes) -> None:
        """Replace version ``version`` (0 for none) of a session by the next one.

        Raises:
            EntryTakenError: another writer was first.
        """
        with self._writing() as db:
            found = db.execute("SELECT version FROM session WHERE id = ?", (session_id,))
            if (found.fetchone() or (0,))[0] != version:
                raise EntryTakenError(f"session {session_id}")
            db.execute(
                "INSERT OR REPLACE INTO session VALUES (?, ?, ?)",
                (session_id, version + 1, state),
            )

    def session_ids(self) -> Iterable[str]:
        """Every session, sorted."""
        return sorted(name for (name,) in self._all("SELECT id FROM session"))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    def _all(self, query: str, *values: str) -> list[Any]:
        with self._lock, refusals(self._path, loses=RESTORE):
            return list(self._db.execute(query, values))

    @contextlib.contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        with self._lock, refusals(self._path, loses=RESTORE), transaction(self._db):
            yield self._db
