"""Slits: two walls with no floor between them that look at each other across a gap.

The sides of a clamp's slit run into its bore over convex edges, so nothing rises from them and
each alone would pass for ground left standing. Ground looks at nothing near.
"""

import math
from collections.abc import Iterable
from itertools import combinations

import numpy as np
import shapely

from witmark.review.brep import FloatArray
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.kinds import PLANE, ShapeKind
from witmark.review.features.scene import SAME_DIRECTION, Scene
from witmark.review.features.sections import TOUCH_MM, plane_axes


def find_slits(scene: Scene, lands: Iterable[int]) -> list[Feature]:
    """A slot for every two lands that face each other nearer than they are long.

    How deep it is nobody can tell without a floor, so ``slot.depth`` is ``None``.
    """
    planes = [f for f in sorted(lands) if scene.kind[f] == PLANE and scene.graph.loops[f]]
    pairs = [
        (round(gap, 6), one, other)
        for one, other in combinations(planes, 2)
        if (gap := _gap(scene, one, other)) is not None
    ]
    taken: set[int] = set()
    slits = []
    for gap, one, other in sorted(pairs):
        if not taken & {one, other}:
            taken |= {one, other}
            slits.append(_slit(scene, one, other, gap))
    return sorted(slits, key=lambda f: f.faces)


def _gap(scene: Scene, one: int, other: int) -> float | None:
    """The clear distance of two planes of a body; None when they face nothing or stand far."""
    brep = scene.brep
    normal = brep.face_axis[one]
    gap = float((brep.face_origin_mm[other] - brep.face_origin_mm[one]) @ normal)
    if (
        normal @ brep.face_axis[other] > -SAME_DIRECTION
        or brep.face_body[one] != brep.face_body[other]
        or gap <= TOUCH_MM
    ):
        return None
    flat = np.column_stack(plane_axes(normal))
    abreast = _outline(scene, one, flat).intersection(_outline(scene, other, flat)).area
    return gap if gap < math.sqrt(abreast) else None


def _outline(scene: Scene, face: int, flat: FloatArray) -> shapely.Geometry:
    rings = [scene.brep.loop_points_mm(loop) @ flat for loop in scene.graph.loops[face]]
    drawn = shapely.Polygon(rings[0], rings[1:])
    return drawn if drawn.is_valid else drawn.buffer(0)


def _slit(scene: Scene, one: int, other: int, gap: float) -> Feature:
    box = scene.brep.face_box_mm[[one, other]]
    x, y, z = ((box[:, :3].min(axis=0) + box[:, 3:].max(axis=0)) / 2).tolist()
    facts: dict[str, Fact] = {"slot.w": gap, "slot.depth": None}
    facts |= {"pocket.corners": 0, "pocket.floor_r": 0.0, "pocket.distinct_r": 0}
    return Feature(ShapeKind.SLOT, (one, other), (x, y, z), None, facts)
