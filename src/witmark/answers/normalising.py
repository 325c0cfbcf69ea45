"""The one spelling in which texts are compared: by the planner, the index, the highlighter.

In this order, and each for a reason:

1. NFKC: full width, ligatures and compatibility forms become plain.
2. Format characters go: between Latin letters they were a separator (a zero width space),
   elsewhere they were nothing. A soft hyphen is nothing everywhere.
3. A border inside a word (``waterGlass``, ``utf8``) becomes a blank, while there is still a
   case to see it by.
4. Hyphens, underscores, slashes and white space become one blank.
5. Traditional characters become simplified, capitals small.

``normal_text`` is the fast way, ``normalise`` the same text with the place of every code
point in the source. They never differ; a property test holds them to it.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from witmark.answers.folding import UNSPACED, simplified
from witmark.kernel.evidence import TextRange

_INVISIBLE: Final = (
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
_FORMAT: Final = re.compile(f"[\u00ad{_INVISIBLE}]+")
_SEPARATING: Final = re.compile(
    f"(?<=[0-9A-Za-z\u00c0-\u024f])\u00ad*[{_INVISIBLE}][\u00ad{_INVISIBLE}]*"
    "(?=[0-9A-Za-z\u00c0-\u024f])"
)
_LETTER: Final = rf"[^\W\d_{UNSPACED}]"
_BORDER: Final = re.compile(
    "(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
    rf"|(?<={_LETTER})(?=\d)|(?<=\d)(?={_LETTER})"
)
_MAY_PART: Final = re.compile(
    r"[A-Z\d](?:(?<=[a-z0-9][A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
    rf"|(?<={_LETTER}\d)|(?<=\d)(?={_LETTER}))"
)
"""A character beside a border. It begins with a class, so prose is skipped over, while a
border, which has no width, would be tried at every place."""

UNPLAIN: Final = (
    "[^\\x00-\\xa7\xa9\xab\xac\xae\xb0\xb1\xb6\xb7\xbb\xbf-\u0131\u014a-\u017e\u0180-\u01c3\u01f4-\u02af\u0386-\u03cf\u03fa-\u0482"
    "\u048a-\u0586\u2010-\u2016\u2018-\u2029\u202f-\u203d\u218a-\u245f\u24eb-\u2adb\u2add-\u2c7b\u3000-\u3029"
    "\u3041-\u3096\u30a0-\u30fe\u3400-\ua66e\uac00-\ud7a3\ue000-\uf8ff！＂＄-＊，-／：-＠［-｀｛-･"
    "\U0001f191-\U0001f1ff\U0001f252-\U0001fbef]"
)
"""What step 1 or 2 may change, as a character class."""

_UNPLAIN: Final = re.compile(UNPLAIN)
_JOINTS: Final = re.compile(r"[\s_/\-\u2010-\u2015\u2212\u2044\u2215]+")


@dataclass(frozen=True, slots=True)
class Normalized:
    """A text in the common spelling, and where in the source each code point comes from.

    Attributes:
        text: The common spelling.
        origin: Per code point of ``text`` its half-open range in the source; the range of a
            blank that stands for a border inside a word is empty. Both ends never fall.
    """

    text: str
    origin: tuple[tuple[int, int], ...]

    def source_range(self, start: int, end: int) -> TextRange | None:
        """Return what [start, end) was made of, or ``None`` if it was made of nothing."""
        touched = self.origin[start:end]
        if not touched or touched[0][0] >= touched[-1][1]:
            return None
        return TextRange(touched[0][0], touched[-1][1])

    def normal_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open range of ``text`` that [start, end) of the source became."""
        first = bisect_right(self.origin, start, key=_end)
        return first, max(first, bisect_left(self.origin, end, key=_start))


def normal_text(text: str) -> str:
    """Return the text in the common spelling.

    >>> normal_text("什麼是ＷaterGlass？ utf8_mb4")
    '什么是water glass? utf 8 mb 4'
    """
    text = without_format(text)
    if _MAY_PART.search(text):
        text = _BORDER.sub(" ", text)
    return _nfkc(simplified(_JOINTS.sub(" ", text)).casefold())


