"""The numbers of tokens say what the tokens say, whatever is written and however it is cut."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.adapters.markdown import ComrakParser
from witmark.adapters.sqlite import SqliteLibrary
from witmark.adapters.sqlite.words import postings_of
from witmark.answers import counting, reading
from witmark.answers.counting import Vocabulary
from witmark.answers.ingesting import ingest
from witmark.answers.normalising import normal_text
from witmark.answers.ports import AtomTerms
from witmark.answers.terms import _PIECES, normal_words, query_terms, title_terms
from witmark.testing.vaults import MemoryVault

awkward = st.sampled_from([
    *"aZ9_-/ \t\r\n.？，ＡｚＺ９ﬁ½ßİſΐŉ①㎏ﾞｶ가각ᄀ\u1161é\u0301\u200b\u00ad\ufe0f#+",
    *("C++", "c#", "the", "a+++", "x#++", "mp3", "WaterGlass", "utf8", "\x1c", "\x85", "ǅ"),
    *"什麼麽裡乾😀हिดำ", "第3章", "\u2b50\ufe0f", "x" * 70,
])  # fmt: skip
texts = st.one_of(st.text(max_size=40), st.lists(awkward, max_size=20).map("".join))


@settings(max_examples=300)
@given(st.lists(texts, max_size=6), st.integers(1, 60))
def test_a_text_is_counted_as_it_is_spelled(some, at_once):
    vocabulary = Vocabulary()
    old, counting._AT_ONCE = counting._AT_ONCE, at_once
    try:
        found = vocabulary.read(some)
    finally:
        counting._AT_ONCE = old
    assert list(map(tuple, found)) == list(map(query_terms, some))
    for tokens in found:
        assert len(tokens) == len(tokens.codes)
        assert Counter(vocabulary.spelled(tokens.codes)) == Counter(tokens)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_an_index_of_numbers_is_the_index_of_the_words(some):
    titles = [title_terms([title]) for title, _ in some]
    bodies = Vocabulary().read([body for _, body in some])
    counted = postings_of(list(map(AtomTerms, titles, bodies)))
    spelled = postings_of(list(map(AtomTerms, titles, map(tuple, bodies))))
    for name in ("keys", "ends", "slots", "title", "body"):
        assert np.array_equal(getattr(counted, name), getattr(spelled, name))


@settings(max_examples=300)
@given(texts)
def test_a_name_is_cut_into_the_words_of_its_common_spelling(text):
    assert normal_words(text) == _PIECES.findall(normal_text(text))


NOTES = {
    "a.md": "# Water Glass\n\nLinkedHashMap and 水杯, not Go.\n\n## C++\n\nWater-glass, C++.",
    "b.md": "---\naliases: [LinkedHashMap, Go]\n---\n# 玻璃水杯\n\n玻璃水杯 (waterglass) [[a]]",
    "c/水杯.md": "水杯是 Water Glass。\n\nⒼo ｆｕｌｌ width, go Go\n\n- e\u0301te\u0301 a#b",
    "d.md": "# Go\n\nLinked Hash Map; GO; mp3 utf8_mb4. Water\u200bGlass",
}


@pytest.mark.parametrize("known", [(), ("b.md", "d.md")])
def test_notes_read_by_number_make_the_library_that_notes_read_by_letter_make(
    tmp_path, monkeypatch, known
):
    """Into an empty library, and into one that knows names already."""

    def rows(enough, name):
        monkeypatch.setattr(reading, "ENOUGH", enough)
        library = SqliteLibrary(tmp_path / name)
        for paths in (known, NOTES):
            if paths:
                vault = MemoryVault({path: NOTES[path].encode() for path in paths})
                ingest(vault, ComrakParser(), library)
        db = library._db
        tables = [t for (t,) in db.execute("SELECT name FROM sqlite_schema WHERE sql NOT NULL")]
        kept = {t: list(db.execute(f"SELECT * FROM [{t}]")) for t in tables if "_of_" not in t}  # noqa: S608 - our own tables
        library.close()
        return kept

    by_number, by_letter = rows(0, "number.sqlite3"), rows(1 << 60, "letter.sqlite3")
    assert by_number == by_letter
    assert len(by_number["relation"]) == len(NOTES)
