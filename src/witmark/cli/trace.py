"""``witmark trace``: what a citation points at, in its context."""

from pathlib import Path

import click


@click.command("trace")
@click.argument("ref")
@click.option(
    "--in",
    "folder",
    type=click.Path(path_type=Path),
    help="A report folder to look in first; then the current folder and $WITMARK_HOME.",
)
def command(*, ref: str, folder: Path | None) -> None:
    """Print what REF points at, in context.

    REF is spelt sha256:...#char=5,9 (text), sha256:...#/json/pointer (a value), or
    sha256:... (the whole blob), as reports spell it.
    """
    from witmark import bootstrap

    click.echo(bootstrap.trace(ref, folder))
