"""A folder that is built out of sight and put in its place whole.

Write order:

1. a hidden folder ``.<random>.staging`` beside the target; everything is written there;
2. its rename to the target, which refuses to overwrite: this is the commit point;
3. the parent folder is synced.

A crash before 2 leaves the hidden folder; ``sweep_staging`` removes it when it is stale.
Leaving the ``with`` block in any other way, Ctrl-C too, removes it at once.
"""

import contextlib
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from witmark.adapters.disk.inside import make_folder, sync_folder
from witmark.adapters.disk.posix import PosixDisk
from witmark.adapters.disk.refusals import disk_error
from witmark.adapters.disk.renaming import rename_new

STAGING = ".staging"


class Staging:
    """A hidden folder; ``disk`` writes into it, ``seat`` gives it its name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.disk = PosixDisk(folder)
        self.seated = False

    def seat(self, target: Path) -> None:
        """Put the folder in its place, whole, and stop writing to it.

        Raises:
            FileExistsError: something has that name. The folder stays hidden and whole,
                so another name may be tried.
            DiskError: the file system refused.
        """
        try:
            rename_new(self.folder, target)
            self.seated = True
            sync_folder(target.parent)
        except FileExistsError:
            raise
        except OSError as error:
            raise disk_error(error, str(target)) from error


@contextlib.contextmanager
def staging(parent: Path) -> Iterator[Staging]:
    """Open a hidden folder in ``parent``; it is gone afterwards unless it was seated.

    Args:
        parent: The folder that will hold the target; it is made if it is not there, and
            goes again with the hidden folder if nothing else has come into it.

    Raises:
        DiskError: the parent cannot be made or written to.
    """
    hidden = parent / f".{secrets.token_hex(8)}{STAGING}"
    missing = [folder for folder in (parent, *parent.parents) if not folder.exists()]
    try:
        try:
            make_folder(parent)
            hidden.mkdir()
        except OSError as error:
            raise disk_error(error, str(parent)) from error
        stage = Staging(hidden)
        yield stage
    finally:
        # After a seat there is nothing of that name. What cannot be removed is hidden
        # and will be swept; an error here would hide the one that brought us here.
        shutil.rmtree(hidden, ignore_errors=True)
        _remove_empty(missing)


def _remove_empty(folders: list[Path]) -> None:
    """Remove folders that we made on the way, from the inside, up to one that is in use."""
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:  # not empty: the target is in it, or somebody else's file
            return


def sweep_staging(parent: Path, *, before_s: float) -> list[Path]:
    """Remove the hidden folders that crashed runs left in ``parent``; return them.

    Args:
        parent: Where to look; not below it.
        before_s: Seconds since 1970. Younger ones may belong to a run still at work.
    """
    swept = []
    for hidden in sorted(parent.glob(f".*{STAGING}")):
        if not hidden.is_symlink() and hidden.stat().st_mtime < before_s:
            shutil.rmtree(hidden)
            swept.append(hidden)
    return swept
