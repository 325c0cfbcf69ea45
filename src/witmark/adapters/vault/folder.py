"""Markdown files below a folder, found and read without following a link out of it.

Folders are opened one by one, relative to the one before and never through a link, so
what happens to the path while we work cannot lead us elsewhere. A link to a file is
resolved first, and the file it means is then opened the same way from the root.
"""

import contextlib
import errno
import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from witmark.adapters.disk.refusals import disk_error
from witmark.answers.failures import (
    BAD_NAME,
    LINK_OUTSIDE,
    MOST_NOTE_BYTES,
    UNREADABLE,
    UnreadableNoteError,
    too_large,
)
from witmark.answers.ports import NoteFailure, NoteFile, Scan
from witmark.kernel.errors import InputError, NoSuchFolderError, visible

ENDINGS = (".md", ".markdown")

_ROOT = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FOLDER = _ROOT | os.O_NOFOLLOW
_LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe must not hold us
_CHUNK_BYTES = 1 << 20


class NoMarkdownError(InputError):
    """The folder is there, but nothing in it is a note."""

    code = "input.no-markdown"
    hint = "name the folder that holds your notes; hidden folders are not looked into"

    def __init__(self, folder: str) -> None:
        super().__init__("no Markdown file (.md or .markdown) in it", place=folder)


