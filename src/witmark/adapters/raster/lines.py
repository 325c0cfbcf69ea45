"""Lines as a draughtsman weighs them: contours heaviest, then edges, then smooth transitions.

Between two neighbouring spots with different faces, the line runs where the nearer triangle
ends. That point is exact to a fraction of a pixel, and so is the slope of the triangle's side,
so lines are smooth and equally thick at every angle.
"""

from typing import NamedTuple

import numpy as np

from witmark.adapters.raster.plates import Facets, Mask, Pair, Plate, Share, neighbours
from witmark.review.brep import FloatArray, IntArray

SMOOTH_COS = np.cos(np.radians(8.0))


class Pen(NamedTuple):
    """Width of a line in pixels, laid in two strokes this far either side of its middle."""

    width_px: float
    apart_px: float


CONTOUR, JUMP, EDGE, TRANSITION = Pen(1.7, 0.5), Pen(1.3, 0.3), Pen(0.95, 0.0), Pen(0.28, 0.0)


def ink(plate: Plate, only: Mask | None = None) -> Share:
    """How much line lies on every pixel, 0 to 1; (h, w).

    Args:
        plate: The frame.
        only: (t + 1,) triangles whose lines are wanted; all when absent.
    """
    shape = (plate.camera.height_px, plate.camera.width_px)
    total = np.zeros(shape[0] * shape[1])
    for pair, jump in neighbours(plate):
        if only is not None:
            keep = np.flatnonzero(only[pair.a] | only[pair.b])
            pair, jump = Pair(*(v[keep] for v in pair[:4]), *pair[4:]), jump[keep]  # noqa: PLW2901 - the same pairs, fewer
        total += _strokes(plate, pair, jump, shape)
    return np.minimum(total, 1.0).astype(np.float32).reshape(shape)


def _strokes(plate: Plate, pair: Pair, jump: Mask, shape: tuple[int, int]) -> FloatArray:
    """Ink of the lines that cross from one cell to its neighbour, flat."""
    share, normal = _crossings(plate.facets, pair, jump)
    x, y = pair.x_px + share * pair.step_x_px, pair.y_px + share * pair.step_y_px
    contour = (pair.a < 0) | (pair.b < 0)
    smooth = ~jump & _runs_on(plate.facets, pair, jump, x, y)
    kinds = [contour, jump, ~smooth]
    pens = (CONTOUR, JUMP, EDGE, TRANSITION)
    width = np.select(kinds, [p.width_px for p in pens[:3]], default=pens[3].width_px)
    apart = np.select(kinds, [p.apart_px for p in pens[:3]], default=pens[3].apart_px)
    # A line of length one crosses |n| rows or columns: so weighted, ink per length is even.
    across = np.abs(normal[:, 1] if pair.step_y_px else normal[:, 0])
    total = np.zeros(shape[0] * shape[1])
    for along in np.arange(plate.pitch_px) - (plate.pitch_px - 1) / 2:
        for side in (-1.0, 1.0):
            dx = side * apart * normal[:, 0] - along * normal[:, 1]
            dy = side * apart * normal[:, 1] + along * normal[:, 0]
            total += _drops(x + dx, y + dy, width * across / 2, shape)
    return total


def _crossings(facets: Facets, pair: Pair, jump: Mask) -> tuple[FloatArray, FloatArray]:
    """Where between a (0) and b (1) the line runs, and its unit normal in the frame, (n, 2)."""
    step = np.array([pair.step_x_px, pair.step_y_px])
    start = np.stack([pair.x_px, pair.y_px], axis=1)
    has_a, has_b = pair.a >= 0, pair.b >= 0
    row_a, row_b = facets.row[pair.a], facets.row[pair.b]
    from_a, normal_a = _leaving(facets, row_a, start, step)
    from_b, normal_b = _leaving(facets, row_b, start + step, -step)
    from_b = 1 - from_b
    near_a = _height(facets, row_a, start) >= _height(facets, row_b, start + step)
    use_a = has_a & (~has_b | near_a | ~jump)
    both = has_a & has_b & ~jump
    share = np.where(both, (from_a + from_b) / 2, np.where(use_a, from_a, from_b))
    return share, np.where(use_a[:, None], normal_a, normal_b)


