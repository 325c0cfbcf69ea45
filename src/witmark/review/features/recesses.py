"""Recesses: floors and the walls that rise around them, split out of the concave regions.

Where two cuts cross, the edge between them is convex; inside one cut every edge is concave or
runs through a fillet. So the faces that hang together over concave and smooth edges are one
cut, or several that share a wall. A region opens towards the direction in which least of it
is undercut; its floors are the planes that face that way, and each floor takes the walls
around it. What to call a recess is decided in ``pockets``, ``slots`` and ``steps``.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from witmark.review.brep import Brep, Convexity, FloatArray, IntArray
from witmark.review.features.graph import FaceGraph, Link
from witmark.review.features.kinds import CONE, CYLINDER, FREEFORM, PLANE
from witmark.review.features.outer import Border, normals_at

# Bound once: looking an enum member up is slow where every edge asks.
CONCAVE, SMOOTH, CONVEX = Convexity.CONCAVE, Convexity.SMOOTH, Convexity.CONVEX
SAME_DIRECTION = 1 - 1e-5
UNDERCUT = -0.05  # cosine: a wall may lean in by three degrees and still be a wall
RANK = 1e-4  # of the largest singular value: below it directions are taken as dependent
OFF_GRID = 0.3719  # shares are often round numbers: their steps must not lie on one
UPRIGHT = 0.5  # cosine to the opening direction below which a face is a wall
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


@dataclass(frozen=True, slots=True)
class Outside:
    """Faces that were named before recesses are looked for."""

    hull: frozenset[int]  # the envelope
    sides: frozenset[int]  # the envelope without its chamfers
    holes: frozenset[int]
    blends: frozenset[int]  # internal fillets


@dataclass(frozen=True, slots=True)
class Scene:
    """What every step of the search looks at."""

    graph: FaceGraph
    border: Border
    kind: tuple[int, ...]  # SurfaceKind of every face
    starts: tuple[int, ...]  # (n + 1,) offsets of each face into border
    blends: frozenset[int]  # internal fillets
    ignored: frozenset[int]  # faces of holes: a floor is not open where one bites its border
    hull: frozenset[int]  # the envelope
    tops: FloatArray  # (k, 3) directions that the envelope's planes face
    middle_mm: FloatArray  # (3,) mean of all edge points

    @property
    def brep(self) -> Brep:
        """The part."""
        return self.graph.brep

    def points(self, face: int) -> FloatArray:
        """Points along the border of a face, (p, 3)."""
        return self.border.point_mm[self.starts[face] : self.starts[face + 1]]


def make_scene(graph: FaceGraph, border: Border, outside: Outside) -> Scene:
    """Gather what the search needs, once per part."""
    brep = graph.brep
    kinds = tuple(brep.face_kind.tolist())
    starts = tuple(np.searchsorted(border.face, np.arange(brep.faces + 1)).tolist())
    planes = [f for f in sorted(outside.sides) if kinds[f] == PLANE]
    tops = brep.face_axis[planes].reshape(-1, 3)
    middle = border.point_mm.mean(axis=0) if len(border.point_mm) else np.zeros(3)
    named = (outside.blends, outside.holes, outside.hull)
    return Scene(graph, border, kinds, starts, *named, tops, middle)


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


def opening_direction(scene: Scene, region: tuple[int, ...]) -> FloatArray | None:
    """Where a tool comes from: least undercut first, then a closed floor, then the largest.

    Ties go to the direction that leads away from the middle of the part, so that neither
    the lie of the part nor the order of its faces decides. None when the region has neither
    planes nor rounds to say so.
    """
    brep = scene.brep
    planes = np.array([f for f in region if scene.kind[f] == PLANE], dtype=int)
    ways = _candidates(scene, region, brep.face_axis[planes])
    if not len(ways):
        return None
    looks, areas = brep.face_axis[planes] @ ways.T, brep.face_area_mm2[planes]
    share = areas / max(float(areas.sum()), 1e-12)
    undercut = np.floor(100 * (share @ (looks < UNDERCUT)) + OFF_GRID)
    floors = (looks > SAME_DIRECTION) & _walled(scene, planes)[:, None]
    shut = np.array([not _is_open(scene, f) for f in planes.tolist()], dtype=bool)
    closed = (floors & shut[:, None]).any(axis=0)
    main = (ways @ scene.tops.T > SAME_DIRECTION).any(axis=1)
    floor = np.round(share @ floors, 6)
    away = np.round(_away(scene, region) @ ways.T, 6)
    order = np.lexsort((np.arange(len(ways)), -away, -floor, ~main, ~closed, undercut))
    best: FloatArray = ways[order[0]]
    return best


def _away(scene: Scene, region: tuple[int, ...]) -> FloatArray:
    """From the middle of the part's edges to the middle of the region's, over its size."""
    points = np.concatenate([scene.points(f) for f in region])
    arm = points.mean(axis=0) - scene.middle_mm
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    away: FloatArray = arm / max(size, 1e-12)
    return away


def upright(scene: Scene, face: int, direction: FloatArray) -> bool:
    """Whether a face stands along the opening direction."""
    kind, axis = scene.kind[face], scene.brep.face_axis[face]
    if kind == PLANE:
        return bool(abs(axis @ direction) < UPRIGHT)
    if kind in (CYLINDER, CONE):
        return bool(abs(axis @ direction) > 1 - UPRIGHT**3)
    return kind == FREEFORM


def _candidates(scene: Scene, region: tuple[int, ...], normals: FloatArray) -> FloatArray:
    """Directions that the region's own planes and rounds suggest, each once."""
    brep = scene.brep
    rounds = [f for f in region if scene.kind[f] == CYLINDER and brep.face_side[f] < 0]
    ways = list(normals)
    if len(normals) > 1:
        _, spread, turned = np.linalg.svd(normals, full_matrices=True)
        rank = int((spread > RANK * spread[0]).sum())
        if rank == 2:
            ways += [turned[2], -turned[2]]
        if rank == 1 and rounds:
            ways += _out_of_rounds(scene, rounds, normals[0])
    ways += [sign * brep.face_axis[f] for f in rounds for sign in (1.0, -1.0)]
    kept: list[FloatArray] = []
    for way in ways:
        if not kept or (np.array(kept) @ way).max() < SAME_DIRECTION:
            kept.append(way)
    return np.array(kept).reshape(-1, 3)


