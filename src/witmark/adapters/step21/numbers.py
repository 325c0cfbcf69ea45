"""Numbers that no geometry can mean: the kernel would work on them until it is stopped.

They are looked for in the bytes, since the kernel says nothing about them; what is merely far
away is measured after it has been read.
"""

import re
from collections.abc import Iterator

import numpy as np

from witmark.adapters.step21.errors import HugeCoordinatesError
from witmark.adapters.step21.exchange import Exchange, Record
from witmark.adapters.step21.values import Typed, Value, parse
from witmark.review.brep import IntArray

LARGEST_LENGTH_UNITS = 1e10
"""No length or coordinate is as large as this, in whatever unit the file has."""
LARGEST_RATIO = 1e100
"""No direction, weight or knot is as large as this: its square would not be a number."""

_LENGTHS = {
    "CARTESIAN_POINT", "CIRCLE", "CONICAL_SURFACE", "CYLINDRICAL_SURFACE", "ELLIPSE",
    "HYPERBOLA", "OFFSET_CURVE_3D", "OFFSET_SURFACE", "PARABOLA", "SPHERICAL_SURFACE",
    "TOROIDAL_SURFACE", "DEGENERATE_TOROIDAL_SURFACE",
}  # fmt: skip
_RATIOS = {
    "", "B_SPLINE_CURVE_WITH_KNOTS", "B_SPLINE_SURFACE_WITH_KNOTS", "DIRECTION",
    "TRIMMED_CURVE", "VECTOR",
}  # fmt: skip
_NOT_A_NUMBER = re.compile(rb"[(,][\s+-]*(?:\d\.\#|[Nn][Aa][Nn]\b|[Ii][Nn][Ff])")
_BEFORE_A_NUMBER = np.frombuffer(b"(,+- \t\r\n/", dtype=np.uint8)
_BIG_EXPONENT = re.compile(rb"[Ee]\+?0*[1-9]\d")


def refuse_huge_numbers(exchange: Exchange) -> None:
    """No number of a shape may be infinite, or larger than any shape.

    Raises:
        HugeCoordinatesError: with the line of the record.
    """
    for index in _suspects(exchange):
        record = exchange.record(index)
        if worst := _beyond(record):
            why = f"{record.keyword or 'this record'} holds {worst}, which no shape can have"
            raise HugeCoordinatesError(exchange.source, why, line=record.line)


def _suspects(exchange: Exchange) -> list[int]:
    """Records of shape that hold what looks like a number beyond the limits, in order."""
    data, lowered = exchange.data, exchange.data.lower()
    patterns = [_BIG_EXPONENT]
    if any(word in lowered for word in (b"nan", b"inf", b".#")):
        patterns.append(_NOT_A_NUMBER)
    hits = [found.start() for pattern in patterns for found in pattern.finditer(data)]
    at = np.concatenate([np.array(hits, dtype=np.int64), _long_integers(data)])
    rows = np.unique(np.searchsorted(exchange.begins, at, side="right") - 1)
    rows = rows[rows >= 0]
    wanted = [i for i, k in enumerate(exchange.keywords) if k in _LENGTHS | _RATIOS]
    found = rows[np.isin(exchange.kinds[rows], wanted)]
    return [int(i) for i in found]


def _long_integers(data: bytes) -> IntArray:
    """Where a number has so many digits before its point that it may be too large."""
    codes = np.frombuffer(data, dtype=np.uint8)
    digit = (codes - 48) < 10  # wraps below '0'
    run = digit[:-1] & digit[1:]
    run = run[:-2] & run[2:]
    run = run[:-4] & run[4:]
    run = run[:-3] & run[3:]  # 11 digits in a row
    starts = np.flatnonzero(run)
    return starts[np.isin(codes[starts - 1], _BEFORE_A_NUMBER)]


def _beyond(record: Record) -> str:
    """The first number beyond its limit, as text; '' when all are sound."""
    most = LARGEST_LENGTH_UNITS if record.keyword in _LENGTHS else LARGEST_RATIO
    too_large = (f"{v:.3g}" for v in _floats(parse(record.text)) if not abs(v) < most)
    return next(too_large, "") or _word_for_number(record)


def _word_for_number(record: Record) -> str:
    """A word such as NAN among the coordinates of a point; '' when there is none."""
    if record.keyword not in {"CARTESIAN_POINT", "DIRECTION"}:
        return ""
    coordinates = record.text[max(record.text.rfind(b"("), 0) :]
    return "something that is no number" if _NOT_A_NUMBER.search(coordinates) else ""


def _floats(values: tuple[Value, ...]) -> Iterator[float]:
    for value in values:
        if isinstance(value, float):
            yield value
        elif isinstance(value, Typed):
            yield from _floats(value.values)
        elif isinstance(value, tuple):
            yield from _floats(value)
