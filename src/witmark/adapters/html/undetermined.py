"""What could not be decided: the missing fact, why it is needed, what would settle it."""

from collections.abc import Sequence

from witmark.adapters.html.figures import Figures
from witmark.adapters.html.markup import Html, both, el, join
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
    table,
)
from witmark.review import vocabulary, wire
from witmark.review.presenting import Gap, OpenCard, gaps
from witmark.review.spelling import fact_words
from witmark.review.words import Words

ROWS_SHOWN = 4
"""Places of an open question before the fold; they wait for a fact, not for a reader."""


def undetermined(
    report: wire.ReviewV1, open_: Sequence[OpenCard], figures: Figures, remarks: Remarks
) -> Html:
    """What could not be decided: the missing fact, its reason, and what would settle it."""
    asked = {(r.component_id, r.fact) for r in report.requests}
    lead = el("p.lead", both(phrase("undetermined_lead" if open_ else "all_decided")))
    shown = [
        _card(number, card, asked, figures, remarks) for number, card in enumerate(open_, 1)
    ]
    sums = _sums(gaps(open_)) if len(open_) > 1 else join()
    return el("section.open", heading(2, "undetermined"), lead, sums, *shown, id="undetermined")


def _sums(missing: Sequence[Gap]) -> Html:
    """What is missing, and how much waits for it: one broken solid can stop every rule."""
    rows = [
        el(
            "tr",
            el(
                "th",
                el("ul.facts", *(el("li", both(fact_words(f))) for f in gap.facts)),
                scope="row",
            ),
            el("td.num", str(gap.rules)),
            el("td.num", str(gap.places)),
        )
        for gap in missing
    ]
    head = [both(phrase(key)) for key in ("missing", "rules_waiting", "count")]
    return table("plain", head, rows, label=phrase("missing"))


def _card(
    number: int,
    card: OpenCard,
    asked: set[tuple[str, str]],
    figures: Figures,
    remarks: Remarks,
) -> Html:
    rule, label = card.rule, f"open-{number}"
    gaps = [
        pairs(
            [
                (both(phrase("missing")), el("b", both(fact_words(gap.fact)))),
                (both(phrase("why_needed")), both(Words(gap.why_needed, gap.why_needed_en))),
                (
                    both(phrase("settles")),
                    both(Words(gap.suggested_extraction, gap.suggested_extraction_en)),
                ),
                (both(phrase("requests")), both(_second_look(card, gap, asked))),
            ],
            "missing",
        )
        for gap in card.missing
    ]
    known = 1 if any(verdict.measured for verdict in card.places) else 0
    rows = [
        el(
            "tr",
            el("td.num", str(row)),
            el("td", place(verdict, remarks.get(verdict.id))),
            *[el("td", measured(verdict.measured))] * known,
        )
        for row, verdict in enumerate(card.places, 1)
    ]
    head = [join("№"), both(phrase("where")), *[both(phrase("known"))] * known]
    return el(
        "article.card.undetermined",
        card_title(rule, badge("undetermined"), len(card.places), label),
        _shown(card, figures, el("div.wanting", *gaps)),
        folded(rows, head, Words(rule.title, rule.title_en), rows_shown=ROWS_SHOWN),
        aria_labelledby=label,
    )


def _shown(card: OpenCard, figures: Figures, gaps: Html) -> Html:
    """What is missing, beside a picture of the first place that has one."""
    lead = next((v for v in card.places if v.picture in figures.pictures), None)
    if lead is None:
        return gaps
    where = numbered("place_number", card.places.index(lead) + 1)
    return el("div.body", figures.lead(lead, where), gaps)


def _second_look(card: OpenCard, gap: wire.Missing, asked: set[tuple[str, str]]) -> Words:
    """Whether the fact was asked for again, and whether geometry can give it at all."""
    if any((verdict.component_id, gap.fact) in asked for verdict in card.places):
        return phrase("asked_in_vain")
    word = vocabulary.FACTS.get(gap.fact)
    return phrase("not_asked" if word is None or word.extractable else "not_in_geometry")
