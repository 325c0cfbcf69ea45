"""Where a note's text names another note without linking to it.

A name is looked up by the rarest-looking of its tokens, so a text asks only for the names
whose token it holds, and a new name asks the index only for the atoms that hold all of its
tokens. What comes back is then compared letter by letter: Latin words whole, Han anywhere.

How sure a mention is falls with the number of notes that use the name, in steps of two, so
that one more use seldom changes what others are worth. A name that very many notes use
says nothing and joins none.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from witmark.answers.aliases import NAMELESS
from witmark.answers.asking import AliasRule
from witmark.answers.atoms import (
    AtomId,
    Document,
    DocumentId,
    KnowledgeAtom,
    SpanId,
    atom_id,
)
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
    return HOLDS + token


HOLDS = "∋"


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
