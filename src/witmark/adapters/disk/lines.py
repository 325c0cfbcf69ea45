"""A file that grows by whole lines, and the claim on a file that one process holds.

Write order for one line, under an exclusive lock of the file:

1. what is torn behind the last whole line is cut off;
2. the line is written and synced: this is the commit point;
3. with the first line, the folder is synced.

A write that is refused is cut off again, so the record is as it was. A crash before 2 leaves
a torn line, which no reader counts and the next writer replaces.
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
        os.ftruncate(handle, at)
    os.lseek(handle, at, os.SEEK_SET)
    try:
        _write_all(handle, line)
        os.fsync(handle)
        if at == 0:
            os.fsync(folder)
    except OSError:
        # If even this is refused, the torn or unsynced rest is found by whoever reads next.
        with contextlib.suppress(OSError):
            os.ftruncate(handle, at)
        raise


def claim(handle: int) -> bool:
    """Whether the file is ours now, until the handle is closed; nobody waits for it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


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
