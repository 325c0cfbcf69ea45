"""The library of a workspace in one SQLite file."""

import contextlib
import json
import threading
from collections.abc import (
    Callable,
    Collection,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Sized,
)
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

import apsw
import numpy as np
import numpy.typing as npt

from witmark.adapters.sqlite.edge_rows import graph_of, unpack
from witmark.adapters.sqlite.edge_writing import all_edges, temporal_edge
from witmark.adapters.sqlite.errors import REBUILDS, LibraryChangedError, refusals
from witmark.adapters.sqlite.names import name_of
from witmark.adapters.sqlite.note_rows import (
    unpack_atom,
    unpack_document,
    unpack_headings,
    unpack_text,
)
from witmark.adapters.sqlite.opening import LIBRARY_STEPS, opened, transaction
from witmark.adapters.sqlite.scoping import allowed
from witmark.adapters.sqlite.seals import DamagedRowsError, decoding, unseal
from witmark.adapters.sqlite.searching import Rows, WordIndex
from witmark.adapters.sqlite.segments import Alive, Segment, read_segments
from witmark.adapters.sqlite.turns import Reading
from witmark.adapters.sqlite.words import Block, Slots, opened_block
from witmark.adapters.sqlite.writing import apply_change, replace_edges
from witmark.answers.arrays import GraphArrays
from witmark.answers.asking import ScopeRequest
from witmark.answers.atoms import AtomId, Document, DocumentId, EdgeId, KnowledgeAtom
from witmark.answers.edges import RelationEdge, TemporalEdge
from witmark.answers.ports import (
    AliasEntry,
    AtomNo,
    Change,
    LibraryState,
    NoteFailure,
    Stamp,
    TermHit,
)

_SCOPES_KEPT = 32
_ROWS_KEPT = 256
_KEPT = 4096  # of each kind
_NOTES_KEPT = 64  # several steps of an answer read the same notes
_BLOCKS_KEPT = 1024  # of 20 to 150 kB
_BEYOND_ASCII = "\x80"  # what begins with ASCII comes before it
_NOTE = "note.path, title, note.source_hash, facts"


_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


@dataclass(slots=True)
class _View:
    """What is kept in memory of one generation."""

    generation: int
    index: WordIndex
    graph: GraphArrays | None = None
    owners: list[str] = field(default_factory=list)
    rows: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    owner_of_row: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    temporal: tuple[TemporalEdge, ...] | None = None
    scopes: dict[ScopeRequest, tuple[Alive, frozenset[AtomNo]]] = field(default_factory=dict)
    latin: dict[str, list[str]] = field(default_factory=dict)  # ASCII keys by initial
    tokens: dict[str, Rows] = field(default_factory=dict)  # of the last tokens
    notes: dict[DocumentId, Document | None] = field(default_factory=dict)  # the last read
    documents: int | None = None
    languages: dict[int, str] = field(default_factory=dict)  # by number
    roots: dict[DocumentId, AtomNo | None] = field(default_factory=dict)  # the last asked for
    names: dict[int, AtomId] = field(default_factory=dict)  # the last asked for
    paths: dict[int, DocumentId] = field(default_factory=dict)  # of notes, the last asked for
    atoms: dict[AtomNo, KnowledgeAtom] = field(default_factory=dict)  # the last read
    headings: dict[AtomNo, tuple[str, ...]] = field(default_factory=dict)  # the last read


