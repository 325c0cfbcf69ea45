"""``witmark review``: a STEP file in, a folder with the report out."""

import sys
from pathlib import Path

import click

from witmark.cli.language import language_option
from witmark.cli.options import config_option, length_unit_option, rulebook_option

FAIL_ON = ("critical", "major", "minor", "info", "undetermined", "never")


@click.command("review")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    show_default="FILE's stem + .witmark, then -2 ...",
    help="Folder for the report; must not exist.",
)
@rulebook_option
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="minor",
    show_default=True,
    help="Exit 1 from this severity upwards; undetermined counts open questions too.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print report.json, byte for byte, instead of the table.",
)
@click.option("--no-pictures", is_flag=True, help="Leave the pictures out (much faster).")
@click.option(
    "--max-pictures",
    type=click.IntRange(min=0),
    default=60,
    show_default=True,
    help="Most pictures to draw; the report says what was left out.",
)
@config_option
@click.option(
    "--model/--no-model",
    "use_model",
    default=None,
    help="Ask the model of the settings, or none.  [default: if one is set up for this]",
)
@click.option("--retry-id", metavar="ID", help="Open blocked model calls again, once per ID.")
@length_unit_option
@language_option
def command(  # noqa: PLR0913 - one parameter per option
    *,
    file: Path,
    out: Path | None,
    rulebook: Path | None,
    fail_on: str,
    as_json: bool,
    no_pictures: bool,
    max_pictures: int,
    config: Path | None,
    use_model: bool | None,
    retry_id: str | None,
    length_unit: str | None,
    lang: str,
) -> None:
    """Review a STEP FILE against a rulebook and publish the findings in a folder.

    Writes report.html, report.json, findings.sarif, findings.csv, the pictures and every
    piece of evidence behind them. Nothing is ever overwritten.

    A model of the settings adds words, roles and opinions, marked as its own; the facts
    decide. What it takes is printed at the end.

    Exit code 0: nothing at or above --fail-on. 1: a finding. 2: your input. 4: the CAD
    kernel or the disk failed; the report stands all the same if only the record of a model
    call was lost.
    """
    from witmark import bootstrap
    from witmark.cli.render import Terminal
    from witmark.review.use_cases import (
        ReviewRequest,
        fails,
        loses_calls,
        publish_review,
        review_file,
    )

    if use_model is False and retry_id is not None:
        raise click.UsageError("--retry-id opens model calls again; leave --no-model out")
    terminal = Terminal("zh" if lang == "zh" else "en", sys.stdout, sys.stderr)
    request = ReviewRequest(
        path=file,
        length_unit_mm=bootstrap.length_unit_mm(length_unit),
        lang=lang,
        pictures=0 if no_pictures else max_pictures,
        retry_id=retry_id,
    )
    bootstrap.refuse_early(file, out)
    adviser = None
    if use_model is not False:
        adviser = bootstrap.review_adviser(config, is_wanted=use_model is True)
    with bootstrap.review_desk(
        rulebook, lambda step: terminal.stage(step.name, step.detail), adviser
    ) as desk:
        reviewed = review_file(request, desk)
    folder = publish_review(reviewed, bootstrap.report_folder(file, out))
    if as_json:
        sys.stdout.buffer.write(reviewed.report_raw)
    else:
        terminal.findings(reviewed.review, folder, reviewed.took)
    lost = 4 if loses_calls(reviewed.review) else 0
    sys.exit(1 if fails(reviewed.report, fail_on) else lost)
