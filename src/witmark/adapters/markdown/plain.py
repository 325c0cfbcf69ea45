"""What a reader sees, put together piece by piece, each piece with its place.

A piece is either copied from the source (then it has a run) or ours: the blank for a line
break, a resolved entity, the bar between table cells.
"""

import re
from collections.abc import Iterable

from witmark.adapters.markdown.spelled import Piece
from witmark.answers.notes import PlainText, Run

_CJK = re.compile(
    "[\u2e80-\u3040\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60"
    "\U00020000-\U0003ffff]"
)
"""Han, kana and full-width signs: written without blanks, so a line break is none either."""


class PlainBuilder:
    """Collects the text of one block."""

    __slots__ = ("_break", "_dropped", "_length", "_pieces", "_runs", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._runs: list[tuple[int, int, int]] = []  # plain start, source start, length
        self._length = 0
        self._break = False
        self._dropped = False

    def copy(self, start: int, end: int) -> None:
        """Copy a stretch of the source."""
        if self._break or self._dropped:
            start = self._settle(start, end)
        if start < end:
            self._runs.append((self._length, start, end - start))
            self._pieces.append(self._source[start:end])
            self._length += end - start

    def add(self, text: str) -> None:
        """Add text of our own, which has no place."""
        if self._break and text:
            self._blank(text[0])
        self._dropped = False
        self._pieces.append(text)
        self._length += len(text)

    def take(self, pieces: Iterable[Piece]) -> None:
        """Add pieces of either kind; a line feed among them breaks the line."""
        for piece in pieces:
            if isinstance(piece, tuple):
                self.copy(*piece)
            elif piece == "\n":
                self.break_line()
            else:
                self.add(piece)

    def break_line(self) -> None:
        """End a line of the source: one blank, or nothing between two CJK characters."""
        self._break = True

    def drop(self) -> None:
        """Something between two pieces is not shown; blanks on both sides become one."""
        self._dropped = True

    @property
    def at_line_start(self) -> bool:
        """Whether nothing stands in this line yet."""
        return self._break or not self._length

    @property
    def length(self) -> int:
        """Characters so far."""
        return self._length

    @property
    def text(self) -> str:
        """All so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def cut_tail(self, length: int) -> None:
        """Keep only the first ``length`` characters."""
        self._pieces = [self.text[:length]]
        self._length = min(self._length, length)
        self._runs = [(a, b, min(c, length - a)) for a, b, c in self._runs if a < length]

    def finish(self) -> PlainText:
        """The text without blanks at its end; the builder is done with."""
        text = self.text
        kept = text.rstrip()
        if len(kept) != len(text):
            self.cut_tail(len(kept))
        return PlainText(kept, _merged(self._runs))

    def _settle(self, start: int, end: int) -> int:
        source = self._source
        if self._break or not self._length or self.text[-1].isspace():
            while start < end and source[start] in " \t":
                start += 1
        if start < end:
            if self._break:
                self._blank(source[start])
            self._dropped = False
        return start

    def _blank(self, after: str) -> None:
        self._break = False
        text = self.text
        if not text or text[-1].isspace() or (_CJK.match(text[-1]) and _CJK.match(after)):
            return
        self._pieces.append(" ")
        self._length += 1


def _merged(runs: list[tuple[int, int, int]]) -> tuple[Run, ...]:
    """The runs, those that go on where the last one ended joined to it."""
    if len(runs) == 1:
        return (Run(*runs[0]),)
    merged: list[Run] = []
    plain = source = length = -1
    for run in runs:
        if plain + length == run[0] and source + length == run[1] and length >= 0:
            length += run[2]
            continue
        if length >= 0:
            merged.append(Run(plain, source, length))
        plain, source, length = run
    if length >= 0:
        merged.append(Run(plain, source, length))
    return tuple(merged)
