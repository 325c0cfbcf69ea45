"""Where comrak's lines and byte columns lie in the text, in code points.

comrak has an option for columns in characters, but it counts a line anew for every node:
a note with ten thousand links in one line takes five seconds. So the columns stay bytes
and one table turns them into code points.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

_GOES_ON = -65  # the greatest byte, read with its sign, that begins no character


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
        self.lines: list[int] = [0, 0, *accumulate(map(len, raw.splitlines(keepends=True)))]
        if raw.endswith((b"\n", b"\r")) or not raw:
            self.lines.append(len(raw))
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
    points = np.empty(len(raw) + 1, np.int32)
    points[0] = begin
    points[1:] = np.frombuffer(raw, np.int8) > _GOES_ON
    np.add.accumulate(points, out=points)
    return memoryview(points.data)
