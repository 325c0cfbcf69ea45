"""Scores stay within their bounds, and nothing but the texts decides the order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witmark.kernel.retrieve.index import Index
from witmark.kernel.retrieve.tokens import tokens

texts = st.text(st.sampled_from("ab AB-12.孔深壁 ,"), max_size=20)
shelves = st.dictionaries(st.text("xyz", min_size=1, max_size=2), texts, max_size=6)


@pytest.mark.clause("KER-RET-03")
@given(shelves, texts)
def test_a_score_lies_between_nothing_and_one_and_orders_the_hits(shelf, query):
    hits = Index(shelf).find(query)
    assert all(0.0 < hit.score <= 1.0 + 1e-9 for hit in hits)
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.doc_id))


@pytest.mark.clause("KER-RET-03")
@given(shelves, texts)
def test_exactly_the_texts_that_share_a_token_are_found(shelf, query):
    asked = set(tokens(query))
    sharing = {doc_id for doc_id, text in shelf.items() if asked & set(tokens(text))}
    assert {hit.doc_id for hit in Index(shelf).find(query)} == sharing


@pytest.mark.clause("KER-RET-01")
@given(texts)
def test_case_and_width_do_not_matter_and_tokens_are_their_own_tokens(text):
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    assert tokens(wide) == tokens(text)
    assert list(tokens(text)) == sorted(tokens(text))
