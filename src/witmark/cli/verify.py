"""``witmark verify``: is every byte as published, and would we decide the same again?"""

from pathlib import Path

import click


@click.command("verify")
@click.argument("folder", type=click.Path(path_type=Path))
def command(*, folder: Path) -> None:
    """Check every byte of a report FOLDER, then decide every verdict again.

    Needs neither the CAD kernel nor a model: verdicts are decided from the stored facts and
    the stored rules. Exit code 0: identical. 3: something differs, and what.
    """
    from witmark import bootstrap

    checked = bootstrap.verify(folder)
    questions = f", {checked.questions} recorded replies judged again" * bool(checked.questions)
    click.echo(
        f"{folder}: {checked.files} files as published, "
        f"{checked.verdicts} verdicts decided again{questions}, all the same"
    )
