"""What you can ask of this desk.

An ask runs in one fixed order: plan, scope, retrieve, place in the graph, compose, review,
publish. Scope comes before the graph, so nothing outside it is ever reached; the graph comes
before the words, so that they can follow it; and what is published is what the gates let
through. Every ask leaves a record.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from witmark.answers import focus, gates, memory, release, runs, scoping, sessions
from witmark.answers import plain_fields as fields
from witmark.answers.answer import (
    AnswerTrace,
    Citation,
    Draft,
    EvidencePane,
    KnowledgePoint,
    PublicAnswer,
    PublicSentence,
    ReleaseReview,
)
from witmark.answers.arrays import no_edges
from witmark.answers.asking import Backend, MissReason, QueryPlan, ScopeRequest
from witmark.answers.atoms import AtomId
from witmark.answers.budget import budget_for
from witmark.answers.composing import abstention
from witmark.answers.context_records import action_to_plain, memory_to_plain
from witmark.answers.dag import Dag
from witmark.answers.focus import FocusResult
from witmark.answers.focus_reports import diagnostics_to_plain, focus_report
from witmark.answers.focus_targets import target_of_payload
from witmark.answers.graph_pack import assemble
from witmark.answers.nearest import nearest_titles
from witmark.answers.pack import GraphContextPack
from witmark.answers.plain import Plain
from witmark.answers.plain_fields import Fields
from witmark.answers.planning import plan
from witmark.answers.ports import Composer, Embedder, Library, RunShelf
from witmark.answers.responding import Asked, query_plain
from witmark.answers.retrieving import Retrieval, retrieve
from witmark.answers.showing import points_of
from witmark.answers.source_paths import Sources
from witmark.answers.validity import Timeline
from witmark.kernel.errors import IntegrityError, OutsideError
from witmark.kernel.store import BlobStore

NEAREST_TITLES = 3
"""Titles offered when the notes do not tell."""


@dataclass(frozen=True, slots=True)
class AnswersDesk:
    """Everything an answer needs; built once at the door, passed in whole.

    Attributes:
        workspace: The workspace's name, for people.
        library: Its index.
        dag: Its graph, built once per generation of the library.
        blobs: Keeps every source that was cited, as it was.
        shelf: Keeps runs and sessions.
        composer: Words the draft.
        embedder: For the dense backend, if there is one.
        timeline: What the library knows of time, laid out once per generation; without it
            each answer lays that out for itself.
    """

    workspace: str
    library: Library
    dag: Callable[[], Dag]
    blobs: BlobStore
    shelf: RunShelf
    composer: Composer
    embedder: Embedder | None = None
    timeline: Callable[[], Timeline] | None = None

    def time(self) -> Timeline:
        """What the library knows of time."""
        return self.timeline() if self.timeline else Timeline.of(self.library)


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and the circumstances in which it is asked.

    Attributes:
        message: In any words.
        as_of: ISO date on which the answer is to hold.
        scope: Where to look; empty for wherever the session is.
        active_target: The folder that is open, if any.
        top_k: Notes to find, 1 to 20.
        backend: How.
        session_id: The session, or empty for none.
        user_id: Who asks, or empty.
        persist_memory: Whether the session may remember this.
        memory_namespace: Whose memory.
        asked_on: ISO date of the ask, where it is not ``as_of``.
    """

    message: str
    as_of: str
    scope: ScopeRequest = field(default_factory=ScopeRequest)
    active_target: str = ""
    top_k: int = 8
    backend: Backend = Backend.LOCAL_HYBRID
    session_id: str = ""
    user_id: str = ""
    persist_memory: bool = False
    memory_namespace: str = "default"
    asked_on: str = ""

    @property
    def day(self) -> str:
        """ISO date of the ask."""
        return self.asked_on or self.as_of


def answer_question(question: Question, desk: AnswersDesk) -> Asked:
    """Answer from the workspace, or say plainly that the notes do not tell.

    The composer sees the pack and nothing else, so whatever it cites can be checked against
    the pack afterwards. A sentence that fails the review is taken out and kept in the trace.
    The sources that are cited are kept as they are now, and the run is recorded.

    Raises:
        EmbedderUnavailableError: the dense backend was asked for and there is none.
        OutsideError: the disk refuses, or no provider could compose.

    Source: clauses ANS-SCOPE-01, ANS-PUB-01 to ANS-PUB-07, ANS-RUN-01.
    """
    asked = plan(question.message, desk.library)
    _, session = sessions.read_session(desk.shelf, question.session_id)
    graph, timeline = _around(desk)
    stored_target = fields.text(session, "activeTarget")
    found = _found(question, asked, desk, (graph, timeline), stored_target)
    pack = assemble(
        asked,
        found.candidates,
        desk.library,
        graph.dag,
        as_of=question.as_of,
        budget=budget_for(asked.intent),
        scope_mask=_mask(found.scope.request, desk.library, graph),
        timeline=timeline,
        graph_fault=graph.fault,
    )
    draft = _drafted(asked, found, pack, desk)
    review = release.review(asked, pack, draft)
    said = _Said(question, asked, found, pack, draft, review)
    return said.published(desk, sessions.memories_of(session))


