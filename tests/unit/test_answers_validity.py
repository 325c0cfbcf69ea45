"""Whether a note holds on a day, and what it says about the notes around it in time."""

import pytest

from witmark.answers.edges import TemporalKind
from witmark.answers.validity import IN_A_CIRCLE, Timeline
from witmark.testing.noting import window as temporal

WINDOW = TemporalKind.VALIDITY_WINDOW


def window(note, start="", stop=""):
    return temporal(note, note, note, WINDOW, start, stop)


def replaces(newer, older, start=""):
    return temporal(newer, newer, older, valid_from=start)


def held(note, as_of, *edges):
    timeline = Timeline(edges, lambda atom: f"title of {atom[:-1]}")
    return timeline.validity(f"{note}#part", as_of)


def told(validity):
    return [(d.reason, d.other_atom_id) for d in validity.details]


def test_a_note_that_says_nothing_of_time_holds():
    validity = held("a", "2024-01-01")

    assert (validity.is_valid, validity.checked_at, validity.details) == (
        True,
        "2024-01-01",
        (),
    )


@pytest.mark.clause("ANS-EDGE-06")
def test_a_window_holds_on_its_first_and_on_its_last_day():
    edges = [window("a", "2020-01-01", "2020-12-31")]

    days = ("2019-12-31", "2020-01-01", "2020-12-31", "2021-01-01")
    assert [held("a", day, *edges).reasons for day in days] == [
        ("not_yet_valid",), (), (), ("expired",),
    ]  # fmt: skip


def test_a_section_has_the_window_of_its_note():
    detail = held("a", "2021-06-01", window("a", stop="2020-12-31")).details[0]

    assert (detail.atom_id, detail.title, detail.valid_to) == ("a#", "title of a", "2020-12-31")


def test_one_open_window_is_enough():
    edges = [window("a", stop="2020-12-31"), temporal("b", "a", "a", WINDOW, "2022-01-01")]

    assert held("a", "2023-01-01", *edges).is_valid
    assert not held("a", "2021-06-01", *edges).is_valid


def test_an_open_window_is_told_though_it_is_no_reason():
    validity = held("a", "2020-06-01", window("a", stop="2020-12-31"))

    assert (validity.reasons, told(validity)) == ((), [("holds", "")])


def test_a_note_that_was_replaced_names_what_replaced_it():
    validity = held("old", "2024-01-01", replaces("new", "old"))

    assert (validity.is_valid, validity.reasons) == (False, ("superseded",))
    assert told(validity) == [("superseded", "new#")]
    assert validity.details[0].other_title == "title of new"


@pytest.mark.clause("ANS-EDGE-06")
def test_the_newest_note_of_a_row_of_replacements_is_named():
    edges = [replaces("b", "a"), replaces("c", "b")]

    assert told(held("a", "2024-01-01", *edges)) == [("superseded", "c#")]


def test_a_replacement_that_has_not_begun_replaces_nothing_yet():
    edges = [replaces("new", "old", "2025-01-01"), window("new", "2025-01-01")]

    assert held("old", "2024-12-31", *edges).is_valid
    assert not held("old", "2025-01-01", *edges).is_valid


def test_a_successor_that_itself_expired_is_passed_over_for_one_that_holds():
    edges = [replaces("b", "a"), replaces("c", "b"), window("c", stop="2020-12-31")]

    assert told(held("a", "2024-01-01", *edges)) == [("superseded", "b#")]


def test_what_replaces_another_says_so_and_holds():
    validity = held("new", "2024-01-01", replaces("new", "old"))

    assert (validity.is_valid, told(validity)) == (True, [("supersedes", "old#")])


@pytest.mark.clause("ANS-EDGE-06")
def test_notes_that_replace_one_another_are_reported_not_followed_for_ever():
    validity = held("a", "2024-01-01", replaces("a", "b"), replaces("b", "a"))

    assert IN_A_CIRCLE in validity.reasons
    assert not validity.is_valid


def test_a_note_that_replaces_itself_replaces_nothing():
    assert held("a", "2024-01-01", replaces("a", "a")).is_valid


def test_what_it_was_derived_from_does_not_end_a_note():
    assert held("a", "2024-01-01", temporal("b", "b", "a", TemporalKind.DERIVED_FROM)).is_valid
