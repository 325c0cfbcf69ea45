"""What every recogniser hands back: a named shape on some faces, with measured facts."""

from collections.abc import Mapping
from dataclasses import dataclass

Fact = float | int | bool | str | None
"""A measured value; ``None`` says that it could not be measured, never that it is zero."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One stretch of a hole along its axis, in the order entry to bottom."""

    kind: str  # drill, counterbore, countersink, spot face, ...
    d_mm: float | None  # diameter; of a cone its largest
    d_small_mm: float | None  # least diameter of a cone, None for a cylinder
    depth_mm: float | None
    angle_deg: float | None  # included angle of a cone
    coverage: float | None
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Feature:
    """A machining feature of one part, in the part's own frame, unrounded."""

    kind: str  # the trade's name: hole, countersink, in-line bores, pocket, slot, ...
    faces: tuple[int, ...]  # sorted
    at_mm: tuple[float, float, float]
    direction: tuple[float, float, float] | None
    facts: Mapping[str, Fact]
    segments: tuple[Segment, ...] = ()