class SqliteLibrary:
    """A ``Library`` in one file. Many may read while one writes; threads take turns.

    Args:
        path: The file; its folder must be there.

    Raises:
        WitmarkError: as ``opened`` says. Every method raises ``OutsideError`` when the
            disk refuses and ``DamagedLibraryError`` when the file is not whole any more.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()  # one connection, one thread at a time
        self._db = opened(path, LIBRARY_STEPS, loses=REBUILDS, synchronous="NORMAL")
        self._view: _View | None = None
        self._reading = Reading(path, self._db, self._lock, self._current, REBUILDS)
        self._block = lru_cache(_BLOCKS_KEPT)(self._read_block)  # a block never changes

    def close(self) -> None:
        """Let go of the file."""
        with self._lock, refusals(self._path, loses=REBUILDS):
            self._db.close()

    # Writing -------------------------------------------------------------------------

    def apply(self, change: Change) -> None:
        """Make one change, wholly or not at all."""
        with self._writing() as db:
            apply_change(db, change, self._known_segments())

    def put_edges(
        self, owner: str, edges: Sequence[RelationEdge], temporal: Sequence[TemporalEdge]
    ) -> None:
        """Replace all edges of an owner ``import:NAME``."""
        with self._writing() as db:
            replace_edges(db, owner, edges, temporal)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        with self._lock, refusals(self._path, loses=REBUILDS), transaction(self._db):
            yield self._db

    def reading(self) -> "Reading[_View]":
        """One state of the file from beginning to end, whatever others write meanwhile.

        Until it ends other threads wait, and nothing may be written.
        """
        return self._reading

    def _current(self) -> _View:
        [(generation,)] = self._db.execute("SELECT generation FROM library")
        if self._view is None or self._view.generation != generation:
            segments = read_segments(self._db, self._known_segments())
            self._view = _View(generation, WordIndex(segments))
        return self._view

    def _known_segments(self) -> dict[int, Segment]:
        """What the last look found; what stands under a number never changes."""
        old = self._view.index.segments if self._view else ()
        return {segment.id: segment for segment in old}

    # Reading notes and atoms ---------------------------------------------------------

    def state(self) -> LibraryState:
        """Counts, for readiness and BM25's averages.

        Of edges that cannot be read none is counted; ``graph`` and ``temporal`` say why.
        """
        with self._reading as (db, view):
            if view.documents is None:
                [(view.documents,)] = db.execute("SELECT count(*) FROM note")
            return LibraryState(
                generation=view.generation,
                documents=view.documents,
                atoms=view.index.atoms,
                relation_edges=_count(lambda: self._graph(db, view).row),
                temporal_edges=_count(lambda: self._temporal(db, view)),
                title_tokens=view.index.title_tokens,
                body_tokens=view.index.body_tokens,
            )

    def stamps(self) -> Mapping[DocumentId, Stamp]:
        """Every note that is kept, sorted by id."""
        query = "SELECT path, stamp_hash, size, mtime_ns FROM note"
        with self._reading as (db, _):
            rows = list(db.execute(query))  # along the index each row would be looked up
        with decoding("the list of notes"):
            return {row[0]: Stamp._make(row[1:]) for row in sorted(rows)}

    def stamps_of(
        self, documents: Collection[DocumentId], *, or_at: int
    ) -> tuple[Mapping[DocumentId, Stamp], int]:
        """The stamps of these notes and of all with this time, and how many others are kept."""
        these = """
            SELECT note.path, stamp_hash, size, mtime_ns
            FROM json_each(?) CROSS JOIN note ON note.path = value
        """
        those = "SELECT path, stamp_hash, size, mtime_ns FROM note WHERE mtime_ns = ?"
        with self._reading as (db, _):
            rows = set(db.execute(these, (_list(sorted(documents)),)))
            rows.update(db.execute(those, (or_at,)))
            [(every,)] = db.execute("SELECT count(*) FROM note")
        found = {DocumentId(path): Stamp(*stamp) for path, *stamp in sorted(rows)}
        return found, every - len(found)

    def failures(self) -> tuple[NoteFailure, ...]:
        """The notes that could not be read in the last ingest, sorted by path."""
        with self._reading as (db, _):
            rows = db.execute("SELECT said FROM failure ORDER BY rowid")
            with decoding("the list of failures"):
                return tuple(NoteFailure(*json.loads(said)) for (said,) in rows)

    def document(self, document_id: DocumentId) -> Document | None:
        """Return a note with its text and atoms, or ``None``."""
        query = f"SELECT no, {_NOTE} FROM note WHERE path = ?"  # noqa: S608 - our own columns
        with self._reading as (db, view):
            if (bare := self.note(document_id)) is None:
                return None
            number, *note = next(db.execute(query, (document_id,)))
            query = "SELECT no, ordinal, head, text, runs, passages FROM atom WHERE note = ?"
            atoms = []
            for no, ordinal, *row in db.execute(f"{query} ORDER BY ordinal", (number,)):
                atom = view.atoms.get(no) or unpack_atom(ordinal, tuple(row), tuple(note))
                if len(view.atoms) < _KEPT:
                    view.atoms[no] = atom
                atoms.append(atom)
            return replace(bare, atoms=tuple(atoms))

    def note(self, document_id: DocumentId) -> Document | None:
        """Return a note with its text and without its atoms, or ``None``."""
        query = f"SELECT text, {_NOTE} FROM note JOIN source ON note = no WHERE path = ?"  # noqa: S608 - our own columns
        with self._reading as (db, view):
            if document_id not in view.notes:
                if len(view.notes) >= _NOTES_KEPT:
                    view.notes.clear()
                row = db.execute(query, (document_id,)).fetchone()
                view.notes[document_id] = _bare(row) if row else None
            return view.notes[document_id]

    def titles(self) -> Sequence[tuple[DocumentId, str]]:
        """Every note's id and title, sorted by id."""
        with self._reading as (db, _):
            rows = db.execute("SELECT path, title FROM note ORDER BY path")
            return [(DocumentId(path), title) for path, title in rows]

    def atoms(self, numbers: Sequence[AtomNo]) -> tuple[KnowledgeAtom, ...]:
        """Return atoms in the order asked for.

        Raises:
            LibraryChangedError: one of them was there, and has gone since.
        """
        query = f"""
            SELECT atom.no, ordinal, head, text, runs, passages, {_NOTE}
            FROM json_each(?) CROSS JOIN atom ON atom.no = value
            JOIN note ON note.no = atom.note
        """  # noqa: S608 - our own columns
        with self._reading as (db, view):
            if unread := _unread(numbers, view.atoms):
                for no, ordinal, *row in db.execute(query, (_list(unread),)):
                    atom = unpack_atom(ordinal, tuple(row[:4]), tuple(row[4:]))
                    view.atoms[no] = atom
                    if atom.is_root and len(view.roots) < _KEPT:
                        view.roots[atom.document_id] = no
                self._all_there(db, numbers, view.atoms)
            return tuple([view.atoms[number] for number in numbers])

    def numbers(self, ids: Sequence[AtomId]) -> Mapping[AtomId, AtomNo]:
        """Numbers of the atoms that exist, sorted by id."""
        with self._reading as (db, _):
            found = ((name, _number(db, name)) for name in sorted(set(ids)))
            return {name: number for name, number in found if number is not None}

    def roots(self, documents: Sequence[DocumentId]) -> Mapping[DocumentId, AtomNo]:
        """Numbers of the root atoms of the documents that exist, sorted by id."""
        query = """
            SELECT note.path, atom.no FROM json_each(?) CROSS JOIN note ON note.path = value
            JOIN atom ON atom.note = note.no WHERE ordinal = 0
        """
        wanted = sorted(set(documents))
        with self._reading as (db, view):
            if unread := _unread(wanted, view.roots):
                found = dict(db.execute(query, (_list(unread),)))
                view.roots.update((name, found.get(name)) for name in unread)
            roots = [(name, view.roots[name]) for name in wanted]
        return {name: AtomNo(number) for name, number in roots if number is not None}

    def homes(self, numbers: Sequence[AtomNo]) -> Mapping[AtomNo, DocumentId]:
        """The documents that these atoms belong to, by number.

        Raises:
            LibraryChangedError: one of them was there, and has gone since.
        """
        query = "SELECT no, note.path FROM json_each(?) CROSS JOIN note ON no = value"
        wanted = sorted(set(numbers))
        with self._reading as (db, view):
            notes = view.index.columns["note"][self._slots(db, view, wanted)].tolist()
            if unread := _unread(sorted(set(notes)), view.paths):
                view.paths.update(db.execute(query, (_list(unread),)))
            with decoding("the word index"):
                return {n: view.paths[note] for n, note in zip(wanted, notes, strict=True)}

    def headings(self, numbers: Sequence[AtomNo]) -> Mapping[AtomNo, tuple[str, ...]]:
        """The section path of each of these atoms, by number.

        Raises:
            LibraryChangedError: one of them was there, and has gone since.
        """
        query = "SELECT no, head FROM json_each(?) CROSS JOIN atom ON no = value"
        wanted = sorted(set(numbers))
        with self._reading as (db, view):
            if unread := _unread(wanted, view.headings):
                with decoding("the headings of an atom"):
                    rows = db.execute(query, (_list(unread),))
                    view.headings.update((no, unpack_headings(head)) for no, head in rows)
            self._all_there(db, wanted, view.headings)
            return {number: view.headings[number] for number in wanted}

    def languages(self, numbers: Sequence[AtomNo]) -> Mapping[AtomNo, str]:
        """The language of each of these atoms, by number.

        Raises:
            LibraryChangedError: one of them was there, and has gone since.
        """
        wanted = sorted(set(numbers))
        with self._reading as (db, view):
            codes = view.index.columns["language"][self._slots(db, view, wanted)].tolist()
            if not view.languages:
                view.languages = dict(db.execute("SELECT no, code FROM language"))
            with decoding("the word index"):
                return {n: view.languages[c] for n, c in zip(wanted, codes, strict=True)}

    # Searching -----------------------------------------------------------------------

    def in_scope(self, scope: ScopeRequest) -> frozenset[AtomNo] | None:
        """The atoms a scope allows, or ``None`` when it allows all."""
        if scope.is_everything:
            return None
        with self._reading as (db, view):
            return self._scope(db, view, scope)[1]

    def documents_in(self, scope: ScopeRequest) -> int:
        """How many notes a scope holds, be it with one atom."""
        with self._reading as (db, view):
            mask = view.index.alive
            if not scope.is_everything:
                mask = self._scope(db, view, scope)[0]
            return len(set(view.index.columns["note"][mask].tolist()))

    def search(
        self, tokens: Sequence[str], scope: ScopeRequest, *, limit: int
    ) -> Sequence[TermHit]:
        """The atoms in scope most likely to matter for the tokens, sorted by number."""
        with self._reading as (db, view):
            mask = None if scope.is_everything else self._scope(db, view, scope)[0]
            rows = self._rows(view, tokens)
            return view.index.hits(view.index.best(rows, mask, limit), rows)

    def frequencies(self, tokens: Sequence[str]) -> Mapping[str, int]:
        """In how many atoms each token occurs, whole library, unknown ones as 0."""
        with self._reading as (_, view):
            return {row.token: row.atoms for row in self._rows(view, tokens)}

    def containing(self, phrase: Sequence[str]) -> Sequence[AtomNo]:
        """Atoms whose body holds all these tokens, ascending; none for no tokens."""
        with self._reading as (_, view):
            rows = [view.index.rows(token, self._block) for token in dict.fromkeys(phrase)]
            return [AtomNo(number) for number in view.index.holding(rows)] if rows else []

    def aliases(
        self, keys: Sequence[str]
    ) -> Mapping[str, Sequence[tuple[DocumentId, AliasEntry]]]:
        """The documents under each key that is known, sorted."""
        query = """
            SELECT alias.key, note.path, rule, surface
            FROM json_each(?) AS asked CROSS JOIN alias ON alias.key = asked.value
            JOIN note ON note.no = alias.note
        """
        with self._reading as (db, _):
            rows = sorted(db.execute(query, (_list(sorted(set(keys))),)))
        found: dict[str, list[tuple[DocumentId, AliasEntry]]] = {}
        for key, path, rule, surface in rows:
            entry = AliasEntry(key, rule, surface)
            found.setdefault(key, []).append((DocumentId(path), entry))
        return found

    def uses(self, documents: Sequence[DocumentId]) -> Mapping[DocumentId, tuple[str, ...]]:
        """The names that each note refers to others by, sorted."""
        query = "SELECT name FROM use WHERE note = ? ORDER BY name"
        found = {}
        with self._reading as (db, _):
            for key in sorted(set(documents)):
                row = db.execute("SELECT no FROM note WHERE path = ?", (key,)).fetchone()
                if row is not None:
                    found[key] = tuple(name for (name,) in db.execute(query, row))
        return found

    def users(self, names: Sequence[str]) -> Mapping[str, Sequence[DocumentId]]:
        """The notes that use each name, sorted."""
        query = "SELECT path FROM use JOIN note ON no = note WHERE name = ? ORDER BY path"
        with self._reading as (db, _):
            found = {name: list(db.execute(query, (name,))) for name in sorted(set(names))}
        return {name: [DocumentId(p) for (p,) in rows] for name, rows in found.items() if rows}

    def latin_keys(self, shortest: int, longest: int, *, initial: str = "") -> Sequence[str]:
        """Distinct ASCII keys of a length and, if given, of an initial, sorted."""
        with self._reading as (db, view):
            if (keys := view.latin.get(initial)) is None:
                keys = view.latin[initial] = _latin_keys(db, initial)
        return [key for key in keys if shortest <= len(key) <= longest]

    # The graph -----------------------------------------------------------------------

    def graph(self) -> GraphArrays:
        """The graph as flat arrays; the same object until the library changes."""
        with self._reading as (db, view):
            return self._graph(db, view)

    def edges(self, rows: Sequence[int]) -> tuple[RelationEdge, ...]:
        """Relation edges by their ``row`` in the arrays.

        Raises:
            LibraryChangedError: one of them was there, and has gone since.
        """
        with self._reading as (db, view):
            self._graph(db, view)
            found: dict[int, RelationEdge] = {}
            at = np.searchsorted(view.rows, np.asarray(rows, np.int64))
            for row, place in zip(rows, at.tolist(), strict=True):
                if place == len(view.rows) or view.rows[place] != row:
                    raise self._gone(db, "SELECT 1 FROM library WHERE next_row > ?", row)
            for owner in sorted(
                {view.owners[whose] for whose in view.owner_of_row[at].tolist()}
            ):
                found.update(self._owned(db, view, owner, frozenset(rows)))
        return tuple(found[row] for row in rows)

    def edges_of(self, owner: str) -> tuple[RelationEdge, ...]:
        """All relation edges of one owner, those kept aside included, sorted by id."""
        with self._reading as (db, view):
            return tuple(
                sorted((e for _, e in self._owned(db, view, owner)), key=lambda e: e.id)
            )

    def order_breaking(self) -> Sequence[EdgeId]:
        """Every relation edge that orders leave out, sorted."""
        with self._reading as (db, _):
            return [EdgeId(name) for (name,) in db.execute("SELECT id FROM mark ORDER BY id")]

    def temporal(self) -> tuple[TemporalEdge, ...]:
        """Every active temporal edge, sorted by id."""
        with self._reading as (db, view):
            return self._temporal(db, view)

    # What several answers share ------------------------------------------------------

    def _read_block(self, number: int) -> Block:
        query = "SELECT postings FROM block WHERE id = ?"
        found = self._db.execute(query, (number,)).fetchone()
        if found is None:
            raise DamagedRowsError("a block of the word index is missing")
        with decoding("the word index"):
            return opened_block(unseal(found[0]))

    def _rows(self, view: _View, tokens: Sequence[str]) -> list[Rows]:
        """Where each token stands; an answer asks for the same ones several times."""
        wanted = dict.fromkeys(tokens)
        if len(view.tokens) + len(wanted) > _ROWS_KEPT:
            view.tokens.clear()
        for token in wanted:
            if token not in view.tokens:
                view.tokens[token] = view.index.rows(token, self._block)
        return [view.tokens[token] for token in wanted]

    def _scope(
        self, db: apsw.Connection, view: _View, scope: ScopeRequest
    ) -> tuple[Alive, frozenset[AtomNo]]:
        if scope not in view.scopes:
            mask = allowed(db, view.index, scope)
            if len(view.scopes) >= _SCOPES_KEPT:
                view.scopes.clear()
            view.scopes[scope] = mask, frozenset(view.index.columns["atom"][mask].tolist())
        return view.scopes[scope]

    def _graph(self, db: apsw.Connection, view: _View) -> GraphArrays:
        if view.graph is None:
            view.owners, sizes, edges = all_edges(db)
            order = np.argsort(edges["row"], kind="stable")
            view.rows = edges["row"][order]
            view.owner_of_row = np.repeat(np.arange(len(sizes)), sizes)[order]
            nodes = np.sort(view.index.columns["atom"][view.index.alive]).astype(np.int64)
            view.graph = graph_of(nodes, edges)
        return view.graph

    def _owned(
        self, db: apsw.Connection, view: _View, owner: str, rows: frozenset[int] | None = None
    ) -> list[tuple[int, RelationEdge]]:
        query = "SELECT edges, digests, spans FROM relation WHERE owner = ?"
        found = db.execute(query, (owner,)).fetchone()
        name = partial(_name, db, view.names)
        return unpack(owner, found, name, rows) if found else []

    def _temporal(self, db: apsw.Connection, view: _View) -> tuple[TemporalEdge, ...]:
        query = """
            SELECT temporal.*, one.id, two.id FROM temporal
            JOIN atom AS source_atom ON source_atom.no = source
            JOIN atom AS target_atom ON target_atom.no = target
            JOIN name AS one ON one.no = source JOIN name AS two ON two.no = target
            ORDER BY temporal.id
        """
        if view.temporal is None:
            rows = db.execute(query)
            view.temporal = tuple(temporal_edge(row[:-2], row[-2], row[-1]) for row in rows)
        return view.temporal

    def _slots(self, db: apsw.Connection, view: _View, wanted: Sequence[AtomNo]) -> Slots:
        slots = view.index.slots(wanted)
        there = zip(wanted, slots.tolist(), strict=True)
        self._all_there(db, wanted, {number for number, slot in there if slot >= 0})
        return slots

    def _all_there(
        self, db: apsw.Connection, wanted: Iterable[int], found: Container[int]
    ) -> None:
        """Refuse a number of an atom that is not there."""
        for number in wanted:
            if number not in found:
                raise self._gone(db, "SELECT 1 FROM name WHERE no = ?", number)

    def _gone(self, db: apsw.Connection, was_there: str, number: int) -> Exception:
        """A number that was given belongs to something that is gone; any other is our bug."""
        if db.execute(was_there, (number,)).fetchone():
            return LibraryChangedError(self._path)
        return AssertionError(f"nothing has this number: {number}")


