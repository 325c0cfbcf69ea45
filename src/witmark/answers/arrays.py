"""The graph of a workspace as flat arrays, the form in which it is stored and walked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from witmark.answers.edges import RelationKind

KINDS = tuple(RelationKind)
"""``kind`` in the arrays is an index into this; the order is part of the stored format."""

NEVER, EVER = np.iinfo(np.int32).min, np.iinfo(np.int32).max
"""Days that stand for "no beginning" and "no end"."""

Ints = npt.NDArray[np.int32]


def places_in(
    positions: npt.NDArray[np.integer[Any]],
    wanted: Sequence[int] | npt.NDArray[np.int64],
    size: int,
) -> npt.NDArray[np.bool_]:
    """Say which of some positions below ``size`` are among those wanted.

    ``np.isin`` sorts what it is given, and its first use costs as much as a whole answer.
    """
    table = np.zeros(size, np.bool_)
    table[np.asarray(wanted, np.int64)] = True
    found: npt.NDArray[np.bool_] = table[positions]
    return found


@dataclass(frozen=True, slots=True)
class GraphArrays:
    """Relations among the atoms of a library. Row i of every edge array is one edge.

    Attributes:
        nodes: (n,) int64, the atom numbers of the library, ascending. Everything else
            counts nodes by their position here.
        source: (m,) int32, position of the edge's source.
        target: (m,) int32, position of its target.
        kind: (m,) int8, index into ``KINDS``.
        edge_confidence: (m,) float32, from 0 to 1.
        inferred: (m,) bool, provenance is inferred.
        breaks_order: (m,) bool, closes a cycle among the ordering kinds.
        valid_from: (m,) int32, proleptic day number of the first valid day, or ``NEVER``.
        valid_to: (m,) int32, day number of the last valid day, or ``EVER``.
        row: (m,) int64, the edge's number in the library.
    """

    nodes: npt.NDArray[np.int64]
    source: Ints
    target: Ints
    kind: npt.NDArray[np.int8]
    edge_confidence: npt.NDArray[np.float32]
    inferred: npt.NDArray[np.bool_]
    breaks_order: npt.NDArray[np.bool_]
    valid_from: Ints
    valid_to: Ints
    row: npt.NDArray[np.int64]


def no_edges() -> GraphArrays:
    """The graph of a library that has none, or whose graph cannot be read."""
    ints = np.empty(0, np.int32)
    return GraphArrays(
        nodes=np.empty(0, np.int64),
        source=ints,
        target=ints,
        kind=np.empty(0, np.int8),
        edge_confidence=np.empty(0, np.float32),
        inferred=np.empty(0, np.bool_),
        breaks_order=np.empty(0, np.bool_),
        valid_from=ints,
        valid_to=ints,
        row=np.empty(0, np.int64),
    )
