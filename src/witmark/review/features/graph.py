"""Which faces touch, along which edge, and how the material folds there.

Every recogniser asks the same few questions of a face: who are the neighbours, is the fold
convex, concave or smooth, which edges bound it and in which loop. The answers stand in
compressed rows, built once, so that asking costs nothing and order never depends on a hash.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from witmark.review.brep import Brep, Convexity, IntArray


class Link(NamedTuple):
    """One edge of a face and what lies across it."""

    face: int  # the neighbour; the face itself across a seam; -1 at a free boundary
    edge: int
    convexity: Convexity
    fold_rad: float  # NaN if unknown


@dataclass(frozen=True, slots=True)
class FaceGraph:
    """The attributed face adjacency graph of one part.

    ``links[f]`` holds the edges of face ``f`` by edge number; a seam stands there twice, once
    per side. ``loops[f]`` holds the face's loops, the outer one first.
    """

    brep: Brep
    links: tuple[tuple[Link, ...], ...]
    loops: tuple[tuple[int, ...], ...]

    def across(self, face: int, *kinds: Convexity) -> Iterator[Link]:
        """Links to other faces, of the kinds asked for (all kinds when none is named)."""
        for link in self.links[face]:
            if link.face not in (face, -1) and (not kinds or link.convexity in kinds):
                yield link

    def neighbours(self, face: int, *kinds: Convexity) -> tuple[int, ...]:
        """Neighbour faces, sorted, each once."""
        return tuple(sorted({link.face for link in self.across(face, *kinds)}))

    def is_open(self, face: int) -> bool:
        """Whether the face has a free boundary, as faces of sheets have."""
        return any(link.face == -1 for link in self.links[face])

    def loop_edges(self, loop: int) -> IntArray:
        """Edge numbers along a loop, in loop order."""
        start = self.brep.loop_start
        return self.brep.loop_edge[start[loop] : start[loop + 1]]

    def across_loop(self, loop: int) -> tuple[Link, ...]:
        """Links of the loop's face along that loop, in loop order."""
        edges = {int(edge) for edge in self.loop_edges(loop)}
        mine = {
            x.edge: x for x in self.links[int(self.brep.loop_face[loop])] if x.edge in edges
        }
        return tuple(mine[int(e)] for e in self.loop_edges(loop) if int(e) in mine)

    def connected(self, faces: Iterable[int], *kinds: Convexity) -> list[tuple[int, ...]]:
        """Split ``faces`` into groups that hang together over edges of the kinds asked for.

        Groups are sorted inside, and among themselves by their least face.
        """
        left = set(faces)
        groups = []
        for seed in sorted(left):
            if seed in left:
                group = self._flood(seed, left, kinds)
                left -= group
                groups.append(tuple(sorted(group)))
        return groups

    def _flood(self, seed: int, within: set[int], kinds: tuple[Convexity, ...]) -> set[int]:
        group, todo = {seed}, [seed]
        while todo:
            for link in self.across(todo.pop(), *kinds):
                if link.face in within and link.face not in group:
                    group.add(link.face)
                    todo.append(link.face)
        return group


def face_graph(brep: Brep) -> FaceGraph:
    """Build the graph of one part in one pass over its edges and loops."""
    links: list[list[Link]] = [[] for _ in range(brep.faces)]
    convexity = [Convexity(kind) for kind in brep.edge_convexity.tolist()]
    fold = brep.edge_fold_rad.tolist()
    for edge, (left, right) in enumerate(brep.edge_faces.tolist()):
        if left >= 0:
            links[left].append(Link(right, edge, convexity[edge], fold[edge]))
        if right >= 0:
            links[right].append(Link(left, edge, convexity[edge], fold[edge]))
    loops: list[list[int]] = [[] for _ in range(brep.faces)]
    for loop in np.lexsort((np.arange(len(brep.loop_face)), ~brep.loop_outer)).tolist():
        loops[int(brep.loop_face[loop])].append(loop)
    return FaceGraph(brep, tuple(map(tuple, links)), tuple(map(tuple, loops)))
