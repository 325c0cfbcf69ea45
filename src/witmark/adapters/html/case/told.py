"""The fault and the analysis in time, and what the case says apart from what it means."""

from collections.abc import Iterable

from witmark.adapters.case_words import (
    EVENTS,
    FEEDBACK,
    PHASES,
)
from witmark.adapters.html.case.phrases import phrase
from witmark.adapters.html.case.pieces import (
    bullets,
    chips,
    named,
    shown,
    titled,
    where,
)
from witmark.adapters.html.case.top import utc
from witmark.adapters.html.markup import Html, both, el, join
from witmark.adapters.html.pieces import pairs, table
from witmark.diagnosis.interpretation import Statement, Version
from witmark.diagnosis.report import CaseReport, FrameSeen, Stack, Step


def timeline(report: CaseReport) -> Html:
    """The fault in time, and the analysis in time."""
    happened = [
        el(
            "tr",
            el("td.time", shown(one.at)),
            el("td", named(EVENTS, one.what), ": ", shown(_short(one.text))),
            el("td", where(report, one.ref)),
        )
        for one in report.happened
    ]
    head = [both(phrase(key)) for key in ("time", "what", "where")]
    fault = join(
        table("plain.times", head, happened, label=phrase("of_fault")),
        el("p.note", both(phrase("order_note"))),
    )
    steps = [
        el(
            "tr",
            el("td.time", utc(one.at_ms)),
            el("td", step_words(one)),
            el("td.num", str(one.revision)),
        )
        for one in report.steps
    ]
    own = [both(phrase(key)) for key in ("time", "what", "revision")]
    return el(
        "section.timeline",
        titled(2, "timeline"),
        titled(3, "of_fault"),
        fault if happened else el("p.nothing", both(phrase("no_times"))),
        titled(3, "of_analysis"),
        table("plain.times", own, steps, label=phrase("of_analysis")),
        id="timeline",
    )


def said(report: CaseReport) -> Html:
    """What the case says, apart from what it means."""
    told = report.interpretation
    rows = [
        (both(phrase(key)), _statements(report, lines))
        for key, lines in (
            ("symptom", told.symptom),
            ("expected", told.expected),
            ("observed", told.observed),
            ("environment", told.environment),
        )
        if lines
    ]
    if told.versions:
        versions = el("ul.plain-list", *(_version(report, one) for one in told.versions))
        rows.append((both(phrase("versions")), versions))
    if told.unread:
        unread = bullets(f"{path}: {why}" for path, why in told.unread)
        rows.append((both(phrase("unread")), unread))
    if not rows and not report.stacks:
        return join()
    told_rows = pairs(rows, "limit") if rows else join()
    return el("section.said", titled(2, "said"), told_rows, _stacks(report), id="said")


def step_words(one: Step) -> Html:
    """What a step was, and what a person said in it."""
    name = "reopened" if one.is_reopened else one.phase.value
    words = named(PHASES, name)
    if one.said is None:
        return words
    return join(words, ": ", named(FEEDBACK, one.said.verdict.value))


def _statements(report: CaseReport, lines: Iterable[Statement]) -> Html:
    return el(
        "ul.plain-list",
        *(el("li", shown(one.text), " ", where(report, one.ref)) for one in lines),
    )


def _version(report: CaseReport, one: Version) -> Html:
    key = {True: "good", False: "bad", None: "not_said"}[one.is_good]
    name = f"{one.subject} {one.version}".strip()
    return el("li", shown(name), " – ", both(phrase(key)), " ", where(report, one.at.ref))


def _stacks(report: CaseReport) -> Html:
    """Each call stack; a frame that a finding places in the source leads to it."""
    if not report.stacks:
        return join()
    listed = [
        el(
            "div.stack",
            el("p", el("span.raised", shown(_raised(one))), " ", where(report, one.at)),
            el("ol.frames", *map(_frame, one.frames)),
        )
        for one in report.stacks
    ]
    return join(titled(3, "stacks"), el("p.note", both(phrase("innermost"))), *listed)


def _raised(one: Stack) -> str:
    return ": ".join(filter(None, (one.exception, one.message))) or one.language


def _frame(one: FrameSeen) -> Html:
    line = f":{one.line}" if one.line is not None else ""
    told = join(
        el("code", shown(f"{one.path}{line}")), " ", el("code.name", shown(one.function))
    )
    if one.finding is None:
        return el("li", told)
    return el("li.placed", told, " ", chips((one.finding.id,)))


def _short(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
