"""The word index in the file: which segments there are, how they come, merge and go.

A change adds one segment (or a few, if it is large) and crosses out the slots of atoms that
are gone. Four segments of about one size become one, so that a library which is edited all
day long still has a dozen; a segment most of whose slots are crossed out is written anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

import apsw
import numpy as np
import numpy.typing as npt

from witmark.adapters.sqlite.seals import DamagedRowsError, decoding, seal, unseal
from witmark.adapters.sqlite.words import (
    MOST_ATOMS,
    Keys,
    Postings,
    blocks_of,
    merged,
    postings_of,
    unpacked,
)
from witmark.answers.ports import AtomTerms

COLUMNS = np.dtype(
    [("atom", "<i4"), ("note", "<i4"), ("language", "<i4"), ("title", "<i4"), ("body", "<i4")]
)
"""Of one slot: numbers of the atom, its note and its language; tokens of title and body."""

_AT_ONCE = 4
_SMALLEST = 512
_SELDOM = 0.5  # a segment with fewer slots alive than this is written anew

Columns = npt.NDArray[np.void]
Alive = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment as it is kept in memory; its blocks stay in the file.

    Attributes:
        id: Its number; the contents under a number never change, ``alive`` apart.
        first_block: Number of its first block; the others follow.
        alive: Which slots stand for an atom that is there.
        fences: The first key of each block.
        columns: One row per slot.
    """

    id: int
    first_block: int
    alive: Alive
    fences: Keys
    columns: Columns


NONE_KNOWN: Mapping[int, Segment] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Entry:
    """An atom as the index takes it."""

    atom: int
    note: int
    language: int
    terms: AtomTerms


def read_segments(db: apsw.Connection, known: Mapping[int, Segment]) -> tuple[Segment, ...]:
    """Read every segment, but only what is not known already."""
    found = []
    for number, alive in list(db.execute("SELECT id, alive FROM segment ORDER BY id")):
        living = np.frombuffer(unseal(alive), np.bool_)
        if old := known.get(number):
            _check_size(number, living, old.columns)
            found.append(Segment(old.id, old.first_block, living, old.fences, old.columns))
        else:
            found.append(_read(db, number, living))
    return tuple(found)


def cross_out(
    db: apsw.Connection, atoms: Sequence[int], known: Mapping[int, Segment] = NONE_KNOWN
) -> None:
    """Atoms that are gone, or about to be indexed anew, are not found any more."""
    if not atoms:
        return
    gone = np.array(sorted(atoms), np.int32)
    for segment in read_segments(db, known):
        hit = segment.alive & np.isin(segment.columns["atom"], gone)
        if hit.any():
            _write_alive(db, segment.id, segment.alive & ~hit)


def add(db: apsw.Connection, entries: Sequence[Entry]) -> None:
    """Index atoms that are not in the index."""
    for at in range(0, len(entries), MOST_ATOMS):
        some = entries[at : at + MOST_ATOMS]
        columns = np.empty(len(some), COLUMNS)
        columns["atom"] = [entry.atom for entry in some]
        columns["note"] = [entry.note for entry in some]
        columns["language"] = [entry.language for entry in some]
        columns["title"] = [len(entry.terms.title) for entry in some]
        columns["body"] = [len(entry.terms.body) for entry in some]
        _write(db, columns, postings_of([entry.terms for entry in some]))


def tidy(db: apsw.Connection, known: Mapping[int, Segment] = NONE_KNOWN) -> None:
    """Merge what has become too many, and write anew what is mostly crossed out."""
    while group := next(_overdue(read_segments(db, known)), None):
        alive = [segment.alive for segment in group]
        if any(some.any() for some in alive):
            postings = merged([(_postings(db, segment), segment.alive) for segment in group])
            columns = np.concatenate([segment.columns[segment.alive] for segment in group])
            _write(db, columns, postings)
        for segment in group:
            _drop(db, segment)


def _overdue(segments: Sequence[Segment]) -> Iterator[Sequence[Segment]]:
    for segment in segments:
        if segment.alive.sum() < _SELDOM * len(segment.alive) or not len(segment.alive):
            yield [segment]
    for _, same in groupby(sorted(segments, key=_tier), key=_tier):
        group = list(same)[:_AT_ONCE]
        size = sum(int(segment.alive.sum()) for segment in group)
        if len(group) == _AT_ONCE and size <= MOST_ATOMS:
            yield sorted(group, key=lambda segment: segment.id)


def _tier(segment: Segment) -> int:
    """How many times a segment may be divided by four before it is small."""
    tier, size = 0, len(segment.alive)
    while size > _SMALLEST:
        tier, size = tier + 1, size // _AT_ONCE
    return tier


def _read(db: apsw.Connection, number: int, alive: Alive) -> Segment:
    query = "SELECT first_block, fences, columns FROM segment WHERE id = ?"
    [(first, stored_fences, stored_columns)] = db.execute(query, (number,))
    with decoding("the word index"):
        fences = np.frombuffer(unseal(stored_fences), np.int64)
        columns = np.frombuffer(unseal(stored_columns), COLUMNS)
    _check_size(number, alive, columns)
    return Segment(number, first, alive, fences, columns)


def _check_size(number: int, alive: Alive, columns: Columns) -> None:
    if len(alive) != len(columns):
        raise DamagedRowsError(f"segment {number} of the word index is not whole")


def _postings(db: apsw.Connection, segment: Segment) -> Postings:
    last = segment.first_block + len(segment.fences)
    query = "SELECT postings FROM block WHERE id >= ? AND id < ? ORDER BY id"
    return unpacked(
        unseal(block) for (block,) in db.execute(query, (segment.first_block, last))
    )


def _write(db: apsw.Connection, columns: Columns, postings: Postings) -> None:
    fences, blocks = blocks_of(postings)
    [(first,)] = db.execute("SELECT coalesce(max(id), 0) + 1 FROM block")
    db.executemany(
        "INSERT INTO block(id, postings) VALUES (?, ?)",
        ((first + place, seal(block)) for place, block in enumerate(blocks)),
    )
    alive = np.ones(len(columns), np.bool_)
    db.execute(
        "INSERT INTO segment(first_block, alive, fences, columns) VALUES (?, ?, ?, ?)",
        (first, seal(alive.tobytes()), seal(fences.tobytes()), seal(columns.tobytes())),
    )


def _write_alive(db: apsw.Connection, number: int, alive: Alive) -> None:
    db.execute("UPDATE segment SET alive = ? WHERE id = ?", (seal(alive.tobytes()), number))


def _drop(db: apsw.Connection, segment: Segment) -> None:
    last = segment.first_block + len(segment.fences)
    db.execute("DELETE FROM block WHERE id >= ? AND id < ?", (segment.first_block, last))
    db.execute("DELETE FROM segment WHERE id = ?", (segment.id,))
