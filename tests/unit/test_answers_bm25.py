"""BM25 over titles and texts."""

import itertools
import math

import pytest

from witmark.answers import bm25
from witmark.answers.ports import AtomNo, LibraryState, TermHit

STATE = LibraryState(1, 10, 100, 0, 0, title_tokens=200, body_tokens=5_000)
RARE = bm25.rarities(("glass", "water"), {"glass": 4, "water": 50}, STATE)


def hit(number, counts, *, title=2, body=50):
    return TermHit(AtomNo(number), counts, title, body)


def scored(*hits, rare=RARE):
    return bm25.score(hits, rare, STATE)


def test_a_rare_word_says_more_than_a_common_one():
    found = scored(hit(1, {"glass": (0, 1)}), hit(2, {"water": (0, 1)}))

    assert found[1] > found[2] > 0.0


def test_a_word_in_the_title_says_more_than_the_same_word_in_the_text():
    found = scored(hit(1, {"glass": (1, 0)}), hit(2, {"glass": (0, 1)}))

    assert found[1] > found[2]


def test_title_and_text_are_one_piece_of_evidence():
    both, title, text = scored(
        hit(1, {"glass": (1, 1)}), hit(2, {"glass": (1, 0)}), hit(3, {"glass": (0, 1)})
    ).values()

    assert title < both < title + text


def test_a_word_said_often_never_says_more_than_its_rarity():
    found = scored(hit(1, {"glass": (9, 10_000)}))

    assert 0.0 < found[1] < RARE["glass"]


def test_in_a_longer_text_a_word_says_less():
    found = scored(hit(1, {"glass": (0, 1)}, body=20), hit(2, {"glass": (0, 1)}, body=500))

    assert found[1] > found[2]


def test_the_score_is_the_textbook_formula():
    found = scored(hit(1, {"glass": (1, 3)}, title=4, body=100), rare={"glass": 2.0})

    times = 1 * bm25.TITLE_WEIGHT / (0.5 + 0.5 * 4 / 2) + 3 / (0.25 + 0.75 * 100 / 50)
    assert found[1] == pytest.approx(2.0 * times / (bm25.K1 + times))


def test_a_word_nobody_wrote_says_the_most():
    rare = bm25.rarities(("here", "nowhere"), {"here": 1, "nowhere": 0}, STATE)

    assert rare["nowhere"] > rare["here"]


def test_the_order_of_the_tokens_does_not_show_in_the_last_digit():
    tokens = {f"t{n}": 1 / (n + 3) for n in range(7)}
    scores = {
        scored(hit(1, dict.fromkeys(order, (1, 2))), rare=tokens)[1]
        for order in itertools.permutations(tokens)
    }

    assert len(scores) == 1


def test_an_empty_library_does_not_divide_by_nothing():
    nothing = LibraryState(0, 0, 0, 0, 0, 0, 0)

    assert bm25.score((), {}, nothing) == {}
    assert math.isfinite(bm25.rarities(("a",), {}, nothing)["a"])
