"""``witmark case change`` and ``deliver``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from witmark.cli.options import package_option, program

if TYPE_CHECKING:
    from witmark.diagnosis.change_request.building import Refused


@click.command("change")
@click.argument("case_id")
@package_option
@click.option(
    "--policy",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What a fix may touch and must bring (config/bugfix-policy.example.toml).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the document itself.")
def change_command(
    *, case_id: str, package: str | None, policy: Path | None, as_json: bool
) -> int:
    """Make the change request of a confirmed diagnosis, and validate it.

    It says where the code may be changed, which tests a change must bring and how one will
    know that it is right; it holds no code, and nothing is run. Every sentence of it opens at
    its place.

    Exit code 0 when it is ready to be handed over, 1 when the final validation refuses it; the
    reasons are printed, and the case goes to review.
    """
    import asyncio

    from witmark.bootstrap.case_packages import opened, package_named
    from witmark.bootstrap.changing import change_desk
    from witmark.diagnosis.change_request.building import Refused, request_change
    from witmark.diagnosis.change_request.policy import BugfixPolicy

    case, package_id = package_named(case_id, package)
    chosen = None if policy is None else BugfixPolicy.load(policy)
    made = asyncio.run(request_change(case, package_id, change_desk(), chosen))
    if isinstance(made, Refused):
        return _refused(made, f"{case}/{package_id}")
    there = opened(case, package_id)
    name = "change_request" if as_json else "change_request_summary"
    raw = there.artefact(made.manifest, made.manifest.pointers[name])
    sys.stdout.buffer.write(raw if raw.endswith(b"\n") else raw + b"\n")
    click.echo(f"next: {program()} case deliver {case}/{package_id} --to DIR", err=True)
    return 0


@click.command("deliver")
@click.argument("case_id")
@package_option
@click.option(
    "--to",
    "outbox",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder that somebody else takes it from; made if it is not there.",
)
def deliver_command(*, case_id: str, package: str | None, outbox: Path) -> None:
    """Hand a validated change request over to a folder, exactly once.

    It appears as a folder of its own, whole or not at all, and is never put a second time,
    neither there nor elsewhere.
    """
    import asyncio

    from witmark.bootstrap.case_packages import package_named
    from witmark.bootstrap.changing import delivery_desk
    from witmark.diagnosis.change_request.delivering import deliver
    from witmark.kernel.errors import visible

    case, package_id = package_named(case_id, package)
    done = asyncio.run(deliver(case, package_id, str(outbox), delivery_desk()))
    click.echo(visible(str(Path(done.outbox) / done.id)))
    if done.was_there:
        click.echo("it was handed over before; nothing was put again", err=True)


def _refused(made: "Refused", name: str) -> int:
    from witmark.kernel.errors import visible

    click.echo(f"The final validation refuses the change request of {name}:\n")
    for one in made.objections:
        click.echo(f"- {one.name}: {visible(one.because)}")
    click.echo(f"\nkept in {made.path}; the case goes to review", err=True)
    return 1
