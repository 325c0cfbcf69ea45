"""Everything round that was bored into a part: holes, bores in line, bores nobody can name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from witmark.review.features.feature import Fact, Feature
from witmark.review.features.freeform_bores import free_form_bores
from witmark.review.features.graph import FaceGraph
from witmark.review.features.hole_facts import hole_feature
from witmark.review.features.holes import Hole, find_holes
from witmark.review.features.inline import find_inline
from witmark.review.features.segments import SAME_D_MM

CLOSE_SHARE = 0.02  # RULES.md P35: two diameters within 2 % are close


@dataclass(frozen=True, slots=True)
class HoleFamilies:
    """What was found, in the order in which reports tell it."""

    holes: tuple[Hole, ...]
    free_form: tuple[Feature, ...]
    in_line: tuple[Feature, ...]

    @property
    def features(self) -> tuple[Feature, ...]:
        """Holes first, in the order of ``holes``, then free-form bores, then lines."""
        return (*map(hole_feature, self.holes), *self.free_form, *self.in_line)

    @property
    def faces(self) -> frozenset[int]:
        """Faces that are spoken for: other recognisers leave them alone."""
        bored = [hole.faces for hole in self.holes] + [bore.faces for bore in self.free_form]
        return frozenset(face for faces in bored for face in faces)


def find_hole_families(graph: FaceGraph) -> HoleFamilies:
    """Recognise all of a part's holes."""
    holes = find_holes(graph)
    free_form = free_form_bores(graph, {face for hole in holes for face in hole.faces})
    return HoleFamilies(holes, free_form, find_inline(graph, holes, free_form))


def part_hole_facts(found: HoleFamilies) -> Mapping[str, Fact]:
    """How many diameters a part has, and how many pairs of them are close.

    Both are ``None`` when a bore's diameter cannot be measured: it could be one more.
    """
    names = ("part.hole_d_count", "part.hole_d_close_pairs")
    if found.free_form or any(hole.goes_on for hole in found.holes):
        return dict.fromkeys(names)
    sizes = distinct_diameters_mm(found.holes)
    close = sum(large <= small * (1 + CLOSE_SHARE) for small, large in combinations(sizes, 2))
    return dict(zip(names, (len(sizes), close), strict=True))


def distinct_diameters_mm(holes: Sequence[Hole]) -> tuple[float, ...]:
    """Diameters of all bored segments, least first; those within 0.01 mm are one.

    Cones and grooves are no diameters that a drill is bought for.
    """
    bored = [hole for hole in holes if hole.kind == "hole"]
    sizes: list[float] = []
    for d in sorted(segment.d_mm or 0.0 for hole in bored for segment in hole.cylinders):
        if not sizes or d - sizes[-1] > SAME_D_MM:
            sizes.append(d)
    return tuple(sizes)
