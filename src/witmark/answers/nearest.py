"""The titles that come nearest to a question which the notes do not answer."""

from witmark.answers import bm25
from witmark.answers.asking import QueryPlan, ScopeRequest
from witmark.answers.atoms import DocumentId
from witmark.answers.ports import Library
from witmark.answers.titles import title_in

_LOOKED_AT = 40


def nearest_titles(
    plan: QueryPlan, scope: ScopeRequest, library: Library, *, most: int
) -> tuple[str, ...]:
    """Return titles of notes in scope, best first: those named, then those with its words.

    They are offered, not cited: nothing says that they answer anything.
    """
    allowed = library.in_scope(scope)
    roots = library.roots(list(dict.fromkeys(hit.document_id for hit in plan.alias_hits)))
    named = [number for number in roots.values() if allowed is None or number in allowed]
    atoms = [*library.atoms(named)]
    hits = library.search(plan.query_tokens, scope, limit=_LOOKED_AT)
    state = library.state()
    frequencies = library.frequencies(plan.query_tokens)
    scores = bm25.score(hits, bm25.rarities(plan.query_tokens, frequencies, state), state)
    best = sorted(scores, key=lambda number: (-scores[number], number))
    atoms += library.atoms(best[: 4 * most])
    titles: dict[str, DocumentId] = {}
    for atom in atoms:
        if atom.document_title:
            titles.setdefault(atom.document_title, atom.document_id)
    nearest = list(titles.items())[:most]
    return tuple(dict.fromkeys(_shown(plan, title, note, library) for title, note in nearest))


def _shown(plan: QueryPlan, title: str, note: DocumentId, library: Library) -> str:
    document = library.document(note)
    names = document.aliases if document is not None else ()
    return title_in(plan.language, title, names, note)
