"""What every recogniser hands back: a named shape on some faces, with measured facts."""

from collections.abc import Mapping
from dataclasses import dataclass

Fact = float | int | bool | str | None
"""A measured value, not yet rounded; ``None`` says that it could not be measured."""

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Segment:
    """One stretch of a hole along its axis, in the order entry to bottom."""

    kind: str  # drill, counterbore, spot face, ...: see segments.py
    d_mm: float | None  # diameter; of a cone its largest
    d_small_mm: float | None  # least diameter of a cone; None for a cylinder
    depth_mm: float | None  # length along the axis
    angle_deg: float | None  # included angle of a cone; None for a cylinder
    coverage: float | None  # share of the full turn, gaps that other features cut not missing
    faces: tuple[int, ...]
    start_mm: float | None  # where it begins, along the axis from the mouth's centre


@dataclass(frozen=True, slots=True)
class Feature:
    """A machining feature of one part, in the part's own frame."""

    kind: str  # as the vocabulary spells it: hole, countersink, inline, pocket, ...
    faces: tuple[int, ...]  # sorted
    at_mm: Triple
    direction: Triple | None
    facts: Mapping[str, Fact]
    segments: tuple[Segment, ...] = ()
