"""Where the names of a library stand in texts.

A text is asked only for the names whose head it holds, then whether it holds their other
tokens, and what is left is compared letter by letter. Texts that were counted are compared
by number, all of a batch at once.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np

from witmark.answers.atoms import AtomId, KnowledgeAtom, Representation
from witmark.answers.counting import Codes, Tokens, Vocabulary, distinct
from witmark.answers.mentions import (
    HOLDS,
    MOST_SPANS,
    Mention,
    Spelling,
    folded,
    head_key,
    spellings,
)
from witmark.answers.named_in import NamedIn
from witmark.answers.names import Names
from witmark.answers.terms import compact_key, is_unspaced

_JOINTS = " _/-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2044\u2215\u3000\u00a0\t"


class Finder:
    """Finds the names of a library in texts, and remembers what it has looked up."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._heads: dict[str, tuple[tuple[str, Spelling], ...]] = {}
        self._seen: set[str] = set()
        self._named_in: tuple[Vocabulary, int, NamedIn] | None = None

    def look_up(self, tokens: Iterable[frozenset[str]]) -> None:
        """Learn which names may stand in texts with these tokens, for all of them at once."""
        unknown = set[str]().union(*tokens) - self._seen
        self._seen |= unknown
        borne = self._names.borne([head_key(token) for token in unknown])
        for key, entries in borne.items():
            token = key.removeprefix(HOLDS)
            self._heads[token] = tuple(
                (surface, spelling)
                for surface in sorted({entry.surface for _, entry in entries})
                for spelling in spellings(surface)
                if spelling.head == token
            )

    def found(self, atom: KnowledgeAtom, tokens: frozenset[str]) -> tuple[Mention, ...]:
        """The names in an atom, sorted by key.

        Args:
            atom: The atom.
            tokens: Those of its body; they were looked up.
        """
        candidates = [
            pair
            for token in self._heads.keys() & tokens
            for pair in self._heads[token]
            if pair[1].tokens <= tokens
        ]
        return _read(atom, candidates, folded(atom.content.text)) if candidates else ()

    def found_in_all(
        self, atoms: Sequence[KnowledgeAtom], bodies: Sequence[Tokens]
    ) -> Iterator[tuple[AtomId, tuple[Mention, ...]]]:
        """The names in many atoms; only of those that hold any."""
        if not atoms:
            return
        vocabulary = bodies[0].vocabulary
        every = np.concatenate([body.codes for body in bodies])
        self.look_up([self._that_matter(vocabulary, every)])
        if self._named_in is None or self._named_in[:2] != (vocabulary, len(self._heads)):
            made = NamedIn(self._heads, vocabulary)
            self._named_in = vocabulary, len(self._heads), made
        sizes = [len(body.codes) for body in bodies]
        for at, names in self._named_in[2].held(sizes, every):
            plain = _folded_body(atoms[at], bodies[at])
            if found := _read(atoms[at], names, plain):
                yield atoms[at].id, found

    def _that_matter(self, vocabulary: Vocabulary, codes: Codes) -> frozenset[str]:
        """The tokens under which a name may be kept, of those in some texts."""
        if self._names.is_all_fresh:
            return self._fresh_heads
        return frozenset(vocabulary.spelled(distinct(codes)))

    @cached_property
    def _fresh_heads(self) -> frozenset[str]:
        return frozenset(
            key.removeprefix(HOLDS) for key in self._names.fresh if key.startswith(HOLDS)
        )


def _folded_body(atom: KnowledgeAtom, body: Tokens) -> str:
    plain = body.folded
    return folded(atom.content.text) if plain is None else plain.casefold()


def _read(
    atom: KnowledgeAtom, candidates: Iterable[tuple[str, Spelling]], plain: str
) -> tuple[Mention, ...]:
    """Compare letter by letter; ``plain`` is the atom's folded text."""
    text = atom.content.text
    original = text if len(text) == len(plain) else ""
    places: dict[str, set[tuple[int, int]]] = {}
    for surface, spelling in candidates:
        if spots := set(_occurrences(spelling, plain, original)):
            places.setdefault(surface, set()).update(spots)
    return _mentions(places, _starts(atom, is_as_long=bool(original))) if places else ()


_key = lru_cache(maxsize=1 << 16)(compact_key)


def _mentions(
    places: Mapping[str, set[tuple[int, int]]], starts: Sequence[int]
) -> tuple[Mention, ...]:
    """From the left, the longest first; what lies in a name that was taken is not counted."""
    every = sorted(
        (start, -end, surface) for surface, spots in places.items() for start, end in spots
    )
    passages: dict[str, list[int]] = {}
    reached, last = 0, (0, 0)
    for start, back, surface in every:
        if start >= reached or (start, back) == last:
            reached, last = -back, (start, back)
            passages.setdefault(surface, []).append(bisect_right(starts, start) - 1)
    made = [
        Mention(_key(s), s, tuple(dict.fromkeys(passages.get(s, ())))[:MOST_SPANS])
        for s in places
    ]
    return tuple(sorted(made, key=lambda mention: (mention.key, mention.surface)))


def _starts(atom: KnowledgeAtom, *, is_as_long: bool) -> list[int]:
    """Where each passage begins in the folded text."""
    starts = [passage.start for passage in atom.passages]
    if is_as_long:
        return starts
    return [len(folded(atom.content.text[:start])) for start in starts]


def _occurrences(spelling: Spelling, text: str, original: str) -> Iterator[tuple[int, int]]:
    first = spelling.pieces[0]
    whole_word = not is_unspaced(first)
    start = text.find(first)
    while start >= 0:
        if not (whole_word and start and _is_letter(text[start - 1])):
            end = _end(spelling, text, start + len(first))
            if end and (not spelling.cased or original[start:end] == spelling.cased):
                yield start, end
        start = text.find(first, start + 1)


def _end(spelling: Spelling, text: str, at: int) -> int:
    """Where a name that begins before ``at`` ends, 0 if it does not go on so."""
    for gap, piece in zip(spelling.gaps, spelling.pieces[1:], strict=True):
        start = at
        if gap and text.startswith(gap, at):
            start = at + len(gap)
        else:
            while start < len(text) and text[start] in _JOINTS:
                start += 1
            if start == at and not (is_unspaced(piece) or is_unspaced(text[at - 1])):
                return 0
        if not text.startswith(piece, start):
            return 0
        at = start + len(piece)
    if at < len(text) and not is_unspaced(spelling.pieces[-1]) and _is_letter(text[at]):
        return 0
    return at


def _is_letter(character: str) -> bool:
    return character.isalnum() and (character.isascii() or not is_unspaced(character))


def stands_in(spelling: Spelling, atom: KnowledgeAtom) -> bool:
    """Whether an atom whose body holds all tokens of a name holds the name itself."""
    text = atom.content.text
    plain = folded(text)
    original = text if len(text) == len(plain) else ""
    return is_read(atom) and next(_occurrences(spelling, plain, original), None) is not None


def is_read(atom: KnowledgeAtom) -> bool:
    """Whether names are looked for in an atom: code and formulas name other things."""
    return atom.representation is Representation.TEXT
