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

    def latin_keys(self, shortest: int, longest: int) -> Sequence[str]:
        """Distinct ASCII keys of a length, sorted."""


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
    keys = [
        known
        for known in library.latin_keys(len(key) - edits, len(key) + edits)
        if known[0] == key[0] and _DIGITS.findall(known) == digits
    ]
    close = process.extract(key, keys, scorer=OSA.distance, score_cutoff=edits, limit=None)
    best = min((distance for _, distance, _ in close), default=0)
    return sorted(known for known, distance, _ in close if distance == best)