def _leaving(
    facets: Facets, row: IntArray, start: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Where a way leaves its triangle, 0 to 1, and the normal of the side it crosses."""
    spots = facets.spots_px[row]
    at_start = np.empty((len(row), 3))
    gain = np.empty((len(row), 3))
    sides = np.empty((len(row), 3, 2))
    for k in range(3):
        p, q = spots[:, (k + 1) % 3], spots[:, (k + 2) % 3]
        side = np.stack([p[:, 1] - q[:, 1], q[:, 0] - p[:, 0]], axis=1)
        side *= np.sign(((spots[:, k] - p) * side).sum(axis=1))[:, None]
        side /= np.maximum(np.hypot(side[:, 0], side[:, 1]), 1e-12)[:, None]
        at_start[:, k] = ((start - p) * side).sum(axis=1)
        gain[:, k] = side[:, 0] * step[0] + side[:, 1] * step[1]
        sides[:, k] = side
    with np.errstate(divide="ignore", invalid="ignore"):
        leave = np.where(gain < -1e-12, at_start / -gain, np.inf)
    k = np.argmin(leave, axis=1)
    every = np.arange(len(row))
    return np.clip(leave[every, k], 0.0, 1.0), sides[every, k]


def _height(facets: Facets, row: IntArray, spot: FloatArray) -> FloatArray:
    plane = facets.planes[row]
    return np.asarray(plane[:, 0] + plane[:, 1] * spot[:, 0] + plane[:, 2] * spot[:, 1])


def _runs_on(facets: Facets, pair: Pair, jump: Mask, x: FloatArray, y: FloatArray) -> Mask:
    """Whether the surface turns by only a few degrees across the line."""
    out = np.zeros(len(x), dtype=np.bool_)
    pick = np.flatnonzero(~jump)
    spot = np.stack([x[pick], y[pick]], axis=1)
    one = _normal_at(facets, facets.row[pair.a[pick]], spot)
    two = _normal_at(facets, facets.row[pair.b[pick]], spot)
    out[pick] = (one * two).sum(axis=1) > SMOOTH_COS
    return out


def _normal_at(facets: Facets, row: IntArray, spot: FloatArray) -> FloatArray:
    """Unit normals of triangles at spots of the frame, (n, 3)."""
    corners = facets.spots_px[row]
    one, two, way = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], spot - corners[:, 0]
    det = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    det = np.where(det == 0, 1.0, det)
    v = (way[:, 0] * two[:, 1] - way[:, 1] * two[:, 0]) / det
    w = (one[:, 0] * way[:, 1] - one[:, 1] * way[:, 0]) / det
    weight = np.clip(np.stack([1 - v - w, v, w], axis=1), 0, 1)
    mixed = (facets.normals[row] * weight[:, :, None]).sum(axis=1)
    length = np.sqrt((mixed**2).sum(axis=1, keepdims=True))
    return np.asarray(mixed / np.where(length > 0, length, 1.0))


def _drops(x: FloatArray, y: FloatArray, weight: FloatArray, shape: tuple[int, int]) -> FloatArray:
    """Weights dropped on the four pixels around each spot in proportion to nearness, flat."""
    height, width = shape
    x, y = np.clip(x - 0.5, 0, width - 1.001), np.clip(y - 0.5, 0, height - 1.001)
    left, top = x.astype(np.int64), y.astype(np.int64)
    fx, fy = x - left, y - top
    corner = top * width + left
    spots = np.concatenate([corner, corner + 1, corner + width, corner + width + 1])
    parts = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy]
    drops = np.concatenate([weight * part for part in parts])
    return np.bincount(spots, weights=drops, minlength=height * width)
