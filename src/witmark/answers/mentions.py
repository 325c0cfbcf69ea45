"""Where a note's text names another note without linking to it.

A name is looked up by the rarest-looking of its tokens, so a text asks only for the names
whose token it holds, and a new name asks the index only for the atoms that hold all of its
tokens. What comes back is then compared letter by letter: Latin words whole, Han anywhere.

How sure a mention is falls with the number of notes that use the name, in steps of two, so
that one more use seldom changes what others are worth. A name that very many notes use
says nothing and joins none.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

import numpy as np

from witmark.answers.aliases import NAMELESS
from witmark.answers.asking import AliasRule
from witmark.answers.atoms import (
    AtomId,
    Document,
    DocumentId,
    KnowledgeAtom,
    Representation,
    SpanId,
    atom_id,
)
from witmark.answers.counting import Codes, Tokens, Vocabulary, distinct
from witmark.answers.edges import Provenance, RelationEdge, RelationKind, edge_id
from witmark.answers.folding import simplified
from witmark.answers.names import Names, named
from witmark.answers.normalising import is_plain, without_format
from witmark.answers.ports import AliasEntry
from witmark.answers.terms import (
    compact_key,
    is_unspaced,
    normal_words,
    query_terms,
    word_ranges,
)

MENTION = "mention"
"""Rule of the entries under which a text finds the names it may hold."""

CERTAINTY = 0.4
MOST_SHARE = 50
"""A name used by more than one note in so many joins none …"""

MOST_ALWAYS = 20
"""… unless so few use it."""

MOST_SPANS = 4
_JOINTS = " _/-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2044\u2215\u3000\u00a0\t"
_SIEVE = 1 << 20
_SHORT = 3  # a name of one short word is also a word like any other: Go, Map, AI


# What a name looks like --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to write a name: words in a row, and what the author put between them."""

    pieces: tuple[str, ...]
    gaps: tuple[str, ...]
    tokens: frozenset[str]
    head: str
    cased: str = ""
    """Set if it is only found in the author's own letters."""


@lru_cache(maxsize=1 << 16)
def spellings(surface: str) -> tuple[Spelling, ...]:
    """Every way in which a name is found in a text; none for a name that says nothing.

    >>> [s.pieces for s in spellings("Water Glass")]
    [('water', 'glass'), ('waterglass',)]
    >>> [s.pieces for s in spellings("LinkedHashMap")], spellings("如何"), spellings("7")
    ([('linkedhashmap',), ('linked', 'hash', 'map')], (), ())
    """
    key = compact_key(surface)
    if len(key) < 2 or key in NAMELESS:
        return ()
    plain = folded(surface)
    places = list(word_ranges(plain))
    pieces = tuple(plain[start:end] for start, end in places)
    if len(pieces) == 1 and key.isdecimal():
        return ()
    gaps = tuple(plain[e:s] for (_, e), (s, _) in pairwise(places))
    every = [(pieces, gaps)]
    if not any(map(is_unspaced, pieces)):
        if len(pieces) > 1 and not key.isdecimal():
            every.append((("".join(pieces),), ()))
        parts = tuple(normal_words(surface))
        if parts != pieces and min(map(len, parts)) > 1:
            every.append((parts, (" ",) * (len(parts) - 1)))
    is_short = len(pieces) == 1 and len(key) <= _SHORT and key.isascii() and key.isalpha()
    cased = surface if is_short else ""
    return tuple(
        Spelling(found, between, frozenset(tokens), max(tokens, key=_telling), cased.strip())
        for found, between in every
        if (tokens := _tokens(found))
    )


def _telling(token: str) -> tuple[int, str]:
    """Longer words are rarer; a pair of Han counts as a word of four letters."""
    return (len(token) if token.isascii() else 2 * len(token)), token


