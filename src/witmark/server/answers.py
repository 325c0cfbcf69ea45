"""The answers desk over HTTP: the endpoints of the contract, and nothing decided here."""

import time
from collections.abc import Callable
from typing import Annotated

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Query, Response

from witmark.answers import wire
from witmark.bootstrap.answering import AnswersRoom
from witmark.kernel.canon import parse_digest

JSON = "application/json"
ANSWERED: dict[int | str, dict[str, object]] = {200: {"model": wire.ConversationV1}}


class Turns:
    """One request at a time has the library; the others wait their turn, the loop does not."""

    def __init__(self) -> None:
        self._one = CapacityLimiter(1)

    async def take(self, work: Callable[[], bytes]) -> Response:
        """Do the work in a thread and answer with its bytes and how long it took."""
        begun = time.perf_counter()
        body = await to_thread.run_sync(work, limiter=self._one)
        took_ms = (time.perf_counter() - begun) * 1000
        return Response(
            body, media_type=JSON, headers={"server-timing": f"desk;dur={took_ms:.1f}"}
        )


def router(room: AnswersRoom) -> APIRouter:  # noqa: C901 - a table of routes, read sideways
    """The routes of one workspace."""
    routes = APIRouter()
    turns = Turns()

    @routes.post("/api/knowledge/conversation", responses=ANSWERED)
    async def conversation(body: wire.ConversationIn) -> Response:
        """Answer from the workspace, or say that the notes do not tell."""
        return await turns.take(lambda: room.conversation(body))

    @routes.post("/api/knowledge/query")
    async def query(body: wire.QueryIn) -> Response:
        """Find notes, with every feature of their scores; no answer is composed."""
        return await turns.take(lambda: room.query(body))

    @routes.post("/api/knowledge/ingest-diff")
    async def ingest_diff(body: wire.IngestDiffIn) -> Response:
        """Bring the index up to date: everything that changed, or the named notes."""
        return await turns.take(lambda: room.ingest_diff(body))

    @routes.post("/api/knowledge/ingest/guardrails/evaluate")
    async def guardrails() -> Response:
        """What the ingests of this start did, and how long they took."""
        return await turns.take(room.guardrails)

    @routes.get("/api/knowledge/state")
    async def state() -> Response:
        """What is indexed, what failed, and how the graph stands."""
        return await turns.take(room.state)

    @routes.get("/api/knowledge/session-state")
    async def session_state(session_id: Annotated[str, Query(alias="sessionId")]) -> Response:
        """The state of a session, every domain of its panels included."""
        return await turns.take(lambda: room.session(session_id))

    @routes.post("/api/knowledge/session-state/panel")
    async def panel(body: wire.PanelStateIn) -> Response:
        """Merge domains into a session's ``panelState``; the others stay as they are."""
        return await turns.take(lambda: room.merge_panel(body))

    @routes.post("/api/knowledge/session-state/study")
    async def study(body: wire.StudyIn) -> Response:
        """Replace a session's study session; every other domain stays as it is."""
        return await turns.take(lambda: room.put_study(body))

    @routes.post("/api/knowledge/source-focus")
    async def source_focus(body: wire.FocusIn) -> Response:
        """Open a citation's source at its span, and keep the diagnostics in the session."""
        return await turns.take(lambda: room.focus(body))

    @routes.get("/api/knowledge/runs")
    async def runs() -> Response:
        """The history of runs with compact graph telemetry, newest first."""
        return await turns.take(room.history)

    @routes.get("/api/knowledge/runs/{run_id}")
    async def run(run_id: str) -> Response:
        """One run's record."""
        return await turns.take(lambda: room.run(run_id))

    @routes.get("/api/knowledge/export")
    async def export() -> Response:
        """The ``WorkspaceExportBundle``."""
        return await turns.take(room.export)

    @routes.get("/api/folders")
    async def folders() -> Response:
        """The corpora of the workspace."""
        return await turns.take(room.folders)

    @routes.get("/evidence/{digest}")
    async def evidence(digest: str) -> Response:
        """The bytes of a cited source, as they were when they were cited."""
        name = parse_digest(digest)
        blob = await to_thread.run_sync(lambda: room.evidence(name))
        return Response(blob, media_type="text/plain; charset=utf-8")

    return routes
