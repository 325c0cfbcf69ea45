"""Which sentence, row or item is told; and when what matches is beside the point."""

from whole_desk import asked


def text(notes, question):
    return asked(notes, question).public.text


def test_an_item_that_holds_all_that_is_asked_is_told():
    notes = {
        "m.md": "# Board meeting\n\nThe board met because the lease is due.\n\n## Results\n\n"
        "- Monday is the new day\n- Ann signs the lease\n"
    }

    assert text(notes, "who signs the lease?") == "Ann signs the lease."


def test_an_item_under_a_line_with_a_colon_is_told():
    notes = {
        "会.md": "# 会议 11-12\n\n参会人：张三、李四\n\n任务：\n\n"
        "- 张三：完成审计\n- 李四：通知客户\n"
    }

    assert "完成审计" in text(notes, "张三的任务是什么")


def test_why_without_a_reason_or_the_matter_is_no_answer():
    notes = {"m.md": "# Minutes\n\nTom, Ann and Bob were there.\n"}

    assert not asked(notes, "why did Tom leave?").public.answered


def test_why_with_a_reason_in_other_words_is_still_told():
    notes = {"m.md": "# Minutes\n\nTom quit because the pay was bad.\n"}

    assert "pay was bad" in text(notes, "why did Tom leave?")


def test_a_list_of_what_no_heading_and_no_sentence_speaks_of_is_no_answer():
    notes = {"g.md": "# 微店\n\n微店是一种小商店。\n\n## 用处\n\n微店很方便。\n"}

    assert not asked(notes, "微店有哪些缺点").public.answered
