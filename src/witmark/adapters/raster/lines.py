"""Lines as a draughtsman weighs them: contours heaviest, then edges, then smooth transitions.

Between two neighbouring spots with different faces, the line runs where the nearer triangle
face ends. That point is exact to a fraction of a pixel, and so is the slope of the border,
so lines are smooth and equally thick at every angle.
"""

from typing import NamedTuple

import numpy as np

from witmark.adapters.raster.plates import Facets, Pairs, Plate, neighbours
from witmark.adapters.raster.projection import Camera
from witmark.adapters.raster.scene import Hits, Mask, Share, Soup
from witmark.review.brep import FloatArray, IntArray

HOPS = 6  # triangles of one face that a line's end is followed through
WIRES = 400  # borders drawn at most, when rays find next to nothing of a component
SMOOTH_COS = np.cos(np.radians(8.0))


class _Way(NamedTuple):
    """Straight ways over the frame: where they begin and how far a step goes."""

    x_px: FloatArray
    y_px: FloatArray
    right_px: FloatArray
    down_px: FloatArray


class Pen(NamedTuple):
    """Width of a line in pixels, laid in two strokes this far either side of its middle."""

    width_px: float
    apart_px: float


CONTOUR, JUMP, EDGE, TRANSITION = Pen(1.7, 0.5), Pen(1.3, 0.3), Pen(0.95, 0.0), Pen(0.28, 0.0)


def ink(plate: Plate, only: Mask | None = None, *, weight: float = 1.0) -> Share:
    """How much line lies on every pixel, 0 to 1; (h, w).

    Args:
        plate: The frame.
        only: (t + 1,) triangles whose lines are wanted; all when absent.
        weight: Scales every line's width; a small picture wants thinner lines.
    """
    shape = (plate.camera.height_px, plate.camera.width_px)
    layers = [
        _spread(x, y, weight * drops, shape)
        for x, y, drops in _strokes(plate, neighbours(plate, only))
    ]
    # Not the sum: a sliver of a face along a contour would make it thick and thin by turns.
    return np.maximum(*layers)


def wires(soup: Soup, camera: Camera, run: slice) -> Share:
    """Every border between faces as a thin line, hidden or not; (h, w).

    For shapes thinner than a pixel, which rays miss.
    """
    triangle, side = np.nonzero(soup.across[run] < 0)
    spots = camera.project(soup.corners_mm[run])[..., :2]
    start, end = spots[triangle, (side + 1) % 3], spots[triangle, (side + 2) % 3]
    size = np.array([camera.width_px, camera.height_px])
    near = ((np.maximum(start, end) > 0) & (np.minimum(start, end) < size)).all(axis=1)
    near &= (np.abs(end - start) < 2 * size.max()).all(axis=1)
    start, way = start[near], (end - start)[near]
    steps = np.linspace(0, 1, 2 * int(size.max()))
    seen = np.unique(np.round(np.concatenate([start, way], axis=1)), axis=0)
    start, way = seen[:WIRES, :2], seen[:WIRES, 2:]
    points = start[:, None, :] + steps[None, :, None] * way[:, None, :]
    inside = ((points > 0) & (points < size)).all(axis=2)
    weight = np.broadcast_to(np.abs(way).max(axis=1)[:, None] / len(steps), inside.shape)
    return _spread(
        points[inside][:, 0], points[inside][:, 1], weight[inside], (int(size[1]), int(size[0]))
    )


