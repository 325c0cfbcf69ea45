"""Cycles among the relations that order things: found, kept, and their weakest edges marked.

A vault may say that A comes before B and B before A. Both statements stay, but an order
can follow only one, so the weaker is marked and left out of orders. Edges are taken from
the strongest to the weakest; one that would close a cycle with those taken is marked. So
what is left is acyclic, no mark is needless, and every mark is the weakest of its cycle.

In a knot of many thousand edges that would take minutes. There a walk that follows the
strong edges first marks each edge by which it turns back: still no mark is needless.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from witmark.answers.arrays import KINDS, GraphArrays, places_in
from witmark.answers.atoms import DocumentId, EdgeId
from witmark.answers.csr import Ints, Longs, ranks
from witmark.answers.edges import (
    ORDERING,
    Provenance,
    RelationEdge,
    TemporalEdge,
    TemporalKind,
)

ORDERING_CODES = tuple(code for code, kind in enumerate(KINDS) if kind in ORDERING)

_MOST_EXACT = 5_000  # edges of one knot; four times as many take ten times as long


def order_breaking(edges: Sequence[RelationEdge]) -> frozenset[EdgeId]:
    """Return the edges to leave out so that the ordering kinds have an order.

    Weakest is the least certain, the inferred before the stated, then the least id.
    """
    ordering = sorted((e for e in edges if e.kind in ORDERING), key=_strength, reverse=True)
    names = sorted({end for edge in ordering for end in (edge.source, edge.target)})
    number = {name: i for i, name in enumerate(names)}
    graph = _Graph(
        np.array([number[e.source] for e in ordering], np.int32),
        np.array([number[e.target] for e in ordering], np.int32),
        len(names),
    )
    return frozenset(ordering[i].id for i in graph.closing(graph.on_cycles()))


def _strength(edge: RelationEdge) -> tuple[float, bool, EdgeId]:
    return edge.edge_confidence, edge.provenance is Provenance.FACT, edge.id


def order_breaking_rows(arrays: GraphArrays) -> npt.NDArray[np.bool_]:
    """Return the same as a mask over the edges of a big graph.

    Arrays hold no ids, so among equally weak edges the least ``row`` falls first.
    """
    chosen = np.flatnonzero(places_in(arrays.kind, ORDERING_CODES, len(KINDS)))
    graph = _Graph(
        arrays.source[chosen],
        arrays.target[chosen],
        len(arrays.nodes),
    )
    knotted = graph.on_cycles()
    edge = chosen[knotted]
    weakest_first = np.lexsort(
        (arrays.row[edge], ~arrays.inferred[edge], arrays.edge_confidence[edge])
    )
    mask = np.zeros(len(arrays.kind), np.bool_)
    mask[chosen[graph.closing(knotted[weakest_first[::-1]])]] = True
    return mask


def replacement_circles(edges: Iterable[TemporalEdge]) -> tuple[tuple[DocumentId, ...], ...]:
    """Notes that replace one another, so that none of them can be told to hold; all sorted."""
    pairs = sorted(
        {
            (DocumentId(e.target.rpartition("#")[0]), DocumentId(e.source.rpartition("#")[0]))
            for e in edges
            if e.kind is TemporalKind.SUPERSEDES and e.is_active
        }
    )
    notes = sorted({note for pair in pairs for note in pair})
    number = {note: place for place, note in enumerate(notes)}
    newer: dict[int, list[int]] = {}
    for old, new in pairs:
        newer.setdefault(number[old], []).append(number[new])
    circles = [sorted(notes[i] for i in c) for c in components(newer) if len(c) > 1]
    return tuple(tuple(circle) for circle in sorted(circles))


# Which edges lie on cycles -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Graph:
    """The ordering edges alone, between nodes counted from 0."""

    source: Ints
    target: Ints
    count: int

    def on_cycles(self) -> Longs:
        """Positions of the edges whose ends lie in one component, ascending."""
        # What can be peeled off from an end lies on no cycle; little is left of most vaults.
        left = ranks(self.source, self.target, self.count) < 0
        if left.any():
            left &= ranks(self.target, self.source, self.count) < 0
        edges = np.flatnonzero(left[self.source] & left[self.target])
        component = self._components(edges)
        within: Longs = component[self.source[edges]] == component[self.target[edges]]
        return edges[within]

    def closing(self, strongest_first: Longs) -> list[int]:
        """Return the edges to mark, of those on cycles."""
        edges = strongest_first
        component = self._components(np.sort(edges))
        knots: dict[int, list[int]] = {}
        for edge, knot in zip(
            edges.tolist(), component[self.source[edges]].tolist(), strict=True
        ):
            knots.setdefault(knot, []).append(edge)
        return [edge for knot in sorted(knots) for edge in self._closing(knots[knot])]

    def _components(self, edges: Longs) -> Ints:
        """Number every node's component by these edges; -1 where there are none."""
        ahead: dict[int, list[int]] = {}
        ends = zip(self.source[edges].tolist(), self.target[edges].tolist(), strict=True)
        for tail, head in ends:
            ahead.setdefault(tail, []).append(head)
        component = np.full(self.count, -1, np.int32)
        for number, members in enumerate(components(ahead)):
            component[members] = number
        return component

    def _closing(self, knot: list[int]) -> list[int]:
        ends = [(edge, int(self.source[edge]), int(self.target[edge])) for edge in knot]
        if len(knot) <= _MOST_EXACT:
            order = _GrowingOrder()
            return [edge for edge, tail, head in ends if not order.add(tail, head)]
        return _turning_back(ends)


