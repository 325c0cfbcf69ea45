"""Chamfers: slanted flats or cones that break a convex edge between two faces.

What tells a chamfer from a side of the part is not its size but its direction: the part has
more area square to the faces that the chamfer joins than square to the chamfer itself.
"""

import math
from collections.abc import Collection, Iterable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from witmark.review.brep import Brep, Convexity, FloatArray
from witmark.review.features.feature import Feature
from witmark.review.features.fillets import place_of
from witmark.review.features.graph import FaceGraph, Link
from witmark.review.features.kinds import CONE, PLANE, ShapeKind

CONCAVE, CONVEX = Convexity.CONCAVE, Convexity.CONVEX
LEAST_FOLD_RAD, MOST_FOLD_RAD = math.radians(8), math.radians(82)
MOST_TOTAL_FOLD_RAD = math.radians(150)
MOST_SHARE_OF_SUPPORT = 0.75
"""Area that looks the chamfer's way over area that looks either support's way."""
MOST_WIDTH_TO_LENGTH = 3.0
PARALLEL = 0.999


class Cut(NamedTuple):
    """What breaks the edge: how wide, and how far it folds from either face."""

    face: int
    width_mm: float
    folds_rad: tuple[float, float]


def find_chamfers(graph: FaceGraph, free: Iterable[int]) -> tuple[Feature, ...]:
    """Chamfers among ``free``, one feature a face, in face order."""
    weight = _directional_area(graph.brep)
    found = ((f, _cut(graph, f, weight)) for f in sorted(free))
    cuts = {face: cut for face, cut in found if cut is not None}
    while crowded := [f for f in cuts if not _stands_alone(graph, f, cuts)]:
        for face in crowded:
            del cuts[face]
    return tuple(_feature(graph.brep, cut) for cut in cuts.values())


def _stands_alone(graph: FaceGraph, face: int, cuts: Collection[int]) -> bool:
    """Whether nothing rises from it but other chamfers, at inside corners of an outline."""
    return all(j in cuts for j in graph.neighbours(face, CONCAVE))


def _directional_area(brep: Brep) -> FloatArray:
    """Per plane the area of all planes that look its way or the opposite; else its own."""
    weight = brep.face_area_mm2.copy()
    planes = np.flatnonzero(brep.face_kind == PLANE)
    alike = np.abs(brep.face_axis[planes] @ brep.face_axis[planes].T) > 1 - 1e-6
    weight[planes] = alike @ brep.face_area_mm2[planes]
    return weight


def _feature(brep: Brep, cut: Cut) -> Feature:
    low, high = sorted(cut.folds_rad)
    # The leg lies on the face the cut leans to least; the sine rule holds for any corner.
    leg = cut.width_mm * math.sin(high) / math.sin(min(low + high, math.pi - 1e-9))
    facts = {"chamfer.c": leg, "chamfer.angle": math.degrees(low)}
    return Feature(ShapeKind.CHAMFER, (cut.face,), place_of(brep, cut.face), None, facts)


def _cut(graph: FaceGraph, face: int, weight: FloatArray) -> Cut | None:
    brep = graph.brep
    kind = brep.face_kind[face]
    if kind not in (PLANE, CONE):
        return None
    links = [
        x
        for x in graph.across(face, CONVEX)
        if LEAST_FOLD_RAD < x.fold_rad < MOST_FOLD_RAD
        and weight[face] < MOST_SHARE_OF_SUPPORT * weight[x.face]
    ]
    cuts = [
        cut
        for one, other in combinations(links, 2)
        if one.face != other.face
        and _run_together(brep, face, one.edge, other.edge)
        and (cut := _between(brep, face, one, other)) is not None
    ]
    if not cuts and kind == CONE:
        cuts = _around_a_mouth(graph, face, links)
    return min(cuts, key=lambda cut: round(cut.width_mm, 6), default=None)


def _run_together(brep: Brep, face: int, one: int, other: int) -> bool:
    """Whether two edges bound a strip: parallel lines of a flat, coaxial circles of a cone."""
    a, b = brep.edge_axis[one], brep.edge_axis[other]
    if not abs(a @ b) >= PARALLEL:  # NaN too
        return False
    rounds = brep.edge_radius_mm[[one, other]] > 0
    return not rounds.any() if brep.face_kind[face] == PLANE else bool(rounds.all())


def _around_a_mouth(graph: FaceGraph, face: int, links: list[Link]) -> list[Cut]:
    """A cone that breaks the mouth of a recess with flat walls: a circle, then wavy edges."""
    brep, axis = graph.brep, graph.brep.face_axis[face]
    slant = float(np.ptp(brep.face_along_mm[face])) / math.cos(brep.face_half_angle_rad[face])
    return [
        Cut(face, slant, (x.fold_rad, math.pi / 2 - x.fold_rad))
        for x in links
        if brep.face_kind[x.face] == PLANE
        and abs(brep.face_axis[x.face] @ axis) > PARALLEL
        and brep.edge_radius_mm[x.edge] > 0
        and len(graph.neighbours(face)) > 1
    ]


def _between(brep: Brep, face: int, one: Link, other: Link) -> Cut | None:
    width = _width(brep, face, one.edge, other.edge)
    length = float(min(brep.edge_length_mm[[one.edge, other.edge]]))
    if width > MOST_WIDTH_TO_LENGTH * length or not _turns_between(brep, face, one, other):
        return None
    return Cut(face, width, (one.fold_rad, other.fold_rad))


def _width(brep: Brep, face: int, one: int, other: int) -> float:
    gap = brep.edge_origin_mm[other] - brep.edge_origin_mm[one]
    axis = brep.edge_axis[one]
    along = float(gap @ axis)
    if brep.face_kind[face] == CONE:
        return math.hypot(along, float(brep.edge_radius_mm[other] - brep.edge_radius_mm[one]))
    return float(np.linalg.norm(gap - along * axis))


def _turns_between(brep: Brep, face: int, one: Link, other: Link) -> bool:
    """Whether the cut's normal lies between its neighbours': both folds add up."""
    total = one.fold_rad + other.fold_rad
    planes = (brep.face_kind[[face, one.face, other.face]] == PLANE).all()
    if not planes:
        return total < MOST_TOTAL_FOLD_RAD
    cosine = float(np.clip(brep.face_axis[one.face] @ brep.face_axis[other.face], -1, 1))
    return abs(math.acos(cosine) - total) < math.radians(1) and total < MOST_TOTAL_FOLD_RAD
