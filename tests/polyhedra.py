"""Parts with plane faces and straight edges as ``Brep`` arrays: no CAD kernel needed."""

from collections.abc import Sequence

import numpy as np

from witmark.review.brep import (
    SMOOTH_WITHIN_RAD,
    BodyKind,
    Brep,
    Convexity,
    CurveKind,
    FloatArray,
    SurfaceKind,
)

Loops = Sequence[Sequence[int]]


def polyhedron(points_mm: FloatArray, faces: Sequence[Loops]) -> Brep:
    """A solid from its corners and, per face, its loops of corner numbers.

    Outer loop first; every loop runs with the material on its left, seen from outside.
    """
    points = np.asarray(points_mm, dtype=float)
    runs = [(f, k, tuple(x)) for f, loops in enumerate(faces) for k, x in enumerate(loops)]
    normals = np.array([_newell(points[list(loops[0])]) for loops in faces])
    areas = [
        sum(_signed_area(points[list(x)], n) for x in loops)
        for loops, n in zip(faces, normals, strict=True)
    ]
    edges, uses = _edges(runs)
    folds = [_fold(points, normals, ends, sides) for ends, sides in edges]
    n, m = len(faces), len(edges)
    ends = np.array([e for e, _ in edges])
    along = points[ends[:, 1]] - points[ends[:, 0]]
    lengths = np.linalg.norm(along, axis=1)
    nan = np.full(n, np.nan)
    boxes = [_box(points[[v for loop in loops for v in loop]]) for loops in faces]
    return Brep(
        face_kind=np.full(n, SurfaceKind.PLANE),
        face_declared_kind=np.full(n, SurfaceKind.PLANE),
        face_origin_mm=np.array([points[loops[0][0]] for loops in faces]),
        face_axis=normals,
        face_radius_mm=nan,
        face_minor_radius_mm=nan,
        face_half_angle_rad=nan,
        face_side=np.zeros(n, dtype=np.int64),
        face_area_mm2=np.array(areas),
        face_sweep_rad=nan,
        face_along_mm=np.full((n, 2), np.nan),
        face_box_mm=np.array(boxes),
        face_body=np.zeros(n, dtype=np.int64),
        face_step_record=np.zeros(n, dtype=np.int64),
        face_step_line=np.zeros(n, dtype=np.int64),
        face_step_name=("",) * n,
        face_colour=(None,) * n,
        edge_kind=np.full(m, CurveKind.LINE),
        edge_faces=np.array([sides for _, sides in edges]),
        edge_convexity=np.array([c for c, _ in folds]),
        edge_fold_rad=np.array([a for _, a in folds]),
        edge_length_mm=lengths,
        edge_origin_mm=(points[ends[:, 0]] + points[ends[:, 1]]) / 2,
        edge_axis=along / lengths[:, None],
        edge_radius_mm=np.full(m, np.nan),
        edge_point_start=np.arange(m + 1) * 2,
        edge_point_mm=points[ends].reshape(-1, 3),
        loop_face=np.array([f for f, _, _ in runs]),
        loop_outer=np.array([k == 0 for _, k, _ in runs]),
        loop_start=np.cumsum([0] + [len(loop) for _, _, loop in runs]),
        loop_edge=np.array([e for e, _ in uses]),
        loop_forward=np.array([w for _, w in uses]),
        body_kind=np.array([BodyKind.SOLID]),
        body_valid=np.array([True]),
        body_fault=("",),
        body_box_mm=_box(points)[None, :],
    )


def _newell(ring: FloatArray) -> FloatArray:
    total = np.cross(ring, np.roll(ring, -1, axis=0)).sum(axis=0)
    return total / np.linalg.norm(total)


def _signed_area(ring: FloatArray, normal: FloatArray) -> float:
    return float(np.cross(ring, np.roll(ring, -1, axis=0)).sum(axis=0) @ normal) / 2


def _edges(runs):
    edges, uses, known = [], [], {}
    for face, _, loop in runs:
        for a, b in zip(loop, (*loop[1:], loop[0]), strict=True):
            if (b, a) in known:
                edge = known.pop((b, a))
                edges[edge][1][1] = face
                uses.append((edge, False))
            else:
                known[a, b] = len(edges)
                uses.append((len(edges), True))
                edges.append(((a, b), [face, -1]))
    return edges, uses


def _fold(points, normals, ends, sides):
    if sides[1] < 0:
        return Convexity.UNKNOWN, np.nan
    left, right = normals[sides[0]], normals[sides[1]]
    along = points[ends[1]] - points[ends[0]]
    turn = np.cross(left, right) @ (along / np.linalg.norm(along))
    angle = float(np.arctan2(np.linalg.norm(np.cross(left, right)), left @ right))
    if angle < SMOOTH_WITHIN_RAD:
        return Convexity.SMOOTH, angle
    return (Convexity.CONVEX if turn > 0 else Convexity.CONCAVE), angle


def _box(points: FloatArray) -> FloatArray:
    return np.concatenate([points.min(axis=0), points.max(axis=0)])
