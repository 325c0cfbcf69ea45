"""Each card gets a picture before any gets two; what is not drawn is said."""

from desk_samples import Draws, assembly, deep_plate, facts, judged

from witmark.review.deciding import VerdictKind
from witmark.review.picturing import draw
from witmark.review.ports import NotShown
from witmark.testing.breps import Turned, plate

ROW = [Turned(x, 30, ((1.0, 0), (1.0, -20))) for x in (10, 30, 50, 70, 90)]


class Blind:
    def picture(self, place):
        return NotShown("too small from everywhere")


def drawn(given, studio, most):
    first, _ = facts(given)
    found = judged(given)
    return found, *draw(found.verdicts, first.data, lambda: studio, most=most)


def test_every_rule_with_a_finding_gets_its_first_picture_first():
    found, pictures, notices = drawn(assembly(plate(ROW)), Draws(), most=2)
    cards = {(v.rule_id, v.severity) for v in found.verdicts if v.kind is VerdictKind.VIOLATED}

    shown = [(found.verdicts[k].rule_id, found.verdicts[k].severity) for k in pictures]

    assert len(cards) == 2
    assert len(set(shown)) == 2
    assert notices[0]["code"] == "pictures-left-out"


def test_pictures_are_numbered_in_the_order_of_the_verdicts():
    _, pictures, _ = drawn(assembly(plate(ROW)), Draws(), most=100)

    assert list(dict.fromkeys(pictures[k].id for k in sorted(pictures))) == sorted(
        {one.id for one in pictures.values()}
    )


def test_rules_about_one_place_share_its_picture():
    studio = Draws()
    found, pictures, _ = drawn(assembly(plate(ROW)), studio, most=100)
    places = {(found.verdicts[k].unit.local_id, one.id) for k, one in pictures.items()}

    assert len(studio.asked) == len(set(studio.asked))
    assert len(pictures) > len(studio.asked)
    assert len({unit for unit, _ in places}) == len(places)


def test_nothing_is_left_out_when_all_fit():
    _, pictures, notices = drawn(assembly(plate(ROW)), Draws(), most=100)

    assert pictures
    assert notices == []


def test_a_place_that_cannot_be_shown_is_said_and_has_no_picture():
    _, pictures, notices = drawn(assembly(deep_plate()), Blind(), most=10)

    assert pictures == {}
    assert {n["code"] for n in notices} == {"place-not-shown"}


def test_a_hole_is_looked_at_out_of_its_mouth():
    studio = Draws()
    drawn(assembly(deep_plate()), studio, most=10)
    first, _ = facts(assembly(deep_plate()))
    x, y, z = first.data["instances"][0]["places"][0]["direction"]

    assert (-x, -y, -z) in {place.towards for place in studio.asked}


def test_no_studio_is_built_when_no_picture_is_wanted():
    def none():
        raise AssertionError("built")

    first, _ = facts(assembly(deep_plate()))
    assert draw(judged(assembly(deep_plate())).verdicts, first.data, none, most=0) == ({}, [])
