"""Free-form faces that no other feature took, named after what surrounds them."""

from collections.abc import Iterable

import numpy as np

from witmark.review.brep import Convexity
from witmark.review.features.feature import Feature
from witmark.review.features.fillets import place_of
from witmark.review.features.graph import FaceGraph
from witmark.review.features.kinds import FREEFORM, ShapeKind
from witmark.review.features.normals import normals_at

SLENDER = 0.35
"""A strip's width over its length; wider than this, a smooth patch is a surface in itself."""

BOW = 0.05
"""How far a strip's far side falls below its near side, of its width, to be an outer round."""


def find_freeform(graph: FaceGraph, free: Iterable[int]) -> tuple[Feature, ...]:
    """One feature per free-form face: a strip that blends, a hollow, or a plain surface.

    Nothing is measured: that canonical recognition refused the face is all we know.
    """
    found = [f for f in sorted(free) if graph.brep.face_kind[f] == FREEFORM]
    return tuple(
        Feature(_kind(graph, f), (f,), place_of(graph.brep, f), None, {}) for f in found
    )


def _kind(graph: FaceGraph, face: int) -> ShapeKind:
    if graph.neighbours(face, Convexity.CONCAVE) or leads_in(graph, face):
        return ShapeKind.FREEFORM_RECESS
    sides = graph.neighbours(face, Convexity.SMOOTH)
    slender = len(sides) >= 2 and _slenderness(graph, face) < SLENDER
    if slender and not _rounds_an_outer_edge(graph, face):
        return ShapeKind.FREEFORM_BLEND
    return ShapeKind.FREEFORM_SURFACE


def _rounds_an_outer_edge(graph: FaceGraph, face: int) -> bool:
    """Whether a blend surely bows outward: each of its long sides falls away from the other.

    False where a side is itself a free form, for its normal is not known.
    """
    brep = graph.brep
    links = sorted(
        graph.across(face, Convexity.SMOOTH),
        key=lambda link: (-round(float(brep.edge_length_mm[link.edge]), 6), link.edge),
    )
    links = links[:1] + [link for link in links[1:] if link.face != links[0].face][:1]
    if len(links) < 2:
        return False
    runs = [brep.edge_points_mm(link.edge) for link in links]
    middles = [run[len(run) // 2][None] for run in runs]
    looks = [
        normals_at(brep, link.face, at)[0] for link, at in zip(links, middles, strict=True)
    ]
    over = (middles[1] - middles[0])[0]
    reach = float(np.linalg.norm(over))
    rises = (float(over @ looks[0]), float(-over @ looks[1]))
    return max(rises) < -BOW * reach  # NaN compares false


def leads_in(graph: FaceGraph, face: int) -> bool:
    """Whether a free form runs away from an inner outline of its neighbour, sharply."""
    inward = {link.edge for link in graph.across(face, Convexity.CONVEX)}
    return any(
        not inward.isdisjoint(graph.loop_edges(loop).tolist())
        for other in graph.neighbours(face, Convexity.CONVEX)
        for loop in graph.loops[other][1:]
    )


def _slenderness(graph: FaceGraph, face: int) -> float:
    """Area over the square of half the border: width over length of a long strip."""
    edges = np.array([x.edge for x in graph.links[face]], dtype=int)
    half = float(graph.brep.edge_length_mm[edges].sum()) / 2
    return float(graph.brep.face_area_mm2[face]) / max(half * half, 1e-12)
