"""Plain text is cut into sentences and clauses, each at its exact place.

Ranges count code points of the text given. A sentence never crosses a line feed (blocks are
joined by one), never ends inside a bracket or a short quotation, and keeps the closing marks
that follow its stop. Cutting loses nothing but white space between sentences.
"""

import re
from bisect import bisect_left
from collections.abc import Callable

from witmark.answers.folding import UNSPACED
from witmark.answers.late import late
from witmark.kernel.evidence import TextRange

_UNSPACED = late(f"[{UNSPACED}]")

_CLOSERS = "\"'”’」』》〉）)】］]"
_QUOTES = {"“": "”", "「": "」", "『": "』", "‘": "’"}
_BRACKETS = {"（": "）", "(": ")", "《": "》", "【": "】", "[": "]", "［": "］", "〈": "〉"}
_PAIRS = {**_QUOTES, **_BRACKETS}
_ASIDE_MARK = late(f"[\n{re.escape(''.join(_PAIRS) + ''.join(_PAIRS.values()))}]")
_LONGEST_ASIDE = 160
"""A pair further apart than this is taken for a slip, or for a whole quoted passage."""

_STOP = late(
    r"(?P<full>[。！？｡।॥؟۔]|(?<![0-9０-９一二三四五六七八九十百○〇零])．|．(?=\s|$))"
    r"|(?P<half>[!?]+)"
    r"|(?P<dots>…+|\.{2,})"
    r"|(?P<dot>\.)"
)
_NEVER_LAST = frozenset(
    """mr mrs ms dr prof st mt gen col lt sgt capt rev hon sen rep gov pres e.g i.e cf vs viz
    approx resp jan feb mar apr jun jul aug sep sept oct nov dec""".split()  # noqa: SIM905 - a word list
)
"""Abbreviations (without the last dot) that something always follows."""

_NUMBERED = frozenset(
    "no nos fig figs eq eqs vol vols p pp ch sec tab ref refs tel fax".split()  # noqa: SIM905 - a word list
)
"""Words that are abbreviations only when a number follows."""

_SELDOM_LAST = frozenset(
    "etc inc ltd co corp jr sr al a.m p.m ca op ed eds dept est".split()  # noqa: SIM905 - a word list
)
"""Abbreviations after which a sentence may end."""

_STARTERS = frozenset(
    """the a an it its he she they we you i in on at by for from with after before when while
    if this that these those there his her their our as but and or however although since
    during under one some many most each both such then thus""".split()  # noqa: SIM905 - a word list
)
"""Words that, written with a capital after an abbreviation, begin a sentence."""

_WORD_BEFORE = late(r"[^\W_](?:[\w.’'-]*[\w])?$")
_WORD_AFTER = late(r"[\s\"'“‘(\[]*(\w+)")
_NUMBERING = late(r"(?:\d{1,3}|[A-Za-z])$")
_LINE_END = late("[\n\r\u2028\u2029]")
_CLAUSE_END = late(r"[，；：;、](?:[”’」』])?|[,:]\s|——|\s[–—-]\s")


def sentences(text: str) -> tuple[TextRange, ...]:
    """Cut a text into sentences, in order, trimmed of white space.

    >>> text = "It is 3.5 mm, e.g. here. 水杯是容器。是吗？"
    >>> [text[s.start : s.end] for s in sentences(text)]
    ['It is 3.5 mm, e.g. here.', '水杯是容器。', '是吗？']
    """
    ends = sorted({*_line_ends(text), *_stops(text), len(text)})
    found = []
    begin = 0
    for end in ends:
        if (piece := trimmed(text, begin, end)) is not None:
            found.append(piece)
        begin = end
    return tuple(found)


def clauses(text: str, whole: TextRange) -> tuple[TextRange, ...]:
    """Cut a sentence after its commas, semicolons and colons, outside of brackets."""
    aside = _asides(text)
    ends = [
        hit.end()
        for hit in _CLAUSE_END.finditer(text, whole.start, whole.end)
        if not aside.holds(hit.start())
    ]
    found = []
    begin = whole.start
    for end in [*ends, whole.end]:
        if (piece := trimmed(text, begin, end)) is not None:
            found.append(piece)
        begin = max(begin, end)
    return tuple(found)


def fitted(
    text: str,
    whole: TextRange,
    *,
    limit: int,
    length: Callable[[TextRange], int],
    weight: Callable[[TextRange], float],
) -> TextRange:
    """Return the sentence, or the run of its clauses that weighs most within a limit.

    Args:
        text: What ``whole`` is a range of.
        whole: A sentence.
        limit: The greatest ``length`` allowed; a clause beyond it is cut at a word.
        length: What a range takes up, e.g. in the source with its markup.
        weight: What a range is worth; the earliest of equals wins, then the longest.
    """
    if length(whole) <= limit:
        return whole
    parts = clauses(text, whole)
    best: tuple[float, int, int] | None = None
    chosen = whole
    for first, head in enumerate(parts):
        for tail in parts[first:]:
            run = TextRange(head.start, tail.end)
            if length(run) > limit:
                break
            key = (weight(run), -run.start, run.end)
            if best is None or key > best:
                best, chosen = key, run
    if best is not None:
        return chosen
    heaviest = max(parts, key=lambda part: (weight(part), -part.start))
    return _shortened(text, heaviest, limit, length)


