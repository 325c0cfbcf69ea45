"""Where in a note's present text a matched span stands: by offset, by fragment, by search.

In that order, and a place is given only when it is surely the one: a fragment that occurs
twice without anything to tell the two apart is not marked at all.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from witmark.answers.atoms import DocumentId, EvidenceSpan, SpanId
from witmark.answers.claims import MARK, words_of
from witmark.answers.normalising import normal_text, normalise
from witmark.answers.places import Relocation, relocate
from witmark.kernel.canon import digest_of
from witmark.kernel.evidence import TextSpan

SHORTEST_TERM, LONGEST_TERM = 8, 240
"""Characters of a snippet that may be searched for."""

SHORTEST_FRAGMENT = 4
"""Letters of a snippet without offset or line that may be looked for word by word."""

_BLOCK_END = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)+")
_LINE_END = re.compile(r"\r\n?|\n")
_PIECE_END = re.compile(r"[。！？!?；;：:\n]|\.\s|，|,\s|…")


class InlineStrategy(StrEnum):
    """How the marked characters were found (``inlineHighlightStrategy``)."""

    SOURCE_OFFSET_PROVENANCE = "source_offset_provenance"
    SOURCE_FRAGMENT_PROVENANCE = "source_fragment_provenance"
    TEXT_SEARCH = "text_search"
    NONE = "none"


class Drift(StrEnum):
    """What became of a span since it was cut."""

    CURRENT = "current"
    MOVED = "moved"
    CHANGED_SINCE = "changed_since"


class Miss(StrEnum):
    """Why a span is not marked."""

    NONE = "none"
    AMBIGUOUS = "ambiguous"  # it occurs more than once, and nothing tells which
    TOO_NARROW = "too_narrow"  # too short to be searched for
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class MatchedSpan:
    """A place as a payload tells it; an old one may lack everything but the snippet.

    Attributes:
        source_path: Its note, or empty.
        snippet: What was quoted there.
        start: Offset in code points, or ``None``.
        start_line: From 1, or 0 when unknown.
        end_line: From 1, or 0 when unknown.
        source_hash: Of the bytes it was cut from, or empty.
        prefix: What stood before it, or empty.
        suffix: What stood after it, or empty.
    """

    source_path: str
    snippet: str
    start: int | None
    start_line: int
    end_line: int
    source_hash: str
    prefix: str
    suffix: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A matched span in the present text; ``start`` equals ``end`` where nothing is marked.

    ``near`` is a range to show without a mark: the place whose text has changed.
    """

    start: int
    end: int
    strategy: InlineStrategy
    drift: Drift
    miss: Miss = Miss.NONE
    near: tuple[int, int] | None = None

    @property
    def is_marked(self) -> bool:
        """Whether there is something to highlight."""
        return self.start < self.end


def mark(span: MatchedSpan, text: str) -> Mark:
    """Find a span in the present text of its note."""
    if not span.snippet:
        return _unmarked(Miss.NOT_FOUND)
    if span.start is not None and (found := _by_offset(span, span.start, text)) is not None:
        return found
    return _by_fragment(span, text) or _by_search(span, text)


def _unmarked(miss: Miss, near: tuple[int, int] | None = None) -> Mark:
    return Mark(0, 0, InlineStrategy.NONE, Drift.CHANGED_SINCE, miss, near)


def _by_offset(span: MatchedSpan, start: int, text: str) -> Mark | None:
    end = start + len(span.snippet)
    same_source = span.source_hash != "" and span.source_hash == digest_of(text.encode())
    if same_source and text[start:end] == span.snippet:
        return Mark(start, end, InlineStrategy.SOURCE_OFFSET_PROVENANCE, Drift.CURRENT)
    if start < 0 or same_source:  # offsets that never fitted this source tell nothing
        return None
    found = relocate(_as_evidence(span, start), text)
    match found.kind:
        case Relocation.EXACT:
            how = InlineStrategy.SOURCE_OFFSET_PROVENANCE
            return Mark(found.start, found.end, how, Drift.CURRENT)
        case Relocation.MOVED:
            how = InlineStrategy.SOURCE_FRAGMENT_PROVENANCE
            return Mark(found.start, found.end, how, Drift.MOVED)
        case Relocation.CHANGED:
            return _unmarked(Miss.NOT_FOUND, (found.start, found.end))
        case _:
            many = text.count(span.snippet)
            lost = _unmarked(Miss.AMBIGUOUS if many > 1 else Miss.NOT_FOUND)
            return lost if many else None  # one that reads so and does not fit is not it


def _as_evidence(span: MatchedSpan, start: int) -> EvidenceSpan:
    """The span as ``relocate`` wants it: range, quote and surroundings; the rest is unused."""
    end = start + len(span.snippet)
    return EvidenceSpan(
        id=SpanId(f"{span.source_path}@{start}-{end}"),
        document_id=DocumentId(span.source_path),
        source_path=span.source_path,
        language="und",
        span=TextSpan(start, end, span.snippet),
        start_byte=0,
        end_byte=0,
        start_line=span.start_line,
        start_column=1,
        end_line=span.end_line,
        end_column=1,
        prefix=span.prefix,
        suffix=span.suffix,
        source_hash=digest_of(b""),
    )


