"""What turns a question round, word by word; the table is looked up, never walked through."""

import pytest

from witmark.answers import opposites
from witmark.answers.opposites import is_opposite

TURNING = [
    pair
    for pair in opposites._OPPOSITE + opposites._OPPOSITE_HAN
    if (pair[0].isascii() or len(pair[0]) == len(pair[1]))
    and "还" not in pair  # in a question it nearly always means "still", and is passed over
]


@pytest.mark.parametrize(("one", "other"), TURNING)
def test_every_pair_of_the_table_turns_both_ways(one, other):
    assert is_opposite(one, other)
    assert is_opposite(other, one)


def test_a_word_with_a_not_before_it_turns_the_bare_one():
    assert is_opposite("stable releases", "Unstable releases")
    assert is_opposite("nonlinear systems", "linear systems")
    assert not is_opposite("the unit", "it")


def test_a_lone_character_turns_only_at_the_end_of_a_run():
    assert is_opposite("为什么快", "为什么慢")
    assert not is_opposite("快捷键", "慢跑")


def test_a_word_that_both_sides_hold_turns_nothing():
    assert not is_opposite("enable or disable", "disable")
