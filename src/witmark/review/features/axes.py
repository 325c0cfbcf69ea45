"""Inner round walls sorted by the line they turn about.

A hole is drilled along one line, so everything about it is told in that line's terms: how far
along, how far from it, at what angle around it. An ``Axis`` is that frame; a wall is a
cylinder or cone with material outside it.
"""

import math
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import Brep, FloatArray, IntArray, SurfaceKind

COAXIAL_WITHIN_MM = 0.01  # RULES.md P37: up to here in-line bores count as exactly in line
PARALLEL_WITHIN_RAD = 1e-3  # of one bore; real exports stray a few 1e-5


@dataclass(frozen=True, slots=True)
class Axis:
    """A directed line with a reference direction around it."""

    origin_mm: FloatArray  # (3,)
    along: FloatArray  # (3,) unit
    x: FloatArray  # (3,) unit, where angles begin
    y: FloatArray  # (3,) unit, along x x

    def heights_mm(self, points_mm: FloatArray) -> FloatArray:
        """Axial coordinates of points (..., 3)."""
        height: FloatArray = (points_mm - self.origin_mm) @ self.along
        return height

    def angles_rad(self, points_mm: FloatArray) -> FloatArray:
        """Angles of points (..., 3) around the axis, -pi..pi."""
        arms = points_mm - self.origin_mm
        return np.arctan2(arms @ self.y, arms @ self.x)

    def off_mm(self, point_mm: FloatArray) -> float:
        """Distance of one point from the line."""
        arm = point_mm - self.origin_mm
        rest = arm - (arm @ self.along) * self.along
        return math.sqrt(float(rest @ rest))

    def is_parallel(
        self, direction: FloatArray, within_rad: float = PARALLEL_WITHIN_RAD
    ) -> bool:
        """Whether a unit direction runs along the line, either way."""
        rest = direction - (direction @ self.along) * self.along
        return math.sqrt(float(rest @ rest)) <= within_rad

    def point_mm(self, height_mm: float) -> FloatArray:
        """The point of the line at an axial coordinate."""
        return self.origin_mm + height_mm * self.along


@dataclass(frozen=True, slots=True)
class RoundWall:
    """One inner cylinder or cone face, measured along its group's axis."""

    face: int
    low_mm: float
    high_mm: float
    low_radius_mm: float  # equal to high_radius_mm for a cylinder
    high_radius_mm: float
    half_angle_rad: float  # 0 for a cylinder; negative if it narrows along the axis
    sweep_rad: float


@dataclass(frozen=True, slots=True)
class AxisGroup:
    """All inner round walls of one body that turn about one line, lowest first."""

    axis: Axis
    walls: tuple[RoundWall, ...]


def axis_through(origin_mm: FloatArray, along: FloatArray) -> Axis:
    """A frame on a line; the reference direction is arbitrary and no fact depends on it."""
    least = int(np.argmin(np.abs(along)))
    x = -along[least] * along
    x[least] += 1.0
    x /= math.sqrt(float(x @ x))
    return Axis(origin_mm, along, x, _cross(along, x))


def _cross(one: FloatArray, other: FloatArray) -> FloatArray:
    """The cross product of two single vectors; numpy's own takes ten times as long."""
    (a, b, c), (x, y, z) = one.tolist(), other.tolist()
    return np.array([b * z - c * y, c * x - a * z, a * y - b * x])


def inner_round_walls(brep: Brep) -> IntArray:
    """Faces that could be the wall of a hole: cylinders and cones with material outside."""
    round_ = np.isin(brep.face_kind, (SurfaceKind.CYLINDER, SurfaceKind.CONE))
    return np.flatnonzero(
        round_ & (brep.face_side == -1) & np.isfinite(brep.face_along_mm[:, 0])
    )


def axis_groups(brep: Brep) -> list[AxisGroup]:
    """Coaxial groups, the widest face first, so that the order of faces does not matter."""
    left = inner_round_walls(brep)
    left = left[np.lexsort((left, -brep.face_area_mm2[left]))]
    along = brep.face_axis[left]
    middle = brep.face_origin_mm[left] + along * brep.face_along_mm[left].mean(axis=1)[:, None]
    groups = []
    while len(left):
        off, skew = _aside(middle - middle[0], along[0]), _aside(along, along[0])
        mine = (off <= COAXIAL_WITHIN_MM) & (skew <= PARALLEL_WITHIN_RAD)
        mine &= brep.face_body[left] == brep.face_body[left[0]]
        mine[0] = True
        axis = axis_through(middle[0], along[0])
        groups.append(AxisGroup(axis, _measured(brep, axis, left[mine])))
        left, along, middle = left[~mine], along[~mine], middle[~mine]
    return groups


def _aside(vectors: FloatArray, along: FloatArray) -> FloatArray:
    """Lengths of vectors (k, 3) once their share along a direction is taken out."""
    rest = vectors - (vectors @ along)[:, None] * along
    length: FloatArray = np.sqrt((rest * rest).sum(axis=1))
    return length


def _measured(brep: Brep, axis: Axis, faces: IntArray) -> tuple[RoundWall, ...]:
    walls = [_wall(brep, axis, face) for face in faces.tolist()]
    return tuple(sorted(walls, key=lambda wall: (wall.low_mm, wall.high_mm, wall.face)))


def _wall(brep: Brep, axis: Axis, face: int) -> RoundWall:
    sense = 1.0 if float(brep.face_axis[face] @ axis.along) > 0 else -1.0
    base = float(axis.heights_mm(brep.face_origin_mm[face]))
    low, high = sorted(base + sense * float(at) for at in brep.face_along_mm[face])
    sweep = float(brep.face_sweep_rad[face])
    if brep.face_kind[face] == SurfaceKind.CYLINDER:
        radius = float(brep.face_radius_mm[face])
        return RoundWall(face, low, high, radius, radius, 0.0, sweep)
    half = float(brep.face_half_angle_rad[face])
    radii = [abs(end - base) * math.tan(half) for end in (low, high)]
    return RoundWall(face, low, high, radii[0], radii[1], sense * half, sweep)
