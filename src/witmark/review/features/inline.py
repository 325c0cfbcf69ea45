"""Bores that look down one line: two walls of a box, two ears, one eccentric step."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import FloatArray
from witmark.review.features.feature import Feature
from witmark.review.features.holes import Hole

KIND = "in-line bores"
PARALLEL_DEG = 0.1
_SLACK_MM = 1e-3
ASIDE = 0.5  # of the smaller diameter: farther apart they are two holes, not one line


@dataclass(frozen=True, slots=True)
class _Bore:
    hole: Hole
    d_mm: float
    at: FloatArray
    along: FloatArray
    ends: tuple[tuple[float, bool], tuple[float, bool]]  # (distance from ``at``, open) x 2


def find_inline(holes: Sequence[Hole]) -> tuple[Feature, ...]:
    """Groups of two or more bores on nearly one axis that open towards each other.

    Bores of one body whose axes are parallel within 0.1 degrees and closer than half the
    smaller diameter, one behind the other. Their facing ends are open, or one begins in the
    other's floor: two blind holes back to back share no line of sight and are not in line.
    """
    bores = [bore for hole in holes if (bore := _bore(hole)) is not None]
    leader = list(range(len(bores)))
    for one, other in _near(bores):
        if _in_line(bores[one], bores[other]):
            _join(leader, one, other)
    groups: dict[int, list[_Bore]] = {}
    for index, bore in enumerate(bores):
        groups.setdefault(_lead(leader, index), []).append(bore)
    return tuple(_feature(groups[lead]) for lead in sorted(groups) if len(groups[lead]) > 1)


def _bore(hole: Hole) -> _Bore | None:
    if hole.kind != "hole" or not hole.cylinders:
        return None
    d = min(segment.d_mm or 0.0 for segment in hole.cylinders)
    ends = ((0.0, hole.entry is not None), (hole.length_mm, bool(hole.through)))
    return _Bore(hole, d, np.array(hole.at_mm), np.array(hole.direction), ends)


def _near(bores: Sequence[_Bore]) -> list[tuple[int, int]]:
    """Pairs with parallel and near axes, all pairs weighed at once."""
    if len(bores) < 2:
        return []
    at, along = np.array([b.at for b in bores]), np.array([b.along for b in bores])
    d, body = np.array([b.d_mm for b in bores]), np.array([b.hole.body for b in bores])
    pairs = []
    for i in range(len(bores) - 1):
        arms = at[i + 1 :] - at[i]
        off = np.linalg.norm(np.cross(arms, along[i]), axis=1)
        skew = np.linalg.norm(np.cross(along[i + 1 :], along[i]), axis=1)
        near = (off < ASIDE * np.minimum(d[i], d[i + 1 :])) & (body[i + 1 :] == body[i])
        near &= skew <= np.radians(PARALLEL_DEG)
        pairs += [(i, i + 1 + int(j)) for j in np.flatnonzero(near)]
    return pairs


def _in_line(one: _Bore, other: _Bore) -> bool:
    """Whether one bore lies behind the other and nothing closes the ends that face."""
    if _opens_into(one, other) or _opens_into(other, one):
        return True
    base = float((other.at - one.at) @ one.along)
    sense = 1.0 if float(one.along @ other.along) > 0 else -1.0
    mine = sorted(one.ends)
    its = sorted((base + sense * at, is_open) for at, is_open in other.ends)
    if mine[1][0] <= its[0][0] + _SLACK_MM:
        return mine[1][1] and its[0][1]
    if its[1][0] <= mine[0][0] + _SLACK_MM:
        return its[1][1] and mine[0][1]
    return False


def _opens_into(one: _Bore, other: _Bore) -> bool:
    """Whether a bore's mouth lies in a face of the other, as an eccentric step's does."""
    mouths = [mouth for mouth in (one.hole.entry, one.hole.exit) if mouth is not None]
    return any(face in other.hole.faces for mouth in mouths for face in mouth.faces)


def _join(leader: list[int], one: int, other: int) -> None:
    one, other = _lead(leader, one), _lead(leader, other)
    leader[max(one, other)] = min(one, other)


def _lead(leader: list[int], index: int) -> int:
    while leader[index] != index:
        index = leader[index]
    return index


def _feature(bores: list[_Bore]) -> Feature:
    offset = max(_offset_mm(a, b) for i, a in enumerate(bores) for b in bores[i + 1 :])
    first = bores[0].hole
    return Feature(
        kind=KIND,
        faces=tuple(sorted({face for bore in bores for face in bore.hole.faces})),
        at_mm=first.at_mm,
        direction=first.direction,
        facts={"inline.offset": offset, "inline.d": min(bore.d_mm for bore in bores)},
    )


def _offset_mm(one: _Bore, other: _Bore) -> float:
    """Distance of the axes at the middle of the other bore, the greater of both ways."""
    return max(_off_mm(one, other), _off_mm(other, one))


def _off_mm(one: _Bore, other: _Bore) -> float:
    middle = other.at + other.along * other.hole.length_mm / 2
    return float(np.linalg.norm(np.cross(middle - one.at, one.along)))
