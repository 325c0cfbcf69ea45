"""Parallel rays against triangles: the one module that speaks to Embree.

Embree computes in float32. Coordinates are moved to the middle of the triangles before they
are narrowed, and rays start just outside of them; otherwise a part that lies a kilometre from
the origin would be drawn as a staircase.
"""

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

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

    def looking(self, points_mm: FloatArray, direction: FloatArray) -> Hits:
        """The first triangle along ``direction`` on the whole line through each point.

        Returns:
            (n,) triangle index, -1 where the line meets nothing.
        """
        moved = points_mm - self.centre_mm
        along = moved @ direction
        outside = 1.001 * self.radius_mm + 1e-6
        return self._run(moved - (along + outside)[:, None] * direction, direction)

    def ahead(self, points_mm: FloatArray, directions: FloatArray) -> Hits:
        """The first triangle from each point onwards; directions are (n, 3)."""
        return self._run(points_mm - self.centre_mm, directions)

    def _run(self, origins: FloatArray, directions: FloatArray) -> Hits:
        if self._scene is None or not len(origins):
            return np.full(len(origins), -1, dtype=np.int32)
        start = np.ascontiguousarray(origins, dtype=np.float32)
        course = np.broadcast_to(directions.astype(np.float32), start.shape)
        hits: Hits = self._scene.run(start, np.ascontiguousarray(course))
        return hits
