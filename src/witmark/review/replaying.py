"""A published report, decided once more from the blobs it was decided from.

Neither the CAD kernel nor a model is needed: the same facts and the same rules go through the
same code, and the report that comes out must be the stored one, byte for byte.
"""

import contextlib
from collections.abc import Sequence

from witmark import __version__
from witmark.kernel.canon import Digest, digest_of, read_canonical
from witmark.kernel.errors import FolderChangedError, GarbledRecordError, ReplayDiffersError
from witmark.kernel.model.prompt import read_prompt
from witmark.kernel.model.replaying import ReplayGateway
from witmark.kernel.model.reply import Readers
from witmark.kernel.store import Disk, blob_path
from witmark.review import wire
from witmark.review.asking.talking import Ending, Limits, Purpose, Said, Shown, Talk
from witmark.review.attributing import Part
from witmark.review.facts import FactsBlob
from witmark.review.issuing import Ground, issue
from witmark.review.ports import rulebook_of
from witmark.review.reporting import ONE_BY_ONE, Drawn
from witmark.review.reviewing import Consulted, Judged, SecondLook, judge_facts
from witmark.review.sighting import StoredSight
from witmark.review.source import Sources, SourceText
from witmark.review.units import FactValue


def replay(disk: Disk, readers: Readers) -> wire.ReviewV1:
    """Decide a stored report again, write it again, hold the two together; return it.

    The pictures are taken as published: their bytes were checked, and drawing them needs the
    CAD kernel.

    Args:
        disk: The report's folder.
        readers: Who reads the raw answers of models; they need no network.

    Raises:
        ReplayDiffersError: the stored facts and rules do not give the stored report.
        IntegrityError: a blob that the report names is missing or no longer reads.
    """
    raw = _file(disk, "report.json")
    published = wire.decode(raw)
    blobs = [_facts_blob(disk, digest) for digest in published.facts]
    book = rulebook_of(
        _blob(disk, published.rulebook.index), _blob(disk, published.rulebook.store)
    )
    model = _stored_talk(disk, published, readers)
    judged = judge_facts(blobs[0], book, _stored_look(blobs[1:]), model)
    part = None
    if model is not None and judged.advice is not None:
        part = Part(model.talk, judged.advice, model.talk.records())
        _same_beside(disk, part, blobs[0])
    told_by_part = len(part.notices()) if part else 0
    told = published.notices[: len(published.notices) - told_by_part]
    own_notices = len(blobs[0].data["notices"])  # type: ignore[arg-type]  # plain JSON
    again = wire.encode(
        issue(
            Ground(
                published.source.path,
                _stored_sources(disk, published),
                blobs[0],
                book,
                judged,
                part,
            ),
            _published_pictures(disk, published, judged),
            [notice.model_dump() for notice in told[own_notices:]],
        )
    )
    if published.tool.version != __version__:
        _same_decisions(published, wire.decode(again))
    elif again != raw:
        raise ReplayDiffersError("report.json", *_first_difference(raw, again))
    return published


def _same_decisions(published: wire.ReviewV1, again: wire.ReviewV1) -> None:
    """Hold a report of another version of ours to what it decided, not to how it said it."""
    told, now = (
        [
            (
                v.rule_id,
                v.component_id,
                v.anchor.id,
                v.verdict,
                v.severity,
                v.count,
                v.fact_refs,
            )
            for v in report.verdicts
        ]
        for report in (published, again)
    )
    if told != now:
        at = next((k for k, (a, b) in enumerate(zip(told, now, strict=False)) if a != b), -1)
        raise ReplayDiffersError(
            f"verdict {at + 1}", str(told[at : at + 1]), str(now[at : at + 1])
        )


def _stored_talk(disk: Disk, published: wire.ReviewV1, readers: Readers) -> Consulted | None:
    """The talk as it was recorded: the same questions, the recorded replies, no provider."""
    part = published.model
    if part is None:
        return None
    read = [read_prompt(_blob(disk, one.digest), one.name) for one in part.prompts]
    images: dict[str, list[tuple[int, Shown]]] = {}
    for image in part.images:
        shown = Shown(Digest(image.digest), image.visible_pixels)
        images.setdefault(image.subject, []).append((image.shows, shown))
    talk = Talk(
        ReplayGateway({one.subject: Digest(one.head) for one in part.records}, readers),
        {Purpose(one.purpose): one for one in read},
        BesideReport(disk),
        StoredSight(images),
        frozenset(Purpose(name) for name in part.purposes),
        Limits(**part.limits.model_dump()),
        recorded={one.subject: _said(one) for one in part.said},
    )
    return Consulted(talk, _facts_blob(disk, part.contacts))


