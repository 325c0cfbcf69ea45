"""Notes are found by their names, however these are spelled, and by no look-alike."""

from collections import defaultdict

import pytest

from witmark.answers.aliases import alias_entries, entries_of, find_names, surfaces
from witmark.answers.asking import AliasRule
from witmark.answers.atoms import Document, DocumentId


class Shelf:
    """A few notes with their names; knows the words in ``written`` from their texts."""

    def __init__(self, names, written=()):
        self.keys = defaultdict(list)
        self.written = set(written)
        for path, given in names.items():
            stem = path.rpartition("/")[2].removesuffix(".md")
            for entry in entries_of(surfaces(path, given[0], stem, given[1:])):
                self.keys[entry.key].append((DocumentId(path), entry))

    def aliases(self, keys):
        return {key: self.keys[key] for key in keys if key in self.keys}

    def latin_keys(self, shortest, longest, *, initial=""):
        keys = (k for k in self.keys if k.isascii() and k.startswith(initial))
        return sorted(k for k in keys if shortest <= len(k) <= longest)

    def frequencies(self, tokens):
        return {token: int(token in self.written) for token in tokens}


SHELF = Shelf({
    "kitchen/tea pot.md": ["茶壶", "tea pot", "紫砂壶"],
    "kitchen/coffee mill.md": ["Coffee mill", "咖啡磨"],
    "astro/neutron star.md": ["中子星（Neutron Star）"],
    "astro/black hole.md": ["黑洞"],
    "astro/white dwarf.md": ["White dwarf", "白矮星"],
    "ops/postgresql.md": ["PostgreSQL"],
    "ops/continuous delivery.md": ["Continuous Delivery Pipeline"],
    "ops/internationalization.md": ["Internationalization"],
    "lang/java.md": ["Java"],
    "tree.md": ["树"],
    "the.md": ["The"],
    "how.md": ["如何"],
})  # fmt: skip


def names(question, shelf=SHELF):
    return [(hit.document_id, hit.rule.value) for hit in find_names(question, shelf)]


@pytest.mark.parametrize("question", [
    "什么是teapot?", "什么是 tea pot", "tea-pot 是什么", "teaPot", "tea_pot 怎么用",
    "什么是ＴｅａＰｏｔ？",
    "什么是tea\u200bpot", "TEA\u2011POT", "茶壺是什麼", "什么是茶\u200d壶？", "紫砂壺",
    "what is a tea\tpot?",
])  # fmt: skip
@pytest.mark.clause("ANS-NAME-02")
def test_a_name_is_found_in_every_spelling(question):
    assert names(question) == [("kitchen/tea pot.md", "exact")]


@pytest.mark.parametrize(("question", "path", "rule"), [
    ("what are white dwarfs", "astro/white dwarf.md", "stemmed"),
    ("coffee mills", "kitchen/coffee mill.md", "stemmed"),
    ("宇宙里的中子星有多重", "astro/neutron star.md", "han_substring"),
    ("zhongzixing 是什么", "astro/neutron star.md", "pinyin"),
    ("zhong zi xing", "astro/neutron star.md", "pinyin"),
    ("heidong", "astro/black hole.md", "pinyin"),
    ("中子xing是什么", "astro/neutron star.md", "pinyin"),
    ("what is i18n", "ops/internationalization.md", "numeronym"),
    ("what does CDP stand for", "ops/continuous delivery.md", "initials"),
    ("什么是postgresq", "ops/postgresql.md", "typo"),
    ("nuetron star 是什么", "astro/neutron star.md", "typo"),
])  # fmt: skip
@pytest.mark.clause("ANS-NAME-02")
def test_a_name_is_found_by_its_rule(question, path, rule):
    assert names(question)[:1] == [(path, rule)]


@pytest.mark.parametrize("question", [
    "what is a teapoy stand",  # a small table
    "what is coffee", "mill", "star", "JavaScript 是什么", "javascripts", "the", "如何",
    "The who",
    "如何泡茶", "what is the meaning of life", "树木的年轮", "黑暗与空洞", "i19n",
    "hoist the flag", "cdp",
    "what is a neutral star", "white house",
])  # fmt: skip
@pytest.mark.clause("ANS-NAME-03")
def test_a_look_alike_is_not_named_with_certainty(question):
    assert all(hit.strength < 0.5 for hit in find_names(question, SHELF))


