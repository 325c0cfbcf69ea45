"""Which language the terminal, the table and SARIF speak."""

import os

import click

LANGUAGES = ("zh", "en")


def of_the_locale() -> str:
    """``zh`` in a Chinese locale, else ``en``; the first variable that is set decides."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=of_the_locale,
    show_default="zh in a Chinese locale, else en",
    help="Language of the terminal, findings.csv and findings.sarif.",
)
