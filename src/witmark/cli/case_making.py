"""``witmark case new`` and ``add``."""

from pathlib import Path

import click

from witmark.cli.options import package_option, program


@click.command("new")
@click.argument("case_id")
@click.argument("path", type=click.Path(path_type=Path))
def new_command(*, case_id: str, path: Path) -> None:
    """Copy PATH, byte for byte, into a new package of the case CASE_ID.

    PATH is a folder, a single report, or an archive of either.
    """
    from witmark.adapters.cases import read_case
    from witmark.adapters.cases.store import check_id
    from witmark.bootstrap.case_packages import store
    from witmark.bootstrap.diagnosing import assembler
    from witmark.diagnosis.case import CaseId
    from witmark.kernel.errors import visible

    case = CaseId(check_id(case_id))
    handed = read_case(path)
    package = assembler().new(case, handed.files, handed.members)
    for one in handed.left_out:
        click.echo(f"left out {one}", err=True)
    click.echo(f"{case}/{package}")
    click.echo(f"in {visible(str(store().place(case, package)))}", err=True)
    click.echo(f"next: {program()} diagnose {case}/{package}", err=True)


@click.command("add")
@click.argument("case_id")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@package_option
def add_command(*, case_id: str, paths: tuple[Path, ...], package: str | None) -> None:
    """Add files or folders to a package; without any, take in what was put there by hand."""
    from witmark.adapters.cases import read_case
    from witmark.bootstrap.case_packages import opened, package_named
    from witmark.bootstrap.diagnosing import assembler

    case, package_id = package_named(case_id, package)
    files: dict[str, bytes] = {}
    members: dict[str, dict[str, bytes]] = {}
    for path in paths:
        handed = read_case(path)
        prefix = f"{path.resolve().name}/" if path.is_dir() else ""
        files |= {prefix + name: raw for name, raw in handed.files.items()}
        members |= {prefix + name: dict(found) for name, found in handed.members.items()}
        for one in handed.left_out:
            click.echo(f"left out {one}", err=True)
    there = opened(case, package_id)
    before = there.manifest()
    if files:
        after = assembler().add(case, package_id, files, members)
    else:
        after = assembler().refresh(there, before)
    same = after.generation == before.generation
    click.echo("nothing new" if same else f"revision {after.revision}: analyse it again")
    if not same:
        click.echo(f"next: {program()} diagnose {case}/{package_id}", err=True)
