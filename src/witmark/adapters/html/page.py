"""The whole page of a review: sections in reading order, our own style and script."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from witmark.adapters.html.figures import Figures
from witmark.adapters.html.finding import findings
from witmark.adapters.html.markup import el, raw
from witmark.adapters.html.model import model, remarks_of
from witmark.adapters.html.rest import context, notices, provenance, quiet, requests
from witmark.adapters.html.top import coverage, masthead, results
from witmark.adapters.html.undetermined import undetermined
from witmark.adapters.html.wrapping import head
from witmark.review import presenting, spelling, wire


def render_html(
    report: Mapping[str, Any] | wire.ReviewV1, pictures: Mapping[str, bytes]
) -> bytes:
    """One HTML file that shows a `witmark.review/1` report, offline, in two languages.

    Args:
        report: the report, read or still as plain data (reading it once saves time).
        pictures: PNG bytes by picture id; a picture that is not here is left out.

    Returns:
        The same bytes for the same report and pictures.

    Raises:
        MalformedReportError: the report does not have the promised shape.
    """
    review = wire.review_of(report)
    found = presenting.cards(review)
    sizes = {p.id: (p.width, p.height) for p in review.pictures}
    figures = Figures({k: v for k, v in pictures.items() if k in sizes}, sizes)
    said = remarks_of(review)
    script = _asset("report.js")
    body = el(
        "body",
        masthead(review),
        el(
            "main",
            coverage(review),
            results(review, found),
            findings(found, figures, said),
            undetermined(review, presenting.open_cards(review), figures, said),
            quiet(presenting.tallies(review)),
            context(review),
            requests(review),
            model(review),
            notices(review),
        ),
        provenance(review),
        el("script", raw(script)),
    )
    page = el(
        "html",
        head(spelling.file_name(review), _asset("report.css"), script),
        body,
        lang="zh-CN",
    )
    return f"<!DOCTYPE html>\n{page}\n".encode()


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
