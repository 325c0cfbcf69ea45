"""Which names may stand in many texts: those of which a text holds every token.

All texts of a batch are compared at once, by the numbers of their tokens.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from witmark.answers.counting import Codes, Vocabulary, distinct
from witmark.answers.mentions import Spelling

_SIEVE = 1 << 20  # a power of two
_AT_ONCE = 1 << 20  # pairs of a text and a name; more would only fill the memory

_Name = tuple[str, Spelling]
_Places = npt.NDArray[np.int64]


class NamedIn:
    """The names of a library under their heads, by number.

    Args:
        heads: Every name under the token that leads to it.
        vocabulary: Numbers the tokens.
    """

    def __init__(self, heads: Mapping[str, Sequence[_Name]], vocabulary: Vocabulary) -> None:
        code = vocabulary.codes.__getitem__
        by_head = sorted((code(token), names) for token, names in heads.items())
        self._names = [pair for _, names in by_head for pair in names]
        self._first = _offsets([len(names) for _, names in by_head])
        others = [
            [code(token) for token in sorted(spelling.tokens - {spelling.head})]
            for _, spelling in self._names
        ]
        self._other = _offsets([len(codes) for codes in others])
        told = np.array([head for head, _ in by_head], np.int64)
        needed = np.array([c for codes in others for c in codes], np.int64)
        self._telling = distinct(np.concatenate((told, needed)))
        self._needed = self._telling.searchsorted(needed)
        self._head_at = np.full(len(self._telling), -1, np.int64)
        self._head_at[self._telling.searchsorted(told)] = np.arange(len(told))

    def held(self, sizes: Sequence[int], codes: Codes) -> Iterator[tuple[int, Sequence[_Name]]]:
        """Yield the number of each text that may hold names, and those.

        Args:
            sizes: How many tokens each text has.
            codes: The tokens of all texts, one text after the other.
        """
        if not self._names or not len(codes):
            return
        seen = self._seen(sizes, codes)
        head = self._head_at[seen % len(self._telling)]
        text, head = seen[head >= 0] // len(self._telling), head[head >= 0]
        many = np.cumsum(self._first[head + 1] - self._first[head])
        begun = np.flatnonzero(np.diff(text)) + 1  # no text is cut in two
        cuts = begun[np.diff(many[begun - 1] // _AT_ONCE, prepend=0) > 0]
        for some, its_heads in zip(np.split(text, cuts), np.split(head, cuts), strict=True):
            yield from self._of(some, its_heads, seen)

    def _seen(self, sizes: Sequence[int], codes: Codes) -> _Places:
        """Text times token, for every token that tells of a name; sorted, each once."""
        sieve = np.zeros(
            _SIEVE, np.bool_
        )  # most tokens fall through it, at a tenth of the cost
        sieve[self._telling & _SIEVE - 1] = True
        maybe = np.flatnonzero(sieve[codes & _SIEVE - 1])
        at = self._telling.searchsorted(codes[maybe])
        at[at == len(self._telling)] = 0
        is_hit = self._telling[at] == codes[maybe]
        whose = np.cumsum(sizes).searchsorted(maybe[is_hit], "right")
        return distinct(whose * len(self._telling) + at[is_hit])

    def _of(
        self, text: _Places, head: _Places, seen: _Places
    ) -> Iterator[tuple[int, Sequence[_Name]]]:
        whose, name = _expanded(self._first, head)
        text = text[whose]
        whose, other = _expanded(self._other, name)
        asked = text[whose] * len(self._telling) + self._needed[other]
        at = seen.searchsorted(asked)
        at[at == len(seen)] = 0
        fits = np.bincount(whose[seen[at] != asked], minlength=len(name)) == 0
        text, name = text[fits], name[fits]
        firsts = np.flatnonzero(np.diff(text, prepend=-1)).tolist()
        numbers, names = text[firsts].tolist(), name.tolist()
        for number, start, end in zip(numbers, firsts, [*firsts[1:], len(names)], strict=False):
            yield number, [self._names[one] for one in names[start:end]]


def _offsets(sizes: Sequence[int]) -> _Places:
    return np.cumsum([0, *sizes], dtype=np.int64)


def _expanded(offsets: _Places, groups: _Places) -> tuple[_Places, _Places]:
    """Every member of these groups: the place of its group in the list, and its number."""
    sizes = offsets[groups + 1] - offsets[groups]
    whose = np.repeat(np.arange(len(groups)), sizes)
    begun = np.cumsum(sizes) - sizes
    return whose, offsets[groups][whose] + np.arange(len(whose)) - begun[whose]
