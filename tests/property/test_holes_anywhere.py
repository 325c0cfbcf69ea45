"""How a part lies, which way its faces are numbered and whether it is mirrored says nothing."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.review.features.graph import face_graph
from witmark.review.features.hole_facts import hole_facts
from witmark.review.features.holes import find_holes
from witmark.review.measures import edge_distance_mm, ligament_mm
from witmark.testing.breps import Turned, moved, plate, reordered

PART = plate(
    [
        Turned(15, 15, ((4, 0), (4, -20))),
        Turned(40, 30, ((9, 0), (9, -6), (5, -6), (5, -15), (0, -18)), parts=2),
        Turned(60, 20, ((5, 0), (5, -14), (7.5, -14), (7.5, -20)), parts=3),
        Turned(80, 40, ((4, 0), (2.5, -1.5), (2.5, -9), (0, -9))),
    ]
)

numbers = st.floats(-1, 1, allow_nan=False)


@st.composite
def rotations(draw):
    """Any rotation, every other one mirrored."""
    w, x, y, z = q = np.array([draw(numbers) for _ in range(4)])
    if np.linalg.norm(q) < 1e-3:
        return np.eye(3)
    w, x, y, z = q / np.linalg.norm(q)
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return turn * np.array([1, 1, draw(st.sampled_from([1, -1]))])


def told(brep):
    """What is said about a part's holes, sorted by what it says."""
    graph = face_graph(brep)
    holes = find_holes(graph)
    rows = []
    for hole in holes:
        row = [*hole_facts(hole).values()]
        row += [s.kind for s in hole.segments]
        row += [
            edge_distance_mm(graph, hole, holes).value_mm,
            ligament_mm(graph, hole, holes).value_mm,
        ]
        rows.append([round(v, 6) + 0.0 if isinstance(v, float) else v for v in row])
    return sorted(rows, key=str)


EXPECTED = told(PART)


@pytest.mark.clause("REV-FACT-01")
@settings(max_examples=60, deadline=None)
@given(rotations(), st.tuples(*[st.floats(-500, 500)] * 3), st.permutations(range(PART.faces)))
def test_facts_do_not_depend_on_where_a_part_lies(rotation, shift, order):
    there = moved(PART, rotation, np.array(shift))

    assert told(reordered(there, np.array(order))) == EXPECTED


def test_the_part_has_holes_worth_the_name():
    assert len(EXPECTED) == 4
    assert not any(isinstance(v, float) and math.isnan(v) for row in EXPECTED for v in row)
