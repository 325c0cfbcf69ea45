"""Members of a ZIP file, in its order."""

import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO

from witmark.adapters.archives.limits import Budget, TooMuchError
from witmark.adapters.archives.members import plain_name

_READ = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2}
_UTF8, _ENCRYPTED = 0x800, 0x1
_CHUNK = 1 << 16
_ENTRY = b"PK\x01\x02"
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


def is_zip(raw: bytes) -> bool:
    """Whether these bytes begin as a ZIP file does."""
    return raw.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def members_of(raw: bytes, budget: Budget, most: int) -> Iterator[tuple[str, bytes | str]]:
    """Each member's name with its bytes, or with why it is left out; folders are passed over.

    Raises:
        TooMuchError: a limit was passed.
        zipfile.BadZipFile: it is no ZIP file, or cut off.
    """
    if raw.count(_ENTRY) > 2 * most:  # the whole list is read at once, so it is bounded first
        raise TooMuchError(f"more than {most} members")
    with zipfile.ZipFile(BytesIO(raw)) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            budget.member()
            yield _name(info), _member(archive, info, budget)


def _name(info: zipfile.ZipInfo) -> str:
    """The name as it was spelled; without the UTF-8 mark Python takes it for code page 437."""
    if info.flag_bits & _UTF8:
        return plain_name(info.filename)
    try:
        raw = info.filename.encode("cp437")
    except UnicodeEncodeError:
        return plain_name(info.filename)
    return plain_name(os.fsdecode(raw))


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes | str:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in {0, stat.S_IFREG}:
        return "a link or no plain file"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted"
    if info.compress_type not in _READ:
        return f"packed by method {info.compress_type}, which is not read"
    try:
        with archive.open(info) as stream:
            found = budget.read(iter(lambda: stream.read(_CHUNK), b""))
    except BROKEN as error:
        return f"damaged: {error}"
    return "larger than one file may be" if found is None else found
