"""Steps: a floor and walls that face nothing, cut from an edge or a corner of the part."""

import numpy as np

from witmark.review.features.feature import Fact, Feature
from witmark.review.features.kinds import Profile, ShapeKind
from witmark.review.features.sections import TOUCH_MM, Section
from witmark.review.features.slots import feature_of

MOST_CORNER_WALLS = 2
SQUARE = 1 - 1e-5  # cosine to a side of the part; a quarter of a degree off is slanted


def name_step(section: Section) -> Feature | None:
    """The recess as a step; None when walls face each other or stand all round.

    A step that runs out on opposite sides is a through step; one that does not is a blind
    step, cut from a corner. The upright edge of a corner step is a corner no cutter leaves
    sharp, so blind steps carry the ``pocket.*`` facts; through steps have no such corner.
    """
    recess = section.recess
    if not recess.openings or section.facing or section.may_face:
        return None
    if not recess.floors:
        return _slanted(section)
    if not recess.walls:
        return None
    if section.runs_through:
        return feature_of(section, ShapeKind.STEP, _through_facts(section))
    if len(section.planes) + len(section.rounds) > MOST_CORNER_WALLS:
        return None
    return feature_of(section, ShapeKind.BLIND_STEP, _corner_facts(section))


def _slanted(section: Section) -> Feature | None:
    """Two or more planes in line that lean over each other, open at both ends."""
    if len(section.planes) + len(section.rounds) < 2:
        return None
    facts: dict[str, Fact] = {"step.height": None, "step.width": None}
    facts |= section.shape_facts()
    facts["section.profile"] = str(
        Profile.SLANTED if len(section.planes) == 2 else Profile.GENERAL
    )
    return feature_of(section, ShapeKind.STEP, facts)


def _through_facts(section: Section) -> dict[str, Fact]:
    """A step whose floor or single wall lies along no side of the part is a slanted one."""
    facts: dict[str, Fact] = {"step.height": section.depth_mm, "step.width": _width(section)}
    facts |= section.shape_facts()
    tops = section.scene.tops
    looks = section.scene.brep.face_axis[[*section.recess.floors[:1], *section.planes]]
    if len(section.planes) == 1 and len(tops):
        square = np.abs(looks @ tops.T).max(axis=1) > SQUARE
        facts["section.profile"] = str(Profile.RECTANGULAR if square.all() else Profile.SLANTED)
    return facts


def _width(section: Section) -> float | None:
    """How far the floor reaches from the one wall; None when several or none could say."""
    recess, brep = section.recess, section.scene.brep
    if len(section.planes) != 1 or section.rounds or not section.knowable:
        return None
    wall = section.planes[0]
    points = np.concatenate([section.scene.points(f) for f in recess.floors])
    reach = float(((points - brep.face_origin_mm[wall]) @ brep.face_axis[wall]).max())
    return reach if reach > TOUCH_MM else None


def _corner_facts(section: Section) -> dict[str, Fact]:
    facts = section.pocket_facts()
    if section.knowable:
        # No wall faces another, so there is no width to be narrow: absent, not unknown.
        for name in ("pocket.min_width", "pocket.depth_to_width"):
            del facts[name]
        if facts["pocket.corners"] == 0:
            del facts["pocket.corner_r"]
    return facts
