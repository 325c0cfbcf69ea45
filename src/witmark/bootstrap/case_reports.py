"""Reports of a diagnosis as files of their own, outside of every package."""

import os
from dataclasses import dataclass
from pathlib import Path

from witmark import __version__
from witmark.adapters.disk import PosixDisk
from witmark.adapters.html.case import render_case_html
from witmark.adapters.sarif.case import render_case_sarif
from witmark.bootstrap.case_packages import opened
from witmark.bootstrap.home import home
from witmark.bootstrap.writing import refuse_unwritable
from witmark.diagnosis.case import CaseId, PackageId, Phase
from witmark.diagnosis.lifecycle import MissingStageError
from witmark.diagnosis.telling import report_of
from witmark.kernel.errors import AlreadyThereError, InputError, UnwritableError
from witmark.review.words import Lang

_TAKEN = "name a file that does not exist"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where the views of a diagnosis are to be put; ``None``: that one is not wanted.

    Attributes:
        html: The page.
        sarif: The SARIF log.
        lang: Language of the SARIF log; the page has both.
    """

    html: Path | None = None
    sarif: Path | None = None
    lang: Lang = "en"

    @property
    def places(self) -> tuple[Path, ...]:
        """Every file that is wanted."""
        return tuple(one for one in (self.html, self.sarif) if one is not None)


def refuse_places(wanted: Wanted, case: Path | None = None) -> None:
    """Say at once that a file cannot be put where it is wanted.

    Args:
        wanted: The files.
        case: The folder that is diagnosed, if one is: what is put there would be an input.

    Raises:
        UnwritableError: it lies in a package or in the case, or its folder takes no file.
        InputError: both views are to be the same file.
    """
    ways = [place.resolve() for place in wanted.places]
    if len(set(ways)) < len(ways):
        raise InputError("two views cannot be one file", place=str(ways[0]), hint=_TAKEN)
    for place, way in zip(wanted.places, ways, strict=True):
        if way.is_relative_to((home() / "cases").resolve()):
            raise UnwritableError(
                str(place), "lies among the case packages, where it would be an input"
            )
        if case is not None and case.is_dir() and way.is_relative_to(case.resolve()):
            raise UnwritableError(str(place), "lies in the case, where it would be an input")
        if place.is_dir():
            raise UnwritableError(str(place), "is a folder, and a file was to be put there")
        refuse_unwritable(way.parent)


def write_views(case_id: CaseId, package_id: PackageId, wanted: Wanted) -> tuple[Path, ...]:
    """Write the views of the diagnosis that stands; return the files.

    The same bytes that are there already are left as they are.

    Raises:
        MissingStageError: no diagnosis of this revision is published.
        AlreadyThereError: something else is there; it is left alone.
        UnwritableError: it may not be put there.
        IntegrityError: something published is not as it was.
    """
    refuse_places(wanted)
    report = report_of(opened(case_id, package_id), made_by=__version__)
    views: list[tuple[Path, bytes]] = []
    if wanted.html is not None:
        views.append((wanted.html, render_case_html(report)))
    if wanted.sarif is not None:
        views.append((wanted.sarif, render_case_sarif(report, wanted.lang)))
    new = [(place, raw) for place, raw in views if not _is_there(place, raw)]
    for place, raw in new:
        _write(place, raw)
    return wanted.places


def summary_of(case_id: CaseId, package_id: PackageId) -> bytes:
    """The summary of the diagnosis that stands, as it was published.

    Raises:
        MissingStageError: no diagnosis of this revision is published.
        IntegrityError: it is not as it was.
    """
    package = opened(case_id, package_id)
    manifest = package.manifest()
    if (path := manifest.pointers.get("diagnosis_summary")) is None:
        raise MissingStageError(Phase.DIAGNOSIS, manifest.state)
    return package.artefact(manifest, path)


def _is_there(place: Path, raw: bytes) -> bool:
    """Whether these very bytes are there already.

    Raises:
        AlreadyThereError: something else is.
    """
    if not os.path.lexists(place):
        return False
    if place.is_symlink() or not place.is_file() or place.read_bytes() != raw:
        raise AlreadyThereError(str(place), hint=_TAKEN)
    return True


def _write(place: Path, raw: bytes) -> None:
    try:
        PosixDisk(place.absolute().parent).write_new(place.name, raw)
    except FileExistsError as error:
        raise AlreadyThereError(str(place), hint=_TAKEN) from error
