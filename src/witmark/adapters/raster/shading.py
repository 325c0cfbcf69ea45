"""Surfaces under a soft light from the upper left.

Lightness runs from 0 (black) to 1 (paper).
"""

import numpy as np

from witmark.adapters.raster.plates import Plate, plane_over_frame
from witmark.adapters.raster.scene import Share

KEY_LIGHT = np.array([-0.40, -0.62, 0.68])  # right, down, towards the eye
DARKEST, RANGE = 0.60, 0.38  # lightness of a surface turned away from the light, and the rest


def lightness(plate: Plate) -> Share:
    """Shade of every cell; paper where there is nothing."""
    light = _light_planes(plate)
    rows, columns = plate.triangle.shape
    flat = plate.triangle.ravel()
    out = np.ones(flat.shape, dtype=np.float32)
    inside = np.flatnonzero(flat >= 0)
    if not len(inside):
        return out.reshape(rows, columns)
    facet = plate.facets.row[flat[inside]]
    row, column = np.divmod(inside.astype(np.int32), np.int32(columns))
    pitch = np.float32(plate.pitch_px)
    value = light[1][facet] * ((column + np.float32(0.5)) * pitch)
    value += light[2][facet] * ((row + np.float32(0.5)) * pitch)
    value += light[0][facet]
    # A triangle's plane is not followed beyond the triangle's own range of shades.
    out[inside] = np.clip(value, light[3][facet], light[4][facet])
    return out.reshape(rows, columns)


def _light_planes(plate: Plate) -> Share:
    """Per facet: a, b, c of the shade over the frame, and its least and greatest; (5, n)."""
    unit = KEY_LIGHT / np.linalg.norm(KEY_LIGHT)
    turned = np.einsum("tca,a->tc", plate.facets.normals, unit)
    shade = DARKEST + RANGE * np.clip(0.25 + 0.75 * turned, 0, 1)
    table = np.empty((5, len(shade)), dtype=np.float32)
    table[:3] = plane_over_frame(plate.facets.spots_px, shade).T
    table[3], table[4] = shade.min(axis=1), shade.max(axis=1)
    return table
