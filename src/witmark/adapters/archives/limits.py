"""How much an archive may unpack to; counted while reading, never taken from its headers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_FLOOR_BYTES = 16 * 1024 * 1024  # below that no ratio is asked for: an empty log packs well


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Safety defaults.

    Attributes:
        max_members: Entries of any kind, those left out included.
        max_member_bytes: Of one member.
        max_total_bytes: Of all of them.
        max_ratio: How many times its own size an archive may unpack to.
    """

    max_members: int = 20_000
    max_member_bytes: int = 64 * 1024 * 1024
    max_total_bytes: int = 512 * 1024 * 1024
    max_ratio: int = 200

    def bytes_for(self, packed: int) -> int:
        """How much an archive of this size may unpack to.

        >>> ArchiveLimits(max_total_bytes=10**9).bytes_for(10**6)
        200000000
        """
        return min(self.max_total_bytes, max(_FLOOR_BYTES, packed * self.max_ratio))


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What came out of an archive.

    Attributes:
        members: Bytes by the member's own path, in the archive's order.
        left_out: What did not, and why: each a line for people.
    """

    members: Mapping[str, bytes] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


class TooMuchError(Exception):
    """A limit was passed; what was read before it stands."""


class Budget:
    """What may still be read of one archive."""

    def __init__(self, limits: ArchiveLimits, packed: int) -> None:
        self._limits = limits
        self._bytes_left = limits.bytes_for(packed)
        self._members_left = limits.max_members

    def member(self) -> None:
        """Count an entry.

        Raises:
            TooMuchError: there are too many.
        """
        if self._members_left == 0:
            raise TooMuchError(f"more than {self._limits.max_members} members")
        self._members_left -= 1

    def read(self, chunks: Iterable[bytes]) -> bytes | None:
        """Read a member whole; ``None`` if it is larger than one may be.

        Raises:
            TooMuchError: all of them together are too large.
        """
        found, size = [], 0
        for chunk in chunks:
            self._bytes_left -= len(chunk)
            size += len(chunk)
            if self._bytes_left < 0:
                raise TooMuchError("it unpacks to far more than its size, or to too much")
            if size <= self._limits.max_member_bytes:
                found.append(chunk)
            else:
                found.clear()
        return b"".join(found) if size <= self._limits.max_member_bytes else None
