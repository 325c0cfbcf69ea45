"""The quieter sections: gaps, inputs, what people said, and where it all came from."""

from collections.abc import Iterator

from witmark.adapters.case_words import (
    FINAL,
    HONEST,
    INPUTS,
)
from witmark.adapters.html.case.phrases import phrase
from witmark.adapters.html.case.pieces import (
    bullets,
    chips,
    hypothesis_link,
    named,
    sentence,
    shown,
    titled,
)
from witmark.adapters.html.case.told import step_words
from witmark.adapters.html.case.top import utc
from witmark.adapters.html.markup import Html, both, el, join
from witmark.adapters.html.pieces import folded, pairs
from witmark.diagnosis.case import Phase
from witmark.diagnosis.decision import Evaluation, FinalState
from witmark.diagnosis.findings import Direction
from witmark.diagnosis.report import CaseReport
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
        join(" — ", sentence(said)) if said else join(),
    )


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
            el("b", step_words(one)),
            " – ",
            both(_revision(one.revision)),
            join() if one.said is None else join(" – ", shown(one.said.reason)),
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
