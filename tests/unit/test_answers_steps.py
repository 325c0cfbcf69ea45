"""What is told as steps is a procedure, whole and in the answer's language (ANS-PUB-11)."""

import pytest
from whole_desk import asked

from witmark.answers.expecting import repeats_steps

pytestmark = pytest.mark.clause("ANS-PUB-11")

HAN_NOTES = {
    "lca.md": "# 最近公共祖先\n\n最近公共祖先是两个节点共有的最深祖先。\n\n## 性质\n\n"
    "1. 最近公共祖先唯一存在。\n2. 最近公共祖先深度最大。\n"
}
NOTES = {
    "sort.md": "# Merge sort\n\nMerge sort is a way to sort.\n\n## Properties of merge sort\n\n"
    "1. Merge sort is stable.\n2. Merge sort takes memory.\n"
}


def test_numbered_properties_are_no_steps():
    assert "唯一" not in asked(HAN_NOTES, "最近公共祖先怎么求").public.text
    assert "In order" not in asked(NOTES, "how to do merge sort").public.text


def test_numbered_steps_under_a_plain_heading_are_still_steps():
    notes = {
        "t.md": "# Tea\n\nTea is a drink.\n\n## Brewing\n\n1. Boil water.\n2. Add leaves.\n"
    }

    assert "boil water, add leaves" in asked(notes, "how to brew tea").public.text


@pytest.mark.parametrize(
    ("text", "sends_back"),
    [
        ("重复上面两步，直到所有顶点都输出。", True),
        ("不断重复以上过程，直到集合为空。", True),
        ("Repeat the above two steps until nothing is left.", True),
        ("Repeat steps 2 and 3.", True),
        ("重复练习三天，每天十遍。", False),
        ("每步都不要重复。", False),
        ("Repeat the word aloud.", False),
        ("The last steps repeat.", False),
    ],
)
def test_what_sends_back_to_steps_before_it(text, sends_back):
    assert repeats_steps(text) is sends_back


def test_a_sentence_that_sends_back_is_not_told_alone():
    notes = {
        "排.md": "# 桶排\n\n桶排是一种排序。\n\n"
        "重复上面两步，直到桶排完成，再通过合并输出桶排结果。\n"
    }

    assert "重复上面" not in asked(notes, "桶排怎么做").public.text


def test_steps_of_formulas_are_told_in_the_language_of_the_question():
    notes = {
        "式.md": "# 式子\n\n式子是算式。\n\n## 步骤\n\n1. $a+b$ or c\n2. 算出 a 与 b 的和\n"
    }

    assert "In order" not in asked(notes, "式子怎么算").public.text
