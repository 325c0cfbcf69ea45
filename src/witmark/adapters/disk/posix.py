"""Files that are there whole or not at all, and that no link can lead astray.

Write order for one name (each step is done before the next begins):

1. a side file ``.<random>.side`` beside the target, created exclusively, written, synced;
2. the target, as a hard link to the side file: this is the commit point, and it refuses
   to overwrite;
3. the folder is synced;
4. the side file goes. So a name with one link alone is durable, and whoever finds one with
   two syncs the folder before building upon it (a writer may have died between 2 and 3).

A crash before 2 leaves a side file: no listing of names shows it, ``sweep_side_files``
removes it. A crash after 2 may leave both; the target is whole.

A record grows at its end instead (``lines``): one line, one sync, no side file.

Many new files at once share their syncs (``many``). How folders are opened stands in
``inside``: never through a link.
"""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from witmark.adapters.disk import lines
from witmark.adapters.disk.inside import (
    SIDE,
    make_folder,
    opened,
    refuse_if_there,
    seat,
    write_all,
)
from witmark.adapters.disk.many import write_many
from witmark.adapters.disk.refusals import disk_error
from witmark.kernel.errors import NotAPlainFileError
from witmark.kernel.store import check_name, check_prefix

_LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe must not hold us
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_GROW = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class PosixDisk:
    """A folder as a disk. Keeps the promises of ``witmark.kernel.store.Disk``.

    Args:
        root: The folder; it is made, durably, at the first write. The way to it may
            lead through links, the way inside it never does. Its path may be any bytes.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def write_new(self, name: str, data: bytes) -> None:
        """Make ``name`` durable with these bytes, whole or not at all."""
        *folders, last = check_name(name).split("/")
        with self._refusals(name):
            make_folder(self._root)
            with opened(self._root, folders, make=True) as folder:
                refuse_if_there(folder, last)
                _write_by_the_side(folder, last, data)

    def write_all_new(self, files: Mapping[str, bytes]) -> None:
        """Make many names durable, each whole or not at all, with few syncs."""
        for name in files:
            check_name(name)
        if not files:
            return
        with self._refusals("."):
            make_folder(self._root)
            write_many(self._root, files)

    def read(self, name: str) -> bytes | None:
        """Return the bytes, or ``None`` if there is no such name."""
        *folders, last = check_name(name).split("/")
        with self._refusals(name):
            try:
                with opened(self._root, folders) as folder:
                    return _read(folder, last, name)
            except FileNotFoundError:
                return None

    def names(self, prefix: str) -> list[str]:
        """List the names directly in a folder, sorted; hidden files are not names."""
        found = self._entries(check_prefix(prefix))
        return sorted(prefix + n for n, is_folder in found if not is_folder and n[0] != ".")

    def walk(self, prefix: str = "") -> list[str]:
        """List everything below a folder, sorted: hidden and side files and links too."""
        found: list[str] = []
        waiting = [check_prefix(prefix)]
        while waiting:
            here = waiting.pop()
            for name, is_folder in self._entries(here):
                if is_folder:
                    waiting.append(f"{here}{name}/")
                else:
                    found.append(here + name)
        return sorted(found)

    def remove(self, name: str) -> None:
        """Make ``name`` be gone, durably; a name that is not there is gone already."""
        *folders, last = check_name(name).split("/")
        self._unlink(name, folders, last)

    def add_line(self, name: str, line: bytes, *, at: int) -> None:
        """Make a line durable at the end of ``name``, whole or, after a crash, torn."""
        *folders, last = check_name(name).split("/")
        with self._refusals(name):
            make_folder(self._root)
            with (
                opened(self._root, folders, make=True) as folder,
                _plain(folder, last, _GROW, name) as handle,
            ):
                lines.add(handle, line, at=at, folder=folder)

    def sync(self, name: str) -> None:
        """Make durable whatever can be read of a record; none is no error."""
        *folders, last = check_name(name).split("/")
        with (
            self._refusals(name),
            contextlib.suppress(FileNotFoundError),
            opened(self._root, folders) as folder,
            _plain(folder, last, _LOOK, name) as handle,
        ):
            os.fsync(handle)

    @contextlib.contextmanager
    def held(self, name: str) -> Iterator[bool]:
        """Hold a name against everybody else, or say at once that somebody has it."""
        *folders, last = check_name(name).split("/")
        with contextlib.ExitStack() as stack:
            with self._refusals(name):
                make_folder(self._root)
                folder = stack.enter_context(opened(self._root, folders, make=True))
                handle = stack.enter_context(_plain(folder, last, _GROW, name))
                is_ours = lines.claim(handle)
            yield is_ours

    def sweep_side_files(self, *, before_s: float) -> list[str]:
        """Remove what crashed writers left by the side; return the names.

        Args:
            before_s: Seconds since 1970. Younger side files may belong to a writer that
                is still at work and stay; an hour ago is a safe choice.
        """
        swept = []
        for name in self.walk():
            *folders, last = name.split("/")
            if is_side_file(last) and self._written_s(folders, last) < before_s:
                self._unlink(name, folders, last)
                swept.append(name)
        return swept

    def _entries(self, prefix: str) -> list[tuple[str, bool]]:
        with self._refusals(prefix or "."):
            try:
                with (
                    opened(self._root, prefix.split("/")[:-1]) as folder,
                    os.scandir(folder) as found,
                ):
                    return [(e.name, e.is_dir(follow_symlinks=False)) for e in found]
            except FileNotFoundError:
                return []

    def _written_s(self, folders: list[str], last: str) -> float:
        with opened(self._root, folders) as folder:
            return os.stat(last, dir_fd=folder, follow_symlinks=False).st_mtime

    def _unlink(self, name: str, folders: list[str], last: str) -> None:
        with (
            self._refusals(name),
            contextlib.suppress(FileNotFoundError),
            opened(self._root, folders) as folder,
        ):
            if is_side_file(last):
                os.fsync(folder)  # the name beside it may have been waiting for just this
            os.unlink(last, dir_fd=folder)
            os.fsync(folder)

    @contextlib.contextmanager
    def _refusals(self, name: str) -> Iterator[None]:
        """Translate what the system says, once; "already there" is an answer of the port."""
        try:
            yield
        except FileExistsError:
            raise
        except OSError as error:
            raise disk_error(error, str(self._root / name)) from error


def is_side_file(last: str) -> bool:
    """Whether a file of this name is one that a writer puts by the side."""
    return last.startswith(".") and last.endswith(SIDE)


def _write_by_the_side(folder: int, last: str, data: bytes) -> None:
    side = f".{secrets.token_hex(8)}{SIDE}"
    try:
        handle = os.open(side, _CREATE, 0o666, dir_fd=folder)
        try:
            write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        seat(folder, side, last)
    except BaseException:
        _forget(folder, side)
        raise
    os.fsync(folder)
    _forget(folder, side)


def _forget(folder: int, side: str) -> None:
    with contextlib.suppress(FileNotFoundError):  # it was renamed, or never made
        os.unlink(side, dir_fd=folder)


def _read(folder: int, last: str, name: str) -> bytes:
    with _plain(folder, last, _LOOK, name) as handle:
        return _read_all(handle)


@contextlib.contextmanager
def _plain(folder: int, last: str, how: int, name: str) -> Iterator[int]:
    """Hold open a plain file, and nothing that only looks like one."""
    try:
        handle = os.open(last, how, 0o666, dir_fd=folder)
    except OSError as error:
        if error.errno in (
            errno.ELOOP,
            errno.ENXIO,
            errno.EISDIR,
        ):  # a link; a socket; a folder
            raise NotAPlainFileError(name) from error
        raise
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise NotAPlainFileError(name)
        yield handle
    finally:
        os.close(handle)


def _read_all(handle: int) -> bytes:
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)
