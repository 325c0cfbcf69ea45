"""The answers desk, wired: a folder of notes, its index, its runs, and what can be asked.

Nothing is ever written into a workspace. Its index, runs, sessions and the sources that were
cited lie in ``home_of`` of its folder.
"""

import datetime as dt
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from witmark.adapters.disk import PosixDisk
from witmark.adapters.disk.refusals import disk_error
from witmark.adapters.sqlite import SqliteLibrary, SqliteShelf
from witmark.adapters.sqlite.errors import LibraryBusyError
from witmark.adapters.vault import FolderVault, NoMarkdownError
from witmark.answers import runs, scoping, sessions, use_cases
from witmark.answers.asking import (
    MOST_NAME_CHARS,
    MOST_QUESTION_CHARS,
    MOST_TOP_K,
    Backend,
    ScopeRequest,
)
from witmark.answers.atoms import corpus_of
from witmark.answers.composing import EmbeddedComposer
from witmark.answers.desk import AnswersDesk, Question
from witmark.answers.failures import FRONT_MATTER
from witmark.answers.garbage import garbage_waits, keep_what_is_loaded
from witmark.answers.ingesting import (
    IngestReport,
    Progress,
    Relations,
    ingest,
    ingest_paths,
    nobody_waits,
)
from witmark.answers.plain import Plain, readiness_plain
from witmark.answers.planning import plan
from witmark.answers.ports import Vault
from witmark.answers.reading import READER
from witmark.answers.responding import encode
from witmark.bootstrap.laid_out import Graphs, LateParser, Timelines
from witmark.bootstrap.workspaces import Workspace, made, remember, remembered, workspace
from witmark.kernel.canon import Digest, canonical_json
from witmark.kernel.errors import (
    NoSuchFolderError,
    NothingThereError,
)
from witmark.kernel.store import BlobStore

if TYPE_CHECKING:  # reading requests takes pydantic, and a command has no request to read
    from witmark.answers import wire
    from witmark.answers.focus import FocusResult
    from witmark.answers.operations import Operation
    from witmark.kernel.model.gateway import Gateway

READER_FILE = "reader"
"""Says which version of the reader made the index; a lost one costs a full ingest."""

INGESTS_REMEMBERED = 200
"""So many of the latest ingests are in the guardrails' percentiles."""

LIBRARY_FILE, SHELF_FILE = "library.sqlite3", "runs.sqlite3"


def today() -> str:
    """The day on which an answer is to hold when nobody says otherwise, ISO."""
    return dt.datetime.now(tz=dt.UTC).astimezone().date().isoformat()


