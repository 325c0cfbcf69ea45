"""Pieces of one round wall put together again, and how much of the turn they cover.

Exporters split a bore into halves or thirds, a step in the model splits it along the axis, a
crossing slot or hole cuts windows into it. A ``Run`` is the wall as it was machined.
"""

import math
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import Convexity, SurfaceKind
from witmark.review.features.axes import Axis, AxisGroup, RoundWall
from witmark.review.features.graph import FaceGraph, Link
from witmark.review.features.sight import sees_material

TOUCHING_MM = 1e-3
SAME_RADIUS_MM = 1e-3
SAME_ANGLE_RAD = 1e-3
FULL_TURN = 2 * math.pi
OVER_HALF_RAD = math.radians(200)  # more than a slot's end can have
LEAST_TURN_RAD = 0.27 * FULL_TURN  # a corner's quarter turn is never a hole
LONGEST_SCALLOP = 4.0  # length over diameter; a longer open half pipe is a groove
SHORTEST_SCALLOP = 0.25  # a shallower one is an outline's curve
BRIDGED_WITHIN = 1.5  # a crossing bore interrupts up to this share of the diameter
SHARP_RAD = 0.5
_GAP_RAD = 2e-3


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of the turn without wall: where it begins and how far it goes, in rad."""

    start_rad: float
    width_rad: float


@dataclass(frozen=True, slots=True)
class Run:
    """One cylinder or cone of a hole, whole again."""

    walls: tuple[RoundWall, ...]
    low_mm: float
    high_mm: float
    gaps: tuple[Gap, ...]

    @property
    def faces(self) -> tuple[int, ...]:
        """Its faces, sorted."""
        return tuple(sorted(wall.face for wall in self.walls))

    @property
    def low_radius_mm(self) -> float:
        """Radius at the low end."""
        return min(self.walls, key=lambda w: (w.low_mm, w.face)).low_radius_mm

    @property
    def high_radius_mm(self) -> float:
        """Radius at the high end."""
        return max(self.walls, key=lambda w: (w.high_mm, -w.face)).high_radius_mm

    @property
    def half_angle_rad(self) -> float:
        """Half angle of a cone, signed as in ``RoundWall``; 0 for a cylinder."""
        return self.walls[0].half_angle_rad

    @property
    def is_cylinder(self) -> bool:
        """Whether the radius stays the same."""
        return self.half_angle_rad == 0.0

    @property
    def radius_mm(self) -> float:
        """The greatest radius."""
        return max(self.low_radius_mm, self.high_radius_mm)

    @property
    def turn_rad(self) -> float:
        """How much of the turn has wall somewhere along the axis."""
        return FULL_TURN - sum(gap.width_rad for gap in self.gaps)


def runs_of(graph: FaceGraph, group: AxisGroup) -> list[Run]:
    """The runs of one axis that can be a hole's wall, lowest first."""
    runs = []
    for alike in _alike(group.walls):
        if sum(wall.sweep_rad for wall in alike) < LEAST_TURN_RAD:
            continue
        for walls in _contiguous(graph, alike):
            gaps = _gaps(graph, group.axis, walls)
            low, high = min(w.low_mm for w in walls), max(w.high_mm for w in walls)
            run = Run(tuple(walls), low, high, gaps)
            if _is_hole_wall(graph, group.axis, run):
                runs.append(run)
    return sorted(runs, key=lambda r: (r.low_mm + r.high_mm, r.faces))


def coverage(graph: FaceGraph, axis: Axis, run: Run) -> float | None:
    """Share of the turn that is not missing, 0..1; ``None`` beside a free-form wall.

    A gap that another hole, pocket or slot has cut does not count as missing: it either has
    material behind it, or its two sides face each other. A gap that opens to the outside
    does: there the drill has left the part.
    """
    missing = 0.0
    for gap in run.gaps:
        sides = _sides(graph, axis, run, gap)
        if any(graph.brep.face_kind[link.face] == SurfaceKind.FREEFORM for link in sides):
            return None
        if not (_face_each_other(graph, sides) or _has_material_behind(graph, axis, run, gap)):
            missing += gap.width_rad
    return 1.0 - missing / FULL_TURN


def _alike(walls: tuple[RoundWall, ...]) -> list[list[RoundWall]]:
    """Walls that lie on one surface, together."""
    found: list[list[RoundWall]] = []
    for wall in walls:
        home = next((kin for kin in found if _same_surface(kin[0], wall)), None)
        if home is None:
            found.append([wall])
        else:
            home.append(wall)
    return found


def _same_surface(one: RoundWall, other: RoundWall) -> bool:
    if abs(one.half_angle_rad - other.half_angle_rad) > SAME_ANGLE_RAD:
        return False
    if (one.half_angle_rad == 0.0) != (other.half_angle_rad == 0.0):
        return False
    at_low = one.low_radius_mm + (other.low_mm - one.low_mm) * math.tan(one.half_angle_rad)
    return abs(at_low - other.low_radius_mm) <= SAME_RADIUS_MM


def _contiguous(graph: FaceGraph, walls: list[RoundWall]) -> list[list[RoundWall]]:
    runs = [[walls[0]]]
    for wall in walls[1:]:
        gap = wall.low_mm - max(w.high_mm for w in runs[-1])
        if gap <= TOUCHING_MM or _is_bridged(graph, runs[-1], wall, gap):
            runs[-1].append(wall)
        else:
            runs.append([wall])
    return runs