def _said(one: wire.Said) -> Said:
    return Said(one.subject, Purpose(one.purpose), Ending(one.outcome), one.because)


def _same_beside(disk: Disk, part: Part, first: FactsBlob) -> None:
    """Hold the records and the descriptions of interfaces to what the talk gives."""
    for name, now in sorted(part.files(first).items()):
        if (was := _file(disk, name)) != now:
            raise ReplayDiffersError(name, *_first_difference(was, now))


class BesideReport:
    """The records in a report's folder, under the names that a gateway looks for. Read only."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def read(self, name: str) -> bytes | None:
        """The bytes of a record or a blob."""
        return self._disk.read(f"model/{name}" if name.startswith("journals/") else name)

    def sync(self, name: str) -> None:
        """What is sealed is as durable as it will be."""

    def names(self, prefix: str) -> list[str]:
        """The names in a folder of the report."""
        return self._disk.names(prefix)

    def walk(self, prefix: str = "") -> list[str]:
        """Everything in the report."""
        return self._disk.walk(prefix)

    def write_new(self, name: str, data: bytes) -> None:
        """Nothing is written in a replay."""
        raise AssertionError(f"a replay would write {len(data)} bytes to {name}")

    def add_line(self, name: str, line: bytes, *, at: int) -> None:
        """Nothing is recorded in a replay."""
        raise AssertionError(f"a replay would add {len(line)} bytes to {name} at {at}")

    def held(self, name: str) -> contextlib.AbstractContextManager[bool]:
        """Nobody else is there."""
        raise AssertionError(f"a replay would hold {name}")


def _file(disk: Disk, name: str) -> bytes:
    raw = disk.read(name)
    if raw is None:
        raise FolderChangedError("is not there", place=name)
    return raw


def _stored_sources(disk: Disk, published: wire.ReviewV1) -> Sources:
    return Sources(
        SourceText(_blob(disk, published.source.digest)),
        {one.path: SourceText(_blob(disk, one.digest)) for one in published.source.referred},
    )


def _facts_blob(disk: Disk, digest: str) -> FactsBlob:
    raw = _blob(disk, digest)
    data = read_canonical(raw, place=digest[:19])
    if not isinstance(data, dict):
        raise GarbledRecordError("no facts blob", place=digest[:19])
    return FactsBlob(raw, digest_of(raw), data)


def _blob(disk: Disk, digest: str) -> bytes:
    return _file(disk, blob_path(Digest(digest)))


def _stored_look(blobs: Sequence[FactsBlob]) -> SecondLook:
    stored = {
        (one["part"], one["feature"], one["fact"]): one["value"]
        for blob in blobs
        for one in blob.data["answers"]  # type: ignore[attr-defined]  # plain JSON
    }

    def look(part: int, feature: int, fact: str) -> FactValue:
        if (part, feature, fact) not in stored:
            place = f"parts/{part}/features/{feature}"
            raise ReplayDiffersError(place, "no such question", fact)
        value: FactValue = stored[part, feature, fact]
        return value

    return look


def _published_pictures(
    disk: Disk, published: wire.ReviewV1, judged: Judged
) -> dict[int, Drawn]:
    """The pictures as they lie in the folder, by position among the verdicts."""
    pictures = {
        one.id: Drawn(
            one.id, one.file, _file(disk, one.file), one.visible_pixels, one.width, one.height
        )
        for one in published.pictures
    }
    singly = [k for k, verdict in enumerate(judged.verdicts) if verdict.kind in ONE_BY_ONE]
    return {
        k: pictures[row.picture]
        for k, row in zip(singly, published.verdicts, strict=False)
        if row.picture is not None
    }


def _first_difference(published: bytes, again: bytes) -> tuple[str, str]:
    """The surroundings of the first byte that differs, on both sides."""
    at = next(
        (k for k, (a, b) in enumerate(zip(published, again, strict=False)) if a != b),
        min(len(published), len(again)),
    )
    around = slice(max(0, at - 40), at + 40)
    return repr(published[around].decode(errors="replace")), repr(
        again[around].decode(errors="replace")
    )