def components(ahead: Mapping[int, Sequence[int]]) -> Iterator[list[int]]:
    """Yield the strongly connected components of a graph (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}  # of the nodes on the stack alone
    stack: list[int] = []
    walk: list[tuple[int, Iterator[int]]] = []

    def enter(node: int) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        walk.append((node, iter(ahead.get(node, ()))))

    for root in ahead:
        if root not in index:
            enter(root)
        while walk:
            node, heads = walk[-1]
            fresh = next((head for head in heads if _is_fresh(head, node, index, low)), None)
            if fresh is not None:
                enter(fresh)
                continue
            walk.pop()
            if walk:
                above = walk[-1][0]
                low[above] = min(low[above], low[node])
            if low[node] == index[node]:
                yield _popped(stack, node, low)


def _is_fresh(head: int, node: int, index: dict[int, int], low: dict[int, int]) -> bool:
    """Whether a head was not met yet; one on the stack lowers its tail."""
    if head not in index:
        return True
    if head in low:
        low[node] = min(low[node], index[head])
    return False


def _popped(stack: list[int], node: int, low: dict[int, int]) -> list[int]:
    members: list[int] = []
    while not members or members[-1] != node:
        members.append(stack.pop())
        del low[members[-1]]
    return members


# Which of them to mark ---------------------------------------------------------------


def _turning_back(ends: Sequence[tuple[int, int, int]]) -> list[int]:
    """Walk a knot depth first, strong edges before weak; return those that turn back.

    ``ends`` are edge, tail and head, strongest first.
    """
    ahead: dict[int, list[tuple[int, int]]] = {}
    for edge, tail, head in ends:
        ahead.setdefault(tail, []).append((edge, head))
    on_walk: dict[int, bool] = {}
    turning = []
    for root in sorted(ahead):
        walk = [(root, iter(ahead[root]))] if root not in on_walk else []
        on_walk.setdefault(root, True)
        while walk:
            node, further = walk[-1]
            for edge, head in further:
                if head not in on_walk:
                    on_walk[head] = True
                    walk.append((head, iter(ahead[head])))
                    break
                if on_walk[head]:
                    turning.append(edge)
            else:
                on_walk[node] = False
                walk.pop()
    return turning


class _GrowingOrder:
    """A topological order that is mended edge by edge (Pearce and Kelly, 2006)."""

    def __init__(self) -> None:
        self._place: dict[int, int] = {}
        self._ahead: dict[int, list[int]] = {}
        self._behind: dict[int, list[int]] = {}

    def add(self, tail: int, head: int) -> bool:
        """Take an edge, unless it closes a cycle."""
        low, high = self._place_of(head), self._place_of(tail)
        if low <= high:
            after = self._reached(head, self._ahead, low, high)
            if tail in after:
                return False
            self._mend(self._reached(tail, self._behind, low, high), after)
        self._ahead[tail].append(head)
        self._behind[head].append(tail)
        return True

    def _place_of(self, node: int) -> int:
        if node not in self._place:
            self._place[node] = len(self._place)
            self._ahead[node], self._behind[node] = [], []
        return self._place[node]

    def _reached(
        self, start: int, along: dict[int, list[int]], low: int, high: int
    ) -> set[int]:
        """Nodes reached without leaving the stretch of the order between two places."""
        place, seen, waiting = self._place, {start}, [start]
        while waiting:
            for node in along[waiting.pop()]:
                if node not in seen and low <= place[node] <= high:
                    seen.add(node)
                    waiting.append(node)
        return seen

    def _mend(self, before: set[int], after: set[int]) -> None:
        """Put what leads to the new edge before what it leads to, in the same places."""
        place = self._place.__getitem__
        moved = [*sorted(before, key=place), *sorted(after, key=place)]
        for node, free in zip(moved, sorted(map(place, moved)), strict=True):
            self._place[node] = free
