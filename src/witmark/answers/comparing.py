"""Two things side by side: what each is, and where the graph says they meet and part."""

from collections.abc import Sequence

from witmark.answers import phrases
from witmark.answers.aging import document_of
from witmark.answers.answer import DraftSentence
from witmark.answers.atoms import AtomId, KnowledgeAtom
from witmark.answers.defining import defining, is_about_itself, mentions, names_of
from witmark.answers.drafting import Sheet
from witmark.answers.edges import RelationKind
from witmark.answers.expecting import contrasts
from witmark.answers.picking import Sentence
from witmark.answers.sentences import is_complete

_SIDES = 2
_BRANCHES = ((RelationKind.CONTRAST, "contrast"), (RelationKind.ANALOGY, "analogy"))


def comparison(sheet: Sheet) -> list[DraftSentence]:
    """Draft one sentence for each side and one about both; nothing without two sides."""
    sides = _sides(sheet)
    if len(sides) < _SIDES:
        return []
    said = [_side(sheet, atom, sides) for atom in sides]
    quoted = [sheet.quote(one) for one in said if one is not None]
    stated = _meeting(sheet, sides)
    return [*quoted, *stated[: sheet.pack.budget.graph_statements]] if quoted or stated else []


def _sides(sheet: Sheet) -> list[KnowledgeAtom]:
    """The two notes the question names, or one and what the notes set beside it."""
    shared = sheet.pack.comparison
    known = {node.atom.id: node.atom for node in sheet.pack.support}
    if sheet.pack.anchor is not None:
        known[sheet.pack.anchor.id] = sheet.pack.anchor
    sides = {known[one].document_id: known[one] for one in shared.sides if one in known}
    named = {hit.document_id for hit in sheet.plan.alias_hits} & sides.keys()
    related = any(kind in shared.branch_kinds for kind, _ in _BRANCHES)
    if len(named) < _SIDES and not (named and related):
        return []
    return list(sides.values())[:_SIDES]


def _side(sheet: Sheet, atom: KnowledgeAtom, sides: Sequence[KnowledgeAtom]) -> Sentence | None:
    """The sentence that sets a thing off from the other and names both, or its definition."""
    pool = sheet.in_one_language(sheet.of_document(atom.document_id))
    mine = _names(sheet, atom)
    others = [n for side in sides if side is not atom for n in _names(sheet, side)]
    for one in pool:
        if (
            contrasts(one.text)
            and is_complete(one.text)
            and not is_about_itself(one.text)
            and any(mentions(one.text, name) for name in mine)
            and any(mentions(one.text, name) for name in others)
        ):
            return one
    definition = defining(pool, mine, sheet.language, sheet.stock.headings_over)
    return definition or next(
        (
            one
            for one in pool
            if is_complete(one.text) and any(mentions(one.text, n) for n in mine)
        ),
        None,
    )


def _names(sheet: Sheet, atom: KnowledgeAtom) -> tuple[str, ...]:
    hits = [h.surface for h in sheet.plan.alias_hits if h.document_id == atom.document_id]
    return names_of(atom, hits)


def _meeting(sheet: Sheet, sides: Sequence[KnowledgeAtom]) -> list[DraftSentence]:
    """What the graph says of both, the most telling first."""
    shared, language = sheet.pack.comparison, sheet.language
    names = phrases.listed(language, [sheet.name_of(side) for side in sides])
    common = dict(shared.nearest_common_ancestors)
    kinds = [key for kind, key in _BRANCHES if kind in shared.branch_kinds]
    key = "_".join([*(["common"] if common else []), *kinds[:1]])
    origins = [sheet.called(document_of(at), title) for at, title in common.items()]
    items = phrases.listed(language, list(dict.fromkeys(origins))) if common else ""
    texts = [phrases.say(language, key, sides=names, items=items)] if key else []
    about = [side.document_id for side in sides]
    meant = {side.id for side in sides} | common.keys()
    edges = [
        name
        for one in sheet.pack.relations
        if {one.source, one.target} <= meant and one.kind is not RelationKind.REFERENCE
        for name in one.edge_ids
    ]
    about_all = [*about, *map(document_of, common)]
    said = [sheet.state(text, about_all, edges=edges) for text in texts]
    if apart := _apart(sheet, sides):
        said.append(sheet.state(apart, about))
    return [one for one in said if one is not None]


def _apart(sheet: Sheet, sides: Sequence[KnowledgeAtom]) -> str:
    """Where each side leads on to, when they lead to different things."""
    one, other = sides
    after = {side.id: _successors(sheet, side.id) for side in sides}
    if after[one.id] and after[other.id]:
        return phrases.say(
            sheet.language,
            "apart",
            one=sheet.name_of(one),
            ones=after[one.id],
            other=sheet.name_of(other),
            others=after[other.id],
        )
    for side in sides:
        if after[side.id]:
            return phrases.say(
                sheet.language, "one_leads_on", one=sheet.name_of(side), ones=after[side.id]
            )
    return ""


def _successors(sheet: Sheet, side: AtomId) -> str:
    """Titles of what follows one side, as one enumeration; empty if nothing does."""
    found = [
        sheet.called(document_of(after), title)
        for at, after, title, kind in sheet.pack.comparison.divergent
        if at == side and kind is not RelationKind.REFERENCE
    ]
    titles = list(dict.fromkeys(found))[:2]
    return phrases.listed(sheet.language, titles) if titles else ""
