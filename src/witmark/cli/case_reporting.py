"""``witmark case report``: the diagnosis that stands, as HTML and SARIF outside the package."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from witmark.cli.options import (
    html_option,
    package_option,
    sarif_option,
    view_language_option,
)

if TYPE_CHECKING:
    from witmark.bootstrap.case_reports import Wanted
    from witmark.diagnosis.case import CaseId, PackageId


@click.command("report")
@click.argument("case_id")
@package_option
@html_option
@sarif_option
@view_language_option
def report_command(
    *, case_id: str, package: str | None, html: Path | None, sarif: Path | None, lang: str
) -> None:
    """Print the summary of the diagnosis that stands, or write it as HTML and SARIF.

    The files are views: they lie outside the package, the same diagnosis always gives the
    same bytes, and nothing that exists is overwritten. The page works without a network and
    without its script.
    """
    from witmark.bootstrap.case_packages import package_named
    from witmark.bootstrap.case_reports import summary_of

    named = package_named(case_id, package)
    if html is None and sarif is None:
        sys.stdout.buffer.write(summary_of(*named))
        return
    write_views(named, html, sarif, lang)


def refuse_views(html: Path | None, sarif: Path | None, case: Path) -> None:
    """Say at once that a view cannot be put where it is wanted."""
    from witmark.bootstrap.case_reports import refuse_places

    refuse_places(_wanted(html, sarif, "en"), case)


def write_views(
    named: "tuple[CaseId, PackageId]", html: Path | None, sarif: Path | None, lang: str
) -> None:
    """Write the views that are wanted, and say where they are."""
    from witmark.bootstrap import case_reports
    from witmark.kernel.errors import visible

    if html is None and sarif is None:
        return
    for place in case_reports.write_views(*named, _wanted(html, sarif, lang)):
        click.echo(f"wrote {visible(str(place))}", err=True)


def _wanted(html: Path | None, sarif: Path | None, lang: str) -> "Wanted":
    from witmark.bootstrap.case_reports import Wanted

    return Wanted(html, sarif, "zh" if lang == "zh" else "en")
