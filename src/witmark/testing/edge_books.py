"""The edges of a library in memory: who owns them, what they are called, which of them live."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np

from witmark.answers.arrays import EVER, KINDS, NEVER, GraphArrays
from witmark.answers.atoms import AtomId, EdgeId
from witmark.answers.edges import Provenance, RelationEdge, TemporalEdge
from witmark.answers.moving import Moves, Names, moved_relation, moved_temporal
from witmark.answers.ports import AtomNo


@dataclass(slots=True)
class EdgeBook:
    """Edges by owner and id. A number, once given, is not given to another edge.

    Attributes:
        relations: The relation edges of each owner, by id.
        temporal: The temporal edges of each owner, by id.
        rows: The number of every relation edge.
    """

    relations: dict[str, dict[EdgeId, RelationEdge]] = field(default_factory=dict)
    temporal: dict[str, dict[EdgeId, TemporalEdge]] = field(default_factory=dict)
    rows: dict[EdgeId, int] = field(default_factory=dict)
    _given: int = 0

    def own(self, owner: str, edges: Iterable[RelationEdge]) -> None:
        """Replace an owner's relation edges; one that stays keeps its number and its mark."""
        old = self.relations.pop(owner, {})
        new: dict[EdgeId, RelationEdge] = {}
        for edge in edges:
            marked = edge.id in old and old[edge.id].breaks_order
            new[edge.id] = replace(edge, breaks_order=edge.breaks_order or marked)
            if edge.id not in self.rows:
                self._given += 1
                self.rows[edge.id] = self._given
        for gone in old.keys() - new.keys():
            del self.rows[gone]
        if new:
            self.relations[owner] = new

    def own_temporal(self, owner: str, edges: Iterable[TemporalEdge]) -> None:
        """Replace an owner's temporal edges."""
        self.temporal.pop(owner, None)
        if new := {edge.id: edge for edge in edges}:
            self.temporal[owner] = new

    def mark(self, order_breaking: frozenset[EdgeId]) -> None:
        """Mark these relation edges, and no others."""
        for owner, edges in self.relations.items():
            self.relations[owner] = {
                key: replace(edge, breaks_order=key in order_breaking)
                for key, edge in edges.items()
            }

    def by_row(self) -> dict[int, RelationEdge]:
        """Every relation edge by its number."""
        every = (edge for edges in self.relations.values() for edge in edges.values())
        return {self.rows[edge.id]: edge for edge in every}

    def in_order(self) -> list[tuple[int, RelationEdge]]:
        """Every relation edge with its number, ascending."""
        every = (edge for edges in self.relations.values() for edge in edges.values())
        return sorted(((self.rows[edge.id], edge) for edge in every), key=lambda pair: pair[0])

    def move(self, moves: Moves, names: Names) -> None:
        """Rename owners and ends; two edges that come to say the same become the older one."""
        book = EdgeBook(_given=self._given)
        for row, edge in self.in_order():
            moved = moved_relation(edge, moves, names)
            if book.relations.setdefault(moved.owner, {}).setdefault(moved.id, moved) is moved:
                book.rows[moved.id] = row
        for old in sorted((e for es in self.temporal.values() for e in es.values()), key=_id):
            new = moved_temporal(old, moves, names)
            book.temporal.setdefault(new.owner, {}).setdefault(new.id, new)
        self.relations, self.temporal, self.rows = book.relations, book.temporal, book.rows

    def live(self, exists: Callable[[AtomId], bool]) -> list[TemporalEdge]:
        """The temporal edges whose ends both exist, sorted by id."""
        every = (edge for edges in self.temporal.values() for edge in edges.values())
        living = (edge for edge in every if exists(edge.source) and exists(edge.target))
        return sorted((replace(edge, is_active=True) for edge in living), key=_id)


def arrays_of(
    edges: Sequence[tuple[int, RelationEdge]], numbers: Mapping[AtomId, AtomNo]
) -> GraphArrays:
    """Lay out the edges whose ends have numbers, in the order given."""
    nodes = sorted(numbers.values())
    at = {number: place for place, number in enumerate(nodes)}
    live = [(r, e) for r, e in edges if e.source in numbers and e.target in numbers]
    found = [edge for _, edge in live]
    return GraphArrays(
        nodes=np.array(nodes, np.int64),
        source=np.array([at[numbers[e.source]] for e in found], np.int32),
        target=np.array([at[numbers[e.target]] for e in found], np.int32),
        kind=np.array([KINDS.index(e.kind) for e in found], np.int8),
        edge_confidence=np.array([e.edge_confidence for e in found], np.float32),
        inferred=np.array([e.provenance is Provenance.INFERRED for e in found], np.bool_),
        breaks_order=np.array([e.breaks_order for e in found], np.bool_),
        valid_from=np.array([_day(e.valid_from, NEVER) for e in found], np.int32),
        valid_to=np.array([_day(e.valid_to, EVER) for e in found], np.int32),
        row=np.array([row for row, _ in live], np.int64),
    )


def _day(iso: str, unbounded: int) -> int:
    return date.fromisoformat(iso).toordinal() if iso else unbounded


def _id(edge: TemporalEdge) -> EdgeId:
    return edge.id
