"""Recesses: floors and the walls that rise around them, split out of the concave regions.

Where two cuts cross, the edge between them is convex; inside one cut every edge is concave or
runs through a fillet. So the faces that hang together over concave and smooth edges are one
cut, or several that share a wall. The floors of a region are the planes that face the way it
opens (``directions``), and each floor takes the walls around it. What to call a recess is
decided in ``pockets``, ``slots`` and ``steps``.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import Brep, FloatArray
from witmark.review.features.directions import opening_direction
from witmark.review.features.graph import Link
from witmark.review.features.kinds import CONE, FREEFORM, PLANE
from witmark.review.features.outer import normals_at
from witmark.review.features.scene import (
    CONCAVE,
    SAME_DIRECTION,
    SMOOTH,
    Scene,
    cross,
    falls,
    outer_edges,
    rising,
    upright,
)

MOST_SLOPE = 0.97  # above it a plane is level: a floor or a ceiling of its own


@dataclass(frozen=True, slots=True)
class Opening:
    """A side of a floor, or of a through cut, where no wall stands."""

    face: int  # the face across the edge
    outward: FloatArray  # (3,) unit: away from the floor in its plane; of a through cut, where
    # the face across looks. NaN when neither is known.


@dataclass(frozen=True, slots=True)
class Recess:
    """One cut: its floor, its walls, and where it is open."""

    faces: tuple[int, ...]  # what it claims: floor, walls, slopes, blends between them
    floors: tuple[int, ...]  # coplanar; empty when nothing closes it
    walls: tuple[int, ...]  # upright faces around the floor, rounds between walls left out
    corners: tuple[int, ...]  # upright internal rounds between walls
    floor_blends: tuple[int, ...]  # internal rounds between floor and walls
    direction: FloatArray  # (3,) out of the cut; along the cut when it has no floor
    openings: tuple[Opening, ...]


def find_recesses(scene: Scene, free: Iterable[int]) -> list[Recess]:
    """Every recess among ``free``, ordered by its least face.

    A region may open in several directions; what the first leaves over is looked at again.
    """
    found: list[Recess] = []
    todo = scene.graph.connected(free, CONCAVE, SMOOTH)
    while todo:
        region = todo.pop()
        recesses = _split(scene, region, opening_direction(scene, region))
        found.extend(recesses)
        left = set(region).difference(*(r.faces for r in recesses))
        if recesses and left and len(left) < len(region):
            todo.extend(scene.graph.connected(left, CONCAVE, SMOOTH))
    return sorted(found, key=lambda r: r.faces)


def _split(scene: Scene, region: tuple[int, ...], direction: FloatArray | None) -> list[Recess]:
    if direction is None:
        return []
    brep = scene.brep
    flat = [
        f
        for f in region
        if scene.kind[f] == PLANE and brep.face_axis[f] @ direction > SAME_DIRECTION
    ]
    pieces = scene.graph.connected(flat, SMOOTH)
    groups = [group for group in pieces if any(rising(scene, f) for f in group)]
    if not groups:
        return [_without_floor(scene, region, direction)]
    claims = _claims(scene, region, groups, direction)
    return [_with_floor(scene, groups[k], claims[k], direction) for k in range(len(groups))]


def _claims(
    scene: Scene, region: tuple[int, ...], groups: list[tuple[int, ...]], direction: FloatArray
) -> list[list[int]]:
    """Which faces of the region go with which floor: the nearest over walls and blends."""
    owner = {f: k for k, group in enumerate(groups) for f in group}
    inside = {f for f in region if _may_stand(scene, f, direction)}
    weight = [_weight(scene, group, direction) for group in groups]
    front = sorted(owner)
    while front:
        pull: dict[int, dict[int, float]] = {}
        for face in front:
            for link in scene.graph.across(face, CONCAVE, SMOOTH):
                if link.face in inside and link.face not in owner:
                    by_floor = pull.setdefault(link.face, {})
                    length = float(scene.brep.edge_length_mm[link.edge])
                    by_floor[owner[face]] = by_floor.get(owner[face], 0.0) + length
        for face, floors in pull.items():
            owner[face] = min(floors, key=lambda k: (-round(floors[k], 6), weight[k], k))
        front = sorted(f for f in pull if _leads_on(scene, f, direction))
    return [[f for f in region if owner.get(f) == k] for k in range(len(groups))]


def _weight(
    scene: Scene, floors: tuple[int, ...], direction: FloatArray
) -> tuple[float, float]:
    """The order of floors that pull a wall equally: the larger first, then the lower."""
    brep = scene.brep
    area = float(brep.face_area_mm2[list(floors)].sum())
    return -round(area, 6), round(float(brep.face_origin_mm[floors[0]] @ direction), 6)


def _may_stand(scene: Scene, face: int, direction: FloatArray) -> bool:
    """Whether a face can belong to a cut that opens this way without being its floor."""
    level = abs(float(scene.brep.face_axis[face] @ direction))
    return scene.kind[face] != PLANE or level < MOST_SLOPE


def _leads_on(scene: Scene, face: int, direction: FloatArray) -> bool:
    """Whether the faces beyond this one may belong to the same floor still."""
    if face in scene.blends:
        return True
    return scene.kind[face] != FREEFORM and upright(scene, face, direction)


def _with_floor(
    scene: Scene, floors: tuple[int, ...], claimed: list[int], direction: FloatArray
) -> Recess:
    rim, openings = around(scene, floors)
    floor_blends = tuple(
        sorted(f for f in rim & scene.blends if not upright(scene, f, direction))
    )
    behind = {
        x.face
        for f in floor_blends
        for x in scene.graph.across(f, SMOOTH)
        if x.face not in floors
    }
    standing = (rim | behind | set(claimed)) - {*floors, *floor_blends}
    walls = {f for f in standing if upright(scene, f, direction) and not _is_patch(scene, f)}
    if not walls:
        walls = rim - set(floor_blends)  # slopes, or the sides of holes, do for walls
    corners = corners_of(scene, walls)
    faces = sorted(set(claimed) | set(floors))
    return Recess(
        faces=tuple(faces),
        floors=floors,
        walls=tuple(sorted(walls - corners - scene.blends)),
        corners=tuple(sorted(corners)),
        floor_blends=floor_blends,
        direction=direction,
        openings=tuple(openings),
    )


def _is_patch(scene: Scene, face: int) -> bool:
    """Whether a free form only closes the corner where fillets meet."""
    meeting = scene.graph.neighbours(face, SMOOTH)
    return scene.kind[face] == FREEFORM and len(scene.blends.intersection(meeting)) > 1


def around(scene: Scene, floors: tuple[int, ...]) -> tuple[set[int], list[Opening]]:
    """Faces that rise from the floor, and the sides where none does."""
    upward: set[int] = set()
    openings = []
    for floor in floors:
        ahead = outer_edges(scene.graph, floor)
        for link in scene.graph.across(floor):
            if link.face in floors:
                continue
            if link.edge in ahead and falls(scene, link):
                outward = _outward(scene.brep, floor, link.edge, forward=ahead[link.edge])
                openings.append(Opening(link.face, outward))
            elif link.convexity in (CONCAVE, SMOOTH):
                upward.add(link.face)
    return upward, openings


def _outward(brep: Brep, floor: int, edge: int, *, forward: bool) -> FloatArray:
    """In the floor's plane, away from it, square to the edge's chord; NaN for a full turn.

    Loops run with their face on the left, seen from outside.
    """
    run = brep.edge_points_mm(edge)
    away = cross(run[-1] - run[0], brep.face_axis[floor])
    size = float(np.sqrt(away @ away))
    if size == 0.0:
        return np.full(3, np.nan)
    return away / (size if forward else -size)


def corners_of(scene: Scene, walls: set[int]) -> set[int]:
    """Upright rounds that run smoothly into walls on both sides; drafted ones are cones."""
    brep = scene.brep
    drafted = {
        f
        for f in walls
        if scene.kind[f] == CONE
        and brep.face_side[f] < 0
        and len(scene.graph.neighbours(f, SMOOTH)) >= 2
    }
    return (walls & scene.blends) | drafted


def _without_floor(scene: Scene, region: tuple[int, ...], direction: FloatArray) -> Recess:
    brep = scene.brep
    walls = {f for f in region if upright(scene, f, direction)}
    corners = corners_of(scene, walls)
    inside = set(region)
    sides = [
        x
        for f in sorted(walls)
        for x in scene.graph.across(f)
        if x.face not in inside and falls(scene, x) and runs_along(brep, x.edge, direction)
    ]
    if _goes_round(scene, walls, direction):
        # Walls all round: what bites into them from the side is another cut, not an opening.
        told = not any(scene.kind[f] == FREEFORM for f in walls)
        sides = [x for x in sides if x.face in scene.hull or (told and _ends(scene, x.face))]
    return Recess(
        faces=region,
        floors=(),
        walls=tuple(sorted(walls - corners)),
        corners=tuple(sorted(corners)),
        floor_blends=(),
        direction=direction,
        openings=tuple(Opening(x.face, _look(brep, x)) for x in sides),
    )


def _ends(scene: Scene, face: int) -> bool:
    """Whether a face is the end of the wall itself, as of a bent strap: nothing rises from it.

    A cut that bites into a wall has a floor or a second wall, and so a concave edge.
    """
    return scene.kind[face] == PLANE and not rising(scene, face)


def _look(brep: Brep, link: Link) -> FloatArray:
    """Which way the face across an edge looks, halfway along it."""
    run = brep.edge_points_mm(link.edge)
    look: FloatArray = normals_at(brep, np.array([link.face]), run[len(run) // 2][None, :])[0]
    return look


def _goes_round(scene: Scene, walls: set[int], direction: FloatArray) -> bool:
    """Whether the plane walls look in from all sides, with no half turn left unwatched."""
    brep = scene.brep
    looks = brep.face_axis[[f for f in sorted(walls) if scene.kind[f] == PLANE]]
    if len(looks) < 3:
        return False
    first = cross(direction, looks[0])
    angles = np.sort(np.arctan2(looks @ first, looks @ looks[0]))
    gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    return bool(gaps.max() < np.pi - 1e-3)


def runs_along(brep: Brep, edge: int, direction: FloatArray) -> bool:
    """Whether an edge is straight and lies along a direction."""
    axis = brep.edge_axis[edge]
    return bool(abs(axis @ direction) > 0.99 and np.isnan(brep.edge_radius_mm[edge]))
