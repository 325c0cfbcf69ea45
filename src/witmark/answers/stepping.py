"""Steps and lists: whole items of a note, joined in their order.

An ordered list is a procedure; the warnings that stand beside it come first. A bulleted list
answers "which are there" when it is the one the question means.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from witmark.answers import phrases
from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.atoms import DocumentId
from witmark.answers.defining import is_question
from witmark.answers.drafting import Sheet
from witmark.answers.expecting import Expected, announces
from witmark.answers.headings import answers_other, asked_of
from witmark.answers.late import late
from witmark.answers.notes import BlockKind
from witmark.answers.pack import Fragment
from witmark.answers.picking import Sentence, content_tokens, tokens_of

_NUMBERED = re.compile(r"\s*\d{1,9}[.)]\s")
_WARNING = re.compile(
    r"\s*>\s*\[!(?:warning|caution|danger|attention|important|error|警告|注意|危险)",
    re.IGNORECASE,
)
_MOST_ITEMS, _MOST_CHARS = 9, 420
_MOST_WARNINGS = 2
_ELSEWHERE = re.compile(
    r"参考(?:资料|文献|链接|阅读)|引用|注释|延伸阅读|扩展阅读|拓展阅读|相关(?:链接|文章|阅读|题目)|习题|例题|面试题|外部链接"
    r"|\b(?:references?|bibliography|further reading|external links|see also|links|sources"
    r"|resources|footnotes|related)\b",
    re.IGNORECASE,
)
"""Headings over lists that point elsewhere."""

_NO_STEPS = late(
    r"性[质質]|定[义義]|特[点點征徵]|[优優缺][点點]|[优優]势|示?例子?$|类型|分类|区别"
    r"|\b(?:propert(?:y|ies)|definitions?|features?|characteristics|advantages?|disadvantages?"
    r"|pros|cons|examples?|types)\b",
    re.IGNORECASE,
)
"""Headings over lists that are no steps, even if they are numbered."""

_LINK_ITEM = re.compile(
    r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?[*_]{0,2}(?:\[[^\]]*\]\([^)]*\)|https?://\S+|<https?:)"
)


@dataclass(frozen=True, slots=True)
class Run:
    """A list: its items in order, each a block, and the line that leads into it."""

    items: tuple[Fragment, ...]
    numbered: bool
    lead_in: Sentence | None

    def sentences(self, sheet: Sheet) -> tuple[Sentence, ...]:
        """What its items say first, as far as they say anything."""
        found = (_whole(sheet, item) for item in self.items)
        return tuple(one for one in found if one is not None)

    @property
    def document(self) -> DocumentId:
        """The note it stands in."""
        return self.items[0].span.document_id


def steps(sheet: Sheet) -> list[DraftSentence]:
    """Draft the procedure the question means, its warnings first; nothing if there is none."""
    runs = [run for run in runs_in_force(sheet) if _tells_steps(sheet, run)]
    run = _best(sheet, runs)
    if run is None:
        return []
    path = sheet.stock.section_over(run.items[0])
    return [*warnings_beside(sheet, run.document, path), *said_of(sheet, run, "steps")]


def listing(sheet: Sheet) -> list[DraftSentence]:
    """Draft the items of the list the question means, or nothing."""
    run = _best(sheet, runs_in_force(sheet))
    return [] if run is None else said_of(sheet, run, "steps" if run.numbered else "items")


def said_of(sheet: Sheet, run: Run, key: str) -> list[DraftSentence]:
    """A list as one sentence: ``steps`` in their order, or ``items``."""
    items = [one for one in (_whole(sheet, f) for f in run.items) if one is not None]
    there = max(len(items), run.items[0].list_length)
    items = _fitting(items)
    if not items:
        return []
    more = there if there > len(items) else 0
    spoken = {item.language for item in items} - {"und"}
    language = sheet.language if sheet.language in spoken or not spoken else items[0].language
    texts = phrases.lowered(language, [_one_line(one) for one in items], sheet.stock.words)
    joined = phrases.in_turn(language, texts)
    if more:
        joined = phrases.and_more(language, joined, more, "more_" + key)
    if run.lead_in is not None and key == "items":
        text = phrases.led_in(language, run.lead_in.text, joined)
        return [sheet.join(text, [run.lead_in, *items])]
    return [sheet.join(phrases.say(language, key, items=joined), items)]


def _fitting(items: Sequence[Sentence]) -> list[Sentence]:
    kept: list[Sentence] = []
    for item in items[:_MOST_ITEMS]:
        if kept and sum(len(one.text) for one in kept) + len(item.text) > _MOST_CHARS:
            break
        kept.append(item)
    return kept


def _one_line(sentence: Sentence) -> str:
    return " ".join(sentence.text.split())


def _whole(sheet: Sheet, fragment: Fragment) -> Sentence | None:
    """The first sentence of an item: what it says, before it explains."""
    return next((s for s in sheet.stock.all if s.fragment is fragment), None)


def runs_in_force(sheet: Sheet, *, stale: bool = False) -> list[Run]:
    """The lists of notes that hold, as far as one that replaces another is shown.

    Args:
        sheet: The pack's.
        stale: Those of notes that do not hold as well.
    """
    if stale:
        return _runs(sheet)
    shown = {s.fragment.ref for s in sheet.in_force(sheet.stock.all)}
    return [run for run in _runs(sheet) if all(item.ref in shown for item in run.items)]


def _runs(sheet: Sheet) -> list[Run]:
    """Every list of at least two items in the pack, note by note, in source order."""
    placed = sorted(
        zip(sheet.stock.fragments, sheet.stock.kinds, strict=True),
        key=lambda pair: (pair[0].span.document_id, pair[0].span.span.start),
    )
    runs: list[Run] = []
    items: list[Fragment] = []
    before: Fragment | None = None
    for fragment, kind in [*placed, (None, None)]:
        if fragment is not None and kind is BlockKind.LIST_ITEM and _continues(items, fragment):
            items.append(fragment)
            continue
        if len(items) > 1:
            runs.append(
                Run(tuple(items), _is_numbered(items[0]), _lead_in(sheet, before, items))
            )
        if fragment is None:
            break
        if kind is BlockKind.LIST_ITEM:
            items = [fragment]
        else:
            items, before = [], fragment
    return runs


def _continues(items: Sequence[Fragment], fragment: Fragment) -> bool:
    return not items or (
        items[-1].atom_id == fragment.atom_id
        and _is_numbered(items[-1]) == _is_numbered(fragment)
    )


def _is_numbered(fragment: Fragment) -> bool:
    return _NUMBERED.match(fragment.span.span.quote) is not None


def _lead_in(
    sheet: Sheet, before: Fragment | None, items: Sequence[Fragment]
) -> Sentence | None:
    """The sentence that ends in a colon right before a list, if there is one."""
    if before is None or before.atom_id != items[0].atom_id:
        return None
    last = [s for s in sheet.stock.all if s.fragment is before][-1:]
    return last[0] if last and last[0].text.endswith((":", "：")) else None


def _best(sheet: Sheet, runs: Sequence[Run]) -> Run | None:
    """The list whose headings and lead-in hold most of what is asked, half of it at least.

    What a title holds already says nothing of which list; a note that the question names
    needs no more than its name.
    """
    asked = {t for t in content_tokens(sheet.plan) if len(t) > 1 or t.isascii()}
    named = sheet.named
    graded = []
    for at, run in enumerate(runs):
        path = sheet.stock.section_over(run.items[0])
        if is_beside(sheet, run) or _answers_other(sheet, run.document, path):
            continue
        near, above = _words_about(sheet, run)
        here = asked & near
        is_meant = len(asked & (near | above)) * 2 >= len(asked) or run.document in named
        if is_meant and (here or not asked - above or run.numbered):
            graded.append((len(here), run.numbered, -at, run))
    return max(graded, key=lambda entry: entry[:3])[3] if graded else None


def _words_about(sheet: Sheet, run: Run) -> tuple[frozenset[str], frozenset[str]]:
    """The words right above a list, and those of the headings further up."""
    *further, nearest = sheet.stock.headings_over(run.items[0]) or ("",)
    texts = [nearest if further else "", run.lead_in.text if run.lead_in is not None else ""]
    near = frozenset(token for text in texts for token in tokens_of(text))
    above = frozenset(token for text in (*further, nearest) for token in tokens_of(text))
    return near, above


def _tells_steps(sheet: Sheet, run: Run) -> bool:
    """Whether a list is a procedure: numbered, or under a heading that promises a way.

    A numbered list of properties is none, whoever numbered it.
    """
    if _is_procedure(sheet, run):
        return True
    heading = "\n".join(sheet.stock.section_over(run.items[0])[1:][-1:])
    return run.numbered and (
        not _NO_STEPS.search(heading) or _NO_STEPS.search(sheet.plan.question) is not None
    )


def _is_procedure(sheet: Sheet, run: Run) -> bool:
    headings = sheet.stock.headings_over(run.items[0])
    return any(announces(heading, Expected.MANNER) for heading in headings[-1:])


def is_beside(sheet: Sheet, run: Run) -> bool:
    """Whether a list only points elsewhere: to links, to sources; or asks questions."""
    headings = sheet.stock.section_over(run.items[0])[1:]
    titled = "\n".join((*headings[-1:], run.lead_in.text if run.lead_in is not None else ""))
    if _ELSEWHERE.search(titled) and not _ELSEWHERE.search(sheet.plan.question):
        return True
    links = sum(_LINK_ITEM.match(item.span.span.quote) is not None for item in run.items)
    questions = sum(is_question(item.text.partition("\n")[0]) for item in run.items)
    return 2 * max(links, questions) > len(run.items)


def _answers_other(sheet: Sheet, document: DocumentId, path: Sequence[str]) -> bool:
    asked = asked_of(sheet.plan, document)
    return answers_other(asked, sheet.plan.intent, path)


def warnings_beside(
    sheet: Sheet, document: DocumentId, path: Sequence[str]
) -> list[DraftSentence]:
    """The warnings that belong to a section: its own, those below and those right above it.

    What stands in a neighbouring section warns of something else.
    """
    called = [
        s
        for s in sheet.of_document(document)
        if s.kind is BlockKind.CALLOUT and _belongs(sheet.stock.section_over(s.fragment), path)
    ]
    warnings: list[list[Sentence]] = []
    for one in called:
        if one.position[1] == 0 and _WARNING.match(one.fragment.span.span.quote):
            warnings.append([one])
        elif warnings and warnings[-1][0].fragment.atom_id == one.fragment.atom_id:
            warnings[-1].append(one)
    return [_warning(sheet, parts[:2]) for parts in warnings[:_MOST_WARNINGS]]


def _belongs(where: Sequence[str], path: Sequence[str]) -> bool:
    shorter = min(len(where), len(path))
    return tuple(where[1:shorter]) == tuple(path[1:shorter])


def _warning(sheet: Sheet, parts: Sequence[Sentence]) -> DraftSentence:
    text = phrases.warned(parts[0].language, [_one_line(s) for s in parts])
    return sheet.join(text, parts, SentenceKind.RATIONALE)
