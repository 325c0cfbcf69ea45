"""Call stacks as they stand in reports and logs, in the spelling of seven runtimes.

A stack is given with its innermost frame last, whatever its runtime prints first. Nothing is
resolved here: a frame says what the text says, and where it says so.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from witmark.diagnosis.interpretation import Frame, Trace
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import EvidenceRef, TextRange

MOST_FRAMES = 400  # of one stack; a runaway recursion repeats itself


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the text and where it stands, in code points."""

    text: str
    start: int


_Match = re.Match[str]
_Lines = list[_Line]

_EXCEPTION = r"(?P<exception>[A-Za-z_][\w.$:]*)"
_PY_HEAD = re.compile(r"^(?P<lead>.*?)Traceback \(most recent call last\):\s*$")
_PY_FRAME = re.compile(
    r'^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>.+?))?\s*$'
)
_PY_END = re.compile(rf"^\s*(?:\|\s*)?{_EXCEPTION}(?:: (?P<message>.*))?\s*$")
_PY_SHORT = re.compile(r"^(?P<path>\S+\.py):(?P<line>\d+): in (?P<function>\S+)\s*$")
_JVM_HEAD = re.compile(
    r'^(?:.*?Exception in thread "[^"]*" |Caused by: |\s*)'
    r"(?P<exception>(?:[a-z_][\w$]*\.)+[A-Z][\w$]*)(?:: (?P<message>.*))?\s*$"
)
_JVM_FRAME = re.compile(
    r"^\s*at (?:[\w.@/-]+//?)?(?P<function>[\w.$<>]+)"
    r"\((?P<path>[^:()]+)(?::(?P<line>\d+))?\)\s*(?:~?\[.*\])?\s*$"
)
_NET_HEAD = re.compile(
    r"^(?:Unhandled [Ee]xception[.:]?\s*)?(?P<exception>(?:[A-Z]\w*\.)+\w*Exception)"
    r"(?:: (?P<message>.*))?\s*$"
)
_NET_FRAME = re.compile(
    r"^\s*at (?P<function>[\w.`<>\[\]+$|,]+)\([^)]*\)"
    r"(?: in (?P<path>.+?):line (?P<line>\d+))?\s*$"
)
_JS_HEAD = re.compile(rf"^(?:Uncaught )?{_EXCEPTION}(?:: (?P<message>.*))?\s*$")
_JS_FRAME = re.compile(
    r"^\s*at (?:async )?(?:(?P<function>[^()]+?) \()?(?:file://)?(?P<path>[^():\s]+(?:\.\w+)):"
    r"(?P<line>\d+):\d+\)?\s*$"
)
_GO_HEAD = re.compile(r"^(?P<exception>panic|fatal error): (?P<message>.*)$")
_GO_FUNCTION = re.compile(r"^(?P<function>[\w./*()-]+\.[\w.*()-]+)\((?:[^()]*|\.\.\.)\)\s*$")
_GO_PLACE = re.compile(r"^\s+(?P<path>\S+\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?\s*$")
_RUST_HEAD = re.compile(
    r"^thread '[^']*'(?: \(\d+\))? panicked at (?:'(?P<message>[^']*)', )?"
    r"(?P<path>[^:']+):(?P<line>\d+):\d+:?\s*$"
)
_RUST_FRAME = re.compile(r"^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(?P<function>\S.*?)\s*$")
_RUST_PLACE = re.compile(r"^\s+at (?P<path>[^:\s]+):(?P<line>\d+)(?::\d+)?\s*$")
_NATIVE_FRAME = re.compile(
    r"^\s*#(?P<number>\d+)\s+(?:0x[0-9a-f]+ )?(?:in )?(?P<function>[^\s(]+(?:<.*?>)?)\s*"
    r"\(.*?\)(?: at (?P<path>[^:\s]+):(?P<line>\d+)| from \S+"
    r"|\s+(?P<path2>/[^:\s]+):(?P<line2>\d+)(?::\d+)?)?.*$"
)


