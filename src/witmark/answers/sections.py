"""Answers from the one section whose heading the question repeats.

The heading decides (``headings.py``), what stands below it is told: a list for who asks for
several things or for steps, otherwise its first sentences. Lists of links, of sources and of
questions are never told.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.asking import Intent
from witmark.answers.atoms import DocumentId
from witmark.answers.defining import is_about_itself
from witmark.answers.drafting import Sheet
from witmark.answers.expecting import Expected, announces, asks_for_cautions, look_of
from witmark.answers.heading_words import held_in, words_of
from witmark.answers.headings import Fit, asked_of, fit
from witmark.answers.notes import BlockKind
from witmark.answers.opposites import is_opposite
from witmark.answers.picking import Sentence
from witmark.answers.stepping import Run, is_beside, runs_in_force, said_of, warnings_beside
from witmark.answers.telling import tells
from witmark.kernel.evidence import TextRange

_DECIDES = frozenset(
    {Intent.WHAT, Intent.WHY, Intent.HOW_TO, Intent.LIST, Intent.GENERIC}
)  # fmt: skip
_SEVERAL = re.compile(
    r"哪些|哪几|优缺点|列出|列举|\bwhat are\b|\blist\b|\bwhich\b|\bpros and cons\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"(?:yes|no|yep|nope|是的?|不是?|否|对|可以|不可以|不能|不支持|支持)[,，.。!！]?$",
    re.IGNORECASE,
)
_MOST_PROSE, _MOST_LISTS = 2, 2
_PROSE_CHARS = 420


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the pack that the question asks for.

    Attributes:
        document: Its note.
        path: The note's title and the headings down to it.
        fit: How well it fits.
        prose: Its sentences outside lists and callouts.
        runs: Its lists.
    """

    document: DocumentId
    path: tuple[str, ...]
    fit: Fit
    prose: tuple[Sentence, ...]
    runs: tuple[Run, ...]


def decided(sheet: Sheet) -> list[DraftSentence]:
    """Draft what the section says whose heading the question repeats; nothing without one."""
    if sheet.plan.intent not in _DECIDES:
        return []
    for section in _fitting(sheet):
        if said := _told(sheet, section):
            return said
    return _both(sheet) or _cautions(sheet)


def _cautions(sheet: Sheet) -> list[DraftSentence]:
    """The warnings of the note that is asked about, for who asks what to be careful of."""
    named = [hit.document_id for hit in sheet.plan.alias_hits[:1]]
    if not named or not asks_for_cautions(sheet.plan.question):
        return []
    said = warnings_beside(sheet, named[0], ())
    return [replace(one, kind=SentenceKind.DIRECT) for one in said]


# Which section -----------------------------------------------------------------------


def _fitting(sheet: Sheet) -> list[Section]:
    """The sections that fit, the best first; of notes that hold before those that do not."""
    found = []
    for at, (key, path) in enumerate(_paths(sheet).items()):
        document = key[0]
        fits = fit(asked_of(sheet.plan, document), sheet.plan.intent, path)
        if fits is not None:
            found.append((at, _section(sheet, key, path, fits)))
    current = {s.fragment.span.document_id for s in sheet.in_force(sheet.stock.all)}
    found.sort(
        key=lambda one: (
            one[1].document not in current,
            not _is_fluent(sheet, one[1]),
            *(-int(part) for part in one[1].fit.rank),
            one[0],
        )
    )
    return [section for _, section in found]


def _is_fluent(sheet: Sheet, section: Section) -> bool:
    sentences = (*section.prose, *(i for r in section.runs for i in r.sentences(sheet)))
    languages = {one.language for one in sentences}
    return not languages or bool(languages & {sheet.language, "und"})


_Key = tuple[DocumentId, str]


def _paths(sheet: Sheet) -> dict[_Key, tuple[str, ...]]:
    """Every section of the pack with its headings; a list with a lead-in is one as well."""
    found: dict[_Key, tuple[str, ...]] = {}
    for fragment in sheet.stock.fragments:
        path = sheet.stock.section_over(fragment)
        if len(path) > 1:
            found.setdefault((fragment.span.document_id, "\n".join(path[1:])), path)
    for run in runs_in_force(sheet):
        if run.lead_in is not None:
            path = (*sheet.stock.section_over(run.items[0]), run.lead_in.text)
            found.setdefault((run.document, "\n".join(path[1:])), path)
    return found


