"""Runs of the answers and the review desk, to be tampered with: what each is bound to.

Each run is over: a model's first replies were refused and its last accepted, all of it is on a
real disk as the desk left it. An artefact is a stretch of bytes of one file; ``tamper`` turns a
bit of it, and ``replayed`` makes the run again.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.common import ROOT
from bench.model_grounds import DEFINITION, NOTES, QUESTION
from witmark.adapters.disk import PosixDisk
from witmark.answers.ports import RunShelf
from witmark.bootstrap.answering import AnswersRoom
from witmark.bootstrap.composing import CALLS_FOLDER
from witmark.bootstrap.rerunning import replay_run
from witmark.kernel.canon import digest_of
from witmark.kernel.journal import parse_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.reply import Readers
from witmark.kernel.model.request import Profile
from witmark.kernel.publish import MANIFEST_NAME, seal_folder
from witmark.review.use_cases import Adviser, ReviewRequest, review_file, verify_report
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import PlayedProvider, SteadyClock

sys.path.append(str(ROOT / "tests"))  # the small inputs are the tests' own

from desk_samples import desk
from model_asks import reply
from model_samples import PROMPTS, Model, sensible, touching_plates

PROFILE = Profile("played", "played", "m-1", takes_images=True)
READERS: Readers = {"played": PlayedProvider([])}
LINES = {
    "model.sent": "saved request",
    "model.replied": "raw reply",
    "model.judged": "verdict and reply",
}

Ranges = Sequence[tuple[int, int]]
Forge = Callable[[bytes], Callable[[], object]]
"""Takes an artefact's whole file with a bit turned; gives the replay that meets it."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """Bytes that a run is bound to.

    Attributes:
        name: What they are.
        sound: The whole file they stand in.
        ranges: Where in it.
        met: The replay that meets other bytes there.
        rest: Puts everything back.
    """

    name: str
    sound: bytes
    ranges: Ranges
    met: Forge
    rest: Callable[[], object] = lambda: None


@dataclass(frozen=True, slots=True)
class Run:
    """A desk's run that is over."""

    desk: str
    folder: Path
    replayed: Callable[[], object]
    artefacts: Callable[[], Iterator[Artefact]]


# Answers -----------------------------------------------------------------------------------


@contextmanager
def answers_run(parent: Path) -> Iterator[Run]:
    """``ask`` over two notes: no JSON, then a good reply."""
    home, notes = parent / "home", parent / "notes"
    notes.mkdir()
    for name, text in NOTES.items():
        (notes / name).write_text(text, encoding="utf-8")
    before, os.environ["WITMARK_HOME"] = os.environ.get("WITMARK_HOME"), str(home)
    try:
        played = PlayedProvider(["no JSON", reply((DEFINITION, "E1"))])
        gateway = DurableGateway(
            ModelRoutes({"answers": (PROFILE,)}), {"played": played}, SteadyClock()
        )
        room = AnswersRoom(str(notes), day=lambda: "2026-06-20", gateway=gateway)
        room.refresh()
        run = json.loads(room.ask(QUESTION))["knowledgeRun"]
        if run["modelDraft"]["outcome"] != "used":
            raise AssertionError(run["modelDraft"]["because"])
        name = run["runId"]
        yield Run(
            "answers",
            room.workspace.home / CALLS_FOLDER,
            lambda: replay_run(room, name, READERS),
            lambda: _bound_to_an_answer(room, run),
        )
    finally:
        del os.environ["WITMARK_HOME"]
        os.environ.update({} if before is None else {"WITMARK_HOME": before})


def _bound_to_an_answer(room: AnswersRoom, run: Mapping[str, object]) -> Iterator[Artefact]:
    name = str(run["runId"])
    shelf = room.shelf
    record = shelf.run(name) or b""

    def with_record(raw: bytes) -> Callable[[], object]:
        room.shelf = _Tampered(shelf, raw)
        return lambda: replay_run(room, name, READERS)

    def put_back() -> None:
        room.shelf = shelf

    yield Artefact("run record", record, [(0, len(record))], with_record, put_back)
    calls = room.workspace.home / CALLS_FOLDER
    kept = [*_files(calls), *_files(room.workspace.home / "blobs")]
    yield from _bound_files(kept, lambda: replay_run(room, name, READERS), "blob")


