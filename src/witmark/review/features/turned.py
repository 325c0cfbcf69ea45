"""Steps and grooves of turned parts: an outer round between shoulders that share its axis."""

from collections.abc import Iterable

import numpy as np

from witmark.review.brep import Brep, Convexity, FloatArray, SurfaceKind
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.fillets import place_of
from witmark.review.features.graph import FaceGraph
from witmark.review.features.kinds import ShapeKind

ON_AXIS_MM = 1e-3
PARALLEL = 1 - 1e-6
PLANE = SurfaceKind.PLANE
ROUND = (SurfaceKind.CYLINDER, SurfaceKind.CONE, SurfaceKind.TORUS)


def find_turned(graph: FaceGraph, free: Iterable[int]) -> tuple[Feature, ...]:
    """A groove where shoulders look at each other, a step where they do not."""
    within = frozenset(free)
    features = []
    for group in graph.connected(within, Convexity.CONCAVE, Convexity.SMOOTH):
        feature = _turned(graph, group)
        if feature is not None:
            features.append(feature)
    return tuple(features)


def _turned(graph: FaceGraph, group: tuple[int, ...]) -> Feature | None:
    brep = graph.brep
    outer = [f for f in group if brep.face_kind[f] in ROUND and brep.face_side[f] > 0]
    if not outer:
        return None
    lead = max(outer, key=lambda f: (round(float(brep.face_area_mm2[f]), 6), -f))
    axis, origin = brep.face_axis[lead], brep.face_origin_mm[lead]
    if not all(_turns_about(brep, f, axis, origin) for f in group):
        return None
    shoulders = [f for f in group if brep.face_kind[f] == PLANE]
    if not all(_is_ring(graph, f, axis, origin) for f in shoulders):
        return None
    return _feature(brep, group, lead, _looks(brep, shoulders, axis))


def _looks(brep: Brep, shoulders: list[int], axis: FloatArray) -> list[tuple[float, float]]:
    """Per shoulder: which way along the axis it looks, and where it stands."""
    return [
        (float(np.sign(brep.face_axis[f] @ axis)), float(brep.face_origin_mm[f] @ axis))
        for f in shoulders
    ]


def _feature(
    brep: Brep, group: tuple[int, ...], lead: int, looks: list[tuple[float, float]]
) -> Feature | None:
    rising = [at for way, at in looks if way > 0]
    falling = [at for way, at in looks if way < 0]
    if not looks:
        return None
    place, axis = place_of(brep, lead), brep.face_axis[lead].tolist()
    direction = (axis[0], axis[1], axis[2])
    if rising and falling and min(falling) > max(rising):
        facts: dict[str, Fact] = {"groove.w": min(falling) - max(rising)}
        return Feature(ShapeKind.GROOVE, group, place, direction, facts)
    return Feature(ShapeKind.STEP, group, place, direction, {})


def _turns_about(brep: Brep, face: int, axis: FloatArray, origin: FloatArray) -> bool:
    kind, own = brep.face_kind[face], brep.face_axis[face]
    if kind == PLANE:
        return bool(abs(own @ axis) > PARALLEL)
    if kind not in ROUND or abs(own @ axis) < PARALLEL:
        return False
    gap = brep.face_origin_mm[face] - origin
    return bool(np.linalg.norm(gap - (gap @ axis) * axis) < ON_AXIS_MM)


def _is_ring(graph: FaceGraph, face: int, axis: FloatArray, origin: FloatArray) -> bool:
    """Whether the plane's outer border runs in circles about the axis."""
    brep, loops = graph.brep, graph.loops[face]
    if not loops:
        return False
    edges = graph.loop_edges(loops[0])
    gap = brep.edge_origin_mm[edges] - origin
    off = np.linalg.norm(gap - (gap @ axis)[:, None] * axis, axis=1)
    circles = brep.edge_radius_mm[edges] > 0
    return bool((circles & (off < ON_AXIS_MM)).all())