def _is_bridged(graph: FaceGraph, run: list[RoundWall], wall: RoundWall, gap: float) -> bool:
    """Whether a crossing bore of about the same size, and nothing else, parts the two."""
    if gap > BRIDGED_WITHIN * 2 * wall.low_radius_mm:
        return False
    before = {n for w in run for n in graph.neighbours(w.face, Convexity.CONVEX)}
    shared = before & set(graph.neighbours(wall.face, Convexity.CONVEX))
    brep = graph.brep
    return any(
        brep.face_side[face] == -1 and brep.face_kind[face] == SurfaceKind.CYLINDER
        for face in shared
    )


def _gaps(graph: FaceGraph, axis: Axis, walls: list[RoundWall]) -> tuple[Gap, ...]:
    if any(wall.sweep_rad >= FULL_TURN - _GAP_RAD for wall in walls):
        return ()
    covered = sorted(_arc(graph, axis, wall) for wall in walls)
    gaps, reach = [], covered[0][0]
    for start, width in [*covered, (covered[0][0] + FULL_TURN, 0.0)]:
        if start - reach > _GAP_RAD:
            gaps.append(Gap(reach, start - reach))
        reach = max(reach, start + width)
    # An arc that runs over the end of the turn may cover what lies at its beginning.
    over = reach - FULL_TURN
    return tuple(
        Gap(max(g.start_rad, over), g.start_rad + g.width_rad - max(g.start_rad, over))
        for g in gaps
        if g.start_rad + g.width_rad - over > _GAP_RAD
    )


def _arc(graph: FaceGraph, axis: Axis, wall: RoundWall) -> tuple[float, float]:
    """Where a face begins around the axis and how far it goes: all but its widest gap."""
    brep = graph.brep
    points = [brep.edge_points_mm(link.edge) for link in graph.links[wall.face]]
    arms = np.concatenate(points) - axis.origin_mm
    right, up = arms @ axis.x, arms @ axis.y
    off_axis = np.hypot(right, up) > TOUCHING_MM  # an apex has no angle
    angles = np.sort(np.arctan2(up, right)[off_axis] % FULL_TURN)
    steps = np.diff(np.append(angles, angles[0] + FULL_TURN))
    widest = int(np.argmax(steps))
    start = float(angles[(widest + 1) % len(angles)])
    return start, FULL_TURN - float(steps[widest])


def _is_hole_wall(graph: FaceGraph, axis: Axis, run: Run) -> bool:
    """A wall that a hole can have; a fillet's, a slot's end and a groove's are not.

    A fillet and a slot's end join their neighbours smoothly and cover half a turn at most; a
    partial hole meets the part's outside in sharp convex edges.
    """
    if run.turn_rad > OVER_HALF_RAD:
        return True
    if run.turn_rad < LEAST_TURN_RAD or not run.is_cylinder:
        return False
    slender = (run.high_mm - run.low_mm) / (2 * run.radius_mm)
    if not SHORTEST_SCALLOP <= slender <= LONGEST_SCALLOP:
        return False
    sides = [link for gap in run.gaps for link in _sides(graph, axis, run, gap)]
    return bool(sides) and all(
        link.convexity == Convexity.CONVEX and link.fold_rad >= SHARP_RAD for link in sides
    )


def _sides(graph: FaceGraph, axis: Axis, run: Run, gap: Gap) -> list[Link]:
    """What the wall meets at both sides of a gap, begin first; rings at its ends left out."""
    own = set(run.faces)
    ends: list[list[Link]] = [[], []]
    for face in run.faces:
        for link in graph.across(face):
            if link.face not in own and not _is_ring(graph, axis, link.edge):
                angles = axis.angles_rad(graph.brep.edge_points_mm(link.edge))
                for side, at in enumerate((gap.start_rad, gap.start_rad + gap.width_rad)):
                    away = np.abs((angles - at + math.pi) % FULL_TURN - math.pi)
                    if float(away.min()) <= _GAP_RAD:
                        ends[side].append(link)
    return ends[0] + ends[1] if ends[0] and ends[1] else []


def _is_ring(graph: FaceGraph, axis: Axis, edge: int) -> bool:
    heights = axis.heights_mm(graph.brep.edge_points_mm(edge))
    return float(np.ptp(heights)) <= TOUCHING_MM


def _face_each_other(graph: FaceGraph, sides: list[Link]) -> bool:
    """Whether the sides of a gap are the two walls of a slot."""
    brep = graph.brep
    planes = [s.face for s in sides if brep.face_kind[s.face] == SurfaceKind.PLANE]
    if len(planes) < 2:
        return False
    return float(brep.face_axis[planes[0]] @ brep.face_axis[planes[-1]]) < -0.5


def _has_material_behind(graph: FaceGraph, axis: Axis, run: Run, gap: Gap) -> bool:
    middle = gap.start_rad + gap.width_rad / 2
    ray = math.cos(middle) * axis.x + math.sin(middle) * axis.y
    start = axis.point_mm((run.low_mm + run.high_mm) / 2)
    body = int(graph.brep.face_body[run.faces[0]])
    return sees_material(graph, start, ray, body=body, without=set(run.faces))
