"""Coaxial walls joined over shoulders, cones and fillets into the stack of one hole."""

from dataclasses import dataclass

from witmark.review.brep import SurfaceKind
from witmark.review.features.axes import Axis
from witmark.review.features.graph import FaceGraph
from witmark.review.features.mouths import is_coaxial, is_enclosed
from witmark.review.features.walls import Run

_OVERLAP = 0.1  # of the shorter run: more is a second radius at one height, as in a spline


@dataclass(frozen=True, slots=True)
class Stack:
    """The runs of one hole, lowest first, and the faces that join them."""

    runs: tuple[Run, ...]
    joints: frozenset[int]  # shoulders and fillets between runs

    @property
    def walls(self) -> set[int]:
        """Every face of every run."""
        return {face for run in self.runs for face in run.faces}


def stacks_of(graph: FaceGraph, axis: Axis, runs: list[Run]) -> list[Stack]:
    """Runs of one axis that hang together, each stack once, lowest first."""
    owner = {face: index for index, run in enumerate(runs) for face in run.faces}
    touched = [_touched(graph, axis, run, owner) for run in runs]
    leader = list(range(len(runs)))
    seen: dict[int, int] = {}
    for index, (others, joints) in enumerate(touched):
        for other in others | {seen.setdefault(joint, index) for joint in joints}:
            _join(leader, index, other)
    members: dict[int, list[int]] = {}
    for index in range(len(runs)):
        members.setdefault(_lead(leader, index), []).append(index)
    return [
        _stack(graph, part, touched, members[lead])
        for lead in sorted(members)
        for part in _parted([runs[i] for i in members[lead]])
    ]


def _touched(
    graph: FaceGraph, axis: Axis, run: Run, owner: dict[int, int]
) -> tuple[set[int], set[int]]:
    """Runs that a run touches directly or over a fillet, and upright faces it could share."""
    others: set[int] = set()
    joints: set[int] = set()
    todo = list(run.faces)
    while todo:
        for link in graph.across(todo.pop()):
            face = link.face
            if face in owner:
                others.add(owner[face])
            elif face not in joints and is_coaxial(graph, axis, face):
                joints.add(face)
                if graph.brep.face_kind[face] == SurfaceKind.TORUS:
                    todo.append(face)
    return others, joints


def _lead(leader: list[int], index: int) -> int:
    while leader[index] != index:
        index = leader[index]
    return index


def _join(leader: list[int], one: int, other: int) -> None:
    one, other = _lead(leader, one), _lead(leader, other)
    leader[max(one, other)] = min(one, other)


def _parted(runs: list[Run]) -> list[tuple[Run, ...]]:
    """A stack without the pockets that cross it.

    A wider wall between two narrower ones that does not go all the way round was not bored
    through them: it is a pocket's or slot's round end, and the two are bores of their own.
    """
    kept = _one_at_a_height(runs)
    parts: list[list[Run]] = [[]]
    for before, run, after in zip((None, *kept), kept, (*kept[1:], None), strict=False):
        wider = before and after and max(before.radius_mm, after.radius_mm) < run.radius_mm
        if wider and run.gaps:
            parts.append([])
        else:
            parts[-1].append(run)
    return [tuple(part) for part in parts]


def _stack(
    graph: FaceGraph,
    kept: tuple[Run, ...],
    touched: list[tuple[set[int], set[int]]],
    mine: list[int],
) -> Stack:
    walls = {face for run in kept for face in run.faces}
    shared: dict[int, int] = {}
    for index in mine:
        for joint in touched[index][1]:
            shared[joint] = shared.get(joint, 0) + 1
    between = {joint for joint, count in shared.items() if count > 1}
    between |= {joint for joint in shared if between & set(graph.neighbours(joint))}
    own = walls | between
    return Stack(kept, frozenset(face for face in between if is_enclosed(graph, face, own)))


def _one_at_a_height(runs: list[Run]) -> tuple[Run, ...]:
    """Where two radii share a height, the one that covers more of the turn is the hole."""
    kept: list[Run] = []
    for run in sorted(runs, key=lambda r: (-round(r.turn_rad, 3), r.radius_mm, r.faces)):
        if not any(_overlap(run, other) for other in kept):
            kept.append(run)
    return tuple(sorted(kept, key=lambda r: (r.low_mm + r.high_mm, r.faces)))


def _overlap(one: Run, other: Run) -> bool:
    common = min(one.high_mm, other.high_mm) - max(one.low_mm, other.low_mm)
    return common > _OVERLAP * min(one.high_mm - one.low_mm, other.high_mm - other.low_mm)
