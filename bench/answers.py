"""Does the answer hold the answer, and is an expired fact ever served without a warning?

1. CMRC 2018: every context is a note, every question is asked of the whole desk (plan, scope,
   retrieve, assemble, compose, review). The short answer has to lie in the public answer of at
   most three sentences, and in its first three citations of at most 280 code points.
2. TimeQA: one note for each dated fact, its source sentence as the body, the years of the
   question as ``valid_from`` and ``valid_to``. Each question is asked inside its range, a day
   before it and a day after it. Wherever the answer rests on a note that does not hold on that
   day, a sentence of the answer has to say so of that very note, or the answer has to be that
   the notes do not tell. Who never answers never errs, so there is a least share of answers
   that are right inside the range, and a least number of warnings.

``--data`` takes a folder with ``cmrc2018/`` and ``timeqa_test.json.gz``, laid out like the one
beside the project. Without ``--full`` a sample, the same every time.
"""

import calendar
import gzip
import json
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.common import Stopwatch, finish, options, shared_data
from witmark.adapters.markdown import ComrakParser
from witmark.adapters.sqlite import SqliteLibrary
from witmark.answers.answer import SentenceKind
from witmark.answers.budget import SNIPPET_CHARS
from witmark.answers.composing import EmbeddedComposer
from witmark.answers.dag import Dag
from witmark.answers.desk import AnswersDesk, Question
from witmark.answers.ingesting import ingest
from witmark.answers.responding import Asked
from witmark.answers.sentences import sentences
from witmark.answers.use_cases import answer_question
from witmark.kernel.store import BlobStore
from witmark.testing.disks import MemoryDisk
from witmark.testing.shelves import MemoryShelf
from witmark.testing.vaults import MemoryVault

