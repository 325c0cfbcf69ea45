"""The graph of a workspace, walked: orders, neighbours upstream and down, best paths.

Every walk is bounded in edges, can be held to some kinds, to a day and to a scope, and has
one answer: among equals the fewer edges win, then the nodes that stand first in the arrays.
Certainties are added up as whole numbers, so no rounding ever decides an order.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt

from witmark.answers.arrays import EVER, KINDS, NEVER, GraphArrays, places_in
from witmark.answers.csr import Csr, Ints, Longs, csr, ranks
from witmark.answers.cycles import order_breaking_rows
from witmark.answers.edges import ORDERING, SYMMETRIC, RelationKind

DEPTH = 6  # edges; the contract's path depth
NODES_REACHED = 512
"""So many nodes a walk up or down returns at most: the nearest, then the surest."""

NOTE_ORDER = 0.5
"""The certainty of a note's own order (``linking.IN_ORDER``), by which its atoms are known."""

_DOUBLINGS = 32  # a chain of so many powers of two; more only where a chain bites its tail
_SEQUENCE = KINDS.index(RelationKind.SEQUENCE)
_MOST_PREFIXES = 50_000  # beginnings of paths looked at; only graphs of mere cycles get there
_UNIT = 2.0**40  # costs are -log2 of a certainty in this fixed point
_NEVER = 2.0**-16  # a certainty of nothing costs as much as this
_BEYOND = 2**62
_NONE: Longs = np.zeros(0, np.int64)

