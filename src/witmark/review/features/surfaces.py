"""Neighbouring surfaces of one direction: flush with each other, or a low step apart.

Whether one is machined and the other as cast is no matter of geometry, so both roles stay
unknown. What can be measured is how far apart the two planes lie.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from witmark.review.brep import Brep, Convexity
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.graph import FaceGraph
from witmark.review.features.kinds import PLANE, ShapeKind

LOW_STEP_MM = 3.0
LEAST_SHARE = 0.05  # of the part's whole surface: smaller outer planes surround nothing
CO_DIRECTIONAL = 1 - 1e-6


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
    brep = graph.brep
    least = LEAST_SHARE * float(brep.face_area_mm2.sum())
    large = np.flatnonzero((brep.face_kind == PLANE) & (brep.face_area_mm2 >= least))
    found = []
    for around in large.tolist():
        beside = [*_flush(graph, around), *_stepped(graph, around)] if around in base else []
        smaller = [b for b in beside if _is_smaller(graph.brep, b.local, around)]
        if smaller:
            found.append(_feature(graph, around, sorted(smaller)))
    return tuple(found)


def _is_smaller(brep: Brep, local: int, around: int) -> bool:
    gap = round(float(brep.face_area_mm2[around] - brep.face_area_mm2[local]), 6)
    return gap > 0 or (gap == 0 and around < local)


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


def _flush(graph: FaceGraph, face: int) -> Iterator[Beside]:
    """Planes joined to this one by a smooth edge: where they meet there is no height."""
    for other in graph.neighbours(face, Convexity.SMOOTH):
        if graph.brep.face_kind[other] == PLANE:
            yield Beside(0.0, other, ())


def _stepped(graph: FaceGraph, face: int) -> Iterator[Beside]:
    """Planes beyond one upright wall, higher or lower by less than ``LOW_STEP_MM``."""
    down, up = Convexity.CONVEX, Convexity.CONCAVE
    for first, second in ((down, up), (up, down)):
        for wall in graph.neighbours(face, first):
            if not _is_upright(graph.brep, wall, face):
                continue
            for other in graph.neighbours(wall, second):
                if other == face or graph.brep.face_kind[other] != PLANE:
                    continue
                height = abs(_offset(graph, face, other))
                if 0 < round(height, 6) < LOW_STEP_MM:
                    yield Beside(height, other, (wall,))


def _is_upright(brep: Brep, wall: int, face: int) -> bool:
    square = abs(brep.face_axis[wall] @ brep.face_axis[face]) < 0.01
    return bool(brep.face_kind[wall] != PLANE or square)


def _offset(graph: FaceGraph, face: int, other: int) -> float:
    """How far ``other`` lies above ``face``; NaN when they do not look one way."""
    brep = graph.brep
    normal = brep.face_axis[face]
    if normal @ brep.face_axis[other] < CO_DIRECTIONAL:
        return float("nan")
    return float((brep.face_origin_mm[other] - brep.face_origin_mm[face]) @ normal)
