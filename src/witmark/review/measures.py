"""Measures that only some rules ask for: how near a hole is to an edge, and to another hole.

They belong to the second pass: nobody computes them until a candidate rule asks.

Decisions, where RULES.md P38 and P39 leave room:

- An *outer edge* is a sharp convex edge on the outer outline of the face that the hole starts
  in or leaves by. Concave edges (a wall rises there) and edges between faces that run on
  smoothly are none; a fillet along the outline is looked across, to where it ends.
- The rim of a pocket, window or slot inside that outline is an edge as well, when it and the
  hole go down at least as far as they are apart: a lower wall is not thin. The rims of other
  holes are none; the wall towards them is the ligament. In a pocket's floor the
  pocket's own wall rises: that is no edge.
- The distance is the shortest from the hole's cylinder to the edge, square to the axis. Each
  end counts with the widest wall from there to the narrowest one; countersinks count, edge
  breaks and grooves do not.
- A hole in a pocket's floor has no such edge. There the nearest outer wall alongside counts.
- A partial hole is cut open by the edge: no wall is left there to measure, and that it is open
  is a fact of its own (``hole.coverage``). An edge that runs into a whole wall is a slot's or
  another hole's, not the part's.
- What a ligament is weighed against is the smaller of the two diameters: a screw hole beside a
  bearing bore needs a wall for the screw hole, not half the bearing's diameter.
- The *ligament* is taken between walls that stand side by side or cross, and between two blind
  bottoms that face each other. Holes that open into each other meet on purpose: no ligament.
  Nor is there one where two cylinders would cut into each other and share no edge: one stands
  in an insert, or a third cut has taken the wall away.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import CurveKind, FloatArray, SurfaceKind
from witmark.review.features.axes import Axis, axis_through
from witmark.review.features.feature import Feature, Segment
from witmark.review.features.graph import FaceGraph, Link
from witmark.review.features.holes import Hole
from witmark.review.features.mouths import Opening
from witmark.review.outline import outline_edges, recess_rims
from witmark.review.rods import Rod, least_gap_mm, least_off_mm

_DRILLED = ("hole", "countersink", "tapered_hole")
_BESIDE = ("chamfer", "groove", "spot face")  # cut beside the hole: they do not thin its wall
_WHOLE = 1.0 - 1e-6
_PARALLEL_RAD = 1e-6
_TOUCHING_MM = 1e-6
_ON_AXIS_MM = 1e-3  # two axes nearer than this are one (RULES.md P37 begins at 0.01)


@dataclass(frozen=True, slots=True)
class Measure:
    """A length, or the reason why there is none.

    ``value_mm`` is ``None`` either because it cannot be known (``unknown`` is true), or
    because there is nothing to measure to (no outer edge, no second hole).
    """

    value_mm: float | None
    unknown: bool = False
    beside_d_mm: float | None = None  # of a ligament: the smaller diameter of the two holes


NOTHING_THERE = Measure(None)
CANNOT_KNOW = Measure(None, unknown=True)


def edge_distance_mm(
    graph: FaceGraph, hole: Hole, others: Sequence[Hole], free_form: Sequence[Feature] = ()
) -> Measure:
    """Least distance of the hole's wall to an edge of the part.

    Args:
        graph: The part.
        hole: The hole asked about.
        others: The part's holes, whose rims are no edges; the hole itself may be among them.
        free_form: Bores that cannot be measured, whose rims are none either.
    """
    if hole.kind not in _DRILLED or hole.goes_on or hole.entry is None:
        return CANNOT_KNOW
    walls = _walls(hole)
    covers = [wall.coverage for wall in walls]
    if None in covers:
        return CANNOT_KNOW
    if any(cover is not None and cover < _WHOLE for cover in covers):
        return NOTHING_THERE
    axis = axis_through(np.array(hole.at_mm), np.array(hole.direction))
    sizes = [round(wall.d_mm or 0.0, 6) for wall in walls]
    waist = len(sizes) - sizes[::-1].index(min(sizes))
    mouths = [(hole.entry, _widest_mm(walls[:waist]))]
    if hole.exit is not None:
        mouths.append((hole.exit, _widest_mm(walls[sizes.index(min(sizes)) :])))
    found = [off for at in mouths for off in _at_mouth(graph, axis, hole, *at)]
    if not found:
        found = [*_outer_walls(graph, axis, hole, _widest_mm(walls))]
    bored = _bored(hole, others, free_form)
    found += [
        off
        for mouth, widest in mouths
        for off, high in _at_recesses(graph, axis, bored, mouth, widest)
        if off <= min(high, hole.length_mm) + _TOUCHING_MM
    ]
    return Measure(max(0.0, min(found))) if found else NOTHING_THERE


def ligament_mm(
    graph: FaceGraph, hole: Hole, others: Sequence[Hole], free_form: Sequence[Feature] = ()
) -> Measure:
    """Least wall between a hole and any other of the same body.

    Args:
        graph: The part.
        hole: The hole asked about.
        others: The part's holes; the hole itself and holes of other bodies are passed over.
        free_form: Bores that cannot be measured. Where one is nearer than every other hole,
            the ligament cannot be known.
    """
    if hole.kind not in _DRILLED or hole.goes_on:
        return CANNOT_KNOW
    mates = [other for other in others if other.kind in _DRILLED and other.body == hole.body]
    mates = [other for other in mates if other.faces != hole.faces]
    bounds = _closest_possible_mm(hole, mates)
    beside = {n for face in hole.faces for n in graph.neighbours(face)}
    mine, least, mate = _rods(hole), math.inf, hole
    for index in np.argsort(bounds, kind="stable").tolist():
        if bounds[index] >= least:
            break
        gap = least_gap_mm(mine, _rods(mates[index]), closer_than_mm=least)
        wall = max(gap, 0.0)
        meet = gap <= _TOUCHING_MM and not beside.isdisjoint(mates[index].faces)
        swallowed = gap < -_ON_AXIS_MM  # no edge in common: something else stands between
        if wall < least and not meet and not swallowed:
            least, mate = wall, mates[index]
    if any(_edges_off_mm(graph, mine, hole.body, bore) < least for bore in free_form):
        return CANNOT_KNOW
    if math.isinf(least):
        return NOTHING_THERE
    return Measure(least, beside_d_mm=min(_narrowest_mm(hole), _narrowest_mm(mate)))


def _edges_off_mm(graph: FaceGraph, rods: Sequence[Rod], body: int, bore: Feature) -> float:
    """How near the edges of a free-form bore come to a hole."""
    if graph.brep.face_body[bore.faces[0]] != body:
        return math.inf
    edges = sorted({link.edge for face in bore.faces for link in graph.links[face]})
    points = np.concatenate([graph.brep.edge_points_mm(edge) for edge in edges])
    return min(least_off_mm(rod, points) for rod in rods)


def _closest_possible_mm(hole: Hole, others: Sequence[Hole]) -> FloatArray:
    """What the gaps cannot be less than: the balls around the holes keep them apart."""
    if not others:
        return np.zeros(0)
    holes = [hole, *others]
    half = np.array([h.length_mm for h in holes]) / 2
    along = np.array([h.direction for h in holes])
    centres = np.array([h.at_mm for h in holes]) + half[:, None] * along
    radii = np.hypot(half, [_widest_mm(_walls(h)) for h in holes])
    apart = np.linalg.norm(centres[1:] - centres[0], axis=1)
    bounds: FloatArray = apart - radii[1:] - radii[0]
    return bounds


def _walls(hole: Hole) -> list[Segment]:
    walls = [s for s in hole.segments if s.kind not in _BESIDE and s.kind != "drill point"]
    return walls or list(hole.segments)


def _rods(hole: Hole) -> list[Rod]:
    """The walls as rods, entry to bottom; the last reaches to the tip of a drill point."""
    at, along = np.array(hole.at_mm), np.array(hole.direction)
    walls, rods = _walls(hole), []
    for place, wall in enumerate(walls):
        start = wall.start_mm or 0.0
        closed = hole.exit is None and place == len(walls) - 1
        end = hole.length_mm if closed else start + (wall.depth_mm or 0.0)
        rods.append(Rod(at + start * along, along, end - start, (wall.d_mm or 0.0) / 2, closed))
    return rods


def _widest_mm(walls: Sequence[Segment]) -> float:
    return max((wall.d_mm or 0.0) for wall in walls) / 2


def _narrowest_mm(hole: Hole) -> float:
    """The hole's diameter as its facts tell it: the least of its bores."""
    return min(wall.d_mm or 0.0 for wall in hole.cylinders or hole.segments)


