"""How far faces reach along and around their axes, how large they are: from their own edges.

A cylinder or a cone is ruled, so whatever its trimmed face reaches, its boundary reaches. That
holds for recognised B-splines too, whose own parameters say nothing about angle or height.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from witmark.adapters.occt.arrays import EdgeArrays, FaceArrays, is_conic
from witmark.review.brep import CurveKind, FloatArray, IntArray, SurfaceKind

FULL_TURN_WITHIN_RAD = 1e-6
"""A face that lacks less than this of a full turn is full."""

_TURN = 2 * np.pi


@dataclass(frozen=True, slots=True)
class Uses:
    """Every use of an edge by a loop of a face, in loop order."""

    face: IntArray
    edge: IntArray
    forward: NDArray[np.bool_]

    def of(self, mine: NDArray[np.bool_]) -> "Uses":
        """The uses whose face is marked."""
        keep = mine[self.face]
        return Uses(self.face[keep], self.edge[keep], self.forward[keep])


def reach_along(faces: FaceArrays, edges: EdgeArrays, uses: Uses) -> FloatArray:
    """Least and greatest axial coordinate of cylinders and cones, (n, 2); NaN for the rest."""
    along = np.full((len(faces.kind), 2), np.nan)
    uses = uses.of(has_axis(faces) & (faces.kind != SurfaceKind.TORUS))
    axis = faces.axis[uses.face]
    low, high = edges.reach(uses.edge, axis)
    base = np.einsum("ij,ij->i", faces.origin[uses.face], axis)
    np.fmin.at(along[:, 0], uses.face, low - base)
    np.fmax.at(along[:, 1], uses.face, high - base)
    return along


def has_axis(faces: FaceArrays) -> NDArray[np.bool_]:
    """Cylinders, cones and tori: faces that turn about a line."""
    kind = faces.kind
    turned = (SurfaceKind.CYLINDER, SurfaceKind.CONE, SurfaceKind.TORUS)
    axial: NDArray[np.bool_] = np.isin(kind, turned)
    return axial


@dataclass(frozen=True, slots=True)
class Turns:
    """The angle about its face's axis that each edge use runs through."""

    uses: Uses
    begin: FloatArray  # where it starts
    low: FloatArray  # least and greatest angle on the way
    high: FloatArray
    use: IntArray  # of every point on the way: the use it belongs to,
    point: IntArray  # its index among the points of all edges,
    step: FloatArray  # and the angle turned since the point before


def turns(faces: FaceArrays, edges: EdgeArrays, uses: Uses) -> Turns:
    """Follow every edge of a face with an axis around that axis."""
    uses = uses.of(has_axis(faces))
    use, point, offset = edges.spread(uses.edge)
    face = uses.face[use]
    x = across(faces.axis)
    y = np.cross(faces.axis, x)
    arm = edges.points[point] - faces.origin[face]
    across_x, across_y = (np.einsum("ij,ij->i", arm, v[face]) for v in (x, y))
    angle = np.arctan2(across_y, across_x)
    angle = _without_poles(angle, np.hypot(across_x, across_y), use)
    step = np.diff(angle, prepend=angle[:1])
    step -= _TURN * np.round(step / _TURN)
    step[offset] = 0.0
    begin, total = angle[offset], np.cumsum(step)
    total -= total[offset][use]
    low = np.minimum.reduceat(total, offset) if len(offset) else np.zeros(0)
    high = np.maximum.reduceat(total, offset) if len(offset) else np.zeros(0)
    return Turns(uses, begin, begin + low, begin + high, use, point, step)


def _without_poles(angle: FloatArray, radius: FloatArray, use: IntArray) -> FloatArray:
    """A point on the axis (an apex) has no angle of its own: it takes its neighbour's."""
    for i in np.flatnonzero(radius < 1e-7):
        after = i + 1 < len(use) and use[i + 1] == use[i]
        angle[i] = angle[i + 1] if after else angle[i - 1]
    return angle


def across(axis: FloatArray) -> FloatArray:
    """A unit vector square to each axis; zeros where there is none."""
    least = np.eye(3)[np.argmin(np.abs(axis), axis=1)]
    square = np.cross(axis, least)
    size = np.linalg.norm(square, axis=1, keepdims=True)
    out = np.zeros_like(square)
    np.divide(square, size, out=out, where=size > 0)
    return out


