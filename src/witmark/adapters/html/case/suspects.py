"""Places in the source, the likeliest first, with the lines that stand there."""

from witmark.adapters.case_words import LEVELS
from witmark.adapters.html.case.phrases import phrase
from witmark.adapters.html.case.pieces import chips, code, opens, shown, stated, titled
from witmark.adapters.html.markup import Html, both, el, join
from witmark.diagnosis.report import CaseReport, Looked
from witmark.review.words import Words, look_up

SHOWN = 8
"""Suspects before the fold; the others wait in it."""
_UNFOLDED = 1


def suspects(report: CaseReport) -> Html:
    """Every suspect with its place, how it stands, its findings, and its code."""
    items = [_suspect(report, one) for one in report.suspects]
    if not items:
        return el(
            "section.suspects",
            titled(2, "suspects"),
            el("p.nothing", both(phrase("no_suspects"))),
            id="suspects",
        )
    rest = join()
    if more := items[SHOWN:]:
        words = Words(f"其余 {len(more)} 处", f"{len(more)} more places")
        listed = el("ol.places-list", *more, start=str(SHOWN + 1))
        rest = el("details.more", el("summary", both(words)), listed)
    return el(
        "section.suspects",
        titled(2, "suspects"),
        el("p.lead", both(phrase("suspects_lead"))),
        el("ol.places-list", *items[:SHOWN]),
        rest,
        id="suspects",
    )


def standing(report: CaseReport, one: Looked) -> Words:
    """How a place stands: it is the confirmed cause, or it is a rank and no more."""
    if one.is_cause:
        level = look_up(LEVELS, report.diagnosis.confidence.value)
        words = phrase("is_cause")
        return Words(f"{words.zh}（{level.zh}）", f"{words.en} ({level.en})")
    level = look_up(LEVELS, one.suspect.level.value)
    words = phrase("by_rank")
    return Words(f"{words.zh}：{level.zh}", f"{words.en}: {level.en}")


def _suspect(report: CaseReport, one: Looked) -> Html:
    place = one.suspect.location
    lines = Words(
        f"第 {place.start_line}–{place.end_line} 行",
        f"lines {place.start_line}–{place.end_line}",
    )
    words = standing(report, one)
    told = stated("supported", words) if one.is_cause else el("span.standing", both(words))
    head = join(
        el("code.path", shown(place.path)),
        " ",
        el("code.name", shown(place.name)),
        " ",
        el("span.lines", both(lines)),
    )
    line = el("span.where-line", el("span.at", head), told)
    return el(
        "li.cause" if one.is_cause else "li",
        _folded(one, line),
        el(
            "p.rests",
            el("span.unseen", both(phrase("findings_of"))),
            chips(one.suspect.findings),
        ),
        value=str(one.suspect.rank),
    )


def _folded(one: Looked, line: Html) -> Html:
    """Its lines behind its name; those of the first are unfolded unless they stand above."""
    if one.ref is None:
        return join(el("p", line), el("p.note", both(phrase("no_source"))))
    first = one.suspect.rank <= _UNFOLDED and not one.is_cause
    body = join(el("summary", line), code(one.lines, one.left_out), opens(one.ref))
    return el("details.lines", body, open="") if first else el("details.lines", body)
