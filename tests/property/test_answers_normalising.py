"""Whatever stands in a note, the common spelling knows where each of its characters was."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from witmark.answers.folding import folded_in_place, simplified
from witmark.answers.normalising import normal_text, normalise

awkward = st.sampled_from([
    *"aZ9_-/ \t\r\n.？，ＡｚＺ９ﬁ½ßİſΐŉ①㎏ﾞｶｶﾞ가각ᄀ\u1161\u11a8",
    *"é̂\u0301\u0316\u0345\u0f71\u093c\u200b\u200d\u00ad\ufeff\ufe0f\u2060\u2011",
    *"什麼麽裡乾後😀🇨👩‍", "\r\n", "WaterGlass", "utf8", "e\u0301", "ά\u0345",
    "\U0001f469\u200d\U0001f52c",
])  # fmt: skip
texts = st.one_of(
    st.text(max_size=40),
    st.lists(awkward, max_size=20).map("".join),
)


@settings(max_examples=400)
@given(texts)
@example("ß5")
@example("ｶ\u200bﾞ")
@example("e\u200b\u0301")
def test_the_traced_text_is_the_fast_one(text):
    assert normalise(text).text == normal_text(text)


@settings(max_examples=200)
@given(texts.filter(lambda text: "\u0345" not in text))
def test_spelling_twice_is_spelling_once(text):
    """But for the iota subscript, a mark that becomes a letter when it becomes small."""
    once = normal_text(text)
    assert normal_text(once) == once


@given(texts)
@example("０\u1161")
@example("__ﾞ")
@pytest.mark.clause("ANS-NAME-01")
def test_places_lie_in_the_source_and_never_go_back(text):
    made = normalise(text)
    assert len(made.origin) == len(made.text)
    assert all(0 <= start <= end <= len(text) for start, end in made.origin)
    for before, after in pairwise(made.origin):
        assert before[0] <= after[0]
        assert before[1] <= after[1]


@settings(max_examples=200)
@given(texts, st.data())
def test_a_range_comes_from_a_source_that_spells_it(text, data):
    """What we would mark in the source holds all that was found, in the same spelling."""
    made = normalise(text)
    start = data.draw(st.integers(0, len(made.text)))
    end = data.draw(st.integers(start, len(made.text)))
    found = made.source_range(start, end)
    if found is not None:
        cut = normal_text(text[found.start : found.end])
        assert _letters(made.text[start:end]) in _letters(cut)


@given(texts)
def test_folding_in_place_keeps_every_offset(text):
    assert len(folded_in_place(text)) == len(simplified(text)) == len(text)


def _letters(text):
    return "".join(text.split())
