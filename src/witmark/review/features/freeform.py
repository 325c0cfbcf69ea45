"""Free-form faces that no other feature took, named after what surrounds them."""

from collections.abc import Iterable

import numpy as np

from witmark.review.brep import Convexity
from witmark.review.features.feature import Feature
from witmark.review.features.fillets import place_of
from witmark.review.features.graph import FaceGraph
from witmark.review.features.kinds import FREEFORM, ShapeKind

SLENDER = 0.35
"""A strip's width over its length; wider than this, a smooth patch is a surface in itself."""


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
    if len(sides) >= 2 and _slenderness(graph, face) < SLENDER:
        return ShapeKind.FREEFORM_BLEND
    return ShapeKind.FREEFORM_SURFACE


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
