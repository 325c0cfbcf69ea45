"""One change of a library, step by step, inside a transaction that somebody else holds."""

import json
from collections.abc import Iterable, Mapping, Sequence

import apsw

from witmark.adapters.sqlite import segments
from witmark.adapters.sqlite.edge_writing import EdgeWriter
from witmark.adapters.sqlite.moving import move
from witmark.adapters.sqlite.names import Names
from witmark.adapters.sqlite.note_rows import pack_atom, pack_facts, pack_text
from witmark.answers.atoms import DocumentId
from witmark.answers.edges import RelationEdge, TemporalEdge
from witmark.answers.ports import Change, Linked, NoteFailure, Record, Stamp

_MANY = 64
"""From so many notes on it pays to read what is there at once …"""

_MOST = 4
"""… and, when they are one in so many of all notes, every name as well."""


def apply_change(
    db: apsw.Connection,
    change: Change,
    known: Mapping[int, segments.Segment] = segments.NONE_KNOWN,
) -> None:
    """Do what ``Library.apply`` says, in the order of the change's fields.

    Args:
        db: Where, a transaction being open.
        change: What.
        known: Segments that need not be read again, by number.
    """
    writer = _Writer(db, known)
    writer.move(change.moved)
    if (concerned := len(change.upserted) + len(change.linked)) > _MANY:
        writer.expect_many(concerned)
    for gone in change.removed:
        writer.remove(gone)
    writer.upsert(change.upserted)
    writer.touch(change.touched)
    writer.fail(change.failures)
    for owner, edges in change.relinked:
        writer.relink(owner, edges)
    for linked in change.linked:
        writer.link(linked)
    if change.order_breaking is not None:
        writer.edges.mark(change.order_breaking)
    writer.finish()


def replace_edges(
    db: apsw.Connection,
    owner: str,
    edges: Sequence[RelationEdge],
    temporal: Sequence[TemporalEdge],
) -> None:
    """Do what ``Library.put_edges`` says."""
    writer = _Writer(db)
    writer.edges.own(owner, edges)
    writer.edges.own_temporal(owner, temporal)
    writer.finish()


