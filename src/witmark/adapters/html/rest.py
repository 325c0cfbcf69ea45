"""The quieter sections: what was kept, left out, asked again, and where it all came from."""

from collections import Counter
from collections.abc import Sequence

from witmark.adapters.html.markup import Html, both, el, join, name
from witmark.adapters.html.phrases import phrase
from witmark.adapters.html.pieces import (
    ROWS_SHOWN,
    folded,
    heading,
    pairs,
    table,
    trace_command,
    value,
)
from witmark.review import vocabulary, wire
from witmark.review.presenting import Tally
from witmark.review.spelling import fact_unit, fact_words, scope_words, subject_of
from witmark.review.words import (
    NOTICES,
    VERDICTS,
    Words,
    look_up,
)


def quiet(tallies: Sequence[Tally]) -> Html:
    """Rules that were kept somewhere, or had nothing to say, as one table."""
    if not tallies:
        return join()
    rows = [
        el(
            "tr",
            el(
                "th",
                both(Words(tally.rule.title, tally.rule.title_en)),
                " ",
                el("span.rule", tally.rule.rule_id),
                _instances(tally),
                scope="row",
            ),
            el("td.num", str(tally.satisfied)),
            el("td.num.grey" if tally.grey else "td.num", str(tally.grey)),
            el("td.num", str(tally.not_applicable)),
        )
        for tally in tallies
    ]
    head = [both(phrase(k)) for k in ("rule", "satisfied", "grey", "not_applicable")]
    return el(
        "section.quiet",
        heading(2, "quiet"),
        table("plain", head, rows, label=phrase("quiet")),
        el("p.note", both(phrase("grey_means"))),
    )


def context(report: wire.ReviewV1) -> Html:
    """Components that are in the assembly but owe no review, and why; like ones together."""
    if not report.context:
        return join()
    like = Counter((item.name, item.scope_reasons) for item in report.context)
    rows = [
        el(
            "tr",
            el("th", name(who), scope="row"),
            el("td.num", str(number)),
            el("td", el("ul.facts", *(el("li", both(scope_words(why))) for why in reasons))),
        )
        for (who, reasons), number in like.items()
    ]
    return el(
        "section.context",
        heading(2, "context"),
        el("p.lead", both(phrase("context_lead"))),
        folded(rows, _heads("part", "instances_count", "reason"), phrase("context"), "plain"),
    )


def requests(report: wire.ReviewV1) -> Html:
    """What the judge asked to be looked at again, and what came back."""
    if not report.requests:
        return join()
    names = {verdict.component_id: verdict.component_name for verdict in report.verdicts}
    rows = [
        el(
            "tr",
            el("th", both(fact_words(item.fact)), scope="row"),
            el(
                "td",
                el("p.component", name(names.get(item.component_id, ""))),
                el("p.location", both(_place(item, names.get(item.component_id, "")))),
            ),
            el("td", both(_how(item))),
            el("td", _answer(item)),
        )
        for item in report.requests
    ]
    head = _heads("fact", "where", "asked", "answer")
    return el(
        "section.requests",
        heading(2, "requests"),
        el("p.lead", both(phrase("requests_lead"))),
        folded(rows, head, phrase("requests"), "plain"),
    )


def notices(report: wire.ReviewV1) -> Html:
    """What a reader must know about a file that was read all the same."""
    if not report.notices:
        return join()
    lines = [_notice(subject_of(report, notice), notice) for notice in report.notices]
    shown = el("ul", *lines[:ROWS_SHOWN])
    if rest := lines[ROWS_SHOWN:]:
        more = Words(f"其余 {len(rest)} 条", f"{len(rest)} more")
        shown = join(shown, el("details.more", el("summary", both(more)), el("ul", *rest)))
    return el("section.notices", heading(2, "notices"), shown)


def provenance(report: wire.ReviewV1) -> Html:
    """Program, digests and checks: enough to make the report again and compare."""
    rows = [
        (both(phrase("made_by")), join(f"{report.tool.name} {report.tool.version}")),
        (both(phrase("digest")), _digests(report.source.digest)),
        (both(phrase("index_digest")), _digests(report.rulebook.index)),
        (both(phrase("store_digest")), _digests(report.rulebook.store)),
        (both(phrase("facts_digest")), _digests(*report.facts)),
    ]
    if report.gates:
        checks = [join(gate.name, ": ", gate.outcome) for gate in report.gates]
        rows.append((both(phrase("gates")), el("ul.facts", *(el("li", c) for c in checks))))
    return el(
        "footer.provenance",
        heading(2, "identity"),
        pairs(rows, "identity"),
        el("p.note", both(phrase("verify"))),
    )


def _instances(tally: Tally) -> Html:
    lines = [
        el(
            "li",
            name(entry.component_name),
            " — ",
            both(VERDICTS[entry.verdict]),
            f" {entry.count or 1}",
            join(" (", both(phrase("grey_mark")), ")") if entry.grey else join(),
        )
        for entry in tally.entries
    ]
    summary = el("summary", both(phrase("instances")), f" ({len(lines)})")
    return el("details.instances", summary, el("ul.facts", *lines))


def _place(item: wire.Request, component: str) -> Words:
    return Words(
        item.semantic_location.removeprefix(f"{component}："),
        item.semantic_location_en.removeprefix(f"{component}: "),
    )


def _how(item: wire.Request) -> Words:
    """The extraction in both languages where the vocabulary has them, else as it was asked."""
    word = vocabulary.FACTS.get(item.fact)
    if word is None:
        return Words(item.suggested_extraction, item.suggested_extraction)
    return Words(word.how_zh, word.how_en)


def _answer(item: wire.Request) -> Html:
    if not item.answered:
        return both(phrase("unanswered"))
    answer = el("b", value(item.value, fact_unit(item.fact)))
    if item.ref is None:
        return answer
    summary = el("summary", both(phrase("evidence")))
    return join(answer, el("details.evidence", summary, trace_command(item.ref)))


def _notice(about: str, notice: wire.Notice) -> Html:
    words = look_up(NOTICES, notice.code)
    detail = el("span.detail", " (", name(notice.detail), ")") if notice.detail else join()
    subject = join(el("b", name(about)), " ") if about else join()
    return el("li", subject, both(words), detail)


def _digests(*digests: str) -> Html:
    return join(*(el("p", el("code.digest", digest)) for digest in digests))


def _heads(*keys: str) -> list[Html]:
    return [both(phrase(key)) for key in keys]
