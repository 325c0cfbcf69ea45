"""Comparisons tell both sides, from notes or from sections; time limits as they stand."""

import pytest
from whole_desk import asked, cited

GIT = {
    "git.md": "# Version control\n\nIt keeps versions.\n\n"
    "## Rebase\n\nRebase moves commits to a new base.\n\n"
    "## Merge\n\nMerge joins two histories.\n"
}


def text(notes, question):
    return asked(notes, question).public.text


def test_two_sections_of_one_note_are_compared():
    said = text(GIT, "difference between rebase and merge")

    assert said == "Rebase moves commits to a new base. Merge joins two histories."


def test_a_section_about_the_difference_is_told():
    notes = {
        "锁.md": "# 锁\n\n锁是同步的工具。\n\n"
        "## 甲锁\n\n甲锁很早就有。\n\n## 乙锁\n\n乙锁后来才有。\n\n"
        "## 甲锁和乙锁的区别\n\n甲锁总是先占住资源，乙锁到提交时才检查。\n"
    }

    assert text(notes, "甲锁和乙锁的区别") == "甲锁总是先占住资源，乙锁到提交时才检查。"


def test_the_side_that_is_missing_is_named():
    notes = {"tea.md": "# Tea\n\nTea is a drink made from leaves.\n"}

    assert text(notes, "compare tea and cocoa") == (
        "Tea is a drink made from leaves. The notes do not tell of cocoa."
    )


def test_neither_side_is_no_answer():
    notes = {"tea.md": "# Tea\n\nTea is a drink made from leaves.\n"}

    assert not asked(notes, "compare milk and cocoa").public.answered


def test_three_sides_are_told():
    notes = {
        f"{name}.md": f"# {name.title()}\n\nA {name} is a fruit of kind {n}.\n"
        for n, name in enumerate(("plum", "fig", "lime"))
    }

    said = text(notes, "plum vs fig vs lime")

    assert all(name in said for name in ("A plum", "A fig", "A lime"))


@pytest.mark.parametrize(
    ("notes", "question"),
    [
        (
            {
                "a.md": "# Plum\n\nA plum is a fruit.\n",
                "b.md": "# Fig\n\nA fig is a fruit.\n",
                "c.md": "# Market\n\nBuy [[Plum]] and [[Fig]].\n",
            },
            "compare plum and fig",
        ),
        (
            {
                "a.md": "# 李子\n\n李子是水果。\n", "b.md": "# 柿子\n\n柿子是水果。\n",
                "c.md": "# 集市\n\n去买[[李子]]和[[柿子]]。\n",
            },
            "李子和柿子的区别",
        ),
    ],
)  # fmt: skip
def test_a_note_that_mentions_both_is_no_origin(notes, question):
    said = text(notes, question)

    assert "go back to" not in said
    assert "追溯" not in said


def test_a_real_common_origin_is_told():
    notes = {
        "a.md": "---\nrequires: [[Soil]]\n---\n# Plum\n\nA plum is a fruit.\n",
        "b.md": "---\nrequires: [[Soil]]\n---\n# Fig\n\nA fig is a fruit.\n",
        "c.md": "# Soil\n\nSoil is ground.\n",
    }

    assert "Both Plum and Fig go back to Soil." in text(notes, "compare plum and fig")


def test_of_two_sides_the_one_to_know_first_is_told():
    notes = {
        "a.md": "---\nprerequisites: [Key]\n---\n# Badge\n\nA badge is a key that one wears.\n",
        "b.md": "# Key\n\nA key is a piece that opens a lock.\n",
    }

    assert "To follow Badge, know Key first." in text(notes, "compare badge and key")


# What a thing is, and in which script ----------------------------------------------------


