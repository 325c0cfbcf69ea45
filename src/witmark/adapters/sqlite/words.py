"""Which atoms hold which tokens, as flat arrays: built, merged, cut into blocks, found again.

A segment holds up to ``MOST_ATOMS`` atoms, numbered within it by *slots*. Its postings are
sorted by token and slot, and cut into blocks of about ``BLOCK`` postings on borders between
tokens. A token is known by 64 bits of its BLAKE2b: that keeps every array flat, and two
tokens of one library share a key once in about ten million libraries of a million tokens.

A block is four numbers (tokens, postings, bytes per count, nothing), the keys, the ends of
their postings, the slots, and how often the token stands in the title and in the body.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, count, pairwise
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from witmark.answers.counting import Codes, Tokens, Vocabulary
from witmark.answers.ports import AtomTerms

MOST_ATOMS = 32_768
"""Atoms of one segment; a slot must fit 16 bits."""

BLOCK = 4_096

_SLOT = 15  # bits of a slot; with one more and those of a token's number they fit 63
_KEY_BYTES = 8
_HEAD = 16
_NARROW, _WIDE = 255, 4

Keys = npt.NDArray[np.int64]
Slots = npt.NDArray[np.int64]
Counts = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Postings:
    """Sorted by key and slot; row i says how often a token stands in an atom.

    Attributes:
        keys: (k,) the tokens, ascending.
        ends: (k + 1,) rows of token j are ``ends[j]`` to ``ends[j + 1]``.
        slots: (m,) the atom.
        title: (m,) times in its title.
        body: (m,) times in its body.
    """

    keys: Keys
    ends: Slots
    slots: Slots
    title: Counts
    body: Counts


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the postings of a segment, as it lies in the file.

    Attributes:
        keys: (k,) int64, as in ``Postings``.
        ends: (k + 1,) uint32, counted from the block's first row.
        slots: (m,) uint16.
        title: (m,) uint8, or uint32 where one is larger than that.
        body: (m,) of the same type.
    """

    keys: Keys
    ends: npt.NDArray[np.uint32]
    slots: npt.NDArray[np.uint16]
    title: Counts
    body: Counts


def token_key(token: str) -> int:
    """Return the 64 bits a token is known by, the same on every machine."""
    return int(_keys_of((token,))[0])


def postings_of(terms: Sequence[AtomTerms]) -> Postings:
    """Invert the tokens of some atoms; an atom's slot is its place in the list."""
    bodies = [term.body for term in terms if isinstance(term.body, Tokens)]
    if bodies and len(bodies) == len(terms) and len({id(b.vocabulary) for b in bodies}) == 1:
        return _numbered(bodies, [term.title for term in terms])
    return _spelled(terms)


def _numbered(bodies: Sequence[Tokens], titles: Sequence[Sequence[str]]) -> Postings:
    """Invert tokens that have numbers already: a number and a slot fit one integer."""
    vocabulary = bodies[0].vocabulary
    named = vocabulary.of(list(chain.from_iterable(titles)))
    in_title = (named << _SLOT | _slots(titles)) << 1
    in_body = (np.concatenate([b.codes for b in bodies]) << _SLOT | _slots(bodies)) << 1 | 1
    every, counts = _counted(np.concatenate((in_title, in_body)))
    pairs, is_body = every >> 1, (every & 1) > 0
    fresh = np.diff(pairs, prepend=-1) > 0
    row = np.cumsum(fresh) - 1
    both = pairs[fresh]
    title, body = np.zeros(len(both), np.int64), np.zeros(len(both), np.int64)
    title[row[~is_body]] = counts[~is_body]
    body[row[is_body]] = counts[is_body]
    codes = both >> _SLOT
    begins = np.flatnonzero(np.diff(codes, prepend=-1))
    keys = _keys_of_numbers(codes[begins], vocabulary)
    order = np.argsort(keys)
    sizes = np.diff(begins, append=len(both))[order]
    ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    rows = np.repeat(begins[order] - ends[:-1], sizes) + np.arange(len(both))
    slots = both & ((1 << _SLOT) - 1)
    return Postings(keys[order], ends, slots[rows], title[rows], body[rows])


