"""Turns at one connection: who reads sees one state of the file, from beginning to end.

A reading within a reading is the same reading. So an answer, which reads some fifty times,
begins and ends one transaction, and nothing changes under it.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

import apsw

from witmark.adapters.sqlite.errors import REFUSED, refusal

V = TypeVar("V")


@dataclass(slots=True)
class Reading(Generic[V]):
    """A context manager, entered as often as one likes.

    Attributes:
        path: The file.
        db: Its connection.
        lock: Held by whoever has the turn.
        look: Says what is kept of the state that has just begun to be read.
        loses: What the loss of the file means.
    """

    path: Path
    db: apsw.Connection
    lock: "threading.RLock"
    look: Callable[[], V]
    loses: str
    _depth: int = 0
    _seen: list[V] = field(default_factory=list)  # one while a transaction is open

    def __enter__(self) -> tuple[apsw.Connection, V]:
        self.lock.acquire()
        try:
            if not self._seen or not self.db.in_transaction:  # a refusal may have ended it
                self._begin()
        except BaseException as error:
            self._leave(error)
            raise
        self._depth += 1
        return self.db, self._seen[0]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._depth -= 1
        self._leave(error)

    def _begin(self) -> None:
        self._seen.clear()
        self.db.execute("BEGIN")
        self._seen.append(self.look())

    def _leave(self, error: BaseException | None) -> None:
        """End what the outermost has begun, or what could not be begun."""
        try:
            if not self._depth or not self._seen:
                self._seen.clear()
                if self.db.in_transaction:
                    self.db.execute("COMMIT")
        except REFUSED as refused:
            error = error or refused
        finally:
            self.lock.release()
        if isinstance(error, REFUSED):
            raise refusal(error, self.path, loses=self.loses) from error
