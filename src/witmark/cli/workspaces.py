"""The workspace option, and progress for the commands that open one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from witmark.answers.ingesting import Progress

workspace_option = click.option(
    "--workspace",
    default=".",
    metavar="DIR",
    show_default="the current folder",
    help="The folder of notes; `rulebook` is our own rules (./rulebook a folder so called).",
)

_PHASES = {"reading": "Reading notes", "indexing": "Indexing", "linking": "Linking"}


@contextmanager
def progress_on_terminal() -> Iterator["Progress"]:
    """Show how far an ingest is on the error stream, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _phase, _done, _total: None
        return
    columns: tuple[Any, ...] = (TextColumn("{task.description}"), BarColumn())
    with Progress(*columns, MofNCompleteColumn(), console=console, transient=True) as bar:
        tasks: dict[str, Any] = {}

        def show(phase: str, done: int, total: int) -> None:
            if phase not in tasks:
                tasks[phase] = bar.add_task(_PHASES.get(phase, phase), total=total)
            bar.update(tasks[phase], completed=done, total=total)

        yield show
