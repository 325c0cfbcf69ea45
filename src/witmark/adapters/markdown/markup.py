"""What HTML shows: the text outside tags, comments, scripts and styles."""

import re
from collections.abc import Iterator

_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)"
    r"""|<[/!?]?[A-Za-z](?:[^<>"']|"[^"]{0,400}+"|'[^']{0,400}+'){0,1000}+>"""
    r"|<[/!?]?[A-Za-z][^<>]{0,400}+>|<[!?][^<>]{0,400}+>",
    re.DOTALL | re.IGNORECASE,
)
"""Bounded and without backtracking: a tag that never ends costs a little, not its square."""

_INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|ruby|s|samp|small|span"
    r"|strong|sub|sup|time|u|var|wbr|!--)\b",
    re.IGNORECASE,
)
BREAK = re.compile(r"<(?:br|/p|/div|/li|/tr|/h[1-6])\b", re.IGNORECASE)


def text_pieces(source: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """The ranges that a reader sees, and whether each begins a line of its own."""
    at, breaks = start, False
    for hidden in _HIDDEN.finditer(source, start, end):
        if at < hidden.start():
            yield at, hidden.start(), breaks
            breaks = False
        breaks = breaks or not _INLINE.match(hidden[0])
        at = hidden.end()
    if at < end:
        yield at, end, breaks
