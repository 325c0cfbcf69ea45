"""What SQLite's refusals mean to whoever runs a worker. A lost queue is never a lost case."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import apsw

from witmark.kernel.errors import (
    DiskError,
    InputError,
    IntegrityError,
    OutsideError,
    WitmarkError,
)

_REBUILD = (
    "move {path} away and run `witmark work --rebuild`: the cases know what is unfinished"
)


class QueueBusyError(OutsideError):
    """Other workers write to the queue all the time, and we did not get our turn."""

    code = "outside.queue-busy"
    hint = "nothing was changed; run again, with fewer workers at once"

    def __init__(self, path: Path) -> None:
        super().__init__("other processes are writing to it", place=str(path))


class NewerQueueError(InputError):
    """A later version of this program made the queue."""

    code = "input.newer-queue"

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"written by a newer version (format {found}, this one knows up to {known})",
            place=str(path),
            hint=f"use the newer version, or {_REBUILD.format(path=path)}",
        )


class NotAQueueError(InputError):
    """A file of another program stands where the queue should be."""

    code = "input.not-a-queue"
    hint = "move that file away"

    def __init__(self, path: Path) -> None:
        super().__init__("not written by this program", place=str(path))


class DamagedQueueError(IntegrityError):
    """The file is not a whole database any more."""

    code = "integrity.damaged-queue"

    def __init__(self, path: Path, because: str) -> None:
        super().__init__(
            f"damaged: {because}", place=str(path), hint=_REBUILD.format(path=path)
        )


@contextlib.contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Translate what SQLite says, once."""
    try:
        yield
    except REFUSED as error:
        raise refusal(error, path) from error


def refusal(error: BaseException, path: Path) -> WitmarkError:
    """What one of ``REFUSED`` means."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return QueueBusyError(path)
    if isinstance(error, apsw.FullError):
        return DiskError("no space left on device", place=str(path))
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError | apsw.CantOpenError):
        hint = "set WITMARK_HOME to a place you may read and write"
        return DiskError("cannot be opened for writing", place=str(path), hint=hint)
    if isinstance(error, apsw.IOError):
        return DiskError(f"the disk refused: {error}", place=str(path))
    return DamagedQueueError(path, str(error))


REFUSED = (
    apsw.BusyError,
    apsw.LockedError,
    apsw.FullError,
    apsw.ReadOnlyError,
    apsw.PermissionsError,
    apsw.CantOpenError,
    apsw.IOError,
    apsw.CorruptError,
    apsw.NotADBError,
)
"""What SQLite says, and everybody else hears in our own words."""
