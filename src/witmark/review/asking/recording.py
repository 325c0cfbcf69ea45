"""What one run saw of the records that its questions lie in.

Other runs may add to the same records before, between and after our own lines. A report rests
on what its own run had read and written when an outcome came back, and on nothing later.
"""

from contextlib import AbstractContextManager

from witmark.kernel.canon import Digest
from witmark.kernel.journal import Entry, parse_journal, place_of
from witmark.kernel.model.record import Event, Judged, Put, Sent, events_of
from witmark.kernel.model.reply import Reply
from witmark.kernel.store import RecordDisk


class SeenDisk:
    """A disk that remembers of every record what was last read of it, and each line of ours."""

    def __init__(self, disk: RecordDisk) -> None:
        self._disk = disk
        self._seen: dict[str, bytes] = {}
        self._ours: dict[str, set[bytes]] = {}

    # What was seen ---------------------------------------------------------------------

    def entries(self, subject: str) -> tuple[Entry, ...]:
        """The record as this run last saw it; none of a record that it never looked into."""
        place = place_of(subject)
        return parse_journal(self._seen.get(place, b""), place=place)

    def events(self, subject: str) -> list[Event]:
        """What those entries say of calls."""
        return list(events_of(self.entries(subject), place=place_of(subject)))

    def own_events(self, subject: str) -> list[Event]:
        """The same, of the lines that this run added."""
        place = place_of(subject)
        ours = self._ours.get(place, set())
        own = [one for one in self.entries(subject) if _line(one) in ours]
        return list(events_of(own, place=place))

    def has_sent(self, subject: str) -> bool:
        """Whether this run sent a request for this question."""
        return any(isinstance(one, Sent) for one in self.own_events(subject))

    def judged(self, subject: str) -> list[tuple[Judged, Reply]]:
        """The replies of the latest operation, as they were judged."""
        latest = self.latest(subject)
        return [
            (one, one.reply)
            for one in self.events(subject)
            if isinstance(one, Judged) and one.operation == latest and one.reply is not None
        ]

    def look_into(self, subject: str) -> None:
        """Read a record that no gateway is going to read."""
        self.read(place_of(subject))

    def latest(self, subject: str) -> Digest | None:
        """The operation that the question was last put to."""
        put = [one for one in self.events(subject) if isinstance(one, Put)]
        return put[-1].operation if put else None

    def record(self, subject: str) -> bytes:
        """The lines that were seen, up to the last that is about the latest operation."""
        entries, latest = self.entries(subject), self.latest(subject)
        events = enumerate(self.events(subject), start=1)
        ends = [k for k, one in events if one.operation == latest]
        return b"".join(map(_line, entries[: ends[-1] if ends else len(entries)]))

    # The disk itself -------------------------------------------------------------------

    def read(self, name: str) -> bytes | None:
        """The bytes, or ``None``; of a record they are remembered."""
        raw = self._disk.read(name)
        self._seen[name] = raw or b""
        return raw

    def add_line(self, name: str, line: bytes, *, at: int) -> None:
        """Make a line durable; only then it was seen."""
        self._disk.add_line(name, line, at=at)
        self._seen[name] = self._seen.get(name, b"")[:at] + line
        self._ours.setdefault(name, set()).add(line)

    def sync(self, name: str) -> None:
        """As the disk does."""
        self._disk.sync(name)

    def held(self, name: str) -> AbstractContextManager[bool]:
        """As the disk does."""
        return self._disk.held(name)

    def write_new(self, name: str, data: bytes) -> None:
        """As the disk does."""
        self._disk.write_new(name, data)

    def names(self, prefix: str) -> list[str]:
        """As the disk does."""
        return self._disk.names(prefix)

    def walk(self, prefix: str = "") -> list[str]:
        """As the disk does."""
        return self._disk.walk(prefix)


def _line(entry: Entry) -> bytes:
    return entry.to_bytes() + b"\n"
