"""What you can ask of this desk.

An ask runs in one fixed order: plan, scope, retrieve, place in the graph, compose, review,
publish. Scope comes before the graph, so nothing outside it is ever reached; the graph comes
before the words, so that they can follow it; and what is published is what the gates let
through. Every ask leaves a record.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from witmark.answers import plain_fields as fields
from witmark.answers import release, scoping, sessions
from witmark.answers.answer import (
    Draft,
)
from witmark.answers.arrays import no_edges
from witmark.answers.asking import QueryPlan, ScopeRequest
from witmark.answers.budget import budget_for
from witmark.answers.dag import Dag
from witmark.answers.desk import AnswersDesk, Question
from witmark.answers.graph_pack import assemble
from witmark.answers.pack import GraphContextPack
from witmark.answers.plain import Plain
from witmark.answers.plain_fields import Fields
from witmark.answers.planning import plan
from witmark.answers.ports import Library
from witmark.answers.publishing import Nearby, Said
from witmark.answers.responding import Asked, query_plain
from witmark.answers.retrieving import Retrieval, retrieve
from witmark.answers.showing import points_of
from witmark.answers.validity import Timeline
from witmark.kernel.errors import IntegrityError, OutsideError

if TYPE_CHECKING:
    from witmark.answers.focus import FocusResult
    from witmark.answers.source_paths import Sources


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
    with desk.library.reading():
        return _answer(question, desk)


def _answer(question: Question, desk: AnswersDesk) -> Asked:
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
    near = Nearby(asked, found, desk.library)
    draft = _drafted(pack, near, desk)
    review = release.review(asked, pack, draft)
    said = Said(question, asked, found, pack, draft, review, near)
    return said.published(desk, sessions.memories_of(session))


def _drafted(pack: GraphContextPack, near: Nearby, desk: AnswersDesk) -> Draft:
    """What the composer says, or that the notes do not tell where it has nothing to say."""
    draft = desk.composer.compose(near.plan, pack) if near.found.candidates else Draft(())
    return draft if draft.sentences else near.abstaining()


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
    mask = np.zeros(len(graph.dag.arrays.nodes), np.bool_)
    mask[list(graph.dag.positions(allowed).values())] = True
    return mask


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


# Without composing -------------------------------------------------------------------


def query(question: Question, desk: AnswersDesk) -> Plain:
    """Find notes and say why each was found; no answer is composed and no run recorded.

    Raises:
        EmbedderUnavailableError: the dense backend was asked for and there is none.
    """
    with desk.library.reading():
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
    payload: Fields, sources: "Sources", desk: AnswersDesk, *, session_id: str, day: str
) -> "FocusResult":
    """Open a citation's or card's source at its span; keep the diagnostics in the session.

    Raises:
        OutsideError: another writer of the session was first; read again and repeat.
    """
    from witmark.answers import focus, focus_reports  # noqa: PLC0415  # no ask needs them
    from witmark.answers.focus_targets import target_of_payload  # noqa: PLC0415  # nor this

    result = focus.open_source(target_of_payload(payload), sources)
    if session_id:
        report = focus_reports.focus_report(
            focus_reports.diagnostics_to_plain(result.diagnostics),
            session_id=session_id,
            recorded_at=day,
        )
        sessions.update_session(
            desk.shelf, session_id, lambda state: sessions.with_focus_report(state, report)
        )
    return result
