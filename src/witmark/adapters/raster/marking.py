"""The mark: the target's own colour, a rim around it, and a dashed trace where it is covered.

Colour is never the only cue: the rim survives a grey print, the dashes say "behind".
"""

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from witmark.adapters.raster.cameras import extent_px
from witmark.adapters.raster.plates import Plate
from witmark.adapters.raster.projection import Camera
from witmark.adapters.raster.scene import Share, Soup
from witmark.adapters.raster.tracing import Tracer
from witmark.review.brep import FloatArray, IntArray

BORDER_PX = 8  # room for rim and ring around what is marked
RIM_LIGHT = np.float32(0.58)
BEHIND_TINT = np.float32(0.4)
DASH_PX = 6
SMALLEST_RING_PX = 10.0
LARGEST_RING_PX = 80.0  # a clump beyond that is seen without help
RING_GRID_PX = 4  # clumps are told apart on this grid; 8 px between marks are one clump


@dataclass(slots=True)
class Sheet:
    """A drawing under way, changed in place: lightness and tint, both (h, w) in 0..1."""

    light: Share
    tint: Share


@dataclass(frozen=True, slots=True)
class Marked:
    """How much of the target a sheet shows."""

    open_px: int  # pixels that the target holds against its own component
    behind_px: int  # pixels where the component covers it


def mark(sheet: Sheet, plate: Plate, target: IntArray, *, see_through: bool = False) -> Marked:
    """Draw the target onto a sheet made from the plate.

    Args:
        sheet: Changed in place.
        plate: The component that the target belongs to.
        target: Triangles of the soup.
        see_through: Draw covered parts as if nothing were in front of them.
    """
    box = _box(plate.soup, plate.camera, target)
    wanted = np.zeros(len(plate.soup.face_key), dtype=np.bool_)
    wanted[target] = True
    seen = wanted[plate.triangle[box]].astype(np.float32)
    behind = _behind(plate, target, box, seen)
    light, tint = sheet.light[box], sheet.tint[box]
    if see_through:
        light += behind * (np.float32(0.9) - light) * np.float32(0.5)
    _dashes(light, tint, seen, behind, box)
    np.maximum(tint, behind * (np.float32(0.85) if see_through else BEHIND_TINT), out=tint)
    np.maximum(tint, seen, out=tint)
    _rim(light, tint, np.maximum(seen, behind) if see_through else seen)
    return Marked(int((seen > 0.5).sum()), int(((behind > 0.5) & (seen <= 0.5)).sum()))


def circle_small_marks(sheet: Sheet) -> None:
    """A ring around every clump of marks, so that specks in a large frame are found."""
    coarse = sheet.tint[::RING_GRID_PX, ::RING_GRID_PX] > 0
    clumps, _ = ndimage.label(ndimage.binary_dilation(coarse, iterations=3))
    for rows, columns in ndimage.find_objects(clumps):
        low = np.array([columns.start, rows.start]) * RING_GRID_PX
        high = np.array([columns.stop, rows.stop]) * RING_GRID_PX
        x, y = (low + high) / 2
        radius = float(np.hypot(*(high - low))) / 2
        if radius <= LARGEST_RING_PX:
            ring(sheet, float(x), float(y), radius)


def ring_around(sheet: Sheet, low_px: FloatArray, high_px: FloatArray) -> None:
    """A ring around a rectangle, unless that is so large that nobody needs it."""
    radius = max(float(np.hypot(*(high_px - low_px))) / 2 + 4, SMALLEST_RING_PX)
    if radius < sheet.light.shape[0] / 3:
        x, y = (low_px + high_px) / 2
        ring(sheet, float(x), float(y), radius)


def ring(sheet: Sheet, x_px: float, y_px: float, radius_px: float) -> None:
    """A ring with a light hem, so that it stands off from any ground."""
    height, width = sheet.light.shape
    reach = radius_px + 4
    top, bottom = max(int(y_px - reach), 0), min(int(y_px + reach) + 1, height)
    left, right = max(int(x_px - reach), 0), min(int(x_px + reach) + 1, width)
    box = np.s_[top:bottom, left:right]
    y, x = np.mgrid[box]
    off = np.abs(np.hypot(x + 0.5 - x_px, y + 0.5 - y_px) - radius_px)
    hem = np.clip(3.2 - off, 0, 1).astype(np.float32)
    line = np.clip(1.9 - off, 0, 1).astype(np.float32)
    light, tint = sheet.light[box], sheet.tint[box]
    light += hem * (1 - light)
    tint *= 1 - hem
    light += line * (np.float32(0.7) - light)
    np.maximum(tint, line, out=tint)


def _box(soup: Soup, camera: Camera, target: IntArray) -> tuple[slice, slice]:
    """The part of the frame that the mark may touch."""
    low, high = extent_px(soup, camera, target)
    size = np.array([camera.width_px, camera.height_px])
    low = np.clip(np.floor(low) - BORDER_PX, 0, size).astype(int)
    high = np.clip(np.ceil(high) + BORDER_PX, 0, size).astype(int)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _behind(plate: Plate, target: IntArray, box: tuple[slice, slice], seen: Share) -> Share:
    """Where the target lies under other faces of its component, softened by a pixel."""
    covered = (seen < 1) & (plate.triangle[box] >= 0)
    out = np.zeros(seen.shape, dtype=np.float32)
    row, column = np.nonzero(covered)
    if not len(row):
        return out
    camera = plate.camera
    tracer = Tracer(plate.soup.corners_mm[target])
    x, y = column + box[1].start + 0.5, row + box[0].start + 0.5
    out[row, column] = tracer.looking(camera, x, y) >= 0
    softened: Share = np.minimum(ndimage.uniform_filter(out, 3), covered)
    return softened


def _dashes(
    light: Share, tint: Share, seen: Share, behind: Share, box: tuple[slice, slice]
) -> None:
    """A dashed line along the edge of what is covered."""
    whole = ndimage.uniform_filter(np.maximum(seen, behind), 3)
    y = np.arange(box[0].start, box[0].stop)[:, None] // DASH_PX
    x = np.arange(box[1].start, box[1].stop)[None, :] // DASH_PX
    edge = np.clip(5 * whole * (1 - whole), 0, 1) * (behind > 0) * ((x + y) % 2 == 0)
    light += edge.astype(np.float32) * (RIM_LIGHT - light)
    np.maximum(tint, edge.astype(np.float32), out=tint)


def _rim(light: Share, tint: Share, shape: Share) -> None:
    """A line of the mark's colour just outside a shape, two pixels wide and smooth."""
    near = ndimage.gaussian_filter(shape, 1.6, truncate=2.5)
    line = np.clip(6 * near - 0.35, 0, 1) * (1 - shape)
    light += line * (np.minimum(RIM_LIGHT, light) - light)
    np.maximum(tint, line, out=tint)
