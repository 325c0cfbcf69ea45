"""Blobs that say when they are not what was written: four bytes of CRC-32 at the end.

SQLite notices a page that is not whole, not a value that another program has changed. A
blob of the index is an array of numbers, and other numbers would be believed.
"""

import contextlib
import struct
import zlib
from collections.abc import Iterator

SEAL_BYTES = 4


class DamagedRowsError(Exception):
    """Rows of ours that cannot have been written by us; the door names the file."""


def seal(blob: bytes) -> bytes:
    """Return a blob with its seal."""
    return blob + zlib.crc32(blob).to_bytes(SEAL_BYTES, "little")


def sealed_value(*values: object) -> bytes:
    """Seal a blob that an older version has written; SQL's name for it is ``sealed``."""
    [blob] = values
    return seal(blob if isinstance(blob, bytes) else b"")


def unseal(sealed: bytes) -> bytes:
    """Return what was sealed.

    Raises:
        DamagedRowsError: it is something else.
    """
    if not isinstance(sealed, bytes):
        raise DamagedRowsError("a value is not what was written")
    blob = sealed[:-SEAL_BYTES]
    if zlib.crc32(blob).to_bytes(SEAL_BYTES, "little") != sealed[-SEAL_BYTES:]:
        raise DamagedRowsError("a value is not what was written")
    return blob


@contextlib.contextmanager
def decoding(what: str) -> Iterator[None]:
    """Around the decoding of stored rows and nothing else: what does not fit is damage."""
    try:
        yield
    except (ValueError, LookupError, TypeError, struct.error) as error:
        raise DamagedRowsError(f"{what} cannot be read ({error})") from error
