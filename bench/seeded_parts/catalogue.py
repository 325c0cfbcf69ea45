"""Every seeded part there is, in one fixed order."""

from bench.seeded_parts import holes, lookalikes, pockets, undecidable
from bench.seeded_parts.case import Case


def all_cases() -> list[Case]:
    """All cases in all their dimensions; names are unique."""
    rooms = (holes, pockets, undecidable, lookalikes)
    found = [case for room in rooms for case in room.cases()]
    if len({case.name for case in found}) != len(found):
        raise ValueError("two seeded parts share a name")
    return found
