"""Fillets: rounds that run smoothly into the faces on both sides.

A fillet is a part turn of a cylinder, a ring of a torus or a corner of a sphere. A half turn
(the end of an obround) is a wall, and so is an arc that joins rounds tighter than itself.
"""

import math
from collections.abc import Iterable, Mapping

import numpy as np

from witmark.review.brep import Brep, Convexity, FloatArray
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.graph import FaceGraph
from witmark.review.features.kinds import CYLINDER, PLANE, SPHERE, TORUS, ShapeKind

SMOOTH = Convexity.SMOOTH
MOST_SWEEP_RAD = math.radians(175)
SAME_RADIUS_MM = 0.01  # RULES.md: radii within this are one
ON_AXIS_MM = 1e-3
ALONG = 0.999  # cosine above which two directions are one


def radius_of(brep: Brep, face: int) -> float:
    """The radius a drawing would give the round; NaN when the face is no round."""
    kind = int(brep.face_kind[face])
    if kind == TORUS:
        return float(brep.face_minor_radius_mm[face])
    return float(brep.face_radius_mm[face]) if kind in (CYLINDER, SPHERE) else math.nan


def pieces_of(graph: FaceGraph, face: int) -> tuple[int, ...]:
    """The pieces of one round that a file has cut lengthwise: this cylinder and its kin."""
    brep = graph.brep
    found, todo = {face}, [face]
    while todo:
        one = todo.pop()
        for link in graph.across(one, SMOOTH):
            other = link.face
            if (
                other not in found
                and _is_kin(brep, one, other)
                and not _is_end(brep, one, link.edge)
            ):
                found.add(other)
                todo.append(other)
    return tuple(sorted(found))


def _is_kin(brep: Brep, one: int, other: int) -> bool:
    """Whether two cylinders have one side, radius and axis."""
    if brep.face_kind[other] != CYLINDER or brep.face_side[one] != brep.face_side[other]:
        return False
    if abs(brep.face_radius_mm[one] - brep.face_radius_mm[other]) > ON_AXIS_MM:
        return False
    axis = brep.face_axis[one]
    gap = brep.face_origin_mm[other] - brep.face_origin_mm[one]
    off = float(np.linalg.norm(gap - (gap @ axis) * axis))
    return bool(abs(axis @ brep.face_axis[other]) > ALONG and off < ON_AXIS_MM)


def fillet_faces(graph: FaceGraph, free: Iterable[int]) -> frozenset[int]:
    """Faces of ``free`` that are fillets, internal and external."""
    return frozenset(face for face in free if _is_fillet(graph, face))


def make_fillets(
    graph: FaceGraph, faces: frozenset[int], tops: FloatArray
) -> tuple[Feature, ...]:
    """One feature per run of fillets of one radius and one side that flow into each other.

    ``tops`` (k, 3) are the part's main milling directions.
    """
    return tuple(
        _feature(graph, run, tops)
        for group in graph.connected(faces, Convexity.SMOOTH)
        for run in _same_radius_runs(graph, group)
    )


def _is_fillet(graph: FaceGraph, face: int) -> bool:
    brep = graph.brep
    kind = int(brep.face_kind[face])
    if kind not in (CYLINDER, SPHERE, TORUS) or brep.face_side[face] == 0:
        return False
    smooth = list(graph.across(face, SMOOTH))
    if kind == CYLINDER:
        pieces = pieces_of(graph, face)
        if sum(float(brep.face_sweep_rad[f]) for f in pieces) > MOST_SWEEP_RAD:
            return False
        smooth = [x for x in smooth if not _is_end(brep, face, x.edge)]
    if len({x.edge for x in smooth}) < 2:
        return False
    return not any(_is_tighter(brep, x.face, face) for x in smooth)


def _is_end(brep: Brep, face: int, edge: int) -> bool:
    """Whether an edge closes off a cylinder strip instead of running along it."""
    along = brep.edge_axis[edge]
    if np.isnan(along).any() or brep.edge_radius_mm[edge] > 0:
        return True
    return bool(abs(along @ brep.face_axis[face]) < 0.5)


def _is_tighter(brep: Brep, other: int, face: int) -> bool:
    """Whether a parallel cylinder beside this one has a clearly smaller radius."""
    both_cylinders = brep.face_kind[face] == brep.face_kind[other] == CYLINDER
    if not both_cylinders or abs(brep.face_axis[face] @ brep.face_axis[other]) < ALONG:
        return False
    return bool(brep.face_radius_mm[other] < brep.face_radius_mm[face] - SAME_RADIUS_MM)


def _same_radius_runs(graph: FaceGraph, group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Split a smooth group where the side changes or the radius jumps."""
    brep, alike = graph.brep, list[list[int]]()
    sized = sorted((int(brep.face_side[f]), radius_of(brep, f), f) for f in group)
    last = (0, math.nan)
    for side, radius, face in sized:
        if side != last[0] or radius - last[1] > SAME_RADIUS_MM:
            alike.append([])
        alike[-1].append(face)
        last = (side, radius)
    return [run for faces in alike for run in graph.connected(faces, SMOOTH)]


def _feature(graph: FaceGraph, run: tuple[int, ...], tops: FloatArray) -> Feature:
    brep = graph.brep
    external = bool(brep.face_side[run[0]] > 0)
    facts: Mapping[str, Fact] = {
        "fillet.r": float(np.mean([radius_of(brep, f) for f in run])),
        "fillet.side": "external" if external else "internal",
        "fillet.on_top_edge": external and any(_on_top_edge(graph, f, tops) for f in run),
    }
    biggest = max(run, key=lambda f: (round(float(brep.face_area_mm2[f]), 6), -f))
    return Feature(ShapeKind.FILLET, run, place_of(brep, biggest), None, facts)


def _on_top_edge(graph: FaceGraph, face: int, tops: FloatArray) -> bool:
    """Whether the round blends a plane that faces a main direction with something upright."""
    brep = graph.brep
    planes = [
        brep.face_axis[j]
        for j in graph.neighbours(face, Convexity.SMOOTH)
        if brep.face_kind[j] == PLANE
    ]
    if not planes or not len(tops):
        return False
    return bool((np.array(planes) @ tops.T > ALONG).any())


def place_of(brep: Brep, face: int) -> tuple[float, float, float]:
    """A point that stands for a face: the middle of its box."""
    box = brep.face_box_mm[face]
    x, y, z = ((box[:3] + box[3:]) / 2).tolist()
    return (x, y, z)