def _strokes(plate: Plate, pairs: Pairs) -> list[tuple[FloatArray, FloatArray, FloatArray]]:
    """Drops of ink along the lines between cells: x, y, ink of thin lines, then of thick."""
    share, nx, ny = _crossings(plate, pairs)
    x, y = pairs.x_px + share * pairs.right_px, pairs.y_px + share * pairs.down_px
    contour = (pairs.a < 0) | (pairs.b < 0)
    kinds = [contour, pairs.jump, ~_runs_on(plate.facets, pairs, x, y)]
    pens = (CONTOUR, JUMP, EDGE)
    width = np.select(kinds, [p.width_px for p in pens], default=TRANSITION.width_px)
    apart = np.select(kinds, [p.apart_px for p in pens], default=TRANSITION.apart_px)
    # A line of length one crosses |n| rows or columns: so weighted, ink per length is even.
    width *= np.where(pairs.down_px > 0, np.abs(ny), np.abs(nx))
    layers = []
    for pick, sides in (
        (np.flatnonzero(apart == 0), (0.0,)),
        (np.flatnonzero(apart), (-1.0, 1.0)),
    ):
        drops = []
        for along in np.arange(plate.pitch_px) - (plate.pitch_px - 1) / 2:
            for side in sides:
                off = side * apart[pick]
                dx, dy = off * nx[pick] - along * ny[pick], off * ny[pick] + along * nx[pick]
                drops.append((x[pick] + dx, y[pick] + dy, width[pick] / len(sides)))
        every_x, every_y, every_ink = zip(*drops, strict=True)
        layers.append(
            (np.concatenate(every_x), np.concatenate(every_y), np.concatenate(every_ink))
        )
    return layers


def _crossings(plate: Plate, pairs: Pairs) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Where between a (0) and b (1) the line runs, and its unit normal in the frame: x, y."""
    facets = plate.facets
    end_x, end_y = pairs.x_px + pairs.right_px, pairs.y_px + pairs.down_px
    height_a = _height(facets, pairs.a, pairs.x_px, pairs.y_px)
    height_b = _height(facets, pairs.b, end_x, end_y)
    from_a = (pairs.b < 0) | ((pairs.a >= 0) & (height_a >= height_b))
    sense = np.where(from_a, 1.0, -1.0)
    way = _Way(
        np.where(from_a, pairs.x_px, end_x),
        np.where(from_a, pairs.y_px, end_y),
        sense * pairs.right_px,
        sense * pairs.down_px,
    )
    # An edge is where a face ends; a contour, where the last face that looks at us does.
    nearer = np.where(from_a, pairs.a, pairs.b)
    reach, nx, ny = _end_of_surface(plate, nearer, way, past_faces=pairs.jump)
    return np.where(from_a, reach, 1 - reach), nx, ny


def _end_of_surface(
    plate: Plate, triangle: Hits, way: _Way, *, past_faces: Mask
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Where ways leave what looks at us, 0 to 1, and the normal of that side: x, y.

    That is their face, or with ``past_faces`` all that follows it without turning away.
    """
    soup = plate.soup

    def next_to(those: IntArray | Hits, side: IntArray, past: Mask) -> IntArray:
        return np.where(past, soup.beyond[those, side], soup.across[those, side])

    spots = plate.facets.spots_px[plate.facets.row[triangle]]
    reach, side, nx, ny = _leaving(spots, way)
    beyond = next_to(triangle, side, past_faces)
    turning = _turning(spots)
    going = np.flatnonzero((beyond >= 0) & (reach < 1))
    for _ in range(HOPS):
        if not len(going):
            break
        nearer = plate.camera.project(plate.soup.corners_mm[beyond[going]])[..., :2]
        on = _turning(nearer) == turning[going]
        going, nearer = going[on], nearer[on]
        reach[going], side, nx[going], ny[going] = _leaving(
            nearer, _Way(*(v[going] for v in way))
        )
        beyond[going] = next_to(beyond[going], side, past_faces[going])
        going = going[(beyond[going] >= 0) & (reach[going] < 1)]
    return np.clip(reach, 0.0, 1.0), nx, ny


def _turning(spots_px: FloatArray) -> FloatArray:
    """The sense in which triangles run around in the frame: -1, 0 or 1."""
    one, two = spots_px[:, 1] - spots_px[:, 0], spots_px[:, 2] - spots_px[:, 0]
    return np.asarray(np.sign(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]))