def _bored(hole: Hole, others: Sequence[Hole], free_form: Sequence[Feature]) -> set[int]:
    drilled = [one.faces for one in (hole, *others) if one.kind in _DRILLED]
    return {face for faces in (*drilled, *(b.faces for b in free_form)) for face in faces}


def _at_mouth(
    graph: FaceGraph, axis: Axis, hole: Hole, mouth: Opening, widest: float
) -> Iterator[float]:
    """Distances to the outer edges around one mouth; none inside another bore."""
    if any(graph.brep.face_side[face] == -1 for face in mouth.faces):
        return
    for edge in outline_edges(graph, mouth.faces, set(hole.faces)):
        if _runs_round(graph, axis, edge):
            continue
        off = _edge_off_mm(graph, axis, edge) - widest
        near = mouth.kind == "plane" or _on_near_side(graph, axis, hole, edge, 2 * widest)
        if near and off > _TOUCHING_MM:  # an edge that runs into a whole wall is a slot's
            yield off


def _at_recesses(
    graph: FaceGraph, axis: Axis, bored: set[int], mouth: Opening, widest: float
) -> Iterator[tuple[float, float]]:
    """Distances to the rims of recesses beside a mouth in a plane, and how deep they are."""
    if mouth.kind != "plane":
        return
    out = graph.brep.face_axis[min(mouth.faces)]
    for rim in recess_rims(graph, mouth.faces, bored):
        off = _edge_off_mm(graph, axis, rim.edge) - widest
        if off > _TOUCHING_MM and not _runs_round(graph, axis, rim.edge):
            yield off, _depth_mm(graph, rim, out)


