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


def _edges(runs: list[tuple[int, int, tuple[int, ...]]]):
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


def extruded(profile: Sequence[tuple[float, float]], length_mm: float) -> Brep:
    """A bar of this section (counter-clockwise) along +z."""
    n = len(profile)
    flat = np.array(profile, dtype=float)
    points = np.concatenate(
        [np.column_stack([flat, np.full(n, z)]) for z in (0.0, float(length_mm))]
    )
    sides = [[[i, (i + 1) % n, n + (i + 1) % n, n + i]] for i in range(n)]
    return polyhedron(points, [[list(range(n))[::-1]], [list(range(n, 2 * n))], *sides])


def sunk(outline: Sequence[tuple[float, float]], depth_mm: float, *, through: bool) -> Brep:
    """A block with a cut of this outline (counter-clockwise) in its top.

    The block reaches 10 mm beyond the outline on every side and, unless the cut goes
    through, 10 mm below its floor. Faces: bottom, top, four sides, walls, then the floor.
    """
    flat, n = np.array(outline, dtype=float), len(outline)
    (x, y), (u, v) = flat.min(axis=0) - 10, flat.max(axis=0) + 10
    low = -depth_mm - (0 if through else 10)
    rim = [(x, y), (u, y), (u, v), (x, v)]
    levels = [(rim, low), (rim, 0.0), (outline, -depth_mm), (outline, 0.0)]
    points = np.array([(*p, z) for ring, z in levels for p in ring])
    bottom, top = [3, 2, 1, 0], [4, 5, 6, 7]
    floor, mouth = list(range(8, 8 + n)), list(range(8 + n, 8 + 2 * n))
    sides = [[[i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i]] for i in range(4)]
    walls = [[[8 + (i + 1) % n, 8 + i, 8 + n + i, 8 + n + (i + 1) % n]] for i in range(n)]
    ends = [[bottom, floor]] if through else [[bottom]]
    closing = [] if through else [[floor]]
    return polyhedron(points, [*ends, [top, mouth[::-1]], *sides, *walls, *closing])


def rectangle(width: float, length: float) -> list[tuple[float, float]]:
    """A rectangle from the origin, counter-clockwise."""
    return [(0.0, 0.0), (length, 0.0), (length, width), (0.0, width)]


def notched(*, reach: float, width: float, depth: float, side: float = 40.0) -> Brep:
    """A cube with a cut in its top edge, ``reach`` into +x from the side x = 0."""
    a, b = (side - width) / 2, (side + width) / 2
    s, z, d = side, 0.0, -depth
    points = [
        (0, 0, -s), (s, 0, -s), (s, s, -s), (0, s, -s),
        (0, 0, z), (s, 0, z), (s, s, z), (0, s, z),
        (0, a, z), (0, b, z), (0, a, d), (0, b, d),
        (reach, a, z), (reach, b, z), (reach, a, d), (reach, b, d),
    ]  # fmt: skip
    faces = [
        [[3, 2, 1, 0]],
        [[4, 5, 6, 7, 9, 13, 12, 8]],
        [[0, 1, 5, 4]],
        [[1, 2, 6, 5]],
        [[2, 3, 7, 6]],
        [[3, 0, 4, 8, 10, 11, 9, 7]],
        [[10, 14, 15, 11]],
        [[8, 12, 14, 10]],
        [[12, 13, 15, 14]],
        [[13, 9, 11, 15]],
    ]
    return polyhedron(np.array(points, dtype=float), faces)


def cornered(*, reach: tuple[float, float], depth: float, side: float = 40.0) -> Brep:
    """A cube with a box cut from the corner at the origin of its top."""
    (a, b), s, d = reach, side, -depth
    points = [
        (0, 0, -s), (s, 0, -s), (s, s, -s), (0, s, -s),
        (s, 0, 0), (s, s, 0), (0, s, 0),
        (a, 0, 0), (a, b, 0), (0, b, 0),
        (0, 0, d), (a, 0, d), (a, b, d), (0, b, d),
    ]  # fmt: skip
    faces = [
        [[3, 2, 1, 0]],
        [[7, 4, 5, 6, 9, 8]],
        [[0, 1, 4, 7, 11, 10]],
        [[1, 2, 5, 4]],
        [[2, 3, 6, 5]],
        [[3, 0, 10, 13, 9, 6]],
        [[10, 11, 12, 13]],
        [[11, 7, 8, 12]],
        [[12, 8, 9, 13]],
    ]
    return polyhedron(np.array(points, dtype=float), faces)


def on_a_plate(side: float, height: float) -> Brep:
    """A plate 40 mm square with a square block standing in its middle."""
    rim = [(0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0)]
    a, b = (40 - side) / 2, (40 + side) / 2
    foot = [(a, a), (b, a), (b, b), (a, b)]
    levels = [(rim, -10.0), (rim, 0.0), (foot, 0.0), (foot, height)]
    points = np.array([(*p, z) for ring, z in levels for p in ring])
    sides = [
        [[k + i, k + (i + 1) % 4, k + 4 + (i + 1) % 4, k + 4 + i]]
        for k in (0, 8)
        for i in range(4)
    ]
    top = [[4, 5, 6, 7], [11, 10, 9, 8]]
    return polyhedron(points, [[[3, 2, 1, 0]], top, *sides, [[12, 13, 14, 15]]])
