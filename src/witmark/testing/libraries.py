"""A library wholly in memory: the same answers as the one on disk, nothing to clean up."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from witmark.answers.arrays import GraphArrays
from witmark.answers.asking import ScopeRequest
from witmark.answers.atoms import (
    AtomId,
    Document,
    DocumentId,
    EdgeId,
    KnowledgeAtom,
    corpus_of,
)
from witmark.answers.edges import RelationEdge, TemporalEdge
from witmark.answers.moving import moved_document
from witmark.answers.ports import (
    AliasEntry,
    AtomNo,
    Change,
    LibraryState,
    NoteFailure,
    Record,
    Stamp,
    TermHit,
)
from witmark.testing.edge_books import EdgeBook, arrays_of

TITLE_WEIGHT, K1, B = 2.0, 1.2, 0.75
"""Of the BM25 that decides which atoms fall to a limit; it orders nothing that is shown."""


@dataclass(frozen=True, slots=True)
class _Atom:
    """An atom that is there, with its tokens counted."""

    atom: KnowledgeAtom
    title: Counter[str]
    body: Counter[str]


class MemoryLibrary:
    """A ``Library`` in dicts. Every promise of the port, and no file."""

    def __init__(self) -> None:
        self._generation = 0
        self._records: dict[DocumentId, Record] = {}
        self._names: dict[AtomId, AtomNo] = {}  # every atom ever named, by an edge or itself
        self._given = 0
        self._atoms: dict[AtomNo, _Atom] = {}
        self._edges = EdgeBook()
        self._failures: tuple[NoteFailure, ...] = ()
        self._graph: GraphArrays | None = None

    # Writing -------------------------------------------------------------------------

    def apply(self, change: Change) -> None:
        """Make one change."""
        if len({record.document.id for record in change.upserted}) != len(change.upserted):
            raise AssertionError("a note stands twice in one change")
        self._move(change.moved)
        for gone in change.removed:
            self._remove(gone)
        self._upsert(change.upserted)
        for document_id, stamp in change.touched:
            if record := self._records.get(document_id):
                self._records[document_id] = replace(record, stamp=stamp)
        self._failures = tuple(sorted(change.failures, key=_failure_key))
        for owner, edges in change.relinked:
            if owner in self._records:
                self._own(owner, edges)
        for linked in change.linked:
            if record := self._records.get(linked.owner):
                self._records[linked.owner] = replace(record, uses=linked.uses)
                self._own(linked.owner, linked.edges)
                self._own_temporal(linked.owner, linked.temporal)
        if change.order_breaking is not None:
            self._edges.mark(change.order_breaking)
        self._changed()

    def put_edges(
        self, owner: str, edges: Sequence[RelationEdge], temporal: Sequence[TemporalEdge]
    ) -> None:
        """Replace all edges of an owner ``import:NAME``."""
        self._own(owner, edges)
        self._own_temporal(owner, temporal)
        self._changed()

    def _changed(self) -> None:
        self._generation += 1
        self._graph = None

    def _move(self, moved: Iterable[tuple[DocumentId, DocumentId]]) -> None:
        moves = {old: new for old, new in moved if old in self._records and old != new}
        if not moves:
            return
        taken = {old: self._records.pop(old) for old in moves}
        for new in moves.values():
            if new in self._records:
                self._remove(new)
        names = self._renamed(moves)
        numbers = {new: self._names.pop(old) for old, new in names.items()}
        self._names.update(numbers)
        self._edges.move({str(old): new for old, new in moves.items()}, names)
        for old, new in moves.items():
            document = moved_document(taken[old].document, new)
            self._records[new] = replace(taken[old], document=document)
            for atom in document.atoms:
                number = self._names[atom.id]
                self._atoms[number] = replace(self._atoms[number], atom=atom)

    def _renamed(self, moves: Mapping[DocumentId, DocumentId]) -> dict[AtomId, AtomId]:
        """Every name below a moved note, old to new, unless another note's atom bears it."""
        renamed = {}
        for name, number in self._names.items():
            home = self._atoms[number].atom.document_id if number in self._atoms else None
            for old, new in moves.items():
                if name.startswith(f"{old}#") and home in (None, old):
                    renamed[name] = AtomId(new + name.removeprefix(old))
        return renamed

    def _remove(self, document_id: DocumentId) -> None:
        if record := self._records.pop(document_id, None):
            for atom in record.document.atoms:
                del self._atoms[self._names[atom.id]]
            self._edges.own(document_id, ())
            self._edges.own_temporal(document_id, ())

    def _upsert(self, records: Sequence[Record]) -> None:
        for record in records:
            old = self._records.get(record.document.id)
            for atom in old.document.atoms if old else ():
                del self._atoms[self._names[atom.id]]
            self._records[record.document.id] = record
            for atom, terms in zip(record.document.atoms, record.terms, strict=True):
                counted = _Atom(atom, Counter(terms.title), Counter(terms.body))
                self._atoms[self._number(atom.id)] = counted
        for record in records:
            self._own(record.document.id, record.edges)
            self._own_temporal(record.document.id, record.temporal)

    def _own(self, owner: str, edges: Sequence[RelationEdge]) -> None:
        for edge in edges:
            self._number(edge.source)
            self._number(edge.target)
        self._edges.own(owner, edges)

    def _own_temporal(self, owner: str, edges: Sequence[TemporalEdge]) -> None:
        for edge in edges:
            self._number(edge.source)
            self._number(edge.target)
        self._edges.own_temporal(owner, edges)

    def _number(self, name: AtomId) -> AtomNo:
        if name not in self._names:
            self._given += 1
            self._names[name] = AtomNo(self._given)
        return self._names[name]

    # Reading notes and atoms ---------------------------------------------------------

    def state(self) -> LibraryState:
        """Counts, for readiness and BM25's averages."""
        return LibraryState(
            generation=self._generation,
            documents=len(self._records),
            atoms=len(self._atoms),
            relation_edges=len(self.graph().row),
            temporal_edges=len(self.temporal()),
            title_tokens=sum(held.title.total() for held in self._atoms.values()),
            body_tokens=sum(held.body.total() for held in self._atoms.values()),
        )

    def stamps(self) -> Mapping[DocumentId, Stamp]:
        """Every note that is kept."""
        return {key: self._records[key].stamp for key in sorted(self._records)}

    def stamps_of(
        self, documents: Collection[DocumentId], *, or_at: int
    ) -> tuple[Mapping[DocumentId, Stamp], int]:
        """The stamps of these notes and of all with this time, and how many others are kept."""
        found = {
            key: self._records[key].stamp
            for key in sorted(self._records)
            if key in documents or self._records[key].stamp.mtime_ns == or_at
        }
        return found, len(self._records) - len(found)

    def failures(self) -> tuple[NoteFailure, ...]:
        """The notes that could not be read in the last ingest."""
        return self._failures

    def reading(self) -> AbstractContextManager[object]:
        """Nobody else writes here."""
        return nullcontext()

    def document(self, document_id: DocumentId) -> Document | None:
        """Return a note with its text and atoms, or ``None``."""
        record = self._records.get(document_id)
        return record.document if record else None

    def note(self, document_id: DocumentId) -> Document | None:
        """Return a note with its text and without its atoms, or ``None``."""
        record = self._records.get(document_id)
        return replace(record.document, atoms=()) if record else None

    def titles(self) -> Sequence[tuple[DocumentId, str]]:
        """Every note's id and title, sorted by id."""
        return [(key, self._records[key].document.title) for key in sorted(self._records)]

    def atoms(self, numbers: Sequence[AtomNo]) -> tuple[KnowledgeAtom, ...]:
        """Return atoms in the order asked for."""
        if unknown := [number for number in numbers if number not in self._atoms]:
            raise AssertionError(f"no atoms of these numbers: {unknown}")
        return tuple(self._atoms[number].atom for number in numbers)

    def numbers(self, ids: Sequence[AtomId]) -> Mapping[AtomId, AtomNo]:
        """Numbers of the atoms that exist."""
        named = {key: self._names[key] for key in sorted(set(ids)) if key in self._names}
        return {key: number for key, number in named.items() if number in self._atoms}

    def roots(self, documents: Sequence[DocumentId]) -> Mapping[DocumentId, AtomNo]:
        """Numbers of the root atoms of the documents that exist."""
        there = [key for key in sorted(set(documents)) if key in self._records]
        return {key: self._names[self._records[key].document.atoms[0].id] for key in there}

    def homes(self, numbers: Sequence[AtomNo]) -> Mapping[AtomNo, DocumentId]:
        """The documents that these atoms belong to."""
        wanted = sorted(set(numbers))
        atoms = zip(wanted, self.atoms(wanted), strict=True)
        return {number: atom.document_id for number, atom in atoms}

    def headings(self, numbers: Sequence[AtomNo]) -> Mapping[AtomNo, tuple[str, ...]]:
        """The section path of each of these atoms."""
        wanted = sorted(set(numbers))
        atoms = zip(wanted, self.atoms(wanted), strict=True)
        return {number: atom.section_path for number, atom in atoms}

    # Searching -----------------------------------------------------------------------

    def languages(self, numbers: Sequence[AtomNo]) -> Mapping[AtomNo, str]:
        """The language of each of these atoms, by number."""
        wanted = sorted(set(numbers))
        return {n: one.language for n, one in zip(wanted, self.atoms(wanted), strict=True)}

    def in_scope(self, scope: ScopeRequest) -> frozenset[AtomNo] | None:
        """The atoms a scope allows, or ``None`` when it allows all."""
        if scope.is_everything:
            return None
        return frozenset(n for n, held in self._atoms.items() if _allows(scope, held.atom))

    def documents_in(self, scope: ScopeRequest) -> int:
        """How many notes a scope holds, be it with one atom."""
        if scope.is_everything:
            return len(self._records)
        allowed = (held.atom for held in self._atoms.values() if _allows(scope, held.atom))
        return len({atom.document_id for atom in allowed})

    def search(
        self, tokens: Sequence[str], scope: ScopeRequest, *, limit: int
    ) -> Sequence[TermHit]:
        """The atoms in scope most likely to matter for the tokens, sorted by number."""
        asked = tuple(dict.fromkeys(tokens))
        found: list[TermHit] = []
        for number, held in self._atoms.items():
            shared = {t: (held.title[t], held.body[t]) for t in asked if _holds(held, t)}
            if shared and _allows(scope, held.atom):
                lengths = held.title.total(), held.body.total()
                found.append(TermHit(number, shared, *lengths))
        if len(found) > limit:
            scores = self._scores(found)
            found = sorted(found, key=lambda hit: (-scores[hit.atom_no], hit.atom_no))[:limit]
        return sorted(found, key=lambda hit: hit.atom_no)

    def _scores(self, hits: Sequence[TermHit]) -> dict[AtomNo, float]:
        spread = self.frequencies(sorted({token for hit in hits for token in hit.counts}))
        every = self._atoms.values()
        mean = sum(h.title.total() + h.body.total() for h in every) / len(every)
        return {hit.atom_no: _bm25(hit, spread, len(every), mean) for hit in hits}

    def frequencies(self, tokens: Sequence[str]) -> Mapping[str, int]:
        """In how many atoms each token occurs, whole library, unknown ones as 0."""
        held = self._atoms.values()
        return {t: sum(_holds(atom, t) for atom in held) for t in dict.fromkeys(tokens)}

    def aliases(
        self, keys: Sequence[str]
    ) -> Mapping[str, Sequence[tuple[DocumentId, AliasEntry]]]:
        """The documents under each key that is known."""
        found: dict[str, list[tuple[DocumentId, AliasEntry]]] = {}
        wanted = set(keys)
        for document_id, entry in self._entries():
            if entry.key in wanted:
                found.setdefault(entry.key, []).append((document_id, entry))
        return {key: sorted(set(found[key]), key=_entry_key) for key in sorted(found)}

    def uses(self, documents: Sequence[DocumentId]) -> Mapping[DocumentId, tuple[str, ...]]:
        """The names that each note refers to others by."""
        there = [key for key in sorted(set(documents)) if key in self._records]
        return {key: self._records[key].uses for key in there}

    def users(self, names: Sequence[str]) -> Mapping[str, Sequence[DocumentId]]:
        """The notes that use each name, sorted."""
        wanted, found = set(names), dict[str, list[DocumentId]]()
        for key in sorted(self._records):
            for name in sorted(wanted.intersection(self._records[key].uses)):
                found.setdefault(name, []).append(key)
        return {name: found[name] for name in sorted(found)}

    def latin_keys(self, shortest: int, longest: int, *, initial: str = "") -> Sequence[str]:
        """Distinct ASCII keys of a length and, if given, of an initial, sorted."""
        keys = {entry.key for _, entry in self._entries() if entry.key.startswith(initial)}
        return sorted(k for k in keys if k.isascii() and shortest <= len(k) <= longest)

    def _entries(self) -> Iterable[tuple[DocumentId, AliasEntry]]:
        return (
            (key, entry) for key, record in self._records.items() for entry in record.aliases
        )

    def containing(self, phrase: Sequence[str]) -> Sequence[AtomNo]:
        """Atoms whose body holds all these tokens, ascending; none for no tokens."""
        if not phrase:
            return []
        every = sorted(self._atoms.items())
        return [number for number, held in every if all(t in held.body for t in phrase)]

    # The graph -----------------------------------------------------------------------

    def graph(self) -> GraphArrays:
        """The graph as flat arrays; the same object until the library changes."""
        if self._graph is None:
            there = {name: no for name, no in self._names.items() if no in self._atoms}
            self._graph = arrays_of(self._edges.in_order(), there)
        return self._graph

    def edges(self, rows: Sequence[int]) -> tuple[RelationEdge, ...]:
        """Relation edges by their ``row`` in the arrays."""
        by_row = self._edges.by_row()
        if unknown := [row for row in rows if row not in by_row]:
            raise AssertionError(f"no edges of these numbers: {unknown}")
        return tuple(by_row[row] for row in rows)

    def edges_of(self, owner: str) -> tuple[RelationEdge, ...]:
        """All relation edges of one owner, those kept aside included, sorted by id."""
        owned = self._edges.relations.get(owner, {})
        return tuple(owned[key] for key in sorted(owned))

    def order_breaking(self) -> Sequence[EdgeId]:
        """Every relation edge that orders leave out, sorted."""
        every = (e for owned in self._edges.relations.values() for e in owned.values())
        return sorted(edge.id for edge in every if edge.breaks_order)

    def temporal(self) -> tuple[TemporalEdge, ...]:
        """Every active temporal edge, sorted by id."""
        return tuple(self._edges.live(lambda name: bool(self.numbers([name]))))

    def close(self) -> None:
        """Nothing is held."""


