"""Faces inside a bore that no drill made: the flat of a D, the roof of a teardrop.

They lean on one hole's walls and on nothing else, so they are that hole's.
"""

from collections.abc import Iterable, Mapping

from witmark.review.brep import Convexity
from witmark.review.features.graph import FaceGraph

INSIDE = (Convexity.CONCAVE, Convexity.SMOOTH)


def flats_of_bores(
    graph: FaceGraph, free: Iterable[int], bore_of: Mapping[int, int]
) -> Mapping[int, tuple[int, ...]]:
    """Faces of ``free`` that belong inside a bore, by the bore's number.

    ``bore_of`` says which bore holds a face already.
    """
    found: dict[int, tuple[int, ...]] = {}
    for group in graph.connected(free, *INSIDE):
        around = {j for f in group for j in graph.neighbours(f, *INSIDE)} - set(group)
        bores = {bore_of.get(j, -1) for j in around}
        if len(bores) == 1 and -1 not in bores:
            (bore,) = bores
            found[bore] = tuple(sorted((*found.get(bore, ()), *group)))
    return found
