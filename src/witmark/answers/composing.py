"""The embedded composer: answers in sentences of the notes, joined by a fixed grammar.

It sees the plan and the pack and nothing else, needs no model, and never leaves its limits:
so many sentences, so many of them about the graph, both from the pack's own budget. What the
question wants decides who drafts; when that finds nothing, the sentences that match best do.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from witmark.answers import phrases
from witmark.answers.aligning import Beyond, is_short_name
from witmark.answers.answer import Draft, DraftSentence, SentenceKind
from witmark.answers.asking import Intent, MissReason, QueryPlan
from witmark.answers.atoms import KnowledgeAtom
from witmark.answers.cells import cells_asked
from witmark.answers.comparing import comparison
from witmark.answers.defining import (
    NAMED,
    SAID,
    asked_names,
    defining,
    mentions,
    names_of,
)
from witmark.answers.drafting import Sheet
from witmark.answers.edges import Provenance, RelationKind
from witmark.answers.expecting import Expected, asks_what_is_not, expected
from witmark.answers.learning import order
from witmark.answers.pack import GraphContextPack
from witmark.answers.picking import (
    Sentence,
    content_tokens,
    tokens_of,
)
from witmark.answers.sections import decided
from witmark.answers.sentences import is_complete
from witmark.answers.stating import limit_edge, title_edge
from witmark.answers.stepping import listing, steps
from witmark.answers.telling import facts, is_redirect
from witmark.kernel.evidence import Basis

_NEAREST_TITLES = 3


class EmbeddedComposer:
    """The ``Composer`` that is always there."""

    name = "embedded"

    def compose(self, plan: QueryPlan, pack: GraphContextPack) -> Draft:
        """Draft an answer in complete sentences, each resting on fragments of the pack.

        Nothing is drafted when no sentence of the pack shares anything with the question.
        """
        if asks_what_is_not(plan.question):
            return Draft(())
        sheet = Sheet(plan, pack)
        draft = _DRAFTERS.get(plan.intent, _facts)
        is_what = plan.intent is Intent.WHAT and asks_by_name(sheet)
        sentences = cells_asked(sheet) or (draft(sheet) if is_what else [])
        sentences = sentences or decided(sheet) or (draft(sheet) if not is_what else [])
        if not sentences and plan.intent not in _ALONE:
            sentences = _facts(sheet)
        return Draft(within_limits(sheet, _distinct([*sentences, *_moved(sheet, sentences)])))


def abstention(
    plan: QueryPlan, nearest_titles: Sequence[str], miss: MissReason
) -> DraftSentence:
    """Say that the notes do not answer, and which come nearest."""
    language = phrases.ZH if plan.language == phrases.ZH else phrases.EN
    named = next((plan.question[h.start : h.end] for h in plan.alias_hits), "")
    if miss in _MISSES or not named:
        said = phrases.say(language, _MISSES.get(miss, "not_there"))
    else:
        is_what = plan.intent is Intent.WHAT and Beyond.of(plan, [named]).is_empty
        key = "not_said" if is_what else "not_about"
        said = phrases.say(language, key, name=named)
    titles = list(dict.fromkeys(nearest_titles))[:_NEAREST_TITLES]
    if titles:
        key = "nearest" if len(titles) > 1 else "nearest_one"
        items = phrases.listed(language, titles)
        said = phrases.paragraph([said, phrases.say(language, key, items=items)])
    return DraftSentence(said, SentenceKind.ABSTENTION, Basis.OBSERVED, ())


_MISSES = {
    MissReason.EMPTY_STORE: "nothing_yet",
    MissReason.WORKSPACE_NOT_FOUND: "not_here",
    MissReason.WORKSPACE_UNBOUND: "nothing_yet",
    MissReason.SCOPE_HAS_NO_INDEXED_SEGMENTS: "out_of_scope",
}


# What is X? ---------------------------------------------------------------------------


def _what(sheet: Sheet) -> list[DraftSentence]:
    about = _subject(sheet)
    if about is None:
        return []
    if expected(sheet.plan.question) is Expected.PURPOSE:
        return _facts(sheet, Expected.PURPOSE)
    if _asks_for_definition(sheet, about):
        names = _names(sheet, about)
        told = _told_of(sheet, about)
        definition = (
            _definition(sheet, told, names, at_least=SAID)
            or _definition(sheet, sheet.stock.all, names, at_least=NAMED)
            or _definition(sheet, told, names)
        )
        if definition is not None:
            is_its_own = definition.fragment.span.document_id == about.document_id
            has_first = about is sheet.pack.anchor and is_its_own
            first = _prerequisite(sheet, about, definition) if has_first else []
            return [sheet.quote(definition), *first]
    else:
        names = tuple(subject.text for subject in sheet.plan.subjects)
    definition = _definition(sheet, sheet.stock.all, names, at_least=NAMED)
    if definition is not None:
        return [sheet.quote(definition)]
    return [] if asks_by_name(sheet) else _facts(sheet)


def asks_by_name(sheet: Sheet) -> bool:
    """Whether a question wants to know what a thing is, and nothing else about it.

    "The capital of France" is no name of its own; who asks for it is answered by a fact.
    """
    subjects = sheet.plan.subjects
    names = [s.hits[0].surface if s.hits else s.text for s in subjects]
    # A note that has moved bears another name than the question gives it.
    names += [sheet.plan.question[h.start : h.end] for s in subjects for h in s.hits[:1]]
    is_name = all(s.hits or is_short_name(s.text) for s in subjects)
    return is_name and Beyond.of(sheet.plan, names).is_empty


def _subject(sheet: Sheet) -> KnowledgeAtom | None:
    """What is asked about: the note that the question names best, else the anchor.

    They differ when the note that is named does not hold: the anchor then is a newer one.
    """
    known = {node.atom.document_id: node.atom for node in sheet.pack.support}
    if sheet.pack.anchor is not None:
        known[sheet.pack.anchor.document_id] = sheet.pack.anchor
    best = [h for h in sheet.plan.alias_hits if h.strength == sheet.plan.alias_hits[0].strength]
    named = [hit.document_id for hit in best]
    if named and named[0] in sheet.asked_and_overtaken():
        named = [d for d in sheet.ages.successor_of(named[0]) if d in known] or named
    if not named or (sheet.pack.anchor is not None and sheet.pack.anchor.document_id in named):
        return sheet.pack.anchor
    return known.get(named[0], sheet.pack.anchor)


def _definition(
    sheet: Sheet, pool: Sequence[Sentence], names: Sequence[str], at_least: int = 1
) -> Sentence | None:
    return defining(
        sheet.in_one_language(pool),
        names,
        sheet.language,
        sheet.stock.headings_over,
        at_least=at_least,
    )


def _told_of(sheet: Sheet, about: KnowledgeAtom) -> tuple[Sentence, ...]:
    """All of a note that the question names; else of the section alone, if it is one."""
    whole = sheet.of_document(about.document_id)
    if about.is_root or about.document_id in sheet.named:
        return whole
    return tuple(s for s in whole if s.fragment.atom_id == about.id)


def _asks_for_definition(sheet: Sheet, anchor: KnowledgeAtom) -> bool:
    """Whether nothing is asked beyond the thing's name."""
    named = {token for name in _names(sheet, anchor) for token in tokens_of(name)}
    for hit in sheet.plan.alias_hits:
        if hit.document_id == anchor.document_id:
            named.update(tokens_of(sheet.plan.question[hit.start : hit.end]))
    return not {t for t in content_tokens(sheet.plan) - named if len(t) > 1 or t.isascii()}


