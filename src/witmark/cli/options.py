"""Options that more than one command takes."""

import os
from pathlib import Path

import click

from witmark.cli.language import LANGUAGES, of_the_locale

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
html_option = click.option(
    "--html",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the diagnosis as one HTML file; it must not exist.",
)
sarif_option = click.option(
    "--sarif",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write it as SARIF 2.1.0; it must not exist.",
)
view_language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=of_the_locale,
    show_default="zh in a Chinese locale, else en",
    help="Language of our words in the SARIF file; the HTML has both.",
)


def program() -> str:
    """How the reader called us, for the next command he is shown: ``./do`` or ``witmark``."""
    return os.environ.get("WITMARK_PROGRAM", "witmark")