@pytest.mark.parametrize(
    ("notes", "question", "said"),
    [
        (
            {"p.md": "# Polar\n\n## Definition\n\nA frame library for data.\n\n"
                "## Polar vs X\n\n"
             "Polar is fast; X is slow.\n"},
            "what is Polar", "A frame library for data.",
        ),
        (
            {"盒.md": "# 纸盒法\n\n## 定义\n\n用纸盒收集想法的工具。\n\n"
                "## 好处\n\n纸盒法使工作简单。\n"},
            "什么是纸盒法", "用纸盒收集想法的工具。",
        ),
        (
            {"m.md": "---\ntitle: Mutual Lock (mLock)\n---\n"
                "Mutual L (mLock) is a way to lock.\n\n"
             "## How it helps\n\nmLock ensures that traffic is safe.\n"},
            "what is mLock", "Mutual L (mLock) is a way to lock.",
        ),
        (
            {"lca.md": "# lca\n\n最近共祖简称 LCA。\n\n## 求法\n\n向上跳即得最近共祖。\n"},
            "什么是最近共祖", "最近共祖简称 LCA。",
        ),
    ],
)  # fmt: skip
def test_a_definition_wins_over_what_else_is_said(notes, question, said):
    assert text(notes, question) == said


def test_the_note_in_the_script_of_the_question_answers():
    notes = {
        "a/滚动.md": "---\ntitle: 滚动换代\n---\n滚动换代是一种简体的策略。\n",
        "b/滾動.md": "---\ntitle: 滾動換代\n---\n滾動換代是一種正體的策略。\n",
    }

    assert "正體" in text(notes, "什麼是滾動換代")
    assert "简体" in text(notes, "什么是滚动换代")


def test_a_comparison_is_told_in_the_language_of_the_question():
    notes = {
        f"content/{tag}/{stem}.md": f"---\ntitle: {name}\n---\n{body}\n"
        for tag, stem, name, body in (
            ("bn", "one-way", "এক (One Way)", "এক (One Way) একটি পথ।"),
            ("bn", "two-way", "দুই (Two Way)", "দুই (Two Way) একটি পথ।"),
            ("en", "one-way", "One Way (OW)", "One way is a road in one direction."),
            ("en", "two-way", "Two Way (TW)", "Two way is a road in both directions."),
        )
    }

    said = text(notes, "one way vs two way")

    assert said == "One way is a road in one direction. Two way is a road in both directions."


# Time limits -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("front", "question", "said"),
    [
        ("title: Letter\nvalid_to: someday", "is the letter still valid?", "cannot be read"),
        ("title: Letter\nvalid_to: 2024-02-31", "is the letter still valid?", "cannot be read"),
        ("title: 信\n失效: 改天", "信还有效吗", "读不成日期"),
        ("title: 信\nvalid_from: 2027-01-01\nvalid_to: 2026-01-01", "信还有效吗", "读不成"),
    ],
)
def test_a_limit_that_cannot_be_read_is_told_with_its_line(front, question, said):
    notes = {"x.md": f"---\n{front}\n---\nThe letter (信) invites a guest.\n"}

    answer = asked(notes, question)

    assert said in answer.public.text
    assert front.splitlines()[-1] in cited(answer, said)


def test_a_limit_in_a_broken_front_matter_is_not_taken_for_none():
    notes = {
        "p.md": "---\nvalid_to: 2020-01-01\ntags: [a, ]\n"
        "owner: {x\n---\n# Permit\n\nA permit.\n"
    }

    assert "cannot be read" in text(notes, "is the permit still valid?")


def test_a_chinese_date_is_a_date():
    notes = {"c.md": "---\ntitle: 合同丙\nvalid_to: 2025年3月1日\n---\n合同丙是合同。\n"}

    assert text(notes, "合同丙还有效吗") == "合同丙已于 2025-03-01 失效。"


@pytest.mark.parametrize(
    ("body", "question", "said"),
    [
        ("# Old API\n\nThe old API is deprecated since March.\n", "is the old API still valid?",
         "The old API is deprecated since March."),
        ("# 合同戊\n\n合同戊是合同，已于2024年5月终止。\n", "合同戊还有效吗",
         "合同戊是合同，已于2024年5月终止。"),
    ],
)  # fmt: skip
def test_a_note_that_says_it_has_ended_is_quoted(body, question, said):
    assert text({"x.md": body}, question) == said


def test_no_limit_is_cited_at_the_note_s_own_heading():
    notes = {"a.md": "# Rule\n\nThe rule is that doors stay shut.\n"}

    answer = asked(notes, "is the rule still valid?")

    assert answer.public.text == "The notes set no time limit for Rule."
    assert cited(answer, "no time limit") == ["Rule"]
