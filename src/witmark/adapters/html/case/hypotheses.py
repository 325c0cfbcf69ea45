"""The hypotheses: one card each, and all of them against the evidence as a matrix."""

from witmark.adapters.case_words import (
    CAUSES,
    COMPLETENESS,
    DIRECTIONS,
    END,
    FINAL,
    GROUPS,
    KINDS,
    LEVELS,
)
from witmark.adapters.html.case.phrases import phrase
from witmark.adapters.html.case.pieces import (
    at_place,
    bullets,
    chips,
    finding_anchor,
    hypothesis_anchor,
    hypothesis_link,
    named,
    sentence,
    stated,
    titled,
)
from witmark.adapters.html.markup import Html, both, el, join
from witmark.adapters.html.pieces import folded, pairs
from witmark.diagnosis.decision import Evaluation
from witmark.diagnosis.findings import Direction, Finding
from witmark.diagnosis.hypotheses import HypothesisEnd, HypothesisId
from witmark.diagnosis.report import CaseReport, Row
from witmark.review.words import look_up

ROWS_SHOWN = 16
"""Findings of the matrix before the fold; what is cited comes first."""
_FEW = 4  # a fold that would hold fewer is none
_GLYPHS = {Direction.FOR: "▲", Direction.AGAINST: "▼", Direction.NEUTRAL: "○"}


def hypotheses(report: CaseReport) -> Html:
    """Each hypothesis with how it ended and on what."""
    said = {one.hypothesis_id: one for one in report.diagnosis.evaluations}
    cards = [_card(report, one, said.get(one.hypothesis.id)) for one in report.ends]
    return el("section.hypotheses", titled(2, "hypotheses"), *cards, id="hypotheses")


def matrix(report: CaseReport) -> Html:
    """Every finding against every hypothesis; a cell opens the finding."""
    about = {one.id: one for one in report.findings}
    ids = [one.hypothesis.id for one in report.ends]
    rows = [_row(row, about[row.finding], ids) for row in report.matrix]
    most = ROWS_SHOWN if len(rows) >= ROWS_SHOWN + _FEW else len(rows)
    head = [
        both(phrase("finding")),
        both(phrase("kind")),
        both(phrase("look")),
        *(hypothesis_link(one) for one in ids),
    ]
    return el(
        "section.matrix",
        titled(2, "matrix"),
        el("p.lead", both(phrase("matrix_lead"))),
        _legend(report),
        _filters(),
        el("div.wide", folded(rows, head, phrase("matrix"), "grid", most)),
        id="matrix",
    )


def _card(report: CaseReport, end: HypothesisEnd, said: Evaluation | None) -> Html:
    one = end.hypothesis
    state = said.state.value if said is not None else "unresolved"
    is_selected = report.diagnosis.selected_hypothesis_id == one.id
    words = look_up(FINAL, state) if said is not None else phrase("not_evaluated")
    chosen = el("span.selected", both(phrase("selected"))) if is_selected else join()
    heading = el("h3", el("span.id", one.id), " ", named(CAUSES, one.cause_class.value))
    return el(
        f"article.card.{state}",
        el("header", stated(state, words), heading, el("p.meta", chosen)),
        el("div.body", el("p.statement", sentence(one.statement)), _ending(report, end, said)),
        id=hypothesis_anchor(one.id),
    )


def _ending(report: CaseReport, end: HypothesisEnd, said: Evaluation | None) -> Html:
    level = report.levels[end.hypothesis.id]
    rows = [
        (both(phrase("support_level")), named(LEVELS, level.value)),
        (both(phrase("after_investigation")), named(END, end.state.value)),
    ]
    limits: tuple[str, ...] = ()
    if said is not None:
        limits = said.scope_limits
        rows += [
            (both(phrase("why")), sentence(said.reason)),
            (both(phrase("for_it")), chips(said.supporting_evidence_ids)),
            (both(phrase("against_it")), chips(said.contradicting_evidence_ids)),
        ]
        if said.contradictions_answered:
            rows.append(
                (both(phrase("contradictions")), sentence(said.contradictions_answered))
            )
    listed = (
        ("scope_limits", limits),
        ("questions", tuple(q for q in end.open_questions if q not in limits)),
    )
    rows += [(both(phrase(key)), bullets(lines)) for key, lines in listed if lines]
    return join(pairs(rows, "limit"), _predictions(end))


def _predictions(end: HypothesisEnd) -> Html:
    """What would be seen if it were so, and what if it were not; folded."""
    one = end.hypothesis
    listed = (("predicts", one.predicts), ("refuted_by", one.refuted_by))
    rows = [(both(phrase(key)), bullets(lines)) for key, lines in listed if lines]
    if not rows:
        return join()
    summary = el("summary", both(phrase("predictions")))
    return el("details.predictions", summary, pairs(rows, "limit"))


def _row(row: Row, finding: Finding, ids: list[HypothesisId]) -> Html:
    link = el("a", sentence(finding.statement), href=f"#{finding_anchor(row.finding)}")
    cells = [_cell(row, one) for one in ids]
    is_telling = any(way is not Direction.NEUTRAL for way in row.cells.values())
    return el(
        "tr.cited" if row.is_cited else "tr",
        el(
            "th",
            link,
            " ",
            el(
                "span.group",
                at_place(finding.location),
                " ",
                named(GROUPS, finding.group.value),
                el(
                    "span.narrow",
                    " · ",
                    named(KINDS, row.kind.value),
                    " · ",
                    named(COMPLETENESS, row.completeness.value),
                ),
            ),
            scope="row",
        ),
        el("td", named(KINDS, row.kind.value)),
        el("td", named(COMPLETENESS, row.completeness.value)),
        *cells,
        data_finding=row.finding,
        data_kind=row.kind.value,
        data_cited="yes" if row.is_cited else "no",
        data_telling="yes" if is_telling else "no",
    )


def _cell(row: Row, hypothesis: HypothesisId) -> Html:
    way = row.cells.get(hypothesis)
    if way is None:
        return el("td.way", data_way="", data_hypothesis=hypothesis)
    words = named(DIRECTIONS, way.value)
    link = el(
        f"a.way-{way.value}",
        el("span", _GLYPHS[way], aria_hidden="true"),
        el("span.unseen", hypothesis, " ", words),
        href=f"#{finding_anchor(row.finding)}",
    )
    return el("td.way", link, data_way=way.value, data_hypothesis=hypothesis)


def _legend(report: CaseReport) -> Html:
    """What the signs say, and what the columns are."""
    signs = [
        el("li", el(f"span.way-{way.value}", glyph), " ", named(DIRECTIONS, way.value))
        for way, glyph in _GLYPHS.items()
    ]
    columns = [
        el(
            "li",
            hypothesis_link(end.hypothesis.id),
            " ",
            named(CAUSES, end.hypothesis.cause_class.value),
        )
        for end in report.ends
    ]
    return join(el("ul.legend", *signs), el("ul.legend", *columns))


def _filters() -> Html:
    """Buttons for the script; without it they stay hidden, and every row is shown."""
    label = phrase("filter")
    buttons = [
        el(
            "button",
            both(phrase(f"filter_{name}")),
            type="button",
            data_filter=name,
            aria_pressed="true" if name == "all" else "false",
        )
        for name in ("all", "telling", "cited", "direct")
    ]
    return el(
        "div.filters",
        *buttons,
        hidden="",
        role="group",
        aria_label=f"{label.zh} / {label.en}",
    )
