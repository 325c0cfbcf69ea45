"""Chamfers: narrow flats or cones that break a convex edge between two faces."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from witmark.review.brep import Brep, Convexity, SurfaceKind
from witmark.review.features.feature import Feature
from witmark.review.features.fillets import place_of
from witmark.review.features.graph import FaceGraph, Link
from witmark.review.features.kinds import ShapeKind

LEAST_FOLD_RAD = math.radians(8)
MOST_SHARE_OF_SUPPORT = 0.5
"""A chamfer is small beside the faces it joins; a flat that is not is a slope, not an edge."""
PARALLEL = 0.999


class Cut(NamedTuple):
    """What breaks the edge: how wide, and how far it folds from either face."""

    face: int
    width_mm: float
    folds_rad: tuple[float, float]


def find_chamfers(graph: FaceGraph, free: Iterable[int]) -> tuple[Feature, ...]:
    """Chamfers among ``free``, one feature a face, in face order."""
    cuts = [cut for face in sorted(free) if (cut := _cut(graph, face)) is not None]
    return tuple(_feature(graph.brep, cut) for cut in cuts)


def _feature(brep: Brep, cut: Cut) -> Feature:
    low, high = sorted(cut.folds_rad)
    # The leg lies on the face the cut leans to least; the sine rule holds for any corner.
    leg = cut.width_mm * math.sin(high) / math.sin(min(low + high, math.pi - 1e-9))
    facts = {"chamfer.c": leg, "chamfer.angle": math.degrees(low)}
    return Feature(ShapeKind.CHAMFER, (cut.face,), place_of(brep, cut.face), None, facts)


def _cut(graph: FaceGraph, face: int) -> Cut | None:
    kind = graph.brep.face_kind[face]
    if kind not in (SurfaceKind.PLANE, SurfaceKind.CONE):
        return None
    if graph.neighbours(face, Convexity.CONCAVE):
        return None
    convex = [x for x in graph.across(face, Convexity.CONVEX) if x.fold_rad > LEAST_FOLD_RAD]
    best = None
    for pair in _pairs(graph.brep, face, convex):
        cut = _between(graph.brep, face, *pair)
        if cut and (best is None or cut.width_mm < best.width_mm - 1e-9):
            best = cut
    return best


def _pairs(brep: Brep, face: int, links: list[Link]) -> list[tuple[Link, Link]]:
    """Pairs of opposite long edges: parallel lines of a flat, coaxial circles of a cone."""
    found = []
    for k, one in enumerate(links):
        for other in links[k + 1 :]:
            if one.face != other.face and _run_together(brep, face, one.edge, other.edge):
                found.append((one, other))
    return found


def _run_together(brep: Brep, face: int, one: int, other: int) -> bool:
    a, b = brep.edge_axis[one], brep.edge_axis[other]
    if np.isnan(a).any() or np.isnan(b).any() or abs(a @ b) < PARALLEL:
        return False
    rounds = brep.edge_radius_mm[[one, other]]
    return bool(np.isnan(rounds).all() if brep.face_kind[face] == SurfaceKind.PLANE else (rounds > 0).all())


def _between(brep: Brep, face: int, one: Link, other: Link) -> Cut | None:
    width = _width(brep, face, one.edge, other.edge)
    length = float(min(brep.edge_length_mm[[one.edge, other.edge]]))
    support = float(min(brep.face_area_mm2[[one.face, other.face]]))
    small = brep.face_area_mm2[face] < MOST_SHARE_OF_SUPPORT * support
    if width > length * 1.001 or not small or not _turns_between(brep, face, one, other):
        return None
    return Cut(face, width, (one.fold_rad, other.fold_rad))


def _width(brep: Brep, face: int, one: int, other: int) -> float:
    gap = brep.edge_origin_mm[other] - brep.edge_origin_mm[one]
    axis = brep.edge_axis[one]
    along = float(gap @ axis)
    if brep.face_kind[face] == SurfaceKind.CONE:
        return math.hypot(along, float(brep.edge_radius_mm[other] - brep.edge_radius_mm[one]))
    return float(np.linalg.norm(gap - along * axis))


def _turns_between(brep: Brep, face: int, one: Link, other: Link) -> bool:
    """Whether the cut's normal lies between its neighbours': both folds add up."""
    total = one.fold_rad + other.fold_rad
    if brep.face_kind[face] == SurfaceKind.CONE:
        return total < math.radians(150)
    kinds = brep.face_kind[[one.face, other.face]]
    if (kinds != SurfaceKind.PLANE).any():
        return total < math.radians(150)
    cosine = float(np.clip(brep.face_axis[one.face] @ brep.face_axis[other.face], -1, 1))
    return abs(math.acos(cosine) - total) < math.radians(1) and total < math.radians(150)
