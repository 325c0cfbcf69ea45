"""``witmark case enqueue``."""

from pathlib import Path

import click

from witmark.cli.options import program


@click.command("enqueue")
@click.argument("cases", nargs=-1, required=True, type=click.Path(path_type=Path))
def enqueue_command(*, cases: tuple[Path, ...]) -> None:
    """Put CASES in the queue that `work` drains: names, folders, reports or archives.

    A folder is copied into a package first, as `diagnose` does. What waits already stays
    where it is; what `work` laid aside waits anew; what is diagnosed is not queued.
    """
    from witmark.bootstrap.dispatching import job_of, open_queue
    from witmark.cli.diagnose import package_at

    with open_queue() as queue:
        for path in cases:
            case, package = package_at(path, None)
            if (job := job_of(case, package)) is None:
                click.echo(f"{case}/{package}  diagnosed already")
                continue
            new = queue.enqueue([job])
            click.echo(f"{case}/{package}  {'queued' if new else 'in the queue already'}")
    click.echo(f"next: {program()} work", err=True)
