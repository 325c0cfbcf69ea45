"""Small graphs for tests: edges from a few letters, and the arrays a library makes of them."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from witmark.answers.arrays import EVER, KINDS, NEVER, GraphArrays
from witmark.answers.atoms import AtomId
from witmark.answers.edges import Provenance, RelationEdge, RelationKind, edge_id

PREREQUISITE = RelationKind.PREREQUISITE


def edge(  # noqa: PLR0913  # an edge has these parts
    source: str,
    target: str,
    kind: RelationKind = PREREQUISITE,
    certainty: float = 1.0,
    *,
    inferred: bool = False,
    owner: str = "",
    valid_from: str = "",
    valid_to: str = "",
    breaks_order: bool = False,
) -> RelationEdge:
    """A relation between two atoms, owned by the source unless said otherwise."""
    owner = owner or source
    return RelationEdge(
        edge_id(owner, source, target, kind),
        AtomId(source),
        AtomId(target),
        kind,
        Provenance.INFERRED if inferred else Provenance.FACT,
        certainty,
        (),
        valid_from,
        valid_to,
        owner,
        breaks_order,
    )


def arrays_of(edges: Sequence[RelationEdge], names: Sequence[str] = ()) -> GraphArrays:
    """Flat arrays with one node per name, in the order of the names' letters."""
    ends = {end for e in edges for end in (e.source, e.target)}
    position = {name: i for i, name in enumerate(sorted({*names, *ends}))}
    return GraphArrays(
        np.arange(len(position), dtype=np.int64),
        np.array([position[e.source] for e in edges], np.int32),
        np.array([position[e.target] for e in edges], np.int32),
        np.array([KINDS.index(e.kind) for e in edges], np.int8),
        np.array([e.edge_confidence for e in edges], np.float32),
        np.array([e.provenance is Provenance.INFERRED for e in edges], np.bool_),
        np.array([e.breaks_order for e in edges], np.bool_),
        np.array([_day(e.valid_from, NEVER) for e in edges], np.int32),
        np.array([_day(e.valid_to, EVER) for e in edges], np.int32),
        np.arange(len(edges), dtype=np.int64),
    )


def _day(iso: str, otherwise: int) -> int:
    return date.fromisoformat(iso).toordinal() if iso else otherwise