def _names(sheet: Sheet, anchor: KnowledgeAtom) -> tuple[str, ...]:
    older = sheet.asked_and_overtaken()
    hits = [
        h.surface
        for h in sheet.plan.alias_hits
        if h.document_id == anchor.document_id
        or (h.document_id in older and anchor.document_id in sheet.named)
    ]
    return asked_names(names_of(anchor, hits), [s.text for s in sheet.plan.subjects])


def _prerequisite(
    sheet: Sheet, anchor: KnowledgeAtom, definition: Sentence
) -> list[DraftSentence]:
    """The one thing to know first, if its author says so and the definition does not."""
    for node in sheet.pack.predecessors:
        if (
            node.kind is RelationKind.PREREQUISITE
            and node.depth == 1
            and node.provenance is Provenance.FACT
            and node.document_id != anchor.document_id
            and not mentions(definition.text, node.title)
            and not sheet.ages.is_stale(node.document_id)
        ):
            name, first = sheet.name_of(anchor), sheet.called(node.document_id, node.title)
            text = phrases.say(sheet.language, "builds_on", name=name, first=first)
            edges = [edge.edge_id for edge in node.via.edges]
            said = sheet.state(text, [anchor.document_id, node.document_id], edges=edges)
            return [] if said is None else [said]
    return []


# Is X still valid? ----------------------------------------------------------------------


def _standing(sheet: Sheet) -> list[DraftSentence]:
    anchor = sheet.pack.anchor
    if anchor is None:
        return []
    document, language = anchor.document_id, sheet.language
    edges = sheet.ages.edges_about(document)
    if sheet.ages.is_stale(document):
        text = sheet.ages.warning(document, language)
        about = [document, *sheet.ages.successor_of(document)]
        said = [sheet.state(text, about, SentenceKind.TEMPORAL, edges)]
    elif ended := _said_to_have_ended(sheet, anchor):
        said = [sheet.quote(ended)]
    else:
        name = sheet.name_of(anchor)
        is_limited = sheet.ages.is_limited(document)
        kind = SentenceKind.TEMPORAL if is_limited else SentenceKind.DIRECT
        texts = sheet.ages.standing(document, name, anchor.updated, language)
        title = () if is_limited else (title_edge(document),)
        limit = (limit_edge(document),) if sheet.ages.has_unread_limit(document) else ()
        where = (*edges, *(limit or title))
        said = [
            sheet.state(text, [document], kind, where, sheet.heading_of(document))
            for text in texts
        ]
    return [sentence for sentence in said if sentence is not None]


