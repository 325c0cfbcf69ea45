"""An edge is named by what it says, in the bytes that canonical JSON would write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witmark.answers.edges import edge_id
from witmark.kernel.canon import NotCanonicalError, canonical_json, digest_of

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(WORDS, WORDS, WORDS, WORDS)
def test_an_edge_is_named_by_the_digest_of_its_canonical_json(
    owner: str, source: str, target: str, kind: str
) -> None:
    whole = digest_of(canonical_json([owner, source, target, kind]))
    assert edge_id(owner, source, target, kind) == "edge:" + whole[7:31]


@pytest.mark.parametrize("name", ['say "a\\b".md', "tab\there.md", "\x00\x1f\x7f", "\u2028孔"])
def test_signs_that_json_escapes_are_named_alike(name: str) -> None:
    whole = digest_of(canonical_json([name, f"{name}#", "b.md#", "reference"]))
    assert edge_id(name, f"{name}#", "b.md#", "reference") == "edge:" + whole[7:31]


def test_half_a_character_names_no_edge() -> None:
    with pytest.raises(NotCanonicalError):
        edge_id("a\ud800.md", "a#", "b#", "reference")
