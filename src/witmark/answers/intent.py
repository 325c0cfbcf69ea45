"""What kind of answer a question wants, in which language, about what.

One table for Chinese and English, used by the planner, the ranker, the assembler and the
gates. Latin markers stand on word borders. Among markers that overlap the longest counts,
so 为什么 is never read as 什么, and "how to compare" is no comparison.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from witmark.answers.asking import Intent
from witmark.answers.folding import HAN, folded_in_place
from witmark.answers.framing import (
    FOREIGN_WHAT,
    PINYIN_DIFFERENCE,
    PINYIN_HOW,
    PINYIN_WHAT,
    PINYIN_WHY,
    Stretch,
    any_of,
    content_of,
    trimmed,
)

Row = tuple[Intent, tuple[str, ...], tuple[str, ...]]
"""An intent with its Han markers and its Latin markers."""

_FALLEN: Final = "(?:被取代|被替代|过时|过期|失效|作废|废弃)"
_COULD: Final = "(?:do|can|should|would|could)"
_LEARN: Final = "(?:learn|study|master)"
_MEMBERS: Final = (
    "(?:types|kinds|sorts|examples|categories|parts|components|features|members|stages|steps"
    "|methods|options|advantages|disadvantages|benefits|rules)"
)
_NOW: Final = "(?:还|仍然?|依然|依旧|现在|目前|如今)+(?:是|在|能|可以|会)?"

_STRONG: Final[tuple[Row, ...]] = (
    (
        Intent.STILL_VALID,
        (
            f"{_NOW}(?:有效|适用|成立|正确|准确|生效|推荐|管用|能用|可用)",
            f"(?:是否|是不是|有没有|会不会)(?:已经?|还|仍然?|依然)?(?:有效|适用|最新|{_FALLEN})",
            f"{_FALLEN}了?(?:吗|没有|没|么)|(?:有效|适用|能用|最新的?)(?:吗|么)",
        ),
        (
            "still (?:valid|true|current|correct|accurate|appl(?:y|ies)|in force|in effect)",
            "still (?:relevant|up[- ]to[- ]date|recommended|supported|works?|used|holds?)",
            "no longer (?:valid|true|current|correct|in force|appl(?:y|ies)|supported)",
            r"^(?:is|are|was|were)\b.*\b(?:outdated|obsolete|deprecated|expired|superseded)",
            r"^(?:is|are|was|were)\b.*\b(?:out of date|up[- ]to[- ]date)",
            r"^(?:is|are)\b.+\b(?:valid|in force|in effect|current|applicable)(?=[\s?.!]*$)",
            r"^(?:do|does)\b.+\b(?:apply|hold)(?=[\s?.!]*$)|still (?:ok|okay|allowed|safe)",
            r"^(?:has|have)\b.*\b(?:expired|been (?:replaced|superseded|deprecated|withdrawn))",
        ),
    ),
    (
        Intent.COMPARE,
        (
            "(?:有着?)?(?:什么|何|哪些)?(?:本质|主要)?的?(?:区别|差异|差别|异同)",
            "有(?:什么|何|哪些)不同|不同(?:之处|点|在哪)|[和与跟同].+不同吗",
            "对比(?:一下)?|相比|比起来|^请?比较(?=.*[和与跟同及、,])|比较一下",
            "[和与跟同].+(?:的比较|比较[?。\\s]*$)|哪(?:个|一个|种)更?(?:好|优|快|强|合适|适合)",
        ),
        (
            "^(?:please |can you |could you )?(?:compare|contrast)|compare and contrast",
            "compar(?:e|ison) (?:of|between)|how (?:do|does|did) .+ compare",
            "differences?(?: is there)? between|(?:the|main|key) differences?",
            f"{PINYIN_DIFFERENCE}",
            "differ(?:s|ent)? from|how (?:do|does|did|is|are) .+ differ(?:ent)?",
            "vs|versus|(?:similarities|contrast|distinguish) between",
            "which (?:one )?is (?:better|faster|cheaper|safer|simpler)",
        ),
    ),
    (
        Intent.LEARN,
        (
            "(?:如何|怎么|怎样|咋)(?:去|才能|开始|系统地?)*(?:学|入门|掌握|自学)(?:习|好|会)?",
            "学习(?:路线图?|路径|顺序|计划)|先学(?:什么|哪|啥)|入门教程",
            "从(?:哪|何)(?:里|儿|处)?(?:开始)?(?:学|入门)|前置知识|先修(?:知识|课程)?",
            "(?:需要|应该|要)(?:先|提前)?(?:学|掌握|了解|知道)(?:会|习)?(?:什么|哪些|啥)",
            "我?想要?学(?:习|会)?",
        ),
        (
            f"how (?:to|{_COULD} (?:i|we|you|one)) (?:best |quickly |start to )?{_LEARN}",
            f"how (?:to|{_COULD} (?:i|we|you|one)) get started",
            rf"(?:what is (?:an?|the) (?:\w+ )?)?way to {_LEARN}",
            f"(?:order|where|want|need|like|start) to {_LEARN}",
            "(?:learning|study) (?:path|order|route|roadmap|plan|sequence)s? (?:for|of|to)",
            "prerequisites? (?:for|of|to)|roadmap (?:for|to)|in (?:what|which) order|teach me",
            "(?:learn|know|read|study|understand) (?:first|before)",
            "where (?:do|should) i (?:start|begin)",
        ),
    ),
    (
        Intent.WHY,
        (
            "为什么|为何|为啥|怎么会|怎么回事|何以|缘何|因何|凭什么",
            "(?:什么|啥|何种?)(?:样的)?(?:原因|理由)|(?:的|有何)原因|原因(?:是|在于)?(?:什么|何)",
        ),
        (
            f"{PINYIN_WHY}|why|how come|for what reason|what for|reasons? (?:for|why|behind)",
            "what(?:['’]s| is| are| was| were) the (?:main )?(?:reason|cause|rationale)s?",
            "what (?:causes?|caused|makes|made)",
        ),
    ),
    (
        Intent.LIST,
        (
            "[都还又]?有哪[些几]|哪些|列出|列举|罗列|都有(?:什么|啥|谁)|哪几[种个类项步]|包括什么|分为哪",
        ),
        (
            r"^(?:please )?(?:list|enumerate|name|give me|show me) (?:all|the|every|some|any)",
            r"^(?:please )?(?:list|name|give me) (?:a list|\d+|three|five|ten)",
            "list of all|what (?:kinds?|types?|sorts?|categor(?:y|ies)) of",
            rf"what are (?:all |some |the |of )+(?:\w+ )?{_MEMBERS}",
            r"which (?:\w+ )?(?:are|exist)",
        ),
    ),
)
"""Markers that settle it: the first of these in the question wins."""

_SOFT: Final[tuple[Row, ...]] = (
    (
        Intent.GENERIC,
        (
            "什么(?:时候|时间|时机|地方|样子?|程度|人)|怎么样|怎样的|如何(?:评价|看待|评估)",
            "怎么看|何时|何地|哪[里儿年天位]",
        ),
        (
            "whatever|what (?:if|time|year|day)|when|where|who|whose|which",
            "how (?:many|much|long|old|often|far|big|is|are)",
        ),
    ),
    (
        Intent.WHAT,
        (
            "什么是|是(?:个|一种|一个|指)?(?:什么|啥)|啥是|什么叫|叫做?什么|何为|何谓|谁是|是谁",
            "(?:指的?是?|代表|意味着)(?:什么|啥)|(?:什么|啥|何)(?:意思|含义|作用|用途?|概念)",
            "的?(?:意思|含义|定义)|(?:的|有何)(?:作用|用途|用处|原理|概念)|(?:有什么|有啥)用",
            "(?:做|干)(?:什么|啥)[的用]?|解释|介绍|讲讲|讲一下|说说|说明一?下|说一下|概述|简述|科普",
            "(?:如何|怎么|怎样)(?:理解|工作|运作|运行)|是(?:怎么|如何|怎样)",
        ),
        (
            "what(?:['’]?s| is| are| was| were| is meant by)",
            "what (?:does|do|did) .+ (?:mean|do|stand for)",
            f"{PINYIN_WHAT}|{FOREIGN_WHAT}",
            "explain|define|describe|introduce|definition of|meaning of",
            "tell me (?:more )?about|overview of|who (?:is|was|are|were)",
            "how (?:does|do|did)(?! (?:i|we|you|one)\\b)",
        ),
    ),
    (
        Intent.HOW_TO,
        (
            "如何(?!评)|怎么(?![样看])|怎样|咋[样整办做弄]?|[的什么作体]步骤|步骤[是有]",
            "(?:有什么|什么|有啥)(?:办法|方法)",
        ),
        (
            "how (?:to|(?:do|can|could|should|would|might) (?:i|we|you|one|they))(?: compare)?",
            f"{PINYIN_HOW}",
            "steps? (?:to|for)|(?:way|ways|method) (?:to|of)|instructions? (?:for|to)",
            r"what (?:is|are) (?:an?|the|some) (?:\w+ )?ways? (?:to|of)",
            "show me how|walk me through",
        ),
    ),
)
"""Markers that count only where nothing stronger stands; again the first wins."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a question asks, in which language, and what about.

    Attributes:
        intent: What kind of answer is wanted.
        language: ``zh`` or ``en``.
        content: What is left without the frame ("what is", 什么是, a question mark), in
            order. The whole question if it is nothing but frame.
        sides: The things compared, two or more; empty unless the intent is to compare.
    """

    intent: Intent
    language: str
    content: tuple[Stretch, ...]
    sides: tuple[Stretch, ...]

    @property
    def content_text(self) -> str:
        """The pieces of the content, a blank between them."""
        return " ".join(piece.text for piece in self.content)


def read_question(question: str, *, names: Sequence[tuple[int, int]] = ()) -> Reading:
    """Tell intent, language and subject of a question.

    Args:
        question: As asked.
        names: Half-open ranges of names in it; a name is never cut by "and" or 和.
    """
    folded = folded_in_place(question)
    intent = _intent(folded)
    content = content_of(question)
    sides: tuple[Stretch, ...] = ()
    if intent is Intent.COMPARE and content:
        sides = _sides(_Asked(question, folded, names), content[0].start, content[-1].end)
    return Reading(intent, _language(folded), content, sides)


def intent_of(question: str) -> Intent:
    """Tell what kind of answer a question wants.

    >>> [intent_of(q).value for q in ("为什么水会结冰", "What is a VSZ file?", "A vs B")]
    ['why', 'what', 'compare']
    """
    return _intent(folded_in_place(question))


def scaffolding(question: str) -> tuple[Stretch, ...]:
    """Return what is left of a question without its scaffolding, in order."""
    return content_of(question)


# Intent and language ------------------------------------------------------------------


def _compiled(table: tuple[Row, ...]) -> tuple[tuple[Intent, re.Pattern[str]], ...]:
    """One pattern per intent; Latin markers get their word borders here."""
    return tuple(
        (intent, re.compile(any_of(*han, rf"(?<!\w){any_of(*latin)}(?!\w)")))
        for intent, han, latin in table
    )


_PATTERNS: Final = (_compiled(_STRONG), _compiled(_SOFT))

_Marker = tuple[int, int, int, Intent]  # rank, start, end, intent


def _intent(folded: str) -> Intent:
    text = folded.replace("甚么", "什么").strip()
    found: list[_Marker] = [
        (rank, *match.span(), intent)
        for rank, patterns in enumerate(_PATTERNS)
        for intent, pattern in patterns
        for match in pattern.finditer(text)
    ]
    kept = [mine for mine in found if not any(_swallows(other, mine) for other in found)]
    first = min(kept, key=lambda marker: (marker[0], marker[1], -marker[2]), default=None)
    return Intent.GENERIC if first is None else first[3]


def _swallows(other: _Marker, mine: _Marker) -> bool:
    overlap = other[1] < mine[2] and mine[1] < other[2]
    return overlap and other[2] - other[1] > mine[2] - mine[1]


def _language(folded: str) -> str:
    """The frame tells: 什么是waterglass is Chinese, "compare 水杯 and 塑料杯" is English."""
    if _HAN_FRAME.search(folded) or _PINYIN_FRAME.search(folded):
        return "zh"
    if _LATIN_FRAME.search(folded):
        return "en"
    return "zh" if len(_HAN.findall(folded)) >= len(_LATIN.findall(folded)) else "en"


_HAN: Final = re.compile(f"[{HAN}]")
_LATIN: Final = re.compile(r"[a-z]+")
_HAN_FRAME: Final = re.compile(
    "[什甚]么|怎么|怎样|如何|为何|为啥|是啥|哪[些个里种儿]|区别|对比|比较|吗|呢|介绍|解释|请问|有效|过时|学习|的|是"
)
_PINYIN_FRAME: Final = re.compile(
    rf"\b{any_of(PINYIN_WHAT, PINYIN_WHY, PINYIN_HOW, PINYIN_DIFFERENCE)}\b"
)
_LATIN_FRAME: Final = re.compile(
    r"\b(?:what|why|how|who|which|when|where|is|are|does|do|compare|explain|define|describe"
    r"|tell|list|the|of|between|and|versus|still)\b"
)

# Sides of a comparison ----------------------------------------------------------------

_SEPARATORS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<!\w)(?:vs\.?|versus)(?!\w)|相比于?|相较于?|对比",
        r"(?<!\w)compared (?:to|with)(?!\w)",
        r"[与跟]|(?<!\w)(?:and|or)(?!\w)",
        r"以及|还是|[和同及]",
        r"(?<!\w)(?:with|to|from|than)(?!\w)",
        r"[、,/]",
    )
)
"""What parts the sides, the surest first; commas part more of them in any case."""

_COMMAS: Final = re.compile("[、,]")
_REST: Final = re.compile(
    any_of(
        "(?:之间|两者|二者|相比|比起来|哪(?:个|一个|种)更?).*",
        "有(?:什么|何|哪些)?|的?(?:本质|主要)?(?:区别|差异|差别|异同|不同).*",
        r"\b(?:which|who|in terms of|regarding)\b.*|\b(?:better|different|compare|differ)",
    )
    + "$"
)
_LEADING_REST: Final = re.compile(r"(?:better|faster|cheaper|safer|simpler|best)\W+")


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str
    folded: str
    names: Sequence[tuple[int, int]]

    def cut(self, separator: re.Pattern[str], start: int, end: int) -> tuple[Stretch, ...]:
        """Part a range where the separator stands outside of names."""
        cuts = [match.span() for match in separator.finditer(self.folded, start, end)]
        free = [
            cut for cut in cuts if not any(a < cut[1] and cut[0] < b for a, b in self.names)
        ]
        borders = [start, *(at for cut in free for at in cut), end]
        pairs = zip(borders[::2], borders[1::2], strict=True)
        return tuple(filter(None, (self._side(*pair) for pair in pairs)))

    def _side(self, start: int, end: int) -> Stretch | None:
        lead = _LEADING_REST.match(self.folded, start, end)
        start = lead.end() if lead else start
        rest = _REST.search(self.folded, start, end)
        return trimmed(self.question, self.folded, start, rest.start() if rest else end)


def _sides(asked: _Asked, start: int, end: int) -> tuple[Stretch, ...]:
    for separator in _SEPARATORS:
        sides = asked.cut(separator, start, end)
        if len(sides) > 1:
            return tuple(
                part for side in sides for part in asked.cut(_COMMAS, side.start, side.end)
            )
    return ()