Scope = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a walk may go.

    Attributes:
        kinds: Relations it may follow; ``None`` for all.
        day: Proleptic day number on which they must hold; ``None`` for any day.
        scope: Per node, whether it may be entered; ``None`` for all.
        ordered: Leave out edges that close a cycle among the ordering kinds.
        both_ways: Follow symmetric relations against their stated direction, too.
    """

    kinds: frozenset[RelationKind] | None = None
    day: int | None = None
    scope: Scope | None = None
    ordered: bool = False
    both_ways: bool = False


ANYWHERE = Walk()
IN_ORDER = Walk(ORDERING, ordered=True)


@dataclass(frozen=True, slots=True)
class Path:
    """Nodes in the order of a walk, and the edge between each two of them.

    Attributes:
        nodes: Positions in the arrays.
        edges: Positions of edges, one fewer.
    """

    nodes: tuple[int, ...]
    edges: tuple[int, ...]


class Dag:
    """A graph that answers questions about order and connection. Holds no other state."""

    def __init__(self, arrays: GraphArrays) -> None:
        self.arrays = arrays

    # The graph, grouped ----------------------------------------------------------------

    @cached_property
    def out(self) -> Csr:
        """Edges grouped by their source."""
        return csr(self.arrays.source, self.arrays.target, len(self.arrays.nodes))

    @cached_property
    def into(self) -> Csr:
        """Edges grouped by their target."""
        return csr(self.arrays.target, self.arrays.source, len(self.arrays.nodes))

    @cached_property
    def _open_out(self) -> Csr:
        return self._with_symmetric(self.arrays.source, self.arrays.target)

    @cached_property
    def _open_into(self) -> Csr:
        return self._with_symmetric(self.arrays.target, self.arrays.source)

    def _with_symmetric(self, tail: Ints, head: Ints) -> Csr:
        both = np.flatnonzero(_table(SYMMETRIC)[self.arrays.kind])
        tails, heads = np.concatenate([tail, head[both]]), np.concatenate([head, tail[both]])
        edge = np.concatenate([np.arange(len(tail), dtype=np.int64), both])
        grouped = csr(tails, heads, len(self.arrays.nodes))
        return Csr(grouped.first, grouped.head, edge[grouped.edge])

    @cached_property
    def has_windows(self) -> bool:
        """Whether any edge holds on some days only."""
        arrays = self.arrays
        return bool((arrays.valid_from != NEVER).any() or (arrays.valid_to != EVER).any())

    @cached_property
    def _cost(self) -> Longs:
        certain = np.clip(self.arrays.edge_confidence.astype(np.float64), _NEVER, 1.0)
        return np.rint(-np.log2(certain) * _UNIT).astype(np.int64)

    def positions(self, numbers: Collection[int]) -> dict[int, int]:
        """Where these atoms stand in the arrays; those that are not there are left out."""
        nodes, wanted = self.arrays.nodes, np.array(sorted(set(numbers)), np.int64)
        at = np.searchsorted(nodes, wanted)
        there = at < len(nodes)
        there[there] = nodes[at[there]] == wanted[there]
        return dict(zip(wanted[there].tolist(), at[there].tolist(), strict=True))

    def degrees(self, node: int) -> tuple[int, int]:
        """How many edges lead to a node, and from it."""
        into, out = self.into.first, self.out.first
        return int(into[node + 1] - into[node]), int(out[node + 1] - out[node])

    @cached_property
    def greatest_degree(self) -> int:
        """Edges at the node that has most, both ways counted."""
        both = np.diff(self.into.first) + np.diff(self.out.first)
        return int(both.max()) if len(both) else 0

    def between(self, nodes: Collection[int], walk: Walk = ANYWHERE) -> list[int]:
        """Positions of all edges that join two of some nodes, ascending."""
        some = np.array(sorted(set(nodes)), np.int64)
        step = self._step(self.out, some, walk)
        inside = np.zeros(len(self.arrays.nodes), np.bool_)
        inside[some] = True
        return sorted(step.edges[inside[step.heads]].tolist())

    # Notes -----------------------------------------------------------------------------

    @cached_property
    def note_of(self) -> Longs:
        """Per atom, the first atom of its note: its atoms follow one another in a chain."""
        arrays = self.arrays
        chained = (arrays.kind == _SEQUENCE) & (arrays.edge_confidence == NOTE_ORDER)
        chained &= ~arrays.inferred
        first = np.arange(len(arrays.nodes), dtype=np.int64)
        first[arrays.target[chained]] = arrays.source[chained]
        for _ in range(_DOUBLINGS):
            further = first[first]
            if np.array_equal(further, first):
                break
            first = further
        return first

    @cached_property
    def notes(self) -> "Dag":
        """The same relations between whole notes: each atom's stands at its note's first one.

        Nodes keep their positions and edges their rows; what joins two atoms of one note is
        left out.
        """
        arrays = self.arrays
        source, target = self.note_of[arrays.source], self.note_of[arrays.target]
        kept = np.flatnonzero(source != target)
        return Dag(
            GraphArrays(
                nodes=arrays.nodes,
                source=source[kept].astype(np.int32),
                target=target[kept].astype(np.int32),
                kind=arrays.kind[kept],
                edge_confidence=arrays.edge_confidence[kept],
                inferred=arrays.inferred[kept],
                breaks_order=arrays.breaks_order[kept],
                valid_from=arrays.valid_from[kept],
                valid_to=arrays.valid_to[kept],
                row=arrays.row[kept],
            )
        )

    def note_scope(self, scope: Scope) -> Scope:
        """Turn a mask over atoms into one over notes: those that have an atom in scope."""
        notes = np.zeros(len(scope), np.bool_)
        notes[self.note_of[scope]] = True
        return notes

    # Order -----------------------------------------------------------------------------

    @cached_property
    def breaks_order(self) -> npt.NDArray[np.bool_]:
        """Edges that orders leave out: those the library marked, and what marks miss."""
        marked = self.arrays.breaks_order
        if (self._ranks_without(marked) >= 0).all():
            return marked
        return marked | order_breaking_rows(_without(self.arrays, marked))

    @cached_property
    def rank(self) -> Ints:
        """Each node's layer: one more than the highest of those that must come before it."""
        return self._ranks_without(self.breaks_order)

    def _ranks_without(self, marked: npt.NDArray[np.bool_]) -> Ints:
        kept = _table(ORDERING)[self.arrays.kind] & ~marked
        return ranks(self.arrays.source[kept], self.arrays.target[kept], len(self.arrays.nodes))

    def topological_order(self) -> Longs:
        """All nodes, each after all that must come before it; layer by layer."""
        order: Longs = np.argsort(self.rank, kind="stable")
        return order

    def in_order(self, nodes: Collection[int]) -> list[int]:
        """Some nodes in topological order."""
        return sorted(set(nodes), key=lambda node: (int(self.rank[node]), node))

    # Up and down -----------------------------------------------------------------------

    def predecessors(
        self, node: int, walk: Walk = IN_ORDER, *, depth: int = DEPTH, most: int = NODES_REACHED
    ) -> "Reach":
        """What leads to a node, the nearest first, then by position.

        If there is more than ``most``, the surest of the farthest layer stay.
        """
        return self._reach(self._into(walk), node, walk, depth, most, upstream=True)

    def successors(
        self, node: int, walk: Walk = IN_ORDER, *, depth: int = DEPTH, most: int = NODES_REACHED
    ) -> "Reach":
        """What a node leads to, in the same order."""
        return self._reach(self._out(walk), node, walk, depth, most, upstream=False)

    def _out(self, walk: Walk) -> Csr:
        return self._open_out if walk.both_ways else self.out

    def _into(self, walk: Walk) -> Csr:
        return self._open_into if walk.both_ways else self.into

    def _reach(  # noqa: PLR0913  # one walk, whichever way
        self, side: Csr, node: int, walk: Walk, depth: int, most: int, *, upstream: bool
    ) -> "Reach":
        seen = np.zeros(len(self.arrays.nodes), np.bool_)
        seen[node] = True
        front = _Layer(np.array([node], np.int64), np.zeros(1, np.int64), _NONE, _NONE)
        layers: list[_Layer] = []
        left = most
        for _ in range(depth):
            step = self._step(side, front.nodes, walk)
            front = _surest(front, step.kept(~seen[step.heads]), self._cost, left)
            if not len(front.nodes):
                break
            seen[front.nodes] = True
            layers.append(front)
            left -= len(front.nodes)
            if not left:
                break
        return Reach.of(layers, node, upstream=upstream)

    def _step(self, side: Csr, front: Longs, walk: Walk) -> "_Step":
        """Every edge that a walk may take from these nodes."""
        begin = side.first[front]
        size = side.first[front + 1] - begin
        ends = size.cumsum()
        tails = np.repeat(np.arange(len(front)), size)
        at = (begin - ends + size)[tails] + np.arange(len(tails))
        step = _Step(tails, side.head[at], side.edge[at])
        return step if self._is_free(walk) else step.kept(self._taken(step, walk))

    def _is_free(self, walk: Walk) -> bool:
        """Whether a walk may take every edge of this graph."""
        any_day = walk.day is None or not self.has_windows
        return any_day and walk.kinds is None and walk.scope is None and not walk.ordered

    def _taken(self, step: "_Step", walk: Walk) -> npt.NDArray[np.bool_]:
        arrays, edges = self.arrays, step.edges
        taken = np.ones(len(edges), np.bool_)
        if walk.kinds is not None:
            taken &= _table(walk.kinds)[arrays.kind[edges]]
        if walk.day is not None and self.has_windows:
            taken &= arrays.valid_from[edges] <= walk.day
            taken &= arrays.valid_to[edges] >= walk.day
        if walk.scope is not None:
            taken &= walk.scope[step.heads]
        if walk.ordered:
            taken &= ~self.breaks_order[edges]
        return taken

    def certainty(self, path: Path) -> float:
        """The product of the certainties of its edges."""
        return float(math.prod(self.arrays.edge_confidence[list(path.edges)].tolist()))

    # Paths -----------------------------------------------------------------------------

    def best_paths(
        self,
        source: int,
        target: int,
        walk: Walk = ANYWHERE,
        *,
        count: int = 3,
        most_edges: int = DEPTH,
    ) -> tuple[Path, ...]:
        """The surest directed paths between two nodes that visit no node twice.

        Between two neighbours only the surest of their edges counts, so no two paths have
        the same nodes. Surest first, then shorter, then by positions.
        """
        if source == target or not self._leads(self._out(walk), source):
            return ()
        if not self._leads(self._into(walk), target):
            return ()
        return tuple(self._paths(source, target, walk, count, most_edges))

    def _paths(
        self, source: int, target: int, walk: Walk, count: int, most_edges: int
    ) -> Iterator[Path]:
        ladder = self._ladder(source, target, walk, most_edges)
        queue: list[_Prefix] = [
            (min(bound for bound, *_ in ways), length, (source,), 0, ())
            for length, rung in enumerate(ladder)
            if (ways := list(rung.ways(source)))
        ]
        heapify(queue)
        for _ in range(_MOST_PREFIXES):
            if not queue or not count:
                return
            _, length, nodes, spent, edges = heappop(queue)
            left = length - len(edges)
            if not left:
                count -= 1
                yield Path(nodes, edges)
                continue
            for bound, cost, head, edge in ladder[left].ways(nodes[-1]):
                if head not in nodes:
                    after = (*nodes, head), spent + cost, (*edges, edge)
                    heappush(queue, (spent + bound, length, *after))

    @staticmethod
    def _leads(side: Csr, node: int) -> bool:
        return bool(side.first[node] < side.first[node + 1])

    def _ladder(self, source: int, target: int, walk: Walk, most_edges: int) -> list["_Rung"]:
        """For each number of edges left: who can still arrive, at what cost, and how."""
        half = most_edges // 2
        near = self._nearness(source, walk, half)
        front = _Layer(np.array([target], np.int64), np.zeros(1, np.int64), _NONE, _NONE)
        ladder = [_Rung(_NONE, _NONE, _NONE, _NONE, _NONE)]
        for left in range(1, most_edges + 1):
            step = self._step(self._into(walk), front.nodes, walk)
            kept = step.heads != target
            if most_edges - left <= half:
                kept &= near[step.heads] > half - (most_edges - left)
            step = step.kept(kept)
            cost = self._cost[step.edges]
            bound = front.cost[step.tails] + cost
            ladder.append(_Rung(step.heads, front.nodes[step.tails], step.edges, cost, bound))
            # A path does not pass its own beginning.
            inner = step.heads != source
            front = _cheapest(step.heads[inner], bound[inner])
            if not len(front.nodes):
                break
        return ladder

    def _nearness(self, source: int, walk: Walk, half: int) -> npt.NDArray[np.int8]:
        """Per node: half + 1 less its distance from the source, 0 beyond half."""
        near = np.zeros(len(self.arrays.nodes), np.int8)
        near[source] = half + 1
        front = np.array([source], np.int64)
        for distance in range(1, half + 1):
            heads = self._step(self._out(walk), front, walk).heads
            fresh = np.sort(heads[near[heads] == 0]).astype(np.int64)
            front = fresh[_begins(fresh)]
            near[front] = half + 1 - distance
            if not len(front):
                break
        return near

    # Meeting upstream -------------------------------------------------------------------

    def nearest_common_ancestors(
        self, one: int, other: int, walk: Walk = IN_ORDER, *, depth: int = DEPTH
    ) -> tuple[int, ...]:
        """What leads to both and to no other that does, the nearest to the two first.

        A node counts as its own ancestor: of two neighbours the upper one is the answer.
        If all of them lie on cycles and so lead to one another, all are given.
        """
        ups = [self.predecessors(node, walk, depth=depth) for node in (one, other)]
        depths = [{node: 0, **up.depths()} for node, up in zip((one, other), ups, strict=True)]
        common = np.array(sorted(depths[0].keys() & depths[1].keys()), np.int64)
        step = self._step(self._out(walk), common, walk)
        tails = common[step.tails]
        above = set(
            tails[
                places_in(step.heads, common, len(self.arrays.nodes)) & (step.heads != tails)
            ].tolist()
        )
        lowest = [node for node in common.tolist() if node not in above] or common.tolist()
        return tuple(sorted(lowest, key=lambda n: (depths[0][n] + depths[1][n], n)))


