"""Bosses: islands that rise from a face through a closed ring of concave edges."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import Brep, Convexity, FloatArray
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.fillets import place_of
from witmark.review.features.graph import Link
from witmark.review.features.kinds import CYLINDER, FREEFORM, PLANE, ShapeKind
from witmark.review.features.scene import Scene, upright
from witmark.review.features.sections import least_breadth

ABOVE_MM = 1e-3
_UNKNOWN: Mapping[str, Fact] = {"boss.w": None, "boss.height": None}
RISES = (Convexity.CONCAVE, Convexity.SMOOTH)


@dataclass(frozen=True, slots=True)
class Island:
    """Faces of one boss and the face it stands on."""

    ground: int
    faces: tuple[int, ...]


def find_islands(scene: Scene, free: frozenset[int]) -> tuple[Island, ...]:
    """Every island of ``free`` faces, by the face it stands on; no face is in two of them.

    Where a boss stands on a boss, each keeps what the smaller one does not hold.
    """
    graph = scene.graph
    found = []
    for ground in (f for f in range(graph.brep.faces) if len(graph.loops[f]) > 1):
        for loop in graph.loops[ground][1:]:
            ring = graph.across_loop(loop)
            if ring and all(_rises(scene, x) for x in ring):
                found.append(Island(ground, tuple(sorted(_island(scene, ground, ring, free)))))
    taken: set[int] = set()
    kept = []
    for island in sorted(found, key=lambda i: (len(i.faces), i.faces, i.ground)):
        own = tuple(f for f in island.faces if f not in taken)
        taken.update(own)
        if own:
            kept.append(Island(island.ground, own))
    return tuple(sorted(kept, key=lambda i: (i.ground, i.faces)))


def make_boss(scene: Scene, island: Island) -> Feature:
    """The island as a feature; it looks the way its ground does."""
    brep = scene.brep
    lead = max(island.faces, key=lambda f: (round(float(brep.face_area_mm2[f]), 6), -f))
    if brep.face_kind[island.ground] != PLANE:
        return Feature(ShapeKind.BOSS, island.faces, place_of(brep, lead), None, _UNKNOWN)
    x, y, z = brep.face_axis[island.ground].tolist()
    facts = _sizes(scene, island)
    return Feature(ShapeKind.BOSS, island.faces, place_of(brep, lead), (x, y, z), facts)


def _sizes(scene: Scene, island: Island) -> dict[str, Fact]:
    """Its height above its ground, and its diameter if round, else its least breadth."""
    brep, out = scene.brep, scene.brep.face_axis[island.ground]
    points = np.concatenate([scene.points(f) for f in island.faces])
    height = float(((points - brep.face_origin_mm[island.ground]) @ out).max())
    sides = [f for f in island.faces if upright(scene, f, out)]
    round_sides = [f for f in sides if scene.kind[f] == CYLINDER and brep.face_side[f] > 0]
    if FREEFORM in {scene.kind[f] for f in sides} or not sides:
        return {**_UNKNOWN, "boss.height": height}
    if len(round_sides) == len(sides) and _is_one_round(brep, round_sides, out):
        return {"boss.d": 2 * float(brep.face_radius_mm[sides].max()), "boss.height": height}
    return {"boss.w": least_breadth(points, out), "boss.height": height}


def _is_one_round(brep: Brep, faces: list[int], out: FloatArray) -> bool:
    arms = brep.face_origin_mm[faces] - brep.face_origin_mm[faces[0]]
    off = np.linalg.norm(arms - (arms @ out)[:, None] * out, axis=1)
    turn = float(brep.face_sweep_rad[faces].sum())
    return bool(off.max() < ABOVE_MM and turn > 2 * math.pi - ABOVE_MM)


def stands_free(scene: Scene, ground: int, islands: frozenset[int]) -> bool:
    """Whether nothing but islands rises from a plane, so that it is outer ground."""
    return not any(
        x.face not in islands and (x.convexity == Convexity.CONCAVE or x.face in scene.blends)
        for x in scene.graph.across(ground, *RISES)
    )


def _rises(scene: Scene, link: Link) -> bool:
    if link.face in scene.ignored:
        return False
    smooth = link.convexity == Convexity.SMOOTH and link.face in scene.blends
    return link.convexity == Convexity.CONCAVE or smooth


def _island(
    scene: Scene, ground: int, ring: tuple[Link, ...], within: frozenset[int]
) -> set[int]:
    """Faces reached from the ring without crossing the ground and without going below it."""
    kinds: tuple[Convexity, ...] = (*RISES, Convexity.CONVEX)
    if scene.kind[ground] != PLANE:
        kinds = (Convexity.SMOOTH,)
    todo = sorted({x.face for x in ring} & within - {ground})
    faces = set(todo)
    while todo:
        for link in scene.graph.across(todo.pop(), *kinds):
            if link.face in within - faces - {ground} and _is_above(scene, ground, link.face):
                faces.add(link.face)
                todo.append(link.face)
    return faces


def _is_above(scene: Scene, ground: int, face: int) -> bool:
    brep = scene.brep
    if scene.kind[ground] != PLANE:
        return True
    heights = (scene.points(face) - brep.face_origin_mm[ground]) @ brep.face_axis[ground]
    return bool(len(heights) and heights.min() > -ABOVE_MM)
