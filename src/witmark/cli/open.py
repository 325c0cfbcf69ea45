"""``witmark open``: a cited source in the terminal, with the span marked."""

import sys
from pathlib import Path

import click

from witmark.cli.workspaces import workspace_option


@click.command("open")
@click.argument("ref")
@workspace_option
@click.option(
    "--in",
    "folder",
    type=click.Path(path_type=Path),
    help="A report folder to look in first, for refs of the review desk.",
)
@click.option(
    "--lines",
    type=click.IntRange(0, 1000),
    default=3,
    show_default=True,
    help="Lines shown before and after.",
)
def command(*, ref: str, workspace: str, folder: Path | None, lines: int) -> None:
    """Show the source of REF with its span marked, as the note reads now.

    REF is a citation of the last answer (c1), of another run (run-…:c1), or a ref as answers
    and reports spell it (sha256:…#char=5,9). A note that was edited since is searched for the
    same words; it says moved or changed since, and never marks another place. Exit code 1
    when the place is not to be found any more.
    """
    from witmark.bootstrap.opening import open_ref
    from witmark.cli.source_view import source_lines

    opened = open_ref(ref, workspace, folder)
    for line in source_lines(opened, around=lines, colour=sys.stdout.isatty()):
        click.echo(line)
    sys.exit(0 if opened.highlights or opened.whole else 1)
