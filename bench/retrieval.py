"""Does retrieval find the passage that answers, in Chinese, in English, over one hop and two?

Every set is a folder with ``corpus.jsonl`` (id, title, text), ``queries.jsonl`` (id, text)
and ``qrels.tsv`` (query, passage, relevance). Its passages are written as notes into a
folder of their own, ingested by the product, and every question goes the product's way:
planned, scoped, retrieved, with no model. BM25 of another library (bm25s) over the same
tokens stands beside it.

``drcd_simplified`` asks the questions of ``drcd`` in simplified characters, of the same
traditional notes. ``--data`` takes another folder of such folders; limits apply to sets of
the names known here. Without ``--full`` at most 300 questions of a set are asked,
and of ``drcd_simplified`` half as many.
"""

import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bench.common import Stopwatch, finish, options, shared_data
from witmark.adapters.markdown import ComrakParser
from witmark.adapters.sqlite import SqliteLibrary
from witmark.adapters.vault import FolderVault
from witmark.answers import planning, retrieving, scoping
from witmark.answers.asking import ScopeRequest
from witmark.answers.dag import Dag
from witmark.answers.folding import simplified
from witmark.answers.ingesting import ingest
from witmark.answers.terms import query_terms
from witmark.answers.validity import Timeline

QUESTIONS = 300
DEPTH, SHORT = 10, 5
DAY = "2026-01-01"

LIMITS: Mapping[str, tuple[str, float]] = {
    "cmrc2018": ("ndcg10", 0.985),
    "drcd": ("ndcg10", 0.955),
    "drcd_simplified": ("ndcg10", 0.955),
    "cranfield": ("ndcg10", 0.39),
    "hotpotqa": ("all_support5", 0.74),
    "musique": ("recall5", 0.525),
}


@dataclass(frozen=True, slots=True)
class Passages:
    """A set: what there is to find, what is asked, and what answers it."""

    name: str
    corpus: Mapping[str, tuple[str, str]]
    questions: Mapping[str, str]
    relevant: Mapping[str, frozenset[str]]


@dataclass(slots=True)
class Scores:
    """One figure per question for each measure."""

    ndcg10: list[float] = field(default_factory=list)
    recall5: list[float] = field(default_factory=list)
    all_support5: list[float] = field(default_factory=list)

    def take(self, found: Sequence[str], relevant: frozenset[str]) -> None:
        """Score what was found for one question."""
        gains = [
            1 / math.log2(at + 2) for at, one in enumerate(found[:DEPTH]) if one in relevant
        ]
        best = [1 / math.log2(at + 2) for at in range(min(DEPTH, len(relevant)))]
        held = len(relevant.intersection(found[:SHORT]))
        self.ndcg10.append(sum(gains) / sum(best))
        self.recall5.append(held / len(relevant))
        self.all_support5.append(float(held == len(relevant)))

    def mean(self, measure: str) -> float:
        """The mean of one measure."""
        return round(statistics.fmean(getattr(self, measure)), 4)


def _gain(at: int) -> float:
    return 1 / math.log2(at + 2)


