"""A search that lets the rare tokens choose finds what a search over all of them finds."""

import pytest

from witmark.adapters.sqlite import SqliteLibrary, searching, segments, words
from witmark.answers.asking import ScopeRequest
from witmark.answers.ports import Change
from witmark.testing.noting import note

EVERYWHERE = ScopeRequest()


@pytest.fixture
def library(tmp_path):
    """Two hundred notes in four segments: all hold "common", every seventh "rare" as well."""
    library = SqliteLibrary(tmp_path / "index.sqlite3")
    bodies = [
        "common " * (n % 3 + 1) + ("rare " * (n % 2 + 1) if n % 7 == 0 else "")
        for n in range(200)
    ]
    for start in range(0, 200, 60):
        some = range(start, min(start + 60, 200))
        library.apply(
            Change(upserted=tuple(note(f"{n % 5}/{n}.md", f": {bodies[n]}") for n in some))
        )
    yield library
    library.close()


@pytest.mark.parametrize("scope", [EVERYWHERE, ScopeRequest(corpora=("1", "2"))])
def test_common_tokens_only_score_what_the_rare_ones_found(library, monkeypatch, scope):
    exact = list(library.search(["rare", "common", "nowhere"], scope, limit=2))
    monkeypatch.setattr(searching, "ENOUGH_POSTINGS", 40)
    assert list(library.search(["rare", "common", "nowhere"], scope, limit=2)) == exact
    assert all(hit.counts.keys() == {"rare", "common"} for hit in exact)


def test_when_the_rare_ones_find_too_few_the_common_ones_choose_too(library, monkeypatch):
    monkeypatch.setattr(searching, "ENOUGH_POSTINGS", 0)
    assert len(library.search(["rare", "common"], EVERYWHERE, limit=100)) == 100
    assert len(library.search(["rare", "common"], EVERYWHERE, limit=1000)) == 200


def test_many_small_changes_leave_few_segments(library):
    """And nothing is lost or found twice on the way."""
    for n in range(40):
        library.apply(Change(upserted=(note(f"{n % 5}/{n}.md", ": edited"),)))
    kept = segments.read_segments(library._db, {})
    assert len(kept) < 8
    assert library.frequencies(["edited", "common"]) == {"edited": 40, "common": 160}


def test_a_library_may_have_more_atoms_than_a_segment(tmp_path, monkeypatch):
    monkeypatch.setattr(segments, "MOST_ATOMS", 7)
    monkeypatch.setattr(words, "BLOCK", 3)
    library = SqliteLibrary(tmp_path / "index.sqlite3")
    library.apply(Change(upserted=tuple(note(f"{n}.md", f": t{n} both") for n in range(30))))
    assert len(segments.read_segments(library._db, {})) == 5
    assert library.frequencies(["both", "t0", "t29"]) == {"both": 30, "t0": 1, "t29": 1}
    assert len(library.search(["both"], EVERYWHERE, limit=99)) == 30
