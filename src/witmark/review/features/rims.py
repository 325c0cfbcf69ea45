"""Which edges of a round wall lie at its two ends, and which are windows cut into its side."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from witmark.review.brep import FloatArray
from witmark.review.features.axes import Axis
from witmark.review.features.graph import FaceGraph, Link
from witmark.review.features.walls import FULL_TURN, TOUCHING_MM, Run

_UPRIGHT_RAD = 1e-3  # an edge that turns less runs along the axis: a slot's side
_SLACK = 0.01  # of the radius: chords of a polyline lie inside the arc


@dataclass(frozen=True, slots=True)
class Rim:
    """One edge at the end of a wall."""

    link: Link  # what lies across; its ``face`` is -1 at a free boundary
    low_mm: float
    high_mm: float
    turn_rad: float  # how much of the turn it spans


def rims_of(
    graph: FaceGraph, axis: Axis, run: Run, own: set[int]
) -> tuple[list[Rim], list[Rim]]:
    """Edges at the low and at the high end of a run whose other side is not ``own``."""
    ends: tuple[list[Rim], list[Rim]] = ([], [])
    slanted: list[tuple[Rim, FloatArray]] = []
    for link in _outward(graph, run, own):
        points = graph.brep.edge_points_mm(link.edge)
        heights, turn = axis.heights_mm(points), turn_rad(axis, points)
        rim = Rim(link, float(heights.min()), float(heights.max()), turn)
        if turn < _UPRIGHT_RAD:
            continue
        if rim.high_mm - rim.low_mm > TOUCHING_MM:
            slanted.append((rim, points))
        elif rim.low_mm - run.low_mm <= TOUCHING_MM:
            ends[0].append(rim)
        elif run.high_mm - rim.high_mm <= TOUCHING_MM:
            ends[1].append(rim)
        else:
            slanted.append((rim, points))
    if slanted:
        _place(ends, slanted, _outline(graph, axis, run), axis, run)
    return ends


def turn_rad(axis: Axis, points_mm: FloatArray) -> float:
    """How far an edge turns around the axis, back and forth counted together."""
    steps = np.diff(axis.angles_rad(points_mm))
    return float(np.abs((steps + math.pi) % FULL_TURN - math.pi).sum())


def _outward(graph: FaceGraph, run: Run, own: set[int]) -> Iterable[Link]:
    for face in run.faces:
        for link in graph.links[face]:
            if link.face != face and link.face not in own:
                yield link


def _outline(graph: FaceGraph, axis: Axis, run: Run) -> FloatArray:
    """Every chord of the run's boundary as (angle, turn, height, rise), (k, 4)."""
    faces, chords = set(run.faces), []
    for face in run.faces:
        for link in graph.links[face]:
            if link.face not in faces:
                points = graph.brep.edge_points_mm(link.edge)
                angles, heights = axis.angles_rad(points), axis.heights_mm(points)
                turns = (np.diff(angles) + math.pi) % FULL_TURN - math.pi
                chords.append(
                    np.column_stack([angles[:-1], turns, heights[:-1], np.diff(heights)])
                )
    return np.concatenate(chords)


def _place(
    ends: tuple[list[Rim], list[Rim]],
    slanted: list[tuple[Rim, FloatArray]],
    outline: FloatArray,
    axis: Axis,
    run: Run,
) -> None:
    """Put slanted edges to the end they bound: no wall lies beyond them at their middle."""
    slack = TOUCHING_MM + _SLACK * run.radius_mm
    for rim, points in slanted:
        half = (len(points) - 1) // 2
        middle = (points[half] + points[half + 1]) / 2
        angle, height = float(axis.angles_rad(middle)), float(axis.heights_mm(middle))
        others = _heights_at(outline, angle)
        if not len(others) or height <= others.min() + slack:
            ends[0].append(rim)
        elif height >= others.max() - slack:
            ends[1].append(rim)


def _heights_at(outline: FloatArray, angle: float) -> FloatArray:
    """Heights at which the boundary passes an angle."""
    before = (outline[:, 0] - angle + math.pi) % FULL_TURN - math.pi
    turn = outline[:, 1]
    passes = (before * (before + turn) <= 0) & (np.abs(before) < math.pi / 2) & (turn != 0)
    chord = outline[passes]
    heights: FloatArray = chord[:, 2] - before[passes] / chord[:, 1] * chord[:, 3]
    return heights