def _tokens(pieces: Iterable[str]) -> list[str]:
    """The tokens that the index holds wherever these words stand in a row."""
    found: list[str] = []
    for piece in pieces:
        terms = query_terms(piece)
        if is_unspaced(piece):
            found += terms if len(piece) > 1 else ()
        else:
            found += terms[-1:]  # the whole word comes last, after its parts
    return found


def folded(text: str) -> str:
    """The letters by which names and texts are compared; as long as the text, mostly."""
    return simplified(text if is_plain(text) else without_format(text)).casefold()


def mention_entries(entries: Iterable[AliasEntry]) -> tuple[AliasEntry, ...]:
    """The entries under which texts find a note's names, from its other entries; sorted."""
    made = {
        (head_key(spelling.head), entry.surface)
        for entry in entries
        if entry.rule == AliasRule.EXACT.value
        for spelling in spellings(entry.surface)
    }
    return tuple(AliasEntry(key, MENTION, surface) for key, surface in sorted(made))


def head_key(token: str) -> str:
    """The key under which names are kept that hold a token; no question can hit it."""
    return _HOLDS + token


_HOLDS = "∋"


# Finding names in a text -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mention:
    """A name that stands in an atom.

    Attributes:
        key: The name's compact key.
        surface: As the note that is so called spells it.
        passages: The numbers of the atom's first passages in which it stands and lies in no
            longer name; none if it does so everywhere.
    """

    key: str
    surface: str
    passages: tuple[int, ...]


_Asked = tuple[tuple[str, Spelling], tuple[int, ...]]


