"""The tokens of the index and of a question: one analyser for both, so that they meet.

- A run of Han (or of another script without blanks) becomes its overlapping pairs; a
  character that stands alone stays one.
- A Latin word becomes its English stem. A word with a border inside it (``waterGlass``,
  ``mp3``) becomes its parts and the whole. English function words are left out.
- Neighbouring Latin words of a title are also joined, two to four at a time, so that
  ``waterglass`` finds "water glass".
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, filterfalse
from operator import add
from typing import Final

import Stemmer

from witmark.answers.folding import UNSPACED, simplified
from witmark.answers.normalising import (
    is_plain,
    normal_text,
    normalise,
    without_format,
    word_parts,
)
from witmark.answers.ports import AtomTerms

_STOP_WORDS: Final = (
    "a about am an and are as at be been being but by can could d did do does doing for from"
    " had has have having he her hers him his how i if in into is it its itself ll m me my no"
    " nor not of on or our ours re s shall she should so such t than that the their theirs"
    " them then there these they this those to too us ve was we were what when where which"
    " who whom whose why will with would you your yours"
)
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""English words that say nothing about a text's subject."""

LONGEST: Final = 64
"""Longer words (keys, hashes, data in text) are cut here, in the index and in a question."""

_JOINED: Final = (2, 3, 4)
_NAME: Final = 100  # no name is longer
_SHORT: Final = 256  # code points
_MANY_PAIRS: Final = 48  # from here on the array is faster
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983"
    "\u09bc-\u09d7\u0a01-\u0a03\u0a3c-\u0a51\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03"
    "\u0b3c-\u0b57\u0b82\u0bbe-\u0bd7\u0c00-\u0c04\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6"
    "\u0d00-\u0d03\u0d3b-\u0d57\u0d81-\u0d83\u0dca-\u0df3\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
)
_WORD: Final = rf"[^\W_{UNSPACED}]"
_PLAIN_PIECES: Final = re.compile(rf"[{UNSPACED}]+|{_WORD}+")
_SUFFIX: Final = r"(?:(?:\+\+|#)(?!\w))?"  # C++ and C# are not C
_UNMARKED_PIECES: Final = re.compile(rf"[{UNSPACED}]+|{_WORD}+{_SUFFIX}")
_PIECES: Final = re.compile(rf"[{UNSPACED}]+|{_WORD}(?:{_WORD}|[{_MARKS}])*{_SUFFIX}")
_ASCII_WORDS: Final = "".join(
    chr(point) if chr(point).isalnum() else " " for point in range(128)
)
"""What each ASCII character is to its words, for ``str.translate``."""