_SEED = 20260102
_QUESTIONS, _FACTS = 300, 200
_MOST_SENTENCES, _MOST_SPANS = 3, 3
_IN_ANSWER, _IN_SPANS = 0.78, 0.90
_INSIDE_RIGHT, _WARNED = 0.7, 150
_TODAY = "2026-01-01"
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_MONTH = "|".join(_MONTHS)
_RANGE = re.compile(
    rf"\b(?:from|between)\s+(?:({_MONTH})[a-z]*\s+)?([12]\d{{3}})"
    rf"\s+(?:to|and|until)\s+(?:({_MONTH})[a-z]*\s+)?([12]\d{{3}})\b",
    re.IGNORECASE,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure both, print what was missed and the last line."""
    asked = options(argv, __doc__)
    watch = Stopwatch()
    folder = asked.data or shared_data() / "retrieval"
    with tempfile.TemporaryDirectory() as home:
        read = _reading(folder / "cmrc2018", Path(home) / "read.sqlite3", full=asked.full)
        facts = folder / "timeqa_test.json.gz"
        aged = _aging(facts, Path(home) / "aged.sqlite3", full=asked.full)
    figures = {**read.figures, **aged.figures}
    limits = {
        "in_answer": _IN_ANSWER,
        "in_spans": _IN_SPANS,
        "most_sentences": _MOST_SENTENCES,
        "longest_span": SNIPPET_CHARS,
        "unwarned": 0,
        "inside_right": _INSIDE_RIGHT,
        "warned": _WARNED,
        "least_facts": _FACTS,
    }
    ok = (
        read.share("in_answer") >= _IN_ANSWER
        and read.share("in_spans") >= _IN_SPANS
        and read.most_sentences <= _MOST_SENTENCES
        and read.longest_span <= SNIPPET_CHARS
        and aged.is_fine
        and aged.facts >= _FACTS
    )
    n = read.asked + aged.asked
    return finish("answers", watch, figures=figures, limits=limits, n=n, ok=ok)


def desk_over(notes: Mapping[str, str], index: Path) -> AnswersDesk:
    """The whole desk over notes in memory, with the real index in a file."""
    library = SqliteLibrary(index)
    ingest(MemoryVault({p: t.encode() for p, t in notes.items()}), ComrakParser(), library)
    graph = Dag(library.graph())
    return AnswersDesk(
        workspace="bench",
        library=library,
        dag=lambda: graph,
        blobs=BlobStore(MemoryDisk({})),
        shelf=MemoryShelf(),
        composer=EmbeddedComposer(),
    )


def front_matter(**values: str) -> str:
    """Plain front matter; JSON strings are YAML strings."""
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    return "\n".join(("---", *lines, "---", ""))


# The answer in the answer -------------------------------------------------------------


@dataclass
class _Read:
    """What was asked of CMRC, and how often the short answer was there."""

    asked: int = 0
    answered: int = 0
    in_answer: int = 0
    in_spans: int = 0
    sentences: int = 0
    most_sentences: int = 0
    longest_span: int = 0

    def share(self, what: str) -> float:
        """A count as a share of the questions."""
        return float(getattr(self, what)) / max(self.asked, 1)

    @property
    def figures(self) -> dict[str, object]:
        """For the last line."""
        return {
            "in_answer": round(self.share("in_answer"), 4),
            "in_spans": round(self.share("in_spans"), 4),
            "answered": round(self.share("answered"), 4),
            "mean_sentences": round(self.sentences / max(self.answered, 1), 3),
            "most_sentences": self.most_sentences,
            "longest_span": self.longest_span,
        }


def _reading(folder: Path, index: Path, *, full: bool) -> _Read:
    notes = {
        f"{row['id']}.md": front_matter(title=str(row["title"])) + f"{row['text']}\n"
        for row in _rows(folder / "corpus.jsonl")
    }
    questions = list(_rows(folder / "queries.jsonl"))
    if not full:
        random.Random(_SEED).shuffle(questions)  # noqa: S311  # reproducible, not secret
        questions = questions[:_QUESTIONS]
    desk = desk_over(notes, index)
    read = _Read()
    for row in questions:
        answers = [str(answer) for answer in row["answers"]]
        said = answer_question(Question(str(row["text"]), _TODAY), desk)
        _mark(read, said, answers, str(row["text"]))
    return read


def _mark(read: _Read, said: Asked, answers: Sequence[str], question: str) -> None:
    read.asked += 1
    read.answered += said.public.answered
    spans = [citation.snippet for citation in said.pane.citations[:_MOST_SPANS]]
    in_answer = any(answer in said.public.text for answer in answers)
    in_spans = any(answer in span for answer in answers for span in spans)
    read.in_answer += in_answer
    read.in_spans += in_spans
    read.sentences += len(said.public.sentences) if said.public.answered else 0
    read.most_sentences = max(read.most_sentences, len(said.public.sentences))
    read.longest_span = max(
        (read.longest_span, *(len(citation.snippet) for citation in said.pane.citations))
    )
    if not in_spans:
        print(f"missed: {question} [{answers[0]}] {said.public.text}")


def _rows(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


# Nothing stale unsaid -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Fact:
    """A dated fact: a question, where its answer stands, and when it holds."""

    path: str
    title: str
    question: str
    answer: str
    sentence: str
    since: str
    until: str


@dataclass
class _Aged:
    """What was asked inside and outside of the facts' ranges."""

    facts: int = 0
    asked: int = 0
    inside_right: int = 0
    stale_used: int = 0
    warned: int = 0
    unwarned: int = 0
    withheld: int = 0

    @property
    def is_fine(self) -> bool:
        """Whether it answers where it can, and warns where it has to."""
        right = self.inside_right / max(self.facts, 1)
        return not self.unwarned and right >= _INSIDE_RIGHT and self.warned >= _WARNED

    @property
    def figures(self) -> dict[str, object]:
        """For the last line."""
        return {
            "facts": self.facts,
            "time_questions": self.asked,
            "inside_right": round(self.inside_right / max(self.facts, 1), 4),
            "stale_used": self.stale_used,
            "warned": self.warned,
            "unwarned": self.unwarned,
            "not_told": self.withheld,
        }


def _aging(path: Path, index: Path, *, full: bool) -> _Aged:
    facts = list(_facts(path))
    if not full:
        random.Random(_SEED).shuffle(facts)  # noqa: S311  # reproducible, not secret
        facts = sorted(facts[:_FACTS], key=lambda fact: fact.path)
    desk = desk_over({fact.path: _note(fact) for fact in facts}, index)
    by_path = {fact.path: fact for fact in facts}
    aged = _Aged(facts=len(facts))
    for fact in facts:
        _ask(aged, fact, desk, by_path)
    return aged


def _note(fact: _Fact) -> str:
    head = front_matter(title=fact.title, valid_from=fact.since, valid_to=fact.until)
    return f"{head}{fact.sentence}\n"


def _ask(aged: _Aged, fact: _Fact, desk: AnswersDesk, by_path: Mapping[str, _Fact]) -> None:
    inside = fact.since
    before, after = _year_off(fact.since, -1), _year_off(fact.until, 1)
    for day in (inside, before, after):
        said = answer_question(Question(fact.question, day), desk)
        aged.asked += 1
        aged.withheld += not said.public.answered
        aged.inside_right += day == inside and fact.answer in said.public.text
        cited = {
            citation.source_path: by_path[citation.source_path]
            for citation in said.pane.citations
        }
        stale = [one for one in cited.values() if not one.since <= day <= one.until]
        if not stale:
            continue
        aged.stale_used += 1
        warnings = [s.text for s in said.public.sentences if s.kind is SentenceKind.TEMPORAL]
        if all(is_warned_of(one, day, warnings) for one in stale):
            aged.warned += 1
        else:
            aged.unwarned += 1
            print(f"unwarned on {day}: {fact.question} {said.public.text}")


def is_warned_of(fact: _Fact, day: str, warnings: Sequence[str]) -> bool:
    """Whether a warning names the note of this fact, and the day on which it ends or begins."""
    border = fact.until if fact.until < day else fact.since
    return any(fact.title in text and border in text for text in warnings)


def _facts(path: Path) -> Iterator[_Fact]:
    """Every question with a range of years and an answer, with the sentence it stands in."""
    with gzip.open(path, "rt", encoding="utf-8") as whole:
        articles = json.load(whole)
    for number, article in enumerate(articles):
        for turn, (question, answers) in enumerate(article["questions"]):
            window = _window(question)
            sentence = _sentence(article["paras"], answers[0])
            if window is not None and sentence:
                title = article["link"].rpartition("/")[2].replace("_", " ")
                yield _Fact(
                    f"{number:03}/{turn:02}.md",
                    title,
                    question,
                    answers[0]["answer"],
                    sentence,
                    *window,
                )


def _sentence(paragraphs: Sequence[str], answer: Mapping[str, object]) -> str:
    start, text = int(str(answer["from"])), str(answer["answer"])
    paragraph = paragraphs[int(str(answer["para"]))]
    if not text or paragraph[start : start + len(text)] != text:
        return ""
    for place in sentences(paragraph):
        if place.start <= start < place.end:
            return paragraph[place.start : place.end]
    return ""


def _window(question: str) -> tuple[str, str] | None:
    """The days a question speaks of, its months and years whole."""
    found = _RANGE.search(question)
    if found is None:
        return None
    month, year, last_month, last_year = found.groups()
    since = f"{year}-{_MONTHS[month.lower()] if month else 1:02}-01"
    last = _MONTHS[last_month.lower()] if last_month else 12
    until = f"{last_year}-{last:02}-{calendar.monthrange(int(last_year), last)[1]:02}"
    return (since, until) if since <= until else None


def _year_off(day: str, years: int) -> str:
    return f"{int(day[:4]) + years:04}-{day[5:7]}-28"


if __name__ == "__main__":
    sys.exit(main())
