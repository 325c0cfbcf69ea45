"""What is known of some places, with handles in place of raw ids.

``P1`` is a place and ``F1`` a measured value; they mean something inside one request only.
A name comes from a file and is shown as a quoted string, or not at all if it is not neutral.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from witmark.review.neutrality import spoken_name
from witmark.review.units import BrepFact, FactValue, LocalSemanticUnit
from witmark.review.vocabulary import FACTS, PLACES
from witmark.review.wording import number, shown_name

PLACES_PER_SHEET = 4
FACTS_PER_SHEET = 40
"""So that a sheet fits a small model's window; what does not fit is counted on the sheet."""

THE_COMPONENT = "the component"


@dataclass(frozen=True, slots=True)
class Spot:
    """One place on a sheet: its handle, and those of its facts that have a value."""

    handle: str
    unit: LocalSemanticUnit
    facts: tuple[tuple[str, BrepFact], ...]
    unlisted: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """Some places of one component instance."""

    component_id: str
    name: str  # as a sentence may say it
    spots: tuple[Spot, ...]

    @property
    def facts(self) -> dict[str, BrepFact]:
        """Every listed fact by its handle."""
        return {handle: fact for spot in self.spots for handle, fact in spot.facts}

    def spot(self, handle: str) -> Spot | None:
        """The place of this handle."""
        return next((spot for spot in self.spots if spot.handle == handle), None)


def sheets_of(units: Sequence[LocalSemanticUnit]) -> tuple[Sheet, ...]:
    """The units of each component instance, a few places to a sheet, in their order."""
    by_component: dict[str, list[LocalSemanticUnit]] = {}
    for unit in units:
        by_component.setdefault(unit.component_id, []).append(unit)
    return tuple(
        sheet_of(mine[at : at + PLACES_PER_SHEET])
        for mine in by_component.values()
        for at in range(0, len(mine), PLACES_PER_SHEET)
    )


def sheet_of(units: Sequence[LocalSemanticUnit], more: Iterable[BrepFact] = ()) -> Sheet:
    """One sheet about some units of one instance; ``more`` facts belong to the first."""
    extra, count = tuple(more), 0
    spots = []
    for at, unit in enumerate(units, start=1):
        known = {f.name: f for f in unit.fact_bundle.brep_facts if f.value is not None}
        for fact in extra if at == 1 else ():
            if fact.value is not None:
                known.setdefault(fact.name, fact)
        room = max(0, FACTS_PER_SHEET - count)
        listed = tuple(
            (f"F{count + k}", fact) for k, fact in enumerate([*known.values()][:room], start=1)
        )
        count += len(listed)
        spots.append(Spot(f"P{at}", unit, listed, len(known) - len(listed)))
    return Sheet(units[0].component_id, spoken(units[0]), tuple(spots))


def spoken(unit: LocalSemanticUnit) -> str:
    """What the unit's component is called, as far as that is neutral."""
    return spoken_name(real_name(unit), THE_COMPONENT)


def real_name(unit: LocalSemanticUnit) -> str:
    """What people are told the unit's component is called."""
    anchor = unit.anchor
    return shown_name(anchor.solidworks_name, anchor.component_file_name, unit.component_id)


def quoted(name: str) -> str:
    """A name from a file as a string: it is data, whatever it says."""
    return json.dumps(name, ensure_ascii=False)


def text_of(sheet: Sheet) -> str:
    """The sheet as a model reads it."""
    return "\n".join(line for spot in sheet.spots for line in _lines(spot))


def _lines(spot: Spot) -> list[str]:
    word = PLACES[spot.unit.anchor.kind]
    lines = [
        f"Place {spot.handle}: {word.en} ({word.zh})",
        f"  stated: {quoted(spot.unit.retrieval_sentence)}",
        *(f"  {handle} {fact_line(fact)}" for handle, fact in spot.facts),
    ]
    unknown = [m.fact for m in spot.unit.fact_bundle.missing_facts]
    if unknown:
        lines.append(f"  not known: {', '.join(dict.fromkeys(unknown))}")
    if spot.unlisted:
        lines.append(f"  {spot.unlisted} more facts are not listed")
    return lines


def fact_line(fact: BrepFact) -> str:
    """One fact with its meaning and its value."""
    return f"{fact.name} ({FACTS[fact.name].en}) = {value_of(fact.value, fact.unit)}"


def value_of(value: FactValue, unit: str) -> str:
    """A value as it stands on a sheet."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value, {"mm": "mm", "deg": "deg"}.get(unit, ""))
