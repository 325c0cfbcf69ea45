"""Steps and grooves of turned parts: an outer round between shoulders that share its axis."""

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from witmark.review.brep import Brep, Convexity, FloatArray
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.fillets import place_of
from witmark.review.features.graph import FaceGraph
from witmark.review.features.kinds import CONE, CYLINDER, PLANE, TORUS, ShapeKind

ON_AXIS_MM = 1e-3
PARALLEL = 1 - 1e-6
ROUND = (CYLINDER, CONE, TORUS)


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
    return _feature(graph, group, lead, shoulders)


def _feature(
    graph: FaceGraph, group: tuple[int, ...], lead: int, shoulders: list[int]
) -> Feature | None:
    if not shoulders:
        return None
    brep, axis = graph.brep, graph.brep.face_axis[lead]
    place, (x, y, z) = place_of(brep, lead), axis.tolist()
    gap = _between_shoulders(brep, shoulders, axis)
    if gap is None:
        low, high = brep.face_along_mm[lead]
        step: dict[str, Fact] = {"step.height": _rise(graph, shoulders)}
        step["step.width"] = float(high - low)
        return Feature(ShapeKind.STEP, group, place, (x, y, z), step)
    facts: dict[str, Fact] = {"groove.w": gap, "groove.depth": _rise(graph, shoulders)}
    facts["groove.d"] = _bottom_d(brep, group)
    return Feature(ShapeKind.GROOVE, group, place, (x, y, z), facts)


def _between_shoulders(brep: Brep, shoulders: list[int], axis: FloatArray) -> float | None:
    """The clear width between shoulders that look at each other; None when none do."""
    along = brep.face_origin_mm[shoulders] @ axis
    ahead = brep.face_axis[shoulders] @ axis > 0
    if ahead.all() or not ahead.any():
        return None
    gap = float(along[~ahead].min() - along[ahead].max())
    return gap if gap > 0 else None


def _bottom_d(brep: Brep, group: tuple[int, ...]) -> float | None:
    """The diameter of the bottom; None when it is no plain round."""
    rounds = [f for f in group if brep.face_kind[f] == CYLINDER and brep.face_side[f] > 0]
    return 2 * float(brep.face_radius_mm[rounds].min()) if rounds else None


def with_ring_sizes(graph: FaceGraph, bore: Feature) -> Feature:
    """A ring cut into a face, with its outer diameter, its width and its depth.

    It is what stays of a bore whose floor carries a wide island on the bore's axis.
    """
    brep = graph.brep
    hollow = [f for f in bore.faces if brep.face_kind[f] == CYLINDER and brep.face_side[f] < 0]
    floors = [f for f in bore.faces if brep.face_kind[f] == PLANE]
    islands = {
        x
        for f in floors
        for x in graph.neighbours(f)
        if brep.face_kind[x] == CYLINDER and brep.face_side[x] > 0
    }
    outer_mm = float(brep.face_radius_mm[hollow].min()) if hollow else math.nan
    inner_mm = float(brep.face_radius_mm[sorted(islands)].max()) if islands else math.nan
    sizes = {
        "groove.d": 2 * outer_mm,
        "groove.w": outer_mm - inner_mm,
        "groove.depth": sum(s.depth_mm or math.nan for s in bore.segments),
    }
    facts = {name: None if math.isnan(size) else size for name, size in sizes.items()}
    return replace(bore, facts={**bore.facts, **facts})


def _rise(graph: FaceGraph, shoulders: list[int]) -> float | None:
    """How far the lower shoulder stands above the bottom; None when a rim is no circle."""
    radii = [
        graph.brep.edge_radius_mm[[x.edge for x in graph.links[face]]] for face in shoulders
    ]
    rims = [r[~np.isnan(r)] for r in radii]
    if not all(len(r) for r in rims):
        return None
    return float(min(r.max() for r in rims) - min(r.min() for r in rims))


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
