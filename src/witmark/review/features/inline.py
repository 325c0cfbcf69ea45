"""Bores that look down one line: two walls of a box, two ears, one eccentric step."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import Convexity, FloatArray
from witmark.review.features.axes import axis_through
from witmark.review.features.feature import Feature, Triple
from witmark.review.features.graph import FaceGraph
from witmark.review.features.holes import Hole
from witmark.review.features.mouths import ASIDE

KIND = "inline"
PARALLEL_RAD = math.radians(0.1)
FREE_FORM_PARALLEL_RAD = math.radians(5.0)  # its axis is only guessed from its mouth
_SLACK_MM = 1e-3


@dataclass(frozen=True, slots=True)
class _Bore:
    faces: tuple[int, ...]
    opens_on: frozenset[int]  # faces around its mouths
    body: int
    at: FloatArray
    along: FloatArray
    length_mm: float
    d_mm: float
    is_open: tuple[bool, bool]  # at its start, at its end
    known: bool  # False: a free form, whose axis and diameter are guesses

    @property
    def middle(self) -> FloatArray:
        return self.at + self.along * self.length_mm / 2


def find_inline(
    graph: FaceGraph, holes: Sequence[Hole], free_form: Sequence[Feature] = ()
) -> tuple[Feature, ...]:
    """Groups of two or more bores on nearly one axis that open towards each other.

    Bores of one body whose axes are parallel within 0.1 degrees and closer than half the
    smaller diameter, one behind the other. Their facing ends are open, or one begins in the
    other's floor: two blind holes back to back share no line of sight and are not in line.
    Where a free-form bore stands in the line, its facts are ``None``.
    """
    bores = [_bore(hole) for hole in holes if hole.kind == "hole" and hole.cylinders]
    bores += [_guessed(graph, feature) for feature in free_form]
    leader = list(range(len(bores)))
    for one, other in _near(bores):
        if _in_line(bores[one], bores[other]):
            _join(leader, one, other)
    groups: dict[int, list[_Bore]] = {}
    for index, bore in enumerate(bores):
        groups.setdefault(_lead(leader, index), []).append(bore)
    lines = [group for _, group in sorted(groups.items()) if len(group) > 1]
    return tuple(_feature(group) for group in lines if any(bore.known for bore in group))


def _bore(hole: Hole) -> _Bore:
    mouths = [mouth for mouth in (hole.entry, hole.exit) if mouth is not None]
    return _Bore(
        faces=hole.faces,
        opens_on=frozenset(face for mouth in mouths for face in mouth.faces),
        body=hole.body,
        at=np.array(hole.at_mm),
        along=np.array(hole.direction),
        length_mm=hole.length_mm,
        d_mm=min(segment.d_mm or 0.0 for segment in hole.cylinders),
        is_open=(hole.entry is not None, bool(hole.through)),
        known=not hole.goes_on,
    )


def _guessed(graph: FaceGraph, feature: Feature) -> _Bore:
    """A free-form bore's line, guessed from its mouth and from how far its faces reach."""
    brep = graph.brep
    links = [link for face in feature.faces for link in graph.across(face, Convexity.CONVEX)]
    along = np.array(feature.direction or (0.0, 0.0, 1.0))
    axis = axis_through(np.array(feature.at_mm), along)
    rims = [brep.edge_points_mm(link.edge) for link in links]
    edges = [link.edge for face in feature.faces for link in graph.links[face]]
    length = max(float(axis.heights_mm(brep.edge_points_mm(edge)).max()) for edge in edges)
    mouth = min(rims, key=lambda rim: abs(float(axis.heights_mm(rim).mean())))
    return _Bore(
        faces=feature.faces,
        opens_on=frozenset(link.face for link in links),
        body=int(brep.face_body[feature.faces[0]]),
        at=axis.origin_mm,
        along=along,
        length_mm=length,
        d_mm=2 * float(np.linalg.norm(mouth - axis.origin_mm, axis=1).mean()),
        is_open=(True, any(float(axis.heights_mm(rim).mean()) > length / 2 for rim in rims)),
        known=False,
    )


def _near(bores: Sequence[_Bore]) -> list[tuple[int, int]]:
    """Pairs with parallel and near axes, all partners of one bore weighed at once."""
    if len(bores) < 2:
        return []
    middle, along = np.array([b.middle for b in bores]), np.array([b.along for b in bores])
    d, body = np.array([b.d_mm for b in bores]), np.array([b.body for b in bores])
    loose = np.array([PARALLEL_RAD if b.known else FREE_FORM_PARALLEL_RAD for b in bores])
    pairs = []
    for i in range(len(bores) - 1):
        rest = slice(i + 1, None)
        off = _aside(middle[rest] - middle[i], along[i])
        near = (off < ASIDE * np.minimum(d[i], d[rest])) & (body[rest] == body[i])
        near &= _aside(along[rest], along[i]) <= np.maximum(loose[i], loose[rest])
        pairs += [(i, i + 1 + j) for j in np.flatnonzero(near).tolist()]
    return pairs


def _aside(vectors: FloatArray, along: FloatArray) -> FloatArray:
    rest = vectors - (vectors @ along)[:, None] * along
    length: FloatArray = np.sqrt((rest * rest).sum(axis=1))
    return length


def _in_line(one: _Bore, other: _Bore) -> bool:
    """Whether one bore lies behind the other and nothing closes the ends that face."""
    if one.opens_on & set(other.faces) or other.opens_on & set(one.faces):
        return True
    start = float((other.at - one.at) @ one.along)
    sense = 1.0 if float(one.along @ other.along) > 0 else -1.0
    low, high = sorted((start, start + sense * other.length_mm))
    first, last = other.is_open[:: int(sense)]
    if one.length_mm <= low + _SLACK_MM:
        return one.is_open[1] and first
    return high <= _SLACK_MM and last and one.is_open[0]


def _join(leader: list[int], one: int, other: int) -> None:
    one, other = _lead(leader, one), _lead(leader, other)
    leader[max(one, other)] = min(one, other)


def _lead(leader: list[int], index: int) -> int:
    while leader[index] != index:
        index = leader[index]
    return index


def _feature(bores: list[_Bore]) -> Feature:
    offsets = [_offset_mm(a, b) for i, a in enumerate(bores) for b in bores[i + 1 :]]
    known = all(bore.known for bore in bores)
    return Feature(
        kind=KIND,
        faces=tuple(sorted({face for bore in bores for face in bore.faces})),
        at_mm=_triple(bores[0].at),
        direction=_triple(bores[0].along),
        facts={
            "inline.offset": max(offsets) if known else None,
            "inline.d": min(bore.d_mm for bore in bores) if known else None,
        },
    )


def _offset_mm(one: _Bore, other: _Bore) -> float:
    """Distance of the axes at the middle of a bore, the greater of both ways."""
    there = _aside((other.middle - one.at)[None], one.along)
    back = _aside((one.middle - other.at)[None], other.along)
    return max(float(there[0]), float(back[0]))


def _triple(vector: FloatArray) -> Triple:
    x, y, z = vector.tolist()
    return x, y, z
