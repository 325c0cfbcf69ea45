"""Where comrak's lines and byte columns lie in the text, in code points.

comrak has an option for columns in characters, but it counts a line anew for every node:
a note with ten thousand links in one line takes five seconds. So the columns stay bytes
and one table turns them into code points.
"""

import re
from collections.abc import Sequence

import numpy as np

_LINE_END = re.compile(rb"\r\n?|\n")
_LF = 10


class Places:
    """Turns (line, byte column) of a body into code points of the whole text.

    Args:
        raw: The body as comrak saw it.
        length: Its code points.
        begin: Code points before it.

    Attributes:
        lines: Byte offset of every line's start; lines count from 1.
        points: Code point of every byte, and one more for the end.
    """

    __slots__ = ("lines", "points")

    def __init__(self, raw: bytes, length: int, begin: int) -> None:
        if b"\r" in raw:
            ends = [end.end() for end in _LINE_END.finditer(raw)]
        else:
            ends = (np.flatnonzero(np.frombuffer(raw, np.uint8) == _LF) + 1).tolist()
        self.lines: list[int] = [0, 0, *ends, len(raw)]
        self.points: Sequence[int] = range(begin, begin + len(raw) + 1)
        if len(raw) != length:
            self.points = _points(raw, begin)

    def point(self, line: int, column: int) -> int:
        """The code point before the byte at a column; both count from 1.

        Comrak may count past the end of a text; that is its end.
        """
        try:
            return self.points[self.lines[line] + column - 1]
        except IndexError:
            return self.points[-1]


def _points(raw: bytes, begin: int) -> Sequence[int]:
    begins = (np.frombuffer(raw, np.uint8) & 0xC0) != 0x80
    points = np.empty(len(raw) + 1, np.int32)
    points[0] = 0
    np.cumsum(begins, out=points[1:])
    points += begin
    return memoryview(points.data)
