"""What you can ask of this desk: review a file, list its features, verify a report."""

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from witmark.kernel.canon import digest_of
from witmark.kernel.errors import (
    FolderChangedError,
    UnreadableSourceError,
)
from witmark.kernel.model.gateway import Gateway
from witmark.kernel.model.prompt import read_prompt
from witmark.kernel.model.reply import NO_READERS, Readers
from witmark.kernel.publish import read_sealed, seal_folder, verify_folder
from witmark.kernel.store import BlobStore, Disk, RecordDisk, blob_path
from witmark.review import wire
from witmark.review.asking.talking import TOLD, Ending, Limits, Purpose, Talk, Took
from witmark.review.assembly import Assembly
from witmark.review.attributing import Part, blobs_of
from witmark.review.contacts import contacts_blob
from witmark.review.facts import FactsBlob, facts_of
from witmark.review.features.recognise import Recognition, recognise
from witmark.review.issuing import Ground, issue
from witmark.review.looking import second_look
from witmark.review.picturing import draw
from witmark.review.ports import (
    CadReader,
    Pictures,
    Progress,
    Rulebook,
    Step,
    nobody_waits,
)
from witmark.review.replaying import replay
from witmark.review.reporting import positions_mm
from witmark.review.reviewing import Consulted, Judged, judge_facts
from witmark.review.sighting import Album, LiveSight
from witmark.review.source import Sources, SourceText

SEVERITIES = ("critical", "major", "minor", "info")


class Renderer(Protocol):
    """Turns a checked report into the bytes of one file for people or machines."""

    def __call__(
        self,
        report: wire.ReviewV1,
        pictures: Mapping[str, bytes],
        positions_mm: Mapping[str, Sequence[float]],
        lang: str,
    ) -> bytes:
        """Render; equal arguments give equal bytes. ``positions_mm`` is by verdict id."""


@dataclass(frozen=True, slots=True)
class Adviser:
    """A model, as a review may ask one.

    Attributes:
        gateway: Who dispatches the calls.
        prompts: The prompt files, by name; each says what it is for.
        record: Opens the disk on which the calls of one review are recorded, by its key;
            the same file gives the same key, so a later run goes on where one stopped.
        limits: How much is asked.
    """

    gateway: Gateway
    prompts: Mapping[str, bytes]
    record: Callable[[str], RecordDisk]
    limits: Limits = Limits()  # noqa: RUF009 - a frozen value


@dataclass(frozen=True, slots=True)
class ReviewDesk:
    """Everything a review needs; built once at the door, passed in whole.

    ``adviser`` is the model, if one is set up; without it a review is what it ever was.
    """

    reader: CadReader
    rulebook: Rulebook
    read_bytes: Callable[[Path], bytes]
    studio: Callable[[Assembly, CadReader], Pictures]
    renderers: Mapping[str, Renderer]
    progress: Progress = nobody_waits
    adviser: Adviser | None = None


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """One file to review. ``pictures`` is the most that may be drawn; 0 draws none.

    ``retry_id`` opens model calls again that are blocked, once per name.
    """

    path: Path
    length_unit_mm: float | None = None
    lang: str = "en"
    pictures: int = 60
    retry_id: str | None = None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finished review that nobody has published yet.

    ``took`` is what this run sent to a model and what it found kept. The report does not say
    it: the same file gives the same report, whichever run sent the calls.
    """

    report: Mapping[str, Any]
    review: wire.ReviewV1
    report_raw: bytes
    files: Mapping[str, bytes]
    took: Took | None = None


class Seat(Protocol):
    """A folder under construction, and the name it takes when it is whole."""

    @property
    def disk(self) -> Disk:
        """Where the folder's files are written."""

    def seat(self) -> Path:
        """Give the folder its name, at once and whole; return it."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verification looked at; that it ended means that nothing differed."""

    files: int
    verdicts: int
    questions: int = 0  # whose recorded replies were judged again


