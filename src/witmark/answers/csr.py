"""A directed graph as flat arrays: whom each node points at, and by which edge.

Nodes are numbers from 0, edges are positions in the arrays the graph was built from.
Everything here is a pass over whole arrays, so a million edges cost milliseconds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_NARROW = 24  # below so many nodes a plain loop is cheaper than a dozen array operations


@dataclass(frozen=True, slots=True)
class Csr:
    """Edges grouped by the end they leave: those of node i are ``first[i] : first[i + 1]``.

    Attributes:
        first: (n + 1,) where each node's edges begin.
        head: (m,) the other end.
        edge: (m,) the edge's position in the arrays it was built from, ascending per node.
    """

    first: Longs
    head: Ints
    edge: Longs


def csr(tail: Ints, head: Ints, count: int) -> Csr:
    """Group edges by their tail; edges of one node keep their order."""
    # One sort of tail and position in a single number: far cheaper than a stable argsort.
    keys = np.sort((tail.astype(np.int64) << 32) | np.arange(len(tail), dtype=np.int64))
    edge = keys & 0xFFFFFFFF
    first = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(tail, minlength=count), out=first[1:])
    return Csr(first, head[edge], edge)


def out_edges(graph: Csr, nodes: Longs) -> Longs:
    """Positions in ``graph.head`` of all edges that leave these nodes, node by node."""
    begin = graph.first[nodes]
    size = graph.first[nodes + 1] - begin
    ends = np.cumsum(size)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(begin - ends + size, size) + np.arange(total, dtype=np.int64)


def ranks(tail: Ints, head: Ints, count: int) -> Ints:
    """Return each node's distance from the sources along its longest path, in edges.

    A node on a cycle, or after one, has no such distance: it gets -1.
    """
    graph = csr(tail, head, count)
    waiting = np.bincount(head, minlength=count)
    rank = np.full(count, -1, np.int32)
    front, at = np.flatnonzero(waiting == 0), 0
    while len(front):
        rank[front] = at
        front = (_step_narrow if len(front) < _NARROW else _step_wide)(graph, front, waiting)
        at += 1
    return rank


def _step_wide(graph: Csr, front: Longs, waiting: Longs) -> Longs:
    reached = graph.head[out_edges(graph, front)]
    np.subtract.at(waiting, reached, 1)
    ready = np.sort(reached[waiting[reached] == 0]).astype(np.int64)
    fresh = np.ones(len(ready), np.bool_)  # each once; ``np.unique`` takes far longer
    np.not_equal(ready[1:], ready[:-1], out=fresh[1:])
    return ready[fresh]


def _step_narrow(graph: Csr, front: Longs, waiting: Longs) -> Longs:
    ready = []
    for node in front.tolist():
        for head in graph.head[graph.first[node] : graph.first[node + 1]].tolist():
            waiting[head] -= 1
            if waiting[head] == 0:
                ready.append(head)
    return np.array(sorted(ready), np.int64)
