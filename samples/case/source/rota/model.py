"""Shifts, as they are planned."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shift:
    """One team at work, from one full hour to another."""

    team: str
    begins_h: int
    ends_h: int

    @property
    def hours(self):
        """How long it is; one that ends at midnight ends at 24."""
        return (self.ends_h or 24) - self.begins_h


def by_beginning(shifts):
    """Put shifts in the order in which they begin."""
    return sorted(shifts, key=lambda shift: (shift.begins_h, shift.team))
