"""Boundaries of plane faces that cross or stray: OCCT passes them, so we look ourselves."""

from collections.abc import Iterator

import numpy as np
import shapely

from witmark.adapters.occt.extents import across
from witmark.review.brep import Brep, FloatArray, SurfaceKind

STRAY_WITHIN_MM = 0.05
"""A boundary that strays by less than this along its length strays by our own chords."""


def crossing_faces(brep: Brep) -> set[int]:
    """Plane faces whose loops cross themselves, each other, or lie outside the outer one."""
    loops = [i for i in range(len(brep.loop_face)) if _is_plane(brep, i)]
    runs = {i: run for i in loops if len(run := _flat_points(brep, i)) > 2}
    if not runs:
        return set()
    index = np.repeat(np.arange(len(runs)), [len(run) for run in runs.values()])
    rings = shapely.linearrings(np.concatenate(list(runs.values())), indices=index)
    simple = shapely.is_simple(rings)
    shapes = dict(zip(runs, shapely.polygons(rings), strict=True))
    bad = {loop for loop, ok in zip(runs, simple, strict=True) if not ok}
    found = {int(brep.loop_face[i]) for i in bad if _crosses_itself(shapes[i])}
    return found | {face for face, mine in _faces_with_holes(brep, shapes) if _strays(mine)}


def _is_plane(brep: Brep, loop: int) -> bool:
    return bool(brep.face_kind[brep.loop_face[loop]] == SurfaceKind.PLANE)


def _flat_points(brep: Brep, loop: int) -> FloatArray:
    """A loop in the coordinates of its plane."""
    face = brep.loop_face[loop]
    axis = brep.face_axis[face]
    x = across(axis[None, :])[0]
    arm = brep.loop_points_mm(loop) - brep.face_origin_mm[face]
    return np.stack([arm @ x, arm @ np.cross(axis, x)], axis=1)


def _crosses_itself(shape: shapely.Polygon) -> bool:
    """Whether the loops of an eight hold an area worth speaking of."""
    x, y = np.asarray(shape.exterior.coords).T
    signed = abs(float(x[:-1] @ y[1:] - x[1:] @ y[:-1])) / 2
    return abs(shapely.make_valid(shape).area - signed) > STRAY_WITHIN_MM * shape.length


def _faces_with_holes(
    brep: Brep, shapes: dict[int, shapely.Polygon]
) -> Iterator[tuple[int, list[shapely.Polygon]]]:
    """Faces with more than one loop, the outer loop first."""
    faces, count = np.unique(brep.loop_face, return_counts=True)
    several = set(faces[count > 1].tolist())
    mine: dict[int, list[int]] = {}
    for loop in shapes:
        if (face := int(brep.loop_face[loop])) in several:
            mine.setdefault(face, []).append(loop)
    for face, loops in mine.items():
        ordered = sorted(loops, key=lambda i: not brep.loop_outer[i])
        if brep.loop_outer[ordered[0]]:
            yield face, [shapes[i] for i in ordered]


def _strays(shapes: list[shapely.Polygon]) -> bool:
    """Whether a hole leaves the outer loop, or two holes overlap."""
    outer, *holes = shapes
    shapely.prepare(outer)
    for hole in holes:
        if not outer.contains_properly(hole):
            outside = shapely.difference(shapely.make_valid(hole), shapely.make_valid(outer))
            if outside.area > STRAY_WITHIN_MM * hole.length:
                return True
    whole = shapely.union_all([shapely.make_valid(h) for h in holes]) if holes[1:] else None
    if whole is None:
        return False
    total, length = sum(h.area for h in holes), sum(h.length for h in holes)
    return bool(total - whole.area > STRAY_WITHIN_MM * length)
