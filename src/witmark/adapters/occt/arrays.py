"""Curves and surfaces of one part, side by side: numpy only, no OCCT call.

Exact for lines, circles and ellipses; only freeform curves go through sampled points.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from witmark.adapters.occt.curves import CHORD_WITHIN_MM, STEP_RAD, Curve
from witmark.adapters.occt.surfaces import Surface
from witmark.review.brep import CurveKind, FloatArray, IntArray, SurfaceKind

FINEST_RAD = np.radians(1.5)
"""No arc is cut finer than this, however large it is; its circle is stored exactly anyway."""


@dataclass(frozen=True, slots=True)
class EdgeArrays:
    """The edges of one part: the curve data of ``Curve`` plus polylines."""

    kind: IntArray  # (m,)
    centre: FloatArray  # (m, 3)
    x: FloatArray  # (m, 3) line direction or first half axis
    y: FloatArray  # (m, 3) second half axis; zeros for a line
    first: FloatArray  # (m,)
    last: FloatArray  # (m,)
    length: FloatArray  # (m,)
    middle: FloatArray  # (m, 3) a point half way along
    tangent: FloatArray  # (m, 3) unit, in the curve's own sense, there
    start: IntArray  # (m + 1,)
    points: FloatArray  # (k, 3)

    def reach(self, edges: IntArray, along: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Least and greatest coordinate of edges, each along a direction of its own."""
        low, high = self._reach_of_points(edges, along)
        across_x = np.einsum("ij,ij->i", self.x[edges], along)
        across_y = np.einsum("ij,ij->i", self.y[edges], along)
        level = np.einsum("ij,ij->i", self.centre[edges], along)
        swing, top = np.hypot(across_x, across_y), np.arctan2(across_y, across_x)
        conic = is_conic(self.kind[edges])
        span, first = (self.last - self.first)[edges], self.first[edges]
        with np.errstate(invalid="ignore"):
            crest = conic & (np.mod(top - first, 2 * np.pi) <= span)
            trough = conic & (np.mod(top + np.pi - first, 2 * np.pi) <= span)
        high = np.where(crest, np.fmax(high, level + swing), high)
        low = np.where(trough, np.fmin(low, level - swing), low)
        return low, high

    def _reach_of_points(
        self, edges: IntArray, along: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        if not len(edges):
            return np.zeros(0), np.zeros(0)
        use, point, offset = self.spread(edges)
        value = np.einsum("ij,ij->i", self.points[point], along[use])
        return np.minimum.reduceat(value, offset), np.maximum.reduceat(value, offset)

    def spread(self, edges: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """For a list of edges: per point its place in the list and its index; run offsets."""
        count = (self.start[1:] - self.start[:-1])[edges]
        offset = np.concatenate([[0], np.cumsum(count)])
        use = np.repeat(np.arange(len(edges)), count)
        point = np.arange(offset[-1]) - offset[use] + self.start[:-1][edges][use]
        return use, point, offset[:-1]


def is_conic(kind: IntArray) -> NDArray[np.bool_]:
    """Which curves are circles or ellipses."""
    conic: NDArray[np.bool_] = (kind == CurveKind.CIRCLE) | (kind == CurveKind.ELLIPSE)
    return conic


def edge_arrays(curves: list[Curve]) -> EdgeArrays:
    """Stack curves and work out their points and middles."""
    kind = np.array([c.kind for c in curves], dtype=np.int64)
    first, last, length = (_column(curves, name) for name in ("first", "last", "length"))
    row = _Rows(
        kind == CurveKind.LINE,
        *(stack([getattr(c, name) for c in curves]) for name in ("centre", "x", "y")),
    )
    middle, tangent = row.at((first + last) / 2), row.tangent((first + last) / 2)
    given = [i for i, c in enumerate(curves) if c.points or not np.isnan(c.middle[0])]
    if given:
        middle[given] = stack([curves[i].middle for i in given])
        tangent[given] = stack([curves[i].tangent for i in given])
    start, points = _polylines(curves, row, first, last)
    return EdgeArrays(
        kind,
        row.centre,
        row.x,
        row.y,
        first,
        last,
        length,
        middle,
        unit(tangent),
        start,
        points,
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """Lines and conics, one a row."""

    line: NDArray[np.bool_]
    centre: FloatArray
    x: FloatArray
    y: FloatArray

    def at(self, t: FloatArray) -> FloatArray:
        along = np.where(self.line, t, np.cos(t))[:, None]
        across = np.where(self.line, 0.0, np.sin(t))[:, None]
        return self.centre + along * self.x + across * self.y

    def tangent(self, t: FloatArray) -> FloatArray:
        along = np.where(self.line, 1.0, -np.sin(t))[:, None]
        across = np.where(self.line, 0.0, np.cos(t))[:, None]
        return along * self.x + across * self.y

    def take(self, rows: IntArray) -> "_Rows":
        return _Rows(self.line[rows], self.centre[rows], self.x[rows], self.y[rows])


def _polylines(
    curves: list[Curve], row: _Rows, first: FloatArray, last: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Polylines of all edges in one array; arcs in equal steps."""
    radius = np.linalg.norm(row.x, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        chord = 2 * np.arccos(np.clip(1 - CHORD_WITHIN_MM / radius, -1, 1))
        pieces = np.ceil((last - first) / np.clip(chord, FINEST_RAD, STEP_RAD) - 1e-9)
    count = np.where(row.line, 2, np.maximum(pieces, 2) + 1)
    free = [i for i, c in enumerate(curves) if c.points]
    count[free] = [len(curves[i].points) for i in free]
    count = count.astype(np.int64)
    start = np.concatenate([[0], np.cumsum(count)])
    edge = np.repeat(np.arange(len(curves)), count)
    share = (np.arange(start[-1]) - start[edge]) / (count[edge] - 1)
    points = row.take(edge).at(first[edge] + share * (last - first)[edge])
    for i in free:
        points[start[i] : start[i + 1]] = curves[i].points
    return start, points


@dataclass(frozen=True, slots=True)
class FaceArrays:
    """The faces of one part: the surface data of ``Surface``."""

    kind: IntArray
    declared: IntArray
    origin: FloatArray
    axis: FloatArray
    radius: FloatArray
    minor: FloatArray
    half_angle: FloatArray
    side: IntArray

    def normals(self, faces: IntArray, points: FloatArray) -> FloatArray:
        """Outward unit normals at points on faces; NaN for freeform faces and at poles."""
        kind, axis = self.kind[faces], self.axis[faces]
        arm = points - self.origin[faces]
        height = np.einsum("ij,ij->i", arm, axis)
        away = unit(arm - height[:, None] * axis)
        half = self.half_angle[faces][:, None]
        choices = {
            SurfaceKind.PLANE: axis,
            SurfaceKind.CYLINDER: away,
            SurfaceKind.CONE: away * np.cos(half) - axis * np.sin(half),
            SurfaceKind.SPHERE: unit(arm),
            SurfaceKind.TORUS: unit(arm - away * self.radius[faces][:, None]),
        }
        out = np.full((len(faces), 3), np.nan)
        for which, value in choices.items():
            mine = kind == which
            out[mine] = value[mine]
        return out * np.where(kind == SurfaceKind.PLANE, 1, self.side[faces])[:, None]


def face_arrays(surfaces: list[Surface]) -> FaceArrays:
    """Stack surfaces."""
    return FaceArrays(
        kind=np.array([s.kind for s in surfaces], dtype=np.int64),
        declared=np.array([s.declared for s in surfaces], dtype=np.int64),
        origin=stack([s.origin for s in surfaces]),
        axis=stack([s.axis for s in surfaces]),
        radius=_column(surfaces, "radius"),
        minor=_column(surfaces, "minor"),
        half_angle=_column(surfaces, "half_angle"),
        side=np.array([s.side for s in surfaces], dtype=np.int64),
    )


def stack(rows: list[tuple[float, float, float]]) -> FloatArray:
    """Rows of three as (n, 3), also when there are none."""
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def unit(vectors: FloatArray) -> FloatArray:
    """Unit vectors; NaN where there is no direction."""
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    out = np.full_like(vectors, np.nan)
    np.divide(vectors, size, out=out, where=size > 1e-9)
    return out


def _column(rows: list[Curve] | list[Surface], name: str) -> FloatArray:
    return np.array([getattr(r, name) for r in rows], dtype=np.float64)