def review_file(request: ReviewRequest, desk: ReviewDesk) -> Reviewed:
    """Read, understand, judge and picture a STEP file; nothing is written yet.

    Raises:
        InputError: the file cannot be reviewed; says where and why.
        OutsideError: the CAD kernel failed on it.

    Source: clauses REV-FLOW-01 to REV-FLOW-06.
    """
    sources, assembly, recognised, first = _measured(request.path, request.length_unit_mm, desk)
    desk.progress(Step("judge", f"{len(desk.rulebook.index.eligible)}"))
    album = Album(lambda: _studio(desk, assembly))
    model = _consulted(request, desk, assembly, first, album)
    judged = judge_facts(first, desk.rulebook, second_look(recognised), model)
    drawn, notices = draw(judged.verdicts, first.data, lambda: album, most=request.pictures)
    desk.progress(Step("gates"))
    part = _part(model, judged)
    ground = Ground(_spelt(request.path), sources, first, desk.rulebook, judged, part)
    report = issue(ground, drawn, notices)
    raw, review = wire.checked(report)
    desk.progress(Step("publish"))
    pictures = {one.id: one.png for one in drawn.values()}
    positions = positions_mm(report, first.data)
    rendered = {
        name: render(review, pictures, positions, request.lang)
        for name, render in desk.renderers.items()
    }
    blobs = [*_evidence(ground), *_said(ground, desk)]
    files = {
        "report.json": raw,
        **rendered,
        **{one.file: one.png for one in drawn.values()},
        **(part.files(first) if part else {}),
        **{blob_path(digest_of(blob)): blob for blob in blobs},
    }
    return Reviewed(report, review, raw, files, part.talk.took() if part else None)


def publish_review(reviewed: Reviewed, seat: contextlib.AbstractContextManager[Seat]) -> Path:
    """Put a review on disk, whole or not at all; return the folder's name."""
    with seat as folder:
        seal_folder(folder.disk, reviewed.files)
        return folder.seat()


def list_features(path: Path, length_unit_mm: float | None, desk: ReviewDesk) -> dict[str, Any]:
    """Every face, its feature and its dimensions, part by part (``witmark.features/1``)."""
    sources, _, _, first = _measured(path, length_unit_mm, desk)
    parts: Sequence[Mapping[str, Any]] = first.data["parts"]  # type: ignore[assignment]  # plain JSON
    return {
        "format": "witmark.features/1",
        "source": {"path": _spelt(path), "digest": sources.main.digest},
        "schema": first.data["schema"],
        "length_unit": first.data["length_unit"],
        "parts": [_listed(part) for part in parts],
        "notices": first.data["notices"],
    }


def verify_report(disk: Disk, readers: Readers = NO_READERS) -> Verified:
    """Every byte is as it was sealed, and the same facts lead to the same verdicts.

    Args:
        disk: The report's folder.
        readers: Who reads a model's raw answers again, where one had a part in it.

    Raises:
        FolderChangedError: a file changed, is missing or is extra.
        ReplayDiffersError: the stored facts and rules do not give the published verdicts.
    """
    if faults := verify_folder(disk):
        said = "; ".join(f"{fault.name} is {fault.kind.value}" for fault in faults[:5])
        more = f" and {len(faults) - 5} more" if len(faults) > 5 else ""
        raise FolderChangedError(said + more)
    names = read_sealed(disk)
    published = replay(disk, readers)
    put = published.model.said if published.model else ()
    questions = sum(Ending(one.outcome) not in TOLD for one in put)
    return Verified(len(names), len(published.verdicts), questions)


def replay_report(disk: Disk, readers: Readers = NO_READERS) -> Verified:
    """Review again from the record: the replies of a model are read, and judged again.

    The same as ``verify_report``, under the name that `witmark replay` has for it.

    Raises: as ``verify_report``.
    """
    return verify_report(disk, readers)


def fails(report: Mapping[str, Any], fail_on: str) -> bool:
    """Whether the report holds something at or above the level a caller fails on."""
    if fail_on == "never":
        return False
    if fail_on == "undetermined":
        return bool(report["counts"]["violated"] or report["counts"]["undetermined"])
    worst = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return any(report["counts"]["by_severity"][severity] for severity in worst)


