"""What lies upstream and downstream of the anchor, and the order in which to learn it.

Relations that order things are followed as far as paths may go, all others one step. Which
nodes are worth a place in a window depends on what was asked.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from witmark.answers.arrays import KINDS
from witmark.answers.asking import Intent
from witmark.answers.atoms import AtomId
from witmark.answers.budget import Budget
from witmark.answers.dag import Path, Reach, Walk
from witmark.answers.edges import ORDERING, SYMMETRIC, RelationKind
from witmark.answers.note_view import NoteView, provenance_of
from witmark.answers.pack import ConnectionPath, WindowNode

_K = RelationKind
_EXPLAIN = {_K.PREREQUISITE: 94.0, _K.CAUSAL: 88.0, _K.SEQUENCE: 76.0}
_DO = {_K.PREREQUISITE: 104.0, _K.SEQUENCE: 96.0, _K.APPLICATION: 82.0}
_ANY = {_K.PREREQUISITE: 90.0, _K.SEQUENCE: 82.0, _K.APPLICATION: 74.0}
PRIORITY: Mapping[Intent, Mapping[RelationKind, float]] = {
    Intent.WHAT: _EXPLAIN,
    Intent.WHY: _EXPLAIN,
    Intent.COMPARE: {_K.CONTRAST: 104.0, _K.ANALOGY: 92.0, _K.CAUSAL: 70.0},
    Intent.LEARN: _DO,
    Intent.HOW_TO: _DO,
    Intent.STILL_VALID: _ANY,
    Intent.LIST: _ANY,
    Intent.GENERIC: _ANY,
}
"""What a relation is worth to a question. Source: the third contract, window priorities."""

_REFERENCE, _OTHER = 18.0, 40.0
_CERTAINTY, _FACT, _FARTHER = 10.0, 2.0, 8.0
_FARTHEST = 64  # edges upstream that are counted
_LEARNING = frozenset({Intent.LEARN, Intent.HOW_TO})
_EXPLAINING = frozenset({Intent.WHAT, Intent.WHY})


def priority(intent: Intent, kind: RelationKind) -> float:
    """What a relation of a kind is worth to a question."""
    return PRIORITY[intent].get(kind, _REFERENCE if kind is _K.REFERENCE else _OTHER)


@dataclass(frozen=True, slots=True)
class _Find:
    """A node found upstream or downstream, weighed before anything is looked up by name."""

    node: int
    path: Path
    kind: RelationKind  # of the edge nearest to the anchor
    worth: float


def window(
    view: NoteView, anchor: int, intent: Intent, budget: Budget, *, upstream: bool
) -> tuple[WindowNode, ...]:
    """The nodes worth showing on one side: prerequisites first, then the nearest."""
    most = budget.predecessors if upstream else budget.successors
    found: dict[int, _Find] = {}
    for reach in _reaches(view, anchor, intent, budget, upstream=upstream) if most else ():
        for index in range(len(reach)):
            find = _found(view, reach.path(index), intent, upstream=upstream)
            if find.node not in found or found[find.node].worth < find.worth:
                found[find.node] = find
    finds = sorted(found.values(), key=lambda f: (-f.worth, len(f.path.edges), f.node))
    view.fetch(f.path for f in finds[:most])
    shown = islice((f for f in finds if not view.is_list_of_sources(f.node)), most)
    nodes = [_node(view, f.node, view.path(f.path), f.kind, f.worth) for f in shown]
    return tuple(
        sorted(
            nodes,
            key=lambda n: (n.kind is not _K.PREREQUISITE, n.depth, -n.priority, n.atom_id),
        )
    )


def _reaches(
    view: NoteView, anchor: int, intent: Intent, budget: Budget, *, upstream: bool
) -> Iterator[Reach]:
    go = view.dag.predecessors if upstream else view.dag.successors
    most = budget.edge_fetch_limit
    ordered = view.over(ORDERING, ordered=True)
    yield go(anchor, ordered, depth=budget.path_edges, most=most)
    beside = frozenset(_K) - ORDERING
    if intent is not Intent.COMPARE:
        beside -= SYMMETRIC  # what differs or is alike comes neither before nor after
    yield go(anchor, view.over(beside), depth=1, most=most)


def _found(view: NoteView, path: Path, intent: Intent, *, upstream: bool) -> _Find:
    arrays, edges = view.dag.arrays, list(path.edges)
    kind = KINDS[int(arrays.kind[edges[-1 if upstream else 0]])]
    worth = priority(intent, kind) + _CERTAINTY * view.dag.certainty(path)
    worth += _FACT * (not arrays.inferred[edges].any()) - _FARTHER * (len(edges) - 1)
    return _Find(path.nodes[0 if upstream else -1], path, kind, worth)


def _node(
    view: NoteView, node: int, via: ConnectionPath, kind: RelationKind, worth: float
) -> WindowNode:
    atom = view.atom(node)
    return WindowNode(
        atom_id=atom.id,
        document_id=atom.document_id,
        title=atom.document_title,
        depth=via.length,
        kind=kind,
        provenance=provenance_of(via),
        path_confidence=via.path_confidence,
        priority=round(worth, 6),
        via=via,
    )


def learning_order(
    view: NoteView, anchor: int, intent: Intent, budget: Budget
) -> tuple[WindowNode, ...]:
    """What to know first, in topological order, the anchor last; empty if nothing is known.

    As many prerequisites as a path has edges: the nearest, then the surest. To explain a
    thing one is enough.
    """
    if intent not in _LEARNING | _EXPLAINING:
        return ()
    most = budget.path_edges if intent in _LEARNING else 1
    steps = _steps(view, anchor, view.over({_K.PREREQUISITE}, ordered=True), budget, most)
    if not steps and intent in _LEARNING:
        kinds = {_K.PREREQUISITE, _K.SEQUENCE}
        steps = _steps(view, anchor, view.over(kinds, ordered=True), budget, most)
    if not steps:
        return ()
    order = [_learning_node(view, steps[node], intent) for node in view.dag.in_order(steps)]
    return (*order, _learning_node(view, Path((anchor,), ()), intent))


def steps_before(
    view: NoteView, anchor: int, shown: Collection[AtomId], intent: Intent, budget: Budget
) -> int:
    """How many notes are to be known before those of a learning order, and are not in it."""
    if intent not in _LEARNING or not shown:
        return 0
    kinds = {_K.PREREQUISITE}
    walk = view.over(kinds, ordered=True)
    reach = view.dag.predecessors(anchor, walk, depth=_FARTHEST, most=budget.edge_fetch_limit)
    if not len(reach):
        walk = view.over({_K.PREREQUISITE, _K.SEQUENCE}, ordered=True)
        reach = view.dag.predecessors(
            anchor, walk, depth=_FARTHEST, most=budget.edge_fetch_limit
        )
    nodes = [n for n in reach.nodes.tolist() if not view.is_list_of_sources(n)]
    return sum(atom.id not in shown for atom in view.atoms(nodes))


def _steps(
    view: NoteView, anchor: int, walk: Walk, budget: Budget, most: int
) -> dict[int, Path]:
    reach = view.dag.predecessors(
        anchor, walk, depth=budget.path_edges, most=budget.edge_fetch_limit
    )
    paths = {node: reach.path(index) for index, node in enumerate(reach.nodes.tolist())}
    sure = {node: view.dag.certainty(path) for node, path in paths.items()}
    nearest = sorted(paths, key=lambda n: (len(paths[n].edges), -sure[n], n))
    view.fetch(paths[node] for node in nearest[:most])
    kept = islice((node for node in nearest if not view.is_list_of_sources(node)), most)
    return {node: paths[node] for node in kept}


def _learning_node(view: NoteView, path: Path, intent: Intent) -> WindowNode:
    via = view.path(path)
    kind = via.edges[-1].kind if via.edges else _K.PREREQUISITE
    worth = priority(intent, kind) + _CERTAINTY * via.path_confidence
    return _node(view, path.nodes[0], via, kind, worth)
