"""A part's faces, edges and loops and how they touch, as plain arrays: no CAD kernel in sight.

Everything a feature recogniser or a rule may know about a shape stands here, so a review can
be decided again from stored arrays on a machine without a CAD kernel. Lengths are millimetres
in the part's own frame, angles radians, always.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class SurfaceKind(IntEnum):
    """What a face lies on, after canonical recognition. FREEFORM is "none of these"."""

    PLANE = 0
    CYLINDER = 1
    CONE = 2
    SPHERE = 3
    TORUS = 4
    FREEFORM = 5


class CurveKind(IntEnum):
    """What an edge lies on, after canonical recognition."""

    LINE = 0
    CIRCLE = 1
    ELLIPSE = 2
    FREEFORM = 3


class Convexity(IntEnum):
    """How the material folds along an edge, seen from outside it."""

    CONCAVE = -1
    SMOOTH = 0  # the outward normals differ by less than SMOOTH_WITHIN_RAD
    CONVEX = 1
    UNKNOWN = 2  # a boundary, a seam, a degenerate edge, or normals that do not exist


class BodyKind(IntEnum):
    """What a connected shape of a part is."""

    SOLID = 0
    SHEET = 1  # a shell or loose faces that bound no volume
    WIRE = 2  # edges without faces


SMOOTH_WITHIN_RAD = 0.05235987755982989  # 3 degrees: MECHANICAL.md section 4.3


@dataclass(frozen=True, slots=True)
class Brep:
    """The boundary of one part prototype. Arrays of one group share their first length.

    Faces (n). ``face_frame`` holds origin and axis together because neither means anything
    alone:

    - PLANE: origin = a point of the plane, axis = outward unit normal (away from material).
    - CYLINDER: origin = a point of the axis, axis = unit direction; ``face_radius_mm``.
    - CONE: origin = apex; axis = unit direction from the apex into the cone's nappe in use;
      ``face_half_angle_rad`` in (0, pi/2); ``face_radius_mm`` = largest radius in use.
    - SPHERE: origin = centre, axis = zeros; ``face_radius_mm``.
    - TORUS: origin = centre, axis = unit direction; ``face_radius_mm`` = major radius,
      ``face_minor_radius_mm``.
    - FREEFORM: origin = a point on the face, axis = outward unit normal there.

    Numbers that a kind does not have are NaN, never 0.
    """

    face_kind: IntArray  # (n,) SurfaceKind, after canonical recognition
    face_declared_kind: IntArray  # (n,) SurfaceKind, as the file has it
    face_origin_mm: FloatArray  # (n, 3)
    face_axis: FloatArray  # (n, 3)
    face_radius_mm: FloatArray  # (n,)
    face_minor_radius_mm: FloatArray  # (n,)
    face_half_angle_rad: FloatArray  # (n,)
    face_side: (
        IntArray  # (n,) +1 material inside the round (boss), -1 outside (bore), 0 neither
    )
    face_area_mm2: FloatArray  # (n,)
    face_sweep_rad: (
        FloatArray  # (n,) angle swept about the axis, 2*pi when full; NaN if no axis
    )
    face_along_mm: (
        FloatArray  # (n, 2) least and greatest height along the axis, from the origin
    )
    face_box_mm: FloatArray  # (n, 6) xmin ymin zmin xmax ymax zmax
    face_body: IntArray  # (n,) index into bodies
    face_step_record: IntArray  # (n,) the #number of its record; 0 if the file has none for it
    face_step_line: IntArray  # (n,) 1-based line in the file; 0 if none
    face_step_name: tuple[str, ...]  # (n,) the name written in the record, often ''
    face_colour: tuple[tuple[float, float, float] | None, ...]  # (n,) linear RGB 0..1

    # Edges (m). ``edge_faces`` is (left, right); -1 where there is none (a free boundary).
    # A seam has the same face twice.
    edge_kind: IntArray  # (m,) CurveKind
    edge_faces: IntArray  # (m, 2)
    edge_convexity: IntArray  # (m,) Convexity
    edge_fold_rad: FloatArray  # (m,) angle between the outward normals, 0..pi; NaN if unknown
    edge_length_mm: FloatArray  # (m,)
    edge_origin_mm: (
        FloatArray  # (m, 3) centre of a circle or ellipse, midpoint of a line; NaN for freeform
    )
    edge_axis: FloatArray  # (m, 3) circle and ellipse normal, line direction; NaN for freeform
    edge_radius_mm: FloatArray  # (m,) circle radius, ellipse major radius; NaN otherwise
    edge_point_start: IntArray  # (m + 1,) offsets into edge_point_mm
    edge_point_mm: (
        FloatArray  # (k, 3) polyline of every edge, start to end in the curve's own sense
    )

    # Loops (l): closed runs of oriented edges around a face.
    loop_face: IntArray  # (l,)
    loop_outer: NDArray[np.bool_]  # (l,)
    loop_start: IntArray  # (l + 1,) offsets into loop_edge / loop_forward
    loop_edge: IntArray  # (q,) edge index
    loop_forward: NDArray[np.bool_]  # (q,) the loop runs along the curve's own sense

    # Bodies (b).
    body_kind: IntArray  # (b,) BodyKind
    body_valid: NDArray[np.bool_]  # (b,) passed every validity check we have
    body_fault: tuple[str, ...]  # (b,) why not, in words; '' when valid
    body_box_mm: FloatArray  # (b, 6)

    @property
    def faces(self) -> int:
        """How many faces there are."""
        return len(self.face_kind)

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return len(self.edge_kind)

    @property
    def box_mm(self) -> FloatArray:
        """Bounding box of the whole part, (6,); NaN when there is no body."""
        if not len(self.body_box_mm):
            return np.full(6, np.nan)
        low = self.body_box_mm[:, :3].min(axis=0)
        return np.concatenate([low, self.body_box_mm[:, 3:].max(axis=0)])

    def edge_points_mm(self, edge: int) -> FloatArray:
        """The polyline of one edge, (p, 3)."""
        return self.edge_point_mm[self.edge_point_start[edge] : self.edge_point_start[edge + 1]]

    def loops_of(self, face: int) -> list[int]:
        """Loop indices of a face, the outer one first."""
        mine = np.flatnonzero(self.loop_face == face)
        return sorted((int(i) for i in mine), key=lambda i: (not self.loop_outer[i], i))

    def loop_points_mm(self, loop: int) -> FloatArray:
        """The closed polygon of a loop, (p, 3), last point not repeated."""
        runs = []
        for slot in range(self.loop_start[loop], self.loop_start[loop + 1]):
            points = self.edge_points_mm(int(self.loop_edge[slot]))
            runs.append((points if self.loop_forward[slot] else points[::-1])[:-1])
        return np.concatenate(runs) if runs else np.zeros((0, 3))
