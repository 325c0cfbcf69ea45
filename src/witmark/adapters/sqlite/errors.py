"""What SQLite's refusals mean for the person in front of them."""

import contextlib
import zlib
from collections.abc import Iterator
from pathlib import Path

import apsw

from witmark.adapters.sqlite.seals import DamagedRowsError
from witmark.kernel.errors import (
    DiskError,
    InputError,
    IntegrityError,
    OutsideError,
    WitmarkError,
)


class LibraryBusyError(OutsideError):
    """Another process writes to this file and did not finish in time."""

    code = "outside.library-busy"
    hint = "nothing was changed; when the other process that uses it has ended, run again"

    def __init__(self, path: Path) -> None:
        super().__init__("another process is writing to it", place=str(path))


class LibraryChangedError(OutsideError):
    """What was asked for was there when it was found, and has gone since."""

    code = "outside.library-changed"
    hint = "the notes were ingested again meanwhile; ask again"

    def __init__(self, path: Path) -> None:
        super().__init__("changed while it was being read", place=str(path))


class NewerLibraryError(InputError):
    """The file was written by a later version of this program."""

    code = "input.newer-library"

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"written by a newer version (format {found}, this one knows up to {known})",
            place=str(path),
            hint=f"use the newer version, or delete {path} and ingest again",
        )


class NotALibraryError(InputError):
    """A file of another program stands where ours should be."""

    code = "input.not-a-library"
    hint = "name another place, or move that file away"

    def __init__(self, path: Path) -> None:
        super().__init__("not written by this program", place=str(path))


class DamagedLibraryError(IntegrityError):
    """The file is not a whole database any more, or holds what was never written to it."""

    code = "integrity.damaged-library"

    def __init__(self, path: Path, because: str, *, loses: str) -> None:
        super().__init__(f"damaged: {because}", place=str(path), hint=loses.format(path=path))


REBUILDS = (
    "delete {path}; the next ingest rebuilds it from the notes "
    "(imported edges go with it, import them again)"
)
"""What the loss of an index means."""

RESTORE = "restore {path} from a copy; no notes are in it, only runs and sessions"
"""What the loss of a shelf means."""


@contextlib.contextmanager
def refusals(path: Path, *, loses: str) -> Iterator[None]:
    """Translate what SQLite says, once."""
    try:
        yield
    except REFUSED as error:
        raise refusal(error, path, loses=loses) from error


def refusal(error: BaseException, path: Path, *, loses: str) -> WitmarkError:
    """What one of ``REFUSED`` means."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return LibraryBusyError(path)
    if isinstance(error, apsw.FullError):
        hint = "free some space and run again; nothing was changed"
        return DiskError("no space left on device", place=str(path), hint=hint)
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError | apsw.CantOpenError):
        hint = "choose a place you may read and write"
        return DiskError("cannot be opened for writing", place=str(path), hint=hint)
    if isinstance(error, apsw.IOError):
        return DiskError(f"the disk refused: {error}", place=str(path))
    return DamagedLibraryError(path, str(error), loses=loses)


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
    zlib.error,
    DamagedRowsError,
)
"""What SQLite and our own decoding say, and everybody else hears in our own words."""
