"""Reads what a case says: sentences sorted by what they claim, versions, names, call stacks.

Everything rests on a place in an input, and nothing is completed: a report that does not say
what was expected leaves that part empty.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from witmark.diagnosis.case import InputKind, Inventory, RawInput
from witmark.diagnosis.interpretation import (
    Interpretation,
    Statement,
    StatementBasis,
    Trace,
    Version,
)
from witmark.diagnosis.secrets import sightings
from witmark.diagnosis.traces import traces_of
from witmark.diagnosis.versions import versions_in
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import EvidenceRef, TextRange

READ = (InputKind.REPORT, InputKind.LOG, InputKind.TRACE)
MOST_BYTES = 16 * 1024 * 1024  # of one log; more of it is said to be unread
MOST_TRACES = 200
MOST_NAMES = 200

_HEADING = re.compile(r"^\s*#{1,6}\s+|^\s*[-*]\s+")
_TIME = re.compile(
    r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_ENVIRONMENT = re.compile(
    r"\b(?:Python|Java|Node(?:\.js)?|Go|Rust|\.NET|Windows|Linux|macOS|Ubuntu|Debian|Docker|"
    r"CPython|PyPy|OpenJDK|Chrome|Firefox|Safari)\b[ /v]*[\d.]*",
)
# No run of letters may be tried from each of its letters, nor be cut up in many ways: a long
# line of a report must not hold us for hours. So every repetition here begins at one place.
_NAME = re.compile(
    r"`(?P<ticked>[^`\n]{1,120})`"
    r"|(?<![A-Za-z0-9_])(?P<call>[A-Za-z_]\w{0,99}(?:\.[A-Za-z_]\w{0,99}){0,20})(?=\()"
    r"|(?<![A-Za-z0-9_])(?P<dotted>[A-Za-z_]\w{0,99}(?:\.[A-Za-z_]\w{0,99}){1,20})"
    r"|(?P<snake>\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b|\b__\w+__\b)"
    r"|(?P<camel>\b[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b)"
)
_HOST = re.compile(r"\.(?:com|org|net|io|test|local|example|md|txt|py|log|html?)$")

_CLAIMS: tuple[tuple[str, StatementBasis, re.Pattern[str]], ...] = (
    (
        "assumptions",
        StatementBasis.ASSUMED,
        re.compile(
            r"(?i)\b(?:looks? (?:as if|like)|seems?|i (?:think|guess|suspect|assume|believe)|"
            r"probably|presumably|maybe|perhaps|apparently|might be|could be)\b"
            r"|似乎|好像|看起来|可能|大概|也许|我觉得|怀疑|估计"
        ),
    ),
    (
        "intended",
        StatementBasis.INTENDED,
        re.compile(
            r"(?i)\b(?:by design|documented|documentation|specification|on purpose|intended|"
            r"as (?:it is|designed)|the docs)\b|文档|规范|设计如此|有意"
        ),
    ),
    (
        "expected",
        StatementBasis.REPORTED,
        re.compile(
            r"(?i)\b(?:expected?|should|must|ought|is supposed|would like)\b"
            r"|应该|应当|期望|预期|理应"
        ),
    ),
    (
        "observed",
        StatementBasis.REPORTED,
        re.compile(
            r"(?i)\b(?:instead|but|fails?|failed|error|exception|raises?|crash(?:es|ed)?|wrong|"
            r"returns?|gives?|gets?|no longer|empty|lost|missing|only|ignored|ends? with|"
            r"hangs?|"
            r"dies?|closed|cannot|can't|does not|doesn't)\b"
            r"|报错|失败|错误|异常|却|但是|不再|没有|丢失|崩溃"
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class _Source:
    """One input as text."""

    input: RawInput
    text: str


def interpret(inventory: Inventory, read: Callable[[RawInput], bytes]) -> Interpretation:
    """Read reports, logs and traces; the same inputs give the same interpretation."""
    unread: list[tuple[str, str]] = []
    sources = list(_sources(inventory, read, unread))
    reports = [one for one in sources if one.input.kind is InputKind.REPORT]
    traces = [trace for one in sources for trace in traces_of(one.text, one.input.digest)]
    if len(traces) > MOST_TRACES:
        unread.append(
            ("call stacks", f"{len(traces) - MOST_TRACES} after the first {MOST_TRACES}")
        )
    sorted_in = _sorted_in(reports, traces)
    return Interpretation(
        title=_title(reports),
        symptom=sorted_in["symptom"],
        expected=sorted_in["expected"],
        observed=sorted_in["observed"],
        intended=sorted_in["intended"],
        assumptions=sorted_in["assumptions"],
        versions=_versions(reports),
        environment=_found(reports, _ENVIRONMENT, StatementBasis.REPORTED),
        times=_found(reports, _TIME, StatementBasis.REPORTED),
        names=_names(reports, traces),
        traces=tuple(traces[:MOST_TRACES]),
        unread=tuple(unread),
    )


def _sources(
    inventory: Inventory,
    read: Callable[[RawInput], bytes],
    unread: list[tuple[str, str]],
) -> Iterator[_Source]:
    for one in inventory.of(*READ):
        raw = read(one)
        if b"\0" in raw[:8192]:
            unread.append((one.path, "it is not text"))
            continue
        if len(raw) > MOST_BYTES:
            unread.append(
                (one.path, f"{len(raw) - MOST_BYTES} bytes after the first {MOST_BYTES}")
            )
            raw = raw[:MOST_BYTES]
        try:
            yield _Source(one, raw.decode("utf-8"))
        except UnicodeDecodeError as error:
            whole = raw[: error.start].decode("utf-8")
            unread.append((one.path, f"from byte {error.start} on it is no UTF-8"))
            yield _Source(one, whole)


# Sentences ---------------------------------------------------------------------------

_Parts = dict[str, tuple[Statement, ...]]


def _sorted_in(reports: Iterable[_Source], traces: Iterable[Trace]) -> _Parts:
    parts: dict[str, list[Statement]] = {
        name: [] for name in ("symptom", "expected", "observed", "intended", "assumptions")
    }
    inside = [(t.at.blob, t.at.at) for t in traces if isinstance(t.at.at, TextRange)]
    for report in reports:
        for start, end in _sentences(report.text):
            if _is_inside(report.input.digest, start, inside):
                continue
            text = report.text[start:end]
            claims = [(name, basis) for name, basis, sign in _CLAIMS if sign.search(text)]
            for name, basis in claims[:1] or [("symptom", StatementBasis.REPORTED)]:
                parts[name].append(_statement(report, start, end, basis))
            if claims and claims[0][0] == "observed":
                parts["symptom"].append(_statement(report, start, end, StatementBasis.REPORTED))
    return {name: tuple(found) for name, found in parts.items()}


def _is_inside(blob: Digest, at: int, ranges: Iterable[tuple[Digest, TextRange]]) -> bool:
    return any(blob == where and one.start <= at < one.end for where, one in ranges)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence stands; a line break inside a paragraph does not end one."""
    start = 0
    for paragraph in re.split(r"(\n\s*\n)", text):
        if paragraph.strip():
            yield from _in_paragraph(paragraph, start)
        start += len(paragraph)


