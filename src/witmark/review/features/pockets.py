"""Pockets: closed ones, ones open at a side, and windows that go through."""

from witmark.review.brep import Convexity
from witmark.review.features.feature import Fact, Feature
from witmark.review.features.kinds import FREEFORM, Profile, ShapeKind
from witmark.review.features.sections import Section
from witmark.review.features.slots import feature_of


def name_pocket(section: Section) -> Feature | None:
    """The recess as a pocket; None when its walls do not close around anything.

    A pocket has a floor and walls all round; an open one lacks a wall on some side and has no
    two sides that lie opposite each other open; a window has walls all round and no floor.
    """
    recess = section.recess
    if not recess.walls and not recess.corners:
        return None
    if recess.floors and not recess.openings:
        return feature_of(section, ShapeKind.POCKET, section.pocket_facts())
    if not recess.floors and not recess.openings:
        return _window(section)
    return feature_of(section, ShapeKind.OPEN_POCKET, section.pocket_facts())


def _window(section: Section) -> Feature | None:
    if not section.knowable and not section.is_hollow:
        return feature_of(section, ShapeKind.FREEFORM_SURFACE, {})
    if _has_free_floor(section):
        unknown: dict[str, Fact] = dict.fromkeys(section.pocket_facts())
        return feature_of(section, ShapeKind.FREEFORM_RECESS, unknown)
    upright = len(section.planes) + len(section.rounds)
    closes = upright >= 3 or section.profile in (Profile.OBROUND, Profile.ROUND)
    if not closes and section.knowable:
        return None
    return feature_of(section, ShapeKind.THROUGH_WINDOW, section.pocket_facts())


def _has_free_floor(section: Section) -> bool:
    """Whether a free form closes the walls: it touches three of them or more."""
    scene, walls = section.scene, {*section.recess.walls, *section.recess.corners}
    touching = (Convexity.CONCAVE, Convexity.SMOOTH)
    return any(
        len(walls.intersection(scene.graph.neighbours(f, *touching))) > 2
        for f in section.recess.walls
        if scene.kind[f] == FREEFORM
    )