def traces_of(text: str, blob: Digest) -> tuple[Trace, ...]:
    """Every call stack in a text, in order.

    Args:
        text: What was read, as code points.
        blob: The digest of the bytes it was read from.
    """
    lines = list(_lines(text))
    found: list[Trace] = []
    at = 0
    while at < len(lines):
        for reader in _READERS:
            taken = reader(lines, at, blob)
            if taken is not None:
                trace, at = taken
                found.append(trace)
                break
        else:
            at += 1
    return tuple(found)


_Taken = tuple[Trace, int] | None


# Python -------------------------------------------------------------------------------


def _python(lines: _Lines, at: int, blob: Digest) -> _Taken:
    if _PY_HEAD.match(lines[at].text) is None and not _is_frame(lines, at, _PY_FRAME):
        return None
    begin = at
    at += _PY_HEAD.match(lines[at].text) is not None
    frames: list[Frame] = []
    end = None
    while at < len(lines):
        hit = _PY_FRAME.match(lines[at].text)
        if hit is not None:
            code, at_code = _quoted_code(lines, at)
            frames.append(_frame(hit, lines[at], blob, code))
            at = at_code
        elif not lines[at].text.strip() or lines[at].text.lstrip().startswith(
            ("^", "~", "[Prev")
        ):
            at += 1
            if not lines[at - 1].text.strip() and not _goes_on(lines, at):
                break
        else:
            end = _PY_END.match(lines[at].text)
            at += end is not None
            break
    if not frames:
        return None
    return _trace("python", frames, end, lines, (begin, at), blob), at


def _goes_on(lines: _Lines, at: int) -> bool:
    return at < len(lines) and _PY_FRAME.match(lines[at].text) is not None


def _quoted_code(lines: _Lines, at: int) -> tuple[str, int]:
    """The source line under a frame, and where reading goes on."""
    under = lines[at + 1].text if at + 1 < len(lines) else ""
    indent = len(lines[at].text) - len(lines[at].text.lstrip())
    is_code = (
        bool(under.strip())
        and len(under) - len(under.lstrip()) > indent
        and _PY_FRAME.match(under) is None
    )
    return (under.strip(), at + 2) if is_code else ("", at + 1)


def _pytest(lines: _Lines, at: int, blob: Digest) -> _Taken:
    begin = at
    frames: list[Frame] = []
    while at < len(lines) and (hit := _PY_SHORT.match(lines[at].text)) is not None:
        code, at_code = _quoted_code(lines, at)
        frames.append(_frame(hit, lines[at], blob, code))
        at = at_code
    if not frames:
        return None
    return _trace("python", frames, None, lines, (begin, at), blob), at


# Runtimes that print the innermost frame first ---------------------------------------


def _stack(
    language: str, head: re.Pattern[str], frame: re.Pattern[str]
) -> Callable[[_Lines, int, Digest], _Taken]:
    def read(lines: _Lines, at: int, blob: Digest) -> _Taken:
        first = head.match(lines[at].text)
        begin = at
        frames: list[Frame] = []
        if first is not None:
            at += 1
            while at < len(lines) and at - begin < 6 and not _is_frame(lines, at, frame):
                at += 1
        if not _is_frame(lines, at, frame):
            return None
        while at < len(lines) and (hit := frame.match(lines[at].text)) is not None:
            frames.append(_frame(hit, lines[at], blob))
            at += 1
        trace = _trace(language, frames[::-1], first, lines, (begin, at), blob)
        return trace, at

    return read


