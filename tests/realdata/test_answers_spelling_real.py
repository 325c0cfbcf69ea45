"""Real notes of five vaults are spelled alike in the fast way and in the traced one."""

import os
import zipfile
from pathlib import Path

import pytest

from witmark.answers.normalising import normal_text, normalise, without_format
from witmark.answers.terms import _PIECES, _terms_of, located_words, query_terms

PROJECT = Path(__file__).parents[2]
DATA = Path(os.environ.get("WITMARK_DATA", PROJECT.parent / "shared" / "data"))
VAULTS = DATA / "vaults"
EVERY = 12  # notes; all of them would take minutes

if not VAULTS.exists():
    if os.environ.get("CI") == "true":
        pytest.fail(f"the real data is not at {DATA}", pytrace=False)
    pytest.skip(f"the real data is not at {DATA}; set WITMARK_DATA", allow_module_level=True)


@pytest.fixture(scope="module", params=sorted(VAULTS.glob("*.zip")), ids=lambda path: path.stem)
def texts(request):
    with zipfile.ZipFile(request.param) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".md"))
        return [archive.read(name).decode("utf-8", "replace") for name in names[::EVERY]]


def test_the_traced_spelling_is_the_fast_one(texts):
    assert texts
    for text in texts:
        assert normalise(text).text == normal_text(text)


def test_the_fast_terms_are_the_slow_ones(texts):
    for text in texts:
        slow = [
            t for line in text.split("\n") for t in _terms_of(without_format(line), _PIECES)
        ]
        assert list(query_terms(text)) == slow


def test_every_word_spells_as_its_place_in_the_source_does(texts):
    """But for words that a place has to share, where one character became several."""
    for text in texts:
        for word in located_words(text):
            assert word.text.replace(" ", "") in normal_text(text[word.start : word.end])
