"""Where a sentence ends, in Chinese and English, and how a long one is cut."""

import pytest

from witmark.answers.sentences import clauses, fitted, is_complete, sentences
from witmark.kernel.evidence import TextRange


def cut(text: str) -> list[str]:
    return [text[s.start : s.end] for s in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 3.5 mm. See v1.2.3 at https://a.example/b.c now.",
         ["It is 3.5 mm.", "See v1.2.3 at https://a.example/b.c now."]),
        ("Dr. J. R. Hall left the U.S. Army. He rested.",
         ["Dr. J. R. Hall left the U.S. Army.", "He rested."]),
        ("He lived in the U.S. The climate suited him.",
         ["He lived in the U.S.", "The climate suited him."]),
        ("Bring cups, e.g. glasses, etc. Then wash.",
         ["Bring cups, e.g. glasses, etc.", "Then wash."]),
        ("See fig. 3 and no. 5. No. We said so.",
         ["See fig. 3 and no. 5.", "No.", "We said so."]),
        ("She moved to Germany . There she stayed .",
         ["She moved to Germany .", "There she stayed ."]),
        ("Wait... what? Yes!  Go.", ["Wait... what?", "Yes!", "Go."]),
    ],
)  # fmt: skip
def test_a_dot_ends_an_english_sentence_only_where_a_reader_would_stop(text, expected):
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("水杯是容器。它透明！是吗？", ["水杯是容器。", "它透明！", "是吗？"]),
        ("他说：“你好。我走了。”然后离开。", ["他说：“你好。我走了。”", "然后离开。"]),
        ("水杯（见图1。很清楚）是容器。完。", ["水杯（见图1。很清楚）是容器。", "完。"]),
        ("他走了……又回来。", ["他走了……又回来。"]),
        ("水温不超过 3.5 度。使用 note.md。", ["水温不超过 3.5 度。", "使用 note.md。"]),
    ],
)
def test_a_chinese_sentence_keeps_its_quotations_and_brackets_whole(text, expected):
    assert cut(text) == expected


def test_the_number_of_a_list_item_ends_nothing():
    assert cut("1. Warm the glass.\n2. Wash.\n步骤：\n3. Dry") == [
        "1. Warm the glass.", "2. Wash.", "步骤：", "3. Dry",
    ]  # fmt: skip


def test_an_unclosed_quotation_does_not_swallow_the_rest():
    assert cut("他说“你好。然后走了。再也没回来。") == [
        "他说“你好。",
        "然后走了。",
        "再也没回来。",
    ]


def test_a_lead_in_and_a_title_are_not_complete():
    assert is_complete("It is so.")
    assert is_complete("“是的。”")
    assert not is_complete("步骤如下：")
    assert not is_complete("Washing guide")


def test_a_clause_ends_at_its_comma_but_not_inside_brackets():
    text = "水杯（玻璃，透明）盛水，多由玻璃制成；不贵。"
    whole = TextRange(0, len(text))
    assert [text[c.start : c.end] for c in clauses(text, whole)] == [
        "水杯（玻璃，透明）盛水，", "多由玻璃制成；", "不贵。",
    ]  # fmt: skip


def test_a_long_sentence_is_cut_to_the_clauses_that_weigh_most():
    text = "First a long opening that says little, then the height is 55 m, and so it ends."
    whole = TextRange(0, len(text))

    def length(part: TextRange) -> int:
        return part.end - part.start

    def weight(part: TextRange) -> float:
        return float("55" in text[part.start : part.end])

    fit = fitted(text, whole, limit=40, length=length, weight=weight)
    assert text[fit.start : fit.end] == "then the height is 55 m, and so it ends."


def test_a_clause_longer_than_the_limit_is_cut_at_a_word():
    text = "one two three four five"

    fit = fitted(
        text,
        TextRange(0, len(text)),
        limit=10,
        length=lambda part: part.end - part.start,
        weight=lambda _part: 0.0,
    )
    assert text[fit.start : fit.end] == "one two"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("জল তরল। এটি স্বচ্ছ।", "জল তরল।"),
        ("هل هذا ماء؟ نعم.", "هل هذا ماء؟"),
        ("Call tel. 123 for help. Then wait.", "Call tel. 123 for help."),
    ],
)
def test_stops_of_other_scripts_and_numbers_after_abbreviations(text, first):
    cut = sentences(text)[0]

    assert text[cut.start : cut.end] == first
