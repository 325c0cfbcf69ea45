"""What a camera sees of a soup: which triangle lies under which spot of the frame.

Rays are the dear part of a picture, so they are spent where they matter: the frame is looked
at on every second pixel, and every pixel only where faces change. Where a line runs between
two pixels is then worked out from the triangles themselves, which no number of rays per pixel
would tell as well.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from witmark.adapters.raster.projection import Camera
from witmark.adapters.raster.scene import Hits, Mask, Soup
from witmark.adapters.raster.tracing import Tracer
from witmark.review.brep import FloatArray, IntArray

Cell = TypeVar("Cell", bound=np.generic)
JUMP_PX = 3.0  # a step in depth of more than this many pixels is an edge


class Pairs(NamedTuple):
    """Neighbouring cells with an edge between them; a lies left of or above b."""

    a: Hits  # (n,) triangles
    b: Hits
    x_px: FloatArray  # (n,) the middle of a
    y_px: FloatArray
    right_px: FloatArray  # (n,) the way from a to b: to the right, or down
    down_px: FloatArray
    jump: Mask  # (n,) the surface breaks off, or there is paper on one side

    def only(self, pick: IntArray) -> Self:
        """Some of the pairs."""
        return type(self)(
            self.a[pick],
            self.b[pick],
            self.x_px[pick],
            self.y_px[pick],
            self.right_px[pick],
            self.down_px[pick],
            self.jump[pick],
        )


@dataclass(frozen=True)
class Facets:
    """The triangles that appear in a frame, as the frame sees them.

    ``row`` leads from a triangle's number in the soup to its row here; rows of triangles that
    do not appear, and of "no triangle", are 0 and must not be read.
    """

    row: IntArray  # (t + 1,)
    triangle: IntArray  # (n,)
    spots_px: FloatArray  # (n, 3, 2)
    heights_mm: FloatArray  # (n, 3) towards the eye
    normals: FloatArray  # (n, 3, 3) in camera axes, turned towards the eye

    @cached_property
    def planes(self) -> FloatArray:
        """Height over the frame, (n, 3): z = a + bx + cy."""
        return plane_over_frame(self.spots_px, self.heights_mm)


@dataclass(frozen=True)
class Plate:
    """Triangles under the cells of a frame; a cell is ``pitch_px`` pixels wide and high."""

    soup: Soup
    camera: Camera
    pitch_px: int
    triangle: Hits  # (rows, columns) -1 where there is nothing

    @cached_property
    def facets(self) -> Facets:
        """What is known about the triangles that appear."""
        return facets_of(self.soup, self.camera, self.triangle)

    def over_pixels(self, cells: NDArray[Cell]) -> NDArray[Cell]:
        """An array over cells, spread over the pixels of the frame."""
        if self.pitch_px == 1:
            return cells
        tall = np.repeat(np.repeat(cells, self.pitch_px, axis=0), self.pitch_px, axis=1)
        return tall[: self.camera.height_px, : self.camera.width_px]


def expose(soup: Soup, tracer: Tracer, camera: Camera, first: int) -> Plate:
    """Look at a frame, at last on every pixel where faces change.

    Args:
        soup: All triangles.
        tracer: The triangles that are to be seen.
        camera: The frame.
        first: Number in the soup of the tracer's first triangle.
    """
    coarse = glance(soup, tracer, camera, first, pitch_px=2)
    again = coarse.over_pixels(_unsettled(coarse))
    triangle = np.ascontiguousarray(coarse.over_pixels(coarse.triangle))
    row, column = np.nonzero(again)
    x, y = column.astype(np.float64) + 0.5, row.astype(np.float64) + 0.5
    triangle[row, column] = _looker(tracer, camera, first)(x, y)
    return Plate(soup, camera, 1, triangle)


def glance(soup: Soup, tracer: Tracer, camera: Camera, first: int, *, pitch_px: int) -> Plate:
    """Look at the middle of every cell of a frame, and no closer."""
    columns, rows = -(-camera.width_px // pitch_px), -(-camera.height_px // pitch_px)
    x = np.tile((np.arange(columns) + 0.5) * pitch_px, rows)
    y = np.repeat((np.arange(rows) + 0.5) * pitch_px, columns)
    hits = _looker(tracer, camera, first)(x, y)
    return Plate(soup, camera, pitch_px, hits.reshape(rows, columns))


def neighbours(plate: Plate, only: Mask | None = None) -> Pairs:
    """Cells beside each other on different faces, or with a step within one face.

    Args:
        plate: The frame.
        only: (t + 1,) triangles of which at least one must take part; all when absent.
    """
    columns = plate.triangle.shape[1]
    grid = plate.triangle.ravel()
    wanted = None if only is None else only[grid]
    found = []
    for stride in (1, columns):
        change = grid[stride:] != grid[:-stride]
        if wanted is not None:
            change &= wanted[stride:] | wanted[:-stride]
        cell = np.flatnonzero(change)
        # The last cell of a row is followed in memory by one that is not beside it.
        found.append(cell[cell % columns < columns - 1] if stride == 1 else cell)
    cell = np.concatenate(found)
    across = np.arange(len(cell)) < len(found[0])
    row, column = np.divmod(cell, columns)
    pitch = float(plate.pitch_px)
    pairs = Pairs(
        grid[cell],
        grid[cell + np.where(across, 1, columns)],
        (column + 0.5) * pitch,
        (row + 0.5) * pitch,
        np.where(across, pitch, 0.0),
        np.where(across, 0.0, pitch),
        np.zeros(len(cell), dtype=np.bool_),
    )
    pairs = pairs._replace(jump=_jumps(plate, pairs))
    key = plate.soup.face_key
    return pairs.only(np.flatnonzero((key[pairs.a] != key[pairs.b]) | pairs.jump))


def facets_of(soup: Soup, camera: Camera, triangle: Hits) -> Facets:
    """Gather the triangles that a grid names."""
    flag = np.zeros(len(soup.face_key), dtype=np.bool_)
    flag[triangle] = True
    seen = np.flatnonzero(flag[:-1])
    row = np.zeros(len(soup.face_key), dtype=np.int64)
    row[seen] = np.arange(len(seen))
    spots = camera.project(soup.corners_mm[seen])
    one, two = spots[:, 1] - spots[:, 0], spots[:, 2] - spots[:, 0]
    away = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0] > 0  # y points down in a frame
    normals = np.einsum("tck,ak->tca", soup.corner_normals[seen], camera.axes)
    normals[away] *= -1
    return Facets(row, seen, spots[..., :2], spots[..., 2], normals)


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


def _looker(
    tracer: Tracer, camera: Camera, first: int
) -> Callable[[FloatArray, FloatArray], Hits]:
    """Spots of the frame to triangles of the soup."""

    def look(x_px: FloatArray, y_px: FloatArray) -> Hits:
        hits = tracer.looking(camera, x_px, y_px)
        hits[hits >= 0] += first
        return hits

    return look


def _unsettled(plate: Plate) -> Mask:
    """Cells on either side of an edge."""
    mask = np.zeros(plate.triangle.shape, dtype=np.bool_)
    pairs = neighbours(plate)
    for x, y in (
        (pairs.x_px, pairs.y_px),
        (pairs.x_px + pairs.right_px, pairs.y_px + pairs.down_px),
    ):
        mask[(y / plate.pitch_px).astype(np.int64), (x / plate.pitch_px).astype(np.int64)] = (
            True
        )
    return mask


def _jumps(plate: Plate, pairs: Pairs) -> Mask:
    """Whether the surface breaks off between two cells, neither plane reaching the other."""
    facets = plate.facets
    jump = (pairs.a < 0) | (pairs.b < 0)
    both = np.flatnonzero(~jump)
    one = facets.planes[facets.row[pairs.a[both]]]
    base, slope_x, slope_y = (one - facets.planes[facets.row[pairs.b[both]]]).T
    apart_a = base + slope_x * pairs.x_px[both] + slope_y * pairs.y_px[both]
    apart_b = apart_a + slope_x * pairs.right_px[both] + slope_y * pairs.down_px[both]
    limit = JUMP_PX * plate.camera.mm_per_px * plate.pitch_px
    jump[both] = np.minimum(np.abs(apart_a), np.abs(apart_b)) > limit
    return jump
