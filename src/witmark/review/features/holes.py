"""Holes as stacks: what a drill, a counterbore, a countersink left behind on one axis.

A hole's first end is where the tool enters: the open end of a blind hole; of a through hole
the end with the larger segments, then the squarer, then the one in the larger face. Facts
never depend on how the part lies or on the order of its faces.
"""

import math
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import FloatArray, SurfaceKind
from witmark.review.features.axes import Axis, axis_groups
from witmark.review.features.feature import Segment, Triple
from witmark.review.features.graph import FaceGraph
from witmark.review.features.mouths import End, Opening, blunted, pointed_end, read_end
from witmark.review.features.rims import rims_of
from witmark.review.features.segments import segments_of
from witmark.review.features.stacks import Stack, stacks_of
from witmark.review.features.walls import Run, coverage, runs_of

_APEX_MM = 1e-3
_ALONG_DEG = 80.0
_ISLAND = 0.5  # an island this wide, of the wall's radius, makes a bore an annular groove


@dataclass(frozen=True, slots=True)
class Hole:
    """One hole in its part's frame, measured from the middle of its mouth."""

    kind: str  # hole, countersink, tapered_hole, annular_groove, closed_cavity
    faces: tuple[int, ...]  # sorted
    body: int
    at_mm: Triple  # where the axis passes the mouth
    direction: Triple  # unit, from the entry into the material
    segments: tuple[Segment, ...]  # entry to bottom
    through: bool | None
    bottom: str | None  # none, flat, cone, sphere; None: unknown
    bottom_angle_deg: float | None
    entry: Opening | None
    exit: Opening | None
    length_mm: float  # from the mouth's middle to the exit's middle or the bottom's deepest
    goes_on: bool  # beyond the last segment a free form begins that nobody can measure

    @property
    def cylinders(self) -> tuple[Segment, ...]:
        """The segments that a drill or bore bar of one diameter made, grooves left out."""
        return tuple(s for s in self.segments if s.angle_deg is None and s.kind != "groove")


def find_holes(graph: FaceGraph) -> tuple[Hole, ...]:
    """Every hole of a part, ordered by its least face."""
    holes = [
        _hole(graph, group.axis, stack)
        for group in axis_groups(graph.brep)
        for stack in stacks_of(graph, group.axis, runs_of(graph, group))
    ]
    bored = (hole for hole in holes if not _breaks_another_shape(hole))
    return tuple(sorted(bored, key=lambda hole: hole.faces))


def _hole(graph: FaceGraph, axis: Axis, stack: Stack) -> Hole:
    ends = _ends(graph, axis, stack)
    covers = [coverage(graph, axis, run) for run in stack.runs]
    downward = _starts_high(graph, axis, ends, stack)
    segments = segments_of(graph, stack, ends, covers, downward=downward)
    first, last = ends[::-1] if downward else ends
    direction = -axis.along if downward else axis.along
    faces = stack.walls | stack.joints | set(first.faces) | set(last.faces)
    is_open = first.opening is not None
    return Hole(
        kind=_kind(graph, axis, segments, last) if is_open else "closed_cavity",
        faces=tuple(sorted(faces)),
        body=int(graph.brep.face_body[min(faces)]),
        at_mm=triple(axis.point_mm(first.height_mm)),
        direction=triple(direction),
        segments=segments,
        through=None if last.goes_on else last.opening is not None,
        bottom=None if last.goes_on else last.bottom,
        bottom_angle_deg=None if last.goes_on else last.bottom_angle_deg,
        entry=first.opening,
        exit=last.opening,
        length_mm=abs(last.height_mm - first.height_mm),
        goes_on=last.goes_on,
    )


def _breaks_another_shape(hole: Hole) -> bool:
    """Whether a lone cone only breaks the mouth of something that is not round.

    Below it walls run along the axis, as those of a hexagon socket do.
    """
    return (
        hole.kind == "countersink"
        and hole.exit is not None
        and hole.exit.angle_deg is not None
        and hole.exit.angle_deg > _ALONG_DEG
    )


def triple(vector: FloatArray) -> Triple:
    """Three plain floats, without a negative zero."""
    x, y, z = (vector + 0.0).tolist()
    return x, y, z


def _ends(graph: FaceGraph, axis: Axis, stack: Stack) -> tuple[End, End]:
    own = stack.walls | stack.joints
    low = _end(graph, axis, stack.runs[0], own, outward=-1)
    return low, _end(graph, axis, stack.runs[-1], own, outward=1)


def _end(graph: FaceGraph, axis: Axis, run: Run, own: set[int], *, outward: int) -> End:
    height, radius = (
        (run.low_mm, run.low_radius_mm) if outward < 0 else (run.high_mm, run.high_radius_mm)
    )
    if not run.is_cylinder and radius <= _APEX_MM:
        return pointed_end(height, run.half_angle_rad)
    rims = rims_of(graph, axis, run, own)[outward > 0]
    if not rims:
        return End(Opening((), (), None, None, height), "none", None, height, ())
    end = read_end(graph, axis, rims, own, outward)
    narrows = run.half_angle_rad * outward < 0
    return blunted(end, radius, run.radius_mm, run.half_angle_rad) if narrows else end


def _starts_high(graph: FaceGraph, axis: Axis, ends: tuple[End, End], stack: Stack) -> bool:
    low, high = (end.opening for end in ends)
    if low is None or high is None:
        return low is None
    radii = [(run.low_radius_mm, run.high_radius_mm) for run in stack.runs]
    sizes = [round(radius, 6) for pair in radii for radius in pair]
    if sizes != sizes[::-1]:
        return sizes[::-1] > sizes
    return _entry_rank(graph, axis, high) < _entry_rank(graph, axis, low)


def _entry_rank(graph: FaceGraph, axis: Axis, opening: Opening) -> tuple[object, ...]:
    """Squarer first, then the larger face; a place in the part's frame only between equals."""
    angle = 90.0 if opening.angle_deg is None else round(opening.angle_deg, 6)
    area = round(float(graph.brep.face_area_mm2[list(opening.faces)].sum()), 6)
    place = np.round(axis.point_mm(opening.height_mm), 6).tolist()
    return opening.kind != "plane", angle, -area, place


def _kind(graph: FaceGraph, axis: Axis, segments: tuple[Segment, ...], last: End) -> str:
    if all(segment.angle_deg is not None for segment in segments):
        return "tapered_hole" if segments[0].kind == "taper" else "countersink"
    if last.bottom == "flat" and _has_wide_island(graph, axis, segments, last):
        return "annular_groove"
    return "hole"


def _has_wide_island(
    graph: FaceGraph, axis: Axis, segments: tuple[Segment, ...], last: End
) -> bool:
    """Whether a coaxial boss fills most of the floor, so that no drill can have been here."""
    brep = graph.brep
    least = _ISLAND * (segments[-1].d_mm or math.inf) / 2
    return any(
        brep.face_kind[face] == SurfaceKind.CYLINDER
        and brep.face_side[face] == 1
        and brep.face_radius_mm[face] >= least
        and axis.is_parallel(brep.face_axis[face])
        and axis.off_mm(brep.face_origin_mm[face]) <= least / 100
        for floor in last.faces
        for face in graph.neighbours(floor)
    )
