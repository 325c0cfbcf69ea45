"""Members of a tar file, packed or not, and what a single packed file holds."""

import bz2
import gzip
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Protocol

from witmark.adapters.archives.limits import ArchiveLimits, Budget, TooMuchError
from witmark.adapters.archives.members import plain_name

_CHUNK = 1 << 16
_MAGIC_AT, _MAGIC = 257, b"ustar"
_XZ_MEMORY = 128 * 1024 * 1024
BROKEN = (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError)


class Reading(Protocol):
    """What is read from its beginning to its end."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, none at the end."""


class _Xz:
    """An ``.xz`` file whose dictionary may not take all the memory there is."""

    def __init__(self, raw: bytes) -> None:
        self._raw, self._at = raw, 0
        self._unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, none at the end."""
        unpacker = self._unpacker
        while not unpacker.eof:
            fed = b""
            if unpacker.needs_input:
                fed = self._raw[self._at : self._at + _CHUNK]
                self._at += len(fed)
                if not fed:
                    raise EOFError("it ends too early")
            if found := unpacker.decompress(fed, max_length=size):
                return found
        return b""


class _Bounded:
    """Counts what comes out, and ends a bomb before it is unpacked."""

    def __init__(self, inner: Reading, most: int) -> None:
        self._inner, self._left = inner, most

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, none at the end.

        Raises:
            TooMuchError: there are more than there may be.
        """
        found = self._inner.read(_CHUNK if size < 0 else min(size, 1 << 20))
        self._left -= len(found)
        if self._left < 0:
            raise TooMuchError("it unpacks to far more than its size, or to too much")
        return found


def unpacked_stream(raw: bytes) -> Reading | None:
    """What a packed file holds, to be read in pieces; ``None`` if it is not packed."""
    if raw.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=BytesIO(raw))
    if raw.startswith(b"BZh"):
        return bz2.BZ2File(BytesIO(raw))
    if raw.startswith(b"\xfd7zXZ\0"):
        return _Xz(raw)
    return None


def is_tar(raw: bytes) -> bool:
    """Whether these bytes are a tar file, unpacked where they are packed."""
    try:
        stream = unpacked_stream(raw) or BytesIO(raw)
        head = b""
        while len(head) < _MAGIC_AT + len(_MAGIC) and (more := stream.read(512)):
            head += more
    except BROKEN:
        return False
    return head[_MAGIC_AT:].startswith(_MAGIC)


def members_of(
    raw: bytes, budget: Budget, limits: ArchiveLimits
) -> Iterator[tuple[str, bytes | str]]:
    """Each member's name with its bytes, or with why it is left out; folders are passed over.

    Raises:
        TooMuchError: a limit was passed.
        tarfile.TarError, EOFError, OSError: it is damaged from here on.
    """
    most = limits.bytes_for(len(raw)) + 2048 * limits.max_members  # headers and padding
    stream = _Bounded(unpacked_stream(raw) or BytesIO(raw), most)
    with tarfile.open(fileobj=stream, mode="r|", encoding="utf-8") as archive:  # type: ignore[call-overload]  # it only reads
        for info in archive:
            if info.isdir():
                continue
            budget.member()
            yield plain_name(info.name), _member(archive, info, budget)


def _member(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget) -> bytes | str:
    stream = archive.extractfile(info) if info.isreg() else None
    if stream is None:
        return "a link or no plain file"
    found = budget.read(iter(lambda: stream.read(_CHUNK), b""))
    return "larger than one file may be" if found is None else found


def single_of(raw: bytes, budget: Budget) -> bytes | str:
    """What a single packed file holds, or why it is left out.

    Raises:
        TooMuchError: it is a bomb.
    """
    stream = unpacked_stream(raw)
    if stream is None:
        return "not packed in a way that is read"
    try:
        found = budget.read(iter(lambda: stream.read(_CHUNK), b""))
    except BROKEN as error:
        return f"damaged: {error}"
    return "larger than one file may be" if found is None else found
