"""A note answers to its title as a reader would say it, and to what it defines."""

from collections import defaultdict

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.answers.aliases import alias_entries, find_names
from witmark.answers.bynames import defined, shortened
from witmark.answers.carving import carve


def note(path, text):
    return carve(path, text.encode(), ComrakParser().parse(text)).document


class Shelf:
    def __init__(self, *documents):
        self.keys = defaultdict(list)
        for document in documents:
            for entry in alias_entries(document):
                self.keys[entry.key].append((document.id, entry))

    def aliases(self, keys):
        return {key: self.keys[key] for key in keys if key in self.keys}

    def latin_keys(self, shortest, longest, *, initial=""):
        keys = (k for k in self.keys if k.isascii() and k.startswith(initial))
        return sorted(k for k in keys if shortest <= len(k) <= longest)

    def frequencies(self, tokens):
        return dict.fromkeys(tokens, 0)


def names(question, *documents):
    found = find_names(question, Shelf(*documents))
    return [(hit.document_id, hit.rule.value) for hit in found]


@pytest.mark.parametrize(("title", "short"), [
    ("茶壶详解：形制、泥料与保养", "茶壶"),
    ("咖啡磨（手动）常见问题总结", "咖啡磨"),
    ("Tea Pots: a history", "Tea Pots"),
    ("An Introduction to Tea Pots", "Tea Pots"),
    ("什么是茶海？和公道杯有什么区别", "茶海"),
    ("第3章 泡茶", "泡茶"),
    ("2.1 Brewing", "Brewing"),
    ("公道杯 - Fairness Cup", "Fairness Cup"),
    ("一文读懂盖碗", "盖碗"),
])  # fmt: skip
def test_a_title_is_shortened_as_a_reader_would_say_it(title, short):
    assert short in shortened(note("x.md", f"# {title}\n"))


@pytest.mark.parametrize("path", ["ch04-03-brewing.md", "03 brewing.md", "brewing-intro.md"])
def test_a_file_name_is_shortened_too(path):
    assert "brewing" in shortened(note(path, "Hot water.\n"))


@pytest.mark.parametrize("path", ["ch04-what-is-brewing.md", "ch04-01.md"])
def test_a_note_that_asks_what_a_thing_is_bears_the_name_of_the_thing(path):
    assert "brewing" in map(str.lower, shortened(note(path, "## What Is Brewing?\n\nHeat.\n")))


def test_a_heading_under_other_words_is_no_name_of_the_note():
    assert "Steps" not in shortened(note("brewing.md", "Hot water.\n\n## Steps\n\nPour.\n"))


@pytest.mark.parametrize("path", ["2023-08-13.md", "5W2H.md", "README.md", "3.md", "42-1.md"])
def test_a_number_alone_is_no_name_and_neither_is_a_readme(path):
    assert set(shortened(note(path, "Hot water.\n"))) <= {path.removesuffix(".md")} - {"README"}


def test_an_untitled_note_is_called_what_it_defines():
    text = "author: Wang, Li\n\n盖碗（英文：Gaiwan，Lidded bowl）是一种上有盖的茶具．\n"
    assert defined(note("tea/gw.md", text)) == ("盖碗", "Gaiwan", "Lidded bowl")


@pytest.mark.parametrize("text", [
    "# 茶具\n\n盖碗是一种茶具。\n",  # it has a title of its own
    "这是一种茶具。\n", "如果盖碗是热的，就等一等。\n", "盖碗不是一种茶壶。\n",
    "倒茶。\n\n烫杯。\n\n盖碗是一种茶具。\n",  # too late to be its subject
])  # fmt: skip
def test_nothing_else_is_a_definition(text):
    assert defined(note("gw.md", text)) == ()


def test_what_a_note_defines_is_found_in_han_and_in_pinyin():
    gaiwan = note("tea/gw.md", "三才盖碗是一种茶具。\n")
    assert names("三才盖碗是什么", gaiwan) == [("tea/gw.md", "defined")]
    assert names("sancaigaiwan", gaiwan) == [("tea/gw.md", "pinyin")]


def test_who_really_bears_a_name_comes_alone():
    called = note("a.md", "# 茶壶\n")
    about = note("b.md", "# 茶壶详解：形制\n")
    assert names("什么是茶壶", called, about) == [("a.md", "exact")]
    assert names("什么是茶壶", about) == [("b.md", "shortened")]


def test_a_short_byname_inside_a_longer_word_is_nobody():
    about = note("b.md", "# 茶壶详解：形制\n")
    assert names("紫茶壶嘴", about) == []


def test_no_link_and_no_mention_uses_a_byname():
    rules = {entry.rule for entry in alias_entries(note("b.md", "# 茶壶详解：形制\n"))
             if entry.key == "茶壶"}  # fmt: skip
    assert rules == {"shortened"}


def test_a_note_of_a_name_comes_before_the_overview_of_a_folder_of_that_name():
    overview = note("brewing/README.md", "# All about tea\n")
    itself = note("brewing/brewing.md", "# Hot water on leaves\n")
    assert names("what is brewing", overview, itself) == [
        ("brewing/brewing.md", "exact"),
        ("brewing/README.md", "exact"),
    ]


def test_a_mistyped_name_is_preferred_to_a_shorter_one_inside_it():
    smart = note("smart.md", "# SMART\n")
    pointers = note("p.md", "# Smart pointers\n")
    assert names("smart ponters 是什么", smart, pointers) == [("p.md", "typo")]
    assert names("smart people 是什么", smart, pointers) == [("smart.md", "exact")]
