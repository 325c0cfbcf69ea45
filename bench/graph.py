"""Walks of a big graph: k best paths and predecessors, in CPU milliseconds.

200,000 nodes and a million edges, seeded, no node with more than 64 edges in. A thousand
pairs: half joined by a path of at most six edges, half drawn at random. First every answer
on a thousand small graphs is held to a brute-force oracle that shares no code with the desk,
predecessors once whole and once under caps that bite: the nearest first, the surest of the
farthest.

``--data PATH`` (an ``.npz`` with ``source``, ``target`` and optionally ``edge_confidence``)
measures another graph. ``--full`` takes five thousand small graphs and pairs.
"""

import itertools
import math
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from bench.common import Stopwatch, finish, options
from witmark.answers.arrays import EVER, KINDS, NEVER, GraphArrays
from witmark.answers.cycles import ORDERING_CODES
from witmark.answers.dag import DEPTH, NODES_REACHED, Dag, Walk

NODES, EDGES, MOST_IN, PAIRS, SMALL = 200_000, 1_000_000, 64, 1_000, 1_000
CAPS = (1, 2, 3)
LIMITS = {
    "paths_p95_ms": 1.0,
    "predecessors_p95_ms": 2.0,
    "predecessors_uncapped_p95_ms": 2.0,
    "build_s": 0.1,
    "oracle_faults": 0,
}
UNIT = 2.0**40


def main(argv: Sequence[str] | None = None) -> int:
    given = options(argv, __doc__)
    watch = Stopwatch()
    times = 5 if given.full else 1
    faults, compared, bitten = oracle_faults(SMALL * times)
    arrays = read_graph(given.data) if given.data else seeded_graph()
    begun = time.process_time()
    dag = Dag(arrays)
    _ = dag.out, dag.into
    build_s = time.process_time() - begun
    begun = time.process_time()
    _ = dag.rank
    rank_s = time.process_time() - begun
    pairs = drawn_pairs(dag, PAIRS * times)
    paths = timed(dag.best_paths, pairs)
    capped = timed(lambda _, node: dag.predecessors(node, Walk()), pairs)
    uncapped = timed(lambda _, node: dag.predecessors(node, Walk(), most=NODES), pairs)
    met = timed(lambda one, other: dag.nearest_common_ancestors(one, other, Walk()), pairs)
    figures = {
        "paths_p95_ms": at(paths, 0.95),
        "paths_p50_ms": at(paths, 0.5),
        "predecessors_p95_ms": at(capped, 0.95),
        "predecessors_cap": NODES_REACHED,
        "predecessors_uncapped_p95_ms": at(uncapped, 0.95),
        "ancestors_p95_ms": at(met, 0.95),
        "connected_pairs": sum(bool(dag.best_paths(*pair)) for pair in pairs),
        "nodes": len(arrays.nodes),
        "edges": len(arrays.kind),
        "build_s": round(build_s, 3),
        "rank_s": round(rank_s, 3),
        "oracle_comparisons": compared,
        "oracle_caps_that_bit": bitten,
        "oracle_faults": len(faults),
    }
    for fault in faults[:5]:
        print(fault)
    ok = bitten > 0 and all(figures[name] <= limit for name, limit in LIMITS.items())
    return finish("graph", watch, figures=figures, limits=LIMITS, n=len(pairs), ok=ok)


def timed(walk: Callable[[int, int], object], pairs: Sequence[tuple[int, int]]) -> list[float]:
    """CPU milliseconds of each walk, ascending."""
    took = []
    for one, other in pairs:
        begun = time.process_time()
        walk(one, other)
        took.append((time.process_time() - begun) * 1000)
    return sorted(took)


def at(ascending: Sequence[float], share: float) -> float:
    return round(ascending[min(int(len(ascending) * share), len(ascending) - 1)], 3)


# ---------------------------------------------------------------- graphs


