"""What stands around one judged place: its local subgraph, and counts from the whole graph.

A judge compares a place with a rule, and some rules speak of what lies beside the place. Places
and components are said in words and quoted names; no raw id is shown. Every list is bounded and
says how much it leaves out.

Source: contract 000, section 1 (11) and section 5, "Final judgement".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from witmark.review.asking.interfaces import names_of
from witmark.review.asking.sheets import quoted
from witmark.review.facts import FactsBlob
from witmark.review.neutrality import spoken_name
from witmark.review.units import LocalSemanticUnit
from witmark.review.vocabulary import PLACES
from witmark.review.wording import number

MOST_PLACES = 8
"""Neighbouring places told with a sentence each; the rest is counted."""

MOST_NEIGHBOURS = 8
"""Touching components told with a line each, the largest contact first; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Touch:
    """One component that touches another, and what is measured of their contacts."""

    name: str  # as a sentence may say it
    component_id: str
    kinds: Mapping[str, int]
    area_mm2: float
    unlisted: int


@dataclass(frozen=True, slots=True)
class Scene:
    """The graph that places are looked up in: units, components, and where these touch."""

    places: Mapping[str, tuple[LocalSemanticUnit, ...]]  # by component, one unit a place
    touches: Mapping[str, tuple[Touch, ...]]  # by component, the largest contact first
    components: int
    pairs_not_looked_at: int


def scene_of(
    units: Sequence[LocalSemanticUnit], first: FactsBlob, contacts: FactsBlob
) -> Scene:
    """The graph of these units, in which every place stands once whatever its views."""
    places: dict[str, dict[str, LocalSemanticUnit]] = {}
    for unit in sorted(units, key=lambda one: one.local_id):
        places.setdefault(unit.component_id, {}).setdefault(unit.anchor.id, unit)
    data: Mapping[str, Any] = contacts.data
    names = names_of(first)
    return Scene(
        {one: tuple(mine.values()) for one, mine in places.items()},
        _touches(data["pairs"], names),
        len(names),
        int(data["skipped_pairs"]),
    )


def _touches(
    pairs: Sequence[Mapping[str, Any]], names: Mapping[str, str]
) -> dict[str, tuple[Touch, ...]]:
    found: dict[str, list[Touch]] = {}
    for pair in pairs:
        for one, other in ((pair["a"], pair["b"]), (pair["b"], pair["a"])):
            found.setdefault(one, []).append(_touch(pair, other, names))
    return {
        one: tuple(sorted(mine, key=lambda t: (-t.area_mm2, t.component_id)))
        for one, mine in found.items()
    }


def _touch(pair: Mapping[str, Any], other: str, names: Mapping[str, str]) -> Touch:
    kinds: dict[str, int] = {}
    for contact in pair["contacts"]:
        kinds[contact["kind"]] = kinds.get(contact["kind"], 0) + 1
    return Touch(
        spoken_name(names[other], "another component"),
        other,
        kinds,
        sum(float(contact["area_mm2"]) for contact in pair["contacts"]),
        int(pair["left_out"]),
    )


def surroundings(unit: LocalSemanticUnit, scene: Scene) -> list[str]:
    """The local subgraph of a place and the graph facts about it, as lines of a request."""
    return [
        "Local subgraph:",
        *(f"  {line}" for line in _subgraph(unit, scene)),
        "Graph facts:",
        *(f"  {line}" for line in _graph_facts(unit, scene)),
    ]


def _subgraph(unit: LocalSemanticUnit, scene: Scene) -> Iterator[str]:
    yield "the component has_place P1"
    beside = _beside(unit, scene)
    for other in beside[:MOST_PLACES]:
        word = PLACES[other.anchor.kind].en
        yield f"P1 adjacent_to {word}: {quoted(other.retrieval_sentence)}"
    if cut := len(unit.fact_bundle.related_features) - len(beside[:MOST_PLACES]):
        yield f"P1 adjacent_to {cut} more, not listed"
    touches = scene.touches.get(unit.component_id, ())
    for touch in touches[:MOST_NEIGHBOURS]:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(touch.kinds.items()))
        area = number(round(touch.area_mm2, 3), "mm2")
        yield f"the component contacts {quoted(touch.name)}: {kinds}, area about {area}"
        if touch.unlisted:
            yield f"  {touch.unlisted} smaller contacts with it are not listed"
    if cut := len(touches[MOST_NEIGHBOURS:]):
        yield f"the component contacts {cut} more, not listed"


def _beside(unit: LocalSemanticUnit, scene: Scene) -> list[LocalSemanticUnit]:
    related = set(unit.fact_bundle.related_features)
    mine = scene.places.get(unit.component_id, ())
    return [one for one in mine if one.anchor.id in related and one.anchor.id != unit.anchor.id]


def _graph_facts(unit: LocalSemanticUnit, scene: Scene) -> Iterator[str]:
    mine = scene.places.get(unit.component_id, ())
    touches = scene.touches.get(unit.component_id, ())
    kinds: dict[str, int] = {}
    for one in mine:
        word = PLACES[one.anchor.kind].en
        kinds[word] = kinds.get(word, 0) + 1
    yield f"components in the assembly: {scene.components}"
    yield f"components that touch this one: {len(touches)}"
    contacts = sum(sum(touch.kinds.values()) + touch.unlisted for touch in touches)
    yield f"contacts of this component: {contacts}"
    yield f"places on this component: {len(mine)}"
    yield from (f"  {word}: {count}" for word, count in sorted(kinds.items()))
    yield f"places that share faces with P1: {len(unit.fact_bundle.related_features)}"
    if scene.pairs_not_looked_at:
        yield f"pairs of components not looked at for contacts: {scene.pairs_not_looked_at}"
