"""A recorded run, made again without a provider, after one bit of it was changed.

The gateway: lives that were accepted, refused and then accepted, that failed over, were spent
or blocked are recorded on a real disk with an image and a schema. Then one bit is flipped at 50
places of each thing that a replay rests on: the record, the schema, the image, the prompt's
file, the question's words, and the record's end as somebody else kept it. A raw answer is
turned once more in a record that is written anew around it: unless it still reads the same, it
is refused as well.

The desks: an answer with its record, journal and blobs, and a review's whole folder, as it lies
and sealed again around the turned bit, at 50 places of each kind of bytes that binds it
(``--full``: of each file; a diagnosis has `diagnosis_replay`). Every replay has to refuse, and
nothing on the disk may change for it.
"""

import base64
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bench.common import Stopwatch, finish, options
from bench.model_lives import (
    IMAGE,
    LIVES,
    PROFILES,
    PROMPT,
    RUN,
    SCHEMA,
    Life,
    ask,
    judge,
    lines,
    now,
)
from bench.replay_desks import Run, answers_run, review_run
from witmark.adapters.disk import PosixDisk
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import IntegrityError
from witmark.kernel.journal import Entry, Journal, place_of, read_journal
from witmark.kernel.model.outcome import Outcome
from witmark.kernel.model.record import REPLIED
from witmark.kernel.model.replaying import ReplayGateway
from witmark.kernel.model.reply import Raw
from witmark.kernel.model.request import Ask, Request
from witmark.kernel.store import blob_path
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import PlayedProvider

PLACES = 50


@dataclass(frozen=True, slots=True)
class Recorded:
    """A life that is over, and what somebody else kept of it."""

    folder: Path
    ask: Ask
    head: Digest
    outcome: Outcome

    def played(self, question: Ask | None = None, head: Digest | None = None) -> Outcome:
        """Play it again."""
        gateway = ReplayGateway({RUN: head or self.head}, {"counted": PlayedProvider([])})
        return now(gateway.dispatch(question or self.ask, judge, PosixDisk(self.folder)))


def main(argv: Sequence[str] | None = None) -> int:
    """Flip bits; count what was not noticed."""
    asked_for = options(argv, __doc__)
    watch = Stopwatch()
    refused: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    wrong: list[str] = []
    requests = rebuilt = differing = 0
    with tempfile.TemporaryDirectory(prefix="witmark-replay-") as parent:
        for name in LIVES:
            life = Life(name, Path(parent) / f"{name}.count")
            recorded = _recorded(life, Path(parent) / name.replace(" ", "-"))
            asked = life.requests()
            differing += recorded.played() != recorded.outcome
            for artefact, at, replayed in _changed(recorded):
                before = _everything(recorded.folder)
                tried[artefact] += 1
                because = _refusal(replayed)
                refused[artefact] += not because
                rebuilt += _everything(recorded.folder) != before
                if because:
                    wrong.append(f"{name}, bit {at} of the {artefact}: {because}")
            requests += life.requests() - asked
        for made in (answers_run, review_run):
            with made(_new(Path(parent), made.__name__)) as run:
                differing += bool(_refusal(run.replayed)) is False
                for artefact, at, because in _tampered(run, is_full=asked_for.full):
                    tried[artefact] += 1
                    refused[artefact] += not because
                    if because:
                        wrong.append(f"bit {at} of {artefact}: {because}")
    for line in wrong[:20]:
        print(line)
    figures = {
        "flips": dict(sorted(tried.items())),
        "refused": dict(sorted(refused.items())),
        "not_refused": len(wrong),
        "rebuilt": rebuilt,
        "requests": requests,
        "unflipped_that_differ": differing,
    }
    limits = {"not_refused": 0, "rebuilt": 0, "requests": 0, "unflipped_that_differ": 0}
    ok = not wrong and not rebuilt and not requests and not differing
    n = sum(tried.values())
    return finish("replay", watch, figures=figures, limits=limits, n=n, ok=ok)


