"""``witmark runs``: what was asked, how the graph did, and how two runs differ."""

import json
from typing import Any

import click

from witmark.cli.workspaces import workspace_option


@click.group("runs", invoke_without_command=True)
@workspace_option
@click.option("--latest", type=click.IntRange(1), help="Only so many of the newest.")
@click.pass_context
def command(context: click.Context, *, workspace: str, latest: int | None) -> None:
    """List the runs of a workspace with compact graph telemetry, oldest first."""
    from witmark.answers.runs import history, history_line
    from witmark.bootstrap.answering import AnswersRoom

    context.obj = AnswersRoom(workspace)
    if context.invoked_subcommand is None:
        for report in history(context.obj.shelf, latest=latest):
            click.echo(history_line(report))


@command.command("show")
@click.argument("run_id", metavar="RUN")
@click.option("--json", "as_json", is_flag=True, help="Print the whole record.")
@click.pass_obj
def show(room: Any, *, run_id: str, as_json: bool) -> None:  # noqa: ANN401 - the opened room
    """Show RUN: the answer, its citations, the graph's diagnostics and every gate."""
    from witmark.cli.run_view import run_lines

    record = room.run(run_id)
    if as_json:
        click.echo(record)
        return
    for line in run_lines(json.loads(record)):
        click.echo(line)


@command.command("compare")
@click.argument("before")
@click.argument("after")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.pass_obj
def compare(room: Any, *, before: str, after: str, as_json: bool) -> None:  # noqa: ANN401 - the opened room
    """Say what differs between two runs: paths, warnings, fallback, citations, answer."""
    from witmark.cli.run_view import delta_lines

    delta = room.compare(before, after)
    if as_json:
        click.echo(delta)
        return
    for line in delta_lines(json.loads(delta)):
        click.echo(line)
