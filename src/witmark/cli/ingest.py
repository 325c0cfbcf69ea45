"""``witmark ingest``: bring the index of a folder of notes up to date, or keep it so."""

import json
from typing import TYPE_CHECKING

import click

from witmark.kernel.errors import WitmarkError, one_line, visible

if TYPE_CHECKING:
    from witmark.answers.ingesting import IngestReport
    from witmark.bootstrap.answering import AnswersRoom

_MOST_LISTED = 20
_POLL_S = 1.0
_WHAT = {"front-matter": "read without all of its front matter"}


@click.command("ingest")
@click.argument("folder", metavar="DIR")
@click.option(
    "--watch", "watches", is_flag=True, help="Go on following the folder; Ctrl-C ends."
)
@click.option("--full", is_flag=True, help="Read every note, not only those that changed.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def command(*, folder: str, watches: bool, full: bool, as_json: bool) -> None:
    """Index the notes of DIR (`rulebook` for our own rules); only what changed is read.

    Notes that cannot be read are listed with the way out, and the others are indexed. Your
    folder is never written to. Exit code 0; 2 if DIR is no folder or holds no Markdown.
    """
    from witmark.bootstrap import answering
    from witmark.cli.workspaces import progress_on_terminal

    room = answering.AnswersRoom(folder)
    try:
        with progress_on_terminal() as show:
            report = room.refresh(progress=show, full=full)
        _say(report, as_json=as_json)
        if watches:
            _watch(room, as_json=as_json)
    finally:
        room.close()


def _watch(room: "AnswersRoom", *, as_json: bool) -> None:
    from threading import Event

    from witmark.adapters.markdown import ComrakParser
    from witmark.answers.watching import watch

    def said(what: "IngestReport | WitmarkError") -> None:
        if isinstance(what, WitmarkError):
            click.echo(one_line(what), err=True)
        else:
            _say(what, as_json=as_json)

    click.echo("following the folder; Ctrl-C ends", err=True)
    try:
        watch(room.vault, ComrakParser(), room.library, said=said, stop=Event(), poll_s=_POLL_S)
    except KeyboardInterrupt:
        click.echo("no longer following", err=True)


def _say(report: "IngestReport", *, as_json: bool) -> None:
    from witmark.answers.guardrails import report_plain

    said = json.dumps(report_plain(report), ensure_ascii=False) if as_json else _text(report)
    click.echo(said)


def _odd(report: "IngestReport") -> list[str]:
    """What the notes say that cannot be followed; how much stands is said every time."""
    lines = []
    if report.order_breaking_edges:
        lines.append(
            f"{report.order_breaking_edges} relations close a cycle; orders leave them out"
        )
    lines += [
        f"they replace one another, so none of them can be told to hold: "
        f"{', '.join(map(visible, circle))}"
        for circle in (report.replacement_circles or ())[:_MOST_LISTED]
    ]
    lines += [
        f"it refers to itself, which is passed over: {visible(one.document_id)}: "
        f"{visible(one.name)}"
        for one in report.to_itself[:_MOST_LISTED]
    ]
    return lines


def _text(report: "IngestReport") -> str:
    counts = (
        (len(report.added), "added"),
        (len(report.changed), "changed"),
        (len(report.moved), "moved"),
        (len(report.removed), "removed"),
        (report.unchanged, "unchanged"),
    )
    lines = [", ".join(f"{count} {what}" for count, what in counts if count) or "no notes"]
    if report.unresolved:
        names = sorted({visible(link.name) for link in report.unresolved})
        lines.append(
            f"{len(report.unresolved)} links lead to no note, e.g. {', '.join(names[:3])}"
        )
    lines += _odd(report)
    lines += [
        f"{_WHAT.get(f.code, 'not read')}: {visible(f.path)}: {f.detail}"
        for f in report.failures[:_MOST_LISTED]
    ]
    if (more := len(report.failures) - _MOST_LISTED) > 0:
        lines.append(f"and {more} more; --json lists all")
    return "\n".join(lines)
