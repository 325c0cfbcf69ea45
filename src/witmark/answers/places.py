"""A note's source, and any place in it, exact in every way of counting; found again later.

A span is cut from the decoded text and carries all it takes to find it: offsets first, the
quote and what stood around it second. After an edit it is found again or said to be gone;
it never points at the wrong place.
"""

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from io import StringIO
from itertools import accumulate

from witmark.answers.atoms import Document, DocumentId, EvidenceSpan, SpanId
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import UnreadableSourceError
from witmark.kernel.evidence import TextSpan

CONTEXT = 32
"""Code points kept before and after a span."""

TELLING = 16
"""Code points, of quote and surroundings together, that do not agree by chance."""

_STEP = 1024
_MOST_PLACES = 1000  # of one quote; more often than that it says nothing


def decoded(path: str, raw: bytes) -> str:
    """The text whose code points every offset counts: the bytes as UTF-8, nothing else.

    Raises:
        UnreadableSourceError: the bytes are not UTF-8.
    """
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        because = f"it is not UTF-8 (byte {error.start})"
        raise UnreadableSourceError(path, because, hint="save it as UTF-8") from error


class SourceText:
    """One note's bytes and text, with tables that are made when they are first needed.

    Raises:
        UnreadableSourceError: the bytes are not UTF-8.
    """

    def __init__(
        self, path: str, raw: bytes, language: str, known: Document | None = None
    ) -> None:
        self.text = known.text if known else decoded(path, raw)
        self.path = path
        self.language = language
        self.source_hash = known.source_hash if known else digest_of(raw)
        self._size = len(raw)

    @classmethod
    def of(cls, document: Document) -> "SourceText":
        """A note as a library keeps it, under the hash of the bytes it was read from."""
        return cls(document.id, document.text.encode(), document.language, document)

    def span(self, start: int, end: int, language: str | None = None) -> EvidenceSpan:
        """Cut the span [start, end), in code points; in another language than the note if so.

        Raises:
            SpanError: it is empty, or reaches past the end of the text.
        """
        text = self.text
        quote = TextSpan(start, end, text[start:end])
        start_line, start_column = self.line_column(start)
        end_line, last_column = self.line_column(end - 1)
        return EvidenceSpan(
            id=SpanId(f"{self.path}@{start}-{end}"),
            document_id=DocumentId(self.path),
            source_path=self.path,
            language=self.language if language is None else language,
            span=quote,
            start_byte=self.byte(start),
            end_byte=self.byte(end),
            start_line=start_line,
            start_column=start_column,
            end_line=end_line,
            end_column=last_column + 1,
            prefix=text[max(0, start - CONTEXT) : start],
            suffix=text[end : end + CONTEXT],
            source_hash=self.source_hash,
        )

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a code point, both from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def byte(self, offset: int) -> int:
        """The number of bytes before a code point."""
        if self._size == len(self.text):
            return offset
        step = offset // _STEP
        return self._bytes[step] + len(self.text[step * _STEP : offset].encode())

    @cached_property
    def _lines(self) -> list[int]:
        # ``StringIO`` reads lines as editors do: only \r\n, \r and \n end one.
        lines = list(accumulate(map(len, StringIO(self.text, newline="")), initial=0))
        return lines if self.text.endswith(("\n", "\r")) or not self.text else lines[:-1]

    @cached_property
    def _bytes(self) -> list[int]:
        """Bytes before every ``_STEP``-th code point."""
        table = [0]
        for start in range(0, len(self.text), _STEP):
            table.append(table[-1] + len(self.text[start : start + _STEP].encode()))
        return table


class Relocation(StrEnum):
    """What became of a span after its note was edited."""

    EXACT = "exact"  # the same text at the same place
    MOVED = "moved"  # the same text elsewhere
    CHANGED = "changed"  # other text between the same neighbours
    GONE = "gone"  # not to be found, or not to be told from another place


@dataclass(frozen=True, slots=True)
class Relocated:
    """Where a span is now. ``start`` and ``end`` mean nothing for what is gone: both are 0."""

    kind: Relocation
    start: int
    end: int


_GONE = Relocated(Relocation.GONE, 0, 0)


def relocate(span: EvidenceSpan, new_text: str) -> Relocated:
    """Find a span again in another version of its note.

    The offset counts first, then the quote, then its surroundings. Of several places that
    read the same the one whose surroundings agree best wins, and if two agree equally well
    the span is gone: which one was meant nobody can tell.
    """
    start, end = span.span.start, span.span.end
    at_home = span.span.covers(new_text)
    if at_home and _agreement(span, new_text, start) == len(span.prefix) + len(span.suffix):
        return Relocated(Relocation.EXACT, start, end)
    places = _occurrences(span.span.quote, new_text)
    if places:
        return _best(places, span, new_text)
    return _between_neighbours(span, new_text)


def _at(place: int, span: EvidenceSpan) -> Relocated:
    kind = Relocation.EXACT if place == span.span.start else Relocation.MOVED
    return Relocated(kind, place, place + len(span.span.quote))


def _is_telling(span: EvidenceSpan, agreement: int) -> bool:
    """Whether so much text that reads the same is surely the text that was meant."""
    return len(span.span.quote) + agreement >= TELLING


def _best(places: list[int], span: EvidenceSpan, text: str) -> Relocated:
    ranked = sorted(((_agreement(span, text, place), place) for place in places), reverse=True)
    best, place = ranked[0]
    unsure = len(ranked) > 1 and ranked[1][0] == best
    return _GONE if unsure or not _is_telling(span, best) else _at(place, span)


def _occurrences(quote: str, text: str) -> list[int]:
    places: list[int] = []
    at = text.find(quote)
    while at >= 0 and len(places) < _MOST_PLACES:
        places.append(at)
        at = text.find(quote, at + 1)
    return places if len(places) < _MOST_PLACES else []


def _agreement(span: EvidenceSpan, text: str, place: int) -> int:
    """How many code points next to a place, on both sides, read as they did."""
    end = place + len(span.span.quote)
    before, after = text[max(0, place - CONTEXT) : place], text[end : end + CONTEXT]
    return _common(span.prefix[::-1], before[::-1]) + _common(span.suffix, after)


def _common(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _between_neighbours(span: EvidenceSpan, text: str) -> Relocated:
    """The text between what stood before and after, if both are there once and near."""
    prefix, suffix = span.prefix, span.suffix
    if min(len(prefix.strip()), len(suffix.strip())) < 8 or text.count(prefix) != 1:
        return _GONE
    start = text.index(prefix) + len(prefix)
    if text.count(suffix) != 1 or (end := text.index(suffix)) <= start:
        return _GONE
    if end - start > 2 * len(span.span.quote) + 200:
        return _GONE
    return Relocated(Relocation.CHANGED, start, end)