def _drafted(
    asked: QueryPlan, found: Retrieval, pack: GraphContextPack, desk: AnswersDesk
) -> Draft:
    """What the composer says, or that the notes do not tell where it has nothing to say."""
    draft = desk.composer.compose(asked, pack) if found.candidates else Draft(())
    return draft if draft.sentences else _abstaining(asked, found, desk.library)


def _abstaining(asked: QueryPlan, found: Retrieval, library: Library) -> Draft:
    return Draft((abstention(asked, _nearest(asked, found, library), found.miss.reason),))


def _nearest(asked: QueryPlan, found: Retrieval, library: Library) -> tuple[str, ...]:
    """Titles to offer; of a workspace that is not here there are none."""
    if found.miss.reason in _NOT_HERE:
        return ()
    return nearest_titles(asked, found.scope.request, library, most=NEAREST_TITLES)


_NOT_HERE = (MissReason.WORKSPACE_NOT_FOUND, MissReason.WORKSPACE_UNBOUND)


@dataclass(frozen=True, slots=True)
class _Graph:
    """The graph, or why there is none: a broken graph costs an answer its order only."""

    dag: Dag | None
    fault: str = ""


def _around(desk: AnswersDesk) -> tuple[_Graph, Timeline]:
    """What relations and time say; where one cannot be read, an answer does without both.

    Orders that rest on notes which may have expired would be no better than none.
    """
    try:
        graph = _Graph(desk.dag())
    except (OutsideError, IntegrityError) as error:
        graph = _Graph(None, error.code)
    try:
        return graph, desk.time()
    except (OutsideError, IntegrityError) as error:
        return _Graph(None, graph.fault or error.code), Timeline.unreadable()


def _mask(scope: ScopeRequest, library: Library, graph: _Graph) -> npt.NDArray[np.bool_] | None:
    """Which nodes of the graph are in scope; ``None`` for all of them."""
    allowed = library.in_scope(scope)
    if allowed is None or graph.dag is None:
        return None
    return np.isin(graph.dag.arrays.nodes, np.fromiter(allowed, np.int64, len(allowed)))


