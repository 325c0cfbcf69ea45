"""Short texts in Chinese and English are found, in one order, for reasons that are named."""

import pytest

from witmark.kernel.retrieve.index import Index
from witmark.kernel.retrieve.rank import Hit, ranked
from witmark.kernel.retrieve.tokens import NGRAMS, VARIANTS, WORDS, tokens

TEXTS = {
    "depth": "孔深与直径之比过大，钻头会偏斜 Deep hole: depth to diameter ratio",
    "glass": "water glass binder",
    "wall": "壁厚过薄 thin wall",
    "edge": "孔到边缘的距离过小 hole too near the edge",
}


@pytest.fixture
def index():
    return Index(TEXTS)


def ids(hits):
    return [hit.doc_id for hit in hits]


@pytest.mark.clause("KER-RET-01")
def test_a_chinese_run_becomes_its_two_and_three_grams():
    assert tokens("孔深比") == dict.fromkeys(["孔深", "孔深比", "深比"], NGRAMS)
    assert tokens("孔") == {"孔": NGRAMS}


@pytest.mark.clause("KER-RET-01")
def test_words_and_numbers_are_lowercase_and_width_does_not_matter():
    assert tokens("Ｈｏｌｅ ５.５ mm") == tokens("hole 5.5 MM")
    assert tokens("hole, 5.5")["5.5"] == WORDS


@pytest.mark.clause("KER-RET-01")
def test_mixed_scripts_are_parted_where_they_meet():
    found = tokens("M6螺纹孔thread")
    assert {found[t] for t in ("m", "6", "thread")} == {WORDS}
    assert found["螺纹"] == NGRAMS
    assert "孔thread" not in found


@pytest.mark.clause("KER-RET-01")
def test_blanks_inside_chinese_do_not_part_it():
    assert tokens("壁 厚") == tokens("壁厚")


@pytest.mark.clause("KER-RET-01")
@pytest.mark.parametrize("text", ["", " ,;、。_-", "\n"])
def test_a_text_without_words_has_no_tokens(text):
    assert tokens(text) == {}


@pytest.mark.clause("KER-RET-02")
@pytest.mark.parametrize(
    "text", ["water glass", "Water-Glass", "water_glass", "waterGlass", "water/glass"]
)
def test_neighbours_that_could_be_one_word_are_also_one(text):
    assert tokens(text) == {"glass": WORDS, "water": WORDS, "waterglass": VARIANTS}


@pytest.mark.clause("KER-RET-02")
def test_a_word_that_is_written_stays_a_word():
    assert tokens("waterglass is water glass")["waterglass"] == WORDS


@pytest.mark.clause("KER-RET-02")
@pytest.mark.parametrize("text", ["water, glass", "water. Glass", "water (glass"])
def test_a_mark_between_two_words_keeps_them_apart(text):
    assert "waterglass" not in tokens(text)


@pytest.mark.clause("KER-RET-02")
@pytest.mark.parametrize("query", ["waterglass", "water-glass", "WATER GLASS"])
def test_a_word_is_found_however_it_is_joined(index, query):
    assert ids(index.find(query))[0] == "glass"
    assert ids(Index({"one": "waterglass", "two": "wine"}).find("water glass")) == ["one"]


@pytest.mark.clause("KER-RET-03")
@pytest.mark.parametrize(
    ("query", "best"),
    [("孔的深度与直径", "depth"), ("薄壁厚度", "wall"), ("too near an edge", "edge"),
     ("边缘距离", "edge"), ("ratio of depth", "depth")],
)  # fmt: skip
def test_the_text_that_shares_the_rarer_tokens_comes_first(index, query, best):
    assert ids(index.find(query))[0] == best


@pytest.mark.clause("KER-RET-03")
def test_a_text_finds_itself_with_the_score_one(index):
    for doc_id, text in TEXTS.items():
        hit = index.find(text)[0]
        assert hit.doc_id == doc_id
        assert hit.score == pytest.approx(1.0)


@pytest.mark.clause("KER-RET-03")
def test_the_order_does_not_depend_on_the_order_of_indexing():
    again = Index(dict(reversed(TEXTS.items())))
    assert again.find("孔 hole wall") == Index(TEXTS).find("孔 hole wall")


@pytest.mark.clause("KER-RET-03")
def test_equal_texts_are_ordered_by_id_and_cut_at_the_limit():
    index = Index({"b": "hole", "a": "hole", "c": "hole"})
    assert ids(index.find("hole")) == ["a", "b", "c"]
    assert ids(index.find("hole", limit=2)) == ["a", "b"]


@pytest.mark.clause("KER-RET-03")
@pytest.mark.parametrize("query", ["", "zebra", "、"])
def test_what_shares_no_token_is_not_found(index, query):
    assert index.find(query) == []
    assert Index({}).find("hole") == []


@pytest.mark.clause("KER-RET-04")
def test_a_hit_says_which_kinds_of_token_it_shares(index):
    [hit] = [hit for hit in index.find("边缘 near water glass") if hit.doc_id == "edge"]
    assert set(hit.features) == {WORDS, NGRAMS}
    [hit] = index.find("water glass")
    assert set(hit.features) == {WORDS, VARIANTS}
    assert hit.score == pytest.approx(sum(hit.features.values()))


@pytest.mark.clause("KER-RET-04")
def test_a_desk_adds_its_own_features_and_they_may_change_the_order():
    first, second = Hit("a", {WORDS: 0.5}), Hit("b", {WORDS: 0.25})
    assert ids(ranked([second, first])) == ["a", "b"]
    assert ids(ranked([first, second.plus(view=0.5)])) == ["b", "a"]


@pytest.mark.clause("KER-RET-04")
def test_a_feature_is_given_once():
    with pytest.raises(AssertionError, match="words"):
        Hit("a", {WORDS: 0.5}).plus(words=0.5)


@pytest.mark.clause("KER-RET-03")
def test_the_order_of_features_cannot_change_a_score():
    values = {"a": 1e16, "b": -1e16, "c": 1.0}
    assert Hit("x", values).score == Hit("x", dict(reversed(values.items()))).score