_END = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z\"'`(\[]|\d)|(?<=[。！？])\s*|\n(?=\s*(?:[-*#]|\d+\.)\s)"
)


def _in_paragraph(paragraph: str, start: int) -> Iterator[tuple[int, int]]:
    at = 0
    for hit in [*_END.finditer(paragraph), None]:
        end = hit.start() if hit is not None else len(paragraph)
        said = paragraph[at:end]
        lead = len(said) - len(said.lstrip())
        mark = _HEADING.match(said)
        lead = max(lead, mark.end() if mark else 0)
        if said[lead:].strip():
            yield start + at + lead, start + at + len(said.rstrip())
        at = hit.end() if hit is not None else end


def _title(reports: Iterable[_Source]) -> str:
    for report in reports:
        for line in report.text.splitlines():
            if line.strip():
                return _HEADING.sub("", line).strip()
    return ""


# Versions, names ---------------------------------------------------------------------


def _versions(reports: Iterable[_Source]) -> tuple[Version, ...]:
    found = []
    for report in reports:
        for one in versions_in(report.text):
            at = _statement(report, one.start, one.end, StatementBasis.REPORTED)
            found.append(Version(one.subject, one.version, one.is_good, at))
    return tuple(found)


def _names(reports: Iterable[_Source], traces: Iterable[Trace]) -> tuple[Statement, ...]:
    inside = [(t.at.blob, t.at.at) for t in traces if isinstance(t.at.at, TextRange)]
    found: dict[str, Statement] = {}
    for report in reports:
        hidden = sightings(report.text)
        for hit in _NAME.finditer(report.text):
            if _is_inside(report.input.digest, hit.start(), inside):
                continue
            if any(one.start < hit.end() and hit.start() < one.end for one in hidden):
                continue  # a piece of a secret is no name
            kind = str(hit.lastgroup)
            text = hit[kind].strip()
            if text and not _HOST.search(text) and text not in found:
                start, end = hit.span(kind)
                found[text] = Statement(
                    text,
                    StatementBasis.REPORTED,
                    _ref(report, start, end),
                    report.text[start:end],
                )
    return tuple(list(found.values())[:MOST_NAMES])


def _found(
    reports: Iterable[_Source], sign: re.Pattern[str], basis: StatementBasis
) -> tuple[Statement, ...]:
    found: dict[str, Statement] = {}
    for report in reports:
        for hit in sign.finditer(report.text):
            text = hit[0].strip(" /")
            end = hit.start() + len(text)
            found.setdefault(text, _statement(report, hit.start(), end, basis))
    return tuple(found.values())


def _statement(report: _Source, start: int, end: int, basis: StatementBasis) -> Statement:
    quote = report.text[start:end]
    return Statement(" ".join(quote.split()), basis, _ref(report, start, end), quote)


def _ref(report: _Source, start: int, end: int) -> EvidenceRef:
    return EvidenceRef(report.input.digest, TextRange(start, end))
