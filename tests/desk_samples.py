"""A review desk whose CAD reader is a value: plates with exact holes, no CAD kernel."""

import numpy as np

from witmark.adapters.cards.book import bundled, read_rulebook
from witmark.review.assembly import Assembly, ComponentInstance, LengthUnit, Part, Placement
from witmark.review.facts import facts_of
from witmark.review.features.recognise import recognise
from witmark.review.looking import second_look
from witmark.review.ports import Picture
from witmark.review.reviewing import judge_facts
from witmark.review.source import Sources, SourceText
from witmark.review.use_cases import ReviewDesk, ReviewRequest, review_file
from witmark.testing.breps import Turned, plate

SOURCE = b"ISO-10303-21;\n#10 = ADVANCED_FACE('',(#1),#2,.T.);\nEND-ISO-10303-21;\n"

DEEP = Turned(50, 30, ((2.5, 0), (2.5, -30)))  # 5 mm through a 30 mm plate: L/D 6
SHORT = Turned(50, 30, ((5, 0), (5, -20)))  # 10 mm through 20 mm
HERE = Placement(np.eye(3), np.zeros(3))
ASIDE = Placement(np.eye(3), np.array([200.0, 0.0, 0.0]))


def deep_plate():
    return plate([DEEP], thickness_mm=30.0)


def assembly(*parts, names=None, places=None, notices=()):
    """Instances of parts, one each, called a, b, c ... unless named."""
    called = names or [chr(ord("a") + k) for k in range(len(parts))]
    placed = places or [HERE] * len(parts)
    return Assembly(
        "AUTOMOTIVE_DESIGN",
        LengthUnit("millimetre", 1.0, 1e-7),
        tuple(Part(name, brep) for name, brep in zip(called, parts, strict=True)),
        tuple(
            ComponentInstance(("root", name), name, k, place, None, ())
            for k, (name, place) in enumerate(zip(called, placed, strict=True))
        ),
        tuple(notices),
    )


def facts(given):
    found = [recognise(part.brep) for part in given.parts]
    return facts_of(given, found, Sources(SourceText(SOURCE), {})), found


def judged(given):
    first, found = facts(given)
    return judge_facts(first, read_rulebook(bundled()), second_look(found))


class ReadsAValue:
    """A CAD reader that already knows the assembly."""

    cpu_s = 0.0

    def __init__(self, given):
        self.given = given

    def read(self, path, *, length_unit_mm=None):
        return self.given

    def mesh(self, parts, deflection_mm):
        raise AssertionError("nobody draws here")


class Draws:
    """A studio whose every picture shows 500 pixels of its place."""

    def __init__(self):
        self.asked = []

    def picture(self, place):
        self.asked.append(place)
        return Picture(b"\x89PNG" + repr(place).encode(), 1000, 750, 500)


def desk(given, *, studio=None, source=SOURCE, **changes):
    drawer = studio or Draws()
    return ReviewDesk(
        **{
            "reader": ReadsAValue(given),
            "rulebook": read_rulebook(bundled()),
            "read_bytes": lambda path: source,
            "studio": lambda assembly, reader: drawer,
            "renderers": {},
            **changes,
        }
    )


def reviewed(given, path, **request):
    return review_file(ReviewRequest(path, **request), desk(given))