class _Tampered:
    """A shelf that gives another record than was put."""

    def __init__(self, inner: RunShelf, raw: bytes) -> None:
        self._inner, self._raw = inner, raw

    def run(self, run_id: str) -> bytes:
        """The other one."""
        del run_id
        return self._raw

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


# Review ------------------------------------------------------------------------------------


@contextmanager
def review_run(parent: Path) -> Iterator[Run]:
    """A review of two plates that touch: every purpose asked, the first reply refused."""
    model = Model(_refused_first())
    gateway = DurableGateway(
        ModelRoutes({"review": (PROFILE,)}), {"played": model}, SteadyClock()
    )
    adviser = Adviser(gateway, PROMPTS, lambda _: MemoryDisk())
    found = review_file(
        ReviewRequest(Path("plate.step")), desk(touching_plates(), adviser=adviser)
    )
    folder = parent / "report"
    seal_folder(PosixDisk(folder), found.files)
    yield Run(
        "review",
        folder,
        lambda: verify_report(PosixDisk(folder), READERS),
        lambda: _bound_to_a_review(folder, dict(found.files)),
    )


def _refused_first() -> Callable[[object], object]:
    seen: set[object] = set()

    def says(request: object) -> object:
        asked = getattr(request, "question", "")
        if asked not in seen:
            seen.add(asked)
            return "no JSON"
        return sensible(request)

    return says


def _bound_to_a_review(folder: Path, files: Mapping[str, bytes]) -> Iterator[Artefact]:
    """Every file of the folder as it lies; then those that decide, sealed again around it."""
    yield from _bound_files(
        _files(folder), lambda: verify_report(PosixDisk(folder), READERS), "file"
    )
    for name in sorted(files):
        kinds = _lines(files[name]) if name.startswith("model/journals/") else {}
        for kind in sorted(kinds):
            yield Artefact(
                f"sealed again: {LINES[kind]}", files[name], kinds[kind], _sealed(files, name)
            )
        if name == "report.json":
            whole = [(0, len(files[name]))]
            yield Artefact(f"sealed again: {name}", files[name], whole, _sealed(files, name))


def _sealed(files: Mapping[str, bytes], name: str) -> Forge:
    """A folder whose manifest fits the tampered file: only the replay can notice."""

    def forge(raw: bytes) -> Callable[[], object]:
        disk = MemoryDisk()
        seal_folder(disk, {**files, name: raw})
        return lambda: verify_report(disk, READERS)

    return forge


# Both --------------------------------------------------------------------------------------


def _bound_files(
    files: Sequence[Path], replayed: Callable[[], object], other: str
) -> Iterator[Artefact]:
    for path in files:
        sound = path.read_bytes()

        def forge(raw: bytes, path: Path = path) -> Callable[[], object]:
            path.chmod(0o644)
            path.write_bytes(raw)
            return replayed

        def rest(path: Path = path, sound: bytes = sound) -> None:
            path.write_bytes(sound)

        if path.suffix == ".jsonl":
            kinds = _lines(sound)
            for kind in sorted(kinds):
                yield Artefact(LINES[kind], sound, kinds[kind], forge, rest)
        elif sound:
            yield Artefact(_called(path, other), sound, [(0, len(sound))], forge, rest)


def _called(path: Path, other: str) -> str:
    if path.name in {MANIFEST_NAME, "report.json"}:
        return path.name
    return "blob" if path.parent.parent.name == "sha256" else other


def _files(folder: Path) -> list[Path]:
    """Every file that binds something; a lock binds nothing."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".lock")


def _lines(raw: bytes) -> dict[str, list[tuple[int, int]]]:
    """Where the entries of each kind stand in a record, their line breaks included."""
    found: dict[str, list[tuple[int, int]]] = {}
    at = 0
    for entry in parse_journal(raw, place="record"):
        end = at + len(entry.to_bytes()) + 1
        if entry.kind in LINES:
            found.setdefault(entry.kind, []).append((at, end))
        at = end
    if at != len(raw):
        raise AssertionError(f"a record of {digest_of(raw)[:19]} ends in the middle")
    return found
