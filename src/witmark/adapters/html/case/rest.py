"""The quieter sections: gaps, time, what the case says, budget, calls, inputs, provenance."""

from collections.abc import Iterable, Iterator, Sequence

from witmark.adapters.case_words import (
    CALL_ENDS,
    COMPLETENESS,
    EVENTS,
    FEEDBACK,
    FINAL,
    HONEST,
    INPUTS,
    PHASES,
)
from witmark.adapters.html.case.phrases import phrase
from witmark.adapters.html.case.pieces import (
    bullets,
    chips,
    hypothesis_link,
    named,
    shown,
    titled,
    where,
)
from witmark.adapters.html.case.top import utc
from witmark.adapters.html.markup import Html, both, el, join
from witmark.adapters.html.pieces import folded, pairs, table
from witmark.diagnosis.case import Phase
from witmark.diagnosis.decision import Evaluation, FinalState
from witmark.diagnosis.findings import Direction
from witmark.diagnosis.interpretation import Statement, Version
from witmark.diagnosis.report import CaseReport, FrameSeen, Stack, Step
from witmark.kernel.model.ledger import Call, total_of
from witmark.review.words import Words

MOST_FILES = 12


def gaps(report: CaseReport) -> Html:
    """What was not looked at and why, what contradicts, and what nobody knows."""
    diagnosis = report.diagnosis
    told = {f"not looked at: {one}" for one in report.not_looked_at}
    uncertain = [one for one in diagnosis.remaining_uncertainty if one not in told]
    parts = [
        ("not_looked_at", bullets(report.not_looked_at), bool(report.not_looked_at)),
        ("conflicts", _conflicts(report), True),
        ("uncertain", bullets(uncertain), bool(uncertain)),
        ("assumed", bullets(diagnosis.human_assumptions), bool(diagnosis.human_assumptions)),
        (
            "intended",
            el("p", shown(diagnosis.intended_external_behaviour)),
            bool(diagnosis.intended_external_behaviour),
        ),
    ]
    shown_parts = [
        el("div.part", titled(3, key), body) for key, body, is_there in parts if is_there
    ]
    return el("section.gaps", titled(2, "gaps"), el("div.parts", *shown_parts), id="gaps")


def _conflicts(report: CaseReport) -> Html:
    """Findings that point the other way than the hypothesis ended."""
    found = [line for one in report.diagnosis.evaluations for line in _against(report, one)]
    return el("ul.plain-list", *found) if found else el("p", both(phrase("conflicts_none")))


def _against(report: CaseReport, one: Evaluation) -> Iterator[Html]:
    other_way = {
        FinalState.SUPPORTED: Direction.AGAINST,
        FinalState.NOT_SUPPORTED: Direction.FOR,
        FinalState.FACTUALLY_REJECTED: Direction.FOR,
    }.get(one.state)
    ids = [f.id for f in report.findings if f.bears_on.get(one.hypothesis_id) is other_way]
    if other_way is None or not ids:
        return
    said = one.contradictions_answered
    yield el(
        "li",
        hypothesis_link(one.hypothesis_id),
        " ",
        named(FINAL, one.state.value),
        "; ",
        both(phrase("stands_against")),
        ": ",
        chips(ids),
        join(" — ", shown(said)) if said else join(),
    )


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
            el("td", _step(one)),
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


def _step(one: Step) -> Html:
    name = "reopened" if one.is_reopened else one.phase.value
    words = named(PHASES, name)
    if one.said is None:
        return words
    return join(words, ": ", named(FEEDBACK, one.said.verdict.value))


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


def _statements(report: CaseReport, lines: Iterable[Statement]) -> Html:
    return el(
        "ul.plain-list",
        *(el("li", shown(one.text), " ", where(report, one.ref)) for one in lines),
    )


def _version(report: CaseReport, one: Version) -> Html:
    key = {True: "good", False: "bad", None: "not_said"}[one.is_good]
    name = f"{one.subject} {one.version}".strip()
    return el("li", shown(name), " – ", both(phrase(key)), " ", where(report, one.at.ref))


def budget(report: CaseReport) -> Html:
    """What could be spent, what each look reserved and took, and what is left."""
    accounts = [
        el(
            "tr",
            el("th", shown(one.name), scope="row"),
            el("td.num", str(one.granted)),
            el("td.num", str(sum(one.reserved.values()))),
            el("td.num", str(sum(one.settled.values()))),
            el("td.num", str(one.free)),
            el("td", both(phrase("closed" if one.is_closed else "not_closed"))),
        )
        for one in report.accounts
    ]
    head = [
        both(phrase(k)) for k in ("account", "granted", "reserved", "spent", "left", "state")
    ]
    looks = [
        el(
            "tr",
            el("th", el("span.id", one.id), " ", shown(one.investigator), scope="row"),
            el("td.num", f"{one.expected_discrimination:.2f}"),
            el("td.num", str(one.reserved)),
            el("td.num", str(one.cost)),
            el("td.num", str(one.findings)),
            el("td", named(COMPLETENESS, one.completeness.value)),
        )
        for one in report.actions
    ]
    keys = ("investigator", "discrimination", "reserved", "spent", "brought", "look")
    own = [both(phrase(k)) for k in keys]
    return el(
        "section.budget",
        titled(2, "budget"),
        el("div.wide", table("plain.figures", head, accounts, label=phrase("account"))),
        el("div.wide", table("plain.figures", own, looks, label=phrase("budget"))),
        id="budget",
    )


