"""How near atoms lie to the anchors of a question, walked outwards from the anchors once.

The walk is bounded in its length, in the edges that one step looks at and in the atoms it
stands on at once, so that neither a hub nor a thicket costs much. Relations that do not
hold on the day asked about are not walked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from witmark.answers.arrays import KINDS, GraphArrays, places_in
from witmark.answers.csr import Csr, out_edges
from witmark.answers.edges import RelationKind

REACH = 4  # edges; who is further away is not near
EDGES_PER_STEP = 2_048
FRONT = 256
"""A walk that has come to more atoms than this at once ends: there everybody is near."""

_PREREQUISITE = KINDS.index(RelationKind.PREREQUISITE)

Nodes = npt.NDArray[np.int64]
Steps = npt.NDArray[np.int8]
_Steps = tuple[Nodes, Nodes, Nodes]  # tails, heads and edges


class Graph(Protocol):
    """What a walk needs to know of the graph of a workspace."""

    @property
    def arrays(self) -> GraphArrays:
        """The edges."""

    @property
    def out(self) -> Csr:
        """They grouped by their source."""

    @property
    def into(self) -> Csr:
        """They grouped by their target."""

    @property
    def has_windows(self) -> bool:
        """Whether any edge holds on some days only."""


@dataclass(frozen=True, slots=True)
class Way:
    """The shortest directed path between an atom and an anchor.

    Attributes:
        edges: Its length.
        path_confidence: The mean certainty of its edges, from 0 to 1.
    """

    edges: int
    path_confidence: float


@dataclass(frozen=True, slots=True)
class Nearness:
    """Every atom near the anchors, by its position in the graph.

    Attributes:
        distance: Edges to the nearest anchor, whichever way they point.
        ways: A directed path from the anchor, or to it, whichever is the better.
        prerequisite_depth: Length of a chain of prerequisites that ends at an anchor.
        relations: The kinds of the edges that join it to an anchor, with their certainty.
    """

    distance: Mapping[int, int] = field(default_factory=dict)
    ways: Mapping[int, Way] = field(default_factory=dict)
    prerequisite_depth: Mapping[int, int] = field(default_factory=dict)
    relations: Mapping[int, Mapping[RelationKind, float]] = field(default_factory=dict)

    def kinds(self, node: int) -> Mapping[RelationKind, float]:
        """The kinds of the edges that join an atom to an anchor, with their certainty."""
        return self.relations.get(node, {})


def positions(arrays: GraphArrays, numbers: Sequence[int]) -> list[int]:
    """Return where these atoms stand in the graph; those without a relation are left out."""
    wanted = np.array(sorted(set(numbers)), np.int64)
    at = np.searchsorted(arrays.nodes, wanted)
    known = at < len(arrays.nodes)
    known[known] = arrays.nodes[at[known]] == wanted[known]
    return [int(position) for position in at[known]]


def degree(graph: Graph, node: int) -> int:
    """Return how many edges an atom has, both ways."""
    out, into = graph.out.first, graph.into.first
    return int(out[node + 1] - out[node] + into[node + 1] - into[node])


def near(
    graph: Graph, anchors: Sequence[int | None], among: Sequence[int], day: int
) -> Nearness:
    """Walk outwards from the anchors.

    Args:
        graph: The relations.
        anchors: Where the anchors stand in it; ``None`` for one that has no relation.
        among: The atoms of interest; of others nothing is told.
        day: The day asked about, as a proleptic day number.
    """
    start = np.array(sorted({at for at in anchors if at is not None}), np.int64)
    if not len(start):
        return Nearness()
    wanted = np.array(sorted(set(among)), np.int64)
    walk = _Walk.of(graph, start, day)
    up, down = walk.ways(graph.into, wanted), walk.ways(graph.out, wanted)
    ways = {
        node: min(
            (side[node] for side in (up, down) if node in side),
            key=lambda way: (way.edges, -way.path_confidence),
        )
        for node in sorted(up.keys() | down.keys())
    }
    return Nearness(
        distance=_told(walk.distances(), wanted),
        ways=ways,
        prerequisite_depth=_told(walk.prerequisites(), wanted, least=1),
        relations=walk.relations(wanted),
    )


def neighbours(graph: Graph, node: int, day: int) -> dict[int, float]:
    """Return the atoms one edge away, either way, each with its surest edge's certainty.

    Of a hub that has too many, only the surest.
    """
    steps = [
        _step(graph, side, np.array([node], np.int64), day) for side in (graph.out, graph.into)
    ]
    heads = np.concatenate([heads for _, heads, _ in steps])
    sure = graph.arrays.edge_confidence[np.concatenate([edges for _, _, edges in steps])]
    upwards = np.argsort(sure, kind="stable")
    # Of equal keys the last one stays, which is the surest.
    found = dict(zip(heads[upwards].tolist(), sure[upwards].tolist(), strict=True))
    found.pop(node, None)
    return found


# The walk ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Walk:
    """From where, over what, and when; every walk begins with the same two steps."""

    graph: Graph
    start: Nodes
    day: int
    out: _Steps
    into: _Steps

    @classmethod
    def of(cls, graph: Graph, start: Nodes, day: int) -> "_Walk":
        """Take the first steps."""
        out, into = (_step(graph, side, start, day) for side in (graph.out, graph.into))
        return cls(graph, start, day, out, into)

    def _further(self, side: Csr, front: Nodes) -> _Steps:
        if front is self.start:
            return self.out if side is self.graph.out else self.into
        return _step(self.graph, side, front, self.day)

    def distances(self) -> Steps:
        """Per atom the edges to the nearest anchor, -1 where none is near."""
        found, front = self._begun(), self.start
        for steps in range(1, REACH + 1):
            sides = (self.graph.out, self.graph.into)
            heads = [self._further(side, front)[1] for side in sides]
            front = _newly(found, np.concatenate(heads), steps)
            if not 0 < len(front) <= FRONT:
                break
        return found

    def prerequisites(self) -> Steps:
        """The same along prerequisites alone, upstream."""
        found, front = self._begun(), self.start
        for steps in range(1, REACH + 1):
            _, heads, _ = _step(self.graph, self.graph.into, front, self.day, _PREREQUISITE)
            front = _newly(found, heads, steps)
            if not 0 < len(front) <= FRONT:
                break
        return found

    def ways(self, side: Csr, wanted: Nodes) -> dict[int, Way]:
        """Directed paths on one side; among those of one length the surest counts."""
        found, front = self._begun(), self.start
        total = np.zeros(len(found), np.float64)
        for steps in range(1, REACH + 1):
            tails, heads, edges = self._further(side, front)
            sums = total[tails] + self.graph.arrays.edge_confidence[edges]
            new = found[heads] < 0
            upwards = np.argsort(sums[new], kind="stable")
            # Of several values for one place the last one stays, which is the greatest.
            total[heads[new][upwards]] = sums[new][upwards]
            front = _newly(found, heads, steps)
            if not 0 < len(front) <= FRONT:
                break
        length = _told(found, wanted, least=1)
        return {node: Way(n, float(total[node]) / n) for node, n in length.items()}

    def relations(self, wanted: Nodes) -> dict[int, dict[RelationKind, float]]:
        """The kinds of edges that join an atom to an anchor."""
        found: dict[int, dict[RelationKind, float]] = {}
        for _, heads, edges in (self.out, self.into):
            told = places_in(heads, wanted, len(self.graph.arrays.nodes))
            kinds = self.graph.arrays.kind[edges[told]].tolist()
            certain = self.graph.arrays.edge_confidence[edges[told]].tolist()
            for head, number, sure in zip(heads[told].tolist(), kinds, certain, strict=True):
                kind, of_head = KINDS[number], found.setdefault(head, {})
                of_head[kind] = max(of_head.get(kind, 0.0), sure)
        return found

    def _begun(self) -> Steps:
        found = np.full(len(self.graph.arrays.nodes), -1, np.int8)
        found[self.start] = 0
        return found


def _newly(found: Steps, heads: Nodes, steps: int) -> Nodes:
    """Mark the atoms that were reached for the first time, and return them."""
    new = heads[found[heads] < 0]
    new.sort()
    fresh = np.ones(len(new), np.bool_)  # each once; ``np.unique`` hashes
    np.not_equal(new[1:], new[:-1], out=fresh[1:])
    new = new[fresh]
    found[new] = steps
    return new


def _told(found: Steps, wanted: Nodes, *, least: int = 0) -> dict[int, int]:
    steps = found[wanted]
    there = steps >= least
    return dict(zip(wanted[there].tolist(), steps[there].tolist(), strict=True))


def _step(
    graph: Graph, side: Csr, front: Nodes, day: int, only: int | None = None
) -> tuple[Nodes, Nodes, Nodes]:
    """Return tails, heads and edges of the edges that leave the front on this side."""
    at = out_edges(side, front)
    tails = np.repeat(front, side.first[front + 1] - side.first[front])
    edges = side.edge[at]
    arrays = graph.arrays
    if graph.has_windows or only is not None:
        walked = (arrays.valid_from[edges] <= day) & (day <= arrays.valid_to[edges])
        if only is not None:
            walked &= (arrays.kind[edges] == only) & ~arrays.breaks_order[edges]
        at, tails, edges = at[walked], tails[walked], edges[walked]
    if len(edges) > EDGES_PER_STEP:
        kept = _surest(arrays.edge_confidence[edges])
        at, tails, edges = at[kept], tails[kept], edges[kept]
    return tails, side.head[at].astype(np.int64), edges


def _surest(certain: npt.NDArray[np.float32]) -> Nodes:
    """Where the surest edges stand; among equals those that come first."""
    border = np.partition(certain, len(certain) - EDGES_PER_STEP)[-EDGES_PER_STEP]
    above = np.flatnonzero(certain > border)
    equal = np.flatnonzero(certain == border)[: EDGES_PER_STEP - len(above)]
    return np.sort(np.concatenate([above, equal]))
