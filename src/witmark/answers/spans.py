"""The stretches of a question that may be a name: units, and runs of neighbouring units.

A unit is a Latin word or one Han character. A name may not cut a Latin word (``JavaScript``
holds no ``Java``), but may stand anywhere in a run of Han, where no border is to be seen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from witmark.answers.intent import Reading
from witmark.answers.normalising import Normalized, normalise
from witmark.answers.terms import is_unspaced, stemmed, word_ranges

LATIN_WORDS: Final = 5  # a name in Latin letters is at most so many words of the question
_PINYIN_WORDS: Final = 10  # or a syllable each
_LONGEST_SPAN: Final = 24  # units
_FURTHEST: Final = 1000  # code points of the question; names further on do not count


@dataclass(frozen=True, slots=True)
class Unit:
    """A Latin word of the question or one Han character, at its place in the question.

    Attributes:
        text: In the common spelling.
        start: Half-open range in the question.
        end: Half-open range in the question.
        is_han: One character of a script without blanks.
        opens: A name may begin here without cutting a word.
        closes: A name may end here without cutting a word.
    """

    text: str
    start: int
    end: int
    is_han: bool
    opens: bool
    closes: bool


@dataclass(frozen=True, slots=True)
class Span:
    """Neighbouring units that may be a name.

    Attributes:
        units: At least one.
        key: What it is looked up under: their texts as one word.
        stemmed_key: The same with every Latin word stemmed.
    """

    units: tuple[Unit, ...]
    key: str
    stemmed_key: str

    @property
    def words(self) -> list[str]:
        """Latin words, and runs of Han."""
        found: list[str] = []
        for before, unit in zip((None, *self.units), self.units, strict=False):
            if before and before.is_han and unit.is_han:
                found[-1] += unit.text
            else:
                found.append(unit.text)
        return found

    @property
    def is_whole(self) -> bool:
        """Cuts no word and no run of Han."""
        return self.units[0].opens and self.units[-1].closes

    @property
    def is_latin(self) -> bool:
        """Holds no Han."""
        return not any(unit.is_han for unit in self.units)

    @property
    def is_one_word(self) -> bool:
        """Written without a blank."""
        return all(a.end == b.start for a, b in pairwise(self.units))

    def overlaps(self, other: "Span") -> bool:
        """Whether two spans share a place."""
        return (
            self.units[0].start < other.units[-1].end
            and other.units[0].start < self.units[-1].end
        )


def units_of(question: str, reading: Reading) -> list[Unit]:
    """Cut a question into units; the ends of its content and sides are borders, too."""
    made = normalise(question[:_FURTHEST])
    borders = {
        at for piece in (*reading.content, *reading.sides) for at in (piece.start, piece.end)
    }
    cells = [
        (made.text[a:b], *_range(made, a, b), is_unspaced(made.text[start]))
        for start, end in word_ranges(made.text)
        for a, b in (
            zip(range(start, end), range(start + 1, end + 1), strict=True)
            if is_unspaced(made.text[start])
            else ((start, end),)
        )
    ]
    units = []
    for at, (text, start, end, is_han) in enumerate(cells):
        glued_before = at > 0 and cells[at - 1][2] == start and cells[at - 1][3] == is_han
        glued_after = (
            at + 1 < len(cells) and cells[at + 1][1] == end and cells[at + 1][3] == is_han
        )
        units.append(
            Unit(
                text, start, end, is_han,
                opens=not glued_before or start in borders,
                closes=not glued_after or end in borders,
            )
        )  # fmt: skip
    return units


def _range(made: Normalized, start: int, end: int) -> tuple[int, int]:
    return made.origin[start][0], made.origin[end - 1][1]


def spans_of(units: Sequence[Unit]) -> Iterator[Span]:
    """Yield what may be a name: no part of a Latin word, but any part of a run of Han."""
    for first, opening in enumerate(units):
        if not (opening.opens or opening.is_han):
            continue
        written = han = 0
        key = stem = ""
        for last in range(first, min(first + _LONGEST_SPAN, len(units))):
            unit = units[last]
            key += unit.text
            stem += unit.text if unit.is_han else stemmed(unit.text)
            han += unit.is_han
            written += not unit.is_han and (unit.opens or last == first)
            if written > (LATIN_WORDS if han else _PINYIN_WORDS):
                break
            if unit.closes or unit.is_han:
                yield Span(tuple(units[first : last + 1]), key, stem)
