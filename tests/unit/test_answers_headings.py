"""The heading that asks the question decides; the opposite one never answers."""

import pytest
from whole_desk import asked

from witmark.answers.asking import Intent
from witmark.answers.heading_words import words_of
from witmark.answers.headings import answers_other, fit, is_section_of
from witmark.answers.opposites import is_opposite

LAMP = {
    "lamp.md": "# Lamp\n\nA lamp is a source of light.\n\n"
    "## How to mount a lamp\n\n1. Drill a hole.\n2. Screw it on.\n\n"
    "> [!warning]\n> Cut the power first.\n\n"
    "## How to clean a lamp\n\nWipe it with a dry cloth.\n\n"
    "## Why a lamp is dim\n\nDust covers the glass.\n\n"
    "## Benefits\n\n- saves power\n- lasts long\n\n"
    "## Drawbacks\n\n1. costs more\n2. gets warm\n\n"
    "## Is it waterproof?\n\nNo. It must stay indoors.\n"
}
KETTLE = {
    "壶.md": "# 水壶\n\n水壶是烧水的器具。\n\n"
    "## 怎么开启保温\n\n长按右键三秒。\n\n"
    "## 水壶为什么烧水慢\n\n底部结了水垢。\n\n"
    "## 声音太响怎么办\n\n垫一块布。\n\n## 声音太尖怎么办\n\n换一个哨子。\n\n"
    "## 优点\n\n- 轻便\n- 便宜\n\n## 禁止事项\n\n- 禁止干烧\n- 禁止水洗\n"
}


def text(notes, question):
    return asked(notes, question).public.text


def is_answered(notes, question):
    return asked(notes, question).public.answered


# The matching section --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("notes", "question", "said"),
    [
        (LAMP, "how to clean a lamp", "Wipe it with a dry cloth."),
        (LAMP, "why is a lamp dim?", "Dust covers the glass."),
        (LAMP, "what are the benefits of a lamp?", "There are: saves power, lasts long."),
        (LAMP, "list the benefits of the lamp", "There are: saves power, lasts long."),
        (LAMP, "what are the drawbacks of lamps", "There are: costs more, gets warm."),
        (KETTLE, "声音太尖怎么办", "换一个哨子。"),
        (KETTLE, "水壶有哪些优点", "有：轻便、便宜。"),
        (KETTLE, "水壶的优点有哪些？", "有：轻便、便宜。"),
        (KETTLE, "水壶有哪些禁止事项", "有：禁止干烧、禁止水洗。"),
        (KETTLE, "水壶的优点", "有：轻便、便宜。"),
    ],
)
def test_the_section_whose_heading_asks_the_question_answers(notes, question, said):
    assert text(notes, question) == said


@pytest.mark.parametrize(
    ("notes", "question", "foreign"),
    [
        (LAMP, "how to unmount a lamp", "Drill"),
        (LAMP, "why is a lamp bright?", "Screw"),
        (KETTLE, "怎么关闭保温", "长按"),
        (KETTLE, "水壶为什么烧水快", "水垢"),
        (KETTLE, "水壶有哪些缺点", "轻便"),
    ],
)
def test_a_section_with_the_opposite_word_is_not_used(notes, question, foreign):
    assert foreign not in text(notes, question)


def test_a_yes_or_no_stays_with_what_follows_it():
    assert text(LAMP, "is the lamp waterproof?") == "No. It must stay indoors."


def test_a_warning_after_the_steps_is_told_before_them():
    said = text(LAMP, "how to mount a lamp")

    assert said == "Cut the power first. In order: Drill a hole, Screw it on."


def test_a_warning_of_another_section_is_not_told():
    assert "power first" not in text(LAMP, "how to clean a lamp")


def test_a_warning_under_plain_steps_is_told_though_it_names_nothing():
    notes = {
        "汤.md": "# 红汤\n\n红汤是一种汤。\n\n## 步骤\n\n1. 烧水。\n2. 放菜。\n\n"
        "> [!warning] 小心\n> 锅很烫。\n"
    }

    said = text(notes, "怎么做红汤")

    assert "锅很烫" in said
    assert "烧水" in said


def test_two_sections_answer_a_question_for_both():
    said = text(LAMP, "benefits and drawbacks of the lamp")

    assert "saves power" in said
    assert "costs more" in said


