"""``witmark replay``: what was decided then, decided again from what was kept of it."""

from pathlib import Path

import click

from witmark.cli.workspaces import workspace_option


@click.command("replay")
@click.argument("run", metavar="RUN")
@workspace_option
def command(*, run: str, workspace: str) -> None:
    """Make RUN again from its record and compare every byte; needs no provider.

    RUN is the id of an answer (`witmark runs` lists them), or a report folder. Replies of a
    model are read from the journal of the run, and judged again. Exit code 0: identical.
    3: something differs, and what.
    """
    if is_report(Path(run)):
        _replay_report(Path(run))
        return
    from witmark.bootstrap.answering import AnswersRoom
    from witmark.bootstrap.rerunning import replay_run

    found = replay_run(AnswersRoom(workspace), run)
    calls = "1 model call" if found.calls == 1 else f"{found.calls} model calls"
    places = "1 citation" if found.citations == 1 else f"{found.citations} citations"
    click.echo(f"{found.run_id}: identical; {calls}, {places} read back in the sources")


def is_report(run: Path) -> bool:
    """Whether a run is named by the folder that `witmark review` wrote."""
    return (run / "manifest.json").exists()


def _replay_report(folder: Path) -> None:
    from witmark import bootstrap

    checked = bootstrap.verify(folder)
    replies = f", {checked.questions} recorded replies judged again" * bool(checked.questions)
    click.echo(
        f"{folder}: identical; {checked.files} files as published, "
        f"{checked.verdicts} verdicts decided again{replies}"
    )
