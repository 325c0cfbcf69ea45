"""A text as a bag of tokens: words, numbers, character n-grams, and glued neighbours.

Chinese has no blanks, so a run of Han characters becomes its 2- and 3-grams (one that
stands alone stays as it is). Everything else becomes lowercase words and numbers. Two
neighbours that might be written as one are also one: "water glass", "water-glass" and
"waterGlass" all hold ``water glass waterglass``, and so "waterglass" finds them.
"""

import re
import unicodedata
from itertools import pairwise

GRAMS = (2, 3)
"""Lengths of the character n-grams. One is too common to tell texts apart, four too rare."""

WORDS, NGRAMS, VARIANTS = "words", "ngrams", "variants"
"""The kinds of token, which are the names of the features of a hit."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〇"
_PIECE = re.compile(rf"[{_HAN}]+|\d+(?:\.\d+)?|[^\W\d_{_HAN}]+")
_HAN_FIRST = re.compile(rf"[{_HAN}]").match
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOINT = re.compile(r"[\s_\-/·]?").fullmatch  # what may stand between two that could be one
_BLANKS_IN_HAN = re.compile(rf"(?<=[{_HAN}])\s+(?=[{_HAN}])")


def tokens(text: str) -> dict[str, str]:
    """Return each token of a text with its kind, sorted by token.

    Full-width and half-width forms, upper and lower case are the same; a token of two
    kinds keeps the first of words, n-grams, variants.

    >>> tokens("Water glass")
    {'glass': 'words', 'water': 'words', 'waterglass': 'variants'}
    >>> tokens("盲孔 M6")
    {'6': 'words', 'm': 'words', 'm6': 'variants', '盲孔': 'ngrams'}
    """
    found: dict[str, str] = {}
    plain = _HUMP.sub(" ", unicodedata.normalize("NFKC", text)).casefold()
    pieces = list(_PIECE.finditer(_BLANKS_IN_HAN.sub("", plain)))
    for piece in pieces:
        if _HAN_FIRST(piece[0]):
            found.update(dict.fromkeys(_grams(piece[0]), NGRAMS))
        else:
            found[piece[0]] = WORDS
    for one, two in pairwise(pieces):
        if _could_be_one(one, two):
            found.setdefault(one[0] + two[0], VARIANTS)
    return dict(sorted(found.items()))


def _grams(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    return [run[at : at + n] for n in GRAMS for at in range(len(run) - n + 1)]


def _could_be_one(one: re.Match[str], two: re.Match[str]) -> bool:
    if _HAN_FIRST(one[0]) or _HAN_FIRST(two[0]):
        return False
    between = one.string[one.end() : two.start()]
    return _JOINT(between) is not None
