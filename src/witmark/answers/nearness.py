"""How near atoms lie to the anchors of a question, walked outwards from the anchors once.

The walk is bounded twice: in edges (``REACH``), and in how many edges one step may look at,
so that a hub costs no more than anybody else. Relations that do not hold on the day asked
about are not walked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from witmark.answers.arrays import KINDS, GraphArrays
from witmark.answers.csr import Csr, out_edges
from witmark.answers.edges import RelationKind

REACH = 4  # edges; who is further away is not near
EDGES_PER_STEP = 4_096
_PREREQUISITE = KINDS.index(RelationKind.PREREQUISITE)

Nodes = npt.NDArray[np.int64]


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


def near(graph: Graph, anchors: Sequence[int | None], day: int) -> Nearness:
    """Walk outwards from the anchors.

    Args:
        graph: The relations.
        anchors: Where the anchors stand in it; ``None`` for one that has no relation.
        day: The day asked about, as a proleptic day number.
    """
    start = np.array(sorted({at for at in anchors if at is not None}), np.int64)
    if not len(start):
        return Nearness()
    up, down = _ways(graph, graph.into, start, day), _ways(graph, graph.out, start, day)
    ways = {
        node: min(
            (side[node] for side in (up, down) if node in side),
            key=lambda way: (way.edges, -way.path_confidence),
        )
        for node in sorted(up.keys() | down.keys())
    }
    return Nearness(
        distance=_distances(graph, start, day),
        ways=ways,
        prerequisite_depth=_prerequisites(graph, start, day),
        relations=_relations(graph, start, day),
    )


def neighbours(graph: Graph, node: int, day: int) -> dict[int, float]:
    """Return the atoms one edge away, either way, each with its surest edge's certainty."""
    start = np.array([node], np.int64)
    found: dict[int, float] = {}
    for side in (graph.out, graph.into):
        _, heads, edges = _step(graph, side, start, day)
        certain = graph.arrays.edge_confidence[edges]
        for head, sure in zip(heads.tolist(), certain.tolist(), strict=True):
            found[head] = max(found.get(head, 0.0), sure)
    return {other: found[other] for other in sorted(found.keys() - {node})}


# One step ----------------------------------------------------------------------------


def _step(
    graph: Graph, side: Csr, front: Nodes, day: int, only: int | None = None
) -> tuple[Nodes, Nodes, Nodes]:
    """Return tails, heads and edges of all edges that leave the front on this side."""
    at = out_edges(side, front)
    sizes = side.first[front + 1] - side.first[front]
    tails, heads, edges = np.repeat(front, sizes), side.head[at], side.edge[at]
    arrays = graph.arrays
    walked = (arrays.valid_from[edges] <= day) & (day <= arrays.valid_to[edges])
    if only is not None:
        walked &= (arrays.kind[edges] == only) & ~arrays.breaks_order[edges]
    tails, heads, edges = tails[walked], heads[walked], edges[walked]
    if len(edges) > EDGES_PER_STEP:
        best = np.lexsort((edges, -arrays.edge_confidence[edges]))[:EDGES_PER_STEP]
        tails, heads, edges = tails[best], heads[best], edges[best]
    return tails, heads.astype(np.int64), edges


def _distances(graph: Graph, start: Nodes, day: int) -> dict[int, int]:
    found = dict.fromkeys(start.tolist(), 0)
    front = start
    for steps in range(1, REACH + 1):
        heads = [_step(graph, side, front, day)[1] for side in (graph.out, graph.into)]
        new = set(np.concatenate(heads).tolist()) - found.keys()
        found.update(dict.fromkeys(new, steps))
        front = np.array(sorted(new), np.int64)
        if not new:
            break
    return found


def _ways(graph: Graph, side: Csr, start: Nodes, day: int) -> dict[int, Way]:
    """Follow directed edges; among paths of one length the surest counts."""
    seen, total = set(start.tolist()), dict.fromkeys(start.tolist(), 0.0)
    ways: dict[int, Way] = {}
    front = start
    for steps in range(1, REACH + 1):
        tails, heads, edges = _step(graph, side, front, day)
        certain = graph.arrays.edge_confidence[edges]
        sums: dict[int, float] = {}
        for tail, head, sure in zip(
            tails.tolist(), heads.tolist(), certain.tolist(), strict=True
        ):
            if head not in seen:
                sums[head] = max(sums.get(head, 0.0), total[tail] + sure)
        ways.update({head: Way(steps, sums[head] / steps) for head in sums})
        seen |= sums.keys()
        total, front = sums, np.array(sorted(sums), np.int64)
        if not sums:
            break
    return ways


def _prerequisites(graph: Graph, start: Nodes, day: int) -> dict[int, int]:
    seen, depth = set(start.tolist()), {}
    front = start
    for steps in range(1, REACH + 1):
        _, heads, _ = _step(graph, graph.into, front, day, _PREREQUISITE)
        new = set(heads.tolist()) - seen
        depth.update(dict.fromkeys(new, steps))
        seen |= new
        front = np.array(sorted(new), np.int64)
        if not new:
            break
    return depth


def _relations(graph: Graph, start: Nodes, day: int) -> dict[int, dict[RelationKind, float]]:
    found: dict[int, dict[RelationKind, float]] = {}
    for side in (graph.out, graph.into):
        _, heads, edges = _step(graph, side, start, day)
        kinds = graph.arrays.kind[edges].tolist()
        certain = graph.arrays.edge_confidence[edges].tolist()
        for head, number, sure in zip(heads.tolist(), kinds, certain, strict=True):
            kind = KINDS[number]
            of_head = found.setdefault(head, {})
            of_head[kind] = max(of_head.get(kind, 0.0), sure)
    return found
