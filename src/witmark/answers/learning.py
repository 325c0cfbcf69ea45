"""How to learn something: what comes first, said in one sentence.

The order is the pack's topological order; nothing is sorted here. What rests on an inferred
edge says so, with the ground and how sure it is, because a wrong order costs the learner days.
"""

from collections.abc import Sequence

from witmark.answers import phrases
from witmark.answers.aging import document_of
from witmark.answers.answer import DraftSentence
from witmark.answers.atoms import EdgeId
from witmark.answers.drafting import Sheet
from witmark.answers.edges import ORDERING, Provenance, RelationKind
from witmark.answers.graph_gates import broken_edge
from witmark.answers.pack import WindowNode

_LOW, _HIGH = 0.45, 0.75
_ENDS = 2
_MOST_STEPS, _MOST_NEXT = 6, 2


def order(sheet: Sheet) -> list[DraftSentence]:
    """Draft what to learn before the anchor, and what to go on to after it."""
    anchor = sheet.pack.anchor
    if anchor is None:
        return []
    before = [n for n in sheet.pack.learning_order if n.document_id != anchor.document_id]
    known = _distinct(before)
    before = known[-(_MOST_STEPS - 1) :]
    left_out = len(known) - len(before) + sheet.pack.steps_before
    after = _distinct(
        [
            n
            for n in sheet.pack.successors
            if _leads_on(n) and n.document_id != anchor.document_id
        ]
    )
    after = [n for n in after if not sheet.ages.is_stale(n.document_id)][:_MOST_NEXT]
    name = sheet.name_of(anchor)
    if before:
        text = _order(sheet, before, name, left_out)
    else:
        text = phrases.say(sheet.language, "no_prerequisite", name=name)
    about = [*(n.document_id for n in before), anchor.document_id]
    said = [sheet.state(text, about, edges=_edges(before))]
    if circle := _circle(sheet):
        said = [*(said if before else []), *circle]
    if after:
        items = phrases.listed(
            sheet.language, [sheet.called(n.document_id, n.title) for n in after]
        )
        text = phrases.say(sheet.language, "next_step", name=name, items=items)
        about = [*(n.document_id for n in after), anchor.document_id]
        said.append(sheet.state(text, about, edges=_edges(after)))
    return [sentence for sentence in said if sentence is not None]


def _circle(sheet: Sheet) -> list[DraftSentence]:
    """That two notes ask for one another, if the pack holds the edge left out for it."""
    broken, pack = broken_edge(sheet.pack), sheet.pack
    if broken is None:
        return []
    titles = {node.atom.document_id: node.atom.document_title for node in pack.support}
    for node in (*pack.predecessors, *pack.successors, *pack.learning_order):
        titles[node.document_id] = node.title
    if pack.anchor is not None:
        titles[pack.anchor.document_id] = pack.anchor.document_title
    ends = list(dict.fromkeys(document_of(atom) for atom in broken[1:]))
    if len(ends) != _ENDS or any(end not in titles for end in ends):
        return []
    names = phrases.listed(sheet.language, [sheet.called(end, titles[end]) for end in ends])
    text = phrases.say(sheet.language, "circle", items=names)
    said = sheet.state(text, ends, edges=broken[:1])
    return [] if said is None else [said]


def _edges(nodes: Sequence[WindowNode]) -> list[EdgeId]:
    return list(dict.fromkeys(edge.edge_id for node in nodes for edge in node.via.edges))


def _order(sheet: Sheet, before: Sequence[WindowNode], name: str, left_out: int) -> str:
    first, *middle = [sheet.called(node.document_id, node.title) for node in before]
    language = sheet.language
    if left_out:
        joined = phrases.listed_in_order(language, [first, *middle])
        key = "order_later" if left_out > 1 else "order_later_one"
        text = phrases.say(language, key, count=str(left_out), middle=joined, last=name)
    elif not middle:
        text = phrases.say(language, "order_two", first=first, last=name)
    else:
        key = "order_three" if len(middle) == 1 else "order_many"
        joined = phrases.listed_in_order(language, middle)
        text = phrases.say(language, key, first=first, middle=joined, last=name)
    if guessed := [node for node in before if _is_inferred(node)]:
        aside = _aside(sheet, guessed)
        return phrases.with_aside(language, text, aside)
    return text


def _aside(sheet: Sheet, guessed: Sequence[WindowNode]) -> str:
    language = sheet.language
    weakest = min(guessed, key=lambda node: (node.path_confidence, node.atom_id))
    mentioned = any(e.kind is RelationKind.REFERENCE for n in guessed for e in n.via.edges)
    return phrases.say(
        language,
        "order_inferred",
        who=phrases.listed(language, [sheet.called(n.document_id, n.title) for n in guessed]),
        ground=phrases.say(language, "mention" if mentioned else "import"),
        degree=phrases.say(language, _degree(weakest.path_confidence)),
    )


def _degree(path_confidence: float) -> str:
    return "low" if path_confidence < _LOW else "fair" if path_confidence < _HIGH else "high"


def _is_inferred(node: WindowNode) -> bool:
    return node.provenance is Provenance.INFERRED or any(
        edge.provenance is Provenance.INFERRED for edge in node.via.edges
    )


def _leads_on(node: WindowNode) -> bool:
    return node.kind in ORDERING or node.kind is RelationKind.APPLICATION


def _distinct(nodes: Sequence[WindowNode]) -> list[WindowNode]:
    """One node per note: two sections of one note are one thing to learn."""
    return list({node.document_id: node for node in reversed(nodes)}.values())[::-1]
