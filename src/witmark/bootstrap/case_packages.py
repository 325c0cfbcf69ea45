"""Case packages of the data folder: by name, and by what lies in them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from witmark.adapters.cases.store import FolderStore, check_id
from witmark.bootstrap.home import home
from witmark.diagnosis.case import CaseId, Manifest, PackageId
from witmark.diagnosis.package import Package
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import (
    DigestMismatchError,
    InputError,
    IntegrityError,
    WitmarkError,
)


def store() -> FolderStore:
    """Where packages made from raw folders lie."""
    return FolderStore(home() / "cases")


def package_named(name: str, package: str | None = None) -> tuple[CaseId, PackageId]:
    """Find a package by its case, or by ``case/package``.

    Raises:
        BadNameError: that is no name of a case.
        InputError: there is none, or more than one and none was named.
    """
    case_name, slash, inside = name.partition("/")
    case = CaseId(check_id(case_name))
    there = list(store().packages(case))
    wanted = inside if slash else package
    if wanted is None and len(there) == 1:
        return case, there[0]
    if wanted in there:
        return case, PackageId(str(wanted))
    known = ", ".join(there)
    if not there:
        what, hint = "there is no case of this name", "`witmark case list` says which there are"
    elif wanted is None:
        what, hint = (
            f"it has the packages {known}",
            "name one with --package, or as CASE/PACKAGE",
        )
    else:
        what, hint = f"it has no package {wanted}; it has {known}", "name one of these"
    raise InputError(what, place=case_name, hint=hint)


def opened(case_id: CaseId, package_id: PackageId) -> Package:
    """The package itself."""
    return Package(store().disk(case_id, package_id))


def packages() -> Iterator[tuple[CaseId, PackageId, Manifest | WitmarkError]]:
    """Every package with where it stands, or with why that cannot be read."""
    kept = store()
    for case in kept.cases():
        for package in kept.packages(case):
            try:
                yield case, package, opened(case, package).manifest()
            except WitmarkError as error:
                yield case, package, error


def blob_of_a_case(blob: Digest) -> tuple[Path, bytes] | None:
    """A raw input or an artefact of a package, by its digest; ``None`` if none has it.

    Raises:
        DigestMismatchError: the only ones that should have it hold other bytes now.
    """
    changed: DigestMismatchError | None = None
    for case, package_id, manifest in packages():
        if isinstance(manifest, WitmarkError):
            continue
        package = opened(case, package_id)
        for path in _holding(package, manifest, blob):
            place = store().place(case, package_id) / path
            raw = package.disk.read(path) or b""
            if (found := digest_of(raw)) == blob:
                return place, raw
            changed = DigestMismatchError(blob, found, place=str(place))
    if changed is not None:
        raise changed
    return None


def _holding(package: Package, manifest: Manifest, blob: Digest) -> Iterator[str]:
    """Paths of a package that are to hold a blob, of older revisions too."""
    declared = manifest.declared
    yield from (path for path, digest in sorted(declared.items()) if digest == blob)
    with contextlib.suppress(IntegrityError):  # what is damaged is told by `case status`
        inventory = package.inventory(manifest)
        yield from (one.path for one in inventory.inputs if one.digest == blob)
