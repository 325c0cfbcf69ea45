"""Whether a sentence has to do with what is asked of a thing, and not with its name alone.

"How do I clean a water glass?" asks about cleaning. A sentence that only holds "water glass"
says what the thing is, or something else about it, and answers nothing.
"""

import re
from collections.abc import Callable, Iterable

from witmark.answers.asking import QueryPlan
from witmark.answers.drafting import Sheet
from witmark.answers.expecting import Expected, announces, look_of
from witmark.answers.folding import HAN, simplified
from witmark.answers.late import late
from witmark.answers.picking import ASKING, Sentence
from witmark.answers.terms import query_terms

_LIGHT = late(
    r"一般|通常|应该|應該|可以|可能|需要|必须|必須|一定|这样|這樣|才能|能够|能夠|会不会|有没有"
    r"|使用|用途|用来|作用|进行|進行|实现|實現|来说|來說|一个|一個|之后|之前|以后|以前|时候|時候|不能|工作"
    r"|[要会會能应應该該可得须須去来來把被让讓给給用做作办辦的地了着在是有和与與及我你就都还還也再先后後时時好太不]"
    r"|\b(?:should|must|may|might|need(?:s|ed)?|use[ds]?|using|work(?:s|ing)?|get|gets|make|makes"
    r"|made|go|done|doing|so|not|we|one|any|some|if|no|into|about|when|if"
    r"|for|properly|correctly|best|good|important|useful|mean(?:s|t)?)\b",
    re.IGNORECASE,
)
_HAN_RUN = late(f"[{HAN}]+")


_OF = late(r"[的之]|['’]s\b|\b(?:of|in|on|at|for|from|by|with|to)\b", re.IGNORECASE)
_NAME_CHARS, _NAME_WORDS = 8, 4


def is_short_name(text: str) -> bool:
    """Whether words that no note is called by may still be the name of one thing.

    >>> is_short_name("沉头孔"), is_short_name("泰国的国家标示"), is_short_name("spot face")
    (True, False, True)
    """
    size = sum(map(len, _HAN_RUN.findall(text)))
    return size <= _NAME_CHARS and len(text.split()) <= _NAME_WORDS and not _OF.search(text)


class Beyond:
    """What a question asks beyond the name of its subject.

    Attributes:
        is_empty: Nothing but the name, or only words that say little.
    """

    def __init__(
        self, words: Iterable[str], pairs: Iterable[str], letters: Iterable[str]
    ) -> None:
        self._words, self._pairs = frozenset(words), frozenset(pairs)
        self._letters = frozenset(letters)
        self.is_empty = not (self._words or self._pairs or self._letters)

    @classmethod
    def of(cls, plan: QueryPlan, names: Iterable[str]) -> "Beyond":
        """Take the names out of a question, and the words that only ask."""
        text = plan.question
        subjects = {hit.document_id for hit in plan.alias_hits[:1]}
        for hit in sorted(plan.alias_hits, key=lambda h: (-h.start, -h.end)):
            if hit.document_id in subjects:
                text = f"{text[: hit.start]}\n{text[hit.end :]}"
        text = simplified(text)
        for name in sorted(map(simplified, names), key=lambda n: (-len(n), n)):
            text = re.sub(re.escape(name), "\n", text, flags=re.IGNORECASE)
        text = _LIGHT.sub("\n", ASKING.sub("\n", text))
        runs = _HAN_RUN.findall(text)
        rest = _HAN_RUN.sub(" ", text)
        return cls(
            words=query_terms(rest),
            pairs=(run[at : at + 2] for run in runs for at in range(len(run) - 1)),
            letters=(run for run in runs if len(run) == 1),
        )

    def is_in(self, text: str) -> bool:
        """Whether a text holds any of it."""
        plain = simplified(text)
        if any(pair in plain for pair in self._pairs):
            return True
        if any(letter in plain for letter in self._letters):
            return True
        return bool(self._words) and not self._words.isdisjoint(query_terms(plain))

    def is_hinted_at(self, text: str) -> bool:
        """Whether a text holds at least one character of a pair ("裂" of "炸裂")."""
        plain = simplified(text)
        return any(letter in plain for pair in self._pairs for letter in pair)


def aligned_with(
    sheet: Sheet, names: Iterable[str], wanted: Expected, is_of_it: Callable[[Sentence], bool]
) -> Callable[[Sentence], bool]:
    """Return the test of whether a sentence has to do with what is asked.

    Args:
        sheet: The question and the pack.
        names: Of the subject.
        wanted: A sentence that looks like it may say it in other words, and what stands in
            the subject's note under a heading that promises it says nothing else.
        is_of_it: Whether a sentence stands in the subject's note.
    """
    beyond = Beyond.of(sheet.plan, names)
    looks = look_of(wanted)

    def fits(one: Sentence) -> bool:
        if wanted is Expected.PURPOSE and not (looks(one.text) and is_of_it(one)):
            return False
        if beyond.is_empty or beyond.is_in(one.text):
            return True
        headings = sheet.stock.headings_over(one.fragment)
        if any(beyond.is_in(heading) for heading in headings):
            return True
        if is_of_it(one) and headings and announces(headings[-1], wanted):
            return True
        if wanted is Expected.REASON and is_of_it(one) and looks(one.text):
            return True  # a reason is seldom given in the question's words
        return (
            wanted is not Expected.ANYTHING
            and looks(one.text)
            and beyond.is_hinted_at(one.text)
        )

    return fits
