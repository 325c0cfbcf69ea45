"""Bosses: islands that rise from a face through a closed ring of concave edges."""

from dataclasses import dataclass

from witmark.review.brep import Convexity
from witmark.review.features.feature import Feature
from witmark.review.features.fillets import place_of
from witmark.review.features.graph import Link
from witmark.review.features.kinds import PLANE, ShapeKind
from witmark.review.features.scene import Scene

ABOVE_MM = 1e-3
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
    direction = None
    if brep.face_kind[island.ground] == PLANE:
        x, y, z = brep.face_axis[island.ground].tolist()
        direction = (x, y, z)
    return Feature(ShapeKind.BOSS, island.faces, place_of(brep, lead), direction, {})


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