class AnswersRoom:
    """One workspace, opened: everything that both doors can ask of it, as bytes.

    Args:
        named: A folder, or ``rulebook``.
        day: Says which day it is.
        gateway: Asks models; without one, or one that does not serve this desk, none is asked.

    Raises:
        NoSuchFolderError: it is not a folder.
        UnwritableError: nothing can be kept where our own files lie.
    """

    def __init__(
        self,
        named: str | Workspace,
        *,
        day: Callable[[], str] = today,
        gateway: "Gateway | None" = None,
    ) -> None:
        self.workspace = workspace(named) if isinstance(named, str) else named
        self._day, self._gateway = day, gateway
        self._took_ms: deque[float] = deque(maxlen=INGESTS_REMEMBERED)
        self._reports: deque[IngestReport] = deque(maxlen=INGESTS_REMEMBERED)
        home = made(self.workspace.home)
        remember(self.workspace)
        self.library = SqliteLibrary(home / LIBRARY_FILE)
        self.shelf = SqliteShelf(home / SHELF_FILE)
        self.vault: Vault = FolderVault(self.workspace.folder)
        self.blobs = BlobStore(PosixDisk(home))
        self.desk = AnswersDesk(
            workspace=self.workspace.name,
            library=self.library,
            dag=Graphs(self.library),
            blobs=self.blobs,
            shelf=self.shelf,
            composer=EmbeddedComposer(),
            timeline=Timelines(self.library),
        )

    @classmethod
    def at(cls, home: Path) -> "AnswersRoom":
        """The workspace of which something is kept in a folder.

        Raises:
            GarbledRecordError: the note of which workspace it is cannot be read.
        """
        return cls(remembered(home))

    def close(self) -> None:
        """Let go of the files."""
        self.library.close()
        self.shelf.close()

    # The index -----------------------------------------------------------------------

    def refresh(self, *, progress: Progress = nobody_waits, full: bool = False) -> IngestReport:
        """Make the index say what the folder says; only what changed is read.

        Raises:
            InputError: the folder holds no Markdown.
            OutsideError: the disk refuses, or another process is at it.
        """
        stamp, ours = self.workspace.home / READER_FILE, str(READER).encode()
        same = stamp.exists() and stamp.read_bytes() == ours
        anew = full or not same  # an older reader made another index of them
        report = ingest(self.vault, LateParser(), self.library, progress=progress, full=anew)
        if not same:
            try:
                stamp.write_bytes(ours)
            except OSError as error:
                raise disk_error(error, str(stamp)) from error
        return report

    def refreshed(self, *, progress: Progress = nobody_waits) -> bool:
        """Refresh; whether it could be, for another writer may be at it already."""
        return self.brought_up(progress=progress) is not None

    def brought_up(self, *, progress: Progress = nobody_waits) -> IngestReport | None:
        """Refresh and say what was done; ``None`` if another writer is at it already."""
        with suppress(LibraryBusyError):
            return self.refresh(progress=progress)
        return None

    def ingest_diff(self, body: "wire.IngestDiffIn") -> bytes:
        """Bring the index up to date, wholly or for the notes named; say what was done."""
        from witmark.answers.guardrails import report_plain  # noqa: PLC0415  # no ask needs it

        begun = time.perf_counter()
        operations = [one.operation() for one in body.operations]
        paths = [path for one in operations for path in one.paths]
        how: dict[str, Any] = {
            "relations": Relations(body.relation_recompute_mode),
            "full": not body.incremental,
        }
        parser = LateParser()
        if paths:
            report = ingest_paths(self.vault, parser, self.library, paths, **how)
        else:
            report = ingest(self.vault, parser, self.library, **how)
        keep_what_is_loaded()
        self._took_ms.append((time.perf_counter() - begun) * 1000)
        self._reports.append(report)
        return canonical_json({
            "format": "witmark.ingest/1",
            **report_plain(report),
            "operations": self._outcomes(operations, report),
            "guardrails": self._guardrails(),
        })  # fmt: skip

    def _outcomes(self, asked: "Sequence[Operation]", report: IngestReport) -> list[Plain]:
        from witmark.answers.operations import outcomes_plain  # noqa: PLC0415  # no ask needs it

        unread = {one.path for one in report.failures if one.code != FRONT_MATTER}
        return outcomes_plain(asked, self.library.stamps().keys(), unread)

    def guardrails(self) -> bytes:
        """The figures of the ingests since this room was opened."""
        return canonical_json({"format": "witmark.guardrails/1", **self._guardrails()})

    def _guardrails(self) -> Plain:
        from witmark.answers import guardrails  # noqa: PLC0415  # no ask needs it

        took = tuple(self._took_ms)
        found = guardrails.guardrails(
            tuple(self._reports),
            self.library.state().atoms,
            ingest_ms=took,
            recompute_ms=tuple(
                ms for ms, report in zip(took, self._reports, strict=True) if report.relinked
            ),
        )
        return guardrails.guardrails_plain(found)

    # Asking --------------------------------------------------------------------------

    def conversation(
        self, body: "wire.ConversationIn", scope: ScopeRequest | None = None
    ) -> bytes:
        """The conversation response, in canonical bytes.

        Args:
            body: The request.
            scope: Instead of the request's, where the door has read it already.
        """
        day = self._day()
        question = Question(
            message=body.message,
            as_of=body.as_of.isoformat() if body.as_of else day,
            scope=scope or _scope(body.scope),
            active_target=body.active_target or "",
            top_k=body.top_k,
            backend=body.query_backend,
            session_id=body.session_id,
            persist_memory=body.persist_memory,
            memory_namespace=body.memory_namespace,
            asked_on=day,
        )
        desk = self._desk(use_model=body.use_model, retry_id=body.retry_id)
        return self._answered(question, desk)

    def _answered(self, question: Question, desk: AnswersDesk) -> bytes:
        with garbage_waits():  # an answer is many small values, and gone in a moment
            said = encode(use_cases.answer_question(question, desk))
        keep_what_is_loaded()
        return said

    def _desk(self, *, use_model: bool | None, retry_id: str | None) -> AnswersDesk:
        """The desk for one ask: with a model if one is set up, unless the ask says otherwise.

        Raises:
            NoProfileError: it says that a model is to be asked, and none is set up for it.
        """
        if use_model is False or (self._gateway is None and not (use_model or retry_id)):
            return self.desk
        from witmark.bootstrap.composing import (  # noqa: PLC0415  # only with a model
            model_composer,
        )

        wanted = bool(use_model or retry_id)
        composer = model_composer(
            self._gateway,
            self.workspace.home,
            self.desk.composer,
            retry_id=retry_id,
            is_wanted=wanted,
        )
        return replace(self.desk, composer=composer)

    def ask(  # noqa: PLR0913 - one parameter per option of the command
        self,
        message: str,
        *,
        scopes: Sequence[str] = (),
        as_of: str | None = None,
        top_k: int = 8,
        backend: str = "local_hybrid",
        session: str = "",
        remember: bool = False,
        use_model: bool | None = None,
        retry_id: str | None = None,
    ) -> bytes:
        """The conversation response for a question from the command line.

        Raises:
            UnknownScopeError: a scope names nothing that is here.
            BadRequestError: the question is empty or too long.
            NoProfileError: a model is to be asked, and none is set up for it.
        """
        _see_that_it_asks(message)
        body = {
            "message": message,
            "asOf": as_of,
            "topK": top_k,
            "queryBackend": backend,
            "sessionId": session,
            "persistMemory": remember,
            "useModel": use_model,
            "retryId": retry_id,
        }
        day = self._day()
        is_plain = _needs_no_reading(message, as_of or day, top_k, backend, session)
        if not is_plain or retry_id is not None:
            from witmark.answers import wire  # noqa: PLC0415  # see above

            read = wire.read_request(wire.ConversationIn, canonical_json(body))
            return self.conversation(read, scoping.parse(scopes, self.library))
        question = Question(
            message=message,
            as_of=as_of or day,
            scope=scoping.parse(scopes, self.library),
            top_k=top_k,
            backend=Backend(backend),
            session_id=session,
            persist_memory=remember,
            asked_on=day,
        )
        desk = self._desk(use_model=use_model, retry_id=retry_id)
        return self._answered(question, desk)

    def query(self, body: "wire.QueryIn") -> bytes:
        """The notes that were found and why; nothing is composed, nothing recorded."""
        day = self._day()
        question = Question(
            message=body.query,
            as_of=body.as_of.isoformat() if body.as_of else day,
            scope=_scope(body.scope),
            active_target=body.active_target or "",
            top_k=body.top_k,
            backend=body.query_backend,
        )
        return canonical_json(use_cases.query(question, self.desk))

    # Operations ----------------------------------------------------------------------

    def state(self) -> bytes:
        """What is indexed, what failed, and how large the graph is."""
        state = self.library.state()
        failed = [
            {"sourcePath": one.path, "code": one.code, "detail": one.detail}
            for one in self.library.failures()
        ]
        return canonical_json({
            "format": "witmark.state/1",
            "workspaceId": self.workspace.name,
            "generation": state.generation,
            "documents": state.documents,
            "activeAtoms": state.atoms,
            "relationEdges": state.relation_edges,
            "temporalEdges": state.temporal_edges,
            "orderBreakingEdges": int(self.library.graph().breaks_order.sum()),
            "failures": failed,
        })  # fmt: skip

    def folders(self) -> bytes:
        """The corpora of the workspace with their notes counted."""
        counts = Counter(corpus_of(document) for document in self.library.stamps())
        return canonical_json([
            {"corpusId": corpus, "documents": counts[corpus]} for corpus in sorted(counts)
        ])  # fmt: skip

    # Sessions, sources, runs ---------------------------------------------------------

    def session(self, session_id: str) -> bytes:
        """A session's state; an empty one for a session that is new."""
        _, state = sessions.read_session(self.shelf, session_id)
        return canonical_json(state)

    def merge_panel(self, body: "wire.PanelStateIn") -> bytes:
        """The session's state after domains were merged into its panels."""
        return canonical_json(
            use_cases.merge_panel(body.session_id, body.panel_state, self.desk)
        )

    def put_study(self, body: "wire.StudyIn") -> bytes:
        """The session's state after its study session was replaced."""
        return canonical_json(
            use_cases.put_study(body.session_id, body.study_session, self.desk)
        )

    def focus(self, body: "wire.FocusIn") -> bytes:
        """The source of a citation with its highlights, and every diagnostic."""
        from witmark.answers.focus_reports import (  # noqa: PLC0415  # no ask needs it
            diagnostics_to_plain,
        )

        result = self.focus_result(
            body.model_dump(mode="json", by_alias=True, exclude_unset=True),
            session_id=body.session_id,
        )
        return canonical_json({
            "format": "witmark.source-focus/1",
            "text": result.text,
            "highlights": [list(one) for one in result.highlights],
            "window": list(result.window) if result.window else None,
            "drift": result.drift,
            "diagnostics": diagnostics_to_plain(result.diagnostics),
        })  # fmt: skip

    def focus_result(
        self, payload: Mapping[str, Any], *, session_id: str = ""
    ) -> "FocusResult":
        """The same as a value, for the terminal. The index is brought up to date first.

        A note that moved since is found by its bytes. Of a workspace that is gone nothing is
        found, and the result says so.
        """
        from witmark.answers.source_paths import WorkspaceSources  # noqa: PLC0415  # see above

        with suppress(NoSuchFolderError, NoMarkdownError):
            self.refreshed()
        sources = WorkspaceSources(self.vault, self.library)
        return use_cases.focus_source(
            payload, sources, self.desk, session_id=session_id, day=self._day()
        )

    def history(self) -> bytes:
        """Every run in brief with its graph telemetry, newest first."""
        return canonical_json(list(runs.history(self.shelf))[::-1])

    def run(self, run_id: str) -> bytes:
        """One run's record.

        Raises:
            NothingThereError: there is no such run.
            GarbledRecordError: its bytes are not those that were named so.
        """
        return canonical_json(runs.read_run(self.shelf, run_id))

    def compare(self, before: str, after: str) -> bytes:
        """What differs between two runs.

        Raises:
            NothingThereError: there is no such run.
        """
        from witmark.answers.comparing_runs import (  # noqa: PLC0415  # no ask needs it
            compare_runs,
            delta_to_plain,
        )

        records = [runs.read_run(self.shelf, name) for name in (before, after)]
        return canonical_json(delta_to_plain(compare_runs(*records)))

    def export(self) -> bytes:
        """The ``WorkspaceExportBundle``, in canonical bytes."""
        from witmark.answers import exporting  # noqa: PLC0415  # no ask needs it

        everything = scoping.resolve(ScopeRequest(), "", self.library, plan("", self.library))
        exported = exporting.Workspace(
            self.workspace.name, "", readiness_plain(everything.readiness)
        )
        return canonical_json(
            exporting.export_bundle(
                exported, self.library, self.shelf, generated_at=self._day()
            )
        )

    def evidence(self, blob: Digest) -> bytes:
        """The bytes of a source as they were when it was cited.

        Raises:
            NothingThereError: nothing that was cited has this digest.
            DigestMismatchError: its bytes are not what they were.
        """
        try:
            return self.blobs.get(blob)
        except KeyError as error:
            raise NothingThereError("no source that was cited is this", place=blob) from error


