"""What a hole meets at its two ends: a mouth in some face, or a bottom.

A small fillet belongs to the end it rounds: at a mouth we look across it to the face the
hole starts from, at a bottom to the floor.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from witmark.review.brep import Convexity, FloatArray, SurfaceKind
from witmark.review.features.axes import COAXIAL_WITHIN_MM, Axis
from witmark.review.features.graph import FaceGraph, Link
from witmark.review.features.normals import normals_at
from witmark.review.features.rims import Rim, turn_rad
from witmark.review.features.walls import FULL_TURN

LEAST_SHARE = 0.03  # of the turn: a thinner sliver of a face is not what the drill starts on
ASIDE = 0.5  # of the smaller diameter: farther apart two bores are not one line
_TIP = 0.5  # a drill point cut off at up to this share of its diameter is still a point
_FACING = 0.1
_EVEN_RAD = 1e-4
_WHOLE_RAD = 0.01  # polylines in space turn a little more or less than the mouth


@dataclass(frozen=True, slots=True)
class Opening:
    """A mouth: the faces around it and how they lie to the axis."""

    faces: tuple[int, ...]  # sorted; empty when the body is open there
    edges: tuple[int, ...]  # sorted
    kind: str | None  # plane, curved, None when there is no face
    angle_deg: float | None  # greatest angle between axis and outward normal; None: free form
    height_mm: float  # where the mouth's middle lies on the axis


@dataclass(frozen=True, slots=True)
class End:
    """One end of a hole, a mouth or a bottom."""

    opening: Opening | None  # None when closed
    bottom: str | None  # none, flat, cone, sphere; None: there is one and its form is unknown
    bottom_angle_deg: float | None
    height_mm: float
    faces: tuple[int, ...]  # fillets and floors that belong to the hole
    goes_on: bool = False  # a free-form opening pierces the floor: what lies beyond is unknown


def read_end(
    graph: FaceGraph, axis: Axis, rims: Sequence[Rim], own: set[int], outward: int
) -> End:
    """Read an end from its rims; ``outward`` is +1 at the high end and -1 at the low one."""
    fillets, rims = _beyond_fillets(graph, axis, rims, own)
    out = outward * axis.along
    closing = [rim for rim in rims if _closes(graph, rim.link, own | fillets, out)]
    ledges = _ledges(graph, axis, rims, closing, own)
    if ledges:
        opening = _opening(graph, axis, [r for r in rims if r not in closing], outward)
        return _ledged(opening, closing, fillets | ledges)
    if sum(r.turn_rad for r in closing) > 0.5 * sum(r.turn_rad for r in rims):
        return _bottom(graph, axis, closing, own | fillets, fillets)
    opening = _opening(graph, axis, [r for r in rims if r not in closing], outward)
    return End(opening, "none", None, opening.height_mm, tuple(sorted(fillets)))


def _ledged(opening: Opening, closing: Sequence[Rim], mine: set[int]) -> End:
    """The end of a bore that meets another, off its axis: open, down to its own ledges.

    It looks squarely into the other bore, whatever the other's drill point left there.
    """
    height = sum((rim.low_mm + rim.high_mm) / 2 for rim in closing) / len(closing)
    opening = replace(opening, height_mm=height, kind="plane", angle_deg=0.0)
    return End(opening, "none", None, height, tuple(sorted(mine)))


def _ledges(
    graph: FaceGraph,
    axis: Axis,
    rims: Sequence[Rim],
    closing: Sequence[Rim],
    own: set[int],
) -> set[int]:
    """What a bore left of its floor where it meets another, a little off its axis.

    Each is a crescent between the bore's own wall and the other's, whose own ledge or wall
    lies across the rest of the rim.
    """
    brep = graph.brep
    rest = {rim.link.face for rim in rims if rim not in closing}
    widest = float(np.nanmax(brep.face_radius_mm[sorted(own)]))

    def near(wall: int) -> bool:
        least = min(widest, float(brep.face_radius_mm[wall]))
        return axis.off_mm(brep.face_origin_mm[wall]) < ASIDE * 2 * least

    ledges = set()
    floors = {rim.link.face for rim in closing}
    for floor in sorted(floors):
        walls = {wall for wall in _walls_below(graph, axis, floor) - own if near(wall)}
        beyond = {n for wall in walls for n in graph.neighbours(wall)} | walls
        if beyond & rest and is_enclosed(graph, floor, own | floors | walls):
            ledges.add(floor)
    return ledges


def _walls_below(graph: FaceGraph, axis: Axis, floor: int) -> set[int]:
    """Walls of parallel bores that a floor falls off to on its outer loop."""
    brep = graph.brep
    outer = {link for loop in graph.loops[floor][:1] for link in graph.across_loop(loop)}
    return {
        link.face
        for link in outer
        if link.convexity == Convexity.CONVEX
        and brep.face_kind[link.face] == SurfaceKind.CYLINDER
        and brep.face_side[link.face] == -1
        and axis.is_parallel(brep.face_axis[link.face])
    }


def pointed_end(apex_mm: float, half_angle_rad: float) -> End:
    """The end of a cone that runs to its apex."""
    return End(None, "cone", math.degrees(2 * abs(half_angle_rad)), apex_mm, ())


def blunted(end: End, tip_radius_mm: float, radius_mm: float, half_angle_rad: float) -> End:
    """A flat bottom at the narrow end of a cone: the point's tip, when it is small."""
    if end.bottom != "flat" or tip_radius_mm > _TIP * radius_mm:
        return end
    angle = math.degrees(2 * abs(half_angle_rad))
    return End(None, "cone", angle, end.height_mm, end.faces, end.goes_on)


