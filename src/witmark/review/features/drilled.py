"""Everything round and hollow of one part: holes, free-form bores, bores in line."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from witmark.review.features import freeform_bores, inline
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.freeform_bores import free_form_bores
from witmark.review.features.graph import FaceGraph
from witmark.review.features.hole_facts import hole_feature
from witmark.review.features.holes import Hole

SAME_DIAMETER_MM = 0.01
"""Diameters nearer than this are one diameter: a drill's own tolerance, RULES.md P35."""

CLOSE_SHARE = 0.02
"""Distinct diameters within 2 % of each other are a close pair, RULES.md P35."""

_KINDS = {freeform_bores.KIND: "freeform_bore", inline.KIND: "inline"}


def drilled(graph: FaceGraph, holes: Sequence[Hole]) -> tuple[Feature, ...]:
    """Holes first, then what looks like a hole but cannot be measured."""
    taken = {face for hole in holes for face in hole.faces}
    found = (
        *(hole_feature(hole) for hole in holes),
        *free_form_bores(graph, taken),
    )
    return tuple(_named(feature) for feature in found)


def in_line(holes: Sequence[Hole]) -> tuple[Feature, ...]:
    """Bores in line; their faces are claimed by the holes themselves."""
    return tuple(_named(feature) for feature in inline.find_inline(holes))


def _named(feature: Feature) -> Feature:
    """With the name that the vocabulary of places knows."""
    return replace(feature, kind=_KINDS.get(feature.kind, feature.kind.replace(" ", "_")))


def drilled_facts(features: Sequence[Feature]) -> Mapping[str, Fact]:
    """How many hole diameters the part has, and how many of them are nearly the same.

    Every cylindrical segment counts, countersinks do not. One bore of unknown size makes
    both unknown.
    """
    bored = [f for f in features if f.kind in ("hole", "freeform_bore")]
    if any(f.facts.get("hole.d") is None for f in bored):
        return {"part.hole_d_count": None, "part.hole_d_close_pairs": None}
    sizes = sorted(s.d_mm for f in bored for s in f.segments if s.angle_deg is None and s.d_mm)
    distinct: list[float] = []
    for d_mm in sizes:
        if not distinct or d_mm - distinct[-1] > SAME_DIAMETER_MM:
            distinct.append(d_mm)
    close = sum(b <= a * (1 + CLOSE_SHARE) for a, b in pairwise(distinct))
    return {"part.hole_d_count": len(distinct), "part.hole_d_close_pairs": close}