def seeded_graph() -> GraphArrays:
    """Edges that mostly join neighbours, some far apart, none backwards but a few hundred."""
    chance = np.random.default_rng(3)
    source = chance.integers(0, NODES - 1, 2 * EDGES)
    reach = (chance.pareto(1.1, len(source)) * 20 + 1).astype(np.int64)
    target = source + reach
    keys = np.unique((target * NODES + source)[target < NODES])
    target, source = np.divmod(keys, NODES)
    nth = np.arange(len(target)) - np.searchsorted(target, target)
    within = chance.permutation(np.flatnonzero(nth < MOST_IN))[: EDGES - NODES // 1000]
    back = chance.integers(1_000, NODES, EDGES - len(within))
    ahead = back - chance.integers(1, 1_000, len(back))
    source = np.concatenate([source[within], back])
    target = np.concatenate([target[within], ahead])
    return arrays_of(source, target, chance.uniform(0.4, 1.0, EDGES), NODES, chance)


def read_graph(path: Path) -> GraphArrays:
    with np.load(path) as given:
        source, target = given["source"], given["target"]
        sure = given.get("edge_confidence", np.ones(len(source)))
    count = int(max(source.max(), target.max())) + 1
    return arrays_of(source, target, sure, count, np.random.default_rng(3))


def arrays_of(
    source: np.ndarray,
    target: np.ndarray,
    sure: np.ndarray,
    count: int,
    chance: np.random.Generator,
) -> GraphArrays:
    size = len(source)
    return GraphArrays(
        np.arange(count, dtype=np.int64),
        source.astype(np.int32),
        target.astype(np.int32),
        chance.integers(0, len(KINDS), size).astype(np.int8),
        sure.astype(np.float32),
        np.zeros(size, np.bool_),
        np.zeros(size, np.bool_),
        np.full(size, NEVER, np.int32),
        np.full(size, EVER, np.int32),
        np.arange(size, dtype=np.int64),
    )


def drawn_pairs(dag: Dag, count: int) -> list[tuple[int, int]]:
    """Half of them some steps apart along the edges, half anywhere; mixed."""
    chance = random.Random(5)  # noqa: S311  # a seeded sample
    nodes = len(dag.arrays.nodes)
    pairs: list[tuple[int, int]] = []
    while len(pairs) < count // 2:
        start = node = chance.randrange(nodes)
        for _ in range(chance.randint(1, DEPTH)):
            first, last = int(dag.out.first[node]), int(dag.out.first[node + 1])
            node = int(dag.out.head[chance.randrange(first, last)]) if first < last else node
        if node != start:
            pairs.append((start, node))
    pairs += [(chance.randrange(nodes), chance.randrange(nodes)) for _ in range(count // 2)]
    chance.shuffle(pairs)
    return pairs


# ---------------------------------------------------------------- the oracle


def oracle_faults(count: int) -> tuple[list[str], int, int]:
    """Where the desk and brute force differ on small random graphs, cycles among them.

    Beside the differences: how much was compared, and how often a cap left something out.
    """
    faults: list[str] = []
    compared = bitten = 0
    for seed in range(count):
        chance = np.random.default_rng(seed)
        nodes, size = int(chance.integers(2, 9)), int(chance.integers(0, 22))
        ends = chance.integers(0, nodes, (2, size))
        # Few different certainties, so that ties are common.
        arrays = arrays_of(ends[0], ends[1], chance.integers(1, 5, size) / 4, nodes, chance)
        dag = Dag(arrays)
        naive = Naive(arrays)
        checks: list[tuple[str, object, object]] = [("order", True, naive.is_order(dag))]
        for one, other in itertools.product(range(nodes), repeat=2):
            found = [path.nodes for path in dag.best_paths(one, other)]
            checks.append((f"paths {one} {other}", naive.best_paths(one, other), found))
            nca = dag.nearest_common_ancestors(one, other, Walk())
            checks.append((f"ancestors {one} {other}", naive.meeting(one, other), nca))
        for node in range(nodes):
            up = dag.predecessors(node, Walk())
            found_up = {
                n: (d, up.path(i).nodes) for i, (n, d) in enumerate(up.depths().items())
            }
            every = naive.upstream(node)
            checks.append((f"predecessors {node}", every, found_up))
            for most in CAPS:
                some = list(dag.predecessors(node, Walk(), most=most).depths().items())
                bitten += most < len(every)
                checks.append((f"{most} of {node}", naive.capped(node, most), some))
        compared += len(checks)
        faults += [
            f"seed {seed}, {what}: {want} is {got}" for what, want, got in checks if want != got
        ]
    return faults, compared, bitten


class Naive:
    """Answers by trying everything."""

    def __init__(self, arrays: GraphArrays) -> None:
        self.arrays = arrays
        self.cost: dict[tuple[int, int], int] = {}
        self.known: dict[int, list[tuple[int, ...]]] = {}
        columns = (arrays.source, arrays.target, arrays.edge_confidence)
        for tail, head, sure in zip(*(c.tolist() for c in columns), strict=True):
            cost = round(-math.log2(sure) * UNIT)
            self.cost[tail, head] = min(cost, self.cost.get((tail, head), cost))

    def paths_from(self, start: int) -> list[tuple[int, ...]]:
        """Every path of at most six edges that visits no node twice."""
        if start in self.known:
            return self.known[start]
        found: list[tuple[int, ...]] = []
        front: list[tuple[int, ...]] = [(start,)]
        for _ in range(DEPTH):
            front = [
                (*path, head)
                for path in front
                for tail, head in self.cost
                if tail == path[-1] and head not in path
            ]
            found += front
        self.known[start] = found
        return found

    def price(self, path: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        """What paths are ordered by."""
        return sum(self.cost[pair] for pair in itertools.pairwise(path)), len(path), path

    def best_paths(self, one: int, other: int) -> list[tuple[int, ...]]:
        """The three first in that order."""
        found = [path for path in self.paths_from(one) if path[-1] == other]
        return sorted(found, key=self.price)[:3]

    def upstream(self, node: int) -> dict[int, tuple[int, tuple[int, ...]]]:
        """Per node that leads here: the fewest edges, and the surest path of that many."""
        best: dict[int, tuple[int, tuple[int, ...]]] = {}
        for start in range(len(self.arrays.nodes)):
            found = [path for path in self.paths_from(start) if path[-1] == node]
            if found:
                path = min(found, key=lambda p: (len(p), self.price(p)))
                best[start] = len(path) - 1, path
        return best

    def capped(self, node: int, most: int) -> list[tuple[int, int]]:
        """The nearest that lead here, of the farthest the surest; as (node, depth)."""
        every = self.upstream(node)
        chosen = sorted((d, self.price(path)[0], n) for n, (d, path) in every.items())[:most]
        return [(n, d) for d, n in sorted((d, n) for d, _, n in chosen)]

    def meeting(self, one: int, other: int) -> tuple[int, ...]:
        """Ancestors of both from which no edge leads to another such; else all."""
        depths = [
            {n: d for n, (d, _) in self.upstream(x).items()} | {x: 0} for x in (one, other)
        ]
        common = depths[0].keys() & depths[1].keys()
        lowest = [
            c
            for c in common
            if not any(t == c and h in common and h != c for t, h in self.cost)
        ]
        return tuple(sorted(lowest or common, key=lambda n: (depths[0][n] + depths[1][n], n)))

    def is_order(self, dag: Dag) -> bool:
        """Whether the order holds every node once, and no edge it keeps points backwards."""
        order = dag.topological_order().tolist()
        place = {node: i for i, node in enumerate(order)}
        kept = np.isin(self.arrays.kind, ORDERING_CODES) & ~dag.breaks_order
        ends = zip(self.arrays.source[kept], self.arrays.target[kept], strict=True)
        return len(place) == len(self.arrays.nodes) and all(
            place[t] < place[h] for t, h in ends
        )


if __name__ == "__main__":
    sys.exit(main())
