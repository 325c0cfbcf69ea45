"""The tokens of many texts at once, as numbers: what ``terms`` finds, much faster.

A token of one or two characters is known by their code points, every other one by its place
in a vocabulary. So most tokens of a large ingest are counted and compared without ever being
spelled out. ``terms`` stays the definition: a property test holds the two to each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, overload

import numpy as np
import numpy.typing as npt

from witmark.answers.folding import UNSPACED, simplified_points
from witmark.answers.late import late
from witmark.answers.normalising import UNPLAIN
from witmark.answers.terms import folded_terms, query_terms, terms_of_word

Codes = npt.NDArray[np.int64]
Places = npt.NDArray[np.int64]
_Points = npt.NDArray[np.uint32]
_Kind = npt.NDArray[np.uint8]
_Flags = npt.NDArray[np.bool_]

CODE_BITS: Final = 43
"""A token's number is smaller than two to this."""

ENOUGH: Final = 50_000
"""Fewer characters than this are read faster one text after the other."""

_PAIR: Final = 21  # bits of a code point
LONGER: Final = 1 << 2 * _PAIR
"""Numbers of tokens of more than two characters begin here; all below are the same anywhere."""

_AT_ONCE: Final = 1 << 19  # characters; more would only fill the memory
_WORD, _RUN, _ODD = 1, 2, 4
_POINTS: Final = 0x110000
_GAP: Final = 0x20


def distinct(codes: Codes) -> Codes:
    """Sort and drop repeats; ``np.unique`` hashes, which costs ten times as much here."""
    every = np.sort(codes)
    fresh = np.ones(len(every), np.bool_)
    fresh[1:] = every[1:] != every[:-1]
    return every[fresh]


def short_number(token: str) -> int | None:
    """The number that one or two characters have in every vocabulary; ``None`` for others.

    >>> short_number("a"), short_number("ab") == (97 << 21 | 98), short_number("abc")
    (97, True, None)
    """
    if "\0" in token or not 1 <= len(token) <= 2:  # an array's text cannot end in \0
        return None
    return ord(token) if len(token) == 1 else ord(token[0]) << _PAIR | ord(token[1])


class Vocabulary:
    """The numbers of tokens, given as they come."""

    def __init__(self) -> None:
        self.codes = _CodeOf()
        self._of_words = _CodesOfWord(self.codes)

    @property
    def longer(self) -> Sequence[str]:
        """The tokens whose numbers count from ``LONGER``, in that order."""
        return self.codes.words

    def spelled(self, codes: Codes) -> list[str]:
        """Return the token of each number that was given."""
        is_long = codes >= LONGER
        short = np.where(is_long, 0, codes)
        pairs = np.empty((len(codes), 2), np.uint32)
        first = short >> _PAIR
        last = short & ((1 << _PAIR) - 1)
        pairs[:, 0] = np.where(first > 0, first, last)
        pairs[:, 1] = np.where(first > 0, last, 0)
        spelled: list[str] = pairs.view("<U2").ravel().tolist()
        words = self.codes.words
        for place in np.flatnonzero(is_long).tolist():
            spelled[place] = words[int(codes[place]) - LONGER]
        return spelled

    def read(self, texts: Sequence[str]) -> list["Tokens"]:
        """Return what ``query_terms`` returns for each text."""
        found: list[Tokens] = []
        for some in _by_size(texts):
            found += self._read(some)
        return found

    def _read(self, texts: Sequence[str]) -> Iterator["Tokens"]:
        whole = "\n".join((*texts, ""))
        points = np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), np.uint32)
        kinds = _KINDS.of(points)
        plain = simplified_points(points)
        folded = whole if plain is points else _text(plain)
        starts = np.zeros(len(texts), np.int64)
        starts[1:] = np.cumsum([len(text) + 1 for text in texts])[:-1]
        odd = np.bitwise_or.reduceat(kinds & _ODD, starts) > 0
        codes, places = self._all(plain, kinds, folded)  # simpler is no other kind
        numbers = np.arange(len(texts), dtype=np.min_scalar_type(len(texts)))
        owner = np.repeat(numbers, np.diff(starts, append=len(points)))[places]
        codes = codes[np.argsort(owner, kind="stable")]
        ends = np.cumsum(np.bincount(owner, minlength=len(texts))).tolist()
        first = 0
        for number, (text, at) in enumerate(zip(texts, starts.tolist(), strict=True)):
            if odd[number]:
                yield self._slowly(text)
            else:
                yield Tokens(self, codes[first : ends[number]], folded, at, at + len(text))
            first = ends[number]

    def _slowly(self, text: str) -> "Tokens":
        """A text that holds what has to be composed first."""
        spelled = query_terms(text)
        return Tokens(self, self.of(spelled), "", 0, 0, spelled)

    def of(self, tokens: Sequence[str]) -> Codes:
        """Return the number of each token."""
        return np.fromiter(map(self.codes.__getitem__, tokens), np.int64, len(tokens))

    def _all(self, points: _Points, kinds: _Kind, folded: str) -> tuple[Codes, Places]:
        """Number every token of a plain text, each with a place inside the text it is of."""
        in_run = (kinds & _RUN) > 0
        in_word = (kinds & _WORD) > 0
        for at, end in list(_suffixes(folded, in_word)):
            in_word[at:end] = True
        pairs = np.flatnonzero(in_run[:-1] & in_run[1:])
        alone = np.flatnonzero(in_run & ~_shifted(in_run, 1) & ~_shifted(in_run, -1))
        wide = points.astype(np.int64)
        begins = np.flatnonzero(in_word & ~_shifted(in_word, 1))
        words = _text(np.where(in_word, points, np.uint32(_GAP))).split()
        coded, places = self._words(words, begins)
        return (
            np.concatenate((wide[pairs] << _PAIR | wide[pairs + 1], wide[alone], coded)),
            np.concatenate((pairs, alone, places)),
        )

    def _words(self, words: Sequence[str], begins: Places) -> tuple[Codes, Places]:
        of_words = self._of_words
        coded = np.fromiter(map(of_words.__getitem__, words), np.int64, len(words))
        more: list[int] = []
        places: list[int] = []
        for number in np.flatnonzero(coded < _CodesOfWord.NONE).tolist():
            several = of_words.several[_CodesOfWord.NONE - 1 - int(coded[number])]
            more += several
            places += [int(begins[number])] * len(several)
        single = coded >= 0
        return (
            np.concatenate((coded[single], np.array(more, np.int64))),
            np.concatenate((begins[single], np.array(places, np.int64))),
        )


