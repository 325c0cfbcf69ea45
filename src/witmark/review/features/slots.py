"""Slots: a floor between two parallel walls, open at one end or both, or round at its ends."""

import math

import numpy as np

from witmark.review.brep import Convexity, FloatArray
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.kinds import CYLINDER, Profile, ShapeKind
from witmark.review.features.scene import cross
from witmark.review.features.sections import Section

LEAST_LENGTHS = 3.0  # of its width: a shorter cut with a flat end is an open pocket
RIM_MM = 1e-4
NO_WIDTH_MM = 1e-3  # what exporters leave between walls of one plane; no cutter fits it
ASKEW = 0.3  # cosine: how far the open end may lean
SAME_MOUTH = 0.8  # cosine: both flanks run out onto faces that look about one way


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
        return _obround(section) if section.profile is Profile.OBROUND else _disc(section)
    if not recess.floors:
        return _along(section)
    if not section.facing and not section.may_face:
        return None
    if section.runs_through:
        return feature_of(section, ShapeKind.SLOT, _facts(section))
    if len(section.open_sides) == 1 and section.facing and _is_long(section):
        return feature_of(section, ShapeKind.BLIND_SLOT, _facts(section))
    return None


def _obround(section: Section) -> Feature:
    """Round at both ends, or at one while the other runs into a hole, as a keyhole does."""
    return feature_of(section, ShapeKind.SLOT, _facts(section))


def _disc(section: Section) -> Feature | None:
    """A slot that a disc cutter left: two parallel walls and a round bottom across them."""
    recess, brep = section.recess, section.scene.brep
    bottoms = [
        f
        for f in sorted({*recess.faces} - {*recess.walls, *recess.corners})
        if section.scene.kind[f] == CYLINDER and brep.face_side[f] < 0
    ]
    if recess.floors or not section.facing or not bottoms or section.rounds:
        return None
    out = recess.direction
    low = min(float(brep.face_origin_mm[f] @ out - brep.face_radius_mm[f]) for f in bottoms)
    top = max(float((section.scene.points(f) @ out).max()) for f in recess.walls)
    width = min(gap for _, _, gap in section.facing)
    facts = {"slot.w": width, "slot.depth": top - low, **_no_corners(top - low)}
    return feature_of(section, ShapeKind.SLOT, {**facts, **section.shape_facts()})


def _facts(section: Section) -> dict[str, Fact]:
    facts: dict[str, Fact] = {"slot.w": section.min_width_mm, "slot.depth": section.depth_mm}
    if section.recess.openings and section.runs_through:
        depth = {"pocket.depth": section.depth_mm}
        return {**facts, **depth, **section.corner_facts(), **section.shape_facts()}
    return {**facts, **section.pocket_facts()}


def _no_corners(depth_mm: float) -> dict[str, Fact]:
    """Of a slot that a cutter runs through from end to end along its own section."""
    return {
        "pocket.depth": depth_mm,
        "pocket.corners": 0,
        "pocket.floor_r": 0.0,
        "pocket.distinct_r": 0,
    }


def _is_long(section: Section) -> bool:
    """Whether it reaches in several times its width, or ends round: else an open pocket."""
    outward = np.mean([o.outward for o in section.recess.openings], axis=0)
    outward = outward / np.linalg.norm(outward)
    points = np.concatenate([section.scene.points(f) for f in section.recess.floors])
    width = min(gap for _, _, gap in section.facing)
    reach = points @ outward
    long = reach.max() - reach.min() >= LEAST_LENGTHS * width
    return bool(long or section.ends) and _square(section, outward)


def _square(section: Section, outward: FloatArray) -> bool:
    axes = section.scene.brep.face_axis
    return any(abs(axes[a] @ outward) < ASKEW for a, _, _ in section.facing)


def _along(section: Section) -> Feature | None:
    """Cuts without a floor that are open along their length: vees, round bottoms, dovetails."""
    if section.rounds and not section.planes:
        return _gouge(section)
    looks = np.array([o.outward for o in section.recess.openings])
    if len(looks) < 2 or not (looks @ looks.T).min() > SAME_MOUTH:  # NaN too
        return None
    mouth = looks.sum(axis=0)
    facts = _mouth_facts(section, mouth)
    return None if facts is None else feature_of(section, ShapeKind.SLOT, facts)


def _mouth_facts(section: Section, mouth: FloatArray) -> dict[str, Fact] | None:
    """Width at the mouth (of square walls: between them) and depth below it.

    None when only one flank reaches the top: a bend, with no mouth to be wide.
    """
    recess = section.recess
    mouth = mouth / np.linalg.norm(mouth)
    points = np.concatenate([section.scene.points(f) for f in recess.walls])
    across = cross(mouth, recess.direction)
    height, side = points @ mouth, points @ (across / np.linalg.norm(across))
    top = height > height.max() - RIM_MM
    rim = float(side[top].max() - side[top].min())
    width = min((gap for _, _, gap in section.facing), default=rim)
    if width <= NO_WIDTH_MM:
        return None
    depth = float(height.max()) - min(float(height.min()), *_bottoms(section, mouth))
    facts: dict[str, Fact] = {
        "slot.w": width,
        "slot.depth": depth,
        **_no_corners(depth),
        **section.shape_facts(),
    }
    if len(section.planes) == 2 and not section.facing:
        facts["section.profile"] = str(Profile.VEE)
    return facts


def _bottoms(section: Section, mouth: FloatArray) -> list[float]:
    """The deepest line of every round bottom; infinity keeps the list from being empty."""
    brep = section.scene.brep
    centres = brep.face_origin_mm[list(section.ends)] @ mouth
    deepest: list[float] = (centres - brep.face_radius_mm[list(section.ends)]).tolist()
    return [*deepest, math.inf]


def _gouge(section: Section) -> Feature | None:
    """A cut of round section along an edge or a face.

    Short of a half turn it is as wide as the cutter that fits it, not as its mouth.
    """
    brep, hollow = (
        section.scene.brep,
        [f for f in section.rounds if section.scene.brep.face_side[f] < 0],
    )
    if len(hollow) != 1 or section.scene.graph.neighbours(hollow[0], Convexity.CONCAVE):
        return None
    radius, sweep = float(brep.face_radius_mm[hollow[0]]), float(brep.face_sweep_rad[hollow[0]])
    depth = radius * (1 - math.cos(sweep / 2))
    facts: dict[str, Fact] = {
        "slot.w": 2 * radius,
        "slot.depth": depth,
        **_no_corners(depth),
        "section.profile": str(Profile.ROUND),
        "section.sides": 0,
    }
    return feature_of(section, ShapeKind.SLOT, facts)
