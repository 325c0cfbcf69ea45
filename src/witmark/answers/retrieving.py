"""Which notes may matter: found by their words and names, weighed by where they lie.

The order is fixed. The scope comes first, and nothing below leaves the one in use: neither
the search, nor a step along a relation, nor a vector. Then words and names; then, if a name
or a title tells what the question is about, one step outwards from the best notes; then, if
the question names a note, the graph around it; then time. What is handed on is grouped by
note, best first, in a total order.

``EVIDENCE_THRESHOLD`` decides whether what was found is anything at all. It is never
relaxed: a name that is not recognised is a fault of the names (``aliases.py``).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from witmark.answers import dense, figures, nearness, ranking, scoping
from witmark.answers.asking import (
    MOST_TOP_K,
    Backend,
    Intent,
    MissDiagnostics,
    MissReason,
    QueryPlan,
    ResolvedScope,
    ScopeRequest,
)
from witmark.answers.atoms import AtomId, DocumentId, KnowledgeAtom, atom_id
from witmark.answers.candidates import Candidate
from witmark.answers.dag import Dag
from witmark.answers.pack import Validity
from witmark.answers.pooling import Pool, Question
from witmark.answers.ports import AtomNo, Embedder, Library
from witmark.answers.ranking import Found
from witmark.answers.stubs import is_stub
from witmark.answers.terms import compact_key, query_terms
from witmark.answers.tongues import Tongues, translation_key, translations
from witmark.answers.validity import SUPERSEDED, Timeline, always_valid

EVIDENCE_THRESHOLD = 0.15
"""The least share of the question's information that an atom must hold to be evidence."""

KEPT_PER_RESULT = 4
SEARCHED = 120
NEIGHBOURS_PER_SEED = 12
NAMED_NOTES = 12
QUESTIONS_EMBEDDED = 4

Allowed = frozenset[AtomNo] | None
_BY_GRAPH = frozenset({Intent.LEARN, Intent.STILL_VALID})
_NAMED = 0.5  # surely enough to ask for that note


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
    dag: Dag,
    *,
    as_of: str,
    backend: Backend = Backend.LOCAL_HYBRID,
    top_k: int = 5,
    embedder: Embedder | None = None,
    timeline: Timeline | None = None,
) -> Retrieval:
    """Find the notes that may answer a question.

    Args:
        plan: The planner's reading of it.
        scope: Where to look.
        library: The index.
        dag: The relations of the same library.
        as_of: The day asked about, ISO.
        backend: How candidates are found; all of them use names, variants and anchors.
        top_k: How many notes at most, brought within 1 to 20.
        embedder: For vectors; ``local_hybrid`` does without.
        timeline: What the same library knows about time, if it is laid out already.

    Raises:
        EmbedderUnavailableError: ``local_vector`` was asked for and there is no embedder.
    """
    if backend is Backend.LOCAL_VECTOR and embedder is None:
        raise dense.EmbedderUnavailableError
    search = _Search(
        plan,
        _Desk(library, dag, timeline or Timeline.of(library), embedder),
        as_of=as_of,
        backend=backend,
        top_k=min(max(top_k, 1), MOST_TOP_K),
    )
    reason = scoping.miss_before_search(scope)
    if reason is not MissReason.NONE:
        return search.nothing(scope, reason)
    return search.run(scope)


@dataclass(frozen=True, slots=True)
class _Desk:
    """What a search looks things up in."""

    library: Library
    dag: Dag
    timeline: Timeline
    embedder: Embedder | None