def _needs_no_reading(message: str, day: str, top_k: int, backend: str, session: str) -> bool:
    """Whether what came from the command line is plainly what ``ConversationIn`` asks for."""
    try:
        is_day = dt.date.fromisoformat(day).isoformat() == day
        is_text = bool(f"{message}{session}".encode())
    except ValueError:
        return False
    return (
        is_day
        and is_text
        and 0 < len(message) <= MOST_QUESTION_CHARS
        and len(session) <= MOST_NAME_CHARS
        and 0 < top_k <= MOST_TOP_K
        and backend in frozenset(Backend)
    )


def _see_that_it_asks(message: str) -> None:
    """Say in plain words what is wrong with a question that cannot be one.

    Raises:
        BadRequestError: it is empty, or too long.
    """
    if message.strip() and len(message) <= MOST_QUESTION_CHARS:
        return
    from witmark.answers import wire  # noqa: PLC0415  # see above

    if not message.strip():
        hint = "ask something, in quotes: witmark ask 'what is a water glass?'"
        raise wire.BadRequestError("the question is empty", hint=hint)
    long = f"the question has {len(message)} characters"
    raise wire.BadRequestError(long, hint=f"ask in at most {MOST_QUESTION_CHARS}")


def _scope(asked: "wire.ScopeIn | None") -> ScopeRequest:
    return scoping.normalised(asked.request()) if asked else ScopeRequest()
