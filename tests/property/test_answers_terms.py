"""Whatever is written, index and question are cut alike, fast way or slow."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.answers.normalising import without_format
from witmark.answers.terms import (
    _PIECES,
    _terms_of,
    atom_terms,
    located_words,
    normal_words,
    query_terms,
)

awkward = st.sampled_from([
    *"aZ9_-/ \t\r\n.？，ＡｚＺ９ﬁ½ßİſΐŉ①㎏ﾞｶ가각ᄀ\u1161é\u0301\u200b\u00ad\ufe0f#+",
    "C++", "c#",
    *"什麼麽裡乾😀हिด", "WaterGlass", "utf8", "\u2b50\ufe0f",
])  # fmt: skip
texts = st.one_of(st.text(max_size=40), st.lists(awkward, max_size=20).map("".join))


@settings(max_examples=300)
@given(texts)
def test_the_fast_way_finds_what_the_slow_way_finds(text):
    slow = [t for line in text.split("\n") for t in _terms_of(without_format(line), _PIECES)]
    assert list(query_terms(text)) == slow


@given(texts)
def test_a_body_is_cut_as_a_question_is(text):
    assert atom_terms([], text).body == query_terms(text)


@given(texts)
def test_located_words_are_the_words_in_order_and_within_the_text(text):
    found = located_words(text)
    assert [word.text for word in found] == normal_words(text)
    assert all(0 <= word.start < word.end <= len(text) for word in found)
    assert all(a.start <= b.start for a, b in pairwise(found))