class _Writer:
    """Writes to an open transaction; ``finish`` must be called last."""

    def __init__(
        self,
        db: apsw.Connection,
        known: Mapping[int, segments.Segment] = segments.NONE_KNOWN,
    ) -> None:
        self._db = db
        self._known = known
        self._names = Names(db)
        self.edges = EdgeWriter(db, self._names)
        self._languages: dict[str, int] = {}
        self._notes: dict[str, int] | None = None
        self._users: set[int] | None = None
        self._gone: list[int] = []
        self._entries: list[segments.Entry] = []

    def expect_many(self, concerned: int) -> None:
        """Read what is there at once, instead of note by note."""
        self._notes = dict(self._db.execute("SELECT path, no FROM note"))
        if concerned * _MOST >= len(self._notes):
            self._names.read_all()
        self._users = {note for (note,) in self._db.execute("SELECT DISTINCT note FROM use")}
        self.edges.expect_many()

    def finish(self) -> None:
        """Bring the word index up to date and count the generation."""
        segments.cross_out(self._db, self._gone, self._known)
        segments.add(self._db, self._entries)
        segments.tidy(self._db, self._known)
        self._db.execute(
            "UPDATE library SET generation = generation + 1, next_row = ?",
            (self.edges.next_row,),
        )

    def move(self, moved: Iterable[tuple[DocumentId, DocumentId]]) -> None:
        """Rename notes; what stands where one goes is gone, unless it moves away itself."""
        moves = {old: new for old, new in moved if self._note(old) is not None and old != new}
        for new in moves.values():
            if new not in moves:
                self.remove(new)
        if moves:
            move(self._db, moves, self._names, self.edges)

    def remove(self, document_id: DocumentId) -> None:
        """Remove a note, its atoms and what it owns; a note that is not there is gone."""
        note = self._note(document_id)
        if note is None:
            return
        self._forget(note)
        self._db.execute("DELETE FROM note WHERE no = ?", (note,))
        if self._notes is not None:
            del self._notes[document_id]
        self.edges.own(document_id, ())
        self.edges.own_temporal(document_id, ())

    def upsert(self, records: Sequence[Record]) -> None:
        """Put notes in; their edges come last, so that ends among them exist already."""
        if len({record.document.id for record in records}) != len(records):
            raise AssertionError("a note stands twice in one change")
        notes = [self._put(record) for record in records]
        self._put_atoms(records, notes)
        self._put_names(records, notes)
        for record in records:
            self._names.give(end for edge in record.edges for end in (edge.source, edge.target))
            self._names.give(e for edge in record.temporal for e in (edge.source, edge.target))
        for record in records:
            self.edges.own(record.document.id, record.edges)
            self.edges.own_temporal(record.document.id, record.temporal)

    def touch(self, stamps: Iterable[tuple[DocumentId, Stamp]]) -> None:
        """Replace the stamps of notes."""
        self._db.executemany(
            "UPDATE note SET stamp_hash = ?, size = ?, mtime_ns = ? WHERE path = ?",
            [(s.source_hash, s.size, s.mtime_ns, key) for key, s in stamps],
        )

    def fail(self, failures: Iterable[NoteFailure]) -> None:
        """Replace the list of failures; a path in it may be half a character."""
        self._db.execute("DELETE FROM failure")
        said = sorted((f.path, f.code, f.detail) for f in failures)
        self._db.executemany(
            "INSERT INTO failure(said) VALUES (?)", ((json.dumps(row),) for row in said)
        )

    def _put(self, record: Record) -> int:
        document, stamp, db = record.document, record.stamp, self._db
        note = self._note(document.id)
        if note is not None:
            self._forget(note)
        db.execute(
            "INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                note,
                document.id,
                document.title,
                document.source_hash,
                stamp.source_hash,
                stamp.size,
                stamp.mtime_ns,
                pack_facts(document),
            ),
        )
        note = note if note is not None else db.last_insert_rowid()
        if self._notes is not None:
            self._notes[document.id] = note
        db.execute("INSERT INTO source VALUES (?, ?)", (note, pack_text(document.text)))
        return note

    def _put_atoms(self, records: Sequence[Record], notes: Sequence[int]) -> None:
        """Put the atoms of notes in, and remember them for the word index."""
        self._names.give(atom.id for record in records for atom in record.document.atoms)
        rows = []
        for record, note in zip(records, notes, strict=True):
            document = record.document
            for atom, terms in zip(document.atoms, record.terms, strict=True):
                number = self._names.number(atom.id)
                rows.append((number, note, atom.ordinal, *pack_atom(atom, document)))
                language = self._language(atom.language)
                self._entries.append(segments.Entry(number, note, language, terms))
        self._db.executemany("INSERT INTO atom VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def _put_names(self, records: Sequence[Record], notes: Sequence[int]) -> None:
        """Put in what notes are called and what they call others, in the tables' order."""
        pairs = list(zip(records, notes, strict=True))
        called = {
            (entry.key, note, entry.rule, entry.surface)
            for record, note in pairs
            for entry in record.aliases
        }
        self._db.executemany("INSERT INTO alias VALUES (?, ?, ?, ?)", sorted(called))
        self._use((name, note) for record, note in pairs for name in record.uses)

    def _forget(self, note: int) -> None:
        db = self._db
        self._gone.extend(
            no for (no,) in db.execute("SELECT no FROM atom WHERE note = ?", (note,))
        )
        for table in ("atom", "alias", "source", "use"):
            db.execute(f"DELETE FROM {table} WHERE note = ?", (note,))  # noqa: S608 - our own names

    def _note(self, document_id: str) -> int | None:
        if self._notes is not None:
            return self._notes.get(document_id)
        found = self._db.execute(
            "SELECT no FROM note WHERE path = ?", (document_id,)
        ).fetchone()
        return found[0] if found else None

    def _language(self, code: str) -> int:
        if code not in self._languages:
            self._db.execute("INSERT OR IGNORE INTO language(code) VALUES (?)", (code,))
            [(number,)] = self._db.execute("SELECT no FROM language WHERE code = ?", (code,))
            self._languages[code] = number
        return self._languages[code]

    def relink(self, owner: str, edges: Sequence[RelationEdge]) -> None:
        """Replace the relation edges of a note, if it is there."""
        if self._note(owner) is not None:
            self.edges.own(owner, edges)

    def link(self, linked: Linked) -> None:
        """Replace everything that a note says about others, if it is there."""
        note = self._note(linked.owner)
        if note is not None:
            self.edges.own(linked.owner, linked.edges)
            self.edges.own_temporal(linked.owner, linked.temporal)
            if self._users is None or note in self._users:
                self._db.execute("DELETE FROM use WHERE note = ?", (note,))
            self._use((name, note) for name in linked.uses)

    def _use(self, rows: Iterable[tuple[str, int]]) -> None:
        every = sorted(rows)
        if self._users is not None:
            self._users.update(note for _, note in every)
        self._db.executemany("INSERT INTO use VALUES (?, ?)", every)
