"""The words of a question or a heading that tell its matter, without those that only ask.

Both are asked for again and again while one question is answered, by its search, its pack and
its composer, so what a short text comes to is remembered.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from witmark.answers.folding import HAN, simplified
from witmark.answers.late import late
from witmark.answers.picking import ASKING
from witmark.answers.terms import query_terms

_PARTICLES = late(
    r"为什[么麼]|為什[么麼]|为啥|應該|应该|可以|需要|必须|必須|一般|通常|还是|有没有|是不是|是否|请|列出|列举|说说|介绍|[的地得了着有是在要会會能都就也还還又和与與及或之其个個]"
    r"|\b(?:should|must|may|might|need(?:s|ed)?|we|one|any|some|all|every|list|name|give|show"
    r"|get|so|if|into|not|no)\b",
    re.IGNORECASE,
)
"""Words of a question or a heading that tell nothing of its matter."""

_KINDS = late(
    r"后果|后面|影响|情况|办法|方法|步骤|东西|问题|时候|主要|常见|具体|之间|什么样|[太很更最做用使把被让给来去办弄搞]"
    r"|\b(?:use[ds]?|using|work(?:s|ing)?|make|makes|made|making|go|goes|done|doing|mean(?:s|t)?"
    r"|steps?|procedures?|instructions?|guides?|usage|main|key|most|very|too|happens?|things?|ways?|kinds?|types?|new|good|best)\b",
    re.IGNORECASE,
)
"""Words that a heading may hold and need not."""

_HAN_RUN = late(f"[{HAN}]+")
_SHORT = 1_000  # code points; longer texts are seldom looked at twice


@dataclass(frozen=True, slots=True)
class Words:
    """What a text says of its matter.

    Attributes:
        needed: Latin stems and pairs (or lone ones) of Han characters.
        further: The same of words that only tell what kind of thing is asked.
    """

    needed: frozenset[str]
    further: frozenset[str]

    @property
    def every(self) -> frozenset[str]:
        """Both."""
        return self.needed | self.further


@lru_cache(maxsize=4096)
def words_of(text: str) -> Words:
    """The words of a question or a heading, without those that only ask."""
    bare = without_asking(simplified(text))
    return Words(
        frozenset(_tokens(_KINDS.sub("\n", bare))),
        frozenset(chain.from_iterable(_tokens(found) for found in _KINDS.findall(bare))),
    )


def without_asking(plain: str) -> str:
    """A simplified text, broken where words stood that tell nothing of its matter."""
    return ASKING.sub("\n", _PARTICLES.sub("\n", plain))


def runs_of_han(text: str) -> list[str]:
    """The runs of Han characters of a text, in order."""
    return _HAN_RUN.findall(text)


def held_in(asked: Collection[str], text: str) -> frozenset[str]:
    """Those of some tokens that a text holds."""
    if not asked:
        return frozenset()
    plain, own = _laid_out(text) if len(text) <= _SHORT else _lay_out(text)
    return frozenset(t for t in asked if t in own or (not t.isascii() and t in plain))


def _lay_out(text: str) -> tuple[str, frozenset[str]]:
    """What a text is looked through for: itself, and the terms of what is no Han in it."""
    plain = simplified(text)
    return plain, frozenset(query_terms(_HAN_RUN.sub(" ", plain)))


_laid_out = lru_cache(maxsize=4096)(_lay_out)


def _tokens(text: str) -> Iterable[str]:
    for run in runs_of_han(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1)) if len(run) > 1 else (run,)
    yield from query_terms(_HAN_RUN.sub(" ", text))