def _new(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder


def _tampered(run: Run, *, is_full: bool) -> Iterator[tuple[str, int, str]]:
    """Turn bits of each of a run's artefacts: of what, which bit, and what came of it."""
    files = Counter(artefact.name for artefact in run.artefacts())
    for artefact in run.artefacts():
        share = PLACES if is_full else -(-PLACES // files[artefact.name])
        places = [at for start, end in artefact.ranges for at in range(start, end)]
        for bit in _bits(len(places), share):
            raw = bytearray(artefact.sound)
            raw[places[bit // 8]] ^= 1 << bit % 8
            replayed = artefact.met(bytes(raw))
            yield f"{run.desk}: {artefact.name}", bit, _refusal(replayed)
        artefact.rest()


def _recorded(life: Life, folder: Path) -> Recorded:
    disk = PosixDisk(folder)
    outcome = life.run(disk)
    return Recorded(folder, ask(disk), digest_of(lines(disk)[-1]), outcome)


def _changed(was: Recorded) -> Iterator[tuple[str, int, Callable[[], Outcome]]]:
    """Every change: of what, at which bit, and the replay that meets it."""
    files = {
        "record": place_of(RUN),
        "schema": blob_path(SCHEMA.digest),
        "image": blob_path(digest_of(IMAGE)),
    }
    for artefact, name in files.items():
        file = was.folder / name
        sound = file.read_bytes()
        for at in _bits(len(sound)):
            file.write_bytes(_flipped(sound, at))
            yield artefact, at, was.played
        file.write_bytes(sound)
    yield from _forged(was)
    for at in _bits(len(PROMPT)):
        prompt = digest_of(_flipped(PROMPT, at))
        yield "prompt", at, partial(was.played, replace(was.ask, prompt=prompt))
    for at in _bits(32):
        head = Digest("sha256:" + _flipped(bytes.fromhex(was.head[7:]), at).hex())
        yield "end kept elsewhere", at, partial(was.played, head=head)
    first, *rest = was.ask.messages
    for at in _bits(len(first.text)):
        text = _flipped(first.text.encode(), at).decode("utf-8", "replace")
        words = (replace(first, text=text), *rest)
        yield "words", at, partial(was.played, replace(was.ask, messages=words))


def _forged(was: Recorded) -> Iterator[tuple[str, int, Callable[[], Outcome]]]:
    """A raw answer that was turned, in a record and with an end that were made to fit it."""
    entries = read_journal(PosixDisk(was.folder), RUN)
    reader = PlayedProvider([])
    answers = [number for number, one in enumerate(entries) if one.kind == REPLIED]
    asked = Request("", "", (), SCHEMA, digest_of(PROMPT), PROFILES[0])
    for number in answers[-1:]:
        body = entries[number].body
        sound = body["body"]["text"].encode()
        for at in _bits(len(sound)):
            turned = _flipped(sound, at)
            if reader.read(Raw(turned), asked) == reader.read(Raw(sound), asked):
                continue  # it says the same in other bytes: only the end kept elsewhere tells
            disk = MemoryDisk({blob_path(one): _blob(was, one) for one in _blobs(entries)})
            anew = Journal(disk, RUN)
            for place, one in enumerate(entries):
                told = {**body, "body": _plain(turned)} if place == number else one.body
                anew.append(one.kind, told, one.blobs)
            assert anew.head is not None  # noqa: S101  # something was just added
            gateway = ReplayGateway({RUN: anew.head}, {"counted": reader})
            yield "answer forged with its record", at, partial(_played_on, gateway, was, disk)


def _played_on(gateway: ReplayGateway, was: Recorded, disk: MemoryDisk) -> Outcome:
    return now(gateway.dispatch(was.ask, judge, disk))


def _blobs(entries: Sequence[Entry]) -> list[Digest]:
    return sorted({name for one in entries for name in one.blobs})


def _blob(was: Recorded, name: Digest) -> bytes:
    return (was.folder / blob_path(name)).read_bytes()


def _plain(raw: bytes) -> dict[str, str]:
    try:
        return {"text": raw.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode()}


def _bits(size: int, places: int = PLACES) -> Iterator[int]:
    """Places spread evenly over so many bytes, the first and the last bit among them."""
    most = size * 8 - 1
    yield from sorted({most * number // max(1, places - 1) for number in range(places)})


def _flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _refusal(replayed: Callable[[], object]) -> str:
    """Nothing if it was refused; else what came of it."""
    try:
        return str(replayed())
    except IntegrityError:
        return ""


def _everything(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


if __name__ == "__main__":
    sys.exit(main())