def _by_fragment(span: MatchedSpan, text: str) -> Mark | None:
    """The verbatim snippet: where it stands once, or once on the line it is said to be on."""
    places = [hit.start() for hit in re.finditer(f"(?={re.escape(span.snippet)})", text)]
    if len(places) > 1 and span.start_line:
        places = [at for at in places if line_of(text, at) == span.start_line] or places
    if len(places) > 1 and (span.prefix or span.suffix):
        places = [at for at in places if _fits(span, text, at)] or places
    if len(places) > 1:
        return _unmarked(Miss.AMBIGUOUS)
    if not places:
        return None
    if len(_letters(span.snippet)) < SHORTEST_FRAGMENT and not span.start_line:
        return _unmarked(Miss.TOO_NARROW)
    start = places[0]
    moved = bool(span.start_line) and line_of(text, start) != span.start_line
    drift = Drift.MOVED if moved else Drift.CURRENT
    how = InlineStrategy.SOURCE_FRAGMENT_PROVENANCE
    return Mark(start, start + len(span.snippet), how, drift)


def _fits(span: MatchedSpan, text: str, at: int) -> bool:
    end = at + len(span.snippet)
    return text[:at].endswith(span.prefix) and text[end:].startswith(span.suffix)


def _by_search(span: MatchedSpan, text: str) -> Mark:
    """The snippet as a reader sees it: only its letters count, markup and blanks aside."""
    terms = search_terms(span.snippet)
    if not terms:
        return _unmarked(Miss.TOO_NARROW)
    said, places = _lettered(text)
    ambiguous = False
    for term in terms:
        wanted = _letters(term)
        at = said.find(wanted)
        if at >= 0 and said.find(wanted, at + 1) < 0:
            start, end = places[at][0], places[at + len(wanted) - 1][1]
            return Mark(start, end, InlineStrategy.TEXT_SEARCH, Drift.CURRENT)
        ambiguous = ambiguous or at >= 0
    return _unmarked(Miss.AMBIGUOUS if ambiguous else Miss.NOT_FOUND)


def search_terms(snippet: str) -> tuple[str, ...]:
    """The snippet and its longest pieces, each of 8 to 240 characters, longest first.

    >>> search_terms("水杯是用来盛水的透明容器，多由钠钙玻璃制成。")[1:]
    ('水杯是用来盛水的透明容器', '多由钠钙玻璃制成')
    """
    pieces = sorted((p.strip() for p in _PIECE_END.split(snippet)), key=lambda p: (-len(p), p))
    whole = snippet.strip()[:LONGEST_TERM]
    cut = (piece[:LONGEST_TERM] for piece in (whole, *pieces))
    return tuple(dict.fromkeys(one for one in cut if len(_letters(one)) >= SHORTEST_TERM))


def _lettered(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The letters of a text in the central spelling, each with the range it came from."""
    unmarked = MARK.sub(lambda hit: " " * len(hit[0]), text)
    normal = normalise(unmarked)
    kept = [
        (char, at)
        for char, at in zip(normal.text, normal.origin, strict=True)
        if char.isalnum()
    ]
    return "".join(char for char, _ in kept), [at for _, at in kept]


def _letters(term: str) -> str:
    return "".join(filter(str.isalnum, normal_text(MARK.sub(" ", term))))


# Lines and blocks --------------------------------------------------------------------


def line_of(text: str, offset: int) -> int:
    """The line of a code point, from 1."""
    return 1 + sum(1 for _ in _LINE_END.finditer(text, 0, offset))


def line_range(text: str, first: int, last: int) -> tuple[int, int] | None:
    """The range of some lines, counted from 1; ``None`` when nothing stands there."""
    starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
    if not 1 <= first <= len(starts):
        return None
    last = min(max(first, last), len(starts))
    start, end = starts[first - 1], starts[last] if last < len(starts) else len(text)
    return (start, end) if start < end else None


def blocks_of(text: str) -> tuple[tuple[int, int], ...]:
    """The ranges between blank lines."""
    found = []
    start = 0
    for gap in _BLOCK_END.finditer(text):
        if text[start : gap.start()].strip():
            found.append((start, gap.start()))
        start = gap.end()
    if text[start:].strip():
        found.append((start, len(text)))
    return tuple(found)


def closest_block(snippet: str, text: str) -> tuple[int, int] | None:
    """The block that holds most of a snippet's words, a big one less than a small one.

    At least half of the words must stand there, and no other block may do as well.
    """
    wanted = words_of(snippet[:LONGEST_TERM])
    if len(_letters(snippet)) < SHORTEST_TERM or not wanted:
        return None
    scored = []
    for start, end in blocks_of(text):
        held = words_of(text[start:end])
        shared = len(wanted & held)
        if shared * 2 >= len(wanted):
            scored.append((shared / len(wanted) - len(held) / 10_000, start, end))
    scored.sort(reverse=True)
    if not scored or (len(scored) > 1 and scored[0][0] == scored[1][0]):
        return None
    return scored[0][1], scored[0][2]
