"""Round recesses and tunnels whose wall nobody could name: seen, and said to be unknown.

A free form that runs away from a round, sharp inner outline of its neighbour looks like a
hole. Which hole it is cannot be measured, so every fact of it is null and a rule about holes
stays undecided there instead of passing in silence.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import Brep, Convexity, FloatArray, SurfaceKind
from witmark.review.features.feature import Feature, Triple
from witmark.review.features.graph import FaceGraph
from witmark.review.features.hole_facts import HOLE_FACTS

ROUND = 0.85  # 4 pi area / perimeter squared: a square has 0.79, a circle 1
MOST_WALLS = 8
KIND = "freeform_bore"


@dataclass(frozen=True, slots=True)
class _Mouth:
    loop: int
    walls: frozenset[int]
    at_mm: Triple
    direction: Triple


def free_form_bores(graph: FaceGraph, taken: set[int]) -> tuple[Feature, ...]:
    """One feature for every free-form wall that a round inner loop leads into.

    Args:
        graph: The part.
        taken: Faces that belong to recognised holes; their fillets are not bores.
    """
    free = set(np.flatnonzero(graph.brep.face_kind == SurfaceKind.FREEFORM).tolist()) - taken
    mouths = [m for loop in _inner_loops(graph) for m in _mouth(graph, loop, free)]
    found: dict[tuple[int, ...], _Mouth] = {}
    for mouth in mouths:
        walls = _walls(graph, mouth.walls, free)
        best = found.get(walls)
        if best is None or _rank(graph, mouth) < _rank(graph, best):
            found[walls] = mouth
    return tuple(_feature(found[walls], walls) for walls in sorted(found))


def _feature(mouth: _Mouth, walls: tuple[int, ...]) -> Feature:
    return Feature(KIND, walls, mouth.at_mm, mouth.direction, dict.fromkeys(HOLE_FACTS))


def _rank(graph: FaceGraph, mouth: _Mouth) -> tuple[float, Triple]:
    """The mouth in the larger face is the entry."""
    area = float(graph.brep.face_area_mm2[graph.brep.loop_face[mouth.loop]])
    return -round(area, 6), mouth.at_mm


def _inner_loops(graph: FaceGraph) -> Iterator[int]:
    for loops in graph.loops:
        yield from loops[1:]


def _mouth(graph: FaceGraph, loop: int, free: set[int]) -> list[_Mouth]:
    links = graph.across_loop(loop)
    walls = frozenset(link.face for link in links)
    mine = walls & free
    sharp = all(link.convexity in (Convexity.CONVEX, Convexity.UNKNOWN) for link in links)
    if not mine or not sharp or len(walls) > MOST_WALLS:
        return []
    points = graph.brep.loop_points_mm(loop)
    normal, roundness = _roundness(points)
    if roundness < ROUND:
        return []
    face = int(graph.brep.loop_face[loop])
    inward = normal if normal @ _outward(graph.brep, face) < 0 else -normal
    return [_Mouth(loop, mine, _triple(points.mean(axis=0)), _triple(inward))]


def _outward(brep: Brep, face: int) -> FloatArray:
    """A normal of the face; its axis where that is not one, good enough to tell two sides."""
    normal: FloatArray = brep.face_axis[face]
    return normal


def _roundness(points_mm: FloatArray) -> tuple[FloatArray, float]:
    """The unit normal of a closed outline and its isoperimetric quotient."""
    arms = points_mm - points_mm.mean(axis=0)
    area = np.cross(arms, np.roll(arms, -1, axis=0)).sum(axis=0) / 2
    size = float(np.linalg.norm(area))
    length = float(np.linalg.norm(np.roll(arms, -1, axis=0) - arms, axis=1).sum())
    if size <= 0.0 or length <= 0.0:
        return np.zeros(3), 0.0
    return area / size, 4 * math.pi * size / length**2


def _walls(graph: FaceGraph, seeds: frozenset[int], free: set[int]) -> tuple[int, ...]:
    """The free forms that hang together with the mouth's, within a hole's few faces."""
    within = set(seeds)
    for face in sorted(seeds):
        within |= set(graph.neighbours(face)) & free
    groups = [group for group in graph.connected(within) if seeds & set(group)]
    return tuple(sorted({face for group in groups for face in group}))


def _triple(vector: FloatArray) -> Triple:
    x, y, z = vector.tolist()
    return x, y, z