def calls(report: CaseReport) -> Html:
    """Which requests were sent for the decision, what came of them, what it cost."""
    refused = join()
    if report.refused:
        words = phrase("refused")
        told = Words(f"{report.refused} {words.zh}", f"{report.refused} {words.en}")
        refused = el("p.note", both(told))
    if report.is_embedded:
        body = el("p.nothing", both(phrase("calls_embedded")))
    else:
        head = [
            both(phrase(k)) for k in ("attempt", "model", "outcome", "tokens", "took", "cost")
        ]
        rows = [*map(_call, report.calls), _sum(report.calls)]
        body = el("div.wide", table("plain.figures", head, rows, label=phrase("calls")))
    return el("section.calls", titled(2, "calls"), body, refused, id="calls")


def _call(one: Call) -> Html:
    usage = one.usage
    tokens = f"{_count(usage.input_tokens)} / {_count(usage.output_tokens)}"
    took = both(phrase("unknown")) if one.took_ms is None else join(f"{one.took_ms} ms")
    prices = one.sent.prices
    cost = both(phrase("unknown"))
    if one.cost is not None and prices is not None:
        cost = join(f"{one.cost:.6g} ", shown(prices.currency))
    return el(
        "tr",
        el("th", str(one.sent.attempt), scope="row"),
        el("td", shown(one.response_model or _asked(one))),
        el("td", named(CALL_ENDS, one.end)),
        el("td.num", tokens),
        el("td.num", took),
        el("td.num", cost),
    )


def _sum(every: Sequence[Call]) -> Html:
    total = total_of(every)
    costs = ", ".join(f"{amount:.6g} {currency}" for currency, amount in total.costs)
    return el(
        "tr.sum",
        el("th", both(phrase("sum")), scope="row"),
        el("td", str(total.calls)),
        el("td"),
        el("td.num", f"{total.input_tokens} / {total.output_tokens}"),
        el("td.num", f"{total.took_ms} ms"),
        el("td.num", shown(costs) if costs else both(phrase("unknown"))),
    )


def _asked(one: Call) -> str:
    profile = one.sent.canonical.get("profile")
    return str(profile.get("model", "")) if isinstance(profile, dict) else ""


def _count(tokens: int | None) -> str:
    return "?" if tokens is None else str(tokens)


def inputs(report: CaseReport) -> Html:
    """What was handed in, and which secrets were replaced by marks."""
    rows = [
        el(
            "tr",
            el("th", el("code", shown(one.path)), scope="row"),
            el("td", named(INPUTS, one.kind.value)),
            el("td.num", f"{one.size:,}"),
            el(
                "td", shown(", ".join(f"{n} {kind}" for kind, n in sorted(one.secrets.items())))
            ),
        )
        for one in report.given
    ]
    head = [both(phrase(k)) for k in ("file", "kind", "size", "secrets")]
    marks = [
        el("li", shown(f"[redacted {one.kind} {one.number}]"), ": ", both(_times(one.times)))
        for one in report.redactions
    ]
    listed = el("ul.plain-list", *marks)
    return el(
        "section.inputs",
        titled(2, "inputs"),
        el("div.wide", folded(rows, head, phrase("inputs"), "plain", MOST_FILES)),
        titled(3, "redactions"),
        listed if marks else el("p", both(phrase("no_redactions"))),
        id="inputs",
    )


def _times(times: int) -> Words:
    if times == 1:
        return phrase("once")
    words = phrase("times")
    return Words(f"{times} {words.zh}", f"{times} {words.en}")


def history(report: CaseReport) -> Html:
    """What people said of the diagnosis, and when it was opened again."""
    told = [
        el(
            "li",
            el("span.time", utc(one.at_ms)),
            " ",
            el("b", _step(one)),
            " – ",
            both(_revision(one.revision)),
            " ",
            join() if one.said is None else shown(one.said.reason),
        )
        for one in report.steps
        if one.said is not None or (one.phase is Phase.ASSEMBLY and one.revision > 1)
    ]
    body = el("ul.plain-list", *told) if told else el("p", both(phrase("no_history")))
    return el("section.history", titled(2, "history"), body, id="history")


def _revision(number: int) -> Words:
    words = phrase("revision")
    return Words(f"{words.zh} {number}", f"{words.en.lower()} {number}")


def provenance(report: CaseReport) -> Html:
    """What the report was made from: enough to make it again and compare."""
    rows = [(both(phrase("made_by")), shown(f"witmark {report.made_by}"))]
    rows += [
        (both(phrase(key)), el("code.digest", digest))
        for key, digest in sorted(report.bindings.items())
    ]
    return el(
        "footer.provenance",
        titled(2, "provenance"),
        pairs(rows, "identity"),
        el("p.note", both(HONEST)),
        el("p.note.keys", both(phrase("keys")), hidden=""),
        id="provenance",
    )


def _short(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
