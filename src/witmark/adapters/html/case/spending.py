"""What the diagnosis took: credits of the budget, and calls of a model with their cost."""

from collections.abc import Sequence

from witmark.adapters.case_words import (
    CALL_ENDS,
    COMPLETENESS,
)
from witmark.adapters.html.case.phrases import phrase
from witmark.adapters.html.case.pieces import (
    named,
    shown,
    titled,
)
from witmark.adapters.html.markup import Html, both, el, join
from witmark.adapters.html.pieces import table
from witmark.diagnosis.report import CaseReport
from witmark.kernel.model.ledger import Call, total_of
from witmark.review.words import Words


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
