"""The sentences of the notes that answer a question best, as they stand there.

A question that wants a reason, a way or a purpose is answered by sentences that have to do
with it, all of one note; a comparison by sentences about both sides. A fact is whatever
matches best.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from witmark.answers import phrases
from witmark.answers.aligning import aligned_with
from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.asking import Intent
from witmark.answers.atoms import KnowledgeAtom
from witmark.answers.defining import describes_note, is_about_itself, is_question, names_whole
from witmark.answers.drafting import Sheet, source_order
from witmark.answers.expecting import (
    Expected,
    announces,
    contrasts,
    leans_back,
    look_of,
    repeats_steps,
)
from witmark.answers.heading_words import held_in, words_of
from witmark.answers.headings import answers_other, asked_of
from witmark.answers.notes import BlockKind
from witmark.answers.opposites import turned_in
from witmark.answers.picking import Scored, Sentence, adds_nothing, content_tokens, ranked
from witmark.answers.redirecting import says_moved
from witmark.answers.rows import header_of, is_label_in, row_said
from witmark.answers.sentences import is_complete
from witmark.answers.stepping import runs_in_force
from witmark.kernel.evidence import EvidenceRef

_NEAR_BEST = 0.65  # a further sentence is worth saying when it is worth this much of the best
_STALE_WORTH = 0.85
_ANNOUNCED = 0.3  # under a heading that promises what is asked ("why", "怎样改")
_OF_ANCHOR, _OF_NAMED = 0.1, 0.3  # of the note asked about, by the graph or by name
_WANTED = 0.2  # a sentence that gives a reason where one is asked for
_CONTRASTS = 0.15
_BESIDE = 0.6  # taken off what repeats the question or speaks of the note itself
_UNFINISHED = 0.1
_ROW = 0.35  # a row of a table whose very label is asked for
_RESTATES = 0.25  # taken off what says again that it is so, when it is asked why
_ENOUGH = 2  # so many of the words of a "why" its note must hold, if it asks more than one
_FAR = 3  # a reason is of something else when it holds no more than one word of so many
_LABEL_WORDS, _LABEL_CHARS = 5, 12
_CODE_LINE = re.compile(r"\s*(?://|/\*|#!|[}\])]+;?\s*$|[\w.]+\([^()]*\);\s*$)|.*[{;]\s*$")
_ENUMERATES = re.compile(
    r"、|[:：].*[,，;；]|, .*\b(?:and|or)\b|[一二两三四五六七八九十\d]+[种類类个項项]"
)


def facts(
    sheet: Sheet,
    about: KnowledgeAtom | None,
    names: Sequence[str],
    wanted: Expected = Expected.ANYTHING,
) -> list[DraftSentence]:
    """Draft the sentences worth most to the question, the best note's first.

    Args:
        sheet: The question and the pack.
        about: What is asked about.
        names: What the question and its note call it; none if the question names no note.
        wanted: The sort of thing asked for, if nothing else would do.
    """
    telling = _Telling(sheet, about, tuple(names), wanted)
    best = telling.best()
    if _is_beside_the_point(sheet, best, wanted) or (best and _is_turned(sheet, best)):
        return []
    return _as_they_stand(sheet, best)


def _is_beside_the_point(sheet: Sheet, best: Sequence[Sentence], wanted: Expected) -> bool:
    """Whether what matches best shares too little with the question to answer it.

    A reason is asked for and its note holds hardly more than a word of what is asked; or
    a list is asked for of a note in sections, and neither the
    sentences nor their headings speak of it.
    """
    if not best or best[0].kind is BlockKind.TABLE_ROW:
        return False
    document = best[0].fragment.span.document_id
    asked = words_of(sheet.plan.question).needed
    shown = [s for s in sheet.stock.all if _note(s) == document]
    told = "\n".join(
        text for s in shown for text in (s.text, *sheet.stock.section_over(s.fragment))
    )
    if sheet.plan.intent is Intent.LIST:
        rest = words_of(asked_of(sheet.plan, document)).needed
        rest -= held_in(rest, sheet.stock.section_over(best[0].fragment)[0])
        here = "\n".join(t for s in best for t in (s.text, *_headings(sheet, s)))
        is_parted = any(len(sheet.stock.section_over(s.fragment)) > 1 for s in shown)
        is_meant = document in sheet.named and is_parted
        return bool(rest) and is_meant and not held_in(rest, here)
    if wanted is not Expected.REASON or len(asked) < _ENOUGH:
        return False
    if any(announces(heading, wanted) for one in best for heading in _headings(sheet, one)):
        return False
    held = len(held_in(asked, told))
    if any(look_of(wanted)(one.text) for one in best):
        return _FAR * held <= len(asked) and document not in sheet.named
    return held < _ENOUGH


def _is_turned(sheet: Sheet, best: Sequence[Sentence]) -> bool:
    """Whether the note tells the opposite of what is asked, and what matches best does not.

    A note with a section "How to enable logging" that says nothing of disabling it does not
    answer how to disable it with whatever else it says of logging.
    """
    question = sheet.plan.question
    told = "\n".join(text for s in best for text in (s.text, *_headings(sheet, s)))
    paths = {
        sheet.stock.section_over(s.fragment)[1:]
        for s in sheet.stock.all
        if _note(s) == _note(best[0])
    }
    return any(turned_in(question, "\n".join(path[-1:]), told) for path in sorted(paths))


def _headings(sheet: Sheet, one: Sentence) -> tuple[str, ...]:
    return sheet.stock.section_over(one.fragment)[1:]


@dataclass(frozen=True, slots=True)
class _Telling:
    """What a sentence is worth to one question."""

    sheet: Sheet
    about: KnowledgeAtom | None
    names: tuple[str, ...]
    wanted: Expected

    @property
    def is_open(self) -> bool:
        """Whether any sentence will do that matches."""
        return self.wanted is Expected.ANYTHING

    def best(self) -> list[Sentence]:
        """The sentences to say, the best first."""
        pool, most = self._pool(), self.sheet.pack.budget.sentences
        scored = [s for s in _fresh_first(self.sheet, self._ranked(pool)) if s.worth > 0]
        kept: list[Sentence] = []
        for one in scored:
            if len(kept) == most or one.worth < _NEAR_BEST * scored[0].worth:
                break
            if not self.is_open and _note(one.sentence) != _note(scored[0].sentence):
                continue  # what two notes say for two reasons is no one answer
            if all(one.sentence.text != other.text for other in kept):
                kept.append(one.sentence)
        return kept + (_antecedent(pool, kept) if kept and len(kept) < most else [])

    def _pool(self) -> list[Sentence]:
        led = _led_by(self.sheet)
        pool = [
            s
            for s in self.sheet.in_one_language(self.sheet.stock.all)
            if tells(s) or self._is_told_by_item(s, led.get(s.fragment.ref, ""))
        ]
        pool = [s for s in _rows_meant(self.sheet, pool) if not self._is_elsewhere(s)]
        if not self.is_open:
            fits = aligned_with(self.sheet, self.names, self.wanted, self._is_of_it)
            return [one for one in pool if fits(one)]
        if self.sheet.plan.intent is Intent.COMPARE and len(self.sheet.plan.subjects) > 1:
            return [one for one in pool if self._is_of_all_sides(one)]
        return pool

    def _is_told_by_item(self, one: Sentence, lead_in: str) -> bool:
        """Whether an item of a list holds all that is asked, with what it stands under."""
        if one.kind is not BlockKind.LIST_ITEM or is_question(one.text):
            return False
        asked = words_of(self.sheet.plan.question).needed
        own = held_in(asked, one.text)
        above = "\n".join((*self.sheet.stock.section_over(one.fragment), lead_in))
        says_more = bool(words_of(one.text).needed - asked)
        return bool(own) and says_more and own | held_in(asked, above) == asked

    def _is_elsewhere(self, one: Sentence) -> bool:
        """Whether it stands under a heading that answers another question."""
        plan = self.sheet.plan
        path = self.sheet.stock.section_over(one.fragment)
        asked = asked_of(plan, one.fragment.span.document_id)
        return answers_other(asked, plan.intent, path)

    def _is_of_all_sides(self, one: Sentence) -> bool:
        headings = self.sheet.stock.headings_over(one.fragment)[1:]
        text = "\n".join((one.text, *headings))
        return all(names_whole(text, side.text) for side in self.sheet.plan.subjects)

    def _is_of_it(self, one: Sentence) -> bool:
        return self.about is not None and _note(one) == self.about.document_id

    def _ranked(self, pool: Sequence[Sentence]) -> tuple[Scored, ...]:
        asked, looks = content_tokens(self.sheet.plan), look_of(self.wanted)
        needed = words_of(self.sheet.plan.question).needed
        compares = self.sheet.plan.intent is Intent.COMPARE
        lists = self.sheet.plan.intent is Intent.LIST

        def bonus(one: Sentence) -> float:
            headings = self.sheet.stock.headings_over(one.fragment)
            extra = _ANNOUNCED * bool(headings and announces(headings[-1], self.wanted))
            is_of_it = self._is_of_it(one)
            if is_of_it:
                extra += _OF_NAMED if self.names or not self.is_open else _OF_ANCHOR
            if not self.is_open and (is_of_it or not self.names):
                extra += _WANTED * looks(one.text)
            if one.kind is BlockKind.TABLE_ROW and is_label_in(one.text, tuple(asked)):
                extra += _ROW
            if self.wanted is Expected.REASON and not looks(one.text):
                extra -= _RESTATES * (needed <= held_in(needed, one.text))
            extra += _CONTRASTS * (compares and contrasts(one.text))
            extra += _CONTRASTS * (lists and _ENUMERATES.search(one.text) is not None)
            beside = is_about_itself(one.text) or adds_nothing(one, asked)
            return extra - _BESIDE * beside - _UNFINISHED * (not is_complete(one.text))

        return ranked(self.sheet.plan, pool, bonus)


def _led_by(sheet: Sheet) -> dict[EvidenceRef, str]:
    """The line that leads into the list of an item, by the item."""
    return {
        item.ref: run.lead_in.text
        for run in runs_in_force(sheet, stale=True)
        if run.lead_in is not None
        for item in run.items
    }


def _note(sentence: Sentence) -> str:
    return sentence.fragment.span.document_id


def _antecedent(pool: Sequence[Sentence], kept: Sequence[Sentence]) -> list[Sentence]:
    """What stands before the best sentence, when that begins by pointing back."""
    best = kept[0]
    if not leans_back(best.text):
        return []
    fragment, number = best.position
    before = [s for s in pool if s.position == (fragment, number - 1)]
    return [s for s in before if all(s.text != one.text for one in kept)]


def tells(sentence: Sentence) -> bool:
    """Whether it is a sentence that could answer: no question, no label, no blurb."""
    if _CODE_LINE.match(sentence.text) or sentence.text.rstrip().endswith((":", "：")):
        return False
    if repeats_steps(sentence.text) or is_redirect(sentence):
        return False
    return not (is_question(sentence.text) or _is_label(sentence) or describes_note(sentence))


def is_redirect(sentence: Sentence) -> bool:
    """Whether it only says where the matter stands now."""
    quote = sentence.fragment.span.span.quote
    return ("](" in quote or "[[" in quote) and says_moved(sentence.text)


def _is_label(sentence: Sentence) -> bool:
    """Whether it is a lead-in ("as follows:") or a bare label, as in a list of links."""
    text = sentence.text.rstrip()
    if text.endswith((":", "：")):
        return True
    is_short = len(text.split()) <= _LABEL_WORDS and len(text) <= _LABEL_WORDS * _LABEL_CHARS
    if sentence.language == phrases.ZH:
        is_short = len(text) <= _LABEL_CHARS
    return is_short and not is_complete(text)


def _fresh_first(sheet: Sheet, scored: Sequence[Scored]) -> list[Scored]:
    """Stale notes count for less, so that a current one of nearly equal worth goes first."""
    aged = [
        Scored(s.sentence, s.worth * _STALE_WORTH)
        if sheet.ages.is_stale(s.sentence.fragment.span.document_id)
        else s
        for s in scored
    ]
    return sorted(aged, key=lambda s: (-s.worth, s.sentence.position))


def _as_they_stand(sheet: Sheet, kept: Sequence[Sentence]) -> list[DraftSentence]:
    """The best note's sentences first, each note's in its own order."""
    notes = list(dict.fromkeys(_note(s) for s in kept))
    in_order = sorted(kept, key=lambda s: (notes.index(_note(s)), source_order(s)))
    said = []
    for one in in_order:
        kind = SentenceKind.DIRECT if one is kept[0] else SentenceKind.RATIONALE
        said.append(_as_row(sheet, one, kind) or sheet.quote(one, kind))
    return said


def _as_row(sheet: Sheet, row: Sentence, kind: SentenceKind) -> DraftSentence | None:
    """A row of a table under its headings, if the pack shows them."""
    header = header_of(sheet, row) if row.kind is BlockKind.TABLE_ROW else None
    if header is None:
        return None
    text = row_said(row, header, tuple(content_tokens(sheet.plan)))
    return sheet.join(text, [row, header], kind) if text else None


def _rows_meant(sheet: Sheet, pool: Sequence[Sentence]) -> list[Sentence]:
    """Without headings of tables, and without a row's neighbours when its label is asked."""
    asked = tuple(content_tokens(sheet.plan))
    rows = [one for one in pool if one.kind is BlockKind.TABLE_ROW]
    meant = [one for one in rows if is_label_in(one.text, asked)]
    out = [one for one in rows if meant and one not in meant]
    out += [one for one in rows if one.fragment.passage == one.fragment.table_header]
    return [one for one in pool if one not in out]