def _depth_mm(graph: FaceGraph, rim: Link, out: FloatArray) -> float:
    """How far a recess goes down below its rim, a bevel at the rim looked across."""
    brep = graph.brep
    top = float((brep.edge_points_mm(rim.edge) @ out).min())
    across = [rim.face, *graph.neighbours(rim.face)]
    edges = sorted({link.edge for face in across for link in graph.links[face]})
    return top - min(float((brep.edge_points_mm(edge) @ out).min()) for edge in edges)


def _runs_round(graph: FaceGraph, axis: Axis, edge: int) -> bool:
    """Whether an edge is part of a circle about the hole's own axis.

    Of a tube, a bush or a round boss that outline is the other side of an even wall, which no
    drill can break open at one spot.
    """
    brep = graph.brep
    if brep.edge_kind[edge] != CurveKind.CIRCLE:
        return False
    return (
        axis.is_parallel(brep.edge_axis[edge])
        and axis.off_mm(brep.edge_origin_mm[edge]) < _ON_AXIS_MM
    )


def _on_near_side(
    graph: FaceGraph, axis: Axis, hole: Hole, edge: int, within_mm: float
) -> bool:
    """Whether an edge comes near one of the hole's ends: the face of a shaft has a back."""
    heights = axis.heights_mm(graph.brep.edge_points_mm(edge))
    away = np.minimum(np.abs(heights), np.abs(heights - hole.length_mm))
    return bool(away.min() <= within_mm)


