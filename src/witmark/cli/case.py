"""``witmark case``: packages by hand: make one, add to it, see where it stands."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from witmark.diagnosis.case import CaseId, Manifest, PackageId
    from witmark.diagnosis.package import Package

package_option = click.option(
    "--package", metavar="ID", help="Which package, if the case has more than one."
)


@click.group("case")
def command() -> None:
    """Make a case package, add to it, and see where it stands."""


@command.command("new")
@click.argument("case_id")
@click.argument("folder", type=click.Path(path_type=Path))
def new(*, case_id: str, folder: Path) -> None:
    """Copy FOLDER, byte for byte, into a new package of the case CASE_ID."""
    from witmark.adapters.cases import read_case_folder
    from witmark.adapters.cases.store import check_id
    from witmark.bootstrap.diagnosing import assembler, store
    from witmark.diagnosis.case import CaseId
    from witmark.kernel.errors import visible

    files, left_out = read_case_folder(folder)
    case = CaseId(check_id(case_id))
    package = assembler().new(case, files)
    for one in left_out:
        click.echo(f"left out {visible(one)}", err=True)
    click.echo(f"{case}/{package}")
    click.echo(f"in {store().place(case, package)}", err=True)


@command.command("add")
@click.argument("case_id")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@package_option
def add(*, case_id: str, paths: tuple[Path, ...], package: str | None) -> None:
    """Add files or folders to a package; without any, take in what was put there by hand."""
    from witmark.bootstrap.diagnosing import assembler

    case, package_id, opened = _opened(case_id, package)
    files: dict[str, bytes] = {}
    for path in paths:
        files |= _read(path)
    before = opened.manifest()
    if files:
        after = assembler().add(case, package_id, files)
    else:
        after = assembler().refresh(opened, before)
    same = after.generation == before.generation
    click.echo("nothing new" if same else f"revision {after.revision}: analyse it again")


@command.command("status")
@click.argument("case_id")
@package_option
def status(*, case_id: str, package: str | None) -> None:
    """Say how far the analysis is, who looks next, and whether the inputs are as they were."""
    from witmark.diagnosis.package import StaleCaseError

    _, _, opened = _opened(case_id, package)
    manifest = opened.manifest()
    click.echo(f"{manifest.case_id}/{manifest.package_id}")
    click.echo(f"state      {manifest.state.value}")
    click.echo(f"routing    {manifest.routing.value}")
    click.echo(f"revision   {manifest.revision}, generation {manifest.generation}")
    opened.check_whole(manifest)
    try:
        inventory = opened.check_fresh(manifest)
    except StaleCaseError as error:
        click.echo(f"inputs     changed: {error}; {error.hint}")
        return
    click.echo(f"inputs     {len(inventory.inputs)}, as they were")


@command.command("show")
@click.argument("case_id")
@package_option
def show(*, case_id: str, package: str | None) -> None:
    """Print the manifest and the inputs of a package as JSON."""
    _, _, opened = _opened(case_id, package)
    manifest = opened.manifest()
    click.echo(json.dumps(_shown(opened, manifest), ensure_ascii=False, indent=2))


def _shown(opened: "Package", manifest: "Manifest") -> Mapping[str, object]:
    from witmark.diagnosis.plain import to_plain

    return {
        "manifest": to_plain(manifest),
        "inputs": to_plain(opened.inventory(manifest).inputs),
    }


def _opened(case_id: str, package: str | None) -> tuple["CaseId", "PackageId", "Package"]:
    from witmark.bootstrap.diagnosing import store
    from witmark.diagnosis.case import CaseId, PackageId
    from witmark.diagnosis.package import Package
    from witmark.kernel.errors import InputError

    case = CaseId(case_id)
    there = list(store().packages(case))
    if package is None and len(there) != 1:
        known = ", ".join(there) or "none"
        hint = "name one with --package" if there else "`witmark case new` makes one"
        raise InputError(f"the case has these packages: {known}", place=case_id, hint=hint)
    package_id = PackageId(package or there[0])
    return case, package_id, Package(store().disk(case, package_id))


def _read(path: Path) -> dict[str, bytes]:
    from witmark.adapters.cases import read_case_folder
    from witmark.kernel.errors import UnreadableSourceError

    if path.is_dir():
        files, _ = read_case_folder(path)
        return {f"{path.name}/{name}": raw for name, raw in files.items()}
    try:
        return {path.name: path.read_bytes()}
    except OSError as error:
        raise UnreadableSourceError(str(path), error.strerror or "cannot be read") from error
