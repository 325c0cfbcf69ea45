"""The words by which a sentence joins two things, in English and Chinese: one table.

A sentence that says "because" claims a cause, "requires" a dependency, "than" a comparison.
Whether the evidence claims the same is for ``release`` to see; here is only how it is said,
and in which direction.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from witmark.answers.claims import folded, mentions_in, sentences_of, spelled
from witmark.answers.edges import RelationKind
from witmark.answers.late import late

_NONE = late(r"(?!)")
_AFTER = 40  # code points after a name that may hold the second half of such words


@dataclass(frozen=True, slots=True)
class Words:
    """The words by which one kind of claim is recognised.

    Attributes:
        name: Of the claim, as in the gate's id.
        forward: Between A and B they claim it from A to B.
        backward: Between A and B they claim it from B to A.
        kinds: Relations of the graph that say the same.
        anywhere: They make a claim of this kind, but show no direction.
        around_forward: The same as ``forward`` for words on both sides of B, which is ``§``.
        around_backward: The same as ``backward`` for words on both sides of B.
    """

    name: str
    forward: re.Pattern[str]
    backward: re.Pattern[str]
    kinds: frozenset[RelationKind] = frozenset()
    anywhere: re.Pattern[str] = _NONE
    around_forward: re.Pattern[str] = _NONE
    around_backward: re.Pattern[str] = _NONE

    def occur_in(self, text: str) -> bool:
        """Whether a text makes a claim of this kind."""
        plain = folded(text)
        ways = (self.forward, self.backward, self.anywhere)
        return any(way.search(plain) for way in ways)


def _words(en: str, zh: str) -> re.Pattern[str]:
    sides = [rf"\b(?:{en})\b" if en else "", zh]
    return late("|".join(filter(None, sides)))


CONTAINMENT = Words(
    "containment",
    _words("contains?|containing|includes?|including|comprises?", "包含(?!于)|包括|含有|涵盖"),
    _words(
        "(?:is|are|as|forms?) (?:a )?parts? of|belongs? to|included in", "属于|包含于|的一部分"
    ),
)
COMPOSITION = Words(
    "composition",
    _words(
        "made (?:mostly |mainly )?(?:of|from|out of)|consists? (?:mostly |mainly )?of|"
        "composed of",
        "制成|由.{1,12}?组成|由.{1,12}?构成|成分是",
    ),
    _words("makes? up|constitutes?", "(?<!由)构成了|组成了"),
)
PURPOSE = Words(
    "purpose",
    _words("used (?:for|to|as|in)|in order to|serves? (?:to|as)|so that|intended (?:for|to)",
           "用于|用来|用作|为了|以便|旨在|适合"),
    _NONE,
)  # fmt: skip
DEPENDENCY = Words(
    "dependency",
    _words("(?:is|are) (?:a )?(?:prerequisites?|prerequisite knowledge) (?:of|for|to)|"
           "(?:is|are) (?:needed|required) (?:for|by|to)",
           "是.{1,24}?的(?:前提|先修|前置|基础)"),
    _words("requires?|needs?|know|(?:depends?|rel(?:y|ies)|rests?|builds?) on|presupposes?",
           "依赖|需要|取决于|以.{1,24}?为(?:前提|基础)|建立在|前提是|先修是"),
    frozenset({RelationKind.PREREQUISITE, RelationKind.SEQUENCE}),
    around_forward=late("是§ ?的(?:前提|先修|前置|基础)"),
    around_backward=late("以§ ?为(?:前提|基础)"),
)  # fmt: skip
LOCATION = Words(
    "location",
    _words("located|situated|lies (?:in|at|on|near)|(?:found|stored) (?:in|at|on|near)",
           "位于|坐落|存放在|处于|地处"),
    _NONE,
)  # fmt: skip
STATE = Words(
    "state",
    _words("still|currently|nowadays|in force|valid(?! (?:until|through|from|to))",
           "仍然?|目前|现已|如今|(?<!失)有效(?!期|至)"),
    _words("no longer|deprecated|obsolete|expired|outdated|superseded|replaced|anymore",
           "不再|废弃|过期|失效|作废|取代"),
)  # fmt: skip
"""Here ``forward`` says that something holds, ``backward`` that it does not any more."""

CAUSAL = Words(
    "causal",
    _words("causes?|leads? to|results? in|therefore|thus|hence|that is why|gives rise to",
           "导致|引起|造成|所以|因此|因而|使得|引发"),
    _words("because(?: of)?|caused by|due to|owing to|results? from|comes? from",
           "因为|由于|源于|是由.{1,24}?(?:引起|造成|导致)"),
    frozenset({RelationKind.CAUSAL}),
    around_backward=late("由§ ?(?:引起|造成|导致)"),
)  # fmt: skip
ORDER = Words(
    "order",
    _words("before|then|followed by|precedes?", "然后|接着|再|之后|以后"),
    _words("after|follows|preceded by|once", "之前|以前"),  # "A 之前" is "before A"
    frozenset(
        {
            RelationKind.PREREQUISITE,
            RelationKind.SEQUENCE,
            RelationKind.CAUSAL,
            RelationKind.APPLICATION,
        }
    ),
    anywhere=_words("first|next|finally", "首先|先|最后"),
)
COMPARISON = Words(
    "comparison",
    _words("than|unlike|whereas|compared (?:with|to)|in contrast|differs?|different from|"
           "similar to|like|the same as|contrasts?",
           "比(?!如|例|较|喻|赛)|不如|更(?!新|换|改|正|名)|不同于|有别|相对|类似|类比"),
    _NONE,
    frozenset({RelationKind.CONTRAST, RelationKind.ANALOGY}),
)  # fmt: skip

SUCCESSION = Words(
    "succession",
    _words("replaces|supersedes|replaced|superseded", "取代了|替代了"),
    _words("replaced by|superseded by", ""),
    around_backward=late("[被由]§.*?(?:取代|替代)"),
)
"""From the newer to the older."""

EXPIRY = _words("expired|no longer holds|is out of date", "失效|过期|作废")

DIRECTED = (CONTAINMENT, COMPOSITION, DEPENDENCY, CAUSAL, ORDER)


def directed_claims(
    text: str, names: Mapping[str, str], words: Words
) -> frozenset[tuple[str, str]]:
    """Which named thing is put before which by the words between them.

    >>> names = {"glass": "G", "silica": "S"}
    >>> sorted(directed_claims("Glass requires silica.", names, DEPENDENCY))
    [('S', 'G')]
    """
    found: set[tuple[str, str]] = set()
    for sentence in sentences_of(text):
        plain, here = spelled(sentence), mentions_in(sentence, names)
        for one, other in pairwise(here):
            between = plain[one.end : other.start]
            around = f"{between.strip()}§{plain[other.end :][:_AFTER].strip()}"
            if one.key == other.key:
                continue
            if words.backward.search(between) or words.around_backward.search(around):
                found.add((other.key, one.key))
            elif words.forward.search(between) or words.around_forward.search(around):
                found.add((one.key, other.key))
    return frozenset(found)