def _edge_off_mm(graph: FaceGraph, axis: Axis, edge: int) -> float:
    """Distance of an edge from the axis: exact for lines and upright arcs."""
    brep = graph.brep
    points = brep.edge_points_mm(edge)
    arms = points - axis.origin_mm
    flat = np.column_stack([arms @ axis.x, arms @ axis.y])
    off, at_end = _polyline_off(flat)
    if brep.edge_kind[edge] == CurveKind.CIRCLE and axis.is_parallel(brep.edge_axis[edge]):
        closed = float(np.linalg.norm(flat[0] - flat[-1])) < _TOUCHING_MM
        if closed or not at_end:
            return abs(
                axis.off_mm(brep.edge_origin_mm[edge]) - float(brep.edge_radius_mm[edge])
            )
    return off


def _polyline_off(flat: FloatArray) -> tuple[float, bool]:
    """Distance of a plane polyline from the origin, and whether one of its ends is nearest."""
    start, step = flat[:-1], np.diff(flat, axis=0)
    square = (step * step).sum(axis=1)
    share = np.clip(-(start * step).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    off = np.linalg.norm(start + share[:, None] * step, axis=1)
    best = int(np.argmin(off))
    first, last = best == 0 and share[0] == 0.0, best == len(off) - 1 and share[-1] == 1.0
    return float(off[best]), bool(first or last)


def _outer_walls(graph: FaceGraph, axis: Axis, hole: Hole, radius_mm: float) -> Iterator[float]:
    """Distances to planes and outer cylinders that run alongside the hole, facing away.

    What is nearer to the axis than the hole's own wall stands inside the hole.
    """
    brep = graph.brep
    body = brep.face_body == hole.body
    upright = body & (np.abs(brep.face_axis @ axis.along) < _PARALLEL_RAD)
    for face in np.flatnonzero(upright & (brep.face_kind == SurfaceKind.PLANE)).tolist():
        off = float((brep.face_origin_mm[face] - axis.origin_mm) @ brep.face_axis[face])
        if off > radius_mm + _TOUCHING_MM and _is_opposite(graph, axis, hole, face):
            yield off - radius_mm
    round_ = body & (brep.face_kind == SurfaceKind.CYLINDER) & (brep.face_side == 1)
    for face in np.flatnonzero(round_).tolist():
        room = float(brep.face_radius_mm[face]) - axis.off_mm(brep.face_origin_mm[face])
        parallel = axis.is_parallel(brep.face_axis[face])
        around = axis.off_mm(brep.face_origin_mm[face]) < _ON_AXIS_MM  # an even wall, as above
        outside = room > radius_mm + _TOUCHING_MM
        if parallel and outside and not around and _is_beside(graph, axis, hole, face):
            yield room - radius_mm


def _is_opposite(graph: FaceGraph, axis: Axis, hole: Hole, plane: int) -> bool:
    """Whether an upright plane stands where the perpendicular from the hole meets it."""
    sideways = np.cross(axis.along, graph.brep.face_axis[plane])
    across = (_outline(graph, plane) - axis.origin_mm) @ sideways
    within = bool(len(across)) and float(across.min()) < 0 < float(across.max())
    return within and _is_beside(graph, axis, hole, plane)


def _is_beside(graph: FaceGraph, axis: Axis, hole: Hole, face: int) -> bool:
    """Whether a face reaches along a part of the hole's length."""
    heights = axis.heights_mm(_outline(graph, face))
    if not len(heights):
        return False
    common = min(float(heights.max()), hole.length_mm) - max(float(heights.min()), 0.0)
    return common > _TOUCHING_MM


def _outline(graph: FaceGraph, face: int) -> FloatArray:
    loops = graph.loops[face]
    return graph.brep.loop_points_mm(loops[0]) if loops else np.zeros((0, 3))
