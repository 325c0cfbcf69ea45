"""Which faces are the outside of a part: its envelope, and the lands left standing below it.

A face is on the envelope when no material of its body lies beyond it: the body's convex hull
touches it all over. Recesses are never on the envelope, so what remains after it has gone is
what a tool has cut, or what stands up.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from witmark.review.brep import Brep, Convexity, FloatArray, IntArray
from witmark.review.features.graph import FaceGraph
from witmark.review.features.kinds import CONE, CYLINDER, PLANE, SPHERE, TORUS

REACH_MM = 1e-3
"""How far material may stand beyond a face that still counts as the envelope. Larger than a
STEP file's own noise, smaller than any step a tool would be told to cut."""

SAMPLES_PER_FACE = 24


@dataclass(frozen=True, slots=True)
class Border:
    """Points on the borders of faces, with the outward surface normal there (NaN: unknown)."""

    face: IntArray  # (k,) sorted
    point_mm: FloatArray  # (k, 3)
    normal: FloatArray  # (k, 3)


def envelope(brep: Brep, border: Border) -> frozenset[int]:
    """Faces that the convex hull of their body touches all over."""
    border = _thinned(brep, border)
    inside = np.ones(len(border.face), dtype=bool)
    for body in range(len(brep.body_kind)):
        mine = np.flatnonzero(brep.face_body[border.face] == body)
        corners = _hull_points(_edge_points_of(brep, body))
        # Most faces lie well inside: a few far corners tell, and spare them the whole hull.
        for some in (corners[_farthest(corners)], corners):
            inside[mine] &= _reach(border, mine, some) <= REACH_MM
            lost = np.unique(border.face[mine[~inside[mine]]])
            mine = mine[~np.isin(border.face[mine], lost)]
    seen = np.bincount(border.face, minlength=brep.faces)
    missed = np.bincount(border.face[~inside], minlength=brep.faces)
    return frozenset(np.flatnonzero((seen > 0) & (missed == 0)).tolist())


def lands(graph: FaceGraph, free: frozenset[int]) -> frozenset[int]:
    """Faces of ``free`` from which nothing rises: planes and outer rounds, no concave edge."""
    brep = graph.brep
    return frozenset(
        face
        for face in sorted(free)
        if (brep.face_kind[face] == PLANE or brep.face_side[face] > 0)
        and not graph.neighbours(face, Convexity.CONCAVE)
        and graph.neighbours(face)
    )


def border_points(brep: Brep) -> Border:
    """Every edge point, once per face it borders, with that face's outward normal."""
    counts = np.diff(brep.edge_point_start)
    edge_of_point = np.repeat(np.arange(brep.edges), counts)
    faces = brep.edge_faces[edge_of_point]
    twice = faces[:, 0] == faces[:, 1]
    face = np.concatenate([faces[:, 0], np.where(twice, -1, faces[:, 1])])
    point = np.concatenate([brep.edge_point_mm, brep.edge_point_mm])
    order = np.flatnonzero(face >= 0)
    order = order[np.argsort(face[order], kind="stable")]
    return Border(face[order], point[order], normals_at(brep, face[order], point[order]))


def normals_at(brep: Brep, face: IntArray, point_mm: FloatArray) -> FloatArray:
    """Outward unit normals of faces at points on them, (k, 3); NaN on freeform faces."""
    kind = brep.face_kind[face]
    axis = brep.face_axis[face]
    arm = point_mm - brep.face_origin_mm[face]
    radial = _unit(arm - np.sum(arm * axis, axis=1, keepdims=True) * axis)
    side = brep.face_side[face][:, None]
    half = brep.face_half_angle_rad[face][:, None]
    ring = arm - radial * brep.face_radius_mm[face][:, None]
    tables = {
        PLANE: axis,
        CYLINDER: radial * side,
        CONE: (radial * np.cos(half) - axis * np.sin(half)) * side,
        SPHERE: _unit(arm) * side,
        TORUS: _unit(ring) * side,
    }
    normal = np.full(point_mm.shape, np.nan)
    for which, values in tables.items():
        normal[kind == which] = values[kind == which]
    return normal


def _unit(vectors: FloatArray) -> FloatArray:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: FloatArray = vectors / np.where(length > 0, length, np.nan)
    return unit


def _thinned(brep: Brep, border: Border) -> Border:
    """One point of a plane, about ``SAMPLES_PER_FACE`` along the border of other faces."""
    counts = np.bincount(border.face, minlength=brep.faces)
    flat = brep.face_kind == PLANE
    stride = np.where(flat, np.maximum(counts, 1), np.maximum(1, counts // SAMPLES_PER_FACE))
    first = np.cumsum(counts) - counts
    keep = (np.arange(len(border.face)) - first[border.face]) % stride[border.face] == 0
    return Border(border.face[keep], border.point_mm[keep], border.normal[keep])


def _edge_points_of(brep: Brep, body: int) -> FloatArray:
    some_face = brep.edge_faces.max(axis=1, initial=-1)
    mine = np.zeros(brep.edges, dtype=bool)
    bound = some_face >= 0
    mine[bound] = brep.face_body[some_face[bound]] == body
    points: FloatArray = brep.edge_point_mm[np.repeat(mine, np.diff(brep.edge_point_start))]
    return points


def _hull_points(points: FloatArray) -> FloatArray:
    """The corners of the convex hull; all points when they span no volume."""
    try:
        corners = np.sort(ConvexHull(points).vertices)
    except (QhullError, ValueError):
        return points
    kept: FloatArray = points[corners]
    return kept


def _farthest(points: FloatArray) -> IntArray:
    """The points that lie farthest along each axis and each diagonal of space."""
    if not len(points):
        return np.zeros(0, dtype=np.int64)
    steps = np.array([(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)])
    return np.unique(np.argmax(points @ steps.T, axis=0))


def _reach(border: Border, which: IntArray, corners: FloatArray) -> FloatArray:
    """How far the corners reach beyond border points along their normals; inf if unknown."""
    if not len(corners) or not len(which):
        return np.zeros(len(which))
    normal = border.normal[which]
    level = np.einsum("ij,ij->i", normal, border.point_mm[which])
    reach: FloatArray = (normal @ corners.T).max(axis=1) - level
    return np.where(np.isnan(reach), np.inf, reach)
