"""Names, words and dates of a front matter, however they are spelled."""

import pytest

from witmark.answers.front_facts import front_facts, iso_day


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        ("2024-03-01", "2024-03-01", "2024-03-01"),
        ("2024-3-1", "2024-03-01", "2024-03-01"),
        ("2024/03/01", "2024-03-01", "2024-03-01"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2024", "2024-01-01", "2024-12-31"),
        (2024, "2024-01-01", "2024-12-31"),
        ("2024-03-01T12:30:00Z", "2024-03-01", "2024-03-01"),
        ("2024-03-01 12:30", "2024-03-01", "2024-03-01"),
        ("2024-03-01T12:30:00.5+08:00", "2024-03-01", "2024-03-01"),
        ("2023-02-29", "", ""),
        ("2024-13", "", ""),
        ("0000", "", ""),
        ("soon", "", ""),
        ("2024-03-01 or so", "", ""),
        (True, "", ""),
        (20240301, "", ""),
        (["2024"], "", ""),
    ],
)
def test_a_date_becomes_a_day(value, first, last):
    assert (iso_day(value, last_day=False), iso_day(value, last_day=True)) == (first, last)


def test_keys_are_read_in_any_spelling():
    facts = front_facts(
        {
            "Title": "水杯",
            "title_en": "Water glass",
            "Aliases": ["cup", "cup", 7],
            "别名": "杯子，玻璃杯",
            "Key-Words": None,
            "关键词": ["a", "b"],
            "valid-from": "2024",
            "Valid Until": "2024-06",
            "MODIFIED": "2024-05-05",
            "Lang": "zh-CN",
        }
    )

    assert facts.title == "水杯"
    assert facts.aliases == ("Water glass", "cup", "7", "杯子", "玻璃杯")
    assert facts.keywords == ("a", "b")
    assert (facts.valid_from, facts.valid_to) == ("2024-01-01", "2024-06-30")
    assert (facts.updated, facts.language, facts.faults) == ("2024-05-05", "zh-CN", ())


def test_a_date_nobody_understands_is_ignored_and_said():
    facts = front_facts({"valid_from": "spring", "updated": "2024-01-02"})

    assert (facts.valid_from, facts.updated) == ("", "2024-01-02")
    assert facts.faults == ("valid from: 'spring' is not a date; write YYYY-MM-DD",)


def test_a_window_that_ends_before_it_begins_is_none():
    facts = front_facts({"valid_from": "2025", "valid_to": "2024"})

    assert (facts.valid_from, facts.valid_to) == ("", "")
    assert "no day at all" in facts.faults[0]


def test_nothing_stated_is_nothing_known():
    assert front_facts({}) == front_facts({"title": None, "aliases": [], "date": ""})
