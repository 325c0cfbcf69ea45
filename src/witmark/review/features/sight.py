"""Whether a ray meets the part.

Exact on planes and on cylinders between their ends; a face of another kind counts as the flat
patch that its outline spans. Nothing here depends on how the part lies: no boxes decide.
"""

import math

import numpy as np
import shapely

from witmark.review.brep import FloatArray, SurfaceKind
from witmark.review.features.graph import FaceGraph

_AHEAD_MM = 1e-6
_SLANT = 1e-9
_SLACK_MM = 1e-3
_NEAR_MM = 1.0  # boxes only sort out what is far away


def sees_material(
    graph: FaceGraph, start_mm: FloatArray, ray: FloatArray, *, body: int, without: set[int]
) -> bool:
    """Whether a ray meets any face of a body but those it is told to look through."""
    box = graph.brep.face_box_mm
    slow = np.where(np.abs(ray) < _SLANT, _SLANT, ray)
    low, high = box[:, :3] - _NEAR_MM - start_mm, box[:, 3:] + _NEAR_MM - start_mm
    enter = np.minimum(low / slow, high / slow).max(axis=1)
    leave = np.maximum(low / slow, high / slow).min(axis=1)
    near = (leave >= enter) & (leave > 0) & (graph.brep.face_body == body)
    near[sorted(without)] = False
    return any(_meets(graph, face, start_mm, ray) for face in np.flatnonzero(near).tolist())


def _meets(graph: FaceGraph, face: int, start_mm: FloatArray, ray: FloatArray) -> bool:
    brep, kind = graph.brep, graph.brep.face_kind[face]
    if kind == SurfaceKind.CYLINDER:
        return _meets_cylinder(graph, face, start_mm, ray)
    if kind == SurfaceKind.PLANE:
        return _meets_patch(graph, face, start_mm, ray, brep.face_axis[face])
    return _meets_patch(graph, face, start_mm, ray, _area(_outline(graph, face)))


def _meets_patch(
    graph: FaceGraph, face: int, start_mm: FloatArray, ray: FloatArray, normal: FloatArray
) -> bool:
    slant = float(normal @ ray)
    outline = _outline(graph, face)
    if abs(slant) < _SLANT or len(outline) < 3:
        return False
    way = float(normal @ (outline.mean(axis=0) - start_mm)) / slant
    return way > _AHEAD_MM and _holds(graph, face, start_mm + way * ray, normal)


def _holds(graph: FaceGraph, face: int, point_mm: FloatArray, normal: FloatArray) -> bool:
    """Whether a point lies within the face's loops, seen along a normal."""
    keep = [i for i in range(3) if i != int(np.argmax(np.abs(normal)))]
    rings = [graph.brep.loop_points_mm(loop)[:, keep] for loop in graph.loops[face]]
    inside = [
        bool(shapely.contains_xy(shapely.Polygon(ring), *point_mm[keep]))
        for ring in rings
        if len(ring) >= 3
    ]
    return sum(inside) % 2 == 1


def _outline(graph: FaceGraph, face: int) -> FloatArray:
    loops = graph.loops[face]
    return graph.brep.loop_points_mm(loops[0]) if loops else np.zeros((0, 3))


def _area(ring: FloatArray) -> FloatArray:
    """The area vector of a closed outline."""
    area: FloatArray = np.cross(ring, np.roll(ring, -1, axis=0)).sum(axis=0) / 2
    return area


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
    return any(w > _AHEAD_MM and _on_wall(graph, face, arm + w * ray) for w in ways)


def _on_wall(graph: FaceGraph, face: int, arm: FloatArray) -> bool:
    """Whether a point of a cylinder, seen from its origin, lies on the face's piece of it."""
    brep = graph.brep
    axis, outline = brep.face_axis[face], _outline(graph, face) - brep.face_origin_mm[face]
    low, high = brep.face_along_mm[face]
    if not low - _SLACK_MM <= float(arm @ axis) <= high + _SLACK_MM:
        return False
    here = arm - (arm @ axis) * axis
    side = np.cross(axis, here)
    angles = np.sort(np.arctan2(outline @ side, outline @ here) % (2 * math.pi))
    around = 2 * math.pi - float(angles[-1] - angles[0])  # between the outline's points here
    is_whole = float(brep.face_sweep_rad[face]) >= 2 * math.pi - _SLACK_MM
    return is_whole or around < float(np.diff(angles).max(initial=0.0))
