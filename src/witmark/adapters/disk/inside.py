"""Steps of a write, for those who make files: folders opened in order, a file by the side.

Folders are opened one by one, relative to the one before and never through a symbolic link,
so what happens to the path while we work cannot lead us out of the root.
"""

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from witmark.adapters.disk.renaming import rename_new
from witmark.kernel.errors import NotAPlainFileError

SIDE = ".side"

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LINKS_REFUSED = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES)


def make_folder(folder: Path) -> None:
    """Make a folder durable; while its parent is not synced it can vanish, full.

    Nothing is put into a folder before its own name is synced. So one that holds something
    is durable, and one that is empty may have been made by a writer who died too early.
    """
    if folder.is_dir():
        if is_empty(folder):
            with contextlib.suppress(PermissionError):  # its parent is not ours to open
                sync_folder(folder.parent)
        return
    make_folder(folder.parent)
    with contextlib.suppress(FileExistsError):  # another writer made it meanwhile
        folder.mkdir()
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def opened(root: Path, folders: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """Hold open the folder at the end of the way, having followed no link after the root."""
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for number, part in enumerate(folders):
            is_new = make and _make_inside(handle, part)
            try:
                inner = os.open(part, _FOLDER, dir_fd=handle)
            except OSError as error:
                if error.errno in (errno.ENOTDIR, errno.ELOOP):
                    raise NotAPlainFileError("/".join(folders[: number + 1])) from error
                raise
            try:
                if make and (is_new or is_empty(inner)):
                    os.fsync(handle)
            finally:
                os.close(handle)
                handle = inner
        yield handle
    finally:
        os.close(handle)


@contextlib.contextmanager
def opened_inside(folder: int, name: str) -> Iterator[int]:
    """Hold open a folder in an open one.

    Raises:
        NotAPlainFileError: a link or a file stands there.
    """
    try:
        handle = os.open(name, _FOLDER, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            raise NotAPlainFileError(name) from error
        raise
    try:
        yield handle
    finally:
        os.close(handle)


def _make_inside(folder: int, name: str) -> bool:
    try:
        os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        return False
    return True


def is_empty(folder: int | Path) -> bool:
    """Whether a folder holds nothing yet; then its own name may not be durable."""
    with os.scandir(folder) as found:
        return next(found, None) is None


def refuse_if_there(folder: int, last: str) -> None:
    """Save the writing where the link would be refused anyway; the link decides."""
    with contextlib.suppress(FileNotFoundError):
        if os.stat(last, dir_fd=folder, follow_symlinks=False).st_nlink > 1:
            os.fsync(folder)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), last)


def seat(folder: int, side: str, last: str) -> None:
    """Give a side file its name, which nothing has yet: the commit point."""
    try:
        os.link(side, last, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except FileExistsError:
        os.fsync(folder)  # another writer's, made this very moment
        raise
    except OSError as error:
        if error.errno not in _LINKS_REFUSED:
            raise
        rename_new(side, last, folder=folder)  # exFAT and some shares know no links


def write_all(handle: int, data: bytes) -> None:
    """Write every byte, however few the system takes at a time."""
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]
