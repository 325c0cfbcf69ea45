"""Small pieces that several sections of the page are built from."""

import shlex
from collections.abc import Iterable

from witmark.adapters.html.markup import Html, both, el, join, name
from witmark.adapters.html.phrases import phrase
from witmark.review import wire
from witmark.review.spelling import fact_words, place_words, value_text
from witmark.review.words import CLAUSES, SEVERITIES, VALUES, Words, look_up

ROWS_SHOWN = 12
"""Rows a table shows before the rest go into a fold."""

# One outline per severity, on a 16 by 16 field, so that the shape speaks without the colour.
_SHAPES = {
    "critical": "M5 1h6l4 4v6l-4 4H5l-4-4V5z",  # octagon, as on a stop sign
    "major": "M8 1.5 15.5 15H.5z",  # triangle
    "minor": "M8 .8 15.2 8 8 15.2.8 8z",  # diamond
    "info": "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z",  # disc
    "undetermined": "M2 2h12v12H2zM4 4v8h8V4z",  # hollow square
}


def shape(kind: str) -> Html:
    """The sign of a severity; decoration beside its word."""
    path = el("path", d=_SHAPES[kind], fill_rule="evenodd")
    return el(
        "svg.sign", path, viewBox="0 0 16 16", width="16", height="16", aria_hidden="true"
    )


def badge(kind: str) -> Html:
    """A severity as sign and word."""
    words = SEVERITIES.get(kind) or phrase(kind)
    return el(f"span.badge.{kind}", shape(kind), " ", both(words))


def heading(level: int, key: str) -> Html:
    """A section heading from the phrase book."""
    return el(f"h{level}", both(phrase(key)))


def pairs(rows: Iterable[tuple[Html, Html]], class_: str) -> Html:
    """Terms and what they are, as a description list."""
    return el(
        f"dl.{class_}",
        *(el("div", el("dt", term), el("dd", value)) for term, value in rows),
    )


def table(class_: str, head: Iterable[Html], rows: Iterable[Html], *, label: Words) -> Html:
    """A table with a heading for every column."""
    columns = el("tr", *(el("th", cell, scope="col") for cell in head))
    body = el("tbody", *rows)
    caption = el("caption.unseen", both(label))
    return el(f"table.{class_}", caption, el("thead", columns), body)


def number_of_places(number: int) -> Html:
    """'3 places', in both languages."""
    key = "place_one" if number == 1 else "places"
    words = phrase(key)
    return both(Words(f"{number} {words.zh}", f"{number} {words.en}"))


def numbered(key: str, number: int) -> Html:
    """A phrase with its number: 'Figure 3'."""
    words = phrase(key)
    return both(Words(f"{words.zh} {number}", f"{words.en} {number}"))


def card_title(rule: wire.Rule, sign: Html, places: int, label: str) -> Html:
    """The heading of a card: severity, rule, how many places."""
    return el(
        "header",
        sign,
        el("h3", both(Words(rule.title, rule.title_en)), id=label),
        el("p.meta", el("span.rule", rule.rule_id), " · ", number_of_places(places)),
    )


def folded(
    rows: list[Html],
    head: list[Html],
    label: Words,
    class_: str = "places",
    rows_shown: int = ROWS_SHOWN,
) -> Html:
    """A table whose rows beyond the first few wait in a fold that says how many they are."""
    shown = table(class_, head, rows[:rows_shown], label=label)
    rest = rows[rows_shown:]
    if not rest:
        return shown
    more = Words(f"其余 {len(rest)} 行", f"{len(rest)} more rows")
    if class_ == "places":
        more = Words(f"其余 {len(rest)} 处", f"{len(rest)} more places")
    summary = el("summary", both(more))
    return join(shown, el("details.more", summary, table(class_, head, rest, label=label)))


def measured(facts: Iterable[wire.Measured]) -> Html:
    """Facts with their values, one below the other."""
    return el("ul.facts", *(el("li", _fact(fact)) for fact in facts))


def place(verdict: wire.Verdict, remark: Html | None = None) -> Html:
    """Where a verdict applies, in words: component, location, and the neutral sentence.

    ``remark`` is what a model says of it, if one was asked.
    """
    location = place_words(verdict)
    zh = el("p.zh", verdict.retrieval_sentence, lang="zh-CN")
    en = el("p.en", verdict.retrieval_sentence_en, lang="en")
    return join(
        el("p.component", name(verdict.component_name)),
        el("p.location", both(location)),
        el("div.sentence", zh, en),
        join() if remark is None else remark,
        evidence(verdict),
    )


def evidence(verdict: wire.Verdict) -> Html:
    """The fold that holds everything needed to walk a verdict back to its bytes."""
    refs = sorted({*verdict.fact_refs, *(fact.ref for fact in verdict.measured)})
    rows = [(both(phrase("instance")), name(verdict.component_id))]
    if verdict.source_refs:
        rows.append((both(phrase("step_record")), join(*map(_record, verdict.source_refs))))
    if refs:
        rows.append((both(phrase("trace_command")), join(*map(trace_command, refs))))
    if verdict.trace:
        rows.append((both(phrase("decision")), _decision(verdict.trace)))
    summary = el("summary", both(phrase("evidence")))
    return el("details.evidence", summary, pairs(rows, "proof"))


def value(measure: wire.Value, unit: str) -> Html:
    """A value in both languages; numbers read the same in each."""
    return both(Words(value_text(measure, unit, "zh"), value_text(measure, unit, "en")))


def _fact(fact: wire.Measured) -> Html:
    return join(
        el("span.fact", both(fact_words(fact.fact))), " ", el("b", value(fact.value, fact.unit))
    )


def _record(source: wire.SourceRef) -> Html:
    line = Words(f"第 {source.line} 行", f"line {source.line}")
    shown = el("p", both(line), " ", el("code", f"#{source.record}"))
    return join(shown, trace_command(source.ref)) if source.ref else shown


def trace_command(ref: str) -> Html:
    """The command that prints what a ref points at; only ever shown inside a fold."""
    return el("p", el("code.command", f"witmark trace {shlex.quote(ref)}"))


def _decision(trace: Iterable[wire.Clause]) -> Html:
    return el(
        "ol.clauses",
        *(
            el(
                "li",
                both(look_up(CLAUSES, clause.clause)),
                " ",
                el("code", clause.expression),
                " → ",
                both(look_up(VALUES, clause.outcome)),
            )
            for clause in trace
        ),
    )
