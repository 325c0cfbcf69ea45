"""Who hands over to whom."""

from rota.model import by_beginning


def next_shift(shifts, index):
    """The shift that follows, or none after the last one."""
    if index + 1 == len(shifts):
        return None
    return shifts[index + 1]


def handovers(shifts):
    """Each shift with the one that follows it."""
    ordered = by_beginning(shifts)
    return [(shift, next_shift(ordered, index)) for index, shift in enumerate(ordered)]
