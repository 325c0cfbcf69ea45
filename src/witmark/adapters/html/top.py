"""The top of the page: what was reviewed, how much of it was understood, what came out."""

from collections.abc import Sequence

from witmark.adapters.html.markup import Html, both, el, join, name
from witmark.adapters.html.phrases import phrase
from witmark.adapters.html.pieces import badge, heading, number_of_places, pairs, table
from witmark.review import wire
from witmark.review.presenting import Card
from witmark.review.spelling import file_name, unit_words
from witmark.review.words import SEVERITIES, SEVERITY_MEANS, VERDICTS, Words


def masthead(report: wire.ReviewV1) -> Html:
    """Title, language switch, and the identity of the file as on a certificate."""
    source, book = report.source, report.rulebook
    rules = phrase("rules")
    identity = pairs(
        [
            (both(phrase("unit")), both(unit_words(report))),
            (both(phrase("schema")), _stated(source.schema_)),
            (
                both(phrase("rulebook")),
                join(
                    book.name,
                    ", ",
                    both(Words(f"{book.rules} {rules.zh}", f"{book.rules} {rules.en}")),
                ),
            ),
            (both(phrase("size")), join(f"{source.bytes:,} ", both(phrase("bytes")))),
            (both(phrase("digest")), el("code.digest", source.digest)),
        ],
        "identity",
    )
    kicker = el("p.kicker", el("span.brand", "Witmark"), " ", both(phrase("report")))
    title = el("h1", name(file_name(report)))
    return el("header.masthead", el("div.line", kicker, switch()), title, identity)


def coverage(report: wire.ReviewV1) -> Html:
    """How much was understood, before anything is said about what was found."""
    seen, words = report.coverage, phrase("explained")
    total = Words(
        f"{seen.faces} 个面中的 {seen.explained} 个{words.zh.removeprefix('的面')}",
        f"{seen.explained} of {seen.faces} {words.en.removeprefix('of ')}",
    )
    figure = el(
        "div.figure",
        el("p.percent", percent(seen.share)),
        _bar(seen.share),
        el("p.total", both(total)),
    )
    families = [both(Words(f.zh, f.en)) for f in seen.families_not_evaluated]
    listed = el("ul.families", *(el("li", family) for family in families))
    number = str(report.counts.undetermined)
    open_places = el("a", number, href="#undetermined") if number != "0" else join(number)
    facts = pairs(
        [
            (both(phrase("open_places")), open_places),
            (
                both(phrase("not_evaluated")),
                listed if families else both(phrase("nothing_left_out")),
            ),
        ],
        "gaps",
    )
    return el(
        "section.coverage", heading(2, "coverage"), el("div.two", figure, facts), _by_part(seen)
    )


def results(report: wire.ReviewV1, found: Sequence[Card]) -> Html:
    """Counts by severity and a table of the findings; deliberately no score."""
    counts = report.counts
    tiles = [
        _tile(badge(severity), getattr(counts.by_severity, severity), SEVERITY_MEANS[severity])
        for severity in SEVERITIES
    ]
    tiles.append(_tile(badge("undetermined"), counts.undetermined, phrase("fact_missing")))
    rest = [
        join(both(VERDICTS[key]), " ", el("b", str(getattr(counts, key))))
        for key in ("satisfied", "not_applicable")
    ]
    notes = (el("p.note", rest[0], " · ", rest[1]), el("p.note", both(phrase("no_score"))))
    return el(
        "section.results",
        heading(2, "counts"),
        el("ul.tiles", *tiles),
        *notes,
        _glance(found) if len(found) > 1 else join(),
    )


def percent(share: float) -> str:
    """A share as people read it; only all is 100 %, and only nothing is 0 %."""
    shown = f"{100 * share:.1f}"
    if shown == "100.0" and share < 1:
        return "> 99.9 %"
    if shown == "0.0" and share > 0:
        return "< 0.1 %"
    return f"{shown} %"


def _stated(schema: str) -> Html:
    return el("code", schema) if schema.strip() else both(phrase("not_stated"))


def switch() -> Html:
    """The choice of language; it works without a script."""
    choices = (("zh", "中文", "zh-CN"), ("en", "English", "en"), ("both", "中 / EN", "mul"))
    buttons = [
        join(
            el(
                "input",
                type="radio",
                name="lang",
                id=f"lang-{key}",
                value=key,
                **({"checked": ""} if key == "both" else {}),
            ),
            el("label", text, for_=f"lang-{key}", lang=lang),
        )
        for key, text, lang in choices
    ]
    legend = el("legend.unseen", both(phrase("language")))
    return el("fieldset.switch", legend, *buttons)


def _bar(share: float) -> Html:
    full = el("rect.full", x="0", y="0", width="100", height="4")
    part = el("rect.part", x="0", y="0", width=f"{100 * share:.2f}", height="4")
    return el(
        "svg.bar",
        full,
        part,
        viewBox="0 0 100 4",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def _by_part(seen: wire.Coverage) -> Html:
    if len(seen.parts) < 2:
        return join()
    rows = [
        el(
            "tr",
            el("th", name(part.name), scope="row"),
            el("td.num", str(part.faces)),
            el("td.num", str(part.explained)),
            el("td.num", percent(part.share)),
        )
        for part in seen.parts
    ]
    head = [both(phrase(k)) for k in ("part", "faces_total", "faces_explained", "share")]
    label = phrase("by_part")
    return el(
        "details.parts",
        el("summary", both(label), f" ({len(rows)})"),
        table("plain", head, rows, label=label),
    )


def _tile(sign: Html, number: int, meaning: Words) -> Html:
    empty = ".none" if number == 0 else ""
    return el(
        f"li{empty}", el("b.number", str(number)), sign, el("span.meaning", both(meaning))
    )


def _glance(found: Sequence[Card]) -> Html:
    rows = [
        el(
            "tr",
            el("td", badge(card.severity)),
            el(
                "td",
                el("a", both(Words(card.rule.title, card.rule.title_en)), href=f"#card-{i}"),
            ),
            el("td.num", number_of_places(len(card.places))),
        )
        for i, card in enumerate(found, 1)
    ]
    head = [both(phrase(k)) for k in ("severity", "rule", "count")]
    return table("plain.glance", head, rows, label=phrase("at_a_glance"))
