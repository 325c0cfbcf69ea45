"""Loops as closed runs: an exporter may list the edges of a wire in any order."""

import numpy as np

from witmark.adapters.occt.arrays import EdgeArrays, FaceArrays
from witmark.adapters.occt.extents import Uses, vector_areas
from witmark.adapters.occt.shape import Loop
from witmark.review.brep import FloatArray, IntArray, SurfaceKind

JOINED_WITHIN_MM = 0.02
"""Ends nearer than this meet; vertices may be looser than the kernel's own tolerance."""


def chained(loops: list[Loop], edges: EdgeArrays) -> list[Loop]:
    """The same loops, each in an order in which every edge begins where the last one ended."""
    begin, end = edges.points[edges.start[:-1]], edges.points[edges.start[1:] - 1]
    return [_in_order(loop, begin, end) for loop in loops]


def _in_order(loop: Loop, begin: FloatArray, end: FloatArray) -> Loop:
    if len(loop.edges) < 3:
        return loop
    forward = np.array(loop.forward)[:, None]
    starts = np.where(forward, begin[loop.edges], end[loop.edges])
    stops = np.where(forward, end[loop.edges], begin[loop.edges])
    gaps = np.abs(np.roll(starts, -1, axis=0) - stops).max()
    if not gaps > JOINED_WITHIN_MM:
        return loop
    order = _nearest_next(starts, stops)
    if np.abs(np.roll(starts[order], -1, axis=0) - stops[order]).max() >= gaps:
        return loop
    return Loop(
        loop.face,
        loop.outer,
        [loop.edges[i] for i in order],
        [loop.forward[i] for i in order],
    )


def _nearest_next(starts: FloatArray, stops: FloatArray) -> list[int]:
    order, left = [0], list(range(1, len(starts)))
    while left:
        gaps = np.abs(starts[left] - stops[order[-1]]).max(axis=1)
        order.append(left.pop(int(np.argmin(gaps))))
    return order


def with_outer_loops(loops: list[Loop], faces: FaceArrays, edges: EdgeArrays) -> None:
    """Of several loops on a plane the largest is the outer one; OCCT's answer can be wrong."""
    by_face: dict[int, list[int]] = {}
    for number, loop in enumerate(loops):
        if faces.kind[loop.face] == SurfaceKind.PLANE:
            by_face.setdefault(loop.face, []).append(number)
    uses = uses_of(loops)
    owner = np.repeat(np.arange(len(loops)), [len(loop.edges) for loop in loops])
    size = np.linalg.norm(
        vector_areas(len(loops), edges, Uses(owner, uses.edge, uses.forward)), axis=1
    )
    for mine in by_face.values():
        largest = max(mine, key=lambda number: (size[number], -number))
        for number in mine:
            loops[number].outer = number == largest


def uses_of(loops: list[Loop]) -> Uses:
    """Every use of an edge by a loop, in order."""
    return Uses(
        face=np.array([loop.face for loop in loops for _ in loop.edges], dtype=np.int64),
        edge=np.array([edge for loop in loops for edge in loop.edges], dtype=np.int64),
        forward=np.array([turn for loop in loops for turn in loop.forward], dtype=bool),
    )


def uses_per_edge(loops: list[Loop], edges: int) -> IntArray:
    """How often each edge is used: twice, if the part is a closed solid."""
    return np.bincount(uses_of(loops).edge, minlength=edges)
