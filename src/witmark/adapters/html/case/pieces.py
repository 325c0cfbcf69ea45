"""Small pieces of a diagnosis page: text made safe and visible, chips, code, signs."""

import re
from collections.abc import Iterable, Sequence

from witmark.adapters.case_sentences import in_chinese
from witmark.adapters.html.case.phrases import phrase
from witmark.adapters.html.markup import Html, both, el, join, raw
from witmark.adapters.html.pieces import pairs
from witmark.diagnosis.findings import CodeLocation, FindingId
from witmark.diagnosis.hypotheses import HypothesisId
from witmark.diagnosis.report import CaseReport, Line, Place
from witmark.diagnosis.saying import UNSAFE
from witmark.kernel.evidence import EvidenceRef
from witmark.review.words import Words, look_up

# Letters that pass for Latin ones: beside a Latin letter, a digit or a hyphen they are told.
_TWINS = (
    "[\u0400-\u052f\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d"
    "\u039f\u03a1\u03a4\u03a5\u03a7\u03bd\u03bf\u03c1]"
)
_ODD = re.compile(
    f"{UNSAFE.pattern}|(?<=[A-Za-z_]){_TWINS}|{_TWINS}(?=[A-Za-z_0-9-])|[\U0001d400-\U0001d7ff]"
)
_SIGNS = {  # on a 16 by 16 field; the shape speaks without the colour
    "confirmed": "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM7 11.2 3.9 8.1l1.2-1.2L7 8.8l4-4 1.2 1.2z",
    "inconclusive": "M2 2h12v12H2zM4 4v8h8V4z",
    "supported": "M8 2 15 14H1z",
    "factually_rejected": "M3.4 2 8 6.6 12.6 2 14 3.4 9.4 8l4.6 4.6-1.4 1.4L8 9.4 3.4 14 2 12.6"
    " 6.6 8 2 3.4z",
    "not_supported": "M8 14 1 2h14z",
    "unresolved": "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm0 2a4.5 4.5 0 1 1 0 9 4.5 4.5 "
    "0 0 1 0-9z",
}
MOST_QUOTED = 24
"""Lines of a quote that are shown; the others are counted."""
_LINE_CHARS = 2000


def shown(text: str) -> Html:
    r"""Text of a case in one line; what hides, turns, or passes for another letter is told.

    >>> shown("a\u202eb")
    'a<mark class="odd"><small>U+202E</small></mark>b'
    """
    pieces: list[str] = []
    last = 0
    line = text.expandtabs(4).replace("\n", " ")
    for hit in _ODD.finditer(line):
        pieces += [line[last : hit.start()], _odd(hit[0])]
        last = hit.end()
    return join(*pieces, line[last:])


def sentence(text: str) -> Html:
    """A sentence of the desk in both languages; any other one in its own words alone."""
    zh = in_chinese(text)
    if zh is None:
        return shown(text)
    return join(
        el("span.zh", shown(zh), lang="zh-CN"), " ", el("span.en", shown(text), lang="en")
    )


def _odd(char: str) -> Html:
    visible = "" if UNSAFE.match(char) else char
    return el("mark.odd", visible, el("small", f"U+{ord(char):04X}"))


def sign(kind: str) -> Html:
    """The sign of a state; decoration beside its word."""
    path = el("path", d=_SIGNS[kind], fill_rule="evenodd")
    return el(
        "svg.sign", path, viewBox="0 0 16 16", width="16", height="16", aria_hidden="true"
    )


def stated(kind: str, words: Words) -> Html:
    """A state as sign and word."""
    return el(f"span.badge.{kind}", sign(kind), " ", both(words))


def titled(level: int, key: str) -> Html:
    """A heading from the phrase book."""
    return el(f"h{level}", both(phrase(key)))


def named(table: dict[str, Words], name: str) -> Html:
    """What a name of ours is called."""
    return both(look_up(table, name))


def finding_anchor(name: FindingId) -> str:
    """Where a finding stands on the page."""
    return f"finding-{name}"


def hypothesis_anchor(name: HypothesisId) -> str:
    """Where a hypothesis stands on the page."""
    return f"hypothesis-{name}"


def chips(ids: Iterable[FindingId]) -> Html:
    """Findings as links to where they stand."""
    links = [el("a.chip", one, href=f"#{finding_anchor(one)}") for one in ids]
    if not links:
        return el("span.none", both(phrase("nothing")))
    return el("span.chips", *(join(link, " ") for link in links))


def hypothesis_link(name: HypothesisId) -> Html:
    """A hypothesis as a link to where it stands."""
    return el("a.chip", name, href=f"#{hypothesis_anchor(name)}")


def bullets(lines: Iterable[str]) -> Html:
    """Lines of a case as a list."""
    return el("ul.plain-list", *(el("li", sentence(one)) for one in lines))


def code(lines: Sequence[Line], left_out: int = 0) -> Html:
    """Lines with their numbers; where a call stack went through, the line is marked."""
    rows = [_code_line(one) for one in lines]
    block = el("pre.code", el("code", *rows), tabindex="0")
    if left_out <= 0:
        return block
    words = phrase("more_lines")
    more = Words(f"{left_out} {words.zh}", f"{left_out} {words.en}")
    return join(block, el("p.note", both(more)))


def _code_line(line: Line) -> Html:
    mark = el("span.unseen", both(phrase("met_line"))) if line.is_met else join()
    number = el("span.no", str(line.number) if line.number else "")
    text = line.text if len(line.text) <= _LINE_CHARS else f"{line.text[:_LINE_CHARS]} …"
    return el("span.ln.met" if line.is_met else "span.ln", number, mark, shown(text), raw("\n"))


def quoted(text: str, place: Place | None) -> Html:
    """A quote with the line numbers that it has in its file."""
    first = place.start_line if place is not None else 0
    every = text.rstrip("\n").split("\n")
    lines = [
        Line(first + n if first else 0, one, is_met=False)
        for n, one in enumerate(every[:MOST_QUOTED])
    ]
    return code(lines, len(every) - len(lines))


def where(report: CaseReport, ref: EvidenceRef) -> Html:
    """The file and the lines that a ref leads to."""
    place = report.places.get(ref)
    if place is None:
        return el("code", str(ref))
    lines = both(line_words(place)) if place.start_line else join()
    return el("span.where", el("code", shown(place.path)), " ", lines)


def line_words(place: Place) -> Words:
    """The lines of a place in words."""
    first, last = place.start_line, place.end_line
    span = str(first) if first == last else f"{first}–{last}"
    return Words(f"第 {span} 行", f"line {span}" if first == last else f"lines {span}")


def at_place(location: CodeLocation | None) -> Html:
    """The definition that a finding speaks of; nothing if it speaks of none."""
    if location is None:
        return join()
    return el("code.spoken-of", shown(location.name or location.path))


def opens(ref: EvidenceRef) -> Html:
    """The command that opens a place."""
    rows = [(both(phrase("open_with")), el("code.command", f"witmark open '{ref}'"))]
    return pairs(rows, "proof")
