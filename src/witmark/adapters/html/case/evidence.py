"""Every finding with its quotes: where a cell of the matrix leads."""

from witmark.adapters.case_words import COMPLETENESS, DIRECTIONS, GROUPS, KINDS
from witmark.adapters.html.case.phrases import phrase
from witmark.adapters.html.case.pieces import (
    at_place,
    finding_anchor,
    hypothesis_link,
    named,
    opens,
    quoted,
    sentence,
    shown,
    titled,
    where,
)
from witmark.adapters.html.markup import Html, both, el, join
from witmark.diagnosis.findings import Finding, Quote
from witmark.diagnosis.report import CaseReport


def evidence(report: CaseReport) -> Html:
    """Every finding, in the order of the matrix."""
    about = {one.id: one for one in report.findings}
    items = [
        _finding(report, about[row.finding], is_cited=row.is_cited) for row in report.matrix
    ]
    return el(
        "section.evidence-list",
        titled(2, "evidence"),
        el("p.lead", both(phrase("evidence_lead"))),
        *items,
        id="evidence",
    )


def _finding(report: CaseReport, one: Finding, *, is_cited: bool) -> Html:
    tags = [
        named(KINDS, one.kind.value),
        named(GROUPS, one.group.value),
        join(both(phrase("look")), ": ", named(COMPLETENESS, one.completeness.value)),
        join(shown(one.investigator), " ", one.action),
    ]
    ways = [
        el("span.bears", hypothesis_link(name), " ", named(DIRECTIONS, way.value))
        for name, way in sorted(one.bears_on.items())
    ]
    cited = el("span.selected", both(phrase("cited"))) if is_cited else join()
    warned = el("p.warned", both(phrase("provocation"))) if one.is_provocation else join()
    return el(
        "article.finding.cited" if is_cited else "article.finding",
        el(
            "h3",
            el("code.id", one.id),
            " ",
            sentence(one.statement),
            " ",
            at_place(one.location),
            " ",
            cited,
        ),
        el("p.tags", *(join(el("span.tag", tag), " ") for tag in tags), *ways),
        warned,
        _quotes(report, one, is_open=is_cited),
        id=finding_anchor(one.id),
    )


def _quotes(report: CaseReport, one: Finding, *, is_open: bool) -> Html:
    if not one.quotes:
        return el("p.note", both(phrase("no_quote")))
    places = [where(report, quote.ref) for quote in one.quotes]
    summary = el("summary", places[0], *(join(" · ", place) for place in places[1:]))
    body = [_quote(report, quote, is_only=len(places) == 1) for quote in one.quotes]
    more = {"open": ""} if is_open else {}
    return el("details.quotes", summary, *body, **more)


def _quote(report: CaseReport, quote: Quote, *, is_only: bool) -> Html:
    return el(
        "figure.quote",
        join() if is_only else el("figcaption", where(report, quote.ref)),
        quoted(quote.text, report.places.get(quote.ref)),
        el("details.evidence", el("summary", both(phrase("open_with"))), opens(quote.ref)),
    )
