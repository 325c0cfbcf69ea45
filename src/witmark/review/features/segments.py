"""The stretches of a hole, entry to bottom, under the names that the trade gives them."""

import math
from collections.abc import Sequence
from dataclasses import replace

from witmark.review.features.drill_list import LAST_MM
from witmark.review.features.feature import Segment
from witmark.review.features.graph import FaceGraph
from witmark.review.features.mouths import End
from witmark.review.features.stacks import Stack
from witmark.review.features.walls import Run

SAME_D_MM = 0.01  # diameters within this are one diameter
_CHAMFER = 0.15  # of the diameter: a narrower cone at a mouth only breaks the edge
_TAPER_DEG = 20.0  # a slimmer included angle is a tapered wall, not a countersink
_SPOT_FACE = 0.12  # of its diameter: a shallower counterbore only makes a seat
_GROOVE = 0.3  # of the bore's diameter: a narrower recess in a wall is a groove


def segments_of(
    graph: FaceGraph,
    stack: Stack,
    ends: tuple[End, End],
    covers: Sequence[float | None],
    *,
    downward: bool = False,
) -> tuple[Segment, ...]:
    """Measure and name the runs of a stack, upward along the axis or downward."""
    bounds = _bounds(graph, stack, ends)
    first = ends[1].height_mm if downward else ends[0].height_mm
    drafts = [
        _draft(run, low, high, cover, abs((high if downward else low) - first))
        for run, (low, high), cover in zip(stack.runs, bounds, covers, strict=True)
    ]
    if downward:
        drafts.reverse()
    closed = (ends[0] if downward else ends[1]).opening is None
    return _named(drafts, closed=closed)


def _bounds(graph: FaceGraph, stack: Stack, ends: tuple[End, End]) -> list[tuple[float, float]]:
    """Where each run begins and ends once mouths, floors and fillets are reckoned in.

    A slanted mouth is cut at the axis; a fillet between two runs belongs to the one it
    rounds: at a shoulder's foot the larger, at its edge the smaller.
    """
    runs = stack.runs
    lows, highs = [run.low_mm for run in runs], [run.high_mm for run in runs]
    for i in range(len(runs) - 1):
        at_foot = any(graph.brep.face_side[face] == -1 for face in stack.joints)
        wider_first = runs[i].radius_mm > runs[i + 1].radius_mm
        if wider_first == at_foot:
            highs[i] = max(highs[i], lows[i + 1])
        else:
            lows[i + 1] = min(lows[i + 1], highs[i])
    if runs[0].is_cylinder or ends[0].opening is not None:
        lows[0] = ends[0].height_mm
    if runs[-1].is_cylinder or ends[1].opening is not None:
        highs[-1] = ends[1].height_mm
    return list(zip(lows, highs, strict=True))


def _draft(run: Run, low: float, high: float, cover: float | None, start: float) -> Segment:
    radii = sorted((run.low_radius_mm, run.high_radius_mm))
    cone = not run.is_cylinder
    return Segment(
        kind="",
        d_mm=2 * radii[1],
        d_small_mm=2 * radii[0] if cone else None,
        depth_mm=high - low,
        angle_deg=math.degrees(2 * abs(run.half_angle_rad)) if cone else None,
        coverage=cover,
        faces=run.faces,
        start_mm=start,
    )


def _named(drafts: list[Segment], *, closed: bool) -> tuple[Segment, ...]:
    bores = [i for i, draft in enumerate(drafts) if draft.angle_deg is None]
    kinds = {}
    for place, i in enumerate(bores):
        before = drafts[bores[place - 1]] if place else None
        after = drafts[bores[place + 1]] if place + 1 < len(bores) else None
        kinds[i] = _bore_kind(drafts[i], before, after, closed=closed)
    for i, draft in enumerate(drafts):
        if draft.angle_deg is not None:
            last = i == len(drafts) - 1
            point = last and bool(bores) and (closed or _narrows_from(drafts[i - 1], draft))
            at_end = i == 0 or last
            kinds[i] = "drill point" if point else _cone_kind(draft, at_end=at_end)
    return tuple(replace(draft, kind=kinds[i]) for i, draft in enumerate(drafts))


def _narrows_from(bore: Segment, cone: Segment) -> bool:
    """Whether a cone goes on from a bore's own diameter: a point that broke through."""
    return abs((bore.d_mm or 0.0) - (cone.d_mm or 0.0)) <= SAME_D_MM


def _cone_kind(cone: Segment, *, at_end: bool) -> str:
    large, small = cone.d_mm or 0.0, cone.d_small_mm or 0.0
    if (cone.angle_deg or 0.0) < _TAPER_DEG:
        return "taper"
    if not at_end:
        return "step cone"
    return "chamfer" if small and large - small <= 2 * _CHAMFER * small else "countersink"


def _bore_kind(
    bore: Segment, before: Segment | None, after: Segment | None, *, closed: bool
) -> str:
    d, depth = bore.d_mm or 0.0, bore.depth_mm or 0.0
    narrower = [n.d_mm or 0.0 for n in (before, after) if n and (n.d_mm or 0.0) < d - SAME_D_MM]
    walled_in = len(narrower) == 2 or (len(narrower) == 1 and before and not after and closed)
    if walled_in and depth <= _GROOVE * min(narrower):
        return "groove"
    if not narrower:
        return "bore" if d > LAST_MM else "drill"
    if before and after:
        return "step"
    return "spot face" if depth <= _SPOT_FACE * d else "counterbore"
