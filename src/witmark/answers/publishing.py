"""A reviewed draft becomes an answer with its citations, its record and its memory.

Nothing is decided here that the review has not decided: what it let through is published,
and where that is nothing it is said that the notes do not tell.
"""

from dataclasses import dataclass

from witmark.answers import gates, memory, release, runs, sessions
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
from witmark.answers.asking import MissReason, QueryPlan
from witmark.answers.atoms import AtomId
from witmark.answers.composing import abstention
from witmark.answers.context_records import action_to_plain, memory_to_plain
from witmark.answers.desk import AnswersDesk, Question
from witmark.answers.nearest import nearest_titles
from witmark.answers.pack import GraphContextPack
from witmark.answers.plain import Plain
from witmark.answers.plain_fields import Fields
from witmark.answers.ports import Library
from witmark.answers.responding import Asked
from witmark.answers.retrieving import Retrieval
from witmark.answers.showing import points_of

NEAREST_TITLES = 3
"""Titles offered when the notes do not tell."""


@dataclass(frozen=True, slots=True)
class Said:
    """A reviewed draft on its way to the reader, and what to offer if nothing is left of it."""

    question: Question
    plan: QueryPlan
    found: Retrieval
    pack: GraphContextPack
    draft: Draft
    review: ReleaseReview
    near: "Nearby"

    def published(self, desk: AnswersDesk, remembered: tuple[memory.Memory, ...]) -> Asked:
        """Cite, judge, record; the order in which a crash costs least."""
        published = self._sayable()
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
        record = runs.RunRecord.of(run)
        runs.keep_record(record, desk.shelf)
        self._turn(desk, record.plain, kept)
        points = points_of(self.found.candidates, citations, self.pack.fragments, desk.library)
        return Asked(
            public=public,
            pane=EvidencePane(citations, points, self.pack, self.pack.temporal_warnings),
            trace=self._trace(points, desk.composer.name),
            review=self.review,
            miss=self.found.miss,
            run=record,
            nearest=() if public.answered else self.near.titles(),
            recalled=tuple(memory_to_plain(one) for one in recalled),
            memory_actions=tuple(action_to_plain(one) for one in actions),
            atoms=desk.library.state().atoms,
        )

    def _sayable(self) -> Draft:
        """What was released; where that is nothing, that the notes do not tell."""
        published = release.released(self.review, self.draft)
        return published if published.sentences else self.near.abstaining()

    def _public(self, published: Draft, citations: tuple[Citation, ...]) -> PublicAnswer:
        language = self.plan.language
        if release.released(self.review, self.draft).sentences:
            return release.public_answer(self.review, self.draft, citations, language=language)
        said = tuple(PublicSentence(s.text, s.kind, ()) for s in published.sentences)
        text = "".join(sentence.text for sentence in said)
        return PublicAnswer(text, said, answered=False, language=language)

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


@dataclass(slots=True)
class Nearby:
    """Titles to offer where the notes do not tell, looked for once; elsewhere none are."""

    plan: QueryPlan
    found: Retrieval
    library: Library
    _titles: tuple[str, ...] | None = None

    def titles(self) -> tuple[str, ...]:
        """They, the nearest first; of a workspace that is not here there are none."""
        if self._titles is None:
            scope, most = self.found.scope.request, NEAREST_TITLES
            is_here = self.found.miss.reason not in _NOT_HERE
            self._titles = (
                nearest_titles(self.plan, scope, self.library, most=most) if is_here else ()
            )
        return self._titles

    def abstaining(self) -> Draft:
        """Say that the notes do not tell, and which titles come near."""
        return Draft((abstention(self.plan, self.titles(), self.found.miss.reason),))


_NOT_HERE = (MissReason.WORKSPACE_NOT_FOUND, MissReason.WORKSPACE_UNBOUND)
