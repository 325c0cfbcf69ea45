"""``witmark import``: a bundle becomes the index, runs and sessions of a workspace."""

from pathlib import Path

import click

from witmark.cli.workspaces import workspace_option


@click.command("import")
@click.argument("bundle", type=click.Path(path_type=Path))
@workspace_option
def command(*, bundle: Path, workspace: str) -> None:
    """Restore BUNDLE, which `witmark export` wrote, for a workspace of which nothing is kept.

    The index with its imported edges, runs, sessions and the cited sources come back; the
    folder of notes is not written to, and the next ask brings the index up to date with it.
    Exit code 2 when something is kept already, 3 when the bundle was changed.
    """
    from witmark.bootstrap.answering import AnswersRoom
    from witmark.bootstrap.exporting import restore_bundle

    room = AnswersRoom(workspace)
    try:
        click.echo(f"{restore_bundle(bundle, room)}  restored")
    finally:
        room.close()
