"""``witmark case``: packages by hand: make them, look at them, take them further."""

import importlib

import click

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


class _Commands(click.Group):
    """Imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names in the order of the table."""
        return list(_COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Import the command's own module."""
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"witmark.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, said) for name, (_, said) in _COMMANDS.items()])


@click.group("case", cls=_Commands)
def command() -> None:
    """Make a case package, look at it, and take its diagnosis further.

    A package is named by its case, or as CASE/PACKAGE where a case has more than one.
    """
