"""Where the things compared meet and where they part, as the graph has it."""

from collections.abc import Sequence
from itertools import islice

from witmark.answers.asking import Intent
from witmark.answers.atoms import AtomId
from witmark.answers.budget import Budget
from witmark.answers.edges import ORDERING, RelationKind
from witmark.answers.note_view import NoteView
from witmark.answers.pack import Comparison
from witmark.answers.windows import priority

NO_COMPARISON = Comparison((), (), (), ())
MOST_ANCESTORS = 3
_KINDS = tuple(RelationKind)


def compare(view: NoteView, sides: Sequence[int], budget: Budget) -> Comparison:
    """Compare notes by their place in the graph.

    Args:
        view: The graph.
        sides: The notes, in the order of the question.
        budget: How far upstream to look, and how many successors of a side to tell.
    """
    names = tuple(atom.id for atom in view.atoms(list(sides)))
    if len(sides) < 2:
        return Comparison(names, (), (), ())
    kinds = {view.kind(edge) for edge in view.dag.between(sides, view.walk)}
    return Comparison(
        sides=names,
        nearest_common_ancestors=_common(view, sides, budget),
        branch_kinds=tuple(
            sorted(kinds, key=lambda k: (-priority(Intent.COMPARE, k), _KINDS.index(k)))
        ),
        divergent=tuple(
            branch for side in sides for branch in _divergent(view, side, sides, budget)
        ),
    )


def _common(
    view: NoteView, sides: Sequence[int], budget: Budget
) -> tuple[tuple[AtomId, str], ...]:
    """What both sides build on, by relations that order; a mere mention is no origin."""
    orders = view.over(ORDERING, ordered=True)
    met = view.dag.nearest_common_ancestors(sides[0], sides[1], orders, depth=budget.path_edges)
    apart = [n for n in met if n not in sides and not view.is_list_of_sources(n)]
    atoms = view.atoms(apart[:MOST_ANCESTORS])
    return tuple((atom.id, atom.document_title) for atom in atoms)


def _divergent(
    view: NoteView, side: int, sides: Sequence[int], budget: Budget
) -> list[tuple[AtomId, AtomId, str, RelationKind]]:
    """What one side leads to and no other does, the most telling relations first."""
    most = budget.edge_fetch_limit
    others = {
        node
        for other in sides
        if other != side
        for node in view.dag.successors(other, view.walk, depth=1, most=most).nodes.tolist()
    }
    reach = view.dag.successors(side, view.walk, depth=1, most=most)
    found = []
    for index, node in enumerate(reach.nodes.tolist()):
        if node not in others and node not in sides:
            path = reach.path(index)
            kind = view.kind(path.edges[0])
            worth = -priority(Intent.COMPARE, kind), -view.dag.certainty(path)
            found.append((*worth, node, kind))
    told = islice(
        (f for f in sorted(found) if not view.is_list_of_sources(f[2])), budget.successors
    )
    return [
        (view.atom(side).id, view.atom(node).id, view.atom(node).document_title, kind)
        for *_, node, kind in told
    ]
