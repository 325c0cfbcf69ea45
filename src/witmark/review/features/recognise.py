"""A part, face by face: which feature each belongs to, which are base, what nobody explained.

Order of claims, so that each face has one home: holes, fillets, chamfers, envelope, turned
steps and grooves, bosses, recesses, free-form faces, and last the lands that are left. A
feature may list more faces than it claims (a pocket lists its corner fillets); the map from
face to feature follows the claims.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from witmark.review.brep import Brep, FloatArray
from witmark.review.features import chamfers, fillets, freeform, outer, surfaces, turned
from witmark.review.features.bore_flats import flats_of_bores
from witmark.review.features.bosses import find_islands, make_boss, stands_free
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.graph import FaceGraph, face_graph
from witmark.review.features.hole_facts import hole_feature
from witmark.review.features.hole_families import (
    HoleFamilies,
    find_hole_families,
    part_hole_facts,
)
from witmark.review.features.holes import Hole
from witmark.review.features.kinds import PLANE, ShapeKind
from witmark.review.features.pockets import name_pocket
from witmark.review.features.recesses import find_recesses
from witmark.review.features.scene import Outside, make_scene
from witmark.review.features.sections import Section, distinct
from witmark.review.features.slits import find_slits
from witmark.review.features.slots import name_slot
from witmark.review.features.steps import name_step
from witmark.review.features.undercuts import find_undercut_slots

NAMERS = (name_slot, name_step, name_pocket)
"""The narrower name wins: a slot before a step, a step before an open pocket."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """What is known of a part's shape.

    ``home[f]`` is the index of the feature that claims face ``f``, -1 when none does.
    ``graph`` and ``bored`` are kept for those who look a second time.
    """

    graph: FaceGraph
    bored: HoleFamilies
    features: tuple[Feature, ...]
    home: tuple[int, ...]
    base: frozenset[int]
    facts: Mapping[str, Fact]

    @property
    def faces(self) -> int:
        """How many faces the part has."""
        return len(self.home)

    @property
    def unexplained(self) -> tuple[int, ...]:
        """Faces in no feature and not base."""
        return tuple(f for f, k in enumerate(self.home) if k < 0 and f not in self.base)

    @property
    def share(self) -> float:
        """Share of faces explained; of a part without faces, 1."""
        return 1.0 if not self.faces else 1 - len(self.unexplained) / self.faces


@dataclass(slots=True)
class _Claims:
    """Faces still free, and the features that took the others."""

    free: set[int]
    made: list[tuple[Feature, frozenset[int]]] = field(default_factory=list)

    def take(self, features: Iterable[Feature]) -> None:
        for feature in features:
            mine = frozenset(feature.faces) & self.free
            self.free -= mine
            self.made.append((feature, mine))

    def extend(self, index: int, faces: tuple[int, ...]) -> None:
        """Give more faces to a feature that was made before."""
        feature, mine = self.made[index]
        self.free.difference_update(faces)
        grown = replace(feature, faces=tuple(sorted({*feature.faces, *faces})))
        self.made[index] = (grown, mine | frozenset(faces))


def recognise(brep: Brep) -> Recognition:
    """Name the features of one part.

    The same arrays give the same answer, feature for feature and in the same order.
    """
    graph = face_graph(brep)
    claims = _Claims(set(range(brep.faces)))
    bored = find_hole_families(graph)
    claims.take((*(_bored(graph, hole) for hole in bored.holes), *bored.free_form))
    bore_of = {face: k for k, (_, mine) in enumerate(claims.made) for face in mine}
    held = frozenset(bore_of)
    border = outer.border_points(brep)
    hull = outer.envelope(brep, border) - held
    rounds = fillets.fillet_faces(graph, sorted(claims.free))
    blends = frozenset(f for f in rounds if brep.face_side[f] < 0)
    claims.take(chamfers.find_chamfers(graph, sorted(claims.free - rounds)))
    sides = hull & claims.free
    claims.free -= (rounds - blends) | hull
    scene = make_scene(graph, border, Outside(hull, sides, held, blends))
    claims.take(turned.find_turned(graph, claims.free))
    islands = find_islands(scene, frozenset(claims.free))
    on_islands = frozenset(f for island in islands for f in island.faces)
    ground = {i.ground for i in islands if stands_free(scene, i.ground, on_islands)}
    claims.take(make_boss(scene, island) for island in islands)
    ground &= claims.free
    claims.free -= ground
    claims.take(find_undercut_slots(scene, sorted(claims.free)))
    for recess in find_recesses(scene, sorted(claims.free)):
        section = Section(scene, recess)
        named = (feature for name in NAMERS if (feature := name(section)) is not None)
        claims.take(list(named)[:1])
    for bore, faces in flats_of_bores(graph, sorted(claims.free), bore_of).items():
        claims.extend(bore, faces)
    claims.take(freeform.find_freeform(graph, sorted(claims.free)))
    lands = outer.lands(graph, frozenset(claims.free))
    claims.take(find_slits(scene, lands))
    base = (hull - rounds) | ground | (lands & claims.free)
    return _gather(graph, bored, claims, rounds, base)


def _bored(graph: FaceGraph, hole: Hole) -> Feature:
    made = hole_feature(hole)
    return turned.with_ring_sizes(graph, made) if hole.kind == "annular_groove" else made


def _gather(
    graph: FaceGraph,
    bored: HoleFamilies,
    claims: _Claims,
    rounds: frozenset[int],
    base: frozenset[int],
) -> Recognition:
    brep = graph.brep
    tops = _milling_directions(brep, [f for f, _ in claims.made])
    named = list(claims.made)
    named += [(f, frozenset(f.faces)) for f in fillets.make_fillets(graph, rounds, tops)]
    named += [(f, frozenset()) for f in surfaces.find_boundaries(graph, base)]
    named += [(f, frozenset()) for f in bored.in_line]
    named.sort(key=lambda pair: (min(pair[0].faces, default=-1), pair[0].kind, pair[0].faces))
    home = [-1] * brep.faces
    for index, (_, mine) in enumerate(named):
        for face in sorted(mine):
            home[face] = index
    for index, (feature, _) in enumerate(named):
        if feature.kind == ShapeKind.FILLET:
            for face in feature.faces:
                home[face] = index
    base = frozenset(f for f in base if home[f] < 0)
    features = tuple(f for f, _ in named)
    facts = {**_part_facts(brep, rounds), **part_hole_facts(bored)}
    return Recognition(graph, bored, features, tuple(home), base, facts)


def _part_facts(brep: Brep, rounds: frozenset[int]) -> Mapping[str, Fact]:
    internal = [fillets.radius_of(brep, f) for f in sorted(rounds) if brep.face_side[f] < 0]
    return {"part.internal_r_count": len(distinct(internal))}


OPENS = frozenset(
    (ShapeKind.POCKET, ShapeKind.OPEN_POCKET, ShapeKind.BLIND_STEP, ShapeKind.BLIND_SLOT)
)


def _milling_directions(brep: Brep, features: list[Feature]) -> FloatArray:
    """Out of which recesses and holes a tool is drawn; else square to the largest plane."""
    ways = [way for feature in features for way in _ways_out(feature)]
    if ways:
        return np.array(ways)
    planes = np.flatnonzero(brep.face_kind == PLANE)
    if not len(planes):
        return np.zeros((0, 3))
    largest = planes[np.argmax(np.round(brep.face_area_mm2[planes], 6))]
    return np.array([brep.face_axis[largest], -brep.face_axis[largest]])


def _ways_out(feature: Feature) -> list[FloatArray]:
    if feature.direction is None:
        return []
    way = np.array(feature.direction)
    if feature.kind in OPENS:
        return [way]
    if feature.kind == ShapeKind.THROUGH_WINDOW or feature.facts.get("hole.through"):
        return [way, -way]
    return [-way] if "hole.through" in feature.facts else []
