"""Parallel rays against triangles: the one module that speaks to Embree.

Embree computes in float32. Coordinates are moved to the middle of the triangles before they
are narrowed, and rays start just outside of them; otherwise a part that lies a kilometre from
the origin would be drawn as a staircase.
"""

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from numpy.typing import NDArray

from witmark.adapters.raster.projection import Camera
from witmark.adapters.raster.scene import Hits
from witmark.review.brep import FloatArray


class Tracer:
    """Triangles ready to be looked at along parallel rays."""

    def __init__(self, corners_mm: FloatArray) -> None:
        self._scene: EmbreeScene | None = None
        self.centre_mm = np.zeros(3)
        self.radius_mm = 0.0
        if not len(corners_mm):
            return
        flat = corners_mm.reshape(-1, 3)
        self.centre_mm = (flat.min(axis=0) + flat.max(axis=0)) / 2
        moved = corners_mm - self.centre_mm
        self.radius_mm = float(np.sqrt((moved**2).sum(axis=2).max()))
        self._scene = EmbreeScene()
        TriangleMesh(self._scene, np.ascontiguousarray(moved, dtype=np.float32))
        # Embree builds its tree on the first ray: let that be now, not in somebody's picture.
        self.ahead(np.zeros((1, 3)), np.ones((1, 3)))

    def looking(self, camera: Camera, x_px: FloatArray, y_px: FloatArray) -> Hits:
        """The nearest triangle under each spot of a frame, -1 where there is none."""
        right, down, eye = camera.axes
        middle = np.array(camera.centre_mm) - self.centre_mm
        outside = 1.001 * self.radius_mm + 1e-6 - float((middle * eye).sum())
        corner = middle + outside * eye
        corner = corner - camera.mm_per_px * (
            camera.width_px / 2 * right + camera.height_px / 2 * down
        )
        start = np.empty((len(x_px), 3), dtype=np.float32)
        for k in range(3):
            across, below = camera.mm_per_px * right[k], camera.mm_per_px * down[k]
            start[:, k] = corner[k] + across * x_px + below * y_px
        return self._run(start, -eye)

    def ahead(self, points_mm: FloatArray, directions: FloatArray) -> Hits:
        """The first triangle from each point onwards; directions are (n, 3)."""
        start = (points_mm - self.centre_mm).astype(np.float32)
        return self._run(start, directions)

    def _run(self, start: NDArray[np.float32], directions: FloatArray) -> Hits:
        if self._scene is None or not len(start):
            return np.full(len(start), -1, dtype=np.int32)
        hits: Hits = self._scene.run(
            start, np.broadcast_to(directions.astype(np.float32), start.shape)
        )
        return hits
