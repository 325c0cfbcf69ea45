"""The review desk, wired: CAD reader, rulebook, pictures, renderers, folders."""

import contextlib
import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from witmark.adapters.cards.book import bundled, open_rulebook, read_rulebook
from witmark.adapters.disk import PosixDisk, Staging, staging, sweep_staging
from witmark.bootstrap.writing import refuse_unwritable
from witmark.kernel.errors import (
    AlreadyThereError,
    NoSuchFolderError,
    UnreadableSourceError,
)
from witmark.kernel.publish import MANIFEST_NAME
from witmark.kernel.store import Disk
from witmark.review import wire
from witmark.review.assembly import Assembly
from witmark.review.ports import CadReader, Pictures, Progress, nobody_waits
from witmark.review.use_cases import (
    Adviser,
    Renderer,
    ReviewDesk,
    ReviewRequest,
    Seat,
    Verified,
    publish_review,
    review_file,
    verify_report,
)

MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "m": 1000.0, "inch": 25.4, "foot": 304.8}

MOST_SOURCE_BYTES = 2 * 1024**3
"""Larger files are refused: reading one would take more memory than the worker may have."""

STALE_STAGING_S = 24 * 3600
"""A hidden folder older than this belongs to no run at work: writing a report takes seconds."""


@contextlib.contextmanager
def review_desk(
    rulebook: Path | None, progress: Progress = nobody_waits, adviser: Adviser | None = None
) -> Iterator[ReviewDesk]:
    """Build the review desk; its CAD process ends with the block, however that ends.

    Args:
        rulebook: A folder of cards; ``None`` takes the built-in ones.
        progress: Who is told of each stage.
        adviser: The model, if one is to be asked.

    Raises:
        InputError: the rulebook cannot be used.
    """
    from witmark.adapters.occt.worker import CadWorker  # noqa: PLC0415 - only when one is needed

    book = read_rulebook(bundled()) if rulebook is None else open_rulebook(rulebook)
    with CadWorker() as reader:
        yield ReviewDesk(reader, book, read_source, _studio, _renderers(), progress, adviser)


def review_here(path: Path, out: Path, *, pictures: int = 0) -> Path:
    """Review a file and publish the report in ``out``; return the folder (for benchmarks)."""
    with review_desk(None) as desk:
        reviewed = review_file(ReviewRequest(path, pictures=pictures), desk)
        return publish_review(reviewed, report_folder(path, out))


def verify(folder: Path) -> Verified:
    """Check a report folder byte by byte and decide its verdicts again.

    Raises:
        NoSuchFolderError: there is no such folder, or nothing in it was ever a report.
        IntegrityError: something differs.
    """
    wanted = "give the folder that `witmark review` wrote"
    if not folder.is_dir():
        raise NoSuchFolderError(str(folder), hint=wanted)
    if not any((folder / name).exists() for name in (MANIFEST_NAME, "report.json", "blobs")):
        raise NoSuchFolderError(str(folder), hint=wanted, what="this folder holds no report")
    from witmark.bootstrap.models import readers  # noqa: PLC0415 - a review needs none

    return verify_report(PosixDisk(folder), readers())


def length_unit_mm(name: str | None) -> float | None:
    """Millimetres per unit of ``--length-unit``, or None when the caller gave none."""
    return None if name is None else MM_PER_UNIT[name]


def refuse_early(source: Path, out: Path | None = None) -> None:
    """Say at once what would else be said only after the CAD kernel has loaded.

    Raises:
        UnreadableSourceError: there is no such file, or it is none that could be read.
        UnwritableError: ``out`` cannot be made there.
        AlreadyThereError: something has the name ``out``, be it a link that leads nowhere.
    """
    _file_status(source)
    if out is not None:
        _refuse_taken(out)
        refuse_unwritable(out.absolute().parent)


def _refuse_taken(out: Path) -> None:
    if os.path.lexists(out):
        raise AlreadyThereError(str(out))


def read_source(path: Path) -> bytes:
    """The bytes of the file to review.

    Raises:
        UnreadableSourceError: missing, a folder, a device, too large, or not permitted.
    """
    _file_status(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def _file_status(path: Path) -> None:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            raise UnreadableSourceError(str(path), f"it is {what}", hint="give a STEP file")
        if status.st_size > MOST_SOURCE_BYTES:
            raise UnreadableSourceError(
                str(path),
                f"{status.st_size} bytes are more than the limit of {MOST_SOURCE_BYTES}",
                hint="split the assembly",
            )
    except (OSError, RuntimeError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> UnreadableSourceError:
    why = getattr(error, "strerror", None) or str(error)
    return UnreadableSourceError(str(path), why, hint="check the path and its permissions")


class _Seat:
    """A hidden folder beside the place the report will take."""

    def __init__(self, stage: Staging, wanted: tuple[Path, ...]) -> None:
        self.stage, self.wanted = stage, wanted
        self.disk: Disk = stage.disk

    def seat(self) -> Path:
        """Take the first of the wanted names that is free."""
        for target in self.wanted:
            try:
                self.stage.seat(target)
            except FileExistsError:
                continue
            return target
        raise AlreadyThereError(str(self.wanted[-1]))


@contextlib.contextmanager
def report_folder(source: Path, out: Path | None) -> Iterator[Seat]:
    """Where a report goes: ``out``, else ``<stem>.witmark`` beside the file, then ``-2`` ..."""
    if out is not None:
        wanted: tuple[Path, ...] = (out,)
        _refuse_taken(out)
    else:
        first = source.with_name(f"{source.stem}.witmark")
        wanted = (first, *(first.with_name(f"{first.name}-{n}") for n in range(2, 1000)))
    # what a killed run left beside somebody else's files may be somebody else's to remove
    with contextlib.suppress(OSError):
        sweep_staging(wanted[0].parent, before_s=time.time() - STALE_STAGING_S)
    with staging(wanted[0].parent) as stage:
        yield _Seat(stage, wanted)


def _renderers() -> Mapping[str, Renderer]:
    return {"report.html": _html, "findings.sarif": _sarif, "findings.csv": _csv}


def _html(
    report: wire.ReviewV1,
    pictures: Mapping[str, bytes],
    positions_mm: Mapping[str, Sequence[float]],  # noqa: ARG001 - one signature for all
    lang: str,  # noqa: ARG001 - the page holds both languages
) -> bytes:
    from witmark.adapters.html import render_html  # noqa: PLC0415

    return render_html(report, pictures)


def _sarif(
    report: wire.ReviewV1,
    pictures: Mapping[str, bytes],  # noqa: ARG001 - one signature for all
    positions_mm: Mapping[str, Sequence[float]],
    lang: str,
) -> bytes:
    from witmark.adapters.sarif import render_sarif  # noqa: PLC0415

    return render_sarif(report, "zh" if lang == "zh" else "en", positions_mm)


def _csv(
    report: wire.ReviewV1,
    pictures: Mapping[str, bytes],  # noqa: ARG001 - one signature for all
    positions_mm: Mapping[str, Sequence[float]],  # noqa: ARG001
    lang: str,
) -> bytes:
    from witmark.adapters.csv import render_csv  # noqa: PLC0415

    return render_csv(report, "zh" if lang == "zh" else "en")


def _studio(assembly: Assembly, reader: CadReader) -> Pictures:
    from witmark.bootstrap.studio import studio  # noqa: PLC0415

    return studio(assembly, reader)