@dataclass(frozen=True, slots=True)
class Reach:
    """All nodes that a walk up or down met, in its order, each with the way to it.

    Attributes:
        start: Where it began; not among the nodes.
        nodes: Positions in the arrays.
        depth: Edges of the shortest path between each and the start.
        upstream: Whether the nodes lead to the start, or the start to them.
    """

    start: int
    nodes: Longs
    depth: Longs
    upstream: bool
    _before: Longs
    _edge: Longs

    @classmethod
    def of(cls, layers: Sequence["_Layer"], start: int, *, upstream: bool) -> "Reach":
        """Put the layers of a walk one after another."""
        sizes = [1, *(len(layer.nodes) for layer in layers)]
        begins = np.cumsum([-1, *sizes])  # the start stands at -1
        empty = [_NONE]
        return cls(
            start,
            np.concatenate([*(layer.nodes for layer in layers)] or empty),
            np.repeat(np.arange(1, len(sizes)), sizes[1:]).astype(np.int64),
            upstream,
            np.concatenate(
                [layer.before + begin for layer, begin in zip(layers, begins, strict=False)]
                or empty
            ),
            np.concatenate([*(layer.edge for layer in layers)] or empty),
        )

    def __len__(self) -> int:
        return len(self.nodes)

    def depths(self) -> dict[int, int]:
        """The depth of every node."""
        return dict(zip(self.nodes.tolist(), self.depth.tolist(), strict=True))

    def path(self, index: int) -> Path:
        """The surest shortest path between the start and a node, as the edges point."""
        nodes, edges, at = [], [], index
        while at >= 0:
            nodes.append(int(self.nodes[at]))
            edges.append(int(self._edge[at]))
            at = int(self._before[at])
        nodes.append(self.start)
        if not self.upstream:
            nodes.reverse()
            edges.reverse()
        return Path(tuple(nodes), tuple(edges))


