"""However a workspace came to be as it is, its library is the one that is made anew."""

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.adapters.markdown import ComrakParser
from witmark.answers import ingesting, mentions
from witmark.answers.ingest_plan import PENDING
from witmark.answers.ingesting import Relations, ingest
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.vaults import MemoryVault

PARSER = ComrakParser()
NAMES = ("Water Glass", "glass", "水杯", "水", "玻璃水杯", "Go", "LinkedHashMap", "silica sand", "🍀")
PATHS = ("a.md", "glass.md", "x/glass.md", "x/b.md", "x/y/水杯.md", "index.md", "x/🍀.md", "b#.md")
HEADINGS = ("Uses", "用途", "glass")
KEYS = ("prerequisites", "contrasts", "next", "supersedes", "references")

names = st.sampled_from(NAMES)
links = st.one_of(
    st.builds("[[{}]]".format, st.sampled_from((*NAMES, *(p[:-3] for p in PATHS)))),
    st.builds("[[{}#{}]]".format, names, st.sampled_from(HEADINGS)),
    st.builds("[t](<{}>)".format, st.sampled_from((*PATHS, "../glass.md", "x/", "#用途"))),
)
words = st.one_of(names, links, st.sampled_from(("linked hash map", "waterglass", "go", "is a")))
lines = st.lists(words, max_size=5).map(" ".join)


@st.composite
def notes(draw):
    """A note: perhaps a front matter, then sections."""
    front = {}
    if draw(st.booleans()):
        front["title"] = draw(names)
    if draw(st.booleans()):
        front["aliases"] = draw(st.lists(names, max_size=2, unique=True))
    for key in draw(st.sets(st.sampled_from(KEYS), max_size=2)):
        front[key] = [f'"[[{draw(names)}]]"' for _ in range(draw(st.integers(1, 2)))]
    head = "".join(f"{k}: [{', '.join(v)}]\n" if isinstance(v, list) else f"{k}: {v}\n" for k, v in front.items())
    body = [draw(lines)]
    for heading in draw(st.lists(st.sampled_from(HEADINGS), max_size=2)):
        body += [f"## {heading}", draw(lines)]
    return (f"---\n{head}---\n" if head else "") + "\n\n".join(body) + "\n"


edits = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(PATHS), notes()),
        st.tuples(st.just("remove"), st.sampled_from(PATHS), st.just("")),
        st.tuples(st.just("move"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
        st.tuples(st.just("ingest"), st.just(""), st.sampled_from(("", "", "none", "full", "cut"))),
    ),
    max_size=14,
)


class CutShortError(Exception):
    """The plug is pulled between two changes."""


class CutLibrary(MemoryLibrary):
    """A library that takes so many changes and no more."""

    def __init__(self):
        super().__init__()
        self.left = 1_000

    def apply(self, change):
        self.left -= 1
        if self.left < 0:
            raise CutShortError
        super().apply(change)


def said(library):
    """Everything a library says, but for when its files were written and how rows count."""
    stamps = library.stamps()
    assert all(stamp.mtime_ns != PENDING for stamp in stamps.values())
    state = replace(library.state(), generation=0)
    graph = library.graph()
    live = sorted(library.edges(graph.row.tolist()), key=lambda e: e.id)
    return {
        "state": state,
        "hashes": {key: (s.source_hash, s.size) for key, s in stamps.items()},
        "failures": library.failures(),
        "documents": {key: library.document(key) for key in stamps},
        "edges": {key: library.edges_of(key) for key in stamps},
        "live": live,
        "temporal": library.temporal(),
        "uses": library.uses(sorted(stamps)),
    }


def carry_out(vault, library, edits):
    """Edit a vault, ingesting now and then, sometimes not to the end."""
    there = set()
    for what, path, more in edits:
        if what == "write":
            vault.write(path, more.encode())
            there.add(path)
        elif what == "remove" and path in there:
            vault.remove(path)
            there.discard(path)
        elif what == "move" and path in there and more not in there:
            vault.move(path, more)
            there.discard(path)
            there.add(more)
        elif what == "ingest" and more == "cut":
            library.left = len(there) % 4
            with contextlib.suppress(CutShortError):
                ingest(vault, PARSER, library)
            library.left = 1_000
        elif what == "ingest":
            relations = Relations.NONE if more == "none" else Relations.INCREMENTAL
            ingest(vault, PARSER, library, full=more == "full", relations=relations)


@contextlib.contextmanager
def in_small(*, batch, chunk_bytes, always):
    """Borders that a few notes reach."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ingesting, "BATCH_NOTES", batch)
        patch.setattr(ingesting, "CHUNK_BYTES", chunk_bytes)
        patch.setattr(mentions, "MOST_ALWAYS", always)
        patch.setattr(mentions, "MOST_SHARE", 3)
        yield


@settings(max_examples=100, deadline=None)
@given(
    edits, st.sampled_from((500, 2)), st.sampled_from((10_000, 300)), st.sampled_from((1, 2, 20))
)
def test_a_library_that_followed_every_edit_equals_one_made_anew(edits, batch, size, always):
    vault, library, fresh = MemoryVault(), CutLibrary(), MemoryLibrary()
    with in_small(batch=batch, chunk_bytes=size, always=always):
        carry_out(vault, library, edits)
        ingest(vault, PARSER, library)
    with in_small(batch=500, chunk_bytes=10_000, always=always):
        ingest(vault, PARSER, fresh)
    assert said(library) == said(fresh)
