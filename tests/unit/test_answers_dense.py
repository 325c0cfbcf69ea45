"""Vectors as a second opinion."""

import pytest

from witmark.answers import dense


class Counting:
    """Embeds a text as its length and remembers what it was asked."""

    name = "counting"

    def __init__(self):
        self.asked = []

    def passages(self, texts):
        self.asked += texts
        return [[float(len(text))] for text in texts]

    def query(self, text):
        return [float(len(text))]


def test_a_text_is_embedded_once():
    inner = Counting()
    remembering = dense.Remembering(inner)

    first = remembering.passages(["a", "bb", "a"])
    again = remembering.passages(["bb", "ccc"])

    assert (first, again) == ([[1.0], [2.0], [1.0]], [[2.0], [3.0]])
    assert inner.asked == ["a", "bb", "ccc"]
    assert remembering.query("abcd") == [4.0]


def test_opinions_are_mixed_evenly_and_who_is_missing_has_nothing():
    assert dense.mixed({1: 1.0, 2: 0.5}, {2: 1.0, 3: 1.0}) == {1: 0.5, 2: 0.75, 3: 0.5}


def test_values_are_stretched_from_nothing_to_one():
    assert dense.scaled({1: 0.75, 2: 0.5, 3: 0.625}) == {1: 1.0, 2: 0.0, 3: 0.5}
    assert dense.scaled({1: 0.3, 2: 0.3}) == {1: 1.0, 2: 1.0}
    assert dense.scaled({}) == {}


def test_the_error_has_a_code_and_ends_with_four():
    error = dense.EmbedderUnavailableError()

    assert (error.code, error.exit_code) == ("outside.embedder-unavailable", 4)
    with pytest.raises(dense.EmbedderUnavailableError):
        raise error