class FolderVault:
    """A folder of notes. Keeps the promises of ``witmark.answers.ports.Vault``.

    Args:
        root: The folder. The way to it may lead through links, the way inside never does.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def scan(self) -> Scan:
        """List every Markdown file, hidden ones and those in hidden folders aside.

        A link to a file inside the folder is listed unless that file is listed anyway.

        Raises:
            NoSuchFolderError: there is no such folder.
            NoMarkdownError: there is nothing to read in it.
            DiskError: the system refuses to list the folder itself.
        """
        found = _Found()
        with self._opened_root() as root:
            _look_into(root, "", found)
        self._follow(found)
        if not found.files and not found.failures:
            raise NoMarkdownError(str(self._root))
        files = sorted(found.files.values(), key=lambda file: file.path)
        failures = sorted(found.failures, key=lambda failure: failure.path)
        return Scan(tuple(files), tuple(failures))

    def read(self, path: str) -> bytes:
        """Return a note's bytes, at most ``MOST_NOTE_BYTES`` of them.

        Raises:
            FileNotFoundError: it is gone.
            UnreadableNoteError: it cannot be read, is too large, is hidden, or is a link
                that leaves the folder.
        """
        parts = path.split("/")
        if any(part in {"", ".", ".."} or part.startswith(".") for part in parts):
            raise _refusal(path, BAD_NAME, "not the name of a note of this folder")
        try:
            return self._read_plain(path, parts)
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise _translated(path, error) from error
        inside = self._inside(path)
        if inside is None:
            raise UnreadableNoteError(_outside(path))
        try:
            return self._read_plain(path, inside.split("/"))
        except OSError as error:  # a link again: it was turned round meanwhile
            raise _translated(path, error) from error

    @contextlib.contextmanager
    def _opened_root(self) -> Iterator[int]:
        try:
            root = os.open(self._root, _ROOT)
        except OSError as error:
            raise self._no_folder(error) from error
        try:
            yield root
        finally:
            os.close(root)

    def _no_folder(self, error: OSError) -> Exception:
        shown = str(self._root)
        if error.errno == errno.ENOTDIR:
            return NoSuchFolderError(
                shown,
                what="not a folder",
                hint="name the folder that holds your notes, not a file in it",
            )
        if error.errno in (errno.ENOENT, errno.ELOOP, errno.ENAMETOOLONG):
            return NoSuchFolderError(shown, hint="name the folder that holds your notes")
        return disk_error(error, shown)

    def _follow(self, found: "_Found") -> None:
        """List what links mean, each file once, however many links lead to it."""
        for path in sorted(found.links):
            if (inside := self._inside(path)) is None:
                found.failures.append(_outside(path))
                continue
            if inside in found.targets:
                continue
            try:
                about = (self._root / inside).lstat()
            except OSError as error:
                found.failures.append(_unreadable(path, error))
                continue
            if stat.S_ISREG(about.st_mode):
                found.targets.add(inside)
                found.add(path, about)
            elif not stat.S_ISDIR(about.st_mode):  # what is in a folder is listed anyway
                found.failures.append(_not_plain(path))

    def _inside(self, path: str) -> str | None:
        """Where a link leads, below the root; ``None`` if it leaves the root."""
        root = os.path.realpath(self._root)
        target = os.path.realpath(self._root / path)
        below = os.path.relpath(target, root)
        if target == root or below == os.pardir or below.startswith(os.pardir + os.sep):
            return None
        return below.replace(os.sep, "/")

    def _read_plain(self, path: str, parts: list[str]) -> bytes:
        with self._opened_root() as root, _opened(root, parts[:-1]) as folder:
            handle = os.open(parts[-1], _LOOK, dir_fd=folder)
            try:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise UnreadableNoteError(_not_plain(path))
                return _read_all(handle, path)
            finally:
                os.close(handle)


@dataclass
class _Found:
    files: dict[str, NoteFile] = field(default_factory=dict)
    targets: set[str] = field(default_factory=set)  # what is listed, by its own path
    links: list[str] = field(default_factory=list)
    failures: list[NoteFailure] = field(default_factory=list)

    def add(self, path: str, about: os.stat_result) -> None:
        """List a file, or say that it is too large to be read."""
        if about.st_size > MOST_NOTE_BYTES:
            self.failures.append(too_large(path, about.st_size))
        else:
            self.files[path] = NoteFile(path, about.st_size, about.st_mtime_ns)


def _look_into(folder: int, prefix: str, found: _Found) -> None:
    """List a folder that is open, then each of its folders."""
    with os.scandir(folder) as entries:
        listed = [entry for entry in entries if not entry.name.startswith(".")]
    inner: list[str] = []
    for entry in listed:
        path = prefix + entry.name
        is_note = entry.name.lower().endswith(ENDINGS)
        is_folder = entry.is_dir(follow_symlinks=False)
        if not (is_note or is_folder or entry.is_symlink()):
            continue
        if not _is_text(entry.name):
            if is_note or is_folder:
                found.failures.append(_bad_name(path))
        elif is_folder:
            inner.append(entry.name)
        else:
            _consider(entry, path, found, is_note=is_note)
    for name in sorted(inner):
        _go_down(folder, name, prefix, found)


def _go_down(folder: int, name: str, prefix: str, found: _Found) -> None:
    try:
        with _opened(folder, [name]) as inside:
            _look_into(inside, f"{prefix}{name}/", found)
    except OSError as error:
        found.failures.append(_unreadable(prefix + name, error))


def _consider(entry: os.DirEntry[str], path: str, found: _Found, *, is_note: bool) -> None:
    """A file, a link to a file or a link to a folder."""
    try:
        about = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(about.st_mode):
            found.targets.add(path)
            found.add(path, about)
        elif stat.S_ISLNK(about.st_mode):
            if is_note or entry.is_dir():
                found.links.append(path)  # one to a folder only to say it is not read
        else:
            found.failures.append(_not_plain(path))
    except OSError as error:
        found.failures.append(_unreadable(path, error))


@contextlib.contextmanager
def _opened(start: int, folders: list[str]) -> Iterator[int]:
    """Hold open the folder at the end of the way, having followed no link."""
    handle = os.dup(start)
    try:
        for part in folders:
            inner = os.open(part, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        os.close(handle)


def _read_all(handle: int, path: str) -> bytes:
    """Read a file that may grow meanwhile, never more than a note may have."""
    size = os.fstat(handle).st_size
    if size > MOST_NOTE_BYTES:
        raise UnreadableNoteError(too_large(path, size))
    parts: list[bytes] = []
    length = 0
    while part := os.read(handle, _CHUNK_BYTES):
        length += len(part)
        if length > MOST_NOTE_BYTES:
            raise UnreadableNoteError(too_large(path, length))
        parts.append(part)
    return b"".join(parts)


def _is_text(name: str) -> bool:
    """Whether a name holds neither control characters nor bytes that are not UTF-8."""
    return name.isprintable() or not any(unicodedata.category(c) in {"Cc", "Cs"} for c in name)


def _refusal(path: str, code: str, detail: str) -> UnreadableNoteError:
    return UnreadableNoteError(NoteFailure(visible(path), code, detail))


def _translated(path: str, error: OSError) -> Exception:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return UnreadableNoteError(_unreadable(path, error))


def _unreadable(path: str, error: OSError) -> NoteFailure:
    said = os.strerror(error.errno).lower() if error.errno else str(error)
    return NoteFailure(visible(path), UNREADABLE, f"{said}; check its permissions")


def _not_plain(path: str) -> NoteFailure:
    return NoteFailure(
        visible(path), UNREADABLE, "a pipe or a device and no plain file; give it another name"
    )


def _outside(path: str) -> NoteFailure:
    return NoteFailure(
        path,
        LINK_OUTSIDE,
        "a link that leaves the workspace is not followed; copy the note into it",
    )


def _bad_name(path: str) -> NoteFailure:
    return NoteFailure(
        visible(path),
        BAD_NAME,
        "its name holds control characters or is not UTF-8; rename it",
    )
