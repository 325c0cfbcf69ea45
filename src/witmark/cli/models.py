"""``witmark models``: which models are set up, and which of them answer."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from witmark.cli.options import config_option

if TYPE_CHECKING:
    from witmark.bootstrap.checking import Checked
    from witmark.bootstrap.settings import Settings
    from witmark.kernel.model.request import Profile


@click.group("models")
def command() -> None:
    """Say which models are set up, and which of them answer."""


@command.command("list")
@config_option
def list_models(*, config: Path | None) -> None:
    """List the profiles, what they serve, and whether their key is there."""
    from witmark.bootstrap.settings import load_settings

    settings = load_settings(config)
    if not settings.profiles:
        click.echo("no model is set up; docs/settings.md says how")
        return
    click.echo(f"settings: {settings.file}")
    rows = [_listed(profile, settings) for profile in settings.profiles]
    _table([("profile", "provider", "model", "address", "key", "serves"), *rows])


@command.command("check")
@config_option
def check(*, config: Path | None) -> int:
    """Send one tiny request to every profile, and say which work.

    Of a profile that is `embedded` it says what it has an analyst for.

    Exit code 0 when all work, 1 when one does not, 2 when the settings are wrong.
    """
    from witmark.bootstrap.checking import check_models
    from witmark.bootstrap.settings import load_settings
    from witmark.kernel.model.gateway import NoProfileError

    settings = load_settings(config)
    if not settings.profiles:
        raise NoProfileError("no model is set up", place=str(settings.file or "settings"))
    checked = list(check_models(settings))
    head = ("profile", "provider", "model", "ms", "tokens", "says")
    _table([head, *(_row(one) for one in checked)])
    return 0 if all(one.works for one in checked) else 1


def _listed(profile: "Profile", settings: "Settings") -> tuple[str, ...]:
    serves = [
        purpose for purpose, served in settings.models.profiles.items() if profile in served
    ]
    key = "none"
    if profile.key_env:
        key = f"{profile.key_env} ({'set' if os.environ.get(profile.key_env) else 'not set'})"
    nowhere = "-" if profile.provider == "embedded" else "its own"
    address = profile.base_url or nowhere
    said = ", ".join(serves) or "nothing"
    return profile.name, profile.provider, profile.model, address, key, said


def _row(one: "Checked") -> tuple[str, ...]:
    profile, took, tokens = one.profile, "-", "-"
    if one.call is not None and one.call.took_ms is not None:
        usage = one.call.usage
        counts = usage.input_tokens, usage.output_tokens
        took = str(one.call.took_ms)
        tokens = "+".join("?" if count is None else str(count) for count in counts)
    return profile.name, profile.provider, profile.model, took, tokens, one.says


def _table(rows: Iterable[tuple[str, ...]]) -> None:
    from witmark.kernel.errors import visible

    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*shown, strict=True)]
    for row in shown:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
