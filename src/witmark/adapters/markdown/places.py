"""Where comrak's lines and byte columns lie in the text, in code points.

comrak has an option for columns in characters, but it counts a line anew for every node:
a note with ten thousand links in one line takes five seconds. So the columns stay bytes
and one table turns them into code points.
"""

import re
from collections.abc import Callable, Sequence

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
        point: The code point before the byte at a column; both count from 1. A place
            outside the body becomes its nearest end.
    """

    __slots__ = ("point",)

    def __init__(self, raw: bytes, length: int, begin: int) -> None:
        if b"\r" in raw:
            ends = [end.end() for end in _LINE_END.finditer(raw)]
        else:
            ends = (np.flatnonzero(np.frombuffer(raw, np.uint8) == _LF) + 1).tolist()
        lines = [0, 0, *ends, len(raw)]
        if len(raw) == length:
            self.point = _same(lines, len(raw), begin)
        else:
            self.point = _looked_up(lines, _points(raw, begin))


def _points(raw: bytes, begin: int) -> Sequence[int]:
    """The code point of every byte, one more for the end."""
    begins = (np.frombuffer(raw, np.uint8) & 0xC0) != 0x80
    points = np.empty(len(raw) + 1, np.int32)
    points[0] = 0
    np.cumsum(begins, out=points[1:])
    points += begin
    return memoryview(points.data)


def _same(lines: list[int], size: int, begin: int) -> Callable[[int, int], int]:
    def point(line: int, column: int) -> int:
        try:
            at = lines[line] + column - 1
        except IndexError:
            return begin + size
        return begin + at if 0 <= at <= size else begin + (size if at > 0 else 0)

    return point


def _looked_up(lines: list[int], points: Sequence[int]) -> Callable[[int, int], int]:
    def point(line: int, column: int) -> int:
        try:
            return points[lines[line] + column - 1]
        except IndexError:
            return points[-1]

    return point