def _keys_of_numbers(codes: Codes, vocabulary: Vocabulary) -> Keys:
    """The keys of ascending numbers; the batches of one ingest have most of them in common."""
    known, their_keys = _MADE.get(vocabulary, (codes[:0], codes[:0]))
    at = known.searchsorted(codes)
    is_new = np.append(known, -1)[at] != codes
    keys = np.append(their_keys, 0)[at]
    keys[is_new] = _keys_of(vocabulary.spelled(codes[is_new]))
    every = np.concatenate((known, codes[is_new]))
    order = np.argsort(every, kind="stable")
    _MADE[vocabulary] = every[order], np.concatenate((their_keys, keys[is_new]))[order]
    return keys


_MADE: WeakKeyDictionary[Vocabulary, tuple[Codes, Keys]] = WeakKeyDictionary()
"""The numbers of each vocabulary whose keys were made, ascending, and these keys."""


def _slots(lists: Sequence[Sequence[str]]) -> Slots:
    lengths = np.fromiter(map(len, lists), np.int64, len(lists))
    return np.repeat(np.arange(len(lists)), lengths)


def _keys_of(tokens: Sequence[str]) -> Keys:
    """The keys of many tokens; to remember them would cost as much as to make them."""
    encoded = "\n".join(tokens).encode("utf-8", "surrogatepass").split(b"\n")
    if len(encoded) != len(tokens):
        encoded = [token.encode("utf-8", "surrogatepass") for token in tokens]
    made = [blake2b(token, digest_size=_KEY_BYTES).digest() for token in encoded]
    return np.frombuffer(b"".join(made), "<i8").astype(np.int64)


def _spelled(terms: Sequence[AtomTerms]) -> Postings:
    places: defaultdict[str, int] = defaultdict(count().__next__)  # in order of appearance
    title = _flat([term.title for term in terms], places)
    body = _flat([term.body for term in terms], places)
    keys = _keys_of(list(places))
    order = np.argsort(keys)
    rank = np.empty(len(keys), np.int64)
    rank[order] = np.arange(len(keys))
    wide = max(len(terms), 1)
    titles, in_title = _counted(rank[title[0]] * wide + title[1])
    bodies, in_body = _counted(rank[body[0]] * wide + body[1])
    both = _distinct([titles, bodies])
    return Postings(
        keys=keys[order],
        ends=np.searchsorted(both, np.arange(len(keys) + 1) * wide),
        slots=both % wide,
        title=_spread(both, titles, in_title),
        body=_spread(both, bodies, in_body),
    )


def merged(parts: Sequence[tuple[Postings, npt.NDArray[np.bool_]]]) -> Postings:
    """Join segments, each with which of its slots are alive; the others are left out."""
    keys = _distinct([part.keys for part, _ in parts])
    total = max(sum(int(alive.sum()) for _, alive in parts), 1)
    codes, titles, bodies, offset = [], [], [], 0
    for part, alive in parts:
        kept = alive[part.slots]
        ranks = np.repeat(np.searchsorted(keys, part.keys), np.diff(part.ends))
        slots = np.cumsum(alive) - 1 + offset
        codes.append((ranks * total + slots[part.slots])[kept])
        titles.append(part.title[kept])
        bodies.append(part.body[kept])
        offset += int(alive.sum())
    code = np.concatenate(codes)
    order = np.argsort(code, kind="stable")  # runs that are sorted already, so merging them
    code = code[order]
    ends = np.searchsorted(code, np.arange(len(keys) + 1) * total)
    used = np.diff(ends) > 0
    return Postings(
        keys=keys[used],
        ends=np.concatenate([ends[:-1][used], ends[-1:]]),
        slots=code % total,
        title=np.concatenate(titles)[order],
        body=np.concatenate(bodies)[order],
    )


