"""What every step of the search for recesses looks at, and what it asks of an edge."""

from dataclasses import dataclass

import numpy as np

from witmark.review.brep import Brep, Convexity, FloatArray
from witmark.review.features.graph import FaceGraph, Link
from witmark.review.features.kinds import CONE, CYLINDER, FREEFORM, PLANE
from witmark.review.features.outer import Border

# Bound once: looking an enum member up is slow where every edge asks.
CONCAVE, SMOOTH, CONVEX = Convexity.CONCAVE, Convexity.SMOOTH, Convexity.CONVEX
SAME_DIRECTION = 1 - 1e-5
UPRIGHT = 0.5  # cosine to the opening direction below which a face is a wall


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


def upright(scene: Scene, face: int, direction: FloatArray) -> bool:
    """Whether a face stands along the opening direction."""
    kind, axis = scene.kind[face], scene.brep.face_axis[face]
    if kind == PLANE:
        return bool(abs(axis @ direction) < UPRIGHT)
    if kind in (CYLINDER, CONE):
        return bool(abs(axis @ direction) > 1 - UPRIGHT**3)
    return kind == FREEFORM


def rising(scene: Scene, face: int) -> list[Link]:
    """Links of a face over which something rises from it, directly or through a fillet."""
    return [
        x
        for x in scene.graph.across(face, CONCAVE, SMOOTH)
        if x.convexity == CONCAVE or x.face in scene.blends
    ]


def outer_edges(graph: FaceGraph, face: int) -> dict[int, bool]:
    """Edges of the outer loop, and whether the loop runs along their own sense."""
    if not graph.loops[face]:
        return {}
    brep, loop = graph.brep, graph.loops[face][0]
    slots = slice(int(brep.loop_start[loop]), int(brep.loop_start[loop + 1]))
    return dict(
        zip(brep.loop_edge[slots].tolist(), brep.loop_forward[slots].tolist(), strict=True)
    )


def is_open(scene: Scene, face: int) -> bool:
    """Whether a floor's outer border falls off somewhere."""
    outer = outer_edges(scene.graph, face)
    return any(x.edge in outer and falls(scene, x) for x in scene.graph.across(face))


def falls(scene: Scene, link: Link) -> bool:
    """Whether the floor ends at this edge with no wall, and no hole to blame for it."""
    if link.face in scene.ignored:
        return False
    rounded_off = (
        link.convexity == SMOOTH
        and link.face not in scene.blends
        and scene.brep.face_side[link.face] > 0
    )
    return link.convexity == CONVEX or rounded_off


def cross(one: FloatArray, other: FloatArray) -> FloatArray:
    """The cross product of two single vectors, many times faster than ``numpy.cross``."""
    (a, b, c), (u, v, w) = one.tolist(), other.tolist()
    return np.array((b * w - c * v, c * u - a * w, a * v - b * u))
