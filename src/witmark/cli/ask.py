"""``witmark ask``: a question in, a short answer with its sources out."""

import datetime as dt
import json
import sys
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import click

from witmark.cli.options import config_option, program
from witmark.cli.workspaces import workspace_option


@click.command("ask")
@click.argument("question")
@workspace_option
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    metavar="KIND:VALUE",
    help="Look only in corpus:NAME, path:PREFIX, doc:ID or lang:CODE; may be repeated.",
)
@click.option(
    "--as-of",
    type=click.DateTime(["%Y-%m-%d"]),
    show_default="today",
    help="The day on which the answer is to hold.",
)
@click.option(
    "--top-k",
    type=click.IntRange(1, 20),
    default=8,
    show_default=True,
    help="How many notes to find.",
)
@click.option(
    "--backend",
    type=click.Choice(["local_hybrid", "keyword_only", "local_vector"]),
    default="local_hybrid",
    show_default=True,
    help="How notes are found; local_vector needs an embedder.",
)
@click.option("--session", default="", help="A session whose history and memory to use.")
@click.option("--remember", is_flag=True, help="Let the session remember this answer.")
@config_option
@click.option(
    "--model/--no-model",
    "use_model",
    default=None,
    help="Ask the model of the settings, or none.  [default: if one is set up for this]",
)
@click.option("--retry-id", metavar="ID", help="Open a blocked model call again, once per ID.")
@click.option("--evidence", is_flag=True, help="Show paths, relations and time as well.")
@click.option("--trace", is_flag=True, help="Show what was decided, for developers.")
@click.option("--json", "as_json", is_flag=True, help="Print the conversation response.")
def command(  # noqa: PLR0913 - one parameter per option
    *,
    question: str,
    workspace: str,
    scopes: tuple[str, ...],
    as_of: dt.datetime | None,
    top_k: int,
    backend: str,
    session: str,
    remember: bool,
    config: Path | None,
    use_model: bool | None,
    retry_id: str | None,
    evidence: bool,
    trace: bool,
    as_json: bool,
) -> None:
    """Answer QUESTION from the notes of a workspace, or say that they do not tell.

    The index is brought up to date first; only notes that changed are read. Exit code 0 when
    it is answered, 1 when the notes do not tell.
    """
    from witmark.bootstrap.answering import AnswersRoom
    from witmark.bootstrap.answers_model import answers_gateway
    from witmark.cli.workspaces import progress_on_terminal

    if use_model is False and retry_id is not None:
        raise click.UsageError("--retry-id opens a model call again; leave --no-model out")
    if remember and not session:
        raise click.UsageError("--remember needs --session: memories are those of a session")
    gateway = None if use_model is False else answers_gateway(config)
    room = AnswersRoom(workspace, gateway=gateway)
    with progress_on_terminal() as show:
        failed_before = room.library.failures()
        report = room.brought_up(progress=show)
        if report is None:
            click.echo("another process is indexing; answering from what it has done", err=True)
    said = room.ask(
        question,
        scopes=scopes,
        as_of=as_of.date().isoformat() if as_of else None,
        top_k=top_k,
        backend=backend,
        session=session,
        remember=remember,
        use_model=use_model,
        retry_id=retry_id,
    )
    response = json.loads(said)
    if as_json:
        click.echo(said)
    else:
        _print(response, workspace, evidence=evidence, trace=trace)
    _say_why_no_model(response, workspace)
    failed = room.library.failures()
    if (unread := len(failed)) and failed != failed_before:  # told once, not with each answer
        notes = "1 note was" if unread == 1 else f"{unread} notes were"
        how = f"{program()} ingest {workspace!r}"
        click.echo(f"{notes} not read, or not wholly; {how} says why", err=True)
    sys.exit(0 if response["answered"] else 1)


def _say_why_no_model(response: Mapping[str, Any], workspace: str) -> None:
    """Say on the error stream that a model was asked in vain, what it needs, where more is."""
    asked = response["knowledgeRun"].get("modelDraft")
    if asked is None or asked["outcome"] == "used":
        return
    from witmark.cli.run_view import way_out_line
    from witmark.kernel.errors import visible

    [run] = [one["runId"] for one in response["assistantBlocks"] if "runId" in one]
    told = [
        f"not worded by the model ({asked['outcome']}): {asked['because'] or asked['reason']}",
        way_out_line(asked),
        f"more: {program()} runs show {run} --workspace {workspace!r}",
    ]
    click.echo(visible("; ".join(one for one in told if one)), err=True)


def _print(response: Mapping[str, Any], workspace: str, *, evidence: bool, trace: bool) -> None:
    from witmark.cli.answer_view import answer_lines, evidence_lines, trace_lines

    shown = [answer_lines(response, workspace)]
    shown += [evidence_lines(response)] if evidence else []
    shown += [trace_lines(response)] if trace else []
    for line in chain.from_iterable(shown):
        click.echo(line)