def normalise(text: str) -> Normalized:
    """Return the text in the common spelling with its places.

    >>> found = normalise("一个 WaterGlass")
    >>> found.text, found.source_range(3, 14)
    ('一个 water glass', TextRange(start=3, end=13))
    """
    made = _Traced(text, [(at, at + 1) for at in range(len(text))])
    made = made.composed()
    if _FORMAT.search(made.text):
        made = made.replaced(_SEPARATING, " ").replaced(_FORMAT, "").composed()
    made = made.replaced(_BORDER, " ").replaced(_JOINTS, " ").folded().composed()
    return Normalized(made.text, tuple(made.origin))


def word_parts(word: str) -> list[str]:
    """Cut a word at the borders inside it; its case stays.

    >>> word_parts("LinkedHashMap"), word_parts("HTTPServer2"), word_parts("plain")
    (['Linked', 'Hash', 'Map'], ['HTTP', 'Server', '2'], ['plain'])
    """
    return _BORDER.split(word)


def without_format(text: str) -> str:
    """Steps 1 and 2 alone: plain characters, nothing invisible, the case as it was."""
    text = _nfkc(text)
    if _FORMAT.search(text):
        text = _nfkc(_FORMAT.sub("", _SEPARATING.sub(" ", text)))
    return text


def is_plain(text: str) -> bool:
    """Whether steps 1 and 2 change no word of a text, seen at a glance.

    True for nearly every note. Full-width punctuation is let through: it stands between
    words as much as what it would become.
    """
    return text.isascii() or _UNPLAIN.search(text) is None


@dataclass(frozen=True, slots=True)
class _Traced:
    text: str
    origin: list[tuple[int, int]]

    def composed(self) -> "_Traced":
        """NFKC, cluster by cluster: what can compose or change places stays together."""
        if self.text.isascii() or unicodedata.is_normalized("NFKC", self.text):
            return self
        if _UNPLAIN.search(self.text) is None:
            return self._spread([_nfkc_of(character) for character in self.text])
        pieces: list[str] = []
        origin: list[tuple[int, int]] = []
        for start, end in _clusters(self.text):
            piece = unicodedata.normalize("NFKC", self.text[start:end])
            pieces.append(piece)
            whole = (self.origin[start][0], self.origin[end - 1][1])
            origin += [whole] * len(piece)
        return _Traced("".join(pieces), origin)

    def replaced(self, pattern: re.Pattern[str], by: str) -> "_Traced":
        """Every match becomes ``by``, which is empty or one character."""
        pieces: list[str] = []
        origin: list[tuple[int, int]] = []
        last = 0
        for match in pattern.finditer(self.text):
            start, end = match.span()
            pieces += self.text[last:start], by
            origin += self.origin[last:start]
            if by:
                origin.append(self._between(start, end))
            last = end
        if not last and not pieces:
            return self
        return _Traced("".join(pieces) + self.text[last:], origin + self.origin[last:])

    def folded(self) -> "_Traced":
        folded = simplified(self.text)
        whole = folded.casefold()
        if len(whole) == len(folded):
            return _Traced(whole, self.origin)
        return self._spread([character.casefold() for character in folded])

    def _spread(self, pieces: Sequence[str]) -> "_Traced":
        """One piece for every character; each keeps that character's place."""
        text = "".join(pieces)
        if len(text) == len(pieces) and all(pieces):
            return _Traced(text, self.origin)
        return _Traced(
            text, [at for at, piece in zip(self.origin, pieces, strict=True) for _ in piece]
        )

    def _between(self, start: int, end: int) -> tuple[int, int]:
        if start < end:
            return self.origin[start][0], self.origin[end - 1][1]
        place = self.origin[start - 1][1]  # a border stands between two characters, or,
        return min(place, self.origin[start][0]), place  # rarely, inside what became two


def _nfkc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for at in range(1, len(text)):
        if not _joins(text[at]):
            yield start, at
            start = at
    if text:
        yield start, len(text)


@cache
def _nfkc_of(character: str) -> str:
    return unicodedata.normalize("NFKC", character)


@cache
def _joins(character: str) -> bool:
    """Whether it may compose with what stands before it, or change places with it."""
    first = unicodedata.normalize("NFKD", character)[0]
    return bool(
        unicodedata.combining(first)
        or unicodedata.category(first).startswith("M")
        or "\u1160" <= first <= "\u11ff"
    )


def _start(place: tuple[int, int]) -> int:
    return place[0]


def _end(place: tuple[int, int]) -> int:
    return place[1]
