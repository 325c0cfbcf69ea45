"""Which edges break the order, once a change is made.

A note's own order, each section leading to the next, can close no cycle by itself. So only
the relations that somebody stated are looked at, and of the notes' own orders those that
may lie on a cycle with them: of a note that a stated relation leaves elsewhere than at its
root.
"""

from collections.abc import Collection, Mapping

import numpy as np

from witmark.answers.arrays import KINDS
from witmark.answers.atoms import AtomId, DocumentId, EdgeId
from witmark.answers.cycles import ORDERING_CODES, order_breaking
from witmark.answers.edges import ORDERING, Provenance, RelationEdge, RelationKind
from witmark.answers.linking import IN_ORDER
from witmark.answers.ports import Library, Linked


def order_after(
    library: Library,
    linked: Mapping[DocumentId, Linked],
    gone: Collection[DocumentId],
    *,
    surely: bool,
) -> frozenset[EdgeId] | None:
    """Return the edges that close a cycle after a change, ``None`` if they are as before.

    Args:
        library: Before the change.
        linked: The notes that are linked anew.
        gone: Those that will no longer be there.
        surely: Work it out even if no edge that matters is another.
    """
    after = {e.id: e for note in linked.values() for e in note.edges if _matters(e)}
    leaves_elsewhere = any(not is_root(edge.source) for edge in after.values())
    if not (surely or leaves_elsewhere) and _are_as_before(library, {*linked, *gone}, after):
        return None
    stay = [e for e in _stated(library) if e.owner not in linked and e.owner not in gone]
    stated = [*stay, *after.values()]
    inner = {home(e.source) for e in stated if not is_root(e.source)}
    own = [e for note in sorted(inner) for e in _own_order(note, library, linked, gone)]
    return order_breaking([*stated, *own])


def _are_as_before(
    library: Library, owners: Collection[DocumentId], after: Mapping[EdgeId, RelationEdge]
) -> bool:
    """Whether the edges of these owners that matter are as sure as they were, and no others."""
    kept = (edge for owner in sorted(owners) for edge in library.edges_of(owner))
    before = {edge.id: edge.edge_confidence for edge in kept if _matters(edge)}
    return before == {key: edge.edge_confidence for key, edge in after.items()}


def is_own_order(edge: RelationEdge) -> bool:
    """Whether an edge is a note's own order, from one of its atoms to the next."""
    return (
        edge.kind is RelationKind.SEQUENCE
        and edge.edge_confidence == IN_ORDER
        and edge.provenance is Provenance.FACT
        and home(edge.source) == edge.owner == home(edge.target)
    )


def home(atom: AtomId) -> DocumentId:
    """The note of an atom, by its name."""
    return DocumentId(atom.rpartition("#")[0])


def is_root(atom: AtomId) -> bool:
    """Whether an atom stands for its note, by its name."""
    return atom.endswith("#")


def _matters(edge: RelationEdge) -> bool:
    return edge.kind in ORDERING and not is_own_order(edge)


def _stated(library: Library) -> list[RelationEdge]:
    """The ordering edges of a library that are no note's own order."""
    graph = library.graph()
    sequence = KINDS.index(RelationKind.SEQUENCE)
    own = (graph.kind == sequence) & (graph.edge_confidence == IN_ORDER) & ~graph.inferred
    chosen = np.isin(graph.kind, ORDERING_CODES) & ~own
    return [e for e in library.edges(graph.row[chosen].tolist()) if _matters(e)]


def _own_order(
    note: DocumentId,
    library: Library,
    linked: Mapping[DocumentId, Linked],
    gone: Collection[DocumentId],
) -> list[RelationEdge]:
    if note in linked:
        edges = linked[note].edges
    elif note in gone:
        return []
    else:
        edges = library.edges_of(note)
    return [edge for edge in edges if is_own_order(edge)]
