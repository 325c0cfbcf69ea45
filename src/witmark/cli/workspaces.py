"""The workspace option, and progress for the commands that open one."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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
    """Show how far an ingest is on the error stream, if that is a terminal.

    What draws it is imported when there is something to show; mostly nothing has changed.
    """
    if not sys.stderr.isatty():
        yield lambda _phase, _done, _total: None
        return
    with ExitStack() as stack:
        bars: list[Any] = []
        tasks: dict[str, Any] = {}

        def show(phase: str, done: int, total: int) -> None:
            if not bars:
                bars.append(stack.enter_context(_bar()))
            if phase not in tasks:
                tasks[phase] = bars[0].add_task(_PHASES.get(phase, phase), total=total)
            bars[0].update(tasks[phase], completed=done, total=total)

        yield show


def _bar() -> Any:  # noqa: ANN401 - rich is not imported here
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns: tuple[Any, ...] = (TextColumn("{task.description}"), BarColumn())
    console = Console(stderr=True)
    return Progress(*columns, MofNCompleteColumn(), console=console, transient=True)
