"""Who hands over to whom."""

from rota.model import by_beginning


def next_shift(shifts, index):
    """The shift that follows, or none after the last one."""
    following = shifts[index + 1]
    return following if following.begins_h >= shifts[index].begins_h else None


def handovers(shifts):
    """Each shift with the one that follows it."""
    ordered = by_beginning(shifts)
    return [(shift, next_shift(ordered, index)) for index, shift in enumerate(ordered)]
