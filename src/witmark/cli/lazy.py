"""A group of commands that are known by name and one line, and imported when asked for."""

import importlib
from collections.abc import Mapping
from typing import ClassVar

import click


class LazyCommands(click.Group):
    """Imports a command when it is asked for."""

    table: ClassVar[Mapping[str, tuple[str, str, str]]]
    """By name: the module below ``witmark.cli``, what the command is called there, its line."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names in the order of the table."""
        return list(self.table)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Import the command's own module."""
        if cmd_name not in self.table:
            return None
        module, called, _ = self.table[cmd_name]
        command: click.Command = getattr(
            importlib.import_module(f"witmark.cli.{module}"), called
        )
        return command

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, said) for name, (_, _, said) in self.table.items()])