def is_coaxial(graph: FaceGraph, axis: Axis, face: int) -> bool:
    """Whether a torus, sphere or upright plane turns about the axis."""
    brep, kind = graph.brep, graph.brep.face_kind[face]
    if kind == SurfaceKind.PLANE:
        return axis.is_parallel(brep.face_axis[face])
    if kind not in (SurfaceKind.TORUS, SurfaceKind.SPHERE):
        return False
    centred = axis.off_mm(brep.face_origin_mm[face]) <= COAXIAL_WITHIN_MM
    return centred and (kind == SurfaceKind.SPHERE or axis.is_parallel(brep.face_axis[face]))


def _beyond_fillets(
    graph: FaceGraph, axis: Axis, rims: Sequence[Rim], own: set[int]
) -> tuple[set[int], list[Rim]]:
    """Fillets at the rims, and the rims on their far side in place of the near ones."""
    fillets = {r.link.face for r in rims if _is_fillet(graph, axis, r.link, own)}
    near = [rim for rim in rims if rim.link.face not in fillets]
    far = [
        _rim(graph, axis, link)
        for face in sorted(fillets)
        for link in graph.across(face)
        if link.face not in own and link.face not in fillets
    ]
    return fillets, near + [rim for rim in far if rim.turn_rad > _EVEN_RAD]


def _is_fillet(graph: FaceGraph, axis: Axis, link: Link, own: set[int]) -> bool:
    if link.face < 0 or link.convexity != Convexity.SMOOTH:
        return False
    kind = graph.brep.face_kind[link.face]
    if kind == SurfaceKind.TORUS:
        return is_coaxial(graph, axis, link.face)
    return kind == SurfaceKind.FREEFORM and not set(graph.neighbours(link.face)) <= own


def _rim(graph: FaceGraph, axis: Axis, link: Link) -> Rim:
    points = graph.brep.edge_points_mm(link.edge)
    heights = axis.heights_mm(points)
    return Rim(link, float(heights.min()), float(heights.max()), turn_rad(axis, points))


def _closes(graph: FaceGraph, link: Link, own: set[int], out: FloatArray) -> bool:
    """Whether what lies across an end's edge closes the hole.

    A plane says so itself: a floor looks into the hole, the face around a mouth out of it.
    """
    if link.face < 0:
        return False
    if graph.brep.face_kind[link.face] == SurfaceKind.PLANE:
        facing = float(graph.brep.face_axis[link.face] @ out)
        if abs(facing) > _FACING:
            return facing < 0
    if link.convexity == Convexity.CONCAVE:
        return True
    if link.convexity != Convexity.SMOOTH:
        return False
    brep, kind = graph.brep, graph.brep.face_kind[link.face]
    if kind == SurfaceKind.SPHERE:
        return bool(brep.face_side[link.face] == -1)
    inside = set(graph.neighbours(link.face)) <= own
    return inside and kind in (SurfaceKind.PLANE, SurfaceKind.TORUS, SurfaceKind.FREEFORM)


def _bottom(
    graph: FaceGraph, axis: Axis, rims: Sequence[Rim], own: set[int], fillets: set[int]
) -> End:
    faces = sorted({rim.link.face for rim in rims})
    kinds = {int(graph.brep.face_kind[face]) for face in faces}
    height = sum((rim.low_mm + rim.high_mm) / 2 for rim in rims) / len(rims)
    bottom = None
    if kinds == {SurfaceKind.PLANE}:
        bottom = "flat"
    elif kinds == {SurfaceKind.SPHERE}:
        bottom = "sphere"
    goes_on = any(_pierced_by_free_form(graph, axis, face) for face in faces)
    mine = fillets | {
        face
        for face in faces
        if is_enclosed(graph, face, own | _walls_below(graph, axis, face))
    }
    return End(None, bottom, None, height, tuple(sorted(mine)), goes_on)


def is_enclosed(graph: FaceGraph, face: int, own: set[int]) -> bool:
    """Whether the hole's own walls run along the whole outer loop of a face."""
    outer = [link for loop in graph.loops[face][:1] for link in graph.across_loop(loop)]
    return bool(outer) and all(link.face in own or link.face == face for link in outer)


