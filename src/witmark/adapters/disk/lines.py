"""A file that grows by whole lines, and the claim on a file that one process holds.

Write order for one line, under an exclusive lock of the file:

1. what is torn behind the last whole line is cut off, and that is synced;
2. before the first line, the folder is synced: no line stands in a file that could vanish;
3. the line is written and synced: this is the commit point.

A write that is refused is cut off again, so the record is as it was. A crash before 3 leaves
a torn line, which no reader counts and the next writer replaces. A process that dies in 3
may leave a whole line that is not synced; who acts on a record syncs it first.
"""

import contextlib
import errno
import fcntl
import os

from witmark.kernel.store import is_torn


def add(handle: int, line: bytes, *, at: int, folder: int) -> None:
    """Add a line to a file that whole lines fill up to ``at``.

    Raises:
        FileExistsError: behind ``at`` stands a whole line, or the file is shorter.
        OSError: the system refused; what was written of the line is cut off again.
    """
    fcntl.flock(handle, fcntl.LOCK_EX)  # for the length of one write
    size = os.fstat(handle).st_size
    if size < at or (size > at and not is_torn(_behind(handle, at, size))):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    if size > at:
        _cut(handle, at)
    if at == 0:
        os.fsync(folder)
    os.lseek(handle, at, os.SEEK_SET)
    try:
        _write_all(handle, line)
        os.fsync(handle)
    except OSError:
        # If even this is refused, the torn or unsynced rest is found by whoever reads next.
        with contextlib.suppress(OSError):
            _cut(handle, at)
        raise


def claim(handle: int) -> bool:
    """Whether the file is ours now, until the handle is closed; nobody waits for it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _cut(handle: int, at: int) -> None:
    """Cut, durably: else the rest of a torn line could come back behind the next one."""
    os.ftruncate(handle, at)
    os.fsync(handle)


def _behind(handle: int, at: int, size: int) -> bytes:
    parts = []
    while at < size and (part := os.pread(handle, size - at, at)):
        parts.append(part)
        at += len(part)
    return b"".join(parts)


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]
