"""Which drill diameters a shop has in the drawer.

The metric list stands in RULES.md section 7 (grade b, after ISO 235). It is used whatever the
file's unit is. Above its end holes are bored, not drilled, and no list applies.
"""

import math

_FIRST_MM = 0.2  # the least size of ISO 235
LAST_MM = 50.0

_STEPS = ((3.0, 0.05), (14.0, 0.1), (32.0, 0.25), (50.0, 0.5))  # up to, in steps of (mm)
_SLACK_MM = 1e-6  # the tolerance facts are rounded by


def off_list_mm(d_mm: float) -> float | None:
    """Distance of a diameter from the nearest drill, or ``None`` above the list's end.

    >>> round(off_list_mm(4.97), 6), off_list_mm(6.8), off_list_mm(62)
    (0.03, 0.0, None)
    """
    if d_mm > LAST_MM + _SLACK_MM:
        return None
    if d_mm < _FIRST_MM:
        return _FIRST_MM - d_mm
    return min(abs(d_mm - size) for size in _around(d_mm))


def _around(d_mm: float) -> list[float]:
    """The drills next to a diameter, below and above, from every range they may stand in."""
    sizes: list[float] = []
    low = 0.0
    for high, step in _STEPS:
        counts = (math.floor(d_mm / step + _SLACK_MM), math.ceil(d_mm / step - _SLACK_MM))
        sizes += [round(min(max(count * step, low), high), 2) for count in counts]
        low = high
    return [size for size in sizes if size >= _FIRST_MM]
