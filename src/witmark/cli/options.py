"""Options that more than one command takes."""

import os
from pathlib import Path

import click

LENGTH_UNITS = ("mm", "cm", "m", "inch", "foot")

length_unit_option = click.option(
    "--length-unit",
    type=click.Choice(LENGTH_UNITS),
    help="The unit of a file that declares none; a declared unit is never overruled.",
)
rulebook_option = click.option(
    "--rulebook",
    type=click.Path(path_type=Path),
    help="A folder of your own rule cards (*.md) instead of the built-in machined-parts.",
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The settings, instead of ./witmark.toml or your own (docs/settings.md).",
)
package_option = click.option(
    "--package", metavar="ID", help="Which package, if the case has more than one."
)
diagnosis_config_option = click.option(
    "--diagnosis-config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Limits and policy (config/diagnosis.example.toml).",
)
model_option = click.option(
    "--model/--no-model", "use_model", default=True, help="Ask a model, if one is set up."
)
retry_option = click.option(
    "--retry-id", metavar="ID", help="Open a blocked model call again, once per name."
)


def program() -> str:
    """How the reader called us, for the next command he is shown: ``./do`` or ``witmark``."""
    return os.environ.get("WITMARK_PROGRAM", "witmark")
