"""Which section of a note a question is about, told by its heading and those above it.

A heading answers a question when, with the headings above it, it holds every word the
question asks for, and itself one that the note's title does not say already. "How to store
bread" decides "how do I store bread?", however often "make" is said of bread elsewhere. A
heading that holds the opposite of a word of the question ("How to enable logging" for "how to
disable logging") answers another question.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from witmark.answers.asking import Intent, QueryPlan
from witmark.answers.atoms import DocumentId
from witmark.answers.expecting import Expected, announces
from witmark.answers.heading_words import held_in, words_of
from witmark.answers.opposites import is_opposite
from witmark.answers.terms import compact_key

_SURE = 0.7  # weaker names may be mistaken


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a heading fits a question; the greater, the better.

    Attributes:
        is_exact: It says the same as the question and nothing more.
        own: How many of the words it holds itself that the title does not.
        less: Minus how many words it holds that nobody asked for.
    """

    is_exact: bool
    own: int
    less: int

    @property
    def rank(self) -> tuple[bool, int, int]:
        """For sorting."""
        return self.is_exact, self.own, self.less


def fit(question: str, intent: Intent, path: Sequence[str]) -> Fit | None:
    """How a section fits a question, ``None`` if its headings do not answer it.

    Args:
        question: Without the words that only ask, or with them.
        intent: What is asked.
        path: The note's title and the headings down to the section's own.
    """
    title, *headings = path
    if not headings:
        return None
    asked, joined = words_of(question), "\n".join(headings)
    above = held_in(asked.every, title)
    missing = asked.needed - above
    if held_in(missing, joined) != missing:  # of most headings; the rest costs more
        return None
    own = held_in(asked.every, headings[-1])
    surplus = words_of(headings[-1]).needed - asked.every - words_of(title).every
    is_exact = not surplus and bool(own) and asked.needed <= own
    told = own - above
    if not (told or is_exact) or is_of_another_kind(intent, headings[-1]):
        return None
    return None if is_opposite(question, joined) else Fit(is_exact, len(told), -len(surplus))


def is_part_of(question: str, path: Sequence[str]) -> bool:
    """Whether a heading holds only words of the question: one of two things asked for."""
    title, *headings = path
    if not headings:
        return False
    asked, said = words_of(question).needed, words_of(headings[-1]).needed
    here = held_in(asked, headings[-1]) - held_in(asked, title)
    return bool(here) and said <= asked and not is_opposite(question, headings[-1])


def is_of_another_kind(intent: Intent, heading: str) -> bool:
    """Whether a heading promises a way where a reason is asked, or the other way round."""
    is_why = _asks(heading, Expected.REASON)
    is_how = _asks(heading, Expected.MANNER)
    if intent is Intent.WHY:
        return is_how and not is_why
    return intent is Intent.HOW_TO and is_why and not is_how


_ASKS = {
    Expected.REASON: re.compile(
        r"为什么|為什麼|为何|為何|为啥|原因|\bwhy\b|\breasons?\b", re.IGNORECASE
    ),
    Expected.MANNER: re.compile(
        r"怎[么麼样樣](?!会|會)|如何|步[骤驟]|\bhow (?:to|do|can)\b|\bsteps\b", re.IGNORECASE
    ),
}


def _asks(heading: str, sort: Expected) -> bool:
    return announces(heading, sort) and _ASKS[sort].search(heading) is not None


def answers_other(question: str, intent: Intent, path: Sequence[str]) -> bool:
    """Whether the headings say that what stands below answers another question.

    They hold the opposite of what is asked, promise another kind of answer, or ask a
    question of their own that shares nothing with this one but what the title says.
    """
    title, *headings = path
    if not headings:
        return False
    if is_opposite(question, "\n".join(headings)):
        return True
    nearest = headings[-1]
    if intent not in {Intent.WHY, Intent.HOW_TO}:
        return False
    if is_of_another_kind(intent, nearest):
        return True
    sort = Expected.REASON if intent is Intent.WHY else Expected.MANNER
    if not _asks(nearest, sort):
        return False
    above = words_of(title).every
    asked, said = words_of(question), words_of(nearest)
    mine, theirs = asked.every - above, said.needed - above
    mine -= held_in(mine, title)
    theirs -= held_in(theirs, title)
    return bool(mine and theirs) and not (mine & theirs or held_in(mine, nearest))


def is_section_of(path: Sequence[str], name: str) -> bool:
    """Whether a section is about a thing: its heading is the name, or asks what it is.

    >>> is_section_of(("Git", "What is rebase?"), "rebase"), is_section_of(("Git", "Use"), "x")
    (True, False)
    """
    if len(path) < 2:
        return False
    key = compact_key(name)
    if compact_key(path[-1]) == key:
        return True
    said, asked = words_of(path[-1]).needed, words_of(name).needed
    return bool(asked) and said == asked


def asked_of(plan: QueryPlan, document: DocumentId) -> str:
    """The question without the names of a note: what is asked of it."""
    text = plan.question
    for hit in sorted(plan.alias_hits, key=lambda h: (-h.start, -h.end)):
        if hit.document_id == document and hit.strength >= _SURE:
            text = f"{text[: hit.start]}\n{text[hit.end :]}"
    return text
