"""Which notes may matter: found by their words and names, weighed by where they lie.

The order is fixed. The scope comes first, and nothing below leaves the one in use: neither
the search, nor a step along a relation, nor a vector. Then words and names; then one step
outwards from the best notes; then, if the question names a note, the graph around it; then
time. What is handed on is grouped by note, best first, in a total order.

``EVIDENCE_THRESHOLD`` decides whether what was found is anything at all. It is never
relaxed: a name that is not recognised is a fault of the names (``aliases.py``).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from witmark.answers import dense, nearness, ranking, scoping
from witmark.answers.asking import (
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
from witmark.answers.pooling import Pool, Question
from witmark.answers.ports import AtomNo, Embedder, Library
from witmark.answers.ranking import Found

EVIDENCE_THRESHOLD = 0.15
"""The least share of the question's information that an atom must hold to be evidence."""

LEAST_TOP_K, MOST_TOP_K = 1, 20
KEPT_PER_RESULT = 4
SEARCHED = 120
NEIGHBOURS_PER_SEED = 12
QUESTIONS_EMBEDDED = 4


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


class _Search:
    """One question on its way through one library."""

    def __init__(  # noqa: PLR0913, PLR0917  # as in ``retrieve``
        self,
        plan: QueryPlan,
        library: Library,
        graph: Graph,
        as_of: str,
        backend: Backend,
        top_k: int,
        embedder: Embedder | None,
    ) -> None:
        self.plan, self.library, self.graph, self.as_of = plan, library, graph, as_of
        self.backend, self.top_k, self.embedder = backend, top_k, embedder
        self.day = date.fromisoformat(as_of).toordinal()
        self.question = Question(plan, library)
        self.kept = KEPT_PER_RESULT * top_k

    def run(self, scope: ResolvedScope) -> Retrieval:
        """Look in the scope, and elsewhere if that is allowed and says more."""
        pool = self._pool(scope.request)
        if scoping.may_be_left(scope):
            everywhere = self.question.names(ScopeRequest())
            better = [
                document
                for document, said in sorted(
                    everywhere.items(), key=lambda one: (-one[1], one[0])
                )
                if said > pool.evidence and said >= EVIDENCE_THRESHOLD
            ]
            if better:
                scope = scoping.recovered(scope, _reason(pool), better, self.library)
                pool = self._pool(scope.request)
        if pool.evidence < EVIDENCE_THRESHOLD:
            return self.nothing(scope, _reason(pool))
        return self._ranked(scope, pool)

    def _pool(self, request: ScopeRequest) -> Pool:
        return self.question.pool(request, limit=max(SEARCHED, 2 * self.kept))

    def nothing(self, scope: ResolvedScope, reason: MissReason) -> Retrieval:
        """Say that nothing was found, and which notes elsewhere bear the name."""
        miss = scoping.diagnose(reason, scope, self.plan, self._titles())
        return Retrieval((), scope, self._modes(scope), self._weights(), 0.0, (), miss)

    # From atoms to notes -------------------------------------------------------------

    def _ranked(self, scope: ResolvedScope, pool: Pool) -> Retrieval:
        notes = self._notes(scope.request, pool)
        for note in notes.values():
            note.add(ranking.of_words(note.words))
            note.add({"alias": ranking.ALIAS * pool.names.get(note.document_id, 0.0)})
        if self.backend is not Backend.KEYWORD_ONLY:
            self._expand(scope.request, pool, notes)
        anchors = self._anchors(notes, pool)
        self._place(scope.request, notes, anchors)
        validities = {document: self._validity(note) for document, note in notes.items()}
        for document, note in notes.items():
            note.add(ranking.of_time(self.plan.intent, validities[document]))
        best = ranking.in_order(notes.values())[: self.top_k]
        return Retrieval(
            candidates=tuple(self._candidate(n, pool, validities[n.document_id]) for n in best),
            scope=scope,
            modes=self._modes(scope),
            mode_weights=self._weights(),
            coverage=_coverage(best, pool),
            anchors=tuple(anchors),
            miss=scoping.diagnose(MissReason.NONE, scope, self.plan, self._titles()),
        )

    def _notes(self, request: ScopeRequest, pool: Pool) -> dict[DocumentId, Found]:
        """Read the best atoms, and the roots of the notes that are named."""
        words = self._words(request, pool)
        best = sorted(words, key=lambda number: (-words[number], number))[: self.kept]
        roots = self.library.roots(sorted(pool.names))
        return self._read({*best, *roots.values()}, words)

    def _words(self, request: ScopeRequest, pool: Pool) -> dict[AtomNo, float]:
        """What each atom has for its words, for its vector, or for both."""
        if self.embedder is None or self.backend is Backend.KEYWORD_ONLY:
            return dict(pool.words)
        questions = (self.plan.question, *self.plan.query_variants)[:QUESTIONS_EMBEDDED]
        only = self.backend is Backend.LOCAL_VECTOR
        numbers = self._every(request) if only else sorted(pool.words)
        atoms = dict(zip(numbers, self.library.atoms(numbers), strict=True))
        vectors = dense.scaled(dense.similarities(questions, atoms, self.embedder))
        return vectors if only else dense.mixed(pool.words, vectors)

    def _every(self, request: ScopeRequest) -> list[AtomNo]:
        documents = [document for document, _ in self.library.titles()]
        allowed = self.library.in_scope(scoping.within(request, documents))
        return sorted(allowed or ())

    def _read(
        self, numbers: Iterable[AtomNo], words: Mapping[AtomNo, float]
    ) -> dict[DocumentId, Found]:
        wanted = sorted(numbers)
        atoms = self.library.atoms(wanted)
        roots = self.library.roots(sorted({atom.document_id for atom in atoms}))
        notes: dict[DocumentId, Found] = {}
        for number, atom in zip(wanted, atoms, strict=True):
            document = atom.document_id
            note = notes.setdefault(document, Found(document, roots[document], {}, {}))
            note.atoms[number] = atom
            note.words[number] = words.get(number, 0.0)
        return notes

    # The graph -----------------------------------------------------------------------

    def _nodes(self, request: ScopeRequest, document: DocumentId) -> list[int]:
        """Where every atom of a note stands, as far as the scope allows it."""
        numbers = self.library.in_scope(scoping.within(request, (document,)))
        return nearness.positions(self.graph.arrays, sorted(numbers or ()))

    def _expand(
        self, request: ScopeRequest, pool: Pool, notes: dict[DocumentId, Found]
    ) -> None:
        """One step outwards from the best notes: what they are joined to may matter too."""
        seeds = ranking.in_order(notes.values())[: ranking.SEEDS]
        most = max((note.score for note in seeds), default=0.0) or 1.0
        lent: dict[AtomNo, float] = {}
        for seed in seeds:
            joined = nearness.neighbours(
                self.graph, self._nodes(request, seed.document_id), self.day
            )
            value = ranking.lent(seed.score / most, len(joined))
            for number in self._worth_reading(joined, pool):
                lent[number] = max(lent.get(number, 0.0), value)
        self._join(request, self._read(lent, pool.words), notes)
        for note in notes.values():
            note.add({"expansion": max((lent.get(n, 0.0) for n in note.atoms), default=0.0)})

    def _worth_reading(self, joined: Mapping[int, float], pool: Pool) -> list[AtomNo]:
        """A seed's neighbours: those whose words match best, then the surest."""
        names = self.graph.arrays.nodes
        numbered = [(AtomNo(int(names[node])), sure) for node, sure in joined.items()]
        numbered.sort(key=lambda one: (-pool.words.get(one[0], 0.0), -one[1], one[0]))
        return [number for number, _ in numbered[:NEIGHBOURS_PER_SEED]]

    def _join(
        self,
        request: ScopeRequest,
        more: Mapping[DocumentId, Found],
        notes: dict[DocumentId, Found],
    ) -> None:
        """Take in further notes and atoms, those outside the scope excepted."""
        allowed = self.library.in_scope(scoping.within(request, sorted(more)))
        for document, found in sorted(more.items()):
            atoms = {n: a for n, a in found.atoms.items() if allowed is None or n in allowed}
            if not atoms:
                continue
            if document not in notes:
                notes[document] = Found(document, found.root_no, {}, {})
                notes[document].add(ranking.of_words({n: found.words[n] for n in atoms}))
            note = notes[document]
            for number in atoms.keys() - note.atoms.keys():
                note.atoms[number] = atoms[number]
                note.words[number] = found.words[number]

    def _anchors(self, notes: Mapping[DocumentId, Found], pool: Pool) -> list[DocumentId]:
        """The notes the question names; of a comparison the best of every side."""
        named = {d: notes[d].score for d in sorted(pool.names) if d in notes}
        if self.plan.intent is not Intent.COMPARE:
            return ranking.anchors([(score, document) for document, score in named.items()])
        sides = []
        for subject in self.plan.subjects:
            here = [
                (named[h.document_id], h.document_id)
                for h in subject.hits
                if h.document_id in named
            ]
            sides += ranking.anchors(here)[:1]
        return list(dict.fromkeys(sides))[: ranking.ANCHORS]

    def _place(
        self,
        request: ScopeRequest,
        notes: Mapping[DocumentId, Found],
        anchors: Sequence[DocumentId],
    ) -> None:
        """Weigh every note by how it lies to the anchors; without anchors, not at all."""
        if not anchors:
            return
        start = [node for document in anchors for node in self._nodes(request, document)]
        near = nearness.near(self.graph, start, self.day)
        placed = {
            document: nearness.positions(self.graph.arrays, [note.root_no, *note.atoms])
            for document, note in notes.items()
        }
        degrees = {
            document: max((nearness.degree(self.graph, node) for node in nodes), default=0)
            for document, nodes in placed.items()
        }
        greatest = max(degrees.values(), default=0)
        for document, note in notes.items():
            nodes = placed[document]
            note.add(ranking.of_graph(self.plan.intent, nodes, near))
            reachable = document in anchors or any(node in near.distance for node in nodes)
            note.add(ranking.of_hub(degrees[document], greatest, reachable=reachable))

    # Handing on ----------------------------------------------------------------------

    def _validity(self, note: Found) -> Validity:
        return Validity(True, self.as_of, (), ())

    def _candidate(self, note: Found, pool: Pool, validity: Validity) -> Candidate:
        named = note.document_id in pool.names and bool(pool.rest)
        within = pool.rest if named else note.words
        lifted = {
            number: within.get(number, 0.0) + ranking.lift(self.plan.intent, atom)
            for number, atom in note.atoms.items()
        }
        best = sorted(
            note.atoms,
            key=lambda number: (-lifted[number], -note.words[number], note.atoms[number].id),
        )
        return Candidate(
            document_id=note.document_id,
            atom_nos=tuple(best),
            atoms=tuple(note.atoms[number] for number in best),
            root_no=note.root_no,
            score=note.score,
            features=tuple(sorted(note.features.items())),
            validity=validity,
        )

    def _titles(self) -> list[DocumentId]:
        return list(dict.fromkeys(hit.document_id for hit in self.plan.alias_hits))

    def _modes(self, scope: ResolvedScope) -> tuple[str, ...]:
        modes = ["keyword", "alias", "graph", "temporal"]
        if self.embedder is not None and self.backend is not Backend.KEYWORD_ONLY:
            modes.append("vector")
        if self.backend is Backend.LOCAL_VECTOR:
            modes.remove("keyword")
        if scope.recovery is not None:
            modes.append("planner_scope_recovery")
        return tuple(modes)

    def _weights(self) -> tuple[tuple[str, float], ...]:
        dense_share = 0.0
        if self.embedder is not None and self.backend is not Backend.KEYWORD_ONLY:
            dense_share = 1.0 if self.backend is Backend.LOCAL_VECTOR else dense.VECTOR_SHARE
        return (
            ("graph", ranking.GRAPH_MOST),
            ("keyword", 1.0 - dense_share),
            ("memory", 0.0),
            ("semantic", ranking.ALIAS),
            ("temporal", ranking.TIME_MOST),
            ("vector", dense_share),
        )


def _reason(pool: Pool) -> MissReason:
    if not pool.words and not pool.names:
        return MissReason.QUERY_NO_TITLE_OR_ALIAS_HIT
    return MissReason.RETRIEVAL_CANDIDATES_BELOW_THRESHOLD


def _coverage(best: Sequence[Found], pool: Pool) -> float:
    if not best:
        return 0.0
    first = best[0]
    held = [pool.covered.get(number, 0.0) for number in first.atoms]
    return max(*held, pool.names.get(first.document_id, 0.0))