def loses_calls(review: wire.ReviewV1) -> bool:
    """Whether a request was sent, and the disk did not keep what came of it."""
    said = review.model.said if review.model else ()
    return any(Ending(one.outcome) is Ending.NOT_RECORDED for one in said)


def _spelt(path: Path) -> str:
    """The path as text: a byte that is not UTF-8 is written as an escape, never dropped."""
    return os.fsencode(path).decode("utf-8", errors="backslashreplace")


def _measured(
    path: Path, length_unit_mm: float | None, desk: ReviewDesk
) -> tuple[Sources, Assembly, list[Recognition], FactsBlob]:
    desk.progress(Step("read", path.name))
    source = SourceText(desk.read_bytes(path))
    assembly = desk.reader.read(path, length_unit_mm=length_unit_mm)
    if desk.read_bytes(path) != source.raw:
        raise UnreadableSourceError(
            str(path), "it changed while it was read", hint="run again when it is at rest"
        )
    names = sorted({part.source for part in assembly.parts} - {""})
    beside = path.resolve().parent
    sources = Sources(
        source, {name: SourceText(desk.read_bytes(beside / name)) for name in names}
    )
    desk.progress(Step("features", str(len(assembly.parts))))
    recognised = [recognise(part.brep) for part in assembly.parts]
    desk.progress(Step("facts"))
    return sources, assembly, recognised, facts_of(assembly, recognised, sources)


def _studio(desk: ReviewDesk, assembly: Assembly) -> Pictures:
    desk.progress(Step("pictures"))
    return desk.studio(assembly, desk.reader)


def _consulted(
    request: ReviewRequest,
    desk: ReviewDesk,
    assembly: Assembly,
    first: FactsBlob,
    album: Album,
) -> Consulted | None:
    """Set up the talk with a model, if one serves any purpose of this desk."""
    adviser = desk.adviser
    if adviser is None:
        return None
    read = [read_prompt(raw, name) for name, raw in sorted(adviser.prompts.items())]
    prompts = {Purpose(one.purpose): one for one in read}
    purposes = frozenset(p for p in prompts if adviser.gateway.serves(p.value))
    if not purposes:
        return None
    desk.progress(Step("model"))
    disk = adviser.record(first.digest.removeprefix("sha256:"))
    sight = LiveSight(album, first.data, BlobStore(disk), most=request.pictures)
    talk = Talk(
        adviser.gateway, prompts, disk, sight, purposes, adviser.limits, request.retry_id
    )
    return Consulted(talk, contacts_blob(assembly, first))


def _part(model: Consulted | None, judged: Judged) -> Part | None:
    if model is None or judged.advice is None:
        return None
    return Part(model.talk, judged.advice, model.talk.records())


def _said(ground: Ground, desk: ReviewDesk) -> list[bytes]:
    """What a model was told and what it inferred: all that a replay needs."""
    part = ground.part
    if part is None or desk.adviser is None:
        return []
    used = {part.talk.prompts[purpose].digest for purpose in part.talk.purposes}
    return [
        *(raw for raw in desk.adviser.prompts.values() if digest_of(raw) in used),
        part.advice.inferred.raw,
        part.advice.contacts.raw,
        *blobs_of(part.records, BlobStore(part.talk.disk)),
    ]


def _evidence(ground: Ground) -> list[bytes]:
    """Everything a verdict may cite, or was decided from."""
    second = [ground.judged.second.raw] if ground.judged.second else []
    return [
        ground.sources.main.raw,
        *(one.raw for one in ground.sources.referred.values()),
        ground.first.raw,
        *second,
        ground.book.index_raw,
        ground.book.store_raw,
        ground.graph_raw,
    ]


def _listed(part: Mapping[str, Any]) -> dict[str, Any]:
    kinds = [feature["kind"] for feature in part["features"]]
    faces = [
        {
            **face,
            "feature_kind": kinds[face["feature"]]
            if face["feature"] is not None
            else ("base" if face["base"] else None),
        }
        for face in part["faces"]
    ]
    return {
        "name": part["name"],
        "valid": part["valid"],
        "faults": part["faults"],
        "faces": faces,
        "features": part["features"],
        "coverage": part["coverage"],
    }