def test_a_hit_says_where_in_the_question_it_stands():
    question = "　请问😀：什麼是tea\u200b-Pot？\r\n"
    (hit,) = find_names(question, SHELF)
    assert question[hit.start : hit.end] == "tea\u200b-Pot"


def test_the_longer_name_counts_and_not_the_one_inside_it():
    shelf = Shelf({"a.md": ["网格"], "b.md": ["服务网格"], "c.md": ["服务"]})
    assert names("服务网格是什么", shelf) == [("b.md", "exact")]
    assert names("服务与网格", shelf) == [("c.md", "han_substring"), ("a.md", "han_substring")]


def test_two_notes_of_one_name_are_both_found_and_the_file_of_that_name_first():
    shelf = Shelf({"a/notes.md": ["Hashing"], "b/hashing.md": ["Hashing"]})
    assert names("what is hashing", shelf) == [
        ("b/hashing.md", "exact"),
        ("a/notes.md", "exact"),
    ]


def test_both_sides_of_a_comparison_are_named_even_if_one_is_mistyped():
    found = names("compare neutorn star and black holes; 白矮星呢")
    assert ("astro/white dwarf.md", "exact") in found
    sides = names("compare postgresq and coffee mill")
    assert sides == [("kitchen/coffee mill.md", "exact"), ("ops/postgresql.md", "typo")]


def test_a_word_that_the_notes_use_is_no_typing_error():
    assert names("what is a postgresq", SHELF) == [("ops/postgresql.md", "typo")]
    assert names("what is a postgresq", Shelf({"p.md": ["PostgreSQL"]}, {"postgresq"})) == []


def test_a_typing_error_changes_no_digit_and_no_initial():
    shelf = Shelf({"a.md": ["windows10"], "b.md": ["container"]})
    assert names("windows11", shelf) == []
    assert names("rontainer", shelf) == []


def test_a_rule_can_be_switched_off():
    without = frozenset(AliasRule) - {AliasRule.PINYIN}
    assert find_names("heidong", SHELF, rules=without) == ()


def test_a_short_pinyin_word_in_an_english_sentence_is_an_english_word():
    shelf = Shelf({"m.md": ["嫦娥"]})
    assert names("change", shelf) == [("m.md", "pinyin")]
    assert names("change 是谁", shelf) == [("m.md", "pinyin")]
    assert names("how to change a tyre", shelf) == []


def test_a_readme_bears_the_name_of_its_folder():
    assert surfaces("ops/redis/README.md", "缓存", "README", ()) == ("缓存", "redis")
    assert surfaces("ops/redis/_index.zh-cn.md", "缓存", "_index.zh-cn", ()) == (
        "缓存",
        "redis",
    )
    assert surfaces("README.md", "Welcome", "README", ()) == ("Welcome",)


def test_a_title_in_brackets_gives_three_names():
    assert surfaces("x.md", "双向认证（mTLS）", "x", ("x",)) == (
        "双向认证（mTLS）",
        "双向认证",
        "mTLS",
        "x",
    )


def test_entries_are_sorted_and_a_key_has_each_rule_once():
    document = Document(
        DocumentId("a/Infrastructure as Code.md"), "基础设施即代码", "Infrastructure as Code",
        ("IaC", "iac"), "a", "zh", "", "", "", "", "", (),
    )  # fmt: skip
    entries = alias_entries(document)
    assert list(entries) == sorted(entries, key=lambda e: (e.key, e.rule))
    assert len({(e.key, e.rule) for e in entries}) == len(entries)
    assert ("iac", "exact") in {(e.key, e.rule) for e in entries}
    assert ("jichusheshijidaima", "pinyin") in {(e.key, e.rule) for e in entries}


def test_a_question_of_any_length_is_read_in_bounded_time():
    assert find_names("茶壶和" * 5000, SHELF)[0].document_id == "kitchen/tea pot.md"
    assert find_names("", SHELF) == find_names("？？", SHELF) == ()