# The pieces of a walk -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Step:
    """Edges from a front: index of the tail in the front, head, edge."""

    tails: Longs
    heads: Ints
    edges: Longs

    def kept(self, mask: npt.NDArray[np.bool_]) -> "_Step":
        return _Step(self.tails[mask], self.heads[mask], self.edges[mask])


@dataclass(frozen=True, slots=True)
class _Layer:
    """Nodes at one depth; ``before`` is the index of the node before in the layer before."""

    nodes: Longs
    cost: Longs
    before: Longs
    edge: Longs


_Prefix = tuple[int, int, tuple[int, ...], int, tuple[int, ...]]
"""What a path costs at least, its length, its nodes so far, their cost, their edges."""


@dataclass(frozen=True, slots=True)
class _Rung:
    """Edges from which the target can be reached in just so many edges, this one included.

    Attributes:
        nodes: Where each starts.
        ends: Where it ends.
        edges: Which it is.
        cost: What it costs.
        bound: What it and the cheapest way on cost together.
    """

    nodes: Ints | Longs
    ends: Longs
    edges: Longs
    cost: Longs
    bound: Longs

    def ways(self, node: int) -> Iterator[tuple[int, int, int, int]]:
        """Bound, cost, end and edge of each way on from a node: to each end the cheapest."""
        at = (self.nodes == node).nonzero()[0]
        columns = (self.bound, self.cost, self.ends, self.edges)
        rows = sorted(zip(*(column[at].tolist() for column in columns), strict=True))
        seen = set()
        for row in rows:
            if row[2] not in seen:
                seen.add(row[2])
                yield row


