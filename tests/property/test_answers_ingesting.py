"""However a workspace came to be as it is, its library is the one that is made anew."""

import contextlib
import random
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
NAMES = (
    "Water Glass",
    "glass",
    "水杯",
    "水",
    "玻璃水杯",
    "Go",
    "LinkedHashMap",
    "silica sand",
    "🍀",
    "sand",
)
PATHS = (
    "a.md",
    "glass.md",
    "x/glass.md",
    "x/b.md",
    "x/y/水杯.md",
    "index.md",
    "x/🍀.md",
    "b#.md",
    "silica.md",
    "Go.md",
)
HEADINGS = ("Uses", "用途", "glass")
KEYS = ("prerequisites", "contrasts", "next", "supersedes", "references")


class Author:
    """Writes, moves and removes notes at random; the same seed writes the same."""

    def __init__(self, seed, steps):
        self._dice = random.Random(seed)  # noqa: S311 - reproducible, not secret
        self.vault, self.there = MemoryVault(), set()
        self._steps = steps
        for _ in range(self._dice.randint(0, len(PATHS))):
            self._write()

    def steps(self):
        """Edit, and yield what kind of ingest comes next, if any."""
        for _ in range(self._steps):
            self._dice.choice(
                (self._write, self._write, self._remove, self._move, self._mend)
            )()
            yield self._dice.choice(("", "", "plain", "plain", "cut", "cut", "none", "full"))

    def cut_after(self):
        """After how many changes the plug is pulled."""
        return self._dice.randint(0, 5)

    def _write(self):
        path = self._dice.choice(PATHS)
        self.vault.write(path, self._note().encode())
        self.there.add(path)

    def _mend(self):
        """Change one line of a note, so that most of it stays."""
        if self.there:
            path = self._dice.choice(sorted(self.there))
            lines = self.vault.read(path).decode().split("\n")
            lines[self._dice.randrange(len(lines))] = self._line()
            self.vault.write(path, "\n".join(lines).encode())

    def _remove(self):
        if self.there:
            path = self._dice.choice(sorted(self.there))
            self.vault.remove(path)
            self.there.discard(path)

    def _move(self):
        free = sorted({*PATHS} - self.there)
        if self.there and free:
            old, new = self._dice.choice(sorted(self.there)), self._dice.choice(free)
            self.vault.move(old, new)
            self.there ^= {old, new}

    def _note(self):
        front = []
        if self._dice.random() < 0.5:
            front.append(f"title: {self._dice.choice(NAMES)}")
        if self._dice.random() < 0.4:
            front.append(f"aliases: [{self._dice.choice(NAMES)}, {self._dice.choice(NAMES)}]")
        for key in self._dice.sample(KEYS, self._dice.randint(0, 2)):
            place = self._dice.choice(("", "", "", f"#{self._dice.choice(HEADINGS)}"))
            front.append(f'{key}: ["[[{self._target()}{place}]]", {self._dice.choice(NAMES)}]')
        lines = ["---", *front, "---"] if front else []
        lines += [self._line(), self._line()]
        for heading in self._dice.sample(HEADINGS, self._dice.randint(0, 2)):
            lines += ["", f"## {heading}", "", self._line()]
        return "\n".join(lines)

    def _line(self):
        return " ".join(self._word() for _ in range(self._dice.randint(0, 4)))

    def _word(self):
        kind = self._dice.random()
        if kind < 0.5:
            return self._dice.choice((*NAMES, "linked hash map", "waterglass", "go", "is a"))
        if kind < 0.7:
            return f"[[{self._target()}]]"
        if kind < 0.9:
            return f"[[{self._target()}#{self._dice.choice((*HEADINGS, '^b'))}]]"
        return f"[t](<{self._dice.choice((*PATHS, '../glass.md', 'x/', '#用途'))}>)"

    def _target(self):
        return self._dice.choice((*NAMES, *(path.removesuffix(".md") for path in PATHS)))


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


def follow(author, library):
    """Ingest now and then while the author works, sometimes not to the end."""
    for kind in author.steps():
        if kind == "cut":
            library.left = author.cut_after()
            with contextlib.suppress(CutShortError):
                ingest(author.vault, PARSER, library)
            library.left = 1_000
        elif kind:
            relations = Relations.NONE if kind == "none" else Relations.INCREMENTAL
            full = kind == "full"
            ingest(author.vault, PARSER, library, full=full, relations=relations)
    ingest(author.vault, PARSER, library)


@contextlib.contextmanager
def in_small(*, batch, chunk_bytes, always):
    """Borders that a few notes reach."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ingesting, "BATCH_NOTES", batch)
        patch.setattr(ingesting, "CHUNK_BYTES", chunk_bytes)
        patch.setattr(mentions, "MOST_ALWAYS", always)
        patch.setattr(mentions, "MOST_SHARE", 3)
        yield


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 12),
    batch=st.sampled_from((500, 2)),
    size=st.sampled_from((10_000, 300)),
    always=st.sampled_from((1, 2, 20)),
)
@pytest.mark.clause("ANS-LIB-01")
def test_a_library_that_followed_every_edit_equals_one_made_anew(
    seed, steps, batch, size, always
):
    author, library, fresh = Author(seed, steps), CutLibrary(), MemoryLibrary()
    with in_small(batch=batch, chunk_bytes=size, always=always):
        follow(author, library)
    with in_small(batch=500, chunk_bytes=10_000, always=always):
        ingest(author.vault, PARSER, fresh)
    assert said(library) == said(fresh)
