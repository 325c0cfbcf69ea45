"""``witmark case list``, ``status`` and ``show``."""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from witmark.cli.options import package_option, program

if TYPE_CHECKING:
    from witmark.diagnosis.case import Inventory, Manifest
    from witmark.diagnosis.package import Package


@click.command("list")
def list_command() -> None:
    """List every case and where it stands."""
    from witmark.bootstrap.case_packages import packages
    from witmark.kernel.errors import WitmarkError, one_line

    found = list(packages())
    if not found:
        click.echo(f"no case yet; {program()} diagnose FOLDER makes one", err=True)
    for case, package, manifest in found:
        if isinstance(manifest, WitmarkError):
            click.echo(f"{case}/{package}  unreadable: {one_line(manifest)}")
            continue
        told = f"{manifest.state.value}, {manifest.routing.value}, revision {manifest.revision}"
        click.echo(f"{case}/{package}  {told}")


@click.command("status")
@click.argument("case_id")
@package_option
def status_command(*, case_id: str, package: str | None) -> None:
    """Say how far the analysis is, who looks next, and whether the inputs are as they were."""
    from witmark.bootstrap.case_packages import opened, package_named
    from witmark.diagnosis.leftovers import left_over
    from witmark.diagnosis.package import StaleCaseError
    from witmark.kernel.errors import visible

    there = opened(*package_named(case_id, package))
    manifest = there.manifest()
    name = f"{manifest.case_id}/{manifest.package_id}"
    click.echo(name)
    click.echo(f"state      {manifest.state.value}")
    click.echo(f"routing    {manifest.routing.value}")
    click.echo(f"revision   {manifest.revision}, generation {manifest.generation}")
    there.check_whole(manifest)
    left = left_over(there, manifest)
    try:
        inventory = there.check_fresh(manifest, leftovers=left)
    except StaleCaseError as error:
        click.echo(f"inputs     changed: {error}")
        click.echo(f"next       {program()} case add {name}")
        return
    click.echo(f"inputs     {len(inventory.inputs)}, as they were")
    for path in left:
        click.echo(
            f"left over  {visible(path)}: of a step that was interrupted; the same step "
            "takes it up"
        )
    for line in _secret_lines(there, inventory):
        click.echo(f"secrets    {line}")
    for line in _output_lines(there, manifest):
        click.echo(line)
    if feedback := _feedback(there, manifest):
        click.echo(f"feedback   {feedback}")
    click.echo(f"next       {_next(name, manifest)}")


@click.command("show")
@click.argument("case_id")
@package_option
def show_command(*, case_id: str, package: str | None) -> None:
    """Print the manifest, the inputs and which of them hold secrets, as JSON."""
    from witmark.bootstrap.case_packages import opened, package_named
    from witmark.diagnosis.plain import to_plain

    there = opened(*package_named(case_id, package))
    manifest = there.manifest()
    inventory = there.inventory(manifest)
    shown = {
        "manifest": to_plain(manifest),
        "inputs": to_plain(inventory.inputs),
        "secrets": _secrets(there, inventory),
    }
    text = json.dumps(shown, ensure_ascii=False, indent=2)
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")


def _secrets(there: "Package", inventory: "Inventory") -> Mapping[str, Mapping[str, int]]:
    from witmark.diagnosis.redacting import secrets_of

    inputs = [one for one in inventory.inputs if there.disk.read(one.path) is not None]
    return secrets_of(inputs, lambda one: there.read(one.path)).counts


def _secret_lines(there: "Package", inventory: "Inventory") -> list[str]:
    from witmark.kernel.errors import visible

    return [
        f"{visible(path)}: {', '.join(f'{times} {kind}' for kind, times in kinds.items())}"
        for path, kinds in _secrets(there, inventory).items()
    ] or ["none found in the inputs"]


def _feedback(there: "Package", manifest: "Manifest") -> str:
    from witmark.diagnosis.feedback import FORMAT, Feedback
    from witmark.diagnosis.plain import read_artefact
    from witmark.kernel.errors import visible

    if (path := manifest.pointers.get("feedback")) is None:
        return ""
    said = read_artefact(FORMAT, Feedback, there.artefact(manifest, path), place=path)
    return f"{said.verdict.value}: {visible(said.reason)}"


def _output_lines(there: "Package", manifest: "Manifest") -> list[str]:
    from witmark.bootstrap.changing import told_of

    return [f"{name:<10} {said}" for name, said in told_of(there, manifest)]


def _next(name: str, manifest: "Manifest") -> str:
    from witmark.bootstrap.changing import next_of

    if "diagnosis" not in manifest.pointers:
        return f"{program()} diagnose {name}"
    if step := next_of(manifest):
        return f"{program()} case {step[0]} {name}{step[1]}"
    if "feedback" in manifest.pointers:
        return f"{program()} case reopen {name}, to analyse it again"
    return f'{program()} case accept {name} --reason "…", or case reject'