@dataclass(slots=True)
class Tokens(Sequence[str]):
    """The tokens of one text: counted by number, spelled out only when they are read.

    Attributes:
        vocabulary: Knows the numbers.
        codes: The number of each token, repeats included, in no order that says anything.
    """

    vocabulary: Vocabulary
    codes: Codes
    _folded: str
    _start: int
    _end: int
    _spelled: tuple[str, ...] | None = None

    @property
    def folded(self) -> str | None:
        """The text in simplified characters, its case as it was; ``None`` if it is odd."""
        return self._folded[self._start : self._end] if self._folded else None

    @property
    def spelled(self) -> tuple[str, ...]:
        """The tokens, in the order of the text."""
        if self._spelled is None:
            self._spelled = tuple(folded_terms(self._folded[self._start : self._end]))
        return self._spelled

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return self.spelled[at]

    def __iter__(self) -> Iterator[str]:
        return iter(self.spelled)

    def __eq__(self, other: object) -> bool:
        return self.spelled == (other.spelled if isinstance(other, Tokens) else other)

    def __hash__(self) -> int:
        return hash(self.spelled)


class _CodeOf(dict[str, int]):
    """The number of each token."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def __missing__(self, token: str) -> int:
        if (code := short_number(token)) is None:
            code = LONGER + len(self.words)
            self.words.append(token)
        self[token] = code
        return code


class _CodesOfWord(dict[str, int]):
    """The number of a word's only token; below zero for a word that has none, or several."""

    NONE: Final = -1

    def __init__(self, codes: _CodeOf) -> None:
        super().__init__()
        self._codes = codes
        self.several: list[list[int]] = []

    def __missing__(self, word: str) -> int:
        terms = terms_of_word(word)
        if len(terms) == 1:
            code = self._codes[terms[0]]
        elif terms:
            code = self.NONE - 1 - len(self.several)
            self.several.append([self._codes[term] for term in terms])
        else:
            code = self.NONE
        self[word] = code
        return code


class _Kinds:
    """What each code point is, found out page by page as texts need it."""

    def __init__(self) -> None:
        self._kinds = np.zeros(_POINTS, np.uint8)
        self._known = np.zeros(_POINTS // _PAGE, np.bool_)

    def of(self, points: _Points) -> _Kind:
        """Return the kind of each point."""
        pages = np.bincount(points // _PAGE, minlength=len(self._known)) > 0
        for page in np.flatnonzero(pages & ~self._known).tolist():
            self._learn(page)
        return self._kinds.take(points)

    def _learn(self, page: int) -> None:
        every = "".join(map(chr, range(page * _PAGE, (page + 1) * _PAGE)))
        kinds = np.zeros(_PAGE, np.uint8)
        for kind, pattern in _PATTERNS:
            for match in pattern.finditer(every):
                kinds[match.start() : match.end()] |= kind
        self._kinds[page * _PAGE : (page + 1) * _PAGE] = kinds
        self._known[page] = True


_PAGE: Final = 256
_PATTERNS: Final = (
    (_WORD, late(rf"[^\W_{UNSPACED}]+")),
    (_RUN, late(f"[{UNSPACED}]+")),
    (_ODD, late(f"{UNPLAIN}+")),
)
_KINDS: Final = _Kinds()


def _suffixes(text: str, in_word: _Flags) -> Iterator[tuple[int, int]]:
    """Where ``#`` or ``++`` ends a word: C++ and C# are not C."""
    for match in _SUFFIX.finditer(text) if "#" in text or "++" in text else ():
        if match.start() and in_word[match.start() - 1]:
            yield match.span()


_SUFFIX: Final = late(r"(?:\+\+|#)(?!\w)")


def _text(points: _Points) -> str:
    return points.tobytes().decode("utf-32-le", "surrogatepass")


def _shifted(flags: _Flags, by: int) -> _Flags:
    """Every flag one place on; nothing comes in at the border."""
    moved = np.zeros_like(flags)
    if by > 0:
        moved[1:] = flags[:-1]
    else:
        moved[:-1] = flags[1:]
    return moved


def _by_size(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    first, size = 0, 0
    for number, text in enumerate(texts):
        size += len(text) + 1
        if size >= _AT_ONCE:
            yield texts[first : number + 1]
            first, size = number + 1, 0
    if first < len(texts):
        yield texts[first:]
