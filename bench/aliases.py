"""Is a note found by its name, however it is spelled, and by nobody else's?

Sixty questions in twelve kinds of spelling over four real vaults (of the glossary only the
Chinese part), and the look-alikes of ``lookalikes.jsonl``: each names a note that must not
come first. ``--full`` switches off one rule of the names, or one step of the speller, at a
time. ``--data`` takes a folder with ``retrieval/aliases/queries.jsonl`` and ``vaults``.
"""

import contextlib
import json
import re
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import bm25s
import numpy as np
import yaml

from bench.common import Stopwatch, finish, options, shared_data
from witmark.answers import aliases, folding, normalising, planning, terms
from witmark.answers.asking import AliasRule, QueryPlan
from witmark.answers.atoms import Document, DocumentId
from witmark.answers.ports import AliasEntry, AtomTerms

VAULTS = {"glossary": "content/zh-cn/", "OI-wiki": "", "JavaGuide": "", "knowledge-garden": ""}
HERE = Path(__file__).parent
AT_1, AT_5 = 56, 59
ALIAS_WEIGHT = 2.0


# Notes ---------------------------------------------------------------------------------


def vault_notes(data: Path) -> dict[str, str]:
    """Every note of the four vaults: path with the vault's name → text."""
    notes = {}
    for vault, prefix in VAULTS.items():
        with zipfile.ZipFile(data / "vaults" / f"{vault}.zip") as archive:
            for name in archive.namelist():
                if name.endswith(".md") and name.startswith(prefix):
                    text = archive.read(name).decode("utf-8", errors="replace")
                    notes[f"{vault}/{name}"] = text
    return notes


def document_of(path: str, text: str) -> Document:
    """A note with its names and without its atoms: all that the names and words need."""
    matter, body = _front_matter(text)
    heading = re.search(r"^#\s+(.+?)\s*#*\s*$", body, re.MULTILINE)
    stem = path.rpartition("/")[2].removesuffix(".md")
    title = matter.get("title")
    given = [matter.get(key) for key in ("aliases", "alias", "别名")]
    named = [
        str(name) for one in given for name in (one if isinstance(one, list) else [one]) if name
    ]
    return Document(
        DocumentId(path), str(title or (heading[1] if heading else stem)), stem, tuple(named),
        "", "und", "", body, "", "", "", (),
    )  # fmt: skip


def _front_matter(text: str) -> tuple[Mapping[str, object], str]:
    match = re.match(r"\ufeff?---\s*\n(.*?)\n---\s*\n", text, re.DOTALL)
    if not match:
        return {}, text
    with contextlib.suppress(yaml.YAMLError):
        matter = yaml.safe_load(match[1])
        if isinstance(matter, dict):
            return {str(key).lower(): value for key, value in matter.items()}, text[
                match.end() :
            ]
    return {}, text[match.end() :]


class Shelf:
    """The notes of a bench with their names and words: the planner's library, and a search."""

    def __init__(self, notes: Mapping[str, str]) -> None:
        self.notes = {
            d.id: d for path in sorted(notes) for d in [document_of(path, notes[path])]
        }
        self.keys: dict[str, list[tuple[DocumentId, AliasEntry]]] = defaultdict(list)
        made: list[AtomTerms] = []
        for note in self.notes.values():
            for entry in aliases.alias_entries(note):
                self.keys[entry.key].append((note.id, entry))
            names = aliases.surfaces(note.id, note.title, note.stem, note.aliases)
            made.append(terms.atom_terms(names, note.text))
        self.seen = Counter(t for one in made for t in {*one.title, *one.body})
        self.ids = list(self.notes)
        self.index = bm25s.BM25(method="lucene")
        self.index.index(
            [[*one.title * 3, *one.body] or ["∅"] for one in made], show_progress=False
        )

    def aliases(
        self, keys: Sequence[str]
    ) -> Mapping[str, Sequence[tuple[DocumentId, AliasEntry]]]:
        return {key: self.keys[key] for key in keys if key in self.keys}

    def latin_keys(self, shortest: int, longest: int) -> Sequence[str]:
        return sorted(k for k in self.keys if k.isascii() and shortest <= len(k) <= longest)

    def frequencies(self, tokens: Sequence[str]) -> Mapping[str, int]:
        return {token: self.seen[token] for token in tokens}

    def document(self, document_id: DocumentId) -> Document | None:
        return self.notes.get(document_id)

    def search(self, plan: QueryPlan) -> list[str]:
        """Ids, best first: BM25 as a share of its best, and the names on top."""
        known = [t for t in plan.query_tokens if t in self.index.vocab_dict]
        scores: dict[str, float] = {}
        if known:
            words = self.index.get_scores(known)
            for at in np.argsort(-words, kind="stable")[:50]:
                if words[at] > 0:
                    scores[self.ids[at]] = float(words[at] / words.max())
        for hit in plan.alias_hits:
            alias = ALIAS_WEIGHT * hit.strength
            scores[hit.document_id] = scores.get(hit.document_id, 0.0) + alias
        return sorted(scores, key=lambda one: (-scores[one], one))


# Measuring -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the notes that answer it."""

    text: str
    kind: str
    relevant: frozenset[str]


def questions(data: Path) -> list[Question]:
    lines = (data / "retrieval/aliases/queries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = map(json.loads, lines)
    return [Question(row["query"], row["kind"], frozenset(row["relevant"])) for row in rows]


def found_at(shelf: Shelf, asked: Sequence[Question]) -> tuple[int, int, list[str]]:
    """How many are found first and among five, and a line for every miss."""
    first = five = 0
    missed = []
    for question in asked:
        ranked = shelf.search(planning.plan(question.text, shelf))
        first += not question.relevant.isdisjoint(ranked[:1])
        five += not question.relevant.isdisjoint(ranked[:5])
        if question.relevant.isdisjoint(ranked[:1]):
            missed.append(f"not first: {question.kind} {question.text!r}: {ranked[:3]}")
    return first, five, missed


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print what was missed and the last line."""
    asked = options(argv, __doc__)
    watch = Stopwatch()
    data = asked.data or shared_data()
    shelf = Shelf(vault_notes(data))
    sixty = questions(data)
    first, five, missed = found_at(shelf, sixty)
    for line in missed:
        print(line)
    figures = {"hit_at_1": first, "hit_at_5": five}
    return finish(
        "aliases", watch, figures=figures, limits={"hit_at_1": AT_1, "hit_at_5": AT_5},
        n=len(sixty), ok=first >= AT_1 and five >= AT_5,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
