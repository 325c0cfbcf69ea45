"""The top of the page: which case, what came out, what to do next, and the root cause."""

from collections.abc import Sequence
from datetime import UTC, datetime

from witmark.adapters.case_words import LEVELS, ROUTING, STATES, STATUS
from witmark.adapters.html.case.phrases import phrase
from witmark.adapters.html.case.pieces import (
    chips,
    code,
    hypothesis_link,
    named,
    sentence,
    shown,
    stated,
    titled,
)
from witmark.adapters.html.markup import Html, both, el, join
from witmark.adapters.html.pieces import pairs
from witmark.adapters.html.top import switch
from witmark.diagnosis.case import Phase, Routing
from witmark.diagnosis.decision import Status
from witmark.diagnosis.report import CaseReport
from witmark.review.words import Words, look_up


def masthead(report: CaseReport) -> Html:
    """Title, language switch, and where the case stands."""
    rows = [
        (both(phrase("case")), el("code", shown(report.name))),
        (both(phrase("revision")), join(str(report.revision))),
        (both(phrase("state")), named(STATES, report.state.value)),
        (both(phrase("who_next")), _who_next(report)),
        (both(phrase("decided_by")), decided_by(report)),
        (both(phrase("published")), join(published(report))),
    ]
    kicker = el("p.kicker", el("span.brand", "Witmark"), " ", both(phrase("report")))
    title = el("h1", el("bdi", shown(report.title)))
    return el(
        "header.masthead", el("div.line", kicker, switch()), title, pairs(rows, "identity")
    )


def contents(sections: Sequence[tuple[str, str]]) -> Html:
    """Links to the sections, by their ids and phrases."""
    links = [el("li", el("a", both(phrase(key)), href=f"#{name}")) for name, key in sections]
    label = phrase("contents")
    return el("nav.contents", el("ul", *links), aria_label=f"{label.zh} / {label.en}")


def verdict(report: CaseReport) -> Html:
    """What came out, in one look: the status, how well supported, and why."""
    diagnosis = report.diagnosis
    status = diagnosis.status.value
    cause = diagnosis.root_cause
    level = look_up(LEVELS, diagnosis.confidence.value)
    said = cause.summary if cause is not None else diagnosis.final_reason
    reason = el("p.reason", sentence(diagnosis.final_reason)) if cause is not None else join()
    heading = el("h2", stated(status, look_up(STATUS, status)))
    badge = el("p.level", both(level)) if diagnosis.status is Status.CONFIRMED else join()
    answered = _answered(report)
    return el(
        f"section.verdict.{status}",
        el("div.line", heading, badge),
        el("p.said", sentence(said)),
        reason,
        answered,
        id="verdict",
    )


def to_do(report: CaseReport) -> Html:
    """The recommendations, and the commands to answer with."""
    actions = [el("li", sentence(one)) for one in report.diagnosis.review_actions]
    commands = [
        el("p", el("code.command", f'witmark case {word} {report.name} --reason "…"'))
        for word in ("accept", "reject")
    ]
    return el(
        "section.next",
        titled(2, "next"),
        el("p.lead", both(phrase("next_lead"))),
        el("ol.actions", *actions),
        el("div.answer", el("p.note", both(phrase("answer_with"))), *commands),
        id="next",
    )


def cause(report: CaseReport) -> Html:
    """The confirmed root cause with the findings it rests on; nothing if none is confirmed."""
    found = report.diagnosis.root_cause
    if found is None:
        return join()
    looked = next((one for one in report.suspects if one.is_cause), None)
    lines = code(looked.lines, looked.left_out) if looked is not None else join()
    is_met = looked is not None and any(line.is_met for line in looked.lines)
    return el(
        "section.cause",
        titled(2, "cause"),
        el("p", sentence(found.technical_description)),
        lines,
        el("p.note", both(phrase("met"))) if is_met else join(),
        pairs([(both(phrase("rests_on")), chips(found.evidence_ids))], "limit"),
        id="cause",
    )


def countercheck(report: CaseReport) -> Html:
    """Whether a rival was really examined, and on what."""
    check = report.diagnosis.countercheck
    how = both(phrase("adequate" if check.is_adequate else "inadequate"))
    rows = [(both(phrase("verdict")), el("b", how))]
    if check.alternative_id is not None:
        rows.append((both(phrase("of_rival")), hypothesis_link(check.alternative_id)))
    rows += [
        (both(phrase("why")), sentence(check.reason)),
        (both(phrase("rests_on")), chips(check.evidence_ids)),
    ]
    return el(
        "section.countercheck",
        titled(2, "countercheck"),
        pairs(rows, "limit"),
        id="countercheck",
    )


def decided_by(report: CaseReport) -> Html:
    """Who decided: the embedded analyst, a model, or nobody validly."""
    if report.is_embedded:
        return both(phrase("embedded"))
    accepted = [call for call in report.calls if call.end == "accepted"]
    if not accepted:
        return both(phrase("nobody"))
    return shown(accepted[-1].response_model)


def published(report: CaseReport) -> str:
    """When the diagnosis of this revision was published."""
    of_now = [
        step
        for step in report.steps
        if step.phase is Phase.DIAGNOSIS and step.revision == report.revision
    ]
    return utc(of_now[-1].at_ms) if of_now else "–"


def utc(at_ms: int) -> str:
    """A moment as people read it.

    >>> utc(5)
    '1970-01-01 00:00:00.005 UTC'
    """
    whole = datetime.fromtimestamp(at_ms // 1000, UTC)
    return f"{whole:%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03} UTC"


def _who_next(report: CaseReport) -> Html:
    """Who looks next; a confirmed diagnosis waits for nobody, and anybody may answer it."""
    if report.routing is Routing.ANALYSIS:
        return both(phrase("anybody"))
    return named(ROUTING, report.routing.value)


def _answered(report: CaseReport) -> Html:
    """What a person said of this very diagnosis last."""
    of_now = [step for step in report.feedback if step.revision == report.revision]
    if not of_now or (said := of_now[-1].said) is None:
        return join()
    words = {
        "accepted": Words("已由人接受：", "Accepted by a person: "),
        "rejected": Words("已由人拒绝：", "Rejected by a person: "),
    }[said.verdict.value]
    return el("p.answered", el("b", both(words)), " ", shown(said.reason))
