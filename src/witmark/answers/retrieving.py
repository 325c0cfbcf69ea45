"""Which notes may matter: found by their words and names, weighed by where they lie.

The order is fixed. The scope comes first, and nothing below leaves the one in use: neither
the search, nor a step along a relation, nor a vector. Then words and names; then one step
outwards from the best notes; then, if the question names a note, the graph around it; then
time. What is handed on is grouped by note, best first, in a total order.

``EVIDENCE_THRESHOLD`` decides whether what was found is anything at all. It is never
relaxed: a name that is not recognised is a fault of the names (``aliases.py``).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from witmark.answers import bm25, dense, nearness, ranking, scoping
from witmark.answers.asking import (
    AliasHit,
    Backend,
    Intent,
    MissDiagnostics,
    MissReason,
    QueryPlan,
    ResolvedScope,
    ScopeRequest,
)
from witmark.answers.atoms import DocumentId
from witmark.answers.candidates import Candidate
from witmark.answers.nearness import Graph
from witmark.answers.pack import Validity
from witmark.answers.ports import AtomNo, Embedder, Library
from witmark.answers.ranking import Found
from witmark.answers.terms import query_terms

EVIDENCE_THRESHOLD = 0.2
"""The least share of the question's information that an atom must hold to be evidence."""

LEAST_TOP_K, MOST_TOP_K = 1, 20
KEPT_PER_RESULT = 4
SEARCHED = 120
NEIGHBOURS_PER_SEED = 12


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What was found, and how.

    Attributes:
        candidates: Notes, best first, each at most once.
        scope: The scope that was searched; it says so if the one asked for was left.
        modes: What took part: ``keyword``, ``alias``, ``graph``, ``temporal``, ``vector``,
            ``planner_scope_recovery``.
        mode_weights: The greatest weight each part can have, sorted by name.
        coverage: The share of the question's information that the best candidate holds.
        anchors: The notes that the question names and the graph was walked from.
        miss: Why nothing was found, or ``NONE``.
    """

    candidates: tuple[Candidate, ...]
    scope: ResolvedScope
    modes: tuple[str, ...]
    mode_weights: tuple[tuple[str, float], ...]
    coverage: float
    anchors: tuple[DocumentId, ...]
    miss: MissDiagnostics


def retrieve(  # noqa: PLR0913  # the question, where, in what, and how
    plan: QueryPlan,
    scope: ResolvedScope,
    library: Library,
    graph: Graph,
    *,
    as_of: str,
    backend: Backend = Backend.LOCAL_HYBRID,
    top_k: int = 5,
    embedder: Embedder | None = None,
) -> Retrieval:
    """Find the notes that may answer a question.

    Args:
        plan: The planner's reading of it.
        scope: Where to look.
        library: The index.
        graph: The relations of the same library.
        as_of: The day asked about, ISO.
        backend: How candidates are found; all of them use names, variants and anchors.
        top_k: How many notes at most, brought within 1 to 20.
        embedder: For vectors; ``local_hybrid`` does without.

    Raises:
        EmbedderUnavailableError: ``local_vector`` was asked for and there is no embedder.
    """
    if backend is Backend.LOCAL_VECTOR and embedder is None:
        raise dense.EmbedderUnavailableError
    search = _Search(
        plan, library, graph, as_of, backend, min(max(top_k, LEAST_TOP_K), MOST_TOP_K), embedder
    )
    reason = scoping.miss_before_search(scope)
    if reason is not MissReason.NONE:
        return search.nothing(scope, reason)
    return search.run(scope)
