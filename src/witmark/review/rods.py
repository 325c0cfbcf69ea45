"""Gaps between round rods of finite length: the walls that stand between holes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import FloatArray

_PARALLEL_RAD = 1e-6
_BEHIND_MM = 1e-6
_TURNS = 2000
_SETTLED_MM = 1e-11


@dataclass(frozen=True, slots=True)
class Rod:
    """The space of one wall of a hole, from the entry's side towards the bottom."""

    start: FloatArray  # (3,) mm
    along: FloatArray  # (3,) unit
    length_mm: float
    radius_mm: float
    closed: bool  # a bottom ends it

    @property
    def end(self) -> FloatArray:
        """The middle of its far end."""
        return self.start + self.length_mm * self.along


def least_gap_mm(
    rods: Sequence[Rod], others: Sequence[Rod], *, closer_than_mm: float = math.inf
) -> float:
    """Least gap between two holes' rods below a bound; infinite when no wall lies between.

    Rods that run parallel have a wall between them where they stand side by side, or where
    two closed ends face each other. A rod inside another is a hole in an island: no wall
    parts the two. Negative when they cut into each other.
    """
    least = closer_than_mm
    for rod in rods:
        for other in others:
            least = min(least, _gap_mm(rod, other, least))
    return least if least < closer_than_mm else math.inf


def least_off_mm(rod: Rod, points: FloatArray) -> float:
    """Least distance of points (k, 3) from a solid rod."""
    arms = points - rod.start
    heights = arms @ rod.along
    sides = np.linalg.norm(arms - heights[:, None] * rod.along, axis=1) - rod.radius_mm
    beyond = np.maximum(np.maximum(-heights, heights - rod.length_mm), 0.0)
    return float(np.hypot(np.maximum(sides, 0.0), beyond).min())


def _gap_mm(rod: Rod, other: Rod, best: float) -> float:
    off, inside = _axes_off_mm(rod, other)
    gap = off - rod.radius_mm - other.radius_mm
    if gap >= best:
        return math.inf
    if float(np.linalg.norm(np.cross(rod.along, other.along))) <= _PARALLEL_RAD:
        return _parallel_gap_mm(rod, other)
    return gap if inside else _apart_mm(rod, other)


def _parallel_gap_mm(rod: Rod, other: Rod) -> float:
    arm = other.start - rod.start
    first, last = (float((p - rod.start) @ rod.along) for p in (other.start, other.end))
    side = float(np.linalg.norm(arm - (arm @ rod.along) * rod.along))
    beside = side - rod.radius_mm - other.radius_mm
    behind = max(min(first, last) - rod.length_mm, -max(first, last))
    if behind < -_BEHIND_MM:
        nested = side + min(rod.radius_mm, other.radius_mm) <= max(
            rod.radius_mm, other.radius_mm
        )
        return math.inf if nested else beside
    facing = rod.closed and other.closed and rod.length_mm - _BEHIND_MM <= last < first
    return math.hypot(max(beside, 0.0), behind) if facing else math.inf


def _axes_off_mm(rod: Rod, other: Rod) -> tuple[float, bool]:
    """Distance of two axes, and whether it is taken inside both of them."""
    arm, turn = rod.start - other.start, float(rod.along @ other.along)
    back, forth = float(rod.along @ arm), float(other.along @ arm)
    square = 1.0 - turn * turn
    at = (turn * forth - back) / square if square > _PARALLEL_RAD**2 else 0.0
    at = min(max(at, 0.0), rod.length_mm)
    its = min(max(turn * at + forth, 0.0), other.length_mm)
    at = min(max(turn * its - back, 0.0), rod.length_mm)
    inside = 0.0 < at < rod.length_mm and 0.0 < its < other.length_mm
    return float(np.linalg.norm(arm + at * rod.along - its * other.along)), inside


def _apart_mm(rod: Rod, other: Rod) -> float:
    """Distance of two solid rods: from one to the other and back until it stays the same.

    Projecting onto two convex bodies in turn ends at their nearest points.
    """
    point, apart = other.start, math.inf
    for _ in range(_TURNS):
        here = _nearest(rod, point)
        point = _nearest(other, here)
        before, apart = apart, float(np.linalg.norm(point - here))
        if before - apart <= _SETTLED_MM:
            break
    return apart


def _nearest(rod: Rod, point: FloatArray) -> FloatArray:
    arm = point - rod.start
    height = float(arm @ rod.along)
    side = arm - height * rod.along
    off = float(np.linalg.norm(side))
    if off > rod.radius_mm:
        side = side * (rod.radius_mm / off)
    nearest: FloatArray = rod.start + min(max(height, 0.0), rod.length_mm) * rod.along + side
    return nearest
