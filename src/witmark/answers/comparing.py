"""Two things side by side: what each is, and where the graph says they meet and part."""

import re
from collections.abc import Sequence

from witmark.answers import phrases
from witmark.answers.aging import document_of
from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.asking import Subject
from witmark.answers.atoms import AtomId, KnowledgeAtom
from witmark.answers.defining import (
    defining,
    is_about_itself,
    mentions,
    names_of,
    names_whole,
)
from witmark.answers.drafting import Sheet
from witmark.answers.edges import RelationKind
from witmark.answers.expecting import contrasts
from witmark.answers.headings import is_section_of
from witmark.answers.notes import BlockKind
from witmark.answers.picking import Sentence
from witmark.answers.sentences import is_complete
from witmark.answers.telling import tells

_SIDES = 2
_COMPARES = re.compile(
    r"区别|區別|对比|對比|比较|比較|差异|差異|差别|不同|异同|还是"
    r"|\b(?:vs|versus|or|compar\w*|differ\w*|than)\b",
    re.IGNORECASE,
)
_BRANCHES = ((RelationKind.CONTRAST, "contrast"), (RelationKind.ANALOGY, "analogy"))


def comparison(sheet: Sheet) -> list[DraftSentence]:
    """Draft one sentence for each side and one about both; nothing without two sides.

    A section that sets the very sides apart says it best; sides may be sections of one note.
    When only one of two sides is told of, that is said.
    """
    if said := _set_apart(sheet, surely=True):
        return said
    sides = _sides(sheet)
    if len(sides) < _SIDES or len(sheet.plan.subjects) > _SIDES:
        return _by_name(sheet) or _set_apart(sheet)
    told = [_side(sheet, atom, sides) for atom in sides]
    quoted = [sheet.quote(one) for one in told if one is not None]
    stated = _meeting(sheet, sides)
    return [*quoted, *stated[: sheet.pack.budget.graph_statements]] if quoted or stated else []


def _set_apart(sheet: Sheet, *, surely: bool = False) -> list[DraftSentence]:
    """What a section says whose heading names all the sides."""
    names = [subject.text for subject in sheet.plan.subjects]
    if len(names) < _SIDES:
        return []
    paths = {sheet.stock.section_over(f): f.span.document_id for f in sheet.stock.fragments}
    fitting = [
        (path, document)
        for path, document in paths.items()
        if sets_apart(path, names) and (not surely or _COMPARES.search(path[-1]))
    ]
    fitting.sort(key=lambda one: (not _COMPARES.search(one[0][-1]), len(one[0][-1])))
    for path, document in fitting:
        here = [
            one
            for one in sheet.in_one_language(sheet.of_document(document))
            if sheet.stock.section_over(one.fragment) == path
        ]
        said = [
            one
            for one in here
            if tells(one)
            and one.kind is not BlockKind.TABLE_ROW
            and not is_about_itself(one.text)
        ]
        if said:
            kinds = (SentenceKind.DIRECT, SentenceKind.RATIONALE)
            quoted = [one for one in said if one.kind is not BlockKind.CALLOUT][:_SIDES]
            return [sheet.quote(o, k) for o, k in zip(quoted, kinds, strict=False)]
    return []


def sets_apart(path: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a section's own heading names all of some things; one alone is none."""
    return len(path) > 1 and all(names_whole(path[-1], name) for name in names)


def _by_name(sheet: Sheet) -> list[DraftSentence]:
    """The sides told of by notes or sections of their names; who is missing is said."""
    told: list[tuple[str, Sentence | None]] = [
        (subject.text, _of_subject(sheet, subject)) for subject in sheet.plan.subjects
    ]
    if len(told) < _SIDES or not any(one for _, one in told):
        return []
    quoted = [sheet.quote(one) for _, one in told if one is not None]
    missing = [name for name, one in told if one is None]
    if len(missing) > 1 or (missing and is_known(sheet, missing[0])):
        return []
    if missing:
        (one,) = [one for _, one in told if one is not None][:1]
        names = phrases.listed(sheet.language, missing)
        text = phrases.say(sheet.language, "no_side", name=names)
        quoted = [*quoted[:_SIDES], sheet.join(text, [one], SentenceKind.RATIONALE)]
    return quoted


def is_known(sheet: Sheet, name: str) -> bool:
    """Whether the pack speaks of a thing at all."""
    return any(names_whole(one.text, name) for one in sheet.stock.all)


def _of_subject(sheet: Sheet, subject: Subject) -> Sentence | None:
    """What a note of this name says it is, or else what a section of this name begins with."""
    nodes = [node.atom for node in sheet.pack.support]
    nodes += [sheet.pack.anchor] if sheet.pack.anchor is not None else []
    known = {atom.document_id: atom for atom in nodes}
    for hit in subject.hits:
        pool = sheet.in_one_language(sheet.of_document(hit.document_id))
        names: tuple[str, ...] = (subject.text, hit.surface)
        if hit.document_id in known:
            names = names_of(known[hit.document_id], names)
        if (
            one := defining(pool, names, sheet.language, sheet.stock.headings_over)
        ) is not None:
            return one
    named = [
        one
        for one in sheet.in_one_language(sheet.stock.all)
        if is_section_of(sheet.stock.section_over(one.fragment), subject.text)
        and tells(one)
        and not is_about_itself(one.text)
    ]
    defined = defining(named, (subject.text,), sheet.language, sheet.stock.headings_over)
    return defined or next(iter(named), None)


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
    if before := _one_before(sheet, sides):
        said.insert(0, before)
    if apart := _apart(sheet, sides):
        said.append(sheet.state(apart, about))
    return [one for one in said if one is not None]


def _one_before(sheet: Sheet, sides: Sequence[KnowledgeAtom]) -> DraftSentence | None:
    """That one side is to be known before the other, if a note says so."""
    at = {side.id: side for side in sides}
    for one in sheet.pack.relations:
        ends = one.source in at and one.target in at and one.source != one.target
        if ends and one.kind is RelationKind.PREREQUISITE:
            first, then = at[one.source], at[one.target]
            text = phrases.say(
                sheet.language,
                "builds_on",
                name=sheet.name_of(then),
                first=sheet.name_of(first),
            )
            return sheet.state(text, [s.document_id for s in sides], edges=one.edge_ids)
    return None


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
