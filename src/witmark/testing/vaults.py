"""Vaults for tests: a folder of notes in a dict, whose clock is a counter."""

from witmark.answers.failures import MOST_NOTE_BYTES, UnreadableNoteError, too_large
from witmark.answers.ports import NoteFile, Scan


class MemoryVault:
    """A vault in a dict, with the promises of the real one.

    >>> vault = MemoryVault({"a.md": b"# A"})
    >>> vault.scan().files[0].size, vault.read("a.md")
    (3, b'# A')
    """

    def __init__(self, notes: dict[str, bytes] | None = None) -> None:
        self._notes: dict[str, tuple[bytes, int]] = {}
        self._ticks = 0
        self.reads: list[str] = []
        """Every note that was asked for, in order."""
        for path, raw in sorted((notes or {}).items()):
            self.write(path, raw)

    def write(self, path: str, raw: bytes) -> None:
        """Put a note there, or another text in its place; its time moves on."""
        self._ticks += 1
        self._notes[path] = (raw, self._ticks)

    def touch(self, path: str) -> None:
        """Give a note another time and leave its bytes."""
        self.write(path, self._notes[path][0])

    def move(self, old: str, new: str) -> None:
        """Rename a note, as a file manager does: size and time stay."""
        self._notes[new] = self._notes.pop(old)

    def remove(self, path: str) -> None:
        """Take a note away."""
        del self._notes[path]

    def scan(self) -> Scan:
        """List every note, sorted; those that are too large are failures."""
        files, failures = [], []
        for path, (raw, tick) in sorted(self._notes.items()):
            if len(raw) > MOST_NOTE_BYTES:
                failures.append(too_large(path, len(raw)))
            else:
                files.append(NoteFile(path, len(raw), tick))
        return Scan(tuple(files), tuple(failures))

    def read(self, path: str) -> bytes:
        """Return a note's bytes."""
        self.reads.append(path)
        if path not in self._notes:
            raise FileNotFoundError(path)
        raw, _ = self._notes[path]
        if len(raw) > MOST_NOTE_BYTES:
            raise UnreadableNoteError(too_large(path, len(raw)))
        return raw
