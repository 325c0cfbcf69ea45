"""Many new files at once: each is put as ``posix`` puts one, and they share their syncs.

Order, for a batch of files (each step is done before the next begins):

1. the folders, each level synced once before anything is put into it;
2. a side file for every file, written; then all of them synced, several at a time, which a
   journalling file system settles in a few commits;
3. every target, as a hard link to its side file: the commit point of each;
4. the folders of the batch, synced; then the side files go;
5. at last every folder on the way is synced once more.

A crash leaves names that are whole, names that are not there, and side files.
"""

import contextlib
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

from witmark.adapters.disk.inside import (
    SIDE,
    is_empty,
    opened,
    opened_inside,
    refuse_if_there,
    seat,
    write_all,
)

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_AT_ONCE = 64  # files of a batch; each takes a handle, and some systems allow 256
_SYNCING = 16  # threads; they only wait

Parts = tuple[str, ...]


def write_many(root: Path, files: Mapping[str, bytes]) -> None:
    """Make names durable below a folder that is there, each whole or not at all.

    Raises:
        FileExistsError: a name was there first.
        NotAPlainFileError: a link or a file stands where a folder should.
        OSError: the system refused.
    """
    names = sorted(files, key=lambda name: tuple(name.split("/")))
    folders = {tuple(name.split("/")[:-1]) for name in names}
    _make_folders(root, folders)
    with ThreadPoolExecutor(_SYNCING) as pool:
        for start in range(0, len(names), _AT_ONCE):
            batch = names[start : start + _AT_ONCE]
            _write_batch(root, {name: files[name] for name in batch}, pool)
        _sync(root, sorted(_with_parents(folders), reverse=True), pool)


def _make_folders(root: Path, folders: Iterable[Parts]) -> None:
    wanted = sorted((one for one in _with_parents(folders) if one), key=lambda one: one[:-1])
    by_depth = sorted(wanted, key=len)
    for parent, children in groupby(by_depth, key=lambda one: one[:-1]):
        with opened(root, parent) as folder:
            made = [_is_made(folder, child[-1]) for child in children]
            if any(made):
                os.fsync(folder)


def _is_made(folder: int, name: str) -> bool:
    """Make a folder; whether its name may not be durable yet, for an empty one is nobody's."""
    try:
        os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        with opened_inside(folder, name) as inner:
            return is_empty(inner)
    return True


def _with_parents(folders: Iterable[Parts]) -> set[Parts]:
    return {one[:depth] for one in folders for depth in range(len(one) + 1)}


def _write_batch(root: Path, files: Mapping[str, bytes], pool: ThreadPoolExecutor) -> None:
    with contextlib.ExitStack() as stack:
        handles: list[int] = []
        sides: list[tuple[int, str, str]] = []
        for folders, names in groupby(files, key=lambda name: name.split("/")[:-1]):
            folder = stack.enter_context(opened(root, folders))
            for name in names:
                last = name.rsplit("/", 1)[-1]
                refuse_if_there(folder, last)
                side = f".{secrets.token_hex(8)}{SIDE}"
                handle = stack.enter_context(_side(folder, side))
                write_all(handle, files[name])
                handles.append(handle)
                sides.append((folder, side, last))
        list(pool.map(os.fsync, handles))
        for folder, side, last in sides:
            seat(folder, side, last)
        # a side file says that the name beside it may not be durable, so it goes after this
        list(pool.map(os.fsync, sorted({folder for folder, _, _ in sides})))


@contextlib.contextmanager
def _side(folder: int, side: str) -> Iterator[int]:
    """Hold open a new side file; it is gone afterwards, whether it was seated or not."""
    try:
        handle = os.open(side, _CREATE, 0o666, dir_fd=folder)
        try:
            yield handle
        finally:
            os.close(handle)
    finally:
        with contextlib.suppress(FileNotFoundError):  # it was renamed, or never made
            os.unlink(side, dir_fd=folder)


def _sync(root: Path, folders: Iterable[Parts], pool: ThreadPoolExecutor) -> None:
    def one(parts: Parts) -> None:
        with opened(root, parts) as folder:
            os.fsync(folder)

    list(pool.map(one, folders))
