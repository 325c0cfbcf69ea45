"""Small exact parts made without a CAD kernel: a plate with turned holes, moved at will."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np

from witmark.review.brep import (
    SMOOTH_WITHIN_RAD,
    BodyKind,
    Brep,
    Convexity,
    CurveKind,
    FloatArray,
    IntArray,
    SurfaceKind,
)

ARC_POINTS = 24  # chords of one arc

Point = tuple[float, float, float]
Corner = tuple[float, float]  # radius, z
Fold = tuple[Convexity, float]
_UP: Point = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Turned:
    """A hole as the outline of a turned tool, from the plate's top at z = 0 downwards.

    ``outline`` lists (radius, z) in mm. It ends on the axis (a blind hole) or at the plate's
    underside (a through hole). ``parts`` splits every wall around the axis, as exporters do.
    """

    x_mm: float
    y_mm: float
    outline: tuple[tuple[float, float], ...]
    parts: int = 1


def plate(
    holes: Sequence[Turned] = (),
    *,
    length_mm: float = 100.0,
    width_mm: float = 60.0,
    thickness_mm: float = 20.0,
) -> Brep:
    """A plate with a corner at the origin, its top in z = 0, and holes turned into it."""
    made = _Maker()
    top, under = _box(made, length_mm, width_mm, thickness_mm)
    for hole in holes:
        _turn(made, hole, top, under, thickness_mm)
    return made.brep(np.array([0.0, 0.0, -thickness_mm, length_mm, width_mm, 0.0]))


def moved(brep: Brep, rotation: FloatArray, shift_mm: FloatArray) -> Brep:
    """The same part somewhere else; a rotation of determinant -1 mirrors it."""

    def box(boxes: FloatArray) -> FloatArray:
        corners = np.stack(
            [boxes[:, [3 * (i >> k & 1) + k for k in range(3)]] for i in range(8)], axis=1
        )
        there = corners @ rotation.T + shift_mm
        return np.concatenate([there.min(axis=1), there.max(axis=1)], axis=1)

    return replace(
        brep,
        face_origin_mm=brep.face_origin_mm @ rotation.T + shift_mm,
        face_axis=brep.face_axis @ rotation.T,
        face_box_mm=box(brep.face_box_mm),
        edge_origin_mm=brep.edge_origin_mm @ rotation.T + shift_mm,
        edge_axis=brep.edge_axis @ rotation.T,
        edge_point_mm=brep.edge_point_mm @ rotation.T + shift_mm,
        body_box_mm=box(brep.body_box_mm),
    )


def reordered(brep: Brep, order: IntArray) -> Brep:
    """The same part with its faces numbered in another order; ``order[new] = old``."""
    place = np.append(np.argsort(order), -1)  # what was -1 stays -1
    changed: dict[str, Any] = {
        row.name: _taken(getattr(brep, row.name), order)
        for row in fields(brep)
        if row.name.startswith("face_")
    }
    return replace(
        brep, **changed, edge_faces=place[brep.edge_faces], loop_face=place[brep.loop_face]
    )


def _taken(values: object, order: IntArray) -> object:
    if isinstance(values, tuple):
        return tuple(values[old] for old in order.tolist())
    return np.asarray(values)[order]


@dataclass(frozen=True, slots=True)
class _Ring:
    centre: Point
    radius: float
    fold: Fold
    parts: int


@dataclass(frozen=True, slots=True)
class _Face:
    kind: SurfaceKind
    origin: Point
    axis: Point
    area: float
    side: int = 0
    radius: float = math.nan
    half: float = math.nan
    sweep: float = math.nan
    along: tuple[float, float] = (math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class _Edge:
    kind: CurveKind
    faces: tuple[int, int]
    fold: Fold
    origin: Point
    axis: Point
    points: FloatArray
    radius: float = math.nan


@dataclass(frozen=True, slots=True)
class _Loop:
    face: int
    outer: bool
    edges: tuple[tuple[int, bool], ...]  # edge, forward


@dataclass(slots=True)
class _Maker:
    """Collects faces, edges and loops until they become arrays."""

    faces: list[_Face] = field(default_factory=list)
    edges: list[_Edge] = field(default_factory=list)
    loops: list[_Loop] = field(default_factory=list)

    def face(self, face: _Face) -> int:
        self.faces.append(face)
        return len(self.faces) - 1

    def line(self, start: Point, end: Point, faces: tuple[int, int], fold: Fold) -> int:
        points = np.array([start, end], dtype=float)
        step = points[1] - points[0]
        middle, along = points.mean(axis=0), step / np.linalg.norm(step)
        row = _Edge(CurveKind.LINE, faces, fold, _point(middle), _point(along), points)
        self.edges.append(row)
        return len(self.edges) - 1

    def arc(self, ring: _Ring, part: int, faces: tuple[int, int]) -> int:
        angles = np.linspace(0.0, 2 * math.pi, ARC_POINTS * ring.parts + 1)
        angles = angles[ARC_POINTS * part : ARC_POINTS * (part + 1) + 1]
        x, y, z = ring.centre
        points = np.column_stack(
            [
                x + ring.radius * np.cos(angles),
                y + ring.radius * np.sin(angles),
                np.full(len(angles), z),
            ]
        )
        row = _Edge(CurveKind.CIRCLE, faces, ring.fold, ring.centre, _UP, points, ring.radius)
        self.edges.append(row)
        return len(self.edges) - 1

    def loop(self, face: int, edges: Sequence[tuple[int, bool]], *, outer: bool) -> None:
        self.loops.append(_Loop(face, outer, tuple(edges)))

    def brep(self, box_mm: FloatArray) -> Brep:
        faces, edges = self.faces, self.edges
        loops = sorted(self.loops, key=lambda loop: (loop.face, not loop.outer))
        uses = [use for loop in loops for use in loop.edges]
        kinds, points = _ints([f.kind for f in faces]), [e.points for e in edges]
        none = np.zeros(len(faces), dtype=np.int64)
        return Brep(
            face_kind=kinds,
            face_declared_kind=kinds,
            face_origin_mm=np.array([f.origin for f in faces]),
            face_axis=np.array([f.axis for f in faces]),
            face_radius_mm=np.array([f.radius for f in faces]),
            face_minor_radius_mm=np.full(len(faces), np.nan),
            face_half_angle_rad=np.array([f.half for f in faces]),
            face_side=_ints([f.side for f in faces]),
            face_area_mm2=np.array([f.area for f in faces]),
            face_sweep_rad=np.array([f.sweep for f in faces]),
            face_along_mm=np.array([f.along for f in faces]),
            face_box_mm=self._boxes(),
            face_body=none,
            face_step_record=none,
            face_step_line=none,
            face_step_name=("",) * len(faces),
            face_colour=(None,) * len(faces),
            edge_kind=_ints([e.kind for e in edges]),
            edge_faces=np.array([e.faces for e in edges], dtype=np.int64),
            edge_convexity=_ints([e.fold[0] for e in edges]),
            edge_fold_rad=np.array([e.fold[1] for e in edges]),
            edge_length_mm=np.array(
                [np.linalg.norm(np.diff(p, axis=0), axis=1).sum() for p in points]
            ),
            edge_origin_mm=np.array([e.origin for e in edges]),
            edge_axis=np.array([e.axis for e in edges]),
            edge_radius_mm=np.array([e.radius for e in edges]),
            edge_point_start=np.cumsum([0, *map(len, points)]),
            edge_point_mm=np.concatenate(points),
            loop_face=_ints([loop.face for loop in loops]),
            loop_outer=np.array([loop.outer for loop in loops]),
            loop_start=np.cumsum([0, *(len(loop.edges) for loop in loops)]),
            loop_edge=_ints([edge for edge, _ in uses]),
            loop_forward=np.array([forward for _, forward in uses]),
            body_kind=_ints([BodyKind.SOLID]),
            body_valid=np.array([True]),
            body_fault=("",),
            body_box_mm=box_mm[None],
        )

    def _boxes(self) -> FloatArray:
        boxes = np.tile([np.inf] * 3 + [-np.inf] * 3, (len(self.faces), 1))
        for edge in self.edges:
            for face in edge.faces:
                boxes[face, :3] = np.minimum(boxes[face, :3], edge.points.min(axis=0))
                boxes[face, 3:] = np.maximum(boxes[face, 3:], edge.points.max(axis=0))
        return boxes


def _ints(values: Sequence[int]) -> IntArray:
    return np.array([int(value) for value in values], dtype=np.int64)


def _point(vector: FloatArray) -> Point:
    x, y, z = vector.tolist()
    return x, y, z


def _box(made: _Maker, length: float, width: float, thickness: float) -> tuple[int, int]:
    """A box; returns its top and its underside."""
    size = (length, width, thickness)
    made_faces = {}
    for axis in range(3):
        for sign in (1, -1):
            normal = tuple(float(sign) if i == axis else 0.0 for i in range(3))
            at = [length, width, 0.0] if sign > 0 else [0.0, 0.0, -thickness]
            area = size[(axis + 1) % 3] * size[(axis + 2) % 3]
            face = _Face(
                SurfaceKind.PLANE, _point(np.array(at)), _point(np.array(normal)), area
            )
            made_faces[axis, sign] = made.face(face)
    edges: dict[int, list[tuple[int, Point, Point]]] = {i: [] for i in made_faces.values()}
    for axis in range(3):
        others = [i for i in range(3) if i != axis]
        for one in (1, -1):
            for other in (1, -1):
                start, end = np.zeros(3), np.zeros(3)
                start[others], end[others] = [one > 0, other > 0], [one > 0, other > 0]
                end[axis] = 1.0
                low = np.array([0.0, 0.0, -thickness])
                a, b = _point(low + start * size), _point(low + end * size)
                pair = made_faces[others[0], one], made_faces[others[1], other]
                edge = made.line(a, b, pair, (Convexity.CONVEX, math.pi / 2))
                for place in pair:
                    edges[place].append((edge, a, b))
    for place, mine in edges.items():
        made.loop(place, _chained(mine), outer=True)
    return made_faces[2, 1], made_faces[2, -1]


def _chained(edges: list[tuple[int, Point, Point]]) -> list[tuple[int, bool]]:
    """Edges in the order in which one ends where the next begins."""
    left = edges[1:]
    run, at = [(edges[0][0], True)], edges[0][2]
    while left:
        here = next(edge for edge in left if at in edge[1:])
        left.remove(here)
        run.append((here[0], here[1] == at))
        at = here[2] if here[1] == at else here[1]
    return run


def _turn(made: _Maker, hole: Turned, top: int, under: int, thickness: float) -> None:
    """Turn one hole: a ring of arcs at every corner of the outline, a wall between two."""
    outline = hole.outline
    walls = [_wall(made, hole, start, end) for start, end in pairwise(outline)]
    through = outline[-1][1] == -thickness and outline[-1][0] > 0
    around = [[top] * hole.parts, *walls, *([[under] * hole.parts] if through else [])]
    rings: list[list[int]] = []
    for place, (radius, z) in enumerate(outline):
        if radius > 0:
            before = outline[place - 1] if place else (math.inf, 0.0)
            after = outline[place + 1] if place + 1 < len(outline) else (math.inf, z)
            fold = _fold(before, (radius, z), after)
            ring = _Ring((hole.x_mm, hole.y_mm, z), radius, fold, hole.parts)
            pairs = list(zip(around[place], around[place + 1], strict=True))
            rings.append([made.arc(ring, part, pairs[part]) for part in range(hole.parts)])
    made.loop(top, [(arc, False) for arc in rings[0]], outer=False)
    if through:
        made.loop(under, [(arc, True) for arc in rings[-1]], outer=False)
    for place, wall in enumerate(walls):
        low = rings[place + 1] if place + 1 < len(rings) else None
        _close(made, hole, (outline[place], outline[place + 1]), wall, (rings[place], low))


def _wall(made: _Maker, hole: Turned, start: Corner, end: Corner) -> list[int]:
    """The faces of one piece of the outline, one for every part; a flat is never split."""
    (r, z), (r_end, z_end) = start, end
    if z == z_end:
        area, up = math.pi * abs(r * r - r_end * r_end), 1.0 if r_end < r else -1.0
        at, normal = (hole.x_mm, hole.y_mm, z), (0.0, 0.0, up)
        return [made.face(_Face(SurfaceKind.PLANE, at, normal, area))] * hole.parts
    sweep, slant = 2 * math.pi / hole.parts, math.hypot(r - r_end, z - z_end)
    area = sweep * (r + r_end) / 2 * slant
    if r == r_end:
        low, high = sorted((z, z_end))
        face = _Face(
            SurfaceKind.CYLINDER, (hole.x_mm, hole.y_mm, 0.0), _UP, area, -1, r,
            sweep=sweep, along=(low, high),
        )  # fmt: skip
    else:
        apex = z - r * (z_end - z) / (r_end - r)
        low, high = sorted((abs(z - apex), abs(z_end - apex)))
        axis = (0.0, 0.0, 1.0 if (z + z_end) / 2 > apex else -1.0)
        face = _Face(
            SurfaceKind.CONE, (hole.x_mm, hole.y_mm, apex), axis, area, -1, max(r, r_end),
            math.atan(abs((r_end - r) / (z_end - z))), sweep, (low, high),
        )  # fmt: skip
    return [made.face(face) for _ in range(hole.parts)]


def _close(
    made: _Maker,
    hole: Turned,
    piece: tuple[Corner, Corner],
    wall: list[int],
    rings: tuple[list[int], list[int] | None],
) -> None:
    """Give the faces of one piece their loops: rings for a flat, seams between walls."""
    high, low = rings
    (r, z), (r_end, z_end) = piece
    if z == z_end:
        made.loop(
            wall[0], [(arc, True) for arc in (high if r > r_end else low or [])], outer=True
        )
        if low:
            inner = low if r > r_end else high
            made.loop(wall[0], [(arc, False) for arc in inner], outer=False)
        return
    seams = []
    kind = Convexity.SMOOTH if hole.parts > 1 else Convexity.UNKNOWN
    fold = (kind, 0.0 if hole.parts > 1 else math.nan)
    for part in range(hole.parts):
        turn = 2 * math.pi * part / hole.parts
        c, s = math.cos(turn), math.sin(turn)
        start = (hole.x_mm + r * c, hole.y_mm + r * s, z)
        end = (hole.x_mm + r_end * c, hole.y_mm + r_end * s, z_end)
        seams.append(made.line(start, end, (wall[part - 1], wall[part]), fold))
    for part in range(hole.parts):
        lower = [(low[part], True)] if low else []
        after = seams[(part + 1) % hole.parts]
        edges = [(seams[part], True), *lower, (after, False), (high[part], False)]
        made.loop(wall[part], edges, outer=True)


def _fold(before: Corner, at: Corner, after: Corner) -> Fold:
    """How the outline folds at a corner; going down, material lies on its outside."""
    into = _direction(before, at)
    out = _direction(at, after)
    turn = math.atan2(into[0] * out[1] - into[1] * out[0], into[0] * out[0] + into[1] * out[1])
    if abs(turn) < SMOOTH_WITHIN_RAD:
        return Convexity.SMOOTH, abs(turn)
    return (Convexity.CONVEX if turn > 0 else Convexity.CONCAVE), abs(turn)


def _direction(start: Corner, end: Corner) -> Corner:
    if math.isinf(start[0]):
        return -1.0, 0.0
    return (1.0, 0.0) if math.isinf(end[0]) else (end[0] - start[0], end[1] - start[1])