def trimmed(text: str, start: int, end: int) -> TextRange | None:
    """Return the range without the white space at its ends; ``None`` if nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return TextRange(start, end) if start < end else None


def is_complete(text: str) -> bool:
    """Whether a sentence ends like one; a title, a lead-in ("as follows:") does not."""
    bare = text.rstrip(_CLOSERS + " ")
    return bool(bare) and bare[-1] in "。！？｡．!?.…।॥؟۔"


# Where sentences end -----------------------------------------------------------------


def _line_ends(text: str) -> list[int]:
    return [hit.end() for hit in _LINE_END.finditer(text)]


def _stops(text: str) -> list[int]:
    aside = _asides(text)
    ends = []
    for hit in _STOP.finditer(text):
        end = hit.end()
        while end < len(text) and text[end] in _CLOSERS:
            end += 1
        # A stop inside a bracket ends nothing, unless the closing quotes end with it.
        if aside.holds(hit.start()) and not (end > hit.end() and not aside.holds(end - 1)):
            continue
        if aside.brackets(hit.start()):
            continue
        if _ends_there(text, hit, end):
            ends.append(end)
    return ends


def _ends_there(text: str, hit: re.Match[str], end: int) -> bool:
    after = text[end : end + 1]
    match hit.lastgroup:
        case "full":
            return True
        case "half":
            ends = not after or after.isspace() or _UNSPACED.match(after) is not None
            return ends and _starts(text, end)  # "call panic! first"
        case "dots":
            return not after or after == "\n" or (after.isspace() and _starts(text, end))
        case _:
            return _dot_ends(text, hit.start(), end)


def _dot_ends(text: str, dot: int, end: int) -> bool:
    after = text[end : end + 1]
    before = _WORD_BEFORE.search(text, max(0, dot - 24), dot)
    word = before[0].casefold() if before else ""
    is_han_next = _UNSPACED.match(after) is not None
    is_name = _is_initials(before)
    never = (
        (after and not after.isspace() and not is_han_next)  # 3.5, note.md, example.org
        or word in _NEVER_LAST
        or (is_name and is_han_next)
        or (word in _NUMBERED and _next_word(text, end)[:1].isdigit())
        or (before and _NUMBERING.match(word) and _begins_line(text, before.start()))
    )
    if never:
        return False
    if is_name or word in _SELDOM_LAST:
        return _next_word(text, end).casefold() in {*_STARTERS, ""} and _starts(text, end)
    return _starts(text, end)


def _starts(text: str, at: int) -> bool:
    """Whether what follows may begin a sentence: anything but a small letter."""
    word = _next_word(text, at)
    return not word or not word[0].islower()


def _next_word(text: str, at: int) -> str:
    found = _WORD_AFTER.match(text, at)
    return found[1] if found else ""


def _begins_line(text: str, at: int) -> bool:
    before = text[max(0, at - 24) : at].rstrip(" \t(（")
    if before.endswith("."):
        word = _WORD_BEFORE.search(before[:-1])
        return word is None or word[0].casefold() not in {*_NEVER_LAST, *_NUMBERED}
    return not before or before[-1] in "\n\r。！？!?;；:："


def _is_initials(before: re.Match[str] | None) -> bool:
    """Whether the dot ends one capital letter, alone or after others: ``J.``, ``U.S.``."""
    return before is not None and re.fullmatch(r"(?:[A-Z]\.)*[A-Z]", before[0]) is not None


# Brackets and quotations -------------------------------------------------------------


class _Asides:
    """The stretches between matching brackets or quotes."""

    def __init__(self, pairs: list[tuple[int, int, bool]]) -> None:
        self._all = _outermost([(first, last) for first, last, _ in pairs])
        self._hard = _outermost([(first, last) for first, last, hard in pairs if hard])

    def holds(self, at: int) -> bool:
        """Whether a place lies inside a pair."""
        return _inside(self._all, at)

    def brackets(self, at: int) -> bool:
        """Whether it lies inside brackets, which no stop leaves."""
        return _inside(self._hard, at)


def _outermost(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for first, last in sorted(pairs):
        if not kept or last > kept[-1][1]:
            kept.append((first, last))
    return kept


def _inside(pairs: list[tuple[int, int]], at: int) -> bool:
    before = bisect_left(pairs, (at, 0)) - 1
    return before >= 0 and at < pairs[before][1]


def _asides(text: str) -> _Asides:
    pairs: list[tuple[int, int, bool]] = []
    opened: list[tuple[str, int]] = []
    for hit in _ASIDE_MARK.finditer(text):
        char, at = hit[0], hit.start()
        if char in _PAIRS:
            opened.append((char, at))
        elif char == "\n":
            opened.clear()
        elif opened:
            _close(char, at, opened, pairs)
    return _Asides(pairs)


def _close(
    char: str, at: int, opened: list[tuple[str, int]], pairs: list[tuple[int, int, bool]]
) -> None:
    for depth in range(len(opened) - 1, -1, -1):
        opening, begun = opened[depth]
        if _PAIRS[opening] == char:
            if at - begun <= _LONGEST_ASIDE:
                pairs.append((begun, at, opening in _BRACKETS))
            del opened[depth:]
            return


def _shortened(
    text: str, part: TextRange, limit: int, length: Callable[[TextRange], int]
) -> TextRange:
    """Cut a clause at the last word border within the limit, at a character if need be."""
    borders = [
        at
        for at in range(part.start + 1, part.end)
        if text[at].isspace() or _UNSPACED.match(text[at]) or _UNSPACED.match(text[at - 1])
    ]
    for at in reversed(borders):
        run = TextRange(part.start, at)
        if length(run) <= limit:
            return run
    end = part.start + 1
    while end < part.end and length(TextRange(part.start, end + 1)) <= limit:
        end += 1
    return TextRange(part.start, end)