def _out_of_rounds(scene: Scene, rounds: list[int], normal: FloatArray) -> list[FloatArray]:
    """Between parallel planes: from a round bottom across its axis, as a disc cutter goes."""
    brep = scene.brep
    bottoms = [f for f in rounds if abs(brep.face_axis[f] @ normal) > SAME_DIRECTION]
    if not bottoms:
        return []
    arms = [
        brep.face_area_mm2[f] * (brep.face_origin_mm[f] - scene.points(f).mean(axis=0))
        for f in bottoms
    ]
    arm = np.sum(arms, axis=0)
    out = arm - (arm @ normal) * normal
    size = float(np.linalg.norm(out))
    return [out / size] if size > RANK * float(np.linalg.norm(arm)) else []


def _walled(scene: Scene, faces: IntArray) -> NDArray[np.bool_]:
    return np.array([bool(_rising(scene, f)) for f in faces.tolist()], dtype=bool)


def _rising(scene: Scene, face: int) -> list[Link]:
    return [
        x
        for x in scene.graph.across(face, CONCAVE, SMOOTH)
        if x.convexity == CONCAVE or x.face in scene.blends
    ]


def _outer_edges(graph: FaceGraph, face: int) -> dict[int, bool]:
    """Edges of the outer loop, and whether the loop runs along their own sense."""
    if not graph.loops[face]:
        return {}
    brep, loop = graph.brep, graph.loops[face][0]
    slots = slice(int(brep.loop_start[loop]), int(brep.loop_start[loop + 1]))
    return dict(
        zip(brep.loop_edge[slots].tolist(), brep.loop_forward[slots].tolist(), strict=True)
    )


def _is_open(scene: Scene, face: int) -> bool:
    outer = _outer_edges(scene.graph, face)
    return any(x.edge in outer and _falls(scene, x) for x in scene.graph.across(face))


def _falls(scene: Scene, link: Link) -> bool:
    """Whether the floor ends at this edge with no wall, and no hole to blame for it."""
    if link.face in scene.ignored:
        return False
    rounded_off = (
        link.convexity == SMOOTH
        and link.face not in scene.blends
        and scene.brep.face_side[link.face] > 0
    )
    return link.convexity == CONVEX or rounded_off


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
    groups = [group for group in pieces if any(_rising(scene, f) for f in group)]
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
    around, openings = _around(scene, floors)
    floor_blends = tuple(
        sorted(f for f in around & scene.blends if not upright(scene, f, direction))
    )
    behind = {
        x.face
        for f in floor_blends
        for x in scene.graph.across(f, SMOOTH)
        if x.face not in floors
    }
    standing = (around | behind | set(claimed)) - {*floors, *floor_blends}
    walls = {f for f in standing if upright(scene, f, direction) and not _is_patch(scene, f)}
    if not walls:
        walls = around - set(floor_blends)  # slopes, or the sides of holes, do for walls
    corners = _corners(scene, walls)
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


def _around(scene: Scene, floors: tuple[int, ...]) -> tuple[set[int], list[Opening]]:
    """Faces that rise from the floor, and the sides where none does."""
    rising: set[int] = set()
    openings = []
    for floor in floors:
        ahead = _outer_edges(scene.graph, floor)
        for link in scene.graph.across(floor):
            if link.face in floors:
                continue
            if link.edge in ahead and _falls(scene, link):
                outward = _outward(scene.brep, floor, link.edge, forward=ahead[link.edge])
                openings.append(Opening(link.face, outward))
            elif link.convexity in (CONCAVE, SMOOTH):
                rising.add(link.face)
    return rising, openings


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


def cross(one: FloatArray, other: FloatArray) -> FloatArray:
    """The cross product of two single vectors, many times faster than ``numpy.cross``."""
    (a, b, c), (u, v, w) = one.tolist(), other.tolist()
    return np.array((b * w - c * v, c * u - a * w, a * v - b * u))


def _corners(scene: Scene, walls: set[int]) -> set[int]:
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
    corners = _corners(scene, walls)
    inside = set(region)
    sides = [
        x
        for f in sorted(walls)
        for x in scene.graph.across(f)
        if x.face not in inside and _falls(scene, x) and _runs_along(brep, x.edge, direction)
    ]
    if _goes_round(scene, walls, direction):
        # Walls all round: what bites into them from the side is another cut, not an opening.
        sides = [x for x in sides if x.face in scene.hull]
    return Recess(
        faces=region,
        floors=(),
        walls=tuple(sorted(walls - corners)),
        corners=tuple(sorted(corners)),
        floor_blends=(),
        direction=direction,
        openings=tuple(Opening(x.face, _look(brep, x)) for x in sides),
    )


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


def _runs_along(brep: Brep, edge: int, direction: FloatArray) -> bool:
    axis = brep.edge_axis[edge]
    return bool(abs(axis @ direction) > 0.99 and np.isnan(brep.edge_radius_mm[edge]))
