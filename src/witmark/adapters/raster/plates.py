"""What a camera sees of a soup: which triangle under which pixel, sharper along edges.

Rays are spent where they matter. The frame is first looked at on every second pixel; where
faces change, every pixel is looked at; where they still change, four points of the pixel.
About a third of the rays of a plain frame, and edges come out antialiased.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from witmark.adapters.raster.cameras import Camera
from witmark.adapters.raster.scene import Hits, Soup
from witmark.adapters.raster.tracing import Tracer
from witmark.review.brep import FloatArray, IntArray

Mask = NDArray[np.bool_]
Share = NDArray[np.float32]
Cell = TypeVar("Cell", bound=np.generic)
JUMP_PX = 3.0  # a step in depth of more than this many pixels is an edge
KID_X = np.array([-0.25, 0.25, -0.25, 0.25])
KID_Y = np.array([-0.25, -0.25, 0.25, 0.25])


class Pair(NamedTuple):
    """Neighbouring spots of a frame: triangles a and b, and where each was looked at."""

    a: IntArray | Hits
    b: IntArray | Hits
    ax: FloatArray
    ay: FloatArray
    bx: FloatArray
    by: FloatArray


@dataclass(frozen=True)
class Plate:
    """Triangles under the pixels of a frame."""

    soup: Soup
    camera: Camera
    planes: FloatArray  # (t + 1, 3) height of the triangles looked at, see plane_over_frame
    triangle: Hits  # (h, w) -1 where there is nothing
    split: IntArray  # (k,) flat pixels that were looked at in four points
    kids: Hits  # (k, 4) their triangles: top left, top right, bottom left, bottom right

    @cached_property
    def seen(self) -> IntArray:
        """The triangles that appear, ascending."""
        flag = np.zeros(len(self.soup.face_key), dtype=np.bool_)
        flag[self.triangle] = True
        flag[self.kids] = True
        return np.flatnonzero(flag[:-1])

    def covered(self) -> Share:
        """Share of every pixel that the soup covers, (h, w)."""
        return self.share_of(self.soup.face_key >= 0)

    def share_of(self, wanted: Mask) -> Share:
        """Share of every pixel whose triangle is wanted; ``wanted`` is (t + 1,)."""
        share = wanted[self.triangle].astype(np.float32)
        share.ravel()[self.split] = wanted[self.kids].mean(axis=1, dtype=np.float32)
        return share


def plane_over_frame(spots_px: FloatArray, values: FloatArray) -> FloatArray:
    """Coefficients a, b, c of value = a + bx + cy through three corners each.

    Triangles seen on edge have no such plane; they get their mean and no slope.

    Args:
        spots_px: (n, 3, 2) corners in the frame.
        values: (n, 3) the value at each corner.
    """
    one, two = spots_px[:, 1] - spots_px[:, 0], spots_px[:, 2] - spots_px[:, 0]
    up, across = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]
    det = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    reach = np.maximum((one**2).sum(axis=1), (two**2).sum(axis=1))
    flat = np.abs(det) <= 1e-6 * reach
    safe = np.where(flat, 1.0, det)
    slope_x = np.where(flat, 0.0, (up * two[:, 1] - across * one[:, 1]) / safe)
    slope_y = np.where(flat, 0.0, (across * one[:, 0] - up * two[:, 0]) / safe)
    base = values[:, 0] - slope_x * spots_px[:, 0, 0] - slope_y * spots_px[:, 0, 1]
    return np.stack([np.where(flat, values.mean(axis=1), base), slope_x, slope_y], axis=1)


def expose(soup: Soup, tracer: Tracer, camera: Camera, run: slice) -> Plate:
    """Look at a frame.

    Args:
        soup: All triangles.
        tracer: The triangles that are to be seen.
        camera: The frame.
        run: Where the tracer's triangles stand in the soup.
    """
    width, height = camera.width_px, camera.height_px
    planes = np.zeros((len(soup.face_key), 3))
    spots = camera.project(soup.corners_mm[run])
    planes[run] = plane_over_frame(spots[..., :2], spots[..., 2])
    search = _Search(soup, tracer, camera, planes, run.start)

    columns, rows = -(-width // 2), -(-height // 2)
    flat = np.arange(rows * columns)
    coarse = search.look(2.0 * (flat % columns) + 1.0, 2.0 * (flat // columns) + 1.0)
    coarse = coarse.reshape(rows, columns)
    again = _doubled(_grown(search.unsettled(coarse, pitch_px=2)))[:height, :width]
    triangle = np.ascontiguousarray(_doubled(coarse)[:height, :width])
    todo = np.flatnonzero(again)
    triangle.ravel()[todo] = search.look(todo % width + 0.5, todo // width + 0.5)
    split = np.flatnonzero(search.unsettled(triangle, pitch_px=1))
    x = (split % width + 0.5)[:, None] + KID_X
    y = (split // width + 0.5)[:, None] + KID_Y
    kids = search.look(x.ravel(), y.ravel()).reshape(-1, 4)
    return Plate(soup, camera, planes, triangle, split, kids)


def jumps(planes: FloatArray, pair: Pair, limit_mm: float) -> Mask:
    """Whether the surface breaks off between two spots, neither plane reaching the other."""
    at_a = planes[pair.a] * np.stack([np.ones_like(pair.ax), pair.ax, pair.ay], axis=1)
    at_b = planes[pair.b] * np.stack([np.ones_like(pair.bx), pair.bx, pair.by], axis=1)
    over_b = planes[pair.a] * np.stack([np.ones_like(pair.bx), pair.bx, pair.by], axis=1)
    over_a = planes[pair.b] * np.stack([np.ones_like(pair.ax), pair.ax, pair.ay], axis=1)
    far_b = np.abs(at_b.sum(axis=1) - over_b.sum(axis=1))
    far_a = np.abs(at_a.sum(axis=1) - over_a.sum(axis=1))
    return np.asarray(np.minimum(far_a, far_b) > limit_mm)


@dataclass(frozen=True, slots=True)
class _Search:
    """One frame being looked at."""

    soup: Soup
    tracer: Tracer
    camera: Camera
    planes: FloatArray
    first: int

    def look(self, x_px: FloatArray, y_px: FloatArray) -> Hits:
        """Triangles of the soup under some spots."""
        away = -np.array(self.camera.toward_eye)
        hits = self.tracer.looking(self.camera.points(x_px, y_px), away)
        return np.where(hits >= 0, hits + np.int32(self.first), np.int32(-1))

    def unsettled(self, grid: Hits, *, pitch_px: int) -> Mask:
        """Cells at a border between faces, or where one face hides a part of itself."""
        mask = np.zeros(grid.shape, dtype=np.bool_)
        key = self.soup.face_key[grid]
        for axis in (0, 1):
            low: tuple[slice, ...] = (slice(None),) * axis + (slice(None, -1),)
            high: tuple[slice, ...] = (slice(None),) * axis + (slice(1, None),)
            border = key[low] != key[high]
            border |= self._folds(grid, low, high, ~border, pitch_px)
            mask[low] |= border
            mask[high] |= border
        return mask

    def _folds(
        self,
        grid: Hits,
        low: tuple[slice, ...],
        high: tuple[slice, ...],
        same_face: Mask,
        pitch_px: int,
    ) -> Mask:
        """Neighbours on one face with a step between them."""
        fold = same_face & (grid[low] != grid[high])
        row, column = np.nonzero(fold)
        down = 1 if len(low) == 1 else 0
        pair = Pair(
            grid[low][row, column],
            grid[high][row, column],
            (column + 0.5) * pitch_px,
            (row + 0.5) * pitch_px,
            (column + 0.5 + 1 - down) * pitch_px,
            (row + 0.5 + down) * pitch_px,
        )
        fold[row, column] = jumps(self.planes, pair, JUMP_PX * self.camera.mm_per_px * pitch_px)
        return fold


def _grown(mask: Mask) -> Mask:
    """The mask and its neighbours on eight sides."""
    wide = mask.copy()
    wide[:, 1:] |= mask[:, :-1]
    wide[:, :-1] |= mask[:, 1:]
    tall = wide.copy()
    tall[1:] |= wide[:-1]
    tall[:-1] |= wide[1:]
    return tall


def _doubled(grid: NDArray[Cell]) -> NDArray[Cell]:
    """Every cell four times."""
    return np.repeat(np.repeat(grid, 2, axis=0), 2, axis=1)
