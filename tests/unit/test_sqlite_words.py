"""Postings say what a plain count would say, however they are cut, merged and packed."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.adapters.sqlite import words
from witmark.adapters.sqlite.words import (
    blocks_of,
    found_in,
    merged,
    opened_block,
    postings_of,
    token_key,
    unpacked,
)
from witmark.answers.ports import AtomTerms

tokens = st.lists(st.sampled_from(["a", "b", "孔", "孔径", "\0", "Ä", "x" * 400]), max_size=8)
atoms = st.lists(st.builds(AtomTerms, tokens.map(tuple), tokens.map(tuple)), max_size=12)


def counted(terms):
    """Token key and slot to the counts, the slow way."""
    return {
        (token_key(token), slot): (Counter(term.title)[token], Counter(term.body)[token])
        for slot, term in enumerate(terms)
        for token in {*term.title, *term.body}
    }


def read(postings):
    keys = np.repeat(postings.keys, np.diff(postings.ends))
    columns = (keys, postings.slots, postings.title, postings.body)
    return {(k, s): (t, b) for k, s, t, b in zip(*(c.tolist() for c in columns), strict=True)}


@given(atoms)
def test_postings_count_every_token_of_every_atom(terms):
    assert read(postings_of(terms)) == counted(terms)


@settings(max_examples=50)
@given(atoms, st.integers(1, 5))
def test_blocks_give_back_what_was_cut(terms, size):
    old, words.BLOCK = words.BLOCK, size
    try:
        postings = postings_of(terms)
        fences, blocks = blocks_of(postings)
    finally:
        words.BLOCK = old
    assert read(unpacked(blocks)) == counted(terms)
    for key in postings.keys.tolist():
        block = blocks[int(np.searchsorted(fences, key, "right")) - 1]
        slots, title, body = found_in(opened_block(block), key)
        rows = zip(slots.tolist(), title.tolist(), body.tolist(), strict=True)
        assert {(key, s): (t, b) for s, t, b in rows} == {
            place: held for place, held in counted(terms).items() if place[0] == key
        }
    assert all(found_in(opened_block(block), token_key("nowhere")) is None for block in blocks)


@given(st.lists(atoms, min_size=1, max_size=4), st.data())
def test_merging_keeps_the_living_and_drops_the_dead(parts, data):
    alive = [
        np.array(data.draw(st.lists(st.booleans(), min_size=len(p), max_size=len(p))), np.bool_)
        for p in parts
    ]
    joined = merged([(postings_of(p), a) for p, a in zip(parts, alive, strict=True)])
    living = [
        t
        for p, a in zip(parts, alive, strict=True)
        for t, is_alive in zip(p, a, strict=True)
        if is_alive
    ]
    assert read(joined) == counted(living)
    assert set(joined.keys.tolist()) == {key for key, _ in counted(living)}


def test_a_token_that_stands_thousands_of_times_is_counted_exactly():
    terms = [AtomTerms((), ("the",) * 70_000), AtomTerms(("the",), ("the",))]
    _, [block] = blocks_of(postings_of(terms))
    slots, title, body = found_in(opened_block(block), token_key("the"))
    assert (slots.tolist(), title.tolist(), body.tolist()) == ([0, 1], [0, 1], [70_000, 1])


def test_no_two_short_tokens_share_a_key_and_a_longer_one_stands_above_them_all():
    short = ["a", "b", "ab", "ba", "孔", "孔径", "径孔", "\U0010ffff\U0010ffff"]
    keys = {token_key(token) for token in short}

    assert len(keys) == len(short)
    assert min(map(token_key, ("abc", "", "\0", "\0a", "水玻璃"))) > max(keys)