class Finder:
    """Finds the names of a library in texts, and remembers what it has looked up."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._heads: dict[str, tuple[tuple[str, Spelling], ...]] = {}
        self._seen: set[str] = set()
        self._numbered: dict[str, tuple[Vocabulary, tuple[_Asked, ...]]] = {}

    def look_up(self, tokens: Iterable[frozenset[str]]) -> None:
        """Learn which names may stand in texts with these tokens, for all of them at once."""
        unknown = set[str]().union(*tokens) - self._seen
        self._seen |= unknown
        borne = self._names.borne([head_key(token) for token in unknown])
        for key, entries in borne.items():
            token = key.removeprefix(_HOLDS)
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
        heads = sorted((vocabulary.codes[token], token) for token in self._heads)
        numbers = np.array([code for code, _ in heads], np.int64)
        for at, places in _holding(numbers, bodies, every):
            plain = _folded_body(atoms[at], bodies[at])
            asked = [one for p in places for one in self._asked(heads[p][1], vocabulary)]
            candidates = _seen(asked, plain, bodies[at].codes)
            if candidates and (found := _read(atoms[at], candidates, plain)):
                yield atoms[at].id, found

    def _that_matter(self, vocabulary: Vocabulary, codes: Codes) -> frozenset[str]:
        """The tokens under which a name may be kept, of those in some texts."""
        if self._names.is_all_fresh:
            return frozenset(
                key.removeprefix(_HOLDS) for key in self._names.fresh if key.startswith(_HOLDS)
            )
        return frozenset(vocabulary.spelled(distinct(codes)))

    def _asked(self, head: str, vocabulary: Vocabulary) -> tuple[_Asked, ...]:
        """The names under a head, each with the numbers of its other tokens."""
        if (known := self._numbered.get(head)) is None or known[0] is not vocabulary:
            code = vocabulary.codes.__getitem__
            asked = tuple(
                (pair, tuple(code(token) for token in sorted(pair[1].tokens - {head})))
                for pair in self._heads[head]
            )
            known = self._numbered[head] = vocabulary, asked
        return known[1]


def _seen(asked: Sequence[_Asked], plain: str, codes: Codes) -> list[tuple[str, Spelling]]:
    """The names whose tokens a text holds, of those whose head it holds."""
    if len(asked) > _FEW:
        held = frozenset(codes.tolist())
        return [pair for pair, others in asked if held.issuperset(others)]
    found = []
    for pair, others in asked:
        for piece in pair[1].pieces:  # most names fail here, at a glance
            if piece not in plain:
                break
        else:
            if all((codes == other).any() for other in others):
                found.append(pair)
    return found


_FEW = 16  # for more names a set pays


def _holding(
    heads: Codes, bodies: Sequence[Tokens], codes: Codes
) -> Iterator[tuple[int, list[int]]]:
    """Yield the number of every text that holds some of these tokens, and which of them."""
    if not len(heads):
        return
    sieve = np.zeros(_SIEVE, np.bool_)  # most tokens fall through it, at a tenth of the cost
    sieve[heads % _SIEVE] = True
    maybe = np.flatnonzero(sieve[codes % _SIEVE])
    at = heads.searchsorted(codes[maybe])
    at[at == len(heads)] = 0
    is_hit = heads[at] == codes[maybe]
    at, hit = at[is_hit], maybe[is_hit]
    ends = np.cumsum([len(body.codes) for body in bodies])
    whose = ends.searchsorted(hit, "right")
    for number, places in groupby(
        distinct(whose * len(heads) + at).tolist(), lambda place: place // len(heads)
    ):
        yield number, [place % len(heads) for place in places]


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


# Edges -------------------------------------------------------------------------------


def limit(documents: int) -> int:
    """The most notes that may use a name which still joins them.

    It moves only where the number of notes doubles.

    >>> limit(11), limit(3000), limit(5000)
    (20, 40, 81)
    """
    whole = 1 << max(documents.bit_length() - 1, 0)
    return max(MOST_ALWAYS, whole // MOST_SHARE)


def certainty(users: int, most: int) -> float:
    """How sure a mention of a name is that so many notes use; 0 where it says nothing.

    >>> certainty(1, 20), certainty(9, 20), certainty(21, 20)
    (0.252372, 0.120412, 0.0)
    """
    if users > most:
        return 0.0
    step = 1 << max(users.bit_length() - 1, 0)
    return round(CERTAINTY / math.log2(2 + step), 6)


def mention_edges(
    document: Document,
    found: Mapping[AtomId, Sequence[Mention]],
    names: Names,
    joined: frozenset[tuple[AtomId, DocumentId]],
    sure: Mapping[str, float],
) -> list[RelationEdge]:
    """Return an edge for every note that an atom mentions and its author did not link there.

    Args:
        document: The note.
        found: The names in each of its atoms.
        names: The names of the library.
        joined: What the author joined; from the root it is joined for every atom.
        sure: How sure a mention of each key is.
    """
    root = document.atoms[0].id
    edges: dict[str, RelationEdge] = {}
    for atom in document.atoms:
        for mention in found.get(atom.id, ()):
            sureness = sure[mention.key]
            if not (sureness and mention.passages):
                continue
            note = named(mention.surface, names.called(mention.surface), document.id)
            if note is None or note == document.id:
                continue
            if (atom.id, note) in joined or (root, note) in joined:
                continue
            edge = _edge(document, atom, note, mention, sureness)
            other = edges.get(edge.id)
            if other is None or other.edge_confidence < sureness:
                edges[edge.id] = edge
    return [edges[key] for key in sorted(edges)]


def _edge(
    document: Document,
    atom: KnowledgeAtom,
    note: DocumentId,
    mention: Mention,
    edge_confidence: float,
) -> RelationEdge:
    target = atom_id(note, "")
    spans = tuple(
        SpanId(f"{document.id}@{passage.source_start}-{passage.source_end}")
        for passage in (atom.passages[number] for number in mention.passages)
    )
    return RelationEdge(
        id=edge_id(document.id, atom.id, target, RelationKind.REFERENCE),
        source=atom.id,
        target=target,
        kind=RelationKind.REFERENCE,
        provenance=Provenance.INFERRED,
        edge_confidence=edge_confidence,
        span_ids=spans,
        valid_from="",
        valid_to="",
        owner=document.id,
    )


def is_read(atom: KnowledgeAtom) -> bool:
    """Whether names are looked for in an atom: code and formulas name other things."""
    return atom.representation is Representation.TEXT
