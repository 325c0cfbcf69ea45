"""Neighbouring surfaces of one direction: flush with each other, or a low step apart.

Whether one is machined and the other as cast is no matter of geometry, so both roles stay
unknown. What can be measured is how far apart the two planes lie.
"""

from collections.abc import Iterator
from typing import NamedTuple

from witmark.review.brep import Convexity, SurfaceKind
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.graph import FaceGraph
from witmark.review.features.kinds import ShapeKind

LOW_STEP_MM = 3.0
LEAST_SHARE = 0.05  # of the part's whole surface: smaller outer planes surround nothing
CO_DIRECTIONAL = 1 - 1e-6
Pair = tuple[int, int]


class Beside(NamedTuple):
    """A plane beside a large outer one."""

    height_mm: float
    local: int
    between: tuple[int, ...]  # the wall of a step; empty when flush


def find_boundaries(graph: FaceGraph, base: frozenset[int]) -> tuple[Feature, ...]:
    """One record for every large outer plane beside which planes of its direction lie.

    The outer plane is base and at least ``LEAST_SHARE`` of the part's surface; its smaller
    neighbours are flush with it or less than ``LOW_STEP_MM`` away. The record names them all
    and keeps the least height.
    """
    least = LEAST_SHARE * float(graph.brep.face_area_mm2.sum())
    area = graph.brep.face_area_mm2
    beside: dict[int, list[Beside]] = {}
    for pair, height, between in (*_flush(graph), *_stepped(graph)):
        local, around = sorted(pair, key=lambda f: (round(float(area[f]), 6), f))
        if around in base and area[around] >= least:
            beside.setdefault(around, []).append(Beside(height, local, between))
    return tuple(_feature(graph, f, sorted(beside[f])) for f in sorted(beside))


def _feature(graph: FaceGraph, around: int, found: list[Beside]) -> Feature:
    brep, nearest = graph.brep, found[0]
    box = brep.face_box_mm[[nearest.local, *nearest.between]]
    x, y, z = ((box[:, :3].min(axis=0) + box[:, 3:].max(axis=0)) / 2).tolist()
    u, v, w = brep.face_axis[around].tolist()
    facts: dict[str, Fact] = {
        "surface.step_height": nearest.height_mm,
        "surface.coplanar_gap": 0.0,
        "surface.role_a": None,
        "surface.role_b": None,
    }
    faces = tuple(sorted({around, *(one.local for one in found)}))
    return Feature(ShapeKind.SURFACE_BOUNDARY, faces, (x, y, z), (u, v, w), facts)


def _planes(graph: FaceGraph) -> list[int]:
    kinds = graph.brep.face_kind
    return [f for f in range(graph.brep.faces) if kinds[f] == SurfaceKind.PLANE]


def _flush(graph: FaceGraph) -> Iterator[tuple[Pair, float, tuple[int, ...]]]:
    """Planes joined by a smooth edge."""
    brep = graph.brep
    for face in _planes(graph):
        for other in graph.neighbours(face, Convexity.SMOOTH):
            if face < other and brep.face_kind[other] == SurfaceKind.PLANE:
                yield (face, other), abs(_offset(graph, face, other)), ()


def _stepped(graph: FaceGraph) -> Iterator[tuple[Pair, float, tuple[int, ...]]]:
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
