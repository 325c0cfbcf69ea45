"""What an ingest has to do, from what lies in the workspace and what the library keeps.

Pure: times, sizes and hashes in, decisions out. A note whose size and time are as they
were is not read. One that was read counts as changed only if its bytes did.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from witmark.answers.atoms import DocumentId
from witmark.answers.ports import NoteFile, Scan, Stamp

PENDING = -1
"""The time in the stamp of a note whose place among the others is not settled yet.

An ingest that was cut short leaves it behind; it equals no file's time, so the next ingest
takes the note up again.
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be looked at.

    Attributes:
        to_read: Files that are new, or may have changed, sorted by path.
        vanished: Notes whose file is no longer there, sorted.
        unchanged: How many files are as they were.
    """

    to_read: tuple[NoteFile, ...]
    vanished: tuple[DocumentId, ...]
    unchanged: int


def plan_changes(scan: Scan, stamps: Mapping[DocumentId, Stamp], *, full: bool = False) -> Plan:
    """Decide what to read; ``full`` reads everything.

    >>> same = NoteFile("a.md", 3, 7)
    >>> plan = plan_changes(Scan((same, NoteFile("b.md", 1, 7)), ()),
    ...     {DocumentId("a.md"): Stamp("h", 3, 7), DocumentId("c.md"): Stamp("h", 3, 7)})
    >>> [file.path for file in plan.to_read], plan.vanished, plan.unchanged
    (['b.md'], ('c.md',), 1)
    """
    seen: dict[str, tuple[int, int]] = (
        {} if full else {path: stamp[1:] for path, stamp in stamps.items()}
    )
    to_read = tuple([file for file in scan.files if seen.get(file[0]) != file[1:]])
    there = {file.path for file in scan.files}
    vanished = tuple(sorted(stamps.keys() - there))
    return Plan(to_read, vanished, len(scan.files) - len(to_read))


def is_settled(stamp: Stamp | None, source_hash: str) -> bool:
    """Whether a note with these bytes needs nothing but its stamp renewed."""
    return stamp is not None and stamp.mtime_ns != PENDING and stamp.source_hash == source_hash


def may_have_moved(plan: Plan, stamps: Mapping[DocumentId, Stamp]) -> tuple[NoteFile, ...]:
    """The new files whose size is that of a note that vanished."""
    sizes = {stamps[path].size for path in plan.vanished}
    return tuple(f for f in plan.to_read if f.path not in stamps and f.size in sizes)


def moves(
    vanished: Sequence[DocumentId],
    appeared: Iterable[tuple[DocumentId, str]],
    stamps: Mapping[DocumentId, Stamp],
) -> tuple[tuple[DocumentId, DocumentId], ...]:
    """Pair the notes that vanished with new ones of the same bytes, old with new, sorted.

    Of several the one that kept its file name is meant, else the first by path.
    """
    free: dict[str, list[DocumentId]] = {}
    for old in sorted(vanished):
        free.setdefault(stamps[old].source_hash, []).append(old)
    found: list[tuple[DocumentId, DocumentId]] = []
    new_ones = sorted(appeared)
    for keeps_name in (True, False):
        for new, source_hash in new_ones:
            olds = free.get(source_hash, [])
            fitting = [o for o in olds if not keeps_name or _file(o) == _file(new)]
            if fitting and new not in {taken for _, taken in found}:
                found.append((fitting[0], new))
                olds.remove(fitting[0])
    return tuple(sorted(found))


def _file(path: str) -> str:
    return path.rpartition("/")[2]
