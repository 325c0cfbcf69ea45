"""``witmark runs``: what was asked, how the graph did, and how two runs differ."""

import json
from typing import TYPE_CHECKING

import click

from witmark.cli.workspaces import workspace_option

if TYPE_CHECKING:
    from witmark.bootstrap.answering import AnswersRoom


@click.group("runs", invoke_without_command=True)
@workspace_option
@click.option("--latest", type=click.IntRange(1), help="Only so many of the newest.")
@click.pass_context
def command(context: click.Context, *, workspace: str, latest: int | None) -> None:
    """List the runs of a workspace with compact graph telemetry, oldest first."""
    from witmark.answers.runs import history, history_line

    context.obj = workspace
    if context.invoked_subcommand is None:
        for report in history(_room(workspace).shelf, latest=latest):
            click.echo(history_line(report))


own_workspace_option = click.option(
    "--workspace", "own", metavar="DIR", help="The folder of notes, if not given before."
)


def _room(workspace: str) -> "AnswersRoom":
    from witmark.bootstrap.answering import AnswersRoom

    return AnswersRoom(workspace)


@command.command("show")
@click.argument("run_id", metavar="RUN")
@own_workspace_option
@click.option("--json", "as_json", is_flag=True, help="Print the whole record.")
@click.pass_obj
def show(workspace: str, *, run_id: str, own: str | None, as_json: bool) -> None:
    """Show RUN: the answer, its citations, the graph's diagnostics and every gate."""
    from witmark.cli.run_view import run_lines

    record = _room(own or workspace).run(run_id)
    if as_json:
        click.echo(record)
        return
    for line in run_lines(json.loads(record)):
        click.echo(line)


@command.command("compare")
@click.argument("before")
@click.argument("after")
@own_workspace_option
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.pass_obj
def compare(workspace: str, *, before: str, after: str, own: str | None, as_json: bool) -> None:
    """Say what differs between two runs: paths, warnings, fallback, citations, answer."""
    from witmark.cli.run_view import delta_lines

    delta = _room(own or workspace).compare(before, after)
    if as_json:
        click.echo(delta)
        return
    for line in delta_lines(json.loads(delta)):
        click.echo(line)
