"""The second look: facts that are measured only when a judge asks for them.

Both are walls: how far a hole is from an outer edge, and from the next hole. Each answer
comes from the same arrays as the first pass; what cannot be known stays ``None``.
"""

from collections.abc import Callable, Sequence

from witmark.review.features.holes import Hole
from witmark.review.features.recognise import Recognition
from witmark.review.measures import Measure, edge_distance_mm, ligament_mm
from witmark.review.units import FactValue

Look = Callable[[int, int, str], FactValue]


def second_look(recognised: Sequence[Recognition]) -> Look:
    """Measure one fact of one feature, by part, feature and name of the vocabulary."""

    def look(part: int, feature: int, fact: str) -> FactValue:
        known = recognised[part]
        wanted = known.features[feature]
        hole = next((one for one in known.bored.holes if one.faces == wanted.faces), None)
        if fact == "hole.others":
            return _others(known, hole)
        if hole is None:
            return None
        return _MEASURES[fact](known, hole)

    return look


def _edge_measure(known: Recognition, hole: Hole) -> Measure:
    return edge_distance_mm(known.graph, hole, known.bored.holes, known.bored.free_form)


def _edge_distance(known: Recognition, hole: Hole) -> FactValue:
    return _edge_measure(known, hole).value_mm


def _beside_edge(known: Recognition, hole: Hole) -> FactValue:
    """False for a hole with nothing but an even wall around it; ``None`` if nobody can tell.

    False, too, for a hole that the edge cuts open: it has no wall there to be thin.
    """
    measured = _edge_measure(known, hole)
    return None if measured.unknown else bool(measured.value_mm)


def _ligament_measure(known: Recognition, hole: Hole) -> Measure:
    return ligament_mm(known.graph, hole, known.bored.holes, known.bored.free_form)


def _ligament(known: Recognition, hole: Hole) -> FactValue:
    return _ligament_measure(known, hole).value_mm


def _ligament_d(known: Recognition, hole: Hole) -> FactValue:
    return _ligament_measure(known, hole).beside_d_mm


def _others(known: Recognition, hole: Hole | None) -> FactValue:
    """How many other holes stand beside this one; 0 when all others open into it."""
    others = len(known.bored.holes) + len(known.bored.free_form) - 1
    if hole is None:
        return others
    measured = _ligament_measure(known, hole)
    return others if measured.unknown or measured.value_mm is not None else 0


_MEASURES: dict[str, Callable[[Recognition, Hole], FactValue]] = {
    "hole.beside_edge": _beside_edge,
    "hole.edge_dist": _edge_distance,
    "hole.ligament": _ligament,
    "hole.ligament_d": _ligament_d,
}
