"""A cell of a table is told by its row and its column (ANS-PUB-08)."""

import pytest
from whole_desk import asked

pytestmark = pytest.mark.clause("ANS-PUB-08")

TABLE = (
    "# Server list\n\n| Host | IP | Owner | Location |\n|---|---|---|---|\n"
    "| alpha | 10.0.0.1 | Mary | Berlin |\n| beta | 10.0.0.2 | Ahmed | Paris |\n\n"
    "The server alpha runs the web shop. The server beta runs backups.\n"
)
HAN_TABLE = (
    "# 服务器清单\n\n| 主机 | 地址 | 负责人 | 截止日期 |\n|---|---|---|---|\n"
    "| 甲机 | 10.0.0.1 | 张三 | 2025-01-03 |\n| 乙机 | 10.0.0.2 | 李四 | 2025-02-03 |\n\n"
    "甲机跑网站。\n"
)
NOTES = {"servers.md": TABLE}
HAN_NOTES = {"fu.md": HAN_TABLE}


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who owns alpha?", "alpha: Owner Mary."),
        ("who is the owner of beta?", "beta: Owner Ahmed."),
        ("what is the IP of beta?", "beta: IP 10.0.0.2."),
        ("where is beta?", "beta: Location Paris."),
    ],
)
def test_a_cell_is_told_by_row_and_column(question, told):
    assert asked(NOTES, question).public.text == told


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("甲机的负责人是谁", "甲机：负责人 张三。"),
        ("谁负责乙机", "乙机：负责人 李四。"),
        ("乙机的地址是什么", "乙机：地址 10.0.0.2。"),
        ("甲机什么时候截止", "甲机：截止日期 2025-01-03。"),
    ],
)
def test_a_cell_is_told_by_row_and_column_in_chinese(question, told):
    assert asked(HAN_NOTES, question).public.text == told


def test_a_told_cell_is_cited_at_its_row_and_its_heading():
    public = asked(NOTES, "who owns alpha?")

    lines = [c.span.start_line for c in public.pane.citations]
    quoted = [c.snippet for c in public.pane.citations]
    assert lines == [5, 3]
    assert "Mary" in quoted[0]
    assert "Owner" in quoted[1]


@pytest.mark.parametrize(
    ("notes", "question"),
    [
        (NOTES, "who built alpha?"),  # no column tells builders
        (NOTES, "what is the IP of gamma?"),  # no such row
        (NOTES, "what is the price of alpha?"),  # no such column
        (NOTES, "why does Mary own alpha?"),  # a reason is no cell
        (HAN_NOTES, "丙机的地址是什么"),
        (HAN_NOTES, "甲机的价格是多少"),
    ],
)
def test_another_row_or_column_is_never_told_instead(notes, question):
    text = asked(notes, question).public.text

    assert not any(c in text for c in ("Mary", "Ahmed", "10.0.0", "张三", "李四", "2025"))


def test_the_longest_label_names_the_row():
    table = "# Parts\n\n| Part | Mass |\n|---|---|\n| bolt | 3 g |\n| long bolt | 9 g |\n"

    assert asked({"p.md": table}, "what is the mass of the long bolt?").public.text == (
        "long bolt: Mass 9 g."
    )


def test_who_does_not_guess_between_two_columns_of_people():
    table = "# Jobs\n\n| Job | Author | Owner |\n|---|---|---|\n| audit | Ann | Bob |\n"

    assert "Author Ann." not in asked({"j.md": table}, "who is audit?").public.text