def _go(lines: _Lines, at: int, blob: Digest) -> _Taken:
    first = _GO_HEAD.match(lines[at].text)
    if first is None:
        return None
    begin = at
    frames: list[Frame] = []
    at += 1
    while at < len(lines):
        place = _GO_PLACE.match(lines[at + 1].text) if at + 1 < len(lines) else None
        function = _GO_FUNCTION.match(lines[at].text)
        if function is not None and place is not None:
            frame = _frame(place, lines[at], blob)
            frames.append(replace(frame, function=function["function"]))
            at += 2
        elif lines[at].text.startswith(("goroutine ", "[signal", "\tpanic:")) or (
            not lines[at].text.strip() and not frames
        ):
            at += 1
        else:
            break
    if not frames:
        return None
    return _trace("go", frames[::-1], first, lines, (begin, at), blob), at


def _rust(lines: _Lines, at: int, blob: Digest) -> _Taken:
    first = _RUST_HEAD.match(lines[at].text)
    if first is None:
        return None
    begin = at
    frames = [_frame(first, lines[at], blob)]
    at += 1
    message = first["message"] or ""
    if not message and at < len(lines):
        message, at = lines[at].text.strip(), at + 1
    stack: list[Frame] = []
    while at < len(lines):
        text = lines[at].text
        function, place = _RUST_FRAME.match(text), _RUST_PLACE.match(text)
        if place is not None and stack:
            stack[-1] = replace(stack[-1], path=place["path"], line=int(place["line"]))
        elif function is not None:
            ref = _ref(blob, lines[at].start, lines[at].start + len(text))
            stack.append(Frame("", None, function["function"], "", ref))
        elif not text.startswith(("stack backtrace:", "note:")):
            break
        at += 1
    own = [frame for frame in stack if frame.path] or frames
    trace = _trace("rust", own[::-1], None, lines, (begin, at), blob)
    return replace(trace, exception="panic", message=message), at


def _native(lines: _Lines, at: int, blob: Digest) -> _Taken:
    begin = at
    frames: list[Frame] = []
    while at < len(lines) and (hit := _NATIVE_FRAME.match(lines[at].text)) is not None:
        if int(hit["number"]) != len(frames):
            break
        frames.append(_frame(hit, lines[at], blob))
        at += 1
    if len(frames) < 2:
        return None
    return _trace("native", frames[::-1], None, lines, (begin, at), blob), at


_READERS: tuple[Callable[[_Lines, int, Digest], _Taken], ...] = (
    _python,
    _pytest,
    _stack("jvm", _JVM_HEAD, _JVM_FRAME),
    _stack("dotnet", _NET_HEAD, _NET_FRAME),
    _stack("javascript", _JS_HEAD, _JS_FRAME),
    _go,
    _rust,
    _native,
)


# Helpers -----------------------------------------------------------------------------


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield _Line(line.rstrip("\r"), start)
        start += len(line) + 1


def _is_frame(lines: _Lines, at: int, frame: re.Pattern[str]) -> bool:
    return at < len(lines) and frame.match(lines[at].text) is not None


def _frame(hit: _Match, line: _Line, blob: Digest, code: str = "") -> Frame:
    groups = hit.groupdict()
    path = groups.get("path") or groups.get("path2") or ""
    number = groups.get("line") or groups.get("line2")
    ref = _ref(blob, line.start, line.start + len(line.text))
    function = (groups.get("function") or "").strip()
    return Frame(path, int(number) if number else None, function, code, ref)


def _trace(  # noqa: PLR0913, PLR0917 - what a reader has in its hands
    language: str,
    frames: list[Frame],
    end: _Match | None,
    lines: _Lines,
    span: tuple[int, int],
    blob: Digest,
) -> Trace:
    begin, after = span
    last = lines[min(after, len(lines)) - 1]
    at = _ref(blob, lines[begin].start, last.start + len(last.text))
    groups = end.groupdict() if end is not None else {}
    kept = frames[-MOST_FRAMES:]
    exception, message = groups.get("exception") or "", (groups.get("message") or "").strip()
    return Trace(language, tuple(kept), exception, message, at)


def _ref(blob: Digest, start: int, end: int) -> EvidenceRef:
    return EvidenceRef(blob, TextRange(start, max(end, start + 1)))
