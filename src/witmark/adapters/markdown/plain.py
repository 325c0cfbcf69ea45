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

_RUN = tuple.__new__  # of the class named first; a third of the time of calling it


class PlainBuilder:
    """Collects the text of one block."""

    __slots__ = (
        "_break",
        "_divided",
        "_dropped",
        "_due",
        "_length",
        "_pieces",
        "_runs",
        "_source",
    )

    def __init__(self, source: str) -> None:
        self._source = source
        self._pieces: list[str] = []  # none is empty
        self._runs: list[Run] = []
        self._length = 0
        self._break = self._divided = self._dropped = False
        self._due = False  # one of the three

    def copy(self, start: int, end: int) -> None:
        """Copy a stretch of the source."""
        if self._due:
            start = self._settle(start, end)
        if start < end:
            length = end - start
            self._runs.append(_RUN(Run, (self._length, start, length)))
            self._pieces.append(self._source[start:end])
            self._length += length

    def add(self, text: str) -> None:
        """Add text of our own, which has no place."""
        if not text:
            return
        if self._due:
            self._space(text[0])
        self._pieces.append(text)
        self._length += len(text)

    def take(self, pieces: Iterable[Piece]) -> None:
        """Add pieces of either kind; a line feed breaks the line, an empty one drops."""
        for piece in pieces:
            if isinstance(piece, tuple):
                self.copy(*piece)
            elif piece == "\n":
                self.break_line()
            elif piece:
                self.add(piece)
            else:
                self.drop()

    def break_line(self) -> None:
        """End a line of the source: one blank, or nothing between two CJK characters."""
        self._break = self._due = True

    def divide(self) -> None:
        """A table cell begins: a bar, as soon as something stands on both sides of it."""
        self._divided = self._due = True

    def drop(self) -> None:
        """Something between two pieces is not shown; blanks on both sides become one."""
        self._dropped = self._due = True

    @property
    def at_line_start(self) -> bool:
        """Whether nothing stands in this line yet."""
        return self._break or not self._length

    @property
    def length(self) -> int:
        """Characters so far."""
        return self._length

    @property
    def last(self) -> str:
        """The last character, if there is one."""
        return self._pieces[-1][-1] if self._pieces else ""

    def tail(self, start: int) -> str:
        """The text from a character on; costs what it is long, not what all is."""
        missing = self._length - start
        if missing > 0 and len(self._pieces[-1]) >= missing:
            return self._pieces[-1][-missing:]
        pieces: list[str] = []
        for piece in reversed(self._pieces):
            if missing <= 0:
                break
            pieces.append(piece[-missing:])
            missing -= len(piece)
        return "".join(reversed(pieces))

    def cut_tail(self, length: int) -> None:
        """Keep only the first ``length`` characters."""
        text = "".join(self._pieces)[:length]
        self._pieces, self._length = [text] if text else [], len(text)
        self._runs = [
            run
            if run.plain_start + run.length <= length
            else Run(run.plain_start, run.source_start, length - run.plain_start)
            for run in self._runs
            if run.plain_start < length
        ]

    def finish(self) -> PlainText:
        """The text without blanks at its end."""
        pieces = self._pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        if text and text[-1].isspace():
            text = text.rstrip()
            self.cut_tail(len(text))
        return PlainText(text, tuple(self._runs))

    def _settle(self, start: int, end: int) -> int:
        """Put what is due before a stretch that is copied; where that now starts."""
        source, pieces = self._source, self._pieces
        if self._break or self._divided or not pieces or pieces[-1][-1].isspace():
            while start < end and source[start] in " \t":
                start += 1
        if start < end:
            self._space(source[start])
        return start

    def _space(self, after: str) -> None:
        """The bar or the blank that is due before a character."""
        divided, broken = self._divided, self._break
        self._divided = self._break = self._dropped = self._due = False
        if not self._pieces:
            return
        last = self._pieces[-1][-1]
        if divided:
            self.add(" | ")
        elif broken and not (last.isspace() or _closed_up(last, after)):
            self.add(" ")


def _closed_up(before: str, after: str) -> bool:
    return _CJK.match(before) is not None and _CJK.match(after) is not None