def _cheapest(nodes: Ints, cost: Longs) -> _Layer:
    """Each node once, at its least cost."""
    order = np.argsort(nodes, kind="stable")
    ascending = nodes[order].astype(np.int64)
    begins = _begins(ascending)
    least = np.minimum.reduceat(cost[order], begins) if len(begins) else _NONE
    return _Layer(ascending[begins], least, _NONE, _NONE)


def _surest(front: _Layer, step: _Step, cost: Longs, most: int) -> _Layer:
    """Keep the cheapest way to each head, and if there are too many heads the cheapest.

    Among equally cheap ways the one over the first node counts, then the first edge.
    """
    # A lexsort by four keys says the same and takes five times as long.
    keys = np.sort((step.heads.astype(np.int64) << 32) | np.arange(len(step.heads)))
    order, heads = keys & 0xFFFFFFFF, keys >> 32
    if not len(order):
        return _Layer(_NONE, _NONE, _NONE, _NONE)
    begins = _begins(heads)
    group = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(heads)))
    tails = step.tails[order]
    total = front.cost[tails] + cost[step.edges[order]]
    over = front.nodes[tails]
    cheap = total == np.minimum.reduceat(total, begins)[group]
    over[~cheap] = _BEYOND
    best = (over == np.minimum.reduceat(over, begins)[group]).nonzero()[0]
    best = best[_begins(heads[best])]
    if len(best) > most:
        best = np.sort(best[np.argsort(total[best], kind="stable")[:most]])
    return _Layer(heads[best], total[best], tails[best], step.edges[order[best]])


def _begins(ascending: Longs) -> Longs:
    """Where each run of equal values begins."""
    begins = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=begins[1:])
    places: Longs = begins.nonzero()[0]
    return places


def _without(arrays: GraphArrays, marked: npt.NDArray[np.bool_]) -> GraphArrays:
    """The same edges, those marked turned into references, which order nothing."""
    kind = arrays.kind.copy()
    kind[marked] = KINDS.index(RelationKind.REFERENCE)
    return replace(arrays, kind=kind)


@cache
def _table(kinds: frozenset[RelationKind]) -> npt.NDArray[np.bool_]:
    return np.array([kind in kinds for kind in KINDS], np.bool_)
