"""Slips of the finger: names within an edit or two, every word by itself.

A slip changes neither the first letter nor a digit: nobody who writes ``windows11`` means
``windows10``.
"""

import re
from collections.abc import Sequence
from typing import Final, Protocol

_ONE_EDIT: Final = 5
_TWO_EDITS: Final = 10  # from this length on, two edits still leave most of a name
_DIGITS: Final = re.compile("[0-9]+")


class Keys(Protocol):
    """The part of a library that lists keys."""

    def latin_keys(self, shortest: int, longest: int, *, initial: str = "") -> Sequence[str]:
        """Distinct ASCII keys of a length and, if given, of an initial, sorted."""


def is_slip(asked: Sequence[str], named: Sequence[str]) -> bool:
    """Whether every word by itself is near enough: "neutral star" is no "neutron star"."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # as in ``near_keys``

    return len(asked) != len(named) or all(
        OSA.distance(one, other) <= _edits(other)
        for one, other in zip(asked, named, strict=True)
    )


def _edits(word: str) -> int:
    return 2 if len(word) >= _TWO_EDITS else int(len(word) >= _ONE_EDIT)


def near_keys(key: str, library: Keys) -> list[str]:
    """The nearest known keys within an edit or two: same initial, same digits."""
    from rapidfuzz import process  # noqa: PLC0415  # rarely needed, and 70 ms
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # as above

    edits = _edits(key)
    digits = _DIGITS.findall(key)
    keys = library.latin_keys(len(key) - edits, len(key) + edits, initial=key[0])
    near = process.extract(key, keys, scorer=OSA.distance, score_cutoff=edits, limit=None)
    close = [(k, distance) for k, distance, _ in near if _DIGITS.findall(k) == digits]
    best = min((distance for _, distance in close), default=0)
    return sorted(known for known, distance in close if distance == best)
