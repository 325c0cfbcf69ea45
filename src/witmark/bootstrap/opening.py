"""From a citation to its source as it reads now, with the place in it."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from witmark.answers import runs
from witmark.answers.focus import FocusResult
from witmark.bootstrap.answering import AnswersRoom
from witmark.bootstrap.home import homes
from witmark.bootstrap.tracing import trace
from witmark.kernel.errors import NothingThereError
from witmark.kernel.evidence import parse_ref

_OF_A_RUN = re.compile(r"(?:(run-[0-9a-f]{24}):)?([cp][0-9]+)").fullmatch


@dataclass(frozen=True, slots=True)
class Opened:
    """A source to show.

    Attributes:
        title: The note's title, or the file of a report.
        path: Below the workspace, or of the report's file.
        cited_path: Where it lay when it was cited.
        text: The note as it reads now; for a report what ``trace`` shows.
        highlights: Half-open ranges of ``text`` in code points, in order.
        window: Where to look when nothing is marked.
        drift: ``current``, ``moved``, ``changed_since``, or why nothing is marked.
        whole: ``text`` is all there is to show, without marks.
    """

    title: str
    path: str
    text: str
    highlights: tuple[tuple[int, int], ...]
    window: tuple[int, int] | None
    drift: str
    whole: bool = False
    cited_path: str = ""


def open_ref(text: str, named: str, folder: Path | None) -> Opened:
    """Open a citation by its number, its run and number, or its ref.

    Raises:
        RefError: it is none of these.
        NothingThereError: no run cites it, or no report holds it.
        NoSuchFolderError: the workspace is not a folder.
    """
    if (found := _OF_A_RUN(text)) is not None:
        room = AnswersRoom(named)
        return _focused(room, _citation(room, found[1], found[2]))
    ref = parse_ref(text)
    if folder is None:
        for home in homes():
            room = AnswersRoom.at(home)
            if (citation := _cited(room, str(ref))) is not None:
                return _focused(room, citation)
    return Opened(text, text, trace(text, folder), (), None, "current", whole=True)


def _citation(room: AnswersRoom, run_id: str | None, name: str) -> dict[str, Any]:
    wanted = run_id or room.shelf.last_run()
    if wanted is None:
        hint = 'ask first: witmark ask "…" --workspace DIR'
        raise NothingThereError("nothing was asked of this workspace yet", hint=hint)
    record = runs.read_run(room.shelf, wanted)
    for citation in _citations(record):
        if citation["citationId"] == name:
            return citation
    known = ", ".join(citation["citationId"] for citation in _citations(record))
    raise NothingThereError(f"this run cites {known or 'nothing'}", place=name)


def _cited(room: AnswersRoom, ref: str) -> dict[str, Any] | None:
    for run_id in reversed(room.shelf.run_ids()):
        for citation in _citations(runs.read_run(room.shelf, run_id)):
            if citation["ref"] == ref:
                return citation
    return None


def _citations(record: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - a record read back
    cited: list[dict[str, Any]] = json.loads(json.dumps(record["citations"]))
    return cited


def _focused(room: AnswersRoom, citation: dict[str, Any]) -> Opened:
    payload = {
        "title": citation["title"],
        "sourcePath": citation["sourcePath"],
        "citation": citation,
    }
    result: FocusResult = room.focus_result(payload)
    told = result.diagnostics
    drift = result.drift.value if result.highlights else told.failure.value
    return Opened(
        citation["title"],
        told.resolved_path or citation["sourcePath"],
        result.text,
        result.highlights,
        result.window,
        drift,
        cited_path=citation["sourcePath"],
    )
