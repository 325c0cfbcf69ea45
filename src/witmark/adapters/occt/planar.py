"""Boundaries of plane faces that cross or stray: OCCT passes them, so we look ourselves."""

from collections.abc import Iterator

import numpy as np
import shapely

from witmark.adapters.occt.extents import across
from witmark.review.brep import Brep, FloatArray, IntArray, SurfaceKind

STRAY_WITHIN_MM = 0.05
"""A boundary that strays by less than this along its length strays by our own chords."""


def crossing_faces(brep: Brep) -> set[int]:
    """Plane faces whose loops cross themselves, each other, or lie outside the outer one."""
    plane = brep.face_kind[brep.loop_face] == SurfaceKind.PLANE
    runs = {int(i): brep.loop_points_mm(int(i)) for i in np.flatnonzero(plane)}
    runs = {loop: run for loop, run in runs.items() if len(run) > 2}
    if not runs:
        return set()
    index = np.repeat(np.arange(len(runs)), [len(run) for run in runs.values()])
    face = brep.loop_face[np.fromiter(runs, dtype=np.int64)][index]
    flat = _flattened(brep, face, np.concatenate(list(runs.values())))
    rings = shapely.linearrings(flat, indices=index)
    simple = shapely.is_simple(rings)
    shapes = dict(zip(runs, shapely.polygons(rings), strict=True))
    bad = {loop for loop, ok in zip(runs, simple, strict=True) if not ok}
    found = {int(brep.loop_face[i]) for i in bad if _crosses_itself(shapes[i])}
    return found | {face for face, mine in _faces_with_holes(brep, shapes) if _strays(mine)}


def _flattened(brep: Brep, face: IntArray, points: FloatArray) -> FloatArray:
    """Points in the coordinates of the planes they lie on, (k, 2)."""
    x = across(brep.face_axis)
    y = np.cross(brep.face_axis, x)
    arm = points - brep.face_origin_mm[face]
    return np.stack([np.einsum("ij,ij->i", arm, v[face]) for v in (x, y)], axis=1)


def _crosses_itself(shape: shapely.Polygon) -> bool:
    """Whether the loops of an eight hold an area worth speaking of."""
    x, y = np.asarray(shape.exterior.coords).T
    signed = abs(float(x[:-1] @ y[1:] - x[1:] @ y[:-1])) / 2
    return bool(abs(shapely.make_valid(shape).area - signed) > STRAY_WITHIN_MM * shape.length)


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
    one, other = shapely.STRtree(holes).query(holes, predicate="overlaps")
    return any(
        shapely.intersection(shapely.make_valid(holes[i]), shapely.make_valid(holes[j])).area
        > STRAY_WITHIN_MM * min(holes[i].length, holes[j].length)
        for i, j in zip(one.tolist(), other.tolist(), strict=True)
        if i < j
    )