def _leaving(
    spots_px: FloatArray, way: _Way
) -> tuple[FloatArray, IntArray, FloatArray, FloatArray]:
    """Where ways leave triangles, in steps; the side facing which corner; its unit normal."""
    best = np.full(len(spots_px), np.inf)
    through = np.zeros(len(spots_px), dtype=np.int64)
    best_x, best_y = np.zeros(len(spots_px)), np.zeros(len(spots_px))
    corner_x, corner_y = spots_px[..., 0].T, spots_px[..., 1].T
    for k, (p, q) in enumerate(((1, 2), (2, 0), (0, 1))):
        nx, ny = corner_y[p] - corner_y[q], corner_x[q] - corner_x[p]
        inward = (corner_x[k] - corner_x[p]) * nx + (corner_y[k] - corner_y[p]) * ny
        inward = np.sign(inward) / np.maximum(np.hypot(nx, ny), 1e-12)
        nx, ny = nx * inward, ny * inward
        gain = nx * way.right_px + ny * way.down_px
        inside = (way.x_px - corner_x[p]) * nx + (way.y_px - corner_y[p]) * ny
        leave = np.full(len(best), np.inf)
        np.divide(inside, -gain, out=leave, where=gain < -1e-12)
        first = leave < best
        best, through = np.where(first, leave, best), np.where(first, k, through)
        best_x, best_y = np.where(first, nx, best_x), np.where(first, ny, best_y)
    return best, through, best_x, best_y


def _height(facets: Facets, triangle: Hits, x_px: FloatArray, y_px: FloatArray) -> FloatArray:
    """Height of triangles' planes over spots of the frame; not to be read for "no triangle"."""
    plane = facets.planes[facets.row[triangle]]
    return np.asarray(plane[:, 0] + plane[:, 1] * x_px + plane[:, 2] * y_px)


def _runs_on(facets: Facets, pairs: Pairs, x_px: FloatArray, y_px: FloatArray) -> Mask:
    """Whether the surface goes on across the line and turns by only a few degrees."""
    out = np.zeros(len(x_px), dtype=np.bool_)
    pick = np.flatnonzero(~pairs.jump)
    spot = np.stack([x_px[pick], y_px[pick]], axis=1)
    one = _normal_at(facets, facets.row[pairs.a[pick]], spot)
    two = _normal_at(facets, facets.row[pairs.b[pick]], spot)
    out[pick] = (one * two).sum(axis=1) > SMOOTH_COS
    return out


def _normal_at(facets: Facets, row: IntArray, spot: FloatArray) -> FloatArray:
    """Unit normals of triangles at spots of the frame, (n, 3)."""
    corners = facets.spots_px[row]
    one, two, way = (
        corners[:, 1] - corners[:, 0],
        corners[:, 2] - corners[:, 0],
        spot - corners[:, 0],
    )
    det = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    det = np.where(det == 0, 1.0, det)
    v = (way[:, 0] * two[:, 1] - way[:, 1] * two[:, 0]) / det
    w = (one[:, 0] * way[:, 1] - one[:, 1] * way[:, 0]) / det
    weight = np.clip(np.stack([1 - v - w, v, w], axis=1), 0, 1)
    mixed = (facets.normals[row] * weight[:, :, None]).sum(axis=1)
    length = np.sqrt((mixed**2).sum(axis=1, keepdims=True))
    return np.asarray(mixed / np.where(length > 0, length, 1.0))


def _spread(x: FloatArray, y: FloatArray, weight: FloatArray, shape: tuple[int, int]) -> Share:
    """Ink of drops on the four pixels around each, in proportion to nearness, at most 1."""
    height, width = shape
    x, y = np.clip(x - 0.5, 0, width - 1.001), np.clip(y - 0.5, 0, height - 1.001)
    left, top = x.astype(np.int64), y.astype(np.int64)
    fx, fy = x - left, y - top
    corner = top * width + left
    spots = np.concatenate([corner, corner + 1, corner + width, corner + width + 1])
    parts = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy]
    drops = np.concatenate([weight * part for part in parts])
    total = np.bincount(spots, weights=drops, minlength=height * width)
    return np.minimum(total, 1.0, dtype=np.float32).reshape(shape)