def read(folder: Path, *, full: bool) -> Passages:
    """Read a set; of the questions those that something answers."""
    relevant: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        question, passage, relevance = line.split("\t")
        if int(relevance) > 0:
            relevant.setdefault(question, set()).add(passage)
    asked = {one["id"]: one["text"] for one in _lines(folder / "queries.jsonl")}
    kept = [key for key in asked if key in relevant]
    if not full:
        kept = kept[:: max(1, len(kept) // QUESTIONS)][:QUESTIONS]
    return Passages(
        name=folder.name,
        corpus={c["id"]: (c["title"], c["text"]) for c in _lines(folder / "corpus.jsonl")},
        questions={key: asked[key] for key in kept},
        relevant={key: frozenset(relevant[key]) for key in kept},
    )


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


# Ours --------------------------------------------------------------------------------


def library_of(passages: Passages, home: Path) -> tuple[SqliteLibrary, dict[str, str]]:
    """Write every passage as a note, ingest them all; which note is which passage."""
    folder = home / "notes"
    folder.mkdir()
    names = {}
    for number, (key, (title, text)) in enumerate(passages.corpus.items()):
        path = f"note-{number:05}.md"
        heading = " ".join(title.split())
        (folder / path).write_text(f"# {heading}\n\n{text}\n", encoding="utf-8")
        names[path] = key
    library = SqliteLibrary(home / "library.sqlite")
    ingest(FolderVault(folder), ComrakParser(), library)
    return library, names


def ask_ours(
    passages: Passages,
    questions: Mapping[str, str],
    library: SqliteLibrary,
    names: dict[str, str],
) -> tuple[Scores, list[float]]:
    """Ask the product; the scores, and the CPU milliseconds of each retrieval."""
    scores, spent_ms = Scores(), []
    dag, timeline = Dag(library.graph()), Timeline.of(library)
    for key, question in questions.items():
        plan = planning.plan(question, library)
        begun = time.process_time()
        scope = scoping.resolve(ScopeRequest(), "", library, plan)
        found = retrieving.retrieve(
            plan, scope, library, dag, as_of=DAY, top_k=DEPTH, timeline=timeline
        )
        spent_ms.append((time.process_time() - begun) * 1_000)
        ids = [names[candidate.document_id] for candidate in found.candidates]
        scores.take(ids, passages.relevant[key])
    return scores, spent_ms


# The peer ----------------------------------------------------------------------------


def ask_peer(passages: Passages) -> Scores:
    """BM25 as bm25s computes it, over title and text in our own tokens."""
    import bm25s  # noqa: PLC0415  # a development dependency

    index, ids = bm25s.BM25(method="lucene"), list(passages.corpus)
    index.index(
        [list(query_terms(f"{title}\n{text}")) for title, text in passages.corpus.values()],
        show_progress=False,
    )
    scores = Scores()
    for key, question in passages.questions.items():
        tokens = [token for token in query_terms(question) if token in index.vocab_dict]
        values = index.get_scores(tokens) if tokens else np.zeros(len(ids))
        order = np.argsort(-values, kind="stable")[:DEPTH].tolist()
        scores.take([ids[at] for at in order if values[at] > 0], passages.relevant[key])
    return scores


# All together ------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Measure every set."""
    asked, watch = options(argv, __doc__), Stopwatch()
    home = asked.data or shared_data() / "retrieval"
    folders = [folder.parent for folder in sorted(home.glob("*/corpus.jsonl"))]
    figures: dict[str, object] = {}
    limits: dict[str, object] = {}
    ok, count, spent_ms = True, 0, []
    for folder in folders:
        passages = read(folder, full=asked.full)
        peer = ask_peer(passages)
        for name, scores, spent in _runs(passages, full=asked.full):
            spent_ms += spent
            count += len(scores.ndcg10)
            measure, least = LIMITS.get(name, ("ndcg10", 0.0))
            figures |= _figures(name, scores, peer)
            if least:
                limits[f"{name}.{measure}"] = least
                ok = ok and scores.mean(measure) >= least
            print(f"{name}: {json.dumps(_figures(name, scores, peer))}", flush=True)
    if spent_ms:
        spent_ms.sort()
        figures["retrieve_p50_ms"] = round(spent_ms[len(spent_ms) // 2], 1)
        figures["retrieve_p95_ms"] = round(spent_ms[int(len(spent_ms) * 0.95)], 1)
    return finish("retrieval", watch, figures=figures, limits=limits, n=count, ok=ok)


def _runs(passages: Passages, *, full: bool) -> Iterator[tuple[str, Scores, list[float]]]:
    with tempfile.TemporaryDirectory() as home:
        library, names = library_of(passages, Path(home))
        yield passages.name, *ask_ours(passages, passages.questions, library, names)
        if passages.name == "drcd":
            every_other = list(passages.questions.items())[:: 1 if full else 2]
            folded = {key: simplified(text) for key, text in every_other}
            yield "drcd_simplified", *ask_ours(passages, folded, library, names)
        library.close()


def _figures(name: str, ours: Scores, peer: Scores) -> dict[str, object]:
    measure = LIMITS.get(name, ("ndcg10", 0.0))[0]
    figures: dict[str, object] = {
        f"{name}.{one}": ours.mean(one) for one in ("ndcg10", "recall5", "all_support5")
    }
    theirs = peer.mean(measure)
    figures[f"{name}.peer_{measure}"] = theirs
    figures[f"{name}.ratio"] = round(ours.mean(measure) / theirs, 3) if theirs else None
    return figures


if __name__ == "__main__":
    sys.exit(main())