def blocks_of(postings: Postings) -> tuple[Keys, list[bytes]]:
    """Cut postings into blocks; the first key of each tells which block holds a key."""
    if not len(postings.keys):
        return np.empty(0, np.int64), []
    begins = postings.ends[:-1] // BLOCK
    cuts = [0, *(np.flatnonzero(np.diff(begins)) + 1).tolist(), len(postings.keys)]
    blocks = [_packed(postings, a, b) for a, b in pairwise(cuts)]
    return postings.keys[cuts[:-1]], blocks


def unpacked(blocks: Iterable[bytes]) -> Postings:
    """Put the blocks of a segment together again."""
    parts = [opened_block(block) for block in blocks]
    if not parts:
        none = np.empty(0, np.int64)
        return Postings(none, np.zeros(1, np.int64), none, none, none)
    sizes = np.concatenate([np.diff(part.ends) for part in parts])
    return Postings(
        keys=np.concatenate([part.keys for part in parts]),
        ends=np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)]),
        slots=np.concatenate([part.slots for part in parts]).astype(np.int64),
        title=np.concatenate([part.title for part in parts]).astype(np.int64),
        body=np.concatenate([part.body for part in parts]).astype(np.int64),
    )


def opened_block(packed: bytes) -> Block:
    """Look at a block without copying anything."""
    tokens, rows, width, _ = np.frombuffer(packed, np.uint32, 4).tolist()
    ends_at = _HEAD + 8 * tokens
    slots_at = ends_at + 4 * (tokens + 1)
    title_at = slots_at + 2 * rows
    kind = np.uint8 if width == 1 else np.uint32
    return Block(
        keys=np.frombuffer(packed, np.int64, tokens, _HEAD),
        ends=np.frombuffer(packed, np.uint32, tokens + 1, ends_at),
        slots=np.frombuffer(packed, np.uint16, rows, slots_at),
        title=np.frombuffer(packed, kind, rows, title_at),
        body=np.frombuffer(packed, kind, rows, title_at + width * rows),
    )


def found_in(block: Block, key: int) -> tuple[npt.NDArray[np.uint16], Counts, Counts] | None:
    """Return slots and counts of one token of a block, or ``None``."""
    at = int(block.keys.searchsorted(key))
    if at == len(block.keys) or block.keys[at] != key:
        return None
    rows = slice(int(block.ends[at]), int(block.ends[at + 1]))
    return block.slots[rows], block.title[rows], block.body[rows]


def _flat(lists: Sequence[Sequence[str]], places: defaultdict[str, int]) -> tuple[Slots, Slots]:
    slots = _slots(lists)
    tokens = map(places.__getitem__, chain.from_iterable(lists))
    return np.fromiter(tokens, np.int64, len(slots)), slots


def _distinct(parts: Sequence[Slots]) -> Slots:
    """Sort and drop repeats; ``np.unique`` hashes, which costs ten times as much here."""
    every = np.concatenate(parts)
    every.sort()
    fresh = np.ones(len(every), np.bool_)
    fresh[1:] = every[1:] != every[:-1]
    return every[fresh]


def _counted(codes: Slots) -> tuple[Slots, Counts]:
    codes.sort()
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    return codes[first], np.diff(first, append=len(codes))


def _spread(both: Slots, some: Slots, counts: Counts) -> Counts:
    spread = np.zeros(len(both), np.int64)
    spread[np.searchsorted(both, some)] = counts
    return spread


def _packed(postings: Postings, first: int, last: int) -> bytes:
    ends = postings.ends[first : last + 1]
    rows = slice(int(ends[0]), int(ends[-1]))
    title, body = postings.title[rows], postings.body[rows]
    narrow = max(title.max(initial=0), body.max(initial=0)) <= _NARROW
    width, kind = (1, np.uint8) if narrow else (_WIDE, np.uint32)
    return b"".join(
        (
            np.array([last - first, rows.stop - rows.start, width, 0], np.uint32).tobytes(),
            postings.keys[first:last].tobytes(),
            (ends - ends[0]).astype(np.uint32).tobytes(),
            postings.slots[rows].astype(np.uint16).tobytes(),
            title.astype(kind).tobytes(),
            body.astype(kind).tobytes(),
        )
    )
