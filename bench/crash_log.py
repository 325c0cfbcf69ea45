"""What a life asks of the disk, call by call, heard where the real code calls the system.

The log is that of the code as it is, not of a copy of its protocol: `os` itself is listened
to. A life can be ended at any call; what the process had written stays, as in the cache of a
system whose process was killed.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from witmark.adapters.disk import PosixDisk


class Killed(BaseException):
    """The process is no more; nothing in the product may catch it."""


@dataclass(frozen=True, slots=True)
class Op:
    """One call that changes what is, or what is durable; or a mark of what was promised.

    Attributes:
        call: ``make`` (a folder or file), ``write``, ``cut``, ``link``, ``unlink``,
            ``sync``, or a mark: ``line``, ``send``, ``read``, ``settled``.
        node: The file or folder itself; for names, the folder they stand in.
        name: Of what is made, linked or unlinked.
        other: The file or folder that the name leads to.
        at: Where a write begins, or how long a file is cut.
        data: What is written, or what was promised.
        is_folder: Whether what is made or synced is a folder.
    """

    call: str
    node: int = -1
    name: str = ""
    other: int = -1
    at: int = 0
    data: bytes = b""
    is_folder: bool = False


@dataclass
class Recorder:
    """Listens to `os` below one folder.

    Args:
        here: The folder; its own name is durable.
        kill_at: End the process before this call, counted from 0 over all its lives.
        ignored: Which syncs go unheard, for a planted fault: ``file``, ``folder``.
    """

    here: Path
    kill_at: int | None = None
    ignored: str = ""
    ops: list[Op] = field(default_factory=list)
    _nodes: dict[int, int] = field(default_factory=dict)  # by inode, those that are there now
    calls: int = 0  # so far, over all its lives
    _made: int = 0

    def __post_init__(self) -> None:
        """Number the folder, and what stands in it."""
        self._nodes[self.here.stat().st_ino] = 0

    def adopt(self) -> None:
        """Take what stands in the folder for made and durable."""
        for folder, inner, files in os.walk(self.here):
            parent = self._node(folder, None)
            for name in sorted(inner + files):
                path = Path(folder, name)
                made = self._number(path, None)
                self.ops.append(Op("make", parent, name, made, is_folder=path.is_dir()))
                if path.is_file():
                    self.ops.append(Op("write", made, data=path.read_bytes()))
                    self.ops.append(Op("sync", made))
            self.ops.append(Op("sync", parent, is_folder=True))

    def mark(self, what: str, data: bytes = b"") -> None:
        """Note what the code has promised at this point."""
        self.ops.append(Op(what, data=data))

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Hear every call until the end of the block."""
        heard: dict[str, Callable[..., object]] = {
            "open": self._open,
            "mkdir": self._mkdir,
            "write": self._write,
            "fsync": self._fsync,
            "ftruncate": self._ftruncate,
            "link": self._link,
            "unlink": self._unlink,
        }
        for call, listen in heard.items():
            setattr(os, call, listen)
        try:
            yield
        finally:
            for call in heard:
                setattr(os, call, _REAL[call])

    def _live(self) -> None:
        if self.kill_at is not None and self.calls >= self.kill_at:
            raise Killed
        self.calls += 1

    def _node(self, path: object, folder: int | None) -> int:
        found = os.stat(path, dir_fd=folder, follow_symlinks=False)  # type: ignore[arg-type]  # the listened-to call takes it too
        return self._nodes.get(found.st_ino, -1)

    def _of(self, handle: int) -> int:
        return self._nodes.get(os.fstat(handle).st_ino, -1)

    def _parent(self, path: object, folder: int | None) -> int:
        if folder is not None:
            return self._of(folder)
        return self._node(Path(str(path)).parent, None)

    def _number(self, path: object, folder: int | None) -> int:
        self._made += 1
        found = os.stat(path, dir_fd=folder, follow_symlinks=False)  # type: ignore[arg-type]  # as above
        self._nodes[found.st_ino] = self._made
        return self._made

    def _open(self, path: object, flags: int, *rest: object, dir_fd: int | None = None) -> int:
        if not flags & os.O_CREAT:
            return int(_REAL["open"](path, flags, *rest, dir_fd=dir_fd))
        self._live()
        is_there = _is_there(path, dir_fd)
        handle = int(_REAL["open"](path, flags, *rest, dir_fd=dir_fd))
        if not is_there and (parent := self._parent(path, dir_fd)) >= 0:
            made = self._number(path, dir_fd)
            self.ops.append(Op("make", parent, Path(str(path)).name, made))
        return handle

    def _mkdir(self, path: object, *rest: object, dir_fd: int | None = None) -> None:
        self._live()
        _REAL["mkdir"](path, *rest, dir_fd=dir_fd)
        if (parent := self._parent(path, dir_fd)) >= 0:
            made = self._number(path, dir_fd)
            name = Path(str(path)).name
            self.ops.append(Op("make", parent, name, made, is_folder=True))

    def _write(self, handle: int, data: bytes) -> int:
        node = self._of(handle)
        if node < 0:
            return int(_REAL["write"](handle, data))
        self._live()
        at = os.lseek(handle, 0, os.SEEK_CUR)
        written = int(_REAL["write"](handle, data))
        self.ops.append(Op("write", node, at=at, data=bytes(data[:written])))
        return written

    def _fsync(self, handle: int) -> None:
        self._live()
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        if self.ignored != ("folder" if is_folder else "file"):
            self.ops.append(Op("sync", self._of(handle), is_folder=is_folder))

    def _ftruncate(self, handle: int, size: int) -> None:
        self._live()
        _REAL["ftruncate"](handle, size)
        self.ops.append(Op("cut", self._of(handle), at=size))

    def _link(
        self,
        source: object,
        target: object,
        *,
        src_dir_fd: int | None = None,
        dst_dir_fd: int | None = None,
        follow_symlinks: bool = True,
    ) -> None:
        self._live()
        node = self._node(source, src_dir_fd)
        _REAL["link"](
            source,
            target,
            src_dir_fd=src_dir_fd,
            dst_dir_fd=dst_dir_fd,
            follow_symlinks=follow_symlinks,
        )
        self.ops.append(Op("link", self._parent(target, dst_dir_fd), str(target), node))

    def _unlink(self, path: object, *, dir_fd: int | None = None) -> None:
        self._live()
        parent = self._parent(path, dir_fd)
        _REAL["unlink"](path, dir_fd=dir_fd)
        self.ops.append(Op("unlink", parent, str(path)))


class HeardDisk(PosixDisk):
    """The real disk; the log marks how much of a record it has promised."""

    def __init__(self, root: Path, recorder: Recorder) -> None:
        super().__init__(root)
        self._recorder = recorder

    def add_line(self, name: str, line: bytes, *, at: int) -> None:
        """Add a line, and mark that everything up to its end was promised."""
        super().add_line(name, line, at=at)
        self._recorder.mark("line", (self.read(name) or b"")[: at + len(line)])


_REAL: dict[str, Callable[..., object]] = {
    call: getattr(os, call)
    for call in ("open", "mkdir", "write", "fsync", "ftruncate", "link", "unlink")
}


def _is_there(path: object, folder: int | None) -> bool:
    try:
        os.stat(path, dir_fd=folder, follow_symlinks=False)  # type: ignore[arg-type]  # as above
    except FileNotFoundError:
        return False
    return True


def marks(ops: Sequence[Op], what: str) -> int:
    """How many marks of a kind there are."""
    return sum(op.call == what for op in ops)
