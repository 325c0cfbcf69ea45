"""``replay`` wired: a run's record, its journal and its blobs, and no provider at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from witmark.adapters.disk import PosixDisk
from witmark.answers import plain_fields as fields
from witmark.answers import runs
from witmark.answers.exhibits import PURPOSE
from witmark.answers.model_draft import ModelOutcome
from witmark.answers.modelling import ModelComposer
from witmark.answers.plain_fields import Fields
from witmark.answers.preserving import inputs_bytes, inputs_of
from witmark.answers.rerunning import recheck, rerun
from witmark.answers.seen_calls import Attempt
from witmark.bootstrap.answering import AnswersRoom
from witmark.bootstrap.composing import calls_disk, prompt_named
from witmark.bootstrap.models import readers as adapters
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import (
    BrokenChainError,
    DanglingManifestError,
    ReplayDiffersError,
)
from witmark.kernel.journal import parse_journal, place_of
from witmark.kernel.model.attempt import Judge
from witmark.kernel.model.gateway import Gateway, RequestTooLargeError
from witmark.kernel.model.outcome import Because, Outcome, Waiting
from witmark.kernel.model.replaying import ReplayGateway
from witmark.kernel.model.reply import NO_READERS, Readers
from witmark.kernel.model.request import Ask
from witmark.kernel.store import BlobStore, RecordDisk, blob_path


@dataclass(frozen=True, slots=True)
class Replayed:
    """What was found identical."""

    run_id: str
    calls: int
    citations: int


def replay_run(room: AnswersRoom, run_id: str, readers: Readers | None = None) -> Replayed:
    """Make a run again from what was kept of it; no note is read and no provider asked.

    Args:
        room: Where it was asked.
        run_id: Which.
        readers: Who reads the raw answers of a model again; by default, our adapters.

    Raises:
        NothingThereError: there is no such run.
        IntegrityError: something differs, and what; or what it needs was changed or is gone.
    """
    record = runs.read_run(room.shelf, run_id)
    citations = recheck(record, lambda blob: _source(room, blob))
    asked = fields.part(record, "modelDraft")
    if asked:
        _replay_model(room, record, asked, adapters() if readers is None else readers)
    return Replayed(run_id, len(fields.items(asked, "calls")), citations)


def _source(room: AnswersRoom, blob: Digest) -> bytes:
    try:
        return room.blobs.get(blob)
    except KeyError as error:
        raise DanglingManifestError("the run", blob) from error


def _replay_model(room: AnswersRoom, record: Fields, asked: Fields, readers: Readers) -> None:
    bound = fields.part(asked, "binding")
    disk = _Kept(calls_disk(room.workspace.home), bound)
    inputs = Digest(fields.text(bound, "inputs"))
    raw = disk.blob(inputs)
    plan, pack = inputs_of(raw, place=blob_path(inputs))
    if (now := inputs_bytes(plan, pack)) != raw:
        raise ReplayDiffersError(blob_path(inputs), inputs[:19], digest_of(now)[:19])
    subject, head = fields.text(bound, "subject"), fields.text(bound, "head")
    composer = ModelComposer(
        _gateway(asked, subject, head, readers),
        prompt_named(fields.text(bound, "prompt"), place=subject),
        disk,
        room.desk.composer,
        replays=frozenset(_attempts(asked)),
    )
    rerun(record, plan, pack, composer)


def _attempts(asked: Fields) -> Iterator[Attempt]:
    for call, _ in fields.parts(asked, "calls"):
        yield fields.text(call, "witmark.operation"), fields.count(call, "witmark.attempt")


def _gateway(asked: Fields, subject: str, head: str, readers: Readers) -> Gateway:
    """Whoever gives the recorded outcome: the journal, where it says how the ask ended."""
    outcome, because = fields.text(asked, "outcome"), fields.text(asked, "because")
    if outcome == ModelOutcome.TOO_LARGE:
        return _Ended(RequestTooLargeError(because))
    if outcome == ModelOutcome.WAITING and because.startswith(Because.HELD):
        bound = Digest(fields.text(fields.part(asked, "binding"), "operation"))
        return _Ended(Waiting(bound, Because.HELD, 0))
    return ReplayGateway({subject: Digest(head)}, readers)


@dataclass(frozen=True, slots=True)
class _Ended:
    """A gateway that came to this before anything was looked up in a journal."""

    outcome: Outcome | RequestTooLargeError

    async def dispatch(
        self,
        ask: Ask,  # noqa: ARG002 - of the port
        judge: Judge,  # noqa: ARG002
        disk: RecordDisk,  # noqa: ARG002
        *,
        retry_id: str | None = None,  # noqa: ARG002
    ) -> Outcome:
        """Give it again."""
        if isinstance(self.outcome, RequestTooLargeError):
            raise self.outcome
        return self.outcome

    @property
    def max_request_bytes(self) -> int:
        """None is sent."""
        return 0

    @property
    def readers(self) -> Readers:
        """Nothing came that could be read."""
        return NO_READERS

    def check_fits(self, ask: Ask) -> None:
        """Nothing is sent here."""

    def serves(self, purpose: str) -> bool:
        """Only this desk's questions."""
        return purpose == PURPOSE


class _Kept:
    """The calls of a workspace as they were when a run was recorded; nothing can be added.

    A journal may have grown since, when the same was asked again. All of it must be sound,
    and what is shown ends at the entry that the run names.
    """

    def __init__(self, disk: PosixDisk, bound: Fields) -> None:
        self._disk = disk
        self._place = place_of(fields.text(bound, "subject"))
        self._journal = _until(
            disk.read(self._place) or b"", fields.text(bound, "head"), self._place
        )
        for entry in parse_journal(self._journal, place=self._place):
            for blob in entry.blobs:
                self.blob(blob)

    def blob(self, name: Digest) -> bytes:
        """A blob that is bound.

        Raises:
            DigestMismatchError: its bytes are not what they were.
            DanglingManifestError: it is gone.
        """
        try:
            return BlobStore(self._disk).get(name)
        except KeyError as error:
            raise DanglingManifestError(self._place, name) from error

    def read(self, name: str) -> bytes | None:
        """What was there then."""
        return self._journal if name == self._place else self._disk.read(name)

    def write_new(self, name: str, data: bytes) -> None:
        """Whatever a replay puts is there already, with the same bytes, or it differs."""
        kept = self._disk.read(name)
        if kept is None or kept != data:
            raise ReplayDiffersError(name, "other bytes", digest_of(data)[:19])
        raise FileExistsError(name)

    def sync(self, name: str) -> None:
        """What is over is as durable as it will be."""

    def names(self, prefix: str) -> list[str]:
        """As on the disk."""
        return self._disk.names(prefix)

    def walk(self, prefix: str = "") -> list[str]:
        """As on the disk."""
        return self._disk.walk(prefix)

    def add_line(self, name: str, line: bytes, *, at: int) -> None:
        """Nothing is added to what is over."""
        raise ReplayDiffersError(name, f"{at} bytes", f"{len(line)} more")

    @contextmanager
    def held(self, name: str) -> Iterator[bool]:
        """Nobody else can change what is over."""
        del name
        yield True


def _until(raw: bytes, head: str, place: str) -> bytes:
    """The record up to and with the entry of a name; the rest must be sound as well."""
    parse_journal(raw, place=place)
    if not head:
        return b""
    end = 0
    for line in raw.split(b"\n")[:-1]:
        end += len(line) + 1
        if digest_of(line) == head:
            return raw[:end]
    raise BrokenChainError("the entry that the run names is not there", place=place)
