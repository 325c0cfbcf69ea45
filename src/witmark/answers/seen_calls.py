"""The calls that one run made, told apart from what else its question's journal holds.

A journal belongs to a question, and every run that asks it adds to the same one, at the same
time even. So a run is told by what it read and wrote itself.
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass

from witmark.kernel.canon import digest_of
from witmark.kernel.journal import parse_journal, place_of
from witmark.kernel.model.ledger import Call, calls_of
from witmark.kernel.model.record import Event, Sent, events_of
from witmark.kernel.store import RecordDisk

Attempt = tuple[str, int]
"""An operation and the number of the attempt; no two requests of a journal share both."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A journal as far as a run saw it.

    Attributes:
        head: The last entry that it read or wrote; empty if there was none.
        events: Up to there, whoever's they are.
        own: The attempts that the run itself sent.
    """

    head: str
    events: tuple[Event, ...]
    own: frozenset[Attempt]

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call up to the head."""
        return calls_of(self.events)

    @property
    def own_calls(self) -> tuple[Call, ...]:
        """Those of the run; none where a kept reply was used."""
        return tuple(call for call in self.calls if attempt_of(call) in self.own)


def attempt_of(call: Call) -> Attempt:
    """Which attempt a call is."""
    return call.sent.operation, call.sent.attempt


def recorded_again(disk: RecordDisk, subject: str, own: frozenset[Attempt]) -> Recorded:
    """The journal of a run that is over, and which of its attempts were the run's."""
    place = place_of(subject)
    return _recorded(disk.read(place) or b"", place, frozenset(), own)


class WatchedDisk:
    """A record disk that remembers what was last seen of one journal, and what was added.

    Keeps ``kernel.store.RecordDisk``; everything is passed on.
    """

    def __init__(self, disk: RecordDisk, subject: str) -> None:
        self._disk, self._place = disk, place_of(subject)
        self._seen = b""
        self._added: set[bytes] = set()

    def recorded(self) -> Recorded:
        """What came of it. A journal that another process held was not read: it is empty.

        Raises:
            IntegrityError: the journal is not what was written.
        """
        return _recorded(self._seen, self._place, frozenset(self._added), frozenset())

    def read(self, name: str) -> bytes | None:
        """Read, and remember it."""
        found = self._disk.read(name)
        if name == self._place:
            self._seen = found or b""
        return found

    def add_line(self, name: str, line: bytes, *, at: int) -> None:
        """Add, and remember that it was us."""
        self._disk.add_line(name, line, at=at)
        if name == self._place:
            self._seen = self._seen[:at] + line
            self._added.add(line)

    def write_new(self, name: str, data: bytes) -> None:
        """As the disk does."""
        self._disk.write_new(name, data)

    def sync(self, name: str) -> None:
        """As the disk does."""
        self._disk.sync(name)

    def names(self, prefix: str) -> list[str]:
        """As the disk does."""
        return self._disk.names(prefix)

    def walk(self, prefix: str = "") -> list[str]:
        """As the disk does."""
        return self._disk.walk(prefix)

    def held(self, name: str) -> AbstractContextManager[bool]:
        """As the disk does."""
        return self._disk.held(name)


def _recorded(
    raw: bytes, place: str, added: frozenset[bytes], own: frozenset[Attempt]
) -> Recorded:
    entries = parse_journal(raw, place=place)
    lines = [entry.to_bytes() for entry in entries]
    ours = [entry for entry, line in zip(entries, lines, strict=True) if line + b"\n" in added]
    sent = (one for one in events_of(ours, place=place) if isinstance(one, Sent))
    return Recorded(
        digest_of(lines[-1]) if lines else "",
        tuple(events_of(entries, place=place)),
        own | {(one.operation, one.attempt) for one in sent},
    )
