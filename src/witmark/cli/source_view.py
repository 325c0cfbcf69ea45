"""A source in the terminal: numbered lines, the span marked by signs and, there, by colour."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from witmark.bootstrap.opening import Opened
from witmark.kernel.errors import visible

_OPENING, _CLOSING = "⟦", "⟧"
_INVERSE, _PLAIN = "\x1b[7m", "\x1b[0m"
_SAID = {
    "current": "",
    "moved": "moved since it was cited",
    "changed_since": "changed since it was cited; marked is what stands there now",
}


def source_lines(opened: Opened, *, around: int, colour: bool) -> Iterator[str]:
    """The lines around each mark, or a word on why nothing is marked."""
    if opened.whole:
        yield from opened.text.splitlines()
        return
    drift = _SAID.get(opened.drift, "") if opened.highlights else _not_marked(opened.drift)
    if drift and opened.cited_path not in ("", opened.path):
        drift += f", from {opened.cited_path} to {opened.path}"
    lines = opened.text.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    marks = opened.highlights or ()
    shown = marks or ((opened.window,) if opened.window else ())
    first = bisect_right(starts, shown[0][0]) if shown else 1
    place = f"{opened.path}:{first}"
    yield visible(f"{opened.title}  {place}" + (f"  ({drift})" if drift else ""))
    last = 0
    for low, high in ((bisect_right(starts, a), bisect_right(starts, b - 1)) for a, b in shown):
        begin, end = max(low - around, last + 1, 1), min(high + around, len(lines))
        if begin > last + 1:
            yield "  …"
        for number in range(begin, end + 1):
            line, start = lines[number - 1], starts[number - 1]
            yield f"{number:>5}  {_marked(line, start, marks, colour=colour)}".rstrip()
        last = max(last, end)


def _not_marked(reason: str) -> str:
    return f"not marked: {reason.replace('_', ' ')}"


def _marked(line: str, start: int, marks: tuple[tuple[int, int], ...], *, colour: bool) -> str:
    body = line.rstrip("\r\n")
    said, here = "", _mark_of_order(body, start)
    for low, high in marks:
        a, b = max(low - start, here), min(high - start, len(body))
        if a < b:
            hit = visible(body[a:b])
            hit = f"{_INVERSE}{hit}{_PLAIN}" if colour else hit
            said += visible(body[here:a]) + _OPENING + hit + _CLOSING
            here = b
    return said + visible(body[here:])


def _mark_of_order(body: str, start: int) -> int:
    """How many characters of a line are no text: a file may begin with a byte order mark."""
    return int(start == 0 and body.startswith("\ufeff"))
