"""From triangles under pixels to a drawing: soft shade, and lines as a draughtsman weighs them.

Lightness runs from 0 (black) to 1 (paper). Contours are heaviest, folds and edges follow,
edges between faces that run smoothly into each other are a hint.
"""

import numpy as np

from witmark.adapters.raster.plates import (
    JUMP_PX,
    KID_X,
    KID_Y,
    Mask,
    Pair,
    Plate,
    Share,
    jumps,
    plane_over_frame,
)
from witmark.adapters.raster.scene import Hits
from witmark.review.brep import FloatArray, IntArray

KEY_LIGHT = np.array([-0.40, -0.62, 0.68])  # right, down, towards the eye: from the upper left
DARKEST, RANGE = 0.60, 0.38  # lightness of a surface turned away from the light, and the rest
SMOOTH_COS = np.cos(np.radians(8.0))
PAPER = np.float32(1.0)


def lightness(plate: Plate) -> Share:
    """Shade of every covered pixel, mixed with paper along the contour; (h, w)."""
    light = _light_planes(plate)
    height, width = plate.triangle.shape
    flat = plate.triangle.ravel()
    out = np.full(flat.shape, PAPER, dtype=np.float32)
    inside = np.flatnonzero(flat >= 0)
    x = (inside % width).astype(np.float32) + np.float32(0.5)
    y = (inside // width).astype(np.float32) + np.float32(0.5)
    out[inside] = _evaluate(light, flat[inside], x, y)
    x = ((plate.split % width + 0.5)[:, None] + KID_X).astype(np.float32)
    y = ((plate.split // width + 0.5)[:, None] + KID_Y).astype(np.float32)
    kids = _evaluate(light, plate.kids, x, y)
    out[plate.split] = np.where(plate.kids >= 0, kids, PAPER).mean(axis=1)
    return out.reshape(height, width)


def ink(plate: Plate) -> Share:
    """How much line lies on every pixel, 0 to 1; (h, w)."""
    height, width = plate.triangle.shape
    pairs = _neighbours(plate)
    key = plate.soup.face_key
    change = key[pairs.a] != key[pairs.b]
    jump = jumps(plate.planes, pairs, JUMP_PX * plate.camera.mm_per_px)
    contour = (pairs.a < 0) | (pairs.b < 0)
    keep = change | jump
    pairs, contour, jump = Pair(*(v[keep] for v in pairs)), contour[keep], jump[keep]
    smooth = _runs_on(plate, pairs)
    weight = np.select([contour, jump, ~smooth], [0.62, 0.55, 0.42], default=0.12)
    spread = np.select([contour, jump], [0.45, 0.25], default=0.0)
    return _splat(pairs, weight, spread, (height, width))


def _light_planes(plate: Plate) -> Share:
    """Per triangle: a, b, c of the shade over the frame, and its least and greatest; (t, 5)."""
    seen = plate.seen
    camera = plate.camera
    normals = plate.soup.corner_normals[seen] @ camera.axes.T
    corners = camera.project(plate.soup.corners_mm[seen])
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    away = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0] > 0  # y points down
    normals = np.where(away[:, None, None], -normals, normals)
    unit = KEY_LIGHT / np.linalg.norm(KEY_LIGHT)
    shade = DARKEST + RANGE * np.clip(0.25 + 0.75 * (normals @ unit), 0, 1)
    table = np.zeros((len(plate.soup.face_key), 5), dtype=np.float32)
    table[seen, :3] = plane_over_frame(corners[..., :2], shade)
    table[seen, 3], table[seen, 4] = shade.min(axis=1), shade.max(axis=1)
    return table


def _evaluate(light: Share, triangle: Hits, x_px: Share, y_px: Share) -> Share:
    """Shade of triangles at spots; a plane is not followed beyond its triangle's own range."""
    row = light[triangle]
    value = row[..., 0] + row[..., 1] * x_px + row[..., 2] * y_px
    return np.clip(value, row[..., 3], row[..., 4])


def _neighbours(plate: Plate) -> Pair:
    """Spots half a pixel apart, in and around the split pixels, whose triangles differ."""
    height, width = plate.triangle.shape
    slot = np.full(height * width, -1, dtype=np.int64)
    slot[plate.split] = np.arange(len(plate.split))
    flat = plate.triangle.ravel()
    column, row = plate.split % width, plate.split // width

    def kids_of(pixel: IntArray) -> Hits:
        known = slot[pixel]
        return np.where(known[:, None] >= 0, plate.kids[known], flat[pixel][:, None])

    inner = [(0, 1), (2, 3), (0, 2), (1, 3)]
    runs = [
        _pair(column, row, plate.kids[:, a], plate.kids[:, b], a, b, (0, 0)) for a, b in inner
    ]
    for step, ends in (((1, 0), ((1, 0), (3, 2))), ((0, 1), ((2, 0), (3, 1)))):
        inside = np.flatnonzero((column + step[0] < width) & (row + step[1] < height))
        other = kids_of(plate.split[inside] + step[0] + step[1] * width)
        own = plate.kids[inside]
        runs.extend(
            _pair(column[inside], row[inside], own[:, a], other[:, b], a, b, step)
            for a, b in ends
        )
    return Pair(*(np.concatenate(part) for part in zip(*runs, strict=True)))


def _pair(  # noqa: PLR0913 - two spots have this many coordinates
    column: IntArray,
    row: IntArray,
    own: Hits,
    other: Hits,
    a: int,
    b: int,
    step: tuple[int, int],
) -> Pair:
    """Kid ``a`` of pixels against kid ``b`` of the pixels a step away, where they differ."""
    differ = np.flatnonzero(own != other)
    x, y = column[differ] + 0.5, row[differ] + 0.5
    return Pair(
        own[differ],
        other[differ],
        x + KID_X[a],
        y + KID_Y[a],
        x + step[0] + KID_X[b],
        y + step[1] + KID_Y[b],
    )


def _runs_on(plate: Plate, pairs: Pair) -> Mask:
    """Whether the surface turns by only a few degrees from one spot to the other."""
    seen = plate.seen
    slot = np.zeros(len(plate.soup.face_key), dtype=np.int64)
    slot[seen] = np.arange(len(seen))
    corners = plate.camera.project(plate.soup.corners_mm[seen])[..., :2]
    normals = plate.soup.corner_normals[seen]
    one = _normal_at(corners, normals, slot[pairs.a], np.stack([pairs.ax, pairs.ay], axis=1))
    two = _normal_at(corners, normals, slot[pairs.b], np.stack([pairs.bx, pairs.by], axis=1))
    return np.asarray(np.abs((one * two).sum(axis=1)) > SMOOTH_COS)


def _normal_at(
    corners: FloatArray, normals: FloatArray, pick: IntArray, spot: FloatArray
) -> FloatArray:
    """Unit normals of triangles at spots of the frame, (n, 3)."""
    if not len(corners):
        return np.zeros((len(pick), 3))
    a, b, c = (corners[pick, k] for k in range(3))
    det = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    det = np.where(det == 0, 1.0, det)
    d = spot - a
    v = (d[:, 0] * (c[:, 1] - a[:, 1]) - d[:, 1] * (c[:, 0] - a[:, 0])) / det
    w = ((b[:, 0] - a[:, 0]) * d[:, 1] - (b[:, 1] - a[:, 1]) * d[:, 0]) / det
    weight = np.clip(np.stack([1 - v - w, v, w], axis=1), 0, 1)
    mixed = (normals[pick] * weight[:, :, None]).sum(axis=1)
    length = np.linalg.norm(mixed, axis=1, keepdims=True)
    return np.asarray(mixed / np.where(length > 0, length, 1.0))


def _splat(pairs: Pair, weight: FloatArray, spread: FloatArray, shape: tuple[int, int]) -> Share:
    """Ink of every pair around its middle, shared over the four pixels around it."""
    dx, dy = pairs.bx - pairs.ax, pairs.by - pairs.ay
    length = np.hypot(dx, dy)
    x, y = (pairs.ax + pairs.bx) / 2 - 0.5, (pairs.ay + pairs.by) / 2 - 0.5
    total = np.zeros(shape[0] * shape[1])
    wide = np.flatnonzero(spread > 0)
    runs = [(np.arange(len(x)), 0.0), (wide, 1.0), (wide, -1.0)]
    for pick, side in runs:
        shift = side * spread[pick] / length[pick]
        total += _bilinear(x[pick] + shift * dx[pick], y[pick] + shift * dy[pick], weight[pick], shape)
    return np.minimum(total, 1.0).astype(np.float32).reshape(shape)


def _bilinear(x: FloatArray, y: FloatArray, weight: FloatArray, shape: tuple[int, int]) -> FloatArray:
    """Weights dropped on pixel centres in proportion to nearness, flat."""
    height, width = shape
    x, y = np.clip(x, 0, width - 1.001), np.clip(y, 0, height - 1.001)
    left, top = x.astype(np.int64), y.astype(np.int64)
    fx, fy = x - left, y - top
    corner = top * width + left
    spots = np.concatenate([corner, corner + 1, corner + width, corner + width + 1])
    parts = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy]
    return np.bincount(
        spots, weights=np.concatenate([weight * p for p in parts]), minlength=height * width
    )
