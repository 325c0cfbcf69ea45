"""Where comrak's lines and byte columns lie in the text, in code points.

comrak has an option for columns in characters, but it counts a line anew for every node:
a note with ten thousand links in one line takes five seconds. So the columns stay bytes
and one table turns them into code points.
"""

import re
from collections.abc import Sequence

import numpy as np

_LINE_END = re.compile(rb"\r\n?|\n")


class Places:
    """Turns (line, byte column) into code points of the text that was parsed.

    Attributes:
        lines: Byte offset of every line's start, and the length of the text at the end.
        points: Code point of every byte offset, or ``None`` when they are the same.
    """

    __slots__ = ("_last", "lines", "points")

    def __init__(self, text: str) -> None:
        raw = text.encode()
        self._last = len(raw)
        self.lines = [0, *(end.end() for end in _LINE_END.finditer(raw)), self._last]
        self.points: Sequence[int] | None = None
        if len(raw) != len(text):
            begins = (np.frombuffer(raw, np.uint8) & 0xC0) != 0x80
            points = np.zeros(self._last + 1, np.int32)
            np.cumsum(begins, out=points[1:])
            self.points = memoryview(points)  # type: ignore[assignment]  # ints, indexed fast

    def point(self, line: int, column: int) -> int:
        """The code point before the byte at a column, both counted from 1; never outside."""
        lines = self.lines
        at = lines[min(line, len(lines)) - 1] + column - 1 if line > 0 else 0
        at = min(max(at, 0), self._last)
        return at if self.points is None else self.points[at]