def test_a_list_under_a_line_with_a_colon_is_told():
    notes = {
        "flu.md": "# Flu\n\nFlu is an illness.\n\nSymptoms:\n\n- fever\n- chills\n",
        "cold.md": "# Cold\n\nA cold is an illness.\n\nSymptoms:\n\n- cough\n- sneezing\n",
    }

    assert text(notes, "what are the symptoms of flu?") == "Symptoms: fever, chills."


def test_lists_of_links_and_of_questions_are_no_answers():
    notes = {
        "tree.md": "# Tree\n\nA tree is a graph.\n\n## References\n\n"
        "- [Kinds of trees](http://a.example)\n- [More kinds](http://b.example)\n\n"
        "## Kinds\n\n- binary tree\n- heap\n\n## Interview\n\n- Which kinds?\n- Why kinds?\n"
    }

    assert text(notes, "list the kinds of tree") == "There are: binary tree, heap."


def test_a_heading_in_another_note_than_the_named_one_is_found():
    notes = {
        "cache.md": "# Cache questions\n\nHere are some.\n\n## What is a cold start?\n\n"
        "The cache is empty at first, so all requests reach the database.\n",
        "start.md": "# Start\n\nStart the engine when it is cold.\n",
    }

    assert "The cache is empty at first" in text(notes, "what is a cold start")


def test_a_stale_note_is_told_when_only_it_has_the_section():
    notes = {
        "old.md": "---\ntitle: 甲规\n失效: 2025-06-30\n---\n甲规是旧规。\n\n"
        "## 优点\n\n- 简单\n- 省时\n",
        "new.md": '---\ntitle: 乙规\n取代: "[[甲规]]"\n---\n乙规是新规。\n',
    }

    said = text(notes, "甲规有哪些优点")

    assert said.startswith("有：简单、省时。")
    assert "乙规" in said


# The words of headings -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("how to disable it", "How to enable it"),
        ("uninstall", "Install"),
        ("why fast", "Why slow"),
        ("如何关闭打印", "如何开启打印"),
        ("有哪些缺点", "优点"),
        ("为什么快", "为什么慢"),
    ],
)
def test_opposites(question, heading):
    assert is_opposite(question, heading)
    assert is_opposite(heading, question)


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("enable it", "How to enable it"),
        ("pros and cons", "Pros"),
        ("优点", "优点和缺点"),
        ("快捷键是什么", "慢跑"),
        ("how to print", "How to install"),
        ("import a bundle", "Ports"),
    ],
)
def test_what_is_no_opposite(question, heading):
    assert not is_opposite(question, heading)


def test_a_heading_that_holds_all_but_one_word_does_not_fit():
    path = ("Lamp", "How to mount a lamp")

    assert fit("how to mount a lamp", Intent.HOW_TO, path) is not None
    assert fit("how to mount a lamp outdoors", Intent.HOW_TO, path) is None


def test_the_name_of_the_note_alone_decides_no_section():
    assert fit("how to use the lamp", Intent.HOW_TO, ("Lamp", "Lamp sizes")) is None


def test_a_way_is_no_reason_and_a_reason_no_way():
    assert fit("why enable logging", Intent.WHY, ("App", "How to enable logging")) is None
    assert fit("how to log", Intent.HOW_TO, ("App", "Why we log")) is None


def test_a_heading_with_a_question_of_its_own_answers_another():
    path = ("苹果", "苹果为什么是红的")

    assert answers_other("为什么苹果是绿的", Intent.WHY, path)
    assert not answers_other("为什么苹果是红的", Intent.WHY, path)
    assert not answers_other("苹果为什么好吃", Intent.WHY, ("苹果", "为什么"))


def test_a_section_of_a_name():
    assert is_section_of(("Git", "Rebase"), "rebase")
    assert is_section_of(("锁", "什么是乐观锁？"), "乐观锁")
    assert not is_section_of(("Git", "Rebase and merge"), "rebase")
    assert not is_section_of(("Git",), "git")


def test_words_that_only_ask_are_left_out():
    assert words_of("为什么要怎么样").needed == frozenset()
    assert "store" in words_of("how should we store it").needed
