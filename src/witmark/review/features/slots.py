"""Slots: a floor between two parallel walls, open at one end or both, or round at its ends."""

import math

import numpy as np

from witmark.review.brep import Convexity, FloatArray, SurfaceKind
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.kinds import Profile, ShapeKind
from witmark.review.features.sections import FACING, Section

LEAST_LENGTHS = 3.0  # of its width: a shorter cut with a flat end is an open pocket
SAME_MOUTH = 0.99  # cosine: both flanks of a vee run out onto faces that look one way


def feature_of(section: Section, kind: ShapeKind, facts: dict[str, Fact]) -> Feature:
    """A feature from a measured recess; it stands in the middle of its floor or walls."""
    recess, brep = section.recess, section.scene.brep
    over = list(recess.floors or recess.walls or recess.faces)
    box = brep.face_box_mm[over]
    middle = (box[:, :3].min(axis=0) + box[:, 3:].max(axis=0)) / 2
    x, y, z = middle.tolist()
    u, v, w = recess.direction.tolist()
    faces = {*recess.faces, *recess.corners, *recess.floor_blends}
    return Feature(kind, tuple(sorted(faces)), (x, y, z), (u, v, w), facts)


def name_slot(section: Section) -> Feature | None:
    """The recess as a slot; None when no two parallel walls face each other.

    Obround pockets and windows are slots with closed ends. With plane walls a slot is open at
    one end (blind) or at both.
    """
    recess = section.recess
    if not recess.openings:
        return _obround(section) if section.profile is Profile.OBROUND else None
    if not recess.floors:
        return _along(section)
    if not section.facing and not section.may_face:
        return None
    if section.runs_through:
        return feature_of(section, ShapeKind.SLOT, _facts(section))
    if len(section.open_sides) == 1 and section.facing and _is_long(section):
        return feature_of(section, ShapeKind.BLIND_SLOT, _facts(section))
    return None


def _obround(section: Section) -> Feature | None:
    if len(section.facing) != 1 or len(section.ends) != 2:
        return None
    return feature_of(section, ShapeKind.SLOT, _facts(section))


def _facts(section: Section) -> dict[str, Fact]:
    facts: dict[str, Fact] = {"slot.w": section.min_width_mm, "slot.depth": section.depth_mm}
    if section.recess.openings and section.runs_through:
        return {**facts, **section.shape_facts()}
    return {**facts, **section.pocket_facts()}


def _is_long(section: Section) -> bool:
    """Whether it reaches in several times its width, or ends round: else an open pocket."""
    outward = section.open_sides[0].outward
    points = np.concatenate([section.scene.points(f) for f in section.recess.floors])
    width = min(gap for _, _, gap in section.facing)
    reach = points @ outward
    long = reach.max() - reach.min() >= LEAST_LENGTHS * width
    return bool(long or section.ends) and _square(section, outward)


def _square(section: Section, outward: FloatArray) -> bool:
    axes = section.scene.brep.face_axis
    return any(abs(axes[a] @ outward) < 0.1 for a, _, _ in section.facing)


def _along(section: Section) -> Feature | None:
    """Cuts without a floor that are open along their length: vees, round bottoms, dovetails."""
    recess, brep = section.recess, section.scene.brep
    if section.rounds and not section.planes:
        return _gouge(section)
    mouths = [
        brep.face_axis[o.face]
        for o in recess.openings
        if brep.face_kind[o.face] == SurfaceKind.PLANE
    ]
    if len(mouths) != len(recess.openings) or len(mouths) < 2:
        return None
    if min(float(mouths[0] @ m) for m in mouths) < SAME_MOUTH:
        return None
    return feature_of(section, ShapeKind.SLOT, _mouth_facts(section, np.array(mouths[0])))


def _mouth_facts(section: Section, mouth: FloatArray) -> dict[str, Fact]:
    """Width at the mouth (of square walls: between them) and depth below it."""
    recess = section.recess
    points = np.concatenate([section.scene.points(f) for f in recess.walls])
    across = np.cross(mouth, recess.direction)
    across = across / np.linalg.norm(across)
    height, side = points @ mouth, points @ across
    rim = side[height > height.max() - 1e-4]
    facts: dict[str, Fact] = {
        "slot.w": min(
            (gap for _, _, gap in section.facing), default=float(rim.max() - rim.min())
        ),
        "slot.depth": float(height.max() - height.min()) + _round_bottom(section),
        **section.shape_facts(),
    }
    if len(section.planes) == 2 and not section.facing:
        facts["section.profile"] = str(Profile.VEE)
    return facts


def _round_bottom(section: Section) -> float:
    """How far a half round bottom reaches below the edges where it begins."""
    brep = section.scene.brep
    radii = [float(brep.face_radius_mm[f]) for f in section.ends]
    return max(radii, default=0.0)


def _gouge(section: Section) -> Feature | None:
    """A cut of round section along an edge or a face."""
    brep, hollow = (
        section.scene.brep,
        [f for f in section.rounds if section.scene.brep.face_side[f] < 0],
    )
    if len(hollow) != 1 or section.scene.graph.neighbours(hollow[0], Convexity.CONCAVE):
        return None
    radius, sweep = float(brep.face_radius_mm[hollow[0]]), float(brep.face_sweep_rad[hollow[0]])
    width = 2 * radius * (math.sin(sweep / 2) if sweep < math.pi else 1.0)
    facts: dict[str, Fact] = {
        "slot.w": width,
        "slot.depth": radius * (1 - math.cos(sweep / 2)),
        "section.profile": str(Profile.ROUND),
        "section.sides": 0,
    }
    return feature_of(section, ShapeKind.SLOT, facts)


__all__ = ["FACING", "feature_of", "name_slot"]
