"""What HTML shows: the text outside tags, comments, scripts and styles."""

import re
from collections.abc import Iterator

_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[/!?]?[A-Za-z][^<>]*>|<[!?][^<>]*>",
    re.DOTALL | re.IGNORECASE,
)
BREAK = re.compile(r"<(?:br|/p|/div|/li|/tr|/h[1-6])\b", re.IGNORECASE)


def text_pieces(source: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The ranges that a reader sees."""
    at = start
    for hidden in _HIDDEN.finditer(source, start, end):
        if at < hidden.start():
            yield at, hidden.start()
        at = hidden.end()
    if at < end:
        yield at, end
