"""The five gates about the graph: order, branches, time, fallback, budget.

Each reads the pack and nothing else of the graph; the limits are those of the pack's own
budget, the one it was built under, with paths counted in edges.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from witmark.answers.answer import Draft, SentenceKind
from witmark.answers.asking import Intent, QueryPlan
from witmark.answers.atoms import AtomId, DocumentId, EdgeId
from witmark.answers.budget import Budget
from witmark.answers.claims import first_places
from witmark.answers.edges import SYMMETRIC, RelationKind
from witmark.answers.pack import GraphContextPack, WindowNode
from witmark.answers.pack_facts import (
    document_edges,
    document_of,
    facts_of,
    path_edges,
    paths_of,
    validities,
)
from witmark.kernel.gate import Check, Outcome

_ORDERED = frozenset({RelationKind.PREREQUISITE, RelationKind.SEQUENCE})
_EXPLAINING = frozenset({Intent.WHAT, Intent.WHY})
_LEARNING = frozenset({Intent.LEARN, Intent.HOW_TO})


def graph_prerequisite_order(plan: QueryPlan, pack: GraphContextPack, draft: Draft) -> Check:
    """What comes before the anchor stands in the order of its edges, here and in the draft.

    Needed when the question is how to learn or do, and for an explanation as soon as the
    pack holds a prerequisite of the anchor. That the upstream nodes exist is not enough:
    every path must be a chain of its own edges, every window node must lead to the anchor,
    the learning order must agree with every ordering edge in the pack (those that close a
    cycle aside), and a draft that names its steps must name them in that order.
    Undetermined when the graph knows nothing upstream of the anchor.
    """
    name = "graph_prerequisite_order"
    upstream = [n for n in pack.predecessors if n.kind in _ORDERED]
    signal = any(n.kind is RelationKind.PREREQUISITE for n in pack.predecessors)
    signal = signal or bool(pack.learning_order)
    if plan.intent not in _LEARNING and not (plan.intent in _EXPLAINING and signal):
        return checked(name, True, "not needed for this question")
    if not upstream and not pack.learning_order:
        because = "the graph knows nothing upstream of it" + _circle(pack)
        return Check(name, Outcome.UNDETERMINED, because)
    for fault in _order_faults(plan, pack, draft):
        return checked(name, False, fault)
    return checked(name, True, f"{len(upstream)} upstream nodes stand in order{_circle(pack)}")


def _circle(pack: GraphContextPack) -> str:
    circle = broken_edge(pack)
    if circle is None:
        return ""
    return f"; {circle[1]} before {circle[2]} closes a circle and is left out"


def broken_edge(pack: GraphContextPack) -> tuple[EdgeId, AtomId, AtomId] | None:
    """An edge that closes a circle and is left out of the order, with its ends."""
    broken = set(pack.diagnostics.order_broken_by)
    for edge in path_edges(pack) if broken else ():
        if edge.edge_id in broken:
            return edge.edge_id, edge.source, edge.target
    for one in pack.relations if broken else ():
        for name in sorted(broken.intersection(one.edge_ids)):
            return name, one.source, one.target
    return None


def _order_faults(plan: QueryPlan, pack: GraphContextPack, draft: Draft) -> Iterator[str]:
    yield from _broken_chains(pack)
    anchor = None if pack.anchor is None else pack.anchor.id
    for node in pack.predecessors:
        if anchor is None or not _leads_to(node, anchor):
            yield f"{node.title} is upstream of nothing shown"
    prerequisites = [n for n in pack.predecessors if n.kind is RelationKind.PREREQUISITE]
    if plan.intent is Intent.LEARN and prerequisites and not pack.learning_order:
        yield "prerequisites are known, but not put in order"
    order = [node.atom_id for node in pack.learning_order]
    if order and order[-1] != anchor:
        yield "the order does not end at what was asked about"
    yield from _against_edges(order, pack)
    yield from _draft_against(order, plan, pack, draft)


def _broken_chains(pack: GraphContextPack) -> Iterator[str]:
    for path in paths_of(pack):
        steps = tuple((edge.source, edge.target) for edge in path.edges)
        chain = tuple(pairwise(path.atom_ids))
        if steps != chain:
            yield f"the path {' → '.join(path.titles)} is not a chain of its edges"


def _leads_to(node: WindowNode, anchor: AtomId) -> bool:
    ends = node.via.atom_ids[-1:] == (anchor,) and node.via.atom_ids[:1] == (node.atom_id,)
    return ends and node.depth == node.via.length


def ordering_pairs(pack: GraphContextPack) -> Iterator[tuple[AtomId, AtomId]]:
    """Which atom comes before which, by the edges in the pack that keep the order."""
    broken = set(pack.diagnostics.order_broken_by)
    for edge in path_edges(pack):
        if edge.kind in _ORDERED and edge.edge_id not in broken:
            yield edge.source, edge.target
    for one in pack.relations:
        if one.kind in _ORDERED and not broken.intersection(one.edge_ids):
            yield one.source, one.target


def _against_edges(order: Sequence[AtomId], pack: GraphContextPack) -> Iterator[str]:
    place = {atom: at for at, atom in enumerate(order)}
    for before, after in ordering_pairs(pack):
        if before in place and after in place and place[before] >= place[after]:
            yield f"{before} stands after {after}, against its edge"


def _draft_against(
    order: Sequence[AtomId], plan: QueryPlan, pack: GraphContextPack, draft: Draft
) -> Iterator[str]:
    """The steps that one sentence names follow the order; the anchor may stand anywhere.

    A note that stands in the order more than once may be named at any of its places.
    """
    facts = facts_of(plan, pack)
    places: dict[DocumentId, list[int]] = {}
    for rank, atom in enumerate(order):
        places.setdefault(facts.one(document_of(atom)), []).append(rank)
    if pack.anchor is not None:
        places.pop(facts.one(pack.anchor.document_id), None)
    for sentence in draft.sentences:
        if sentence.kind is SentenceKind.GRAPH:
            at = first_places(sentence.text, facts.names, places)
            named = sorted((step for step in places if step in at), key=lambda step: at[step])
            if any(min(places[a]) > max(places[b]) for a, b in pairwise(named)):
                yield f"the draft names the steps in another order: {sentence.text!r}"


def graph_comparison_branch(plan: QueryPlan, pack: GraphContextPack) -> Check:
    """A comparison shows a contrast or an analogy between its sides, or two branches.

    A branch is a side with an onward relation of its own that is more than a reference:
    two notes that mention one another are not yet compared.
    """
    name = "graph_comparison_branch"
    if plan.intent is not Intent.COMPARE:
        return checked(name, True, "not a comparison")
    sides = {document_of(side) for side in pack.comparison.sides}
    between = any(
        kind in SYMMETRIC and {a, b} <= sides and a != b for a, b, kind in document_edges(pack)
    )
    if between:
        return checked(name, True, "the sides are joined by a contrast or an analogy")
    branches = {
        document_of(side)
        for side, _, _, kind in pack.comparison.divergent
        if kind is not RelationKind.REFERENCE
    }
    found = len(branches & sides)
    return checked(name, found >= 2, f"{found} branches beyond references")


def graph_temporal_warning(pack: GraphContextPack) -> Check:
    """Every node shown that is stale, replaced or replacing is spoken of in a warning."""
    warned = {detail.atom_id for detail in pack.temporal_warnings}
    warned |= {detail.other_atom_id for detail in pack.temporal_warnings}
    notes = {document_of(atom_id) for atom_id in warned if atom_id}
    for atom, validity in validities(pack):
        touched = not validity.is_valid or any(
            d.reason in {"superseded", "supersedes"} for d in validity.details
        )
        if touched and atom.document_id not in notes:
            return checked(
                "graph_temporal_warning", False, f"no warning about {atom.document_title}"
            )
    return checked("graph_temporal_warning", True, f"{len(pack.temporal_warnings)} warnings")


def graph_op_fallback(pack: GraphContextPack) -> Check:
    """The graph could be asked, or the pack says that it was not, and why."""
    told = pack.diagnostics
    holds = told.graph_ops_available or (told.used_fallback and bool(told.fallback_because))
    because = "the graph was asked" if told.graph_ops_available else told.fallback_because
    return checked("graph_op_fallback", holds, because or "no graph, and nobody says so")


def graph_budget(pack: GraphContextPack) -> Check:
    """Nothing exceeds the budget the pack was built under; paths are counted in edges."""
    for what, found, limit in _sizes(pack, pack.budget):
        if found > limit:
            return checked("graph_budget", False, f"{found} {what}, the limit is {limit}")
    return checked("graph_budget", True, "within every limit")


def _sizes(pack: GraphContextPack, budget: Budget) -> Iterator[tuple[str, int, int]]:
    longest = max((path.length for path in paths_of(pack)), default=0)
    fragment = max((len(one.text) for one in pack.fragments), default=0)
    yield "edges in a path", longest, budget.path_edges
    yield "support nodes", len(pack.support), budget.support_nodes
    yield "paths", len(pack.paths), budget.support_nodes
    yield "nodes upstream", len(pack.predecessors), budget.predecessors
    yield "nodes downstream", len(pack.successors), budget.successors
    yield "fragments", len(pack.fragments), budget.max_fragments
    yield "code points in a fragment", fragment, budget.max_fragment_chars
    yield (
        "code points in all fragments",
        sum(len(one.text) for one in pack.fragments),
        budget.max_total_chars,
    )
    yield "evidence refs", len(pack.evidence_refs), budget.evidence_refs


def checked(name: str, holds: bool, because: str) -> Check:
    """Make a check of a yes or no and the reason for it."""
    return Check(name, Outcome.HOLDS if holds else Outcome.FAILS, because)