def _holds(held: _Atom, token: str) -> bool:
    return token in held.title or token in held.body


def _allows(scope: ScopeRequest, atom: KnowledgeAtom) -> bool:
    """Within one field any may match, all fields must."""
    path = atom.source_path
    return (
        (not scope.corpora or corpus_of(path) in scope.corpora)
        and (not scope.document_ids or atom.document_id in scope.document_ids)
        and (not scope.atom_ids or atom.id in scope.atom_ids)
        and (not scope.path_prefixes or any(_below(path, p) for p in scope.path_prefixes))
        and (not scope.languages or atom.language in scope.languages)
    )


def _below(path: str, prefix: str) -> bool:
    """Whether a path lies at or below a prefix, which ends on a border of path parts."""
    whole = prefix.rstrip("/")
    return not whole or path == whole or path.startswith(f"{whole}/")


def _bm25(hit: TermHit, spread: Mapping[str, int], atoms: int, mean_length: float) -> float:
    length = (hit.title_length + hit.body_length) / mean_length
    score = 0.0
    for token in sorted(hit.counts, key=lambda token: (spread[token], token)):
        title, body = hit.counts[token]
        often = TITLE_WEIGHT * title + body
        rare = math.log(1 + (atoms - spread[token] + 0.5) / (spread[token] + 0.5))
        score += rare * often * (K1 + 1) / (often + K1 * (1 - B + B * length))
    return score


def _failure_key(failure: NoteFailure) -> tuple[str, str, str]:
    return failure.path, failure.code, failure.detail


def _entry_key(pair: tuple[DocumentId, AliasEntry]) -> tuple[str, str, str]:
    document_id, entry = pair
    return document_id, entry.rule, entry.surface
