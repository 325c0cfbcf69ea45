"""``witmark export``: everything that is kept of a workspace, as one verifiable bundle."""

from pathlib import Path

import click

from witmark.cli.workspaces import progress_on_terminal, workspace_option


@click.command("export")
@workspace_option
@click.option("--out", type=click.Path(path_type=Path), help="The file; must not exist.")
@click.option(
    "--verify",
    type=click.Path(path_type=Path),
    help="Instead: read a bundle, import it into an empty library, export it again, compare.",
)
def command(*, workspace: str, out: Path | None, verify: Path | None) -> None:
    """Write the WorkspaceExportBundle of a workspace to a file or to standard output.

    Notes, atoms, spans, edges, runs and sessions, under a hash that the same content always
    has. Exit code 3 when a bundle that is verified was changed.
    """
    from witmark.bootstrap.answering import AnswersRoom
    from witmark.bootstrap.exporting import verify_bundle, write_bundle

    if verify is not None:
        click.echo(f"{verify_bundle(verify)}  imports and exports to the same bytes")
        return
    room = AnswersRoom(workspace)
    with progress_on_terminal() as show:
        room.refresh(progress=show)
    bundle = room.export()
    if out is None:
        click.echo(bundle, nl=False)
    else:
        write_bundle(out, bundle)
        click.echo(f"wrote {out}", err=True)
