"""What a shape is called does not depend on how it lies or how its faces are numbered."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from moves import moved, resensed, shuffled
from polyhedra import cornered, extruded, notched, on_a_plate, rectangle, sunk

from witmark.review.brep import Brep
from witmark.review.features.recognise import Recognition, recognise

L_BAR = [(0, 0), (30, 0), (30, 12), (18, 12), (18, 20), (0, 20)]
VEE = [(0, 0), (30, 0), (30, 20), (19, 20), (15, 14), (11, 20), (0, 20)]
TEE = [(0, 0), (60, 0), (60, 30), (34, 30), (34, 22), (38, 22), (38, 16), (22, 16)]
TEE += [(22, 22), (26, 22), (26, 30), (0, 30)]
BEVEL = [(0, 0), (30, 0), (30, 18), (28, 20), (0, 20)]
PARTS = {
    "pocket": sunk(rectangle(8, 20), 6, through=False),
    "window": sunk([(0, 0), (12, 0), (6, 9)], 5, through=True),
    "blind slot": notched(reach=30, width=5, depth=8),
    "corner step": cornered(reach=(15, 12), depth=9),
    "boss": on_a_plate(12, 0.5),
    "step": extruded(L_BAR, 50),
    "tee": extruded(TEE, 50),
    "vee": extruded(VEE, 50),
    "chamfer": extruded(BEVEL, 50),
}
unit = st.floats(-1, 1, allow_nan=False)
lies = st.tuples(*[unit] * 9).map(lambda v: np.reshape(v, (3, 3)))


def told(found: Recognition, old: np.ndarray, scale: float = 1.0) -> list[object]:
    """Kinds, faces under their old numbers, and facts; lengths brought to one scale."""
    return sorted(
        (
            str(f.kind),
            tuple(sorted(int(old[face]) for face in f.faces)),
            tuple(
                (name, _plain(name, value, scale)) for name, value in sorted(f.facts.items())
            ),
        )
        for f in found.features
    )


def _plain(name: str, value: object, scale: float) -> object:
    if not isinstance(value, float):
        return repr(value)
    ratio = name in ("pocket.depth_to_width", "chamfer.angle")
    return round(value if ratio else value / scale, 6) + 0.0


def same(part: Brep) -> np.ndarray:
    return np.arange(part.faces)


@pytest.mark.clause("REV-FACT-01")
@pytest.mark.parametrize("name", sorted(PARTS))
@settings(max_examples=15, deadline=None)
@given(lie=lies, mirror=st.booleans())
def test_a_part_turned_or_mirrored_has_the_same_features(name, lie, mirror):
    part = PARTS[name]
    turn, _ = np.linalg.qr(lie + 3 * np.eye(3))
    turn = -turn if mirror else turn

    found = recognise(moved(part, turn, np.array([7.0, -3.0, 11.0])))

    assert told(found, same(part)) == told(recognise(part), same(part))


@pytest.mark.clause("REV-FACT-01")
@pytest.mark.parametrize("name", sorted(set(PARTS) - {"boss"}))
def test_a_part_in_inches_has_features_of_the_same_proportions(name):
    """The boss stays out: whether a pad is low is a matter of millimetres."""
    part = PARTS[name]

    found = recognise(moved(part, np.eye(3), np.zeros(3), scale=25.4))

    assert told(found, same(part), scale=25.4) == told(recognise(part), same(part))


@pytest.mark.clause("REV-FACT-01")
@pytest.mark.parametrize("name", sorted(PARTS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_order_of_faces_changes_nothing(name, seed):
    part = PARTS[name]
    order = np.random.default_rng(seed).permutation(part.faces)

    found = recognise(shuffled(part, order))

    assert told(found, order) == told(recognise(part), same(part))


@pytest.mark.parametrize("name", sorted(PARTS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_sense_of_edges_changes_nothing(name, seed):
    part = PARTS[name]
    turned = np.random.default_rng(seed).random(part.edges) < 0.5

    found = recognise(resensed(part, turned))

    assert told(found, same(part)) == told(recognise(part), same(part))


@pytest.mark.parametrize("name", sorted(PARTS))
def test_the_same_arrays_give_the_same_features_in_the_same_order(name):
    assert recognise(PARTS[name]) == recognise(PARTS[name])