def sweeps(count: int, turned: Turns) -> FloatArray:
    """The angle each of ``count`` faces sweeps: what the turns of its edges cover together."""
    sweep = np.full(count, np.nan)
    order = np.lexsort((turned.low, turned.uses.face))
    face = turned.uses.face[order]
    bounds = np.flatnonzero(np.diff(face, prepend=-1))
    for begin, end in zip(bounds, np.append(bounds, len(face))[1:], strict=True):
        mine = order[begin:end]
        sweep[face[begin]] = _covered(turned.low[mine], turned.high[mine])
    return sweep


def _covered(low: FloatArray, high: FloatArray) -> float:
    """Length of a union of arcs on a circle."""
    if (high - low).max() >= _TURN - FULL_TURN_WITHIN_RAD:
        return _TURN
    start = np.mod(low, _TURN)
    arcs = sorted((float(s), float(s + w)) for s, w in zip(start, high - low, strict=True))
    arcs += [(0.0, end - _TURN) for _, end in arcs if end > _TURN]
    arcs.sort()
    total, reached = 0.0, 0.0
    for begin, end in arcs:
        total += max(0.0, min(end, _TURN) - max(begin, reached))
        reached = max(reached, min(end, _TURN))
    return _TURN if total >= _TURN - FULL_TURN_WITHIN_RAD else total


def areas(faces: FaceArrays, edges: EdgeArrays, uses: Uses, turned: Turns) -> FloatArray:
    """Areas of planes, cylinders and cones from their boundaries; NaN for the rest.

    Exact where the boundary is made of lines and circles (on planes, ellipses too); along other
    curves as near as their polylines.
    """
    area = np.full(len(faces.kind), np.nan)
    bounded = np.zeros(len(faces.kind), dtype=bool)
    bounded[uses.face] = True
    plane = bounded & (faces.kind == SurfaceKind.PLANE)
    flat = np.einsum("ij,ij->i", vector_areas(len(area), edges, uses.of(plane)), faces.axis)
    area[plane] = np.abs(flat)[plane]
    round_ = bounded & np.isin(faces.kind, (SurfaceKind.CYLINDER, SurfaceKind.CONE))
    area[round_] = np.abs(_turned_areas(faces, edges, turned))[round_]
    return area


def vector_areas(count: int, edges: EdgeArrays, uses: Uses) -> FloatArray:
    """Half the sum of p x dp along the boundary of ``count`` faces, (n, 3).

    That is the integral of the outward normal over each face, whatever the face's surface.

    Exact for lines and conics; freeform edges count with their polylines.
    """
    begin, end = edges.points[edges.start[:-1]], edges.points[edges.start[1:] - 1]
    span = (edges.last - edges.first)[:, None]
    ring = np.cross(edges.centre, end - begin) + np.cross(edges.x, edges.y) * span
    vector = np.where(is_conic(edges.kind)[:, None], ring, np.cross(begin, end)) / 2
    for i in np.flatnonzero(edges.kind == CurveKind.FREEFORM):
        points = edges.points[edges.start[i] : edges.start[i + 1]]
        vector[i] = np.cross(points[:-1], points[1:]).sum(axis=0) / 2
    out = np.zeros((count, 3))
    signed = np.where(uses.forward[:, None], vector[uses.edge], -vector[uses.edge])
    np.add.at(out, uses.face, signed)
    return out


def _turned_areas(faces: FaceArrays, edges: EdgeArrays, turned: Turns) -> FloatArray:
    """Along a circle about the axis, height x angle x radius; along a ruling, nothing."""
    face = turned.uses.face[turned.use]
    arm = edges.points[turned.point] - faces.origin[face]
    height = np.einsum("ij,ij->i", arm, faces.axis[face])
    half = faces.half_angle[face]
    cone = faces.kind[face] == SurfaceKind.CONE
    with np.errstate(invalid="ignore"):
        slope = np.tan(half) / (2 * np.cos(half))
        lever = np.where(cone, height * height * slope, height * faces.radius[face])
    between = (lever + np.roll(lever, 1)) / 2  # the first of a run turns by nothing
    signed = np.where(turned.uses.forward[turned.use], between, -between) * turned.step
    area = np.zeros(len(faces.kind))
    np.add.at(area, face, signed)
    return area
