"""A note that tells the opposite of what is asked does not answer (ANS-PUB-09)."""

import pytest
from whole_desk import asked

from witmark.answers.opposites import turned_in

pytestmark = pytest.mark.clause("ANS-PUB-09")

PRINTER = {
    "p.md": "# 打印机手册\n\n打印机是把文件印到纸上的设备。\n\n## 如何开启双面打印\n\n"
    "在设置里勾选“双面”。\n\n## 为什么双面打印慢\n\n翻面需要额外的时间。\n"
}
LOGGING = {
    "py.md": "# Python\n\nPython is a language with logging of its own.\n\n"
    "## How to enable logging\n\nSet LOG=1.\n\n## Why logging is slow\n\n"
    "Because logging writes to a disk.\n"
}


@pytest.mark.parametrize(
    ("notes", "question"),
    [
        (PRINTER, "如何关闭双面打印"),
        (PRINTER, "为什么双面打印快"),
        (LOGGING, "how to disable logging"),
        (LOGGING, "why is logging fast"),
    ],
)
def test_the_opposite_is_no_answer(notes, question):
    assert not asked(notes, question).public.answered


@pytest.mark.parametrize(
    ("notes", "question", "told"),
    [
        (PRINTER, "如何开启双面打印", "勾选"),
        (PRINTER, "为什么双面打印慢", "翻面"),
        (LOGGING, "how to enable logging", "LOG=1"),
        (LOGGING, "why is logging slow", "writes to a disk"),
    ],
)
def test_the_thing_itself_is_still_told(notes, question, told):
    assert told in asked(notes, question).public.text


def test_a_sentence_that_says_what_is_asked_is_told_beside_the_opposite():
    notes = {
        "py.md": "# Python\n\nTo disable logging, remove the variable LOG by using unset.\n\n"
        "## How to enable logging\n\nSet LOG=1.\n"
    }

    assert "remove the variable" in asked(notes, "how to disable logging").public.text


@pytest.mark.parametrize(
    ("question", "heading", "told", "turned"),
    [
        ("how to disable logging", "How to enable logging", "Set LOG=1.", True),
        ("how to uninstall pandas", "Install pandas", "Run pip.", True),
        ("如何关闭双面打印", "如何开启双面打印", "勾选。", True),
        ("how to disable logging", "How to enable logging", "Disable it by 0.", False),
        ("如何关闭双面打印", "如何开启双面打印", "在这里关闭。", False),
        ("how to enable logging", "How to enable logging", "Set LOG=1.", False),
        ("how to undo a commit", "How to commit", "Run git commit.", False),
        ("快递怎么寄", "慢递怎么寄", "写地址。", False),
    ],
)
def test_what_turns_a_question_round(question, heading, told, turned):
    assert turned_in(question, heading, told) is turned