_UNSPACED_FIRST: Final = re.compile(f"[{UNSPACED}]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text in the common spelling: a run without blanks, or a Latin word.

    Attributes:
        text: In the common spelling.
        start: Half-open range in the text it was read from.
        end: Half-open range in the text it was read from.
        is_unspaced: A run of Han or of another script without blanks.
    """

    text: str
    start: int
    end: int
    is_unspaced: bool


def query_terms(text: str) -> tuple[str, ...]:
    """Return the tokens of a question or a text, in order, repeats included.

    >>> query_terms("什麼是ServiceMesh的 load balancers?")
    ('什么', '么是', 'servic', 'mesh', 'servicemesh', '的', 'load', 'balanc')
    """
    return _short_terms(text) if len(text) <= _SHORT else tuple(_terms(text))


@lru_cache(maxsize=4096)
def _short_terms(text: str) -> tuple[str, ...]:
    """The tokens of a question or a name, which the steps of an answer ask for repeatedly."""
    return tuple(_terms(text))


def atom_terms(title_surfaces: Sequence[str], body: str) -> AtomTerms:
    """Return an atom's tokens; every surface is a name under which it may be asked for."""
    return AtomTerms(title_terms(title_surfaces), query_terms(body))


def title_terms(surfaces: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens of the names under which an atom may be asked for."""
    if len(surfaces) == 1 and len(surfaces[0]) <= _NAME:
        return _heading_terms(surfaces[0])
    return tuple(chain.from_iterable(map(_name_terms, surfaces)))


@lru_cache(maxsize=1 << 12)
def _heading_terms(heading: str) -> tuple[str, ...]:
    """Remembered, for the sections of many notes have the same headings."""
    return tuple(_name_terms(heading))


def _name_terms(surface: str) -> list[str]:
    if surface.isascii() and _pieces(surface, plain=True) is _PLAIN_PIECES:
        words = surface.translate(_ASCII_WORDS).split()  # found once for both, as is usual
        group = list(chain.from_iterable(map(_NORMAL.__getitem__, words)))
        return [*chain.from_iterable(map(_KNOWN.__getitem__, words)), *_joined_of(group)]
    return [*_terms(surface), *joined_terms(surface)]


def body_terms(bodies: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield what ``query_terms`` returns for each text; faster for those of one note."""
    whole = "\n".join(bodies)
    if not is_plain(whole):
        yield from map(query_terms, bodies)
        return
    folded, start = simplified(whole), 0
    for body in bodies:
        end = start + len(body)
        yield tuple(_folded_terms(folded[start:end], _pieces(body, plain=True)))
        start = end + 1


def joined_terms(text: str, lengths: Iterable[int] = _JOINED) -> list[str]:
    """Neighbouring Latin words of a text as one word.

    >>> joined_terms("Policy as Code 策略")
    ['policya', 'ascod', 'policyascod']
    """
    return [word for group in _latin_groups(text) for word in _joined_of(group, lengths)]


def _joined_of(group: Sequence[str], lengths: Iterable[int] = _JOINED) -> list[str]:
    return [
        stemmed("".join(group[at : at + length])[:LONGEST])
        for length in lengths
        for at in range(len(group) - length + 1)
    ]


def normal_words(text: str) -> list[str]:
    """Return the words of a text in the common spelling.

    >>> normal_words("什麼是ServiceMesh的 C++？")
    ['什么是', 'service', 'mesh', '的', 'c++']
    """
    return list(_name_words(text)) if len(text) <= _NAME else _PIECES.findall(normal_text(text))


@lru_cache(maxsize=1 << 12)
def _name_words(text: str) -> tuple[str, ...]:
    """Remembered, for a note asks for the words of its names again and again."""
    if is_plain(text) and (pieces := _pieces(text, plain=True)) is _PLAIN_PIECES:
        words = map(_NORMAL.__getitem__, pieces.findall(simplified(text)))
        return tuple(chain.from_iterable(words))
    return tuple(_PIECES.findall(normal_text(text)))


def word_ranges(normal: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the words of a text that is in the common spelling already."""
    return (match.span() for match in _PIECES.finditer(normal))


def located_words(text: str) -> tuple[Word, ...]:
    """Return the words of any text, each with its range in that text."""
    made = normalise(text)
    found = []
    for start, end in word_ranges(made.text):
        place, word = made.source_range(start, end), made.text[start:end]
        if place is not None:
            found.append(Word(word, place.start, place.end, is_unspaced(word)))
    return tuple(found)


def compact_key(text: str) -> str:
    """Return the words of a text as one: equal for every way to space and join them.

    >>> {compact_key(t) for t in ("water glass", "waterGlass", "ＷＡＴＥＲ_glass")}
    {'waterglass'}
    """
    return "".join(normal_words(text))


def stemmed_key(text: str) -> str:
    """Return the words of a text as one, each stemmed."""
    return "".join(map(stemmed, normal_words(text)))


def stemmed(word: str) -> str:
    """Return the English stem of an ASCII word in small letters; other words as they are."""
    return _STEMMER.stemWord(word) if word.isascii() else word


def terms_of_word(word: str) -> tuple[str, ...]:
    """Return the tokens of a Latin word as it is written.

    >>> terms_of_word("waterGlasses"), terms_of_word("the")
    (('water', 'glass', 'waterglass'), ())
    """
    return _KNOWN[word]


def folded_terms(folded: str) -> list[str]:
    """Return the tokens of a plain text in simplified characters, in order."""
    return _folded_terms(folded, _pieces(folded, plain=True))


def is_unspaced(word: str) -> bool:
    """Whether a word is a run of Han or of another script without blanks."""
    return not word.isascii() and _UNSPACED_FIRST.match(word) is not None


_STEMMER = Stemmer.Stemmer("english", 0)


def _word_terms(word: str) -> tuple[str, ...]:
    whole = word[:LONGEST]
    if _is_simple(whole):
        small = whole.lower()
        return () if small in STOP_WORDS else (stemmed(small),)
    parts = word_parts(whole)
    spelled = [whole] if len(parts) == 1 else [p for p in parts if len(p) > 1] + [whole]
    folded = [normal_text(term).replace(" ", "") for term in spelled]
    return tuple(stemmed(term) for term in folded if term not in STOP_WORDS)


def _normal_word(word: str) -> tuple[str, ...]:
    """The words that a run of letters, or a run without blanks, of a plain text becomes."""
    if is_unspaced(word):
        return (word,)
    return (word.lower(),) if _is_simple(word) else tuple(_PIECES.findall(normal_text(word)))


def _is_simple(word: str) -> bool:
    """Whether a word is of ASCII letters with no border among them."""
    return word.isascii() and word.isalpha() and (word.islower() or word[1:].islower())


class _Memory(dict[str, tuple[str, ...]]):
    """What becomes of each word as it is written, worked out once.

    The words of a language are few; when they are not, the memory starts anew.
    """

    def __init__(self, work_out: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) > 200_000:
            self.clear()
        made = self._work_out(word)
        if len(word) <= LONGEST:
            self[word] = made
        return made


_KNOWN = _Memory(_word_terms)
_NORMAL = _Memory(_normal_word)


def _terms(text: str) -> list[str]:
    if is_plain(text):
        return _terms_of(text, _pieces(text, plain=True))
    found: list[str] = []
    for line in text.split("\n"):  # one odd character makes one line slow, not the note
        plain = is_plain(line)
        settled = line if plain else without_format(line)
        found += _terms_of(settled, _pieces(settled, plain=plain))
    return found


def _pieces(text: str, *, plain: bool) -> re.Pattern[str]:
    """The simplest pattern that finds every word of a text; mostly the fastest does."""
    if not plain:
        return _PIECES
    return _UNMARKED_PIECES if "#" in text or "++" in text else _PLAIN_PIECES


def _terms_of(text: str, pieces: re.Pattern[str]) -> list[str]:
    return _folded_terms(simplified(text), pieces)


def _folded_terms(folded: str, pieces: re.Pattern[str]) -> list[str]:
    known = _KNOWN
    if folded.isascii():
        if pieces is _PLAIN_PIECES:  # twice as fast
            words = folded.translate(_ASCII_WORDS).split()
        else:
            words = pieces.findall(folded)
        return list(chain.from_iterable(map(known.__getitem__, words)))
    words = pieces.findall(folded)
    found: list[str] = []
    pairs = _pairs("".join(filterfalse(str.isascii, words)))
    start = 0
    for word in words:
        if word.isascii():
            found += known[word]
            continue
        last = start + len(word) - 1
        if not _UNSPACED_FIRST.match(word):
            found += known[word]
        elif start < last:
            found += pairs[start:last]
        else:
            found.append(word)
        start = last + 1
    return found


def _pairs(text: str) -> list[str]:
    """Every two neighbouring characters; a word's terms are a slice of them."""
    if len(text) < _MANY_PAIRS:
        return list(map(add, text, text[1:]))
    import numpy as np  # noqa: PLC0415  # a short question never needs it

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    pairs = np.empty((len(points) - 1, 2), np.uint32)
    pairs[:, 0], pairs[:, 1] = points[:-1], points[1:]
    made: list[str] = pairs.view("<U2").ravel().tolist()
    return made


def _latin_groups(text: str) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for word in normal_words(text):
        if is_unspaced(word):
            groups.append([])
        else:
            groups[-1].append(word)
    return groups
