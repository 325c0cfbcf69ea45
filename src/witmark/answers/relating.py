"""How the notes of a pack hang together: direct ties, explicit paths, summaries by kind."""

from collections.abc import Sequence

from witmark.answers.atoms import AtomId
from witmark.answers.budget import Budget
from witmark.answers.dag import Path
from witmark.answers.edges import Provenance, RelationEdge, RelationKind
from witmark.answers.note_view import NoteView
from witmark.answers.pack import ConnectionPath, GraphProfile, RelationSummary

NO_PROFILE = GraphProfile(0, 0, 0.0)


def profile(view: NoteView, node: int) -> GraphProfile:
    """How a note lies in the graph."""
    into, out = view.dag.degrees(node)
    greatest = view.dag.greatest_degree
    return GraphProfile(into, out, round((into + out) / greatest, 6) if greatest else 0.0)


def ties(
    view: NoteView, anchor: int, nodes: Sequence[int]
) -> dict[int, frozenset[RelationKind]]:
    """The kinds of the relations that join each note to the anchor, whichever way."""
    found: dict[int, set[RelationKind]] = {}
    arrays = view.dag.arrays
    for edge in view.dag.between([anchor, *nodes], view.walk):
        ends = {int(arrays.source[edge]), int(arrays.target[edge])}
        if anchor in ends:
            for other in ends - {anchor}:
                found.setdefault(other, set()).add(view.kind(edge))
    return {node: frozenset(kinds) for node, kinds in found.items()}


def connections(
    view: NoteView, anchor: int, support: Sequence[int], budget: Budget
) -> tuple[tuple[ConnectionPath, ...], tuple[int, ...]]:
    """The surest path from each support node to the anchor, or if there is none from it.

    While there is room for more, the other way as well.

    Returns:
        At most as many paths as there may be support nodes, and the support nodes that no
        path joins to the anchor.
    """
    there = {n: _surest(view, n, anchor, budget) for n in support}
    back = {n: _surest(view, anchor, n, budget) for n in support if not there[n]}
    missing = tuple(node for node in support if not there[node] and not back[node])
    found = [path for node in support for path in (there[node] or back[node])]
    for node in support:
        if len(found) < budget.support_nodes and there[node]:
            found += _surest(view, anchor, node, budget)
    view.fetch(found[: budget.support_nodes])
    return tuple(view.path(path) for path in found[: budget.support_nodes]), missing


def _surest(view: NoteView, source: int, target: int, budget: Budget) -> tuple[Path, ...]:
    return view.dag.best_paths(source, target, view.walk, count=1, most_edges=budget.path_edges)


def summaries(view: NoteView, nodes: Sequence[int]) -> tuple[RelationSummary, ...]:
    """The relations among some notes, those of one kind between two notes as one."""
    grouped: dict[tuple[RelationKind, AtomId, AtomId], list[RelationEdge]] = {}
    positions = view.dag.between(nodes, view.walk)
    for position, edge in zip(positions, view.edges(positions), strict=True):
        grouped.setdefault((edge.kind, *view.ends(position)), []).append(edge)
    return tuple(_summary(*key, grouped[key]) for key in sorted(grouped))


def _summary(
    kind: RelationKind, source: AtomId, target: AtomId, edges: Sequence[RelationEdge]
) -> RelationSummary:
    stated = any(edge.provenance is Provenance.FACT for edge in edges)
    average = sum(sorted(edge.edge_confidence for edge in edges)) / len(edges)
    return RelationSummary(
        kind=kind,
        source=source,
        target=target,
        edge_ids=tuple(sorted(edge.id for edge in edges)),
        average_edge_confidence=round(average, 6),
        provenance=Provenance.FACT if stated else Provenance.INFERRED,
    )
