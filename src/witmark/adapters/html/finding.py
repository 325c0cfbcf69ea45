"""One card per rule and severity, with all its places; and the cards of what stayed open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from witmark.adapters.html.markup import Html, both, el, join, paragraphs, picture_source
from witmark.adapters.html.phrases import phrase
from witmark.adapters.html.pieces import (
    badge,
    heading,
    measured,
    number_of_places,
    pairs,
    place,
    table,
)
from witmark.review import wire
from witmark.review.presenting import Card, OpenCard, fact_words, value_text
from witmark.review.words import GRADES, LANGS, Lang, Words

PLACES_SHOWN = 12
"""Places a card shows before the rest go into a fold that says how many there are."""


@dataclass(slots=True)
class Figures:
    """Numbers the pictures of a page, and carries each one only once.

    A picture that two rules share is shown at its first place and referred to by number at
    the others. Pictures whose bytes were not handed in are left out.
    """

    pictures: Mapping[str, bytes]
    sizes: Mapping[str, tuple[int, int]]  # id → width, height in pixels
    numbers: dict[str, int] = field(default_factory=dict)

    def lead(self, verdict: wire.Verdict, place: Html) -> Html:
        """The large picture of a card, or where on the page it already is."""
        image, caption = self._picture(verdict)
        if image is None:
            return caption
        below = el("figcaption", caption, " · ", place)
        return el("figure.lead", image, below, id=self._anchor(verdict.picture))

    def thumbnail(self, verdict: wire.Verdict) -> Html:
        """A small picture that opens where it stands, or where on the page it already is."""
        image, caption = self._picture(verdict)
        if image is None:
            return caption
        summary = el("summary", image, el("span", caption))
        return el("details.thumb", summary, id=self._anchor(verdict.picture), name="picture")

    def _anchor(self, picture: str | None) -> str:
        return f"figure-{self.numbers[picture or '']}"

    def _picture(self, verdict: wire.Verdict) -> tuple[Html | None, Html]:
        """An image and its caption; no image when there is none, or it was shown before."""
        picture = verdict.picture
        if picture is None or picture not in self.pictures:
            return None, join()
        if picture in self.numbers:
            words = _numbered("same_figure", self.numbers[picture])
            return None, el("p.see", el("a", words, href=f"#{self._anchor(picture)}"))
        self.numbers[picture] = len(self.numbers) + 1
        alt = _alt(verdict)
        width, height = self.sizes[picture]
        image = el(
            "img",
            src=picture_source(self.pictures[picture]),
            alt=f"{alt.zh} / {alt.en}",
            data_zh=alt.zh,
            data_en=alt.en,
            width=str(width),
            height=str(height),
            decoding="async",
        )
        return image, _numbered("figure", self.numbers[picture])


def findings(found: Sequence[Card], figures: Figures) -> Html:
    """Every violation, worst first."""
    shown = [_card(number, card, figures) for number, card in enumerate(found, 1)]
    nothing = el("p.nothing", both(phrase("no_findings")))
    return el("section.findings", heading(2, "findings"), *(shown or [nothing]))


def undetermined(open_: Sequence[OpenCard]) -> Html:
    """What could not be decided: the missing fact, its reason, and what would settle it."""
    lead = el("p.lead", both(phrase("undetermined_lead" if open_ else "all_decided")))
    shown = [_open_card(number, card) for number, card in enumerate(open_, 1)]
    return el("section.open", heading(2, "undetermined"), lead, *shown, id="undetermined")


def _card(number: int, card: Card, figures: Figures) -> Html:
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
        _title(rule, badge(card.severity), len(card.places), f"card-{number}"),
        el("div.body", _lead(card, lead, figures), reasons),
        _places(card, figures, lead),
        aria_labelledby=f"card-{number}",
    )


def _lead(card: Card, lead: wire.Verdict | None, figures: Figures) -> Html:
    if lead is None:
        return join()
    number = card.places.index(lead) + 1
    return figures.lead(lead, _numbered("place_number", number))


def _open_card(number: int, card: OpenCard) -> Html:
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
            ],
            "missing",
        )
        for gap in card.missing
    ]
    rows = [
        el(
            "tr",
            el("td.num", str(row)),
            el("td", place(verdict)),
            el("td", measured(verdict.measured)),
        )
        for row, verdict in enumerate(card.places, 1)
    ]
    head = [join("№"), both(phrase("where")), both(phrase("known"))]
    return el(
        "article.card.undetermined",
        _title(rule, badge("undetermined"), len(card.places), label),
        *gaps,
        _folded(rows, head, Words(rule.title, rule.title_en)),
        aria_labelledby=label,
    )


def _title(rule: wire.Rule, sign: Html, places: int, label: str) -> Html:
    return el(
        "header",
        sign,
        el("h3", both(Words(rule.title, rule.title_en)), id=label),
        el("p.meta", el("span.rule", rule.rule_id), " · ", number_of_places(places)),
    )


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


def _places(card: Card, figures: Figures, lead: wire.Verdict | None) -> Html:
    """The table of places; it has a picture column when a place beyond the lead has one."""
    pictured = any(v.picture in figures.pictures for v in card.places if v is not lead)
    rows = [
        el("tr", *_cells(number, verdict, card, figures)[: 4 if pictured else 3])
        for number, verdict in enumerate(card.places, 1)
    ]
    columns = ("where", "measured", "picture")[: 3 if pictured else 2]
    head = [join("№"), *(both(phrase(column)) for column in columns)]
    return _folded(rows, head, Words(card.rule.title, card.rule.title_en))


def _cells(number: int, verdict: wire.Verdict, card: Card, figures: Figures) -> list[Html]:
    limit = _limit(verdict.limit) if verdict.limit and card.limit is None else join()
    return [
        el("td.num", str(number)),
        el("td", place(verdict)),
        el("td", measured(verdict.measured), limit),
        el("td.shot", figures.thumbnail(verdict)),
    ]


def _folded(rows: list[Html], head: list[Html], label: Words) -> Html:
    first, rest = rows[:PLACES_SHOWN], rows[PLACES_SHOWN:]
    shown = table("places", head, first, label=label)
    if not rest:
        return shown
    more = Words(f"其余 {len(rest)} 处", f"{len(rest)} more places")
    summary = el("summary", both(more))
    return join(shown, el("details.more", summary, table("places", head, rest, label=label)))


def _numbered(key: str, number: int) -> Html:
    words = phrase(key)
    return both(Words(f"{words.zh} {number}", f"{words.en} {number}"))


def _alt(verdict: wire.Verdict) -> Words:
    """What a picture shows, from the facts, for those who cannot see it."""
    return Words(*(_alt_in(verdict, lang) for lang in LANGS))


def _alt_in(verdict: wire.Verdict, lang: Lang) -> str:
    where = Words(verdict.semantic_location, verdict.semantic_location_en).of(lang)
    facts = [
        f"{fact_words(f.fact).of(lang)} {value_text(f.value, f.unit, lang)}"
        for f in verdict.measured
    ]
    comma, stop = ("，", "。") if lang == "zh" else (", ", ". ")
    seen = comma.join([verdict.component_name, where, *facts])
    return seen + stop + phrase("shown").of(lang)