def _pierced_by_free_form(graph: FaceGraph, axis: Axis, face: int) -> bool:
    """Whether a hole with a free-form wall goes on through a floor, around the axis."""
    brep = graph.brep
    for loop in graph.loops[face][1:]:
        across = {link.face for link in graph.across_loop(loop)} - {-1}
        if any(brep.face_kind[other] == SurfaceKind.FREEFORM for other in across):
            arms = brep.loop_points_mm(loop) - axis.origin_mm
            ring = np.column_stack([arms @ axis.x, arms @ axis.y])
            if len(ring) >= 3 and shapely.contains_xy(shapely.Polygon(ring), 0.0, 0.0):
                return True
    return False


def _opening(graph: FaceGraph, axis: Axis, rims: Sequence[Rim], outward: int) -> Opening:
    rims = _that_count(graph, rims)
    faced = [rim for rim in rims if rim.link.face >= 0]
    kinds = {int(graph.brep.face_kind[rim.link.face]) for rim in faced}
    kind = None if not kinds else "plane" if kinds == {SurfaceKind.PLANE} else "curved"
    low, high = min(r.low_mm for r in rims), max(r.high_mm for r in rims)
    return Opening(
        faces=tuple(sorted({rim.link.face for rim in faced})),
        edges=tuple(sorted({rim.link.edge for rim in rims})),
        kind=kind,
        angle_deg=_greatest_angle_deg(graph, axis, faced, outward),
        height_mm=(low + high) / 2,
    )


def _that_count(graph: FaceGraph, rims: Sequence[Rim]) -> list[Rim]:
    """Rims without slivers, and without other holes' walls unless they make up the mouth."""
    brep = graph.brep
    turn = sum(rim.turn_rad for rim in rims)
    wide = [rim for rim in rims if rim.turn_rad >= LEAST_SHARE * turn]
    bored = (SurfaceKind.CYLINDER, SurfaceKind.CONE)
    clean = [
        rim
        for rim in wide
        if brep.face_side[rim.link.face] != -1 or brep.face_kind[rim.link.face] not in bored
    ]
    return clean if sum(rim.turn_rad for rim in clean) > turn / 2 else wide or list(rims)


def _greatest_angle_deg(
    graph: FaceGraph, axis: Axis, rims: Sequence[Rim], outward: int
) -> float | None:
    """Greatest angle between the axis and the faces' normals along the mouth."""
    surface = _one_surface(graph, rims)
    turn = sum(rim.turn_rad for rim in rims)
    whole = surface is not None and abs(FULL_TURN - turn) < _WHOLE_RAD
    if surface is not None and whole and _slopes_by_offset(graph, axis, surface):
        points = [graph.brep.edge_points_mm(rim.link.edge) for rim in rims]
        return _angle_by_offset_deg(graph, axis, surface, np.concatenate(points))
    greatest = [_angle_deg(graph, rim, outward * axis.along) for rim in rims]
    if not greatest or any(math.isnan(angle) for angle in greatest):
        return None
    return max(greatest)


def _one_surface(graph: FaceGraph, rims: Sequence[Rim]) -> int | None:
    """A face that lies on the surface of all the others around a mouth, if there is one."""
    faces = sorted({rim.link.face for rim in rims})
    brep = graph.brep
    alike = [
        brep.face_kind[face] == brep.face_kind[faces[0]]
        and abs(brep.face_radius_mm[face] - brep.face_radius_mm[faces[0]]) <= COAXIAL_WITHIN_MM
        for face in faces
    ]
    return faces[0] if alike and all(alike) else None


def _angle_deg(graph: FaceGraph, rim: Rim, out: FloatArray) -> float:
    brep, face = graph.brep, rim.link.face
    points = brep.edge_points_mm(rim.link.edge)
    if brep.face_kind[face] == SurfaceKind.PLANE:
        points = points[:1]
    normals = normals_at(brep, face, points)
    facing = normals @ out
    rest = normals - facing[:, None] * out
    return float(np.degrees(np.arctan2(np.sqrt((rest * rest).sum(axis=1)), facing)).max())


def _slopes_by_offset(graph: FaceGraph, axis: Axis, face: int) -> bool:
    """Spheres, and cylinders that the hole enters square to their own axis."""
    brep, kind = graph.brep, graph.brep.face_kind[face]
    square = abs(float(brep.face_axis[face] @ axis.along)) < _EVEN_RAD
    return bool(kind == SurfaceKind.SPHERE or (kind == SurfaceKind.CYLINDER and square))


def _angle_by_offset_deg(
    graph: FaceGraph, axis: Axis, face: int, points_mm: FloatArray
) -> float:
    """Exact where a polyline misses the steepest point: sine = greatest offset over radius."""
    brep = graph.brep
    centre = brep.face_origin_mm[face]
    if brep.face_kind[face] == SurfaceKind.SPHERE:
        offset = axis.off_mm(centre)
    else:
        sideways = np.cross(brep.face_axis[face], axis.along)
        offset = abs(float((centre - axis.origin_mm) @ sideways)) / float(
            np.linalg.norm(sideways)
        )
    arms = points_mm - axis.origin_mm
    radius = float(np.hypot(arms @ axis.x, arms @ axis.y).max())
    return math.degrees(
        math.asin(min(1.0, (offset + radius) / float(brep.face_radius_mm[face])))
    )
