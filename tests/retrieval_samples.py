"""A small workspace and questions about it, made by hand: the planner is somebody else's."""

from dataclasses import replace

from witmark.answers.asking import (
    AliasHit,
    AliasRule,
    Intent,
    QueryPlan,
    Subject,
)
from witmark.answers.ports import Change
from witmark.answers.terms import atom_terms, query_terms
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.noting import note as plain_note


def note(path, *sections, **facts):
    """A note whose tokens are those that the real analyser makes."""
    made = plain_note(path, *sections, **facts)
    terms = tuple(atom_terms((atom.title,), atom.content.text) for atom in made.document.atoms)
    return replace(made, terms=terms)


def library_of(*records, failures=()):
    """A library in memory."""
    library = MemoryLibrary()
    library.apply(Change(upserted=tuple(records), failures=tuple(failures)))
    return library


def asked(question, names=None, *, intent=Intent.GENERIC, variants=(), content=None):
    """A plan; ``names`` are the words of the question that name a note, and which."""
    hits = tuple(_hit(question, words, path) for words, path in (names or {}).items())
    content = content or question
    tokens = [*query_terms(question), *(t for text in variants for t in query_terms(text))]
    subjects = tuple(Subject(h.surface, (h,)) for h in hits) or (Subject(content, ()),)
    return QueryPlan(
        question=question,
        normalized=question.lower(),
        planner_query=content,
        intent=intent,
        language="en",
        query_tokens=tuple(dict.fromkeys(tokens)),
        query_variants=tuple(variants),
        title_like_queries=tuple(variants),
        subjects=subjects,
        alias_hits=hits,
    )


def _hit(question, words, path):
    start = question.index(words)
    return AliasHit(path, words, AliasRule.EXACT, 1.0, start, start + len(words))
