"""Whether a ray meets the part: exact on planes and cylinders, by their boxes elsewhere."""

import math

import numpy as np
import shapely
from numpy.typing import NDArray

from witmark.review.brep import FloatArray, SurfaceKind
from witmark.review.features.graph import FaceGraph

_AHEAD_MM = 1e-6
_SLANT = 1e-9


def sees_material(
    graph: FaceGraph, start_mm: FloatArray, ray: FloatArray, *, body: int, without: set[int]
) -> bool:
    """Whether a ray meets any face of a body but those it is told to look through."""
    near = _boxes_on_the_way(graph, start_mm, ray) & (graph.brep.face_body == body)
    near[sorted(without)] = False
    return any(_meets(graph, face, start_mm, ray) for face in np.flatnonzero(near).tolist())


def _boxes_on_the_way(
    graph: FaceGraph, start_mm: FloatArray, ray: FloatArray
) -> NDArray[np.bool_]:
    box = graph.brep.face_box_mm
    slow = np.where(np.abs(ray) < _SLANT, _SLANT, ray)
    low, high = (box[:, :3] - start_mm) / slow, (box[:, 3:] - start_mm) / slow
    enter, leave = np.minimum(low, high).max(axis=1), np.maximum(low, high).min(axis=1)
    met: NDArray[np.bool_] = (leave >= enter) & (leave > _AHEAD_MM)
    return met


def _meets(graph: FaceGraph, face: int, start_mm: FloatArray, ray: FloatArray) -> bool:
    kind = graph.brep.face_kind[face]
    if kind == SurfaceKind.PLANE:
        return _meets_plane(graph, face, start_mm, ray)
    if kind == SurfaceKind.CYLINDER:
        return _meets_cylinder(graph, face, start_mm, ray)
    return True


def _meets_plane(graph: FaceGraph, face: int, start_mm: FloatArray, ray: FloatArray) -> bool:
    brep = graph.brep
    normal = brep.face_axis[face]
    slant = float(normal @ ray)
    if abs(slant) < _SLANT:
        return False
    way = float(normal @ (brep.face_origin_mm[face] - start_mm)) / slant
    return way > _AHEAD_MM and _holds(graph, face, start_mm + way * ray)


def _holds(graph: FaceGraph, face: int, point_mm: FloatArray) -> bool:
    """Whether a point of a plane lies within the face."""
    brep = graph.brep
    keep = [i for i in range(3) if i != int(np.argmax(np.abs(brep.face_axis[face])))]
    rings = [brep.loop_points_mm(loop)[:, keep] for loop in graph.loops[face]]
    rings = [ring for ring in rings if len(ring) >= 3]
    inside = [shapely.contains_xy(shapely.Polygon(ring), *point_mm[keep]) for ring in rings]
    return bool(inside) and sum(map(bool, inside)) % 2 == 1


def _meets_cylinder(graph: FaceGraph, face: int, start_mm: FloatArray, ray: FloatArray) -> bool:
    brep = graph.brep
    axis, arm = brep.face_axis[face], start_mm - brep.face_origin_mm[face]
    flat, arm_flat = ray - (ray @ axis) * axis, arm - (arm @ axis) * axis
    a, b = float(flat @ flat), float(flat @ arm_flat)
    c = float(arm_flat @ arm_flat) - float(brep.face_radius_mm[face]) ** 2
    root = b * b - a * c
    if a < _SLANT or root < 0:
        return False
    ways = [(-b + sign * math.sqrt(root)) / a for sign in (-1, 1)]
    return any(w > _AHEAD_MM and _in_box(graph, face, start_mm + w * ray) for w in ways)


def _in_box(graph: FaceGraph, face: int, point_mm: FloatArray) -> bool:
    box, slack = graph.brep.face_box_mm[face], 1e-3
    return bool((point_mm >= box[:3] - slack).all() and (point_mm <= box[3:] + slack).all())
