"""A drawing of two numbers per pixel, lightness and tint, as a small palette PNG.

The palette holds 136 greys and five strengths of the mark's colour at 24 lightnesses each, so
no colours have to be found and the same drawing gives the same bytes.
"""

import io

import numpy as np
from PIL import Image

from witmark.adapters.raster.scene import Share
from witmark.review.brep import FloatArray

GREYS, TINTS, STEPS = 136, 5, 24
# Vermilion: told from grey with every common colour vision. Lightness, then red, green, blue.
MARK_RAMP = np.array(
    [
        [0.0, 20, 6, 0],
        [0.35, 122, 34, 0],
        [0.62, 206, 66, 0],
        [0.85, 244, 104, 22],
        [1.0, 255, 146, 78],
    ]
)
_STEP_OF_GREY = np.round(np.linspace(0, STEPS - 1, GREYS)).astype(np.uint8)
COMPRESS_LEVEL = 4  # on these drawings 5 % larger than level 6, in two thirds of the time


def encode(lightness: Share, tint: Share) -> bytes:
    """The PNG of a drawing; both arrays are (h, w) in 0..1."""
    index = (np.clip(lightness, 0, 1) * (GREYS - 1) + 0.5).astype(np.uint8).ravel()
    flat = tint.ravel()
    marked = np.flatnonzero(flat >= 0.5 / TINTS)
    strength = (np.minimum(flat[marked], 1) * TINTS + 0.5).astype(np.uint8)
    step = _STEP_OF_GREY[index[marked]]
    index[marked] = GREYS + (strength - np.uint8(1)) * np.uint8(STEPS) + step
    image = Image.fromarray(index.reshape(lightness.shape), mode="P")
    image.putpalette(_palette().tobytes())
    out = io.BytesIO()
    image.save(out, format="PNG", compress_level=COMPRESS_LEVEL)
    return out.getvalue()


def _palette() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The 256 colours, (256, 3)."""
    greys = np.repeat(np.linspace(0, 255, GREYS)[:, None], 3, axis=1)
    light = np.linspace(0, 1, STEPS)
    plain = np.repeat(light[:, None] * 255, 3, axis=1)
    mark: FloatArray = np.stack(
        [np.interp(light, MARK_RAMP[:, 0], MARK_RAMP[:, k]) for k in (1, 2, 3)], axis=1
    )
    mixed = [plain + (mark - plain) * (k / TINTS) for k in range(1, TINTS + 1)]
    return np.round(np.concatenate([greys, *mixed])).astype(np.uint8)
