"""A parallel projection: from the assembly's frame to pixels and back."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from witmark.review.brep import FloatArray

Direction = tuple[float, float, float]  # unit, in the assembly's frame


@dataclass(frozen=True, slots=True)
class Camera:
    """A parallel projection. Pixel (0, 0) has its corner at the top left."""

    toward_eye: Direction
    centre_mm: tuple[float, float, float]
    mm_per_px: float
    width_px: int
    height_px: int

    @property
    def axes(self) -> FloatArray:
        """Rows: right, down, towards the eye; orthonormal."""
        return _axes(self.toward_eye)

    def project(self, points_mm: FloatArray) -> FloatArray:
        """Pixel x, pixel y, and height towards the eye in mm, (..., 3)."""
        # Not "@": a threaded BLAS spins a second core for as long as the product takes.
        x, y, z = (points_mm[..., k] - self.centre_mm[k] for k in range(3))
        seen = np.empty(points_mm.shape)
        half = (self.width_px / 2, self.height_px / 2, 0.0)
        scaled = self.axes / np.array([[self.mm_per_px], [self.mm_per_px], [1.0]])
        for k, axis in enumerate(scaled):
            seen[..., k] = x * axis[0] + y * axis[1] + z * axis[2] + half[k]
        return seen

    def point(self, x_px: float, y_px: float) -> tuple[float, float, float]:
        """The point of the picture plane under a spot of the frame."""
        right, down, _ = self.axes * self.mm_per_px
        x, y = x_px - self.width_px / 2, y_px - self.height_px / 2
        where = np.array(self.centre_mm) + x * right + y * down
        return float(where[0]), float(where[1]), float(where[2])


@lru_cache(maxsize=256)
def _axes(toward_eye: Direction) -> FloatArray:
    eye = np.array(toward_eye)
    up = np.array([0.0, 0.0, 1.0] if abs(eye[2]) < 0.99 else [0.0, 1.0, 0.0])
    right = np.cross(up, eye)
    right /= np.linalg.norm(right)
    axes = np.stack([right, -np.cross(eye, right), eye])
    axes.setflags(write=False)  # shared by every caller
    return axes
