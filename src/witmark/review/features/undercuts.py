"""Undercut slots: a neck between two walls that face each other, and a wider channel below it.

The neck's walls meet the channel over convex edges and have no concave edge of their own, so
they hang together with nothing. Seen by itself the channel looks like a window along the slot.
A cutter enters through the neck: that is the way the slot opens, and its width.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from witmark.review.brep import FloatArray
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.kinds import CYLINDER, PLANE, ShapeKind
from witmark.review.features.recesses import Recess, around, corners_of, runs_along
from witmark.review.features.scene import (
    CONCAVE,
    CONVEX,
    SAME_DIRECTION,
    SMOOTH,
    Scene,
    falls,
    rising,
    upright,
)
from witmark.review.features.sections import TOUCH_MM, Section, gap_across
from witmark.review.features.slots import feature_of

ONE_OPENING = 1


class Neck(NamedTuple):
    """Two walls that face each other above the ceilings of a channel."""

    walls: tuple[int, int]
    width_mm: float


def find_undercut_slots(scene: Scene, free: Iterable[int]) -> list[Feature]:
    """Every slot whose channel is wider than its neck, ordered by its least face."""
    within = frozenset(free)
    found = []
    for region in scene.graph.connected(within, CONCAVE, SMOOTH):
        feature = _slot(scene, region, within)
        if feature is not None:
            found.append(feature)
    return sorted(found, key=lambda f: f.faces)


def _slot(scene: Scene, region: tuple[int, ...], within: frozenset[int]) -> Feature | None:
    for out in _ways_out(scene, region):
        if not _is_channel(scene, region, out):
            continue
        necks = _necks(scene, region, within, out)
        if necks:
            recess = _recess(scene, region, _facing(scene, region, out), necks, out)
            return _feature(scene, recess, necks)
    return None


def _ways_out(scene: Scene, region: tuple[int, ...]) -> Iterator[FloatArray]:
    """Away from every floor that a ceiling of the region hangs over."""
    axes = scene.brep.face_axis
    planes = [f for f in region if scene.kind[f] == PLANE and rising(scene, f)]
    for floor in planes:
        if any(axes[floor] @ axes[f] < -SAME_DIRECTION for f in planes):
            yield axes[floor]


def _is_channel(scene: Scene, region: tuple[int, ...], out: FloatArray) -> bool:
    """Whether it is one level floor, ceilings above it, and nothing else but upright walls."""
    brep, floors = scene.brep, _facing(scene, region, out)
    ceilings = _facing(scene, region, -out)
    level, top = brep.face_origin_mm[[*floors]] @ out, brep.face_origin_mm[[*ceilings]] @ out
    others = set(region) - {*floors, *ceilings} - scene.blends
    return (
        float(level.max() - level.min()) < TOUCH_MM
        and float(top.min()) > float(level.max()) + TOUCH_MM
        and all(scene.kind[f] in (PLANE, CYLINDER) and upright(scene, f, out) for f in others)
    )


def _facing(scene: Scene, faces: Iterable[int], out: FloatArray) -> tuple[int, ...]:
    axes = scene.brep.face_axis
    return tuple(f for f in faces if scene.kind[f] == PLANE and axes[f] @ out > SAME_DIRECTION)


def _necks(
    scene: Scene, region: tuple[int, ...], within: frozenset[int], out: FloatArray
) -> list[Neck]:
    """Pairs of walls on the ceilings that face each other and end at the part's outside."""
    inside = set(region)
    walls = sorted(
        {
            link.face
            for ceiling in _facing(scene, region, -out)
            for link in scene.graph.across(ceiling, CONVEX)
            if link.face in within - inside and _stands_free(scene, link.face, out)
        }
    )
    pairs = (Neck((a, b), gap_across(scene, a, b, out)) for a, b in combinations(walls, 2))
    return [neck for neck in pairs if neck.width_mm > TOUCH_MM]


def _stands_free(scene: Scene, wall: int, out: FloatArray) -> bool:
    """Whether a plane wall runs out at an end, and nothing but ledges at its foot meets it."""
    beside = [x.face for x in rising(scene, wall)]
    return (
        scene.kind[wall] == PLANE
        and upright(scene, wall, out)
        and len(_facing(scene, beside, out)) == len(beside)
        and any(
            falls(scene, x) and runs_along(scene.brep, x.edge, out)
            for x in scene.graph.across(wall)
        )
    )


def _recess(
    scene: Scene,
    region: tuple[int, ...],
    floors: tuple[int, ...],
    necks: list[Neck],
    out: FloatArray,
) -> Recess:
    sides = {f for neck in necks for f in neck.walls}
    beside = {f for side in sides for f in scene.graph.neighbours(side, CONCAVE)}
    ledges = _facing(scene, sorted(beside), out)  # where the neck is longer than the channel
    walls = {f for f in region if upright(scene, f, out)} | sides
    rim, openings = around(scene, floors)
    corners = corners_of(scene, walls)
    blends = {f for f in rim & scene.blends if not upright(scene, f, out)}
    return Recess(
        faces=tuple(sorted({*region, *sides, *ledges})),
        floors=floors,
        walls=tuple(sorted(walls - corners - scene.blends)),
        corners=tuple(sorted(corners)),
        floor_blends=tuple(sorted(blends)),
        direction=out,
        openings=tuple(openings),
    )


def _feature(scene: Scene, recess: Recess, necks: list[Neck]) -> Feature:
    section = Section(scene, recess)
    width, depth = min(neck.width_mm for neck in necks), section.depth_mm
    facts: dict[str, Fact] = {"slot.w": width, "slot.depth": depth, "pocket.depth": depth}
    facts |= {**section.corner_facts(), **section.shape_facts()}
    if section.runs_through:
        return feature_of(section, ShapeKind.SLOT, facts)
    ratio = None if depth is None else depth / width
    facts |= section.pocket_facts()
    facts |= {"pocket.min_width": width, "pocket.depth_to_width": ratio}
    blind = len(section.open_sides) == ONE_OPENING
    return feature_of(section, ShapeKind.BLIND_SLOT if blind else ShapeKind.SLOT, facts)
