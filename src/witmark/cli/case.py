"""``witmark case``: packages by hand: make them, look at them, take them further."""

from typing import ClassVar

import click

from witmark.cli.lazy import LazyCommands

_COMMANDS = {
    "new": ("case_making", "Copy a folder, a file or an archive into a new package."),
    "add": ("case_making", "Add files to a package, or take in what was put there by hand."),
    "list": ("case_looking", "List every case and where it stands."),
    "status": ("case_looking", "Say how far the analysis is, and what its inputs hold."),
    "show": ("case_looking", "Print the manifest and the inputs of a package as JSON."),
    "report": (
        "case_reporting",
        "Print the diagnosis that stands, or write it as HTML and SARIF.",
    ),
    "resume": ("case_going", "Go on with a diagnosis where it stopped."),
    "change": ("case_change", "Make the change request of a confirmed diagnosis."),
    "deliver": ("case_change", "Hand a validated change request over to a folder, once."),
    "enqueue": ("case_queueing", "Put cases in the queue that `work` drains."),
    "accept": ("case_going", "Keep that a person accepts the diagnosis, and why."),
    "reject": ("case_going", "Keep that a person rejects the diagnosis, and why."),
    "reopen": ("case_going", "Begin a new analysis revision on the same inputs."),
}


class _Commands(LazyCommands):
    """The commands of a case."""

    table: ClassVar = {
        name: (module, f"{name}_command", said) for name, (module, said) in _COMMANDS.items()
    }


@click.group("case", cls=_Commands)
def command() -> None:
    """Make a case package, look at it, and take its diagnosis further.

    A package is named by its case, or as CASE/PACKAGE where a case has more than one.
    """