def _count(read: Callable[[], Sized]) -> int:
    """How many there are; a search need not fail because of what it does not read."""
    try:
        return len(read())
    except DamagedRowsError:
        return 0


def _list(values: Sequence[object]) -> str:
    """Values as SQLite's ``json_each`` takes them: one query instead of one for each."""
    return json.dumps(values)


def _unread(wanted: Sequence[_Key], known: dict[_Key, _Value]) -> list[_Key]:
    """What is not known yet; so that not too much is kept, nothing may be known any more."""
    unread = [key for key in wanted if key not in known]
    if len(known) + len(unread) <= _KEPT:
        return unread
    known.clear()
    return list(wanted)


def _bare(row: tuple[bytes, str, str, str, str]) -> Document:
    return unpack_document(row[1:], unpack_text(row[0]), ())


def _latin_keys(db: apsw.Connection, initial: str) -> list[str]:
    """The ASCII keys that begin with a character, or all, sorted; a walk along the index."""
    if not initial.isascii():
        return []
    first, beyond = (initial, chr(ord(initial) + 1)) if initial else ("", _BEYOND_ASCII)
    query = "SELECT DISTINCT key FROM alias WHERE key >= ? AND key < ? ORDER BY key"
    return [key for (key,) in db.execute(query, (first, beyond)) if key.isascii()]


def _name(db: apsw.Connection, known: dict[int, AtomId], number: int) -> AtomId:
    if number not in known:
        if len(known) >= _KEPT:
            known.clear()
        known[number] = name_of(db, number)
    return known[number]


def _number(db: apsw.Connection, name: AtomId) -> AtomNo | None:
    query = "SELECT atom.no FROM name JOIN atom ON atom.no = name.no WHERE id = ?"
    found = db.execute(query, (name,)).fetchone()
    return AtomNo(found[0]) if found else None
