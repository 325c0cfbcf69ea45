r"""Finding a text in the source that spells it differently.

Markdown writes ``*`` as ``\*`` and ``&`` as ``&amp;``, and breaks a text over lines with
prefixes of their own. What is found is a list of pieces: ranges of the source that copy the
text, and texts that no range copies.
"""

import html
import re

Piece = tuple[int, int] | str

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")
_WINDOW = 4096  # code points searched: without a bound a hostile note costs its square
_MOST_TRIES = 32
_SPECIAL = re.compile(r"[\\&]")


def spelled(text: str, source: str, at: int, end: int) -> list[Piece] | None:
    """Match a text with the source from ``at``, resolving escapes and entities.

    Returns its pieces, or ``None`` if the source says something else before ``end``.
    """
    pieces: list[Piece] = []
    mine = 0
    while mine < len(text):
        if at >= end:
            return None
        if source[at] == "&" and (entity := _ENTITY.match(source, at, end)) is not None:
            meant = html.unescape(entity[0])
            if text.startswith(meant, mine):
                pieces.append(meant)
                at, mine = entity.end(), mine + len(meant)
                continue
        if source[at] == "\\" and source[at + 1 : at + 2] == text[mine] and at + 1 < end:
            at += 1
        if source[at] != text[mine]:
            return None
        stop = _SPECIAL.search(source, at + 1, end)
        length = min((stop.start() if stop else end) - at, len(text) - mine)
        if source[at : at + length] != text[mine : mine + length]:
            return None
        pieces.append((at, at + length))
        at, mine = at + length, mine + length
    return pieces


def found_from(text: str, source: str, at: int, end: int) -> list[Piece] | None:
    """Find a text soon after ``at``, at the first place it can be."""
    end = min(end, at + _WINDOW)
    if (start := source.find(text, at, end)) >= 0:
        return [(start, start + len(text))]
    for _ in range(_MOST_TRIES):
        if (at := source.find(text[0], at, end)) < 0:
            return None
        if pieces := spelled(text, source, at, end):
            return pieces
        at += 1
    return None


def words_from(text: str, source: str, at: int, end: int) -> list[Piece]:
    """Find a text word by word, whatever stands between the words; ours break the line."""
    pieces: list[Piece] = []
    for word in text.split():
        if not (found := found_from(word, source, at, end)):
            pieces += [" ", word]
            continue
        first = found[0]
        start = first[0] if isinstance(first, tuple) else at
        last = pieces[-1] if pieces else None
        if isinstance(last, tuple) and source[last[1] : start] == " ":
            pieces[-1] = (last[0], start)
        elif pieces:
            pieces.append("\n")
        pieces += found
        tail = [p for p in found if isinstance(p, tuple)]
        at = tail[-1][1] if tail else at
    return pieces
