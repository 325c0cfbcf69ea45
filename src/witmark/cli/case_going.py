"""``witmark case resume``, ``accept``, ``reject`` and ``reopen``."""

from pathlib import Path

import click

from witmark.cli.options import (
    config_option,
    diagnosis_config_option,
    model_option,
    package_option,
    program,
    retry_option,
)

_reason_option = click.option(
    "--reason", required=True, metavar="TEXT", help="Why, for whoever looks at it next."
)


@click.command("resume")
@click.argument("case_id")
@package_option
@config_option
@diagnosis_config_option
@model_option
@retry_option
def resume_command(  # noqa: PLR0913 - a command's options
    *,
    case_id: str,
    package: str | None,
    config: Path | None,
    diagnosis_config: Path | None,
    use_model: bool,
    retry_id: str | None,
) -> int:
    """Go on with a diagnosis where it stopped: interrupted, blocked, or rejected.

    A blocked model call is opened again by --retry-id NAME, once per name. Exit code 0 when a
    root cause is confirmed, 1 when it is inconclusive and handed over.
    """
    from witmark.bootstrap.case_packages import package_named
    from witmark.cli.diagnose import diagnose_package

    case, package_id = package_named(case_id, package)
    settled = (config, diagnosis_config, use_model)
    return diagnose_package(case, package_id, settled, retry_id=retry_id, as_json=False)


@click.command("accept")
@click.argument("case_id")
@_reason_option
@package_option
def accept_command(*, case_id: str, reason: str, package: str | None) -> None:
    """Keep that a person accepts the diagnosis, and why."""
    _give("accepted", case_id, package, reason)


@click.command("reject")
@click.argument("case_id")
@_reason_option
@package_option
def reject_command(*, case_id: str, reason: str, package: str | None) -> None:
    """Keep that a person rejects the diagnosis, and why; the case goes to review."""
    _give("rejected", case_id, package, reason)


@click.command("reopen")
@click.argument("case_id")
@package_option
def reopen_command(*, case_id: str, package: str | None) -> None:
    """Begin a new analysis revision on the same inputs; what was published stays."""
    from witmark.bootstrap.case_packages import opened, package_named
    from witmark.bootstrap.diagnosing import assembler

    case, package_id = package_named(case_id, package)
    there = opened(case, package_id)
    after = assembler().reopen(there, there.manifest())
    click.echo(f"revision {after.revision}")
    click.echo(f"next: {program()} diagnose {case}/{package_id}", err=True)


def _give(verdict: str, case_id: str, package: str | None, reason: str) -> None:
    from witmark.adapters.clock import SystemClock
    from witmark.bootstrap.case_packages import package_named, store
    from witmark.diagnosis.feedback import Verdict, give_feedback

    case, package_id = package_named(case_id, package)
    said = Verdict(verdict)
    manifest = give_feedback(case, package_id, said, reason, store(), SystemClock())
    click.echo(f"{said.value}; {manifest.routing.value} looks next")
    click.echo(
        f"next: {program()} case reopen {case}/{package_id}, to analyse it again", err=True
    )