class _Search:
    """One question on its way through one library."""

    def __init__(
        self, plan: QueryPlan, desk: _Desk, *, as_of: str, backend: Backend, top_k: int
    ) -> None:
        self.plan, self.as_of, self.backend, self.top_k = plan, as_of, backend, top_k
        self.library, self.dag, self.timeline = desk.library, desk.dag, desk.timeline
        # Relations between notes; the atoms of a note are one place.
        self.graph = desk.dag.notes
        self.embedder = desk.embedder
        self.day = date.fromisoformat(as_of).toordinal()
        self.question = Question(plan, desk.library)
        self.kept = KEPT_PER_RESULT * top_k
        self.tongues = Tongues(plan.language, desk.library)
        subjects = (compact_key(subject.text) for subject in plan.subjects)
        self.about = frozenset(key for key in subjects if len(key) > 1)

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
        if pool.evidence < EVIDENCE_THRESHOLD and not pool.is_named:
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
        allowed = self.library.in_scope(scope.request)
        notes = self._notes(scope.request, pool, allowed)
        self._in_one_language(notes, pool, allowed)
        self._number(notes)
        if self.backend is not Backend.KEYWORD_ONLY and self._has_anchor(notes, pool):
            self._expand(pool, notes, allowed)
            self._in_one_language(notes, pool, allowed)
            self._number(notes)
        anchors = self._anchors(notes, pool)
        self._place(notes, anchors)
        if self.plan.intent is Intent.COMPARE:
            ranking.put_first([notes[document] for document in anchors], notes.values())
        self._age(pool, notes, allowed)
        self._in_one_language(notes, pool, allowed)
        best = ranking.in_order(notes.values())[: self.top_k]
        return Retrieval(
            candidates=self._candidates(best, pool),
            scope=scope,
            modes=self._modes(scope),
            mode_weights=self._weights(),
            coverage=_coverage(best, pool),
            anchors=tuple(anchors),
            miss=scoping.diagnose(MissReason.NONE, scope, self.plan, self._titles()),
        )

    def _notes(
        self, request: ScopeRequest, pool: Pool, allowed: Allowed
    ) -> dict[DocumentId, Found]:
        """Group the best atoms by note, and add the notes that are named."""
        words = self._words(request, pool)
        roots = self.library.roots([*pool.names])
        self.tongues.learn((*words, *roots.values()))
        behind = {n: ranking.OTHER_LANGUAGE[self.tongues.rank((n,))] for n in words}
        best = sorted(words, key=lambda n: (behind[n] - words[n], n))[: self.kept]
        likely = sorted(
            roots, key=lambda d: (self.tongues.rank((roots[d],)), -pool.names[d], d)
        )[:NAMED_NOTES]
        named = {roots[d] for d in likely if allowed is None or roots[d] in allowed}
        notes = self._grouped({*best, *named}, words)
        for note in notes.values():
            note.add(ranking.of_name(pool.names.get(note.document_id, 0.0), note.words))
            note.add(ranking.of_spelling(self.plan, note.document_id))
        self._stubs(notes)
        self._headings(notes)
        return notes

    def _headings(self, notes: Mapping[DocumentId, Found]) -> None:
        """Notes with a section that asks the very question come forward.

        Unless it asks what a thing is that has a note of its name.
        """
        named = any(
            hit.strength >= _NAMED and "stub" not in notes[hit.document_id].features
            for hit in self.plan.alias_hits
            if hit.document_id in notes
        )
        if self.plan.intent in _BY_GRAPH or (named and self.plan.intent is Intent.WHAT):
            return
        headed = [note for note in notes.values() if "stub" not in note.features]
        paths = self.library.headings([number for note in headed for number in note.words])
        for note in headed:
            below = [paths[number] for number in note.words if number != note.root_no]
            note.add(ranking.of_headings(self.plan, note.document_id, below))

    def _stubs(self, notes: Mapping[DocumentId, Found]) -> None:
        """Of notes of one name those step back that only point to others."""
        named: dict[tuple[int, int], set[DocumentId]] = {}
        for hit in self.plan.alias_hits:
            if hit.document_id in notes:
                named.setdefault((hit.start, hit.end), set()).add(hit.document_id)
        for documents in named.values():
            if len(documents) > 1:
                read = [self.library.note(document) for document in sorted(documents)]
                stubs = [n.id for n in read if n is not None and is_stub(n.text)]
                for document in stubs if len(stubs) < len(documents) else ():
                    notes[document].add({"stub": -ranking.STUB})

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

    def _grouped(
        self, numbers: Iterable[AtomNo], words: Mapping[AtomNo, float]
    ) -> dict[DocumentId, Found]:
        homes = self.library.homes(sorted(numbers))
        roots = self.library.roots(sorted(set(homes.values())))
        notes = {d: Found(d, roots[d], {}) for d in sorted(roots)}
        for number, document in homes.items():
            notes[document].words[number] = words.get(number, 0.0)
        for note in notes.values():
            note.add(ranking.of_words(note.words))
        return notes

    # Languages -----------------------------------------------------------------------

    def _in_one_language(
        self, notes: dict[DocumentId, Found], pool: Pool, allowed: Allowed
    ) -> None:
        """Notes in other languages step back; of translations of one note one is kept."""
        self._translate(notes, pool, allowed)
        self.tongues.learn(n for note in notes.values() for n in (note.root_no, *note.words))
        rank = {d: self.tongues.rank((note.root_no, *note.words)) for d, note in notes.items()}
        covers: dict[str, float] = {}
        for document, note in notes.items():
            key = translation_key(document)
            if key and not rank[document]:
                beside = key.partition("*")[0]
                held = max((pool.covered.get(n, 0.0) for n in note.words), default=0.0)
                covers[beside] = max(covers.get(beside, 0.0), held)
        kept: dict[str, DocumentId] = {}
        for document in sorted(notes, key=lambda d: (rank[d], -notes[d].score, d)):
            key = translation_key(document)
            held = covers.get(key.partition("*")[0], 0.0)
            if rank[document]:
                yields = bool(key) and held >= ranking.OWN_COVERS
                notes[document].add(ranking.of_language(rank[document], yields=yields))
            if key and kept.setdefault(key, document) != document:
                del notes[document]

    def _translate(self, notes: dict[DocumentId, Found], pool: Pool, allowed: Allowed) -> None:
        """Take in the same notes in the question's language."""
        wanted = {
            sibling for d in notes for sibling in translations(d, self.plan.language)
        } - notes.keys()
        roots = self.library.roots(sorted(wanted)) if wanted else {}
        inside = [n for n in roots.values() if allowed is None or n in allowed]
        if inside:
            self._join(inside, pool, notes)

    def _number(self, notes: Mapping[DocumentId, Found]) -> None:
        """Tell notes of one name apart by the number that is asked for."""
        if not (asked := figures.numbers_of(self.plan.planner_query)):
            return
        roots = sorted(note.root_no for note in notes.values())
        for atom in self.library.atoms(roots):
            agrees = figures.agrees(asked, atom.document_title)
            notes[atom.document_id].add(ranking.of_number(agrees=agrees))

    # The graph -----------------------------------------------------------------------

    def _node(self, note: Found) -> int | None:
        """Where a note stands in the graph, if it has a relation."""
        nodes = self.graph.arrays.nodes
        at = int(nodes.searchsorted(note.root_no))
        return at if at < len(nodes) and int(nodes[at]) == note.root_no else None

    def _has_anchor(self, notes: Mapping[DocumentId, Found], pool: Pool) -> bool:
        """Whether it can be inferred what the question is about: by a name or by a title."""
        if ranking.anchors([(said, d) for d, said in pool.names.items() if d in notes]):
            return True
        asked = frozenset(query_terms(self.plan.planner_query))
        seeds = ranking.in_order(notes.values())[: ranking.SEEDS]
        titles = [
            root.document_title for root in self.library.atoms([n.root_no for n in seeds])
        ]
        return any(
            ranking.title_overlap(asked, frozenset(query_terms(title))) >= ranking.ANCHOR_LEAST
            for title in titles
        )

    def _expand(self, pool: Pool, notes: dict[DocumentId, Found], allowed: Allowed) -> None:
        """One step outwards from the best notes: what they are joined to may matter too."""
        seeds = ranking.in_order(notes.values())[: ranking.SEEDS]
        most = max((note.score for note in seeds), default=0.0) or 1.0
        best = self._best_of_notes(pool)
        lent: dict[int, float] = {}
        for seed in seeds:
            node = self._node(seed)
            joined = {} if node is None else nearness.neighbours(self.graph, node, self.day)
            value = ranking.lent(seed.score / most, len(joined))
            for other in _worth_reading(joined, best):
                lent[other] = max(lent.get(other, 0.0), value)
        numbers = {best[node][1] if node in best else self._root(node) for node in lent}
        self._join({n for n in numbers if allowed is None or n in allowed}, pool, notes)
        for note in notes.values():
            at = self._node(note)
            if at is not None and at in lent:
                note.add({"expansion": lent[at]})

    def _best_of_notes(self, pool: Pool) -> dict[int, tuple[float, AtomNo]]:
        """The best atom of every note that was found, by the note's place in the graph."""
        numbers = sorted(pool.words, key=lambda number: (pool.words[number], -number))
        places = self.dag.positions(numbers)
        note_of = self.dag.note_of
        return {
            int(note_of[places[number]]): (pool.words[number], number)
            for number in numbers
            if number in places
        }

    def _root(self, node: int) -> AtomNo:
        return AtomNo(int(self.graph.arrays.nodes[node]))

    def _join(
        self, numbers: Iterable[AtomNo], pool: Pool, notes: dict[DocumentId, Found]
    ) -> None:
        """Take in further atoms, and the notes that they belong to."""
        known = {number for note in notes.values() for number in note.words}
        for document, found in self._grouped(set(numbers) - known, pool.words).items():
            if document in notes:
                notes[document].words.update(found.words)
            else:
                notes[document] = found

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

    def _place(self, notes: Mapping[DocumentId, Found], anchors: Sequence[DocumentId]) -> None:
        """Weigh every note by how it lies to the anchors; without anchors, not at all."""
        nodes = {document: self._node(note) for document, note in notes.items()}
        placed = {document: node for document, node in nodes.items() if node is not None}
        start = [nodes[document] for document in anchors]
        near = nearness.near(self.graph, start, list(placed.values()), self.day)
        degrees = {d: nearness.degree(self.graph, node) for d, node in placed.items()}
        if not near.distance:
            return
        greatest = max(degrees.values())
        for document, node in placed.items():
            notes[document].add(ranking.of_graph(self.plan.intent, node, near))
            reachable = node in near.distance
            hub = ranking.of_hub(degrees[document], greatest, reachable=reachable)
            notes[document].add(hub)

    # Time ----------------------------------------------------------------------------

    def _age(self, pool: Pool, notes: dict[DocumentId, Found], allowed: Allowed) -> None:
        """What does not hold steps back, and what has replaced it comes before it."""
        replaced: dict[AtomId, float] = {}
        for note in notes.values():
            note.validity = self.timeline.validity(self._root_id(note), self.as_of)
            for newer in _newer(note.validity):
                replaced[newer] = max(replaced.get(newer, 0.0), note.score)
        numbers = self.library.numbers(sorted(replaced))
        inside = {a: n for a, n in numbers.items() if allowed is None or n in allowed}
        self._join(inside.values(), pool, notes)
        for note in notes.values():
            root = self._root_id(note)
            if note.validity is None:
                note.validity = self.timeline.validity(root, self.as_of)
            if root in replaced:
                note.add({"successor": max(0.0, replaced[root] - note.score)})
            if not note.validity.is_valid:
                note.add(ranking.of_time(self.plan.intent, note.validity))

    @staticmethod
    def _root_id(note: Found) -> AtomId:
        return atom_id(note.document_id, "")

    # Handing on ----------------------------------------------------------------------

    def _candidates(self, best: Sequence[Found], pool: Pool) -> tuple[Candidate, ...]:
        numbers = sorted({number for note in best for number in note.words})
        read = dict(zip(numbers, self.library.atoms(numbers), strict=True))
        return tuple(self._candidate(note, pool, read) for note in best)

    def _candidate(
        self, note: Found, pool: Pool, read: Mapping[AtomNo, KnowledgeAtom]
    ) -> Candidate:
        named = note.document_id in pool.names and bool(pool.rest)
        within = pool.rest if named else note.words
        numbers = sorted(note.words)
        atoms = {number: read[number] for number in numbers}
        lifted = {
            number: within.get(number, 0.0) + ranking.lift(self.plan.intent, atom, self.about)
            for number, atom in atoms.items()
        }
        best = sorted(numbers, key=lambda one: (-lifted[one], -note.words[one], atoms[one].id))
        return Candidate(
            document_id=note.document_id,
            atom_nos=tuple(best),
            atoms=tuple(atoms[number] for number in best),
            root_no=note.root_no,
            score=note.score,
            features=tuple(sorted(note.features.items())),
            validity=note.validity or always_valid(self.as_of),
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


def _worth_reading(
    joined: Mapping[int, float], best: Mapping[int, tuple[float, AtomNo]]
) -> list[int]:
    """A note's neighbours: those whose words match best, then the surest."""
    nothing = (0.0, AtomNo(0))
    order = sorted(joined, key=lambda node: (-best.get(node, nothing)[0], -joined[node], node))
    return order[:NEIGHBOURS_PER_SEED]


def _newer(validity: Validity) -> list[AtomId]:
    """The notes that have replaced this one."""
    return [detail.other_atom_id for detail in validity.details if detail.reason == SUPERSEDED]


def _reason(pool: Pool) -> MissReason:
    if not pool.words and not pool.names:
        return MissReason.QUERY_NO_TITLE_OR_ALIAS_HIT
    return MissReason.RETRIEVAL_CANDIDATES_BELOW_THRESHOLD


def _coverage(best: Sequence[Found], pool: Pool) -> float:
    if not best:
        return 0.0
    first = best[0]
    held = [pool.covered.get(number, 0.0) for number in first.words]
    return max(*held, pool.names.get(first.document_id, 0.0))
