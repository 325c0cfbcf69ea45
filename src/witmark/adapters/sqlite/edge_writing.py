"""Edges of one owner are written as a whole; what stays keeps its row and its mark."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date

import apsw
import numpy as np

from witmark.adapters.sqlite.edge_rows import (
    DIGEST,
    EDGE,
    Edges,
    Owned,
    id_bytes,
    pack,
    rows_by_id,
    unpack,
)
from witmark.adapters.sqlite.names import Names
from witmark.adapters.sqlite.seals import DamagedRowsError, decoding, unseal
from witmark.answers.atoms import AtomId, EdgeId
from witmark.answers.edges import RelationEdge, TemporalEdge, TemporalKind
from witmark.kernel.canon import Digest


class EdgeWriter:
    """Writes edges to an open transaction."""

    def __init__(self, db: apsw.Connection, names: Names) -> None:
        self._db = db
        self._names = names
        [(self.next_row,)] = db.execute("SELECT next_row FROM library")
        self._owners: dict[str, set[str]] = {}

    def expect_many(self) -> None:
        """Find out at once who owns what, instead of owner by owner."""
        for table in ("relation", "mark", "temporal"):
            rows = self._db.execute(f"SELECT DISTINCT owner FROM {table}")  # noqa: S608 - our own names
            self._owners[table] = {owner for (owner,) in rows}

    def _may_hold(self, table: str, owner: str) -> bool:
        return table not in self._owners or owner in self._owners[table]

    def _holds_now(self, table: str, owner: str) -> None:
        if table in self._owners:
            self._owners[table].add(owner)

    def own(self, owner: str, edges: Sequence[RelationEdge]) -> None:
        """Replace an owner's relation edges."""
        known = self._known(owner)
        kept: dict[EdgeId, tuple[int, RelationEdge]] = {}
        for edge in edges:
            row, marked = known.get(edge.id) or (None, False)
            if row is None:
                row = kept[edge.id][0] if edge.id in kept else self._new_row()
            kept[edge.id] = row, _marked(edge, marked=marked or edge.breaks_order)
        if known or kept:
            self.write(owner, list(kept.values()))

    def own_temporal(self, owner: str, edges: Iterable[TemporalEdge]) -> None:
        """Replace an owner's temporal edges."""
        if self._may_hold("temporal", owner):
            self._db.execute("DELETE FROM temporal WHERE owner = ?", (owner,))
        if rows := [self._temporal_row(owner, edge) for edge in edges]:
            self._holds_now("temporal", owner)
            self._db.executemany(
                "INSERT OR REPLACE INTO temporal VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows
            )

    def mark(self, order_breaking: frozenset[EdgeId]) -> None:
        """Mark these relation edges, and no others."""
        marked = dict(self._db.execute("SELECT id, owner FROM mark"))
        owners = {owner for name, owner in marked.items() if name not in order_breaking}
        owners |= self._owners_of(order_breaking - marked.keys())
        for owner in sorted(owners):
            edges = self.edges_of(owner)
            self.write(
                owner, [(r, _marked(e, marked=e.id in order_breaking)) for r, e in edges]
            )

    def write(self, owner: str, edges: Owned) -> None:
        """Put down an owner's edges with their rows, in place of those it has."""
        db = self._db
        if self._may_hold("mark", owner):
            db.execute("DELETE FROM mark WHERE owner = ?", (owner,))
        if not edges:
            db.execute("DELETE FROM relation WHERE owner = ?", (owner,))
            return
        numbers = self._names.numbers
        if any(e.source not in numbers or e.target not in numbers for _, e in edges):
            self._names.give(end for _, e in edges for end in (e.source, e.target))
        packed = pack(owner, edges, numbers)
        db.execute("INSERT OR REPLACE INTO relation VALUES (?, ?, ?, ?)", (owner, *packed))
        self._holds_now("relation", owner)
        if marks := [(edge.id, owner) for _, edge in edges if edge.breaks_order]:
            self._holds_now("mark", owner)
            db.executemany("INSERT OR REPLACE INTO mark VALUES (?, ?)", marks)

    def edges_of(self, owner: str) -> Owned:
        """Return an owner's edges with their rows."""
        query = "SELECT edges, digests, spans FROM relation WHERE owner = ?"
        found = list(self._db.execute(query, (owner,)))
        return unpack(owner, found[0], self._names.name) if found else []

    def owners_at(self, numbers: Collection[int]) -> set[str]:
        """Who owns a relation edge that begins or ends at one of these names."""
        owners, sizes, edges = all_edges(self._db)
        wanted = np.array(sorted(numbers), np.int32)
        hit = np.isin(edges["source"], wanted) | np.isin(edges["target"], wanted)
        whose = np.repeat(np.arange(len(owners)), sizes)
        return {owners[place] for place in np.flatnonzero(np.bincount(whose[hit])).tolist()}

    def temporal_at(
        self, numbers: Collection[int], owners: Collection[str]
    ) -> list[TemporalEdge]:
        """Return the temporal edges of some owners, or at some names, sorted by id."""
        rows = self._db.execute("SELECT * FROM temporal ORDER BY id")
        found = [r for r in rows if r[1] in owners or r[2] in numbers or r[3] in numbers]
        return [
            temporal_edge(row, self._names.name(row[2]), self._names.name(row[3]))
            for row in found
        ]

    def _owners_of(self, ids: Collection[EdgeId]) -> set[str]:
        if not ids:
            return set()
        found = self._db.execute("SELECT owner, digests FROM relation ORDER BY owner")
        rows = [(owner, unseal(kept)) for owner, kept in found]
        every = np.frombuffer(b"".join(kept for _, kept in rows), DIGEST)
        wanted = np.frombuffer(id_bytes(sorted(ids)), DIGEST)
        hit = np.isin(every["front"], wanted["front"])  # 64 of 96 bits; the rest only rewrites
        whose = np.repeat(
            np.arange(len(rows)), [len(kept) // DIGEST.itemsize for _, kept in rows]
        )
        return {rows[place][0] for place in np.flatnonzero(np.bincount(whose[hit])).tolist()}

    def _known(self, owner: str) -> dict[EdgeId, tuple[int, bool]]:
        if not self._may_hold("relation", owner):
            return {}
        query = "SELECT edges, digests FROM relation WHERE owner = ?"
        found = self._db.execute(query, (owner,)).fetchone()
        return rows_by_id(*found) if found else {}

    def _new_row(self) -> int:
        row: int = self.next_row
        self.next_row += 1
        return row

    def _temporal_row(self, owner: str, edge: TemporalEdge) -> tuple[object, ...]:
        return (
            edge.id,
            owner,
            self._names.number(edge.source),
            self._names.number(edge.target),
            edge.kind,
            edge.valid_from,
            edge.valid_to,
            edge.source_document_hash,
        )


def all_edges(db: apsw.Connection) -> tuple[list[str], list[int], Edges]:
    """Return every owner, how many edges each has, and all their edges, owner by owner."""
    found = db.execute("SELECT owner, edges FROM relation")
    rows = [(owner, unseal(edges)) for owner, edges in found]
    sizes = [len(edges) // EDGE.itemsize for _, edges in rows]
    return [o for o, _ in rows], sizes, np.frombuffer(b"".join(e for _, e in rows), EDGE)


def temporal_edge(row: Sequence[str], source: AtomId, target: AtomId) -> TemporalEdge:
    """Put a temporal edge together from its row and the names of its ends."""
    name, owner, _, _, kind, valid_from, valid_to, source_hash = row
    with decoding("a limit in time"):
        return TemporalEdge(
            id=EdgeId(name),
            source=source,
            target=target,
            kind=TemporalKind(kind),
            valid_from=_day(valid_from),
            valid_to=_day(valid_to),
            source_document_hash=Digest(source_hash),
            owner=owner,
        )


def _day(stored: str) -> str:
    """A stored day, which is an ISO date or empty."""
    if stored != "" and date.fromisoformat(stored).isoformat() != stored:
        raise DamagedRowsError(f"{stored!r} is no day")
    return stored


def _marked(edge: RelationEdge, *, marked: bool) -> RelationEdge:
    return edge if edge.breaks_order == marked else replace(edge, breaks_order=marked)
