"""The titles that come nearest to a question which the notes do not answer."""

from collections.abc import Iterator, Sequence
from typing import Final

from witmark.answers import bm25
from witmark.answers.asking import QueryPlan, ScopeRequest
from witmark.answers.atoms import KnowledgeAtom
from witmark.answers.ports import AtomNo, Library
from witmark.answers.terms import compact_key
from witmark.answers.titles import title_in
from witmark.answers.tongues import Tongues, translation_key

_LOOKED_AT: Final = 40
_ALIKE: Final = 72.0  # of 100; "kuberntes" and "Kubernetes" have 95, two strangers 30 to 50
_SHORTEST: Final = 4  # letters; shorter words are alike by accident


def nearest_titles(
    plan: QueryPlan, scope: ScopeRequest, library: Library, *, most: int
) -> tuple[str, ...]:
    """Return titles of notes in scope, best first: those named, then those with its words.

    Where no word is known, those spelled much like what is asked for; maybe none. Titles in
    the question's language come first, and of translations one. They are offered, not cited:
    nothing says that they answer anything.
    """
    numbers = _named(plan, scope, library)
    numbers += _with_its_words(plan, scope, library, most=4 * most)
    numbers = numbers or _spelled_alike(plan, scope, library, most=most)
    tongues = Tongues(plan.language, library)
    tongues.learn(numbers)
    numbers = sorted(numbers, key=lambda number: tongues.rank((number,)))
    atoms = [atom for atom in library.atoms(numbers) if atom.document_title]
    titles: dict[str, str] = {}
    for title in _shown(plan, atoms, library):
        titles.setdefault(compact_key(title), title)
        if len(titles) == most:
            break
    return tuple(titles.values())


def _named(plan: QueryPlan, scope: ScopeRequest, library: Library) -> list[AtomNo]:
    allowed = library.in_scope(scope)
    roots = library.roots(list(dict.fromkeys(hit.document_id for hit in plan.alias_hits)))
    return [number for number in roots.values() if allowed is None or number in allowed]


def _with_its_words(
    plan: QueryPlan, scope: ScopeRequest, library: Library, *, most: int
) -> list[AtomNo]:
    hits = library.search(plan.query_tokens, scope, limit=_LOOKED_AT)
    state = library.state()
    frequencies = library.frequencies(plan.query_tokens)
    scores = bm25.score(hits, bm25.rarities(plan.query_tokens, frequencies, state), state)
    return sorted(scores, key=lambda number: (-scores[number], number))[:most]


def _spelled_alike(
    plan: QueryPlan, scope: ScopeRequest, library: Library, *, most: int
) -> list[AtomNo]:
    asked = compact_key(plan.planner_query)
    if len(asked) < _SHORTEST:
        return []
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # rarely needed, and 70 ms

    keys = {document: compact_key(title) for document, title in library.titles()}
    near = process.extract(asked, keys, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=None)
    best = sorted(near, key=lambda one: (-one[1], one[2]))
    roots, allowed = library.roots([document for *_, document in best]), library.in_scope(scope)
    inside = [roots[document] for *_, document in best if document in roots]
    return [number for number in inside if allowed is None or number in allowed][:most]


def _shown(plan: QueryPlan, atoms: Sequence[KnowledgeAtom], library: Library) -> Iterator[str]:
    """What the notes are called in the question's language; of translations the first."""
    seen: set[str] = set()
    for atom in atoms:
        note = translation_key(atom.document_id) or atom.document_id
        if note in seen:
            continue
        seen.add(note)
        document = library.note(atom.document_id)
        names = document.aliases if document is not None else ()
        yield title_in(plan.language, atom.document_title, names, atom.document_id)
