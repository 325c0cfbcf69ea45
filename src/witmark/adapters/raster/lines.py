"""Lines as a draughtsman weighs them: contours heaviest, then edges, then smooth transitions.

Between two neighbouring spots with different faces, the line runs where the nearer triangle
face ends. That point is exact to a fraction of a pixel, and so is the slope of the border,
so lines are smooth and equally thick at every angle.
"""

from typing import NamedTuple

import numpy as np

from witmark.adapters.raster.plates import Facets, Mask, Pair, Plate, Share, neighbours
from witmark.adapters.raster.scene import Hits
from witmark.review.brep import FloatArray, IntArray

HOPS = 12  # triangles of one face that a line's end is followed through
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
    share, normal = _crossings(plate, pair)
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


def _crossings(plate: Plate, pair: Pair) -> tuple[FloatArray, FloatArray]:
    """Where between a (0) and b (1) the line runs, and its unit normal in the frame, (n, 2)."""
    step = np.array([pair.step_x_px, pair.step_y_px])
    start = np.stack([pair.x_px, pair.y_px], axis=1)
    facets = plate.facets
    near_a = (pair.b < 0) | (
        (pair.a >= 0)
        & (
            _height(facets, facets.row[pair.a], start)
            >= _height(facets, facets.row[pair.b], start + step)
        )
    )
    share, normal = np.zeros(len(start)), np.zeros((len(start), 2))
    for mine, ends, way, turn in ((near_a, pair.a, step, False), (~near_a, pair.b, -step, True)):
        pick = np.flatnonzero(mine)
        begin = start[pick] + step if turn else start[pick]
        reach, normal[pick] = _end_of_face(plate, ends[pick], begin, way)
        share[pick] = 1 - reach if turn else reach
    return share, normal


def _end_of_face(
    plate: Plate, triangle: IntArray | Hits, start: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Where a way leaves its face or turns behind it, 0 to 1, and the normal of that side."""
    spots = plate.facets.spots_px[plate.facets.row[triangle]]
    reach, side, normal = _leaving(spots, start, step)
    beyond = plate.soup.across[triangle, side]
    turning = _turning(spots)
    going = np.flatnonzero((beyond >= 0) & (reach < 1))
    for _ in range(HOPS):
        if not len(going):
            break
        nearer = plate.camera.project(plate.soup.corners_mm[beyond[going]])[..., :2]
        on = _turning(nearer) == turning[going]
        going, nearer = going[on], nearer[on]
        reach[going], side, normal[going] = _leaving(nearer, start[going], step)
        beyond[going] = plate.soup.across[beyond[going], side]
        going = going[(beyond[going] >= 0) & (reach[going] < 1)]
    return np.clip(reach, 0.0, 1.0), normal


def _turning(spots_px: FloatArray) -> FloatArray:
    """The sense in which triangles run around in the frame: -1, 0 or 1."""
    one, two = spots_px[:, 1] - spots_px[:, 0], spots_px[:, 2] - spots_px[:, 0]
    return np.asarray(np.sign(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]))


def _leaving(
    spots_px: FloatArray, start: FloatArray, step: FloatArray
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Where ways leave triangles, in steps; by the side facing which corner; its unit normal."""
    every = np.arange(len(spots_px))
    best = np.full(len(spots_px), np.inf)
    through = np.zeros(len(spots_px), dtype=np.int64)
    normal = np.zeros((len(spots_px), 2))
    for k in range(3):
        p, q = spots_px[:, (k + 1) % 3], spots_px[:, (k + 2) % 3]
        nx, ny = p[:, 1] - q[:, 1], q[:, 0] - p[:, 0]
        inward = np.sign((spots_px[:, k, 0] - p[:, 0]) * nx + (spots_px[:, k, 1] - p[:, 1]) * ny)
        inward = inward / np.maximum(np.hypot(nx, ny), 1e-12)
        nx, ny = nx * inward, ny * inward
        gain = nx * step[0] + ny * step[1]
        inside = (start[:, 0] - p[:, 0]) * nx + (start[:, 1] - p[:, 1]) * ny
        leave = np.full(len(every), np.inf)
        np.divide(inside, -gain, out=leave, where=gain < -1e-12)
        first = leave < best
        best, through = np.where(first, leave, best), np.where(first, k, through)
        normal[first, 0], normal[first, 1] = nx[first], ny[first]
    return best, through, normal


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
