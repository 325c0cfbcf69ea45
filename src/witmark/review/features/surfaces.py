"""Neighbouring surfaces of one direction: flush with each other, or a low step apart.

Whether one is machined and the other as cast is no matter of geometry, so both roles stay
unknown. What can be measured is how far apart the two planes lie.
"""

from collections.abc import Iterator

from witmark.review.brep import Convexity, SurfaceKind
from witmark.review.features.feature import Feature
from witmark.review.features.graph import FaceGraph
from witmark.review.features.kinds import ShapeKind

LOW_STEP_MM = 3.0
CO_DIRECTIONAL = 1 - 1e-6


def find_boundaries(graph: FaceGraph) -> tuple[Feature, ...]:
    """Every pair of co-directional planes that meet smoothly or over a low wall, once."""
    pairs: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
    for pair, height, between in sorted((*_flush(graph), *_stepped(graph))):
        pairs.setdefault(pair, (height, between))
    return tuple(_feature(graph, pair, *pairs[pair]) for pair in sorted(pairs))


def _feature(
    graph: FaceGraph, pair: tuple[int, int], height: float, between: tuple[int, ...]
) -> Feature:
    brep = graph.brep
    box = brep.face_box_mm[list(between) if between else list(pair)]
    x, y, z = ((box[:, :3].min(axis=0) + box[:, 3:].max(axis=0)) / 2).tolist()
    u, v, w = brep.face_axis[pair[0]].tolist()
    facts = {
        "surface.step_height": height,
        "surface.coplanar_gap": 0.0,
        "surface.role_a": None,
        "surface.role_b": None,
    }
    return Feature(ShapeKind.SURFACE_BOUNDARY, pair, (x, y, z), (u, v, w), facts)


def _planes(graph: FaceGraph) -> list[int]:
    kinds = graph.brep.face_kind
    return [f for f in range(graph.brep.faces) if kinds[f] == SurfaceKind.PLANE]


def _flush(graph: FaceGraph) -> Iterator[tuple[tuple[int, int], float, tuple[int, ...]]]:
    """Planes joined by a smooth edge."""
    brep = graph.brep
    for face in _planes(graph):
        for other in graph.neighbours(face, Convexity.SMOOTH):
            if face < other and brep.face_kind[other] == SurfaceKind.PLANE:
                yield (face, other), abs(_offset(graph, face, other)), ()


def _stepped(graph: FaceGraph) -> Iterator[tuple[tuple[int, int], float, tuple[int, ...]]]:
    """Planes with one upright wall between them, convex above and concave below."""
    brep = graph.brep
    for low in _planes(graph):
        for wall in graph.neighbours(low, Convexity.CONCAVE):
            if (
                brep.face_kind[wall] == SurfaceKind.PLANE
                and abs(brep.face_axis[wall] @ brep.face_axis[low]) > 0.01
            ):
                continue
            for high in graph.neighbours(wall, Convexity.CONVEX):
                if high == low or brep.face_kind[high] != SurfaceKind.PLANE:
                    continue
                height = _offset(graph, low, high)
                if 0 < height < LOW_STEP_MM:
                    yield (min(low, high), max(low, high)), height, (wall,)


def _offset(graph: FaceGraph, face: int, other: int) -> float:
    """How far ``other`` lies above ``face``; NaN when they do not look one way."""
    brep = graph.brep
    normal = brep.face_axis[face]
    if normal @ brep.face_axis[other] < CO_DIRECTIONAL:
        return float("nan")
    return float((brep.face_origin_mm[other] - brep.face_origin_mm[face]) @ normal)
