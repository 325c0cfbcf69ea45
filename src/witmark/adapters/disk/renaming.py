"""A rename that refuses to overwrite, which Python's own does not offer.

``os.rename`` replaces a file, and an empty folder too. Linux has ``renameat2``; where the
system or the file system does not know it, a folder is claimed by making it (that refuses)
and renamed over the claim. A crash between the two leaves an empty folder, nothing else.
"""

import ctypes
import errno
import os
from pathlib import Path

_HERE = -100  # AT_FDCWD: relative to the current folder
_NO_REPLACE = 1  # RENAME_NOREPLACE
_UNKNOWN = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)


def rename_new(source: str | Path, target: str | Path, *, folder: int | None = None) -> None:
    """Give ``source`` the name ``target``, which nothing has yet.

    Args:
        source: A file or folder.
        target: Its new name, on the same file system.
        folder: An open folder that both names are relative to.

    Raises:
        FileExistsError: something has that name, an empty folder included.
        OSError: the system refused; ``source`` keeps its name.
    """
    try:
        _renameat2(source, target, _HERE if folder is None else folder)
    except OSError as error:
        if error.errno not in _UNKNOWN or folder is not None:
            raise
        _claim_and_rename(Path(source), Path(target))


def _renameat2(source: str | Path, target: str | Path, folder: int) -> None:
    system = ctypes.CDLL(None, use_errno=True)
    if not hasattr(system, "renameat2"):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    old, new = os.fsencode(source), os.fsencode(target)
    if system.renameat2(folder, old, folder, new, _NO_REPLACE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(target))


def _claim_and_rename(source: Path, target: Path) -> None:
    target.mkdir()
    try:
        source.rename(target)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):  # somebody moved into our claim
            raise FileExistsError(error.errno, "taken meanwhile", str(target)) from error
        target.rmdir()
        raise