def _section(sheet: Sheet, key: _Key, path: tuple[str, ...], fits: Fit) -> Section:
    document, name = key
    runs = []
    for run in runs_in_force(sheet, stale=True):
        here = "\n".join(sheet.stock.section_over(run.items[0])[1:])
        led = run.lead_in.text if run.lead_in is not None else ""
        is_here = name in {here, f"{here}\n{led}".strip("\n")}
        if run.document == document and is_here:
            runs.append(run)
    prose = [
        one
        for one in sheet.of_document(document)
        if one.kind in {BlockKind.PARAGRAPH, BlockKind.QUOTE}
        and "\n".join(sheet.stock.section_over(one.fragment)[1:]) == name
    ]
    return Section(document, path, fits, tuple(prose), tuple(runs))


# What it says ------------------------------------------------------------------------


def _told(sheet: Sheet, section: Section) -> list[DraftSentence]:
    intent, question = sheet.plan.intent, sheet.plan.question
    runs = [run for run in section.runs if not is_beside(sheet, run)]
    if intent is Intent.HOW_TO:
        warned = warnings_beside(sheet, section.document, section.path)
        if runs:
            return [*warned, *said_of(sheet, runs[0], "steps")]
        prose = _prose(sheet, section)
        return [*warned, *prose] if prose else []
    if intent is Intent.WHY:
        return _reasons(sheet, section) or (
            said_of(sheet, runs[0], "items") if runs and _gives_reasons(section) else []
        )
    if runs and (intent is Intent.LIST or _SEVERAL.search(question) or not section.prose):
        return [s for run in runs[:1] for s in said_of(sheet, run, _key(section))]
    prose = _prose(sheet, section)
    if not prose and runs:
        return said_of(sheet, runs[0], _key(section))
    return prose


def _key(section: Section) -> str:
    return "steps" if announces(section.path[-1], Expected.MANNER) else "items"


def _gives_reasons(section: Section) -> bool:
    return announces(section.path[-1], Expected.REASON)


def _reasons(sheet: Sheet, section: Section) -> list[DraftSentence]:
    """Under a heading that promises a reason all is one; elsewhere what looks like one."""
    looks = look_of(Expected.REASON)
    if _gives_reasons(section):
        return _prose(sheet, section)
    return _quoted(sheet, [one for one in section.prose if _says(one) and looks(one.text)])


def _prose(sheet: Sheet, section: Section) -> list[DraftSentence]:
    return _quoted(sheet, [one for one in section.prose if _says(one)])


def _says(one: Sentence) -> bool:
    return tells(one) and not is_about_itself(one.text)


def _quoted(sheet: Sheet, sentences: Sequence[Sentence]) -> list[DraftSentence]:
    """The first sentences, a bare yes or no together with what follows it."""
    said: list[DraftSentence] = []
    length = 0
    for one in _with_answers(sentences):
        if len(said) == _MOST_PROSE or (said and length + len(one.text) > _PROSE_CHARS):
            break
        kind = SentenceKind.RATIONALE if said else SentenceKind.DIRECT
        said.append(sheet.quote(one, kind))
        length += len(one.text)
    return said


def _with_answers(sentences: Sequence[Sentence]) -> list[Sentence]:
    joined: list[Sentence] = []
    for one in sentences:
        last = joined[-1] if joined else None
        if (
            last is not None
            and _YES_NO.fullmatch(last.text.strip())
            and last.fragment is one.fragment
        ):
            where = TextRange(last.where.start, one.where.end)
            text = one.fragment.text[where.start : where.end]
            joined[-1] = replace(last, where=where, text=text)
        else:
            joined.append(one)
    return joined


def _both(sheet: Sheet) -> list[DraftSentence]:
    """Two sections that answer together, each a part of the question: pros and cons."""
    if sheet.plan.intent in {Intent.WHY, Intent.HOW_TO}:
        return []
    by_note: dict[DocumentId, list[tuple[frozenset[str], _Key, tuple[str, ...]]]] = {}
    for key, path in _paths(sheet).items():
        asked = asked_of(sheet.plan, key[0])
        needed = words_of(asked).needed - held_in(words_of(asked).needed, path[0])
        here = held_in(needed, path[-1])
        if here and not is_opposite(asked, path[-1]) and words_of(path[-1]).needed <= here:
            by_note.setdefault(key[0], []).append((here, key, path))
    for document, parts in by_note.items():
        asked = asked_of(sheet.plan, document)
        needed = words_of(asked).needed - held_in(words_of(asked).needed, parts[0][2][0])
        if len(parts) == _MOST_LISTS and frozenset().union(*(p[0] for p in parts)) == needed:
            exact = Fit(is_exact=True, own=1, less=0)
            sections = [_section(sheet, key, path, exact) for _, key, path in parts]
            said = [_told(sheet, section)[:1] for section in sections]
            return [one for told in said for one in told] if all(said) else []
    return []
