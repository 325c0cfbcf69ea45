"""A hole's measured facts, under the names of the fact vocabulary."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from witmark.review.features.drill_list import off_list_mm
from witmark.review.features.feature import Fact, Feature, Segment
from witmark.review.features.holes import Hole
from witmark.review.features.mouths import Opening
from witmark.review.features.segments import SAME_D_MM

_SEATS = ("spot face", "groove")  # cut beside the drilling, not by it
_SHORT = 0.5  # of its diameter: a longer gap between two bores of one size ends the first
_ENTRY = ("hole.entry_angle", "hole.entry_kind", "hole.entry_flat")
_EXIT = ("hole.exit_angle", "hole.exit_kind", "hole.exit_flat")
_SIZE = ("hole.d", "hole.depth", "hole.ld", "hole.step_order", "hole.d_off_list")
HOLE_FACTS = (
    *_SIZE,
    "hole.through",
    "hole.bottom",
    "hole.bottom_angle",
    "hole.coverage",
    *_ENTRY,
    *_EXIT,
)


def hole_feature(hole: Hole) -> Feature:
    """The hole as a feature; its second-pass facts are in ``review.measures``."""
    return Feature(
        hole.kind, hole.faces, hole.at_mm, hole.direction, hole_facts(hole), hole.segments
    )


def hole_facts(hole: Hole) -> Mapping[str, Fact]:
    """Every first-pass ``hole.*`` fact; ``None`` where it cannot be measured.

    Of an annular groove or a closed cavity nothing was drilled, so they have no hole facts.
    """
    if hole.kind in ("annular_groove", "closed_cavity"):
        return {}
    facts: dict[str, Fact] = dict.fromkeys(HOLE_FACTS)
    if not hole.goes_on:
        facts |= _sizes(hole)
    facts |= {
        "hole.through": hole.through,
        "hole.bottom": hole.bottom,
        "hole.bottom_angle": hole.bottom_angle_deg,
        "hole.coverage": _coverage(hole),
    }
    facts |= _mouth(_ENTRY, hole.entry, hole.segments)
    if hole.through:
        facts |= _mouth(_EXIT, hole.exit, hole.segments[::-1])
    return facts


def _sizes(hole: Hole) -> dict[str, Fact]:
    bores = hole.cylinders
    if not bores:
        cone = hole.segments[-1]
        return {"hole.d": cone.d_small_mm or cone.d_mm, "hole.depth": hole.length_mm}
    least = min(_d(bore) for bore in bores)
    drilled = drillings_mm(hole.segments)
    off_list = [off for bore in bores if (off := off_list_mm(_d(bore))) is not None]
    return {
        "hole.d": least,
        "hole.depth": max(depth for d, depth in drilled if d - least <= SAME_D_MM),
        "hole.ld": max(depth / d for d, depth in drilled),
        "hole.step_order": step_order(
            [_d(b) for b in bores if b.kind not in _SEATS], blind=not hole.through
        ),
        "hole.d_off_list": max(off_list, default=None),
    }


def drillings_mm(segments: Sequence[Segment]) -> list[tuple[float, float]]:
    """Diameter and whole length of everything that was drilled or bored in one go.

    Bores of one diameter are one drilling across a groove, or across bevels as short, that
    only widen it: the tool went through before the groove was turned.
    """
    found: list[tuple[float, float, float]] = []
    widened = True
    for segment in segments:
        if segment.kind == "groove" or segment.angle_deg is not None:
            widened = widened and not _narrows(segment, found[-1][0] if found else 0.0)
            continue
        d, start = _d(segment), segment.start_mm or 0.0
        end = start + (segment.depth_mm or 0.0)
        if found and widened and _goes_on(found[-1], d, start):
            found[-1] = (min(d, found[-1][0]), found[-1][1], end)
        else:
            found.append((d, start, end))
        widened = True
    return [(d, end - start) for d, start, end in found]


def _narrows(segment: Segment, d_mm: float) -> bool:
    return (segment.d_small_mm or _d(segment)) < d_mm - SAME_D_MM


def _goes_on(before: tuple[float, float, float], d_mm: float, start_mm: float) -> bool:
    return abs(before[0] - d_mm) <= SAME_D_MM and start_mm - before[2] <= _SHORT * d_mm


def step_order(d_mm: Sequence[float], *, blind: bool) -> str:
    """How the diameters change from the entry on: single, monotone, waisted or bulged.

    A blind hole that grows inwards is bulged: its bottom closes what the tool cannot reach.

    >>> step_order([16, 10], blind=True), step_order([10, 16], blind=True)
    ('monotone', 'bulged')
    >>> step_order([16, 10, 16], blind=False), step_order([10, 16, 10], blind=False)
    ('waisted', 'bulged')
    """
    steps = [d for i, d in enumerate(d_mm) if not i or abs(d - d_mm[i - 1]) > SAME_D_MM]
    if len(steps) <= 1:
        return "single"
    rises = [after > before for before, after in pairwise(steps)]
    rises += [False] if blind else []
    if (True, False) in pairwise(rises):
        return "bulged"
    return "waisted" if (False, True) in pairwise(rises) else "monotone"


def _d(segment: Segment) -> float:
    return segment.d_mm or 0.0


def _coverage(hole: Hole) -> float | None:
    """The least coverage of the walls; a spot face may run over the part's edge."""
    bores = [s for s in hole.cylinders if s.kind not in _SEATS] or list(hole.segments)
    covers = [segment.coverage for segment in bores]
    known = [cover for cover in covers if cover is not None]
    return min(known) if len(known) == len(covers) else None


def _mouth(
    names: tuple[str, str, str], opening: Opening | None, inward: Sequence[Segment]
) -> dict[str, Fact]:
    if opening is None or opening.kind is None:
        return dict.fromkeys(names)
    return dict(zip(names, (opening.angle_deg, opening.kind, _flat(inward)), strict=True))


def _flat(inward: Sequence[Segment]) -> float:
    """Diameter of the flat at a mouth over the diameter it serves; 0 when there is none.

    The flat is the floor of the first bore when the next one, narrower, begins right in it.
    """
    bores = [i for i, s in enumerate(inward) if s.angle_deg is None and s.kind != "groove"]
    if len(bores) < 2 or bores[1] != bores[0] + 1:
        return 0.0
    seat, served = inward[bores[0]], inward[bores[1]]
    return _d(seat) / _d(served) if _d(seat) > _d(served) + SAME_D_MM else 0.0
