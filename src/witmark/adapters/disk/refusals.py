"""What an operating system error means for the person in front of it."""

import errno
import os

from witmark.kernel.errors import DiskError

_HINTS = {
    errno.ENOSPC: "free some space and run again; nothing was left half written",
    errno.EDQUOT: "your quota is used up; free some space and run again",
    errno.EFBIG: "the file is larger than this system lets us write; choose another folder",
    errno.EMFILE: "too many files are open at once; close some, or raise `ulimit -n`",
    errno.ENFILE: "too many files are open on this machine; close some and run again",
    errno.EIO: "the disk reports a fault; check it, or choose a folder on another one",
    errno.EACCES: "choose a folder you may read and write",
    errno.EPERM: "choose a folder you may read and write",
    errno.EROFS: "choose a folder that can be written to",
    errno.ENAMETOOLONG: "choose a shorter name or a folder nearer the root",
    errno.EXDEV: "choose a folder on the same file system",
}


def disk_error(error: OSError, place: str) -> DiskError:
    """Translate an ``OSError``, with the file it is about and the way out."""
    number = error.errno or 0
    said = os.strerror(number).lower() if number else str(error)
    return DiskError(said, place=place, hint=_HINTS.get(number))
