"""The index and a question are cut into the same tokens, whatever the spelling."""

import subprocess
import sys
from pathlib import Path

import pytest

from witmark.answers.folding import folded_in_place, script_table, simplified
from witmark.answers.normalising import (
    is_plain,
    normal_text,
    normalise,
    without_format,
    word_parts,
)
from witmark.answers.terms import (
    _PIECES,
    LONGEST,
    _terms_of,
    atom_terms,
    compact_key,
    joined_terms,
    located_words,
    query_terms,
    stemmed_key,
)

PROJECT = Path(__file__).parents[2]


@pytest.mark.parametrize("spelling", [
    "heat pumps", "Heat Pumps", "heat-pumps", "heat_pumps", "heat/pumps",
    "ｈｅａｔ　ｐｕｍｐｓ", "heat\u200bpumps",
    "heat\u2011pumps", "heat\r\npumps", "heat\tpumps", "heat\u00a0pumps",
])  # fmt: skip
def test_a_phrase_has_the_same_tokens_in_every_spelling(spelling):
    assert query_terms(spelling) == ("heat", "pump")


def test_a_word_with_a_border_inside_is_its_parts_and_the_whole():
    assert query_terms("HeatPump") == ("heat", "pump", "heatpump")
    assert query_terms("mp3 utf8") == ("mp", "mp3", "utf", "utf8")
    assert query_terms("IaC") == ("ia", "iac")
    assert word_parts("HTTPServer2") == ["HTTP", "Server", "2"]


def test_a_soft_hyphen_is_nothing_and_a_zero_width_space_parts_latin_words_only():
    assert query_terms("pho\u00adto") == ("photo",)
    assert query_terms("heat\u200bpump") == ("heat", "pump")
    assert query_terms("热\u200b泵") == ("热泵",)
    assert normal_text("heat\u200bpump 热\u200b泵") == "heat pump 热泵"


def test_han_becomes_pairs_and_a_lone_character_stays():
    assert query_terms("服務網格") == ("服务", "务网", "网格")
    assert query_terms("树 and 图") == ("树", "图")
    assert query_terms("用C语言") == ("用", "c", "语言")


def test_other_scripts_without_blanks_become_pairs_too():
    assert query_terms("データ") == query_terms("ﾃﾞｰﾀ") == ("デー", "ータ")
    assert query_terms("물잔") == ("물잔",)


def test_marks_belong_to_their_word():
    assert query_terms("हिन्दी") == ("हिन्दी",)
    assert query_terms("cafe\u0301") == query_terms("café") == ("café",)


def test_symbols_tell_languages_apart():
    assert len({query_terms(name) for name in ("C", "C++", "C#")}) == 3
    assert len({compact_key(name) for name in ("C", "C++", "C#", "F#")}) == 4
    assert query_terms("# Heading #1") == ("head", "1")


def test_function_words_are_no_tokens_but_join_a_title():
    assert query_terms("the state of the art") == ("state", "art")
    title = atom_terms(["Policy as Code"], "").title
    assert "policyascod" in title
    assert "policyascode" not in title  # stemmed like the question's word
    assert set(query_terms("policyascode")) <= set(title)


def test_every_title_surface_is_indexed_and_joined():
    made = atom_terms(["水杯", "water glass"], "Glass holds water.")
    assert made.title == ("水杯", "water", "glass", "waterglass")
    assert made.body == ("glass", "hold", "water")


def test_joined_terms_do_not_cross_han():
    assert joined_terms("red black 树 tree") == ["redblack"]


def test_a_word_of_any_length_is_cut_alike_in_index_and_question():
    word = "ab" * 5000
    assert query_terms(word) == atom_terms([], word).body
    assert all(len(term) <= LONGEST for term in query_terms(word))


def test_keys_are_equal_where_only_spelling_differs():
    assert compact_key("Heat-Pumps") == compact_key("heatPumps") == "heatpumps"
    assert stemmed_key("heat pumps") == "heatpump"
    assert compact_key("!?…") == ""


def test_located_words_stand_where_they_stood():
    text = "\ufeff😀 WaterGlass\r\n服\u200b務ﬁne"
    found = [(word.text, text[word.start : word.end]) for word in located_words(text)]
    assert found == [
        ("water", "Water"), ("glass", "Glass"), ("服务", "服\u200b務"), ("fine", "ﬁne"),
    ]  # fmt: skip


def test_a_source_range_covers_what_a_normal_range_was_made_of():
    made = normalise("½ cup, e\u0301clair")
    start = made.text.index("é")
    place = made.source_range(start, start + 1)
    assert (place.start, place.end) == (7, 9)
    assert made.normal_range(7, 9) == (start, start + 1)
    assert made.source_range(3, 3) is None


def test_every_character_taken_for_plain_makes_the_same_words_without_nfkc():
    for point in range(0x20000):
        character = chr(point)
        if 0xD800 <= point < 0xE000 or not is_plain(character):
            continue
        text = f"ab{character}cd {character}"
        assert query_terms(text) == _slowly(text), hex(point)


def _slowly(text):
    return tuple(_terms_of(without_format(text), _PIECES))


def test_the_script_table_folds_once_and_keeps_lengths():
    table = script_table()
    assert len(table) > 3000
    assert not set(map(ord, table.values())) & set(table)
    assert simplified("紅黑樹與線段樹") == folded_in_place("紅黑樹與線段樹") == "红黑树与线段树"


def test_long_texts_fold_as_short_ones_do():
    text = "什麼是𠁞服務網格😀ａ" * 100
    assert simplified(text) == simplified(text[:10]) * 100


def test_the_table_on_disk_is_the_one_that_opencc_gives():
    pytest.importorskip("opencc")
    tool = PROJECT / "tools" / "make_script_table.py"
    ran = subprocess.run(
        [sys.executable, str(tool), "--check"], capture_output=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
