"""The plan of an answer: what is asked, about what, and in which spellings to look for it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, Protocol

from witmark.answers.aliases import Names, find_names, surfaces
from witmark.answers.asking import AliasHit, AliasRule, Intent, QueryPlan, Subject
from witmark.answers.atoms import Document, DocumentId
from witmark.answers.framing import Stretch
from witmark.answers.intent import Reading, read_question
from witmark.answers.languages import UNDETERMINED, language_of_path
from witmark.answers.normalising import normal_text
from witmark.answers.redirecting import with_targets
from witmark.answers.spans import LATIN_WORDS
from witmark.answers.terms import compact_key, joined_terms, normal_words, query_terms

TITLE_LENGTH: Final = 40
"""A spelling longer than this, in code points, is not taken for a title."""

_SURE: Final = 0.45  # weaker names may be found, but do not widen the search
_NAMED_NOTES: Final = 6  # whose other names widen the search
_MOST_VARIANTS: Final = 24
_JOINED: Final = (2,)
"""How many words of a short question are joined; a longer one is prose, where joined words
only match by accident (Cranfield loses 0.4 points of nDCG)."""


class NamedNotes(Names, Protocol):
    """The part of a library that the planner reads."""

    def note(self, document_id: DocumentId) -> Document | None:
        """Return a note, be it without its atoms, or ``None``."""


def plan(question: str, library: NamedNotes) -> QueryPlan:
    """Plan the answer to a question, from its words and the names in the library alone."""
    reading = read_question(question)
    hits = find_names(question, library, reading=reading)
    if reading.intent is Intent.COMPARE:
        reading, hits = _with_whole_names(question, library, reading, hits)
    hits = with_targets(_as_asked_first(question, reading.language, hits), library)
    subjects = _subjects(reading, hits)
    variants = tuple(dict.fromkeys(_variants(reading, hits, library)))[:_MOST_VARIANTS]
    return QueryPlan(
        question=question,
        normalized=normal_text(question).strip(),
        planner_query=reading.content_text,
        intent=reading.intent,
        language=_language(question, reading, hits),
        query_tokens=_tokens(reading, variants),
        query_variants=variants,
        title_like_queries=tuple(one for one in variants if len(one) <= TITLE_LENGTH),
        subjects=subjects,
        alias_hits=hits,
    )


def _language(question: str, reading: Reading, hits: Sequence[AliasHit]) -> str:
    """Nothing but a name in pinyin is a question in Chinese."""
    is_name = compact_key(reading.content_text) == compact_key(question)
    is_pinyin = bool(hits) and hits[0].rule is AliasRule.PINYIN
    return "zh" if is_name and is_pinyin else reading.language


def _with_whole_names(
    question: str, library: NamedNotes, reading: Reading, hits: tuple[AliasHit, ...]
) -> tuple[Reading, tuple[AliasHit, ...]]:
    """Part the sides of a comparison elsewhere than inside a name, if they can be parted."""
    names = [(hit.start, hit.end) for hit in hits]
    careful = read_question(question, names=names)
    if len(careful.sides) < 2 or careful == reading:
        return reading, hits
    return careful, find_names(question, library, reading=careful)


def _as_asked_first(
    question: str, language: str, hits: Sequence[AliasHit]
) -> tuple[AliasHit, ...]:
    """Of notes that are named as surely, those first in the question's language and script."""
    near = {language, UNDETERMINED}

    def order(hit: AliasHit) -> tuple[float, int, bool, bool, str]:
        is_foreign = language_of_path(hit.document_id) not in near
        return (
            -hit.strength,
            hit.start,
            is_foreign,
            not is_spelled_so(question, hit),
            hit.document_id,
        )

    return tuple(sorted(hits, key=order))


def is_spelled_so(question: str, hit: AliasHit) -> bool:
    """Whether a name stands in a question letter for letter: in one script, in one spacing."""
    return hit.surface.casefold() in question.casefold()


def _subjects(reading: Reading, hits: Sequence[AliasHit]) -> tuple[Subject, ...]:
    if reading.sides:
        return tuple(Subject(side.text, _within(hits, side)) for side in reading.sides)
    return (Subject(reading.content_text, tuple(hits)),)


def _within(hits: Iterable[AliasHit], side: Stretch) -> tuple[AliasHit, ...]:
    return tuple(hit for hit in hits if side.start <= hit.start and hit.end <= side.end)


def _variants(reading: Reading, hits: Sequence[AliasHit], library: NamedNotes) -> Iterator[str]:
    """Yield every spelling to look for: as asked, then the other names of what was named."""
    for piece in reading.sides or reading.content:
        yield from _spellings(piece.text)
    named = dict.fromkeys(hit.document_id for hit in hits if hit.strength >= _SURE)
    near = {reading.language, UNDETERMINED}
    in_order = sorted(named, key=lambda document: language_of_path(document) not in near)
    for document_id in in_order[:_NAMED_NOTES]:
        note = library.note(document_id)
        if note is not None:
            for name in surfaces(note.id, note.title, note.stem, note.aliases):
                yield from _spellings(name)


def _spellings(name: str) -> Iterator[str]:
    words = normal_words(name)
    if words:
        yield " ".join(words)
        yield "".join(words)


def _tokens(reading: Reading, variants: Sequence[str]) -> tuple[str, ...]:
    """Tokens of the question and of every spelling, each once, in order."""
    asked = reading.content_text
    could_be_a_name = len(normal_words(asked)) <= LATIN_WORDS
    joined = joined_terms(asked, _JOINED) if could_be_a_name else []
    found = chain(query_terms(asked), joined, *map(query_terms, variants))
    return tuple(dict.fromkeys(found))