_ENDED = re.compile(
    r"已.{0,12}(?:终止|停用|作废|失效|过期|废止|废弃|弃用|取消|下线)|(?:终止|停用|作废|失效|废止|弃用)了|不再(?:有效|使用|适用|维护|支持)"
    r"|\b(?:(?:is|are|was|were|been|now) (?:deprecated|obsolete|expired|terminated|withdrawn"
    r"|discontinued|retired|superseded|cancelled|revoked)|no longer|(?:has|have) expired)\b",
    re.IGNORECASE,
)
_LEAD_SENTENCES = 4


def _said_to_have_ended(sheet: Sheet, anchor: KnowledgeAtom) -> Sentence | None:
    """A sentence at the note's beginning that itself says that the thing has ended."""
    names = _names(sheet, anchor)
    lead = [s for s in sheet.of_document(anchor.document_id) if is_complete(s.text)]
    for one in lead[:_LEAD_SENTENCES]:
        is_of_it = any(mentions(one.text, name) for name in names)
        if is_of_it and _ENDED.search(one.text):
            return one
    return None


# Everything else ------------------------------------------------------------------------


def _why(sheet: Sheet) -> list[DraftSentence]:
    return _facts(sheet, Expected.REASON)


def _how_to(sheet: Sheet) -> list[DraftSentence]:
    return steps(sheet) or _facts(sheet, Expected.MANNER)


def _list(sheet: Sheet) -> list[DraftSentence]:
    return listing(sheet)


def _facts(sheet: Sheet, wanted: Expected = Expected.ANYTHING) -> list[DraftSentence]:
    about = _subject(sheet)
    is_named = about is not None and about.document_id in sheet.named
    names = _names(sheet, about) if about is not None and is_named else ()
    return facts(sheet, about, names, wanted)


def _moved(sheet: Sheet, sentences: Sequence[DraftSentence]) -> list[DraftSentence]:
    """What sent the answer to another note than the question names, if something did."""
    spans = {(hit.start, hit.end) for hit in sheet.plan.alias_hits[:1]}
    quoted = {document for one in sentences for document in sheet.uses(one)}
    for hit in sheet.plan.alias_hits[1:] if quoted else ():
        if (hit.start, hit.end) in spans and hit.document_id not in quoted:
            told = [s for s in sheet.of_document(hit.document_id) if is_redirect(s)]
            if told:
                return [sheet.quote(told[0], SentenceKind.RATIONALE)]
    return []


# The limits -----------------------------------------------------------------------------


def _distinct(sentences: Sequence[DraftSentence]) -> list[DraftSentence]:
    return list({sentence.text: sentence for sentence in reversed(sentences)}.values())[::-1]


def within_limits(
    sheet: Sheet, sentences: Sequence[DraftSentence]
) -> tuple[DraftSentence, ...]:
    """Return what keeps to the budget; let no stale note be used without a word about it.

    Room for the warning is made by leaving out the last sentences.
    """
    budget = sheet.pack.budget
    kept: list[DraftSentence] = []
    for sentence in sentences:
        graph = sum(one.kind is SentenceKind.GRAPH for one in kept)
        if sentence.kind is SentenceKind.GRAPH and graph == budget.graph_statements:
            continue
        if len([*kept, sentence, *_warnings(sheet, [*kept, sentence])]) <= budget.sentences:
            kept.append(sentence)
    return (*kept, *(_warnings(sheet, kept) if kept else ()))


def _warnings(sheet: Sheet, sentences: Sequence[DraftSentence]) -> list[DraftSentence]:
    """One sentence for each stale note that is quoted or named, unless it is said already."""
    used = dict.fromkeys(document for one in sentences for document in sheet.uses(one))
    used.update(dict.fromkeys(sheet.asked_and_overtaken() if sentences else ()))
    said = {one.text for one in sentences}
    warnings = [sheet.warn(document) for document in used if sheet.ages.is_stale(document)]
    return [warning for warning in warnings if warning.text not in said]


_ALONE = frozenset({Intent.WHAT, Intent.WHY, Intent.HOW_TO})
"""These have looked for sentences that match; others would answer another question."""

_DRAFTERS: Mapping[Intent, Callable[[Sheet], list[DraftSentence]]] = {
    Intent.WHAT: _what,
    Intent.WHY: _why,
    Intent.LEARN: order,
    Intent.HOW_TO: _how_to,
    Intent.COMPARE: comparison,
    Intent.STILL_VALID: _standing,
    Intent.LIST: _list,
}