def _found(
    question: Question,
    asked: QueryPlan,
    desk: AnswersDesk,
    around: tuple[_Graph, Timeline],
    stored_target: str,
) -> Retrieval:
    graph, timeline = around
    here = scoping.Surroundings(desk.workspace, stored_target)
    scope = scoping.resolve(question.scope, question.active_target, desk.library, asked, here)
    return retrieve(
        asked,
        scope,
        desk.library,
        graph.dag or Dag(no_edges()),
        as_of=question.as_of,
        backend=question.backend,
        top_k=question.top_k,
        embedder=desk.embedder,
        timeline=timeline,
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """A reviewed draft on its way to the reader."""

    question: Question
    plan: QueryPlan
    found: Retrieval
    pack: GraphContextPack
    draft: Draft
    review: ReleaseReview

    def published(self, desk: AnswersDesk, remembered: tuple[memory.Memory, ...]) -> Asked:
        """Cite, judge, record; the order in which a crash costs least."""
        published = self._sayable(desk.library)
        citations = release.cite(
            self.review, self.draft, titles=self._titles(), scores=self._scores()
        )
        public = self._public(published, citations)
        cards = memory.review_cards(
            self.plan, self.pack, published.sentences, asked_on=self.question.day
        )
        recalled, actions = memory.recall(
            remembered, self.plan, self.pack, namespace=self.question.memory_namespace
        )
        kept, stored = self._remembered(remembered, published)
        actions = (*actions, *([stored] if stored else []))
        run = self._run(published, public, citations, cards, actions)
        self._keep_sources(desk, citations)
        record = runs.run_to_plain(run)
        runs.keep_record(record, desk.shelf)
        self._turn(desk, record, kept)
        points = points_of(self.found.candidates, citations, self.pack.fragments, desk.library)
        return Asked(
            public=public,
            pane=EvidencePane(citations, points, self.pack, self.pack.temporal_warnings),
            trace=self._trace(points, desk.composer.name),
            review=self.review,
            miss=self.found.miss,
            run=record,
            nearest=self._nearest(public, desk.library),
            recalled=tuple(memory_to_plain(one) for one in recalled),
            memory_actions=tuple(action_to_plain(one) for one in actions),
            atoms=desk.library.state().atoms,
        )

    def _sayable(self, library: Library) -> Draft:
        """What was released; where that is nothing, that the notes do not tell."""
        published = release.released(self.review, self.draft)
        return published if published.sentences else _abstaining(self.plan, self.found, library)

    def _public(self, published: Draft, citations: tuple[Citation, ...]) -> PublicAnswer:
        language = self.plan.language
        if release.released(self.review, self.draft).sentences:
            return release.public_answer(self.review, self.draft, citations, language=language)
        said = tuple(PublicSentence(s.text, s.kind, ()) for s in published.sentences)
        text = "".join(sentence.text for sentence in said)
        return PublicAnswer(text, said, answered=False, language=language)

    def _nearest(self, public: PublicAnswer, library: Library) -> tuple[str, ...]:
        if public.answered:
            return ()
        return _nearest(self.plan, self.found, library)

    def _titles(self) -> dict[AtomId, str]:
        shown = [atom for candidate in self.found.candidates for atom in candidate.atoms]
        shown += [node.atom for node in self.pack.support]
        return {atom.id: atom.document_title for atom in shown}

    def _scores(self) -> dict[AtomId, float]:
        return {
            atom.id: candidate.score
            for candidate in self.found.candidates
            for atom in candidate.atoms
        }

    def _remembered(
        self, remembered: tuple[memory.Memory, ...], published: Draft
    ) -> tuple[tuple[memory.Memory, ...], memory.MemoryAction | None]:
        if not self.question.persist_memory:
            return remembered, None
        return memory.remember(
            remembered,
            self.plan,
            published.sentences,
            namespace=self.question.memory_namespace,
            asked_on=self.question.day,
        )

    def _run(
        self,
        published: Draft,
        public: PublicAnswer,
        citations: tuple[Citation, ...],
        cards: tuple[memory.ReviewCard, ...],
        actions: tuple[memory.MemoryAction, ...],
    ) -> runs.KnowledgeRun:
        quality = gates.quality(
            self.plan, self.found.scope, self.pack, published, cards=cards, actions=actions
        )
        return runs.KnowledgeRun(
            generated_at=self.question.day,
            as_of=self.question.as_of,
            session_id=self.question.session_id,
            backend=self.question.backend,
            plan=self.plan,
            scope=self.found.scope,
            pack=self.pack,
            published=published,
            review=self.review,
            answer=public,
            citations=citations,
            quality=quality,
            cards=cards,
            actions=actions,
        )

    def _keep_sources(self, desk: AnswersDesk, citations: tuple[Citation, ...]) -> None:
        """Keep each cited note as it is now: its blob is what the refs name."""
        for document_id in sorted({citation.document_id for citation in citations}):
            document = desk.library.note(document_id)
            if document is None:
                raise AssertionError(f"a cited note is not in the library: {document_id}")
            desk.blobs.put(document.text.encode())

    def _turn(
        self, desk: AnswersDesk, record: Plain, remembered: tuple[memory.Memory, ...]
    ) -> None:
        session_id = self.question.session_id
        if not session_id:
            return

        def with_this(state: Fields) -> Plain:
            told = sessions.with_turn(state, sessions.turn_of(record))
            told = sessions.with_memories(told, remembered)
            target = self.question.active_target or fields.text(state, "activeTarget")
            return {**told, "activeTarget": target}

        sessions.update_session(desk.shelf, session_id, with_this)

    def _trace(self, points: tuple[KnowledgePoint, ...], drafted_by: str) -> AnswerTrace:
        return AnswerTrace(
            plan=self.plan,
            scope=self.found.scope,
            retrieval_modes=self.found.modes,
            mode_weights=self.found.mode_weights,
            candidates=points,
            draft=self.draft,
            draft_by=drafted_by,
            as_of=self.question.as_of,
        )


# Without composing -------------------------------------------------------------------


def query(question: Question, desk: AnswersDesk) -> Plain:
    """Find notes and say why each was found; no answer is composed and no run recorded.

    Raises:
        EmbedderUnavailableError: the dense backend was asked for and there is none.
    """
    asked = plan(question.message, desk.library)
    found = _found(question, asked, desk, _around(desk), "")
    points = points_of(found.candidates, (), (), desk.library)
    return query_plain(asked, found, points, question.as_of, desk.library.state().atoms)


# Sessions and sources ----------------------------------------------------------------


def merge_panel(session_id: str, domains: Fields, desk: AnswersDesk) -> Plain:
    """Merge domains into a session's ``panelState`` and return the whole state.

    Raises:
        OutsideError: another writer was first; read again and repeat.
    """
    changed = sessions.update_session(
        desk.shelf, session_id, lambda state: sessions.with_panel_state(state, domains)
    )
    return dict(changed)


def put_study(session_id: str, study: Fields, desk: AnswersDesk) -> Plain:
    """Replace a session's study session, keep all else, and return the whole state.

    Raises:
        OutsideError: another writer was first; read again and repeat.
    """
    changed = sessions.update_session(
        desk.shelf, session_id, lambda state: sessions.with_study_session(state, study)
    )
    return dict(changed)


def focus_source(
    payload: Fields, sources: Sources, desk: AnswersDesk, *, session_id: str, day: str
) -> FocusResult:
    """Open a citation's or card's source at its span; keep the diagnostics in the session.

    Raises:
        OutsideError: another writer of the session was first; read again and repeat.
    """
    result = focus.open_source(target_of_payload(payload), sources)
    if session_id:
        report = focus_report(
            diagnostics_to_plain(result.diagnostics), session_id=session_id, recorded_at=day
        )
        sessions.update_session(
            desk.shelf, session_id, lambda state: sessions.with_focus_report(state, report)
        )
    return result
