"""One card per rule and severity, with all its places."""

from collections.abc import Sequence

from witmark.adapters.html.figures import Figures
from witmark.adapters.html.markup import Html, both, el, join, paragraphs
from witmark.adapters.html.model import Remarks
from witmark.adapters.html.phrases import phrase
from witmark.adapters.html.pieces import (
    badge,
    card_title,
    folded,
    heading,
    measured,
    numbered,
    pairs,
    place,
)
from witmark.review import wire
from witmark.review.presenting import Card
from witmark.review.spelling import fact_words
from witmark.review.words import GRADES, Words


def findings(found: Sequence[Card], figures: Figures, remarks: Remarks) -> Html:
    """Every violation, worst first."""
    shown = [_card(number, card, figures, remarks) for number, card in enumerate(found, 1)]
    nothing = el("p.nothing", both(phrase("no_findings")))
    return el("section.findings", heading(2, "findings"), *(shown or [nothing]))


def _card(number: int, card: Card, figures: Figures, remarks: Remarks) -> Html:
    rule = card.rule
    lead = next((v for v in card.places if v.picture in figures.pictures), None)
    reasons = el(
        "div.reasons",
        _spreads(card),
        _limit(card.limit) if card.limit else _source(rule.source, rule.grade),
        el("h4", both(phrase("why"))),
        paragraphs(rule.why_zh, rule.why_en),
        el("h4", both(phrase("mend"))),
        paragraphs(rule.mend_zh, rule.mend_en),
    )
    return el(
        f"article.card.{card.severity}",
        card_title(rule, badge(card.severity), len(card.places), f"card-{number}"),
        el("div.body", _lead(card, lead, figures), reasons),
        _places(card, figures, lead, remarks),
        aria_labelledby=f"card-{number}",
    )


def _lead(card: Card, lead: wire.Verdict | None, figures: Figures) -> Html:
    if lead is None:
        return join()
    number = card.places.index(lead) + 1
    return figures.lead(lead, numbered("place_number", number))


def _spreads(card: Card) -> Html:
    items = [
        el(
            "li",
            el("span.fact", both(fact_words(spread.fact))),
            " ",
            el("b", both(Words(spread.text("zh"), spread.text("en")))),
        )
        for spread in card.spreads
    ]
    return pairs([(both(phrase("measured")), el("ul.facts", *items))], "limit")


def _limit(limit: wire.Limit) -> Html:
    return join(
        pairs([(both(phrase("limit")), el("b", both(Words(limit.zh, limit.en))))], "limit"),
        _source(limit.source, limit.grade),
    )


def _source(source: str, grade: wire.Grade) -> Html:
    rows = [
        (both(phrase("source")), join(source)),
        (both(phrase("grade")), both(GRADES[grade])),
    ]
    return pairs(rows, "limit")


def _places(card: Card, figures: Figures, lead: wire.Verdict | None, remarks: Remarks) -> Html:
    """The table of places; it has a picture column when a place beyond the lead has one."""
    pictured = any(v.picture in figures.pictures for v in card.places if v is not lead)
    rows = [
        el(
            "tr",
            *_cells(number, verdict, card, figures, remarks.get(verdict.id))[
                : 4 if pictured else 3
            ],
        )
        for number, verdict in enumerate(card.places, 1)
    ]
    columns = ("where", "measured", "picture")[: 3 if pictured else 2]
    head = [join("№"), *(both(phrase(column)) for column in columns)]
    return folded(rows, head, Words(card.rule.title, card.rule.title_en))


def _cells(
    number: int, verdict: wire.Verdict, card: Card, figures: Figures, remark: Html | None
) -> list[Html]:
    limit = _limit(verdict.limit) if verdict.limit and card.limit is None else join()
    return [
        el("td.num", str(number)),
        el("td", place(verdict, remark)),
        el("td", measured(verdict.measured), limit),
        el("td.shot", figures.thumbnail(verdict)),
    ]
