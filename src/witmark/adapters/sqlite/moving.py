"""Notes that move: their names, and every edge that begins, ends or is owned there."""

from collections.abc import Mapping
from pathlib import PurePosixPath

import apsw

from witmark.adapters.sqlite.edge_writing import EdgeWriter, all_edges
from witmark.adapters.sqlite.names import Names
from witmark.adapters.sqlite.note_rows import moved_facts
from witmark.answers.atoms import AtomId, DocumentId, EdgeId
from witmark.answers.edges import OWNER_IMPORT, RelationEdge, TemporalEdge
from witmark.answers.moving import Moves, moved_relation, moved_temporal


def move(
    db: apsw.Connection, moves: Mapping[DocumentId, DocumentId], names: Names, edges: EdgeWriter
) -> None:
    """Rename notes that are there; where they go nothing stands, or it moves away as well.

    A name that only edges knew and that an atom now bears is one name with it from here on.
    """
    renamed: dict[int, AtomId] = {}
    old_names: dict[AtomId, AtomId] = {}
    for old, new in moves.items():
        for number, name in names.below(old):
            renamed[number] = AtomId(new + name.removeprefix(old))
            old_names[name] = renamed[number]
    known = {names.standing(name) for name in renamed.values()} - {None}
    numbers = {*renamed, *(number for number in known if number is not None)}
    plain: Moves = {str(old): str(new) for old, new in moves.items()}
    lifted = _lift(db, edges, numbers, plain)
    owners = {edge.owner for edge in edges.temporal_at(numbers, plain)}
    temporal = edges.temporal_at((), owners)
    for owner in sorted(owners):
        edges.own_temporal(owner, ())
    names.rename(renamed)
    _rename_notes(db, moves)
    _put_relations(edges, [(r, moved_relation(e, plain, old_names)) for r, e in lifted])
    _put_temporal(edges, [moved_temporal(edge, plain, old_names) for edge in temporal])


def _lift(
    db: apsw.Connection, edges: EdgeWriter, numbers: set[int], moves: Moves
) -> list[tuple[int, RelationEdge]]:
    """Take up all edges of every owner that is touched, in the order of their rows."""
    owners, _, _ = all_edges(db)
    touched = edges.owners_at(numbers) | {
        owner for owner in owners if owner in moves or owner.startswith(OWNER_IMPORT)
    }
    lifted = []
    for owner in sorted(touched):
        lifted += edges.edges_of(owner)
        edges.write(owner, [])
    return sorted(lifted, key=lambda pair: pair[0])


def _rename_notes(db: apsw.Connection, moves: Mapping[DocumentId, DocumentId]) -> None:
    notes = []
    for old, new in moves.items():
        [(number, facts)] = db.execute("SELECT no, facts FROM note WHERE path = ?", (old,))
        notes.append((new, moved_facts(facts, PurePosixPath(new).stem), number))
        db.execute("UPDATE note SET path = ? WHERE no = ?", (f"\0{number}", number))
    db.executemany("UPDATE note SET path = ?, facts = ? WHERE no = ?", notes)


def _put_relations(edges: EdgeWriter, lifted: list[tuple[int, RelationEdge]]) -> None:
    owned: dict[str, dict[EdgeId, tuple[int, RelationEdge]]] = {}
    for row, edge in lifted:
        owned.setdefault(edge.owner, {}).setdefault(edge.id, (row, edge))
    for owner in sorted(owned):
        edges.write(owner, list(owned[owner].values()))


def _put_temporal(edges: EdgeWriter, moved: list[TemporalEdge]) -> None:
    owned: dict[str, dict[EdgeId, TemporalEdge]] = {}
    for edge in moved:
        owned.setdefault(edge.owner, {}).setdefault(edge.id, edge)
    for owner in sorted(owned):
        edges.own_temporal(owner, list(owned[owner].values()))
