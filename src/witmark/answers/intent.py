"""What kind of answer a question wants, and what is left of it without its frame.

One table for Chinese and English, used by the planner, the ranker, the assembler and the
gates. Latin markers stand on word borders; among markers that overlap the longest counts,
so 为什么 is never read as 什么. Everything is matched on a text folded in place: offsets
are those of the question as asked.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from witmark.answers.asking import Intent
from witmark.answers.folding import HAN, folded_in_place

_MARKERS: Final[tuple[tuple[Intent, tuple[str, ...], tuple[str, ...]], ...]] = (
    (
        Intent.STILL_VALID,
        (
            "(?:还|仍然?|依然|依旧|现在|目前|如今)+(?:是|在|能|可以|会)?(?:有效|适用|成立|正确|准确|生效|推荐|管用|能用|可用)",
            "(?:是否|是不是|有没有|会不会)(?:已经?|还|仍然?|依然)?(?:有效|适用|过时|过期|失效|作废|废弃|被取代|被替代|最新)",
            "(?:过时|过期|失效|作废|废弃|被取代|被替代)了?(?:吗|没有|没|么)",
            "(?:有效|适用|能用|最新的?)(?:吗|么)",
        ),
        (
            "still (?:valid|true|current|correct|accurate|appl(?:y|ies)|in force|in effect|relevant"
            "|up[- ]to[- ]date|recommended|supported|works?|used|holds?|ok|okay|allowed)",
            "no longer (?:valid|true|current|correct|in force|appl(?:y|ies)|recommended|supported)",
            "^(?:is|are|was|were)\\b.*\\b(?:outdated|obsolete|deprecated|expired|superseded|out of date"
            "|up[- ]to[- ]date)",
            "^(?:has|have)\\b.*\\b(?:expired|been (?:replaced|superseded|deprecated|withdrawn))",
        ),
    ),
    (
        Intent.COMPARE,
        (
            "(?:有|有着)?(?:什么|何|哪些)?(?:本质|主要)?(?:的)?(?:区别|差异|差别|异同)",
            "有(?:什么|何|哪些)不同|不同(?:之处|点|在哪)|和.+不同吗",
            "对比(?:一下)?|相比|比起来|^请?比较(?:一下)?|比较一下|相比较|(?:和|与|跟|同).+(?:的比较|比较$|比较[?？。]?$)",
            "哪(?:个|一个|种)更?(?:好|优|快|强|合适|适合)",
        ),
        (
            "^(?:please |can you |could you )?(?:compare|contrast)|compare and contrast",
            "compar(?:e|ison) (?:of|between)|how (?:do|does|did) .+ compare",
            "difference(?:s)?(?: is there)? (?:between|of)|(?:the|main|key) differences?",
            "differ(?:s)? from|different from|how (?:do|does|did) .+ differ|distinguish(?:es)? between",
            "vs|versus|(?:similarities|contrast) between|which (?:one )?is (?:better|faster|cheaper|safer)",
        ),
    ),
    (
        Intent.LEARN,
        (
            "(?:如何|怎么|怎样|咋)(?:去|才能|开始|系统地?)*(?:学|入门|掌握|自学)(?:习|好|会)?",
            "学习(?:路线图?|路径|顺序|计划)|先学(?:什么|哪|啥)|从(?:哪|何)(?:里|儿|处)?(?:开始)?(?:学|入门)",
            "(?:需要|应该|要)(?:先|提前)?(?:学|掌握|了解|知道)(?:会|习)?(?:什么|哪些|啥)|前置知识|先修(?:知识|课程)?"
            "|(?:我|想|要)+学(?:习|会)?|入门教程",
        ),
        (
            "how (?:to|do i|do we|do you|can i|can we|should i|should we|would i|could i)"
            " (?:(?:best|quickly|effectively|start to) )?(?:learn|study|master|get started|start learning)",
            "(?:way|order|where|want|need|like|begin|start) to (?:learn|study|master|start learning)",
            "(?:learning|study) (?:path|order|route|roadmap|plan|sequence)s? (?:for|of|to)|roadmap (?:for|to)",
            "prerequisites? (?:for|of|to)|(?:learn|know|read|study|understand) (?:first|before)"
            "|teach me|where (?:do|should) i (?:start|begin)|in (?:what|which) order",
        ),
    ),
    (
        Intent.WHY,
        (
            "为什么|为何|为啥|为什(?!么)|怎么会|怎么回事|何以|缘何|因何|凭什么|(?:什么|啥|何种?)(?:样的)?(?:原因|理由)"
            "|(?:的|有何)(?:原因|理由)(?:是|在)|(?:的|有何)原因$|原因(?:是|在于)?(?:什么|何)",
        ),
        (
            "why|how come|what(?:'s| is| are| was| were) the (?:main )?(?:reason|cause|rationale)s?",
            "what (?:causes?|caused|made|makes)|for what reason|reasons? (?:for|why|behind)|what for",
        ),
    ),
    (
        Intent.LIST,
        (
            "(?:都|还|又)?有哪(?:些|几)|哪些|列出|列举|罗列|枚举出|都有(?:什么|啥|谁)|哪几(?:种|个|类|项|步)|包括什么|分为哪",
        ),
        (
            "^(?:please )?(?:list|enumerate|name|give me|show me) (?:all|the|every|some|any|out|me|of|a list|\\d+|three|five|ten)",
            "list of all|what (?:kinds?|types?|sorts?|categor(?:y|ies)) of",
            "what are (?:all |some |the |all the |some of the )+(?:\\w+ )?(?:types|kinds|sorts|examples|categories|parts"
            "|components|features|members|stages|steps|methods|options|advantages|disadvantages|benefits|rules)",
            "which (?:\\w+ )?(?:are|exist)",
        ),
    ),
)  # fmt: skip
"""Markers that settle the intent: the first of these in the question wins."""

_SOFT: Final[tuple[tuple[Intent, tuple[str, ...], tuple[str, ...]], ...]] = (
    (
        Intent.GENERIC,
        (
            "什么(?:时候|时间|时机|地方|样子?|程度|人)|怎么样|怎样的|如何(?:评价|看待|评估)|怎么看|何时|何地|哪(?:里|儿|年|天|位)",
        ),
        ("whatever|what (?:if|time|year|day)|when|where|how (?:many|much|long|old|often|far|big|is|are)"
         "|who|whose|which",),
    ),
    (
        Intent.WHAT,
        (
            "什么是|是(?:个|一种|一个|指)?(?:什么|啥)|啥是|什么叫|叫(?:做)?什么|何为|何谓|何是|(?:指的?是?|代表|意味着)(?:什么|啥)"
            "|(?:什么|啥|何)(?:意思|含义|作用|用途?|概念)|的?(?:意思|含义|定义)|(?:的|有何)(?:作用|用途|用处|原理|概念)",
            "(?:有什么|有啥)用|(?:做|干)(?:什么|啥)(?:的|用)?|解释|介绍|讲讲|讲一下|说说|说明一?下|说一下|概述|简述|科普|谁是|是谁|啥东西",
            "(?:如何|怎么|怎样)(?:理解|工作|运作|运行的|回事儿)|是(?:怎么|如何|怎样)",
        ),
        (
            "what(?:'s| is| are| was| were)|what (?:does|do|did) .+ (?:mean|do)|what (?:is|are) meant by",
            "explain|define|describe|definition of|meaning of|tell me (?:more )?about|introduce|overview of"
            "|who (?:is|was|are|were)|how (?:does|do|did)(?! (?:i|we|you|one)\\b) ",
        ),
    ),
    (
        Intent.HOW_TO,
        (
            "如何(?!评)|怎么(?!样|看)|怎样|咋(?:样|整|办|做|弄)?|(?:的|什么|操作|具体)步骤|步骤(?:是|有)|(?:有什么|什么|有啥)(?:办法|方法)",
        ),
        (
            "how (?:to|(?:do|can|could|should|would|shall|might) (?:i|we|you|one|they))(?: compare)?",
            "steps? (?:to|for)|(?:way|ways|method) (?:to|of)|instructions? (?:for|to)|show me how|walk me through",
        ),
    ),
)  # fmt: skip
"""Markers that count only where nothing stronger stands; again the first wins."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of the question: its words and its half-open range in the question."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question is about, how it asks, and in which language.

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
    content = tuple(scaffolding(question))
    sides = _sides(question, folded, content, names) if intent is Intent.COMPARE else ()
    return Reading(intent, _language(folded), content, sides)


def intent_of(question: str) -> Intent:
    """Tell what kind of answer a question wants.

    >>> intent_of("为什么水会结冰"), intent_of("What's a VSZ file?"), intent_of("A vs B")
    (<Intent.WHY: 'why'>, <Intent.WHAT: 'what'>, <Intent.COMPARE: 'compare'>)
    """
    return _intent(folded_in_place(question))


def scaffolding(question: str) -> Iterator[Stretch]:
    """Yield what is left of a question without its frame, in order.

    >>> [s.text for s in scaffolding("请问什么是 water glass？")]
    ['water glass']
    """
    folded = folded_in_place(question)
    kept = [True] * len(folded)
    for start, end in _frame(folded):
        kept[start:end] = [False] * (end - start)
    pieces = [
        piece
        for match in re.finditer("1+", "".join("01"[keep] for keep in kept))
        if (piece := _trimmed(question, folded, *match.span())) is not None
    ]
    if not pieces and (whole := _trimmed(question, folded, 0, len(question))) is not None:
        pieces = [whole]
    yield from pieces


_LEAD: Final = re.compile(
    r"[\s\W]*(?:"
    r"请问一?下?|麻烦(?:你|您)?|请(?:你|您)?(?:帮我|给我|为我)?|帮我|给我|能不能|能否|可以|可否"
    r"|(?:我|我们)?(?:很|还)?(?:想|要|想要|需要)(?:知道|了解|问|学习?|搞懂|弄懂|看看)(?:一下)?|告诉我|关于"
    r"|(?:详细|简单|简要|具体)?(?:地)?(?:介绍|解释|说明|讲|讲解|说|谈|概述|描述|聊|对比|比较)(?:一下|一说|讲|说|谈)?(?=.)"
    r"|列出|列举|罗列|简述|科普(?:一下)?|对比|比较"
    r"|(?:please|hey|hi|hello|ok|okay|so|well|and|but|also|kindly|just)\b[\s,]"
    r"|(?:can|could|would|will) you(?: please)? ?(?=\S)"
    r"|(?:i|we) (?:want|need|would like|wish) to (?:know|understand|ask|see|learn)(?: more)?(?: about)?\b"
    r"|i'd like to (?:know|understand|ask|see|learn)(?: more)?(?: about)?\b|do you know\b"
    r"|i (?:wonder|am wondering)\b|i(?:'m| am) looking for\b"
    r"|tell me(?: more)?(?: about)?\b|teach me(?: about)?\b|show me(?: how)?(?: to)?\b|give me\b"
    r"|explain(?: to me)?\b|describe\b|define\b|introduce\b|compare(?: and contrast)?\b|contrast\b"
    r"|(?:an? )?overview of\b|(?:the )?(?:definition|meaning) of\b"
    r"|what(?:'s|’s|s| is| are| was| were) meant by\b"
    r"|what(?:'s|’s| is| are| was| were)(?: the| some| all)*(?: main| key| best| right| different| various)*"
    r" (?:differences?|similarit(?:y|ies)|contrast|comparison|types|kinds|sorts|examples|meaning|definition"
    r"|purpose|reasons?|causes?|prerequisites|order|way|ways|steps)"
    r" (?:between|of|for|behind|to (?:learn|study|master)|to|in which to learn)\b"
    r"|what (?:kinds?|types?|sorts?|categor(?:y|ies)) of\b"
    r"|what (?:should|do|must|can|does) (?:i|we|you|one) (?:need to |have to )?"
    r"(?:learn|know|read|study|understand)(?: first)?(?: before| to understand| for)?\b"
    r"|what (?:causes?|caused|makes|made)\b|what(?:'s|’s)\s|whats\b"
    r"|(?:what|who|where|when|which|why|how) (?:is|are|was|were|does|do|did|has|have|should|would|could|can|will|come)"
    r"(?:n't|n’t)?(?: not)?(?: (?:i|we|you|one))?\b"
    r"|(?:what|who|where|when|which|why|how)\b"
    r"|(?:is|are|was|were|does|do|did|has|have)\b(?: it)?(?: there)?"
    r"|(?:a )?(?:learning|study) (?:path|order|route|roadmap|plan)s? (?:for|of|to)\b|roadmap (?:for|to)\b"
    r"|prerequisites? (?:for|of|to)\b|(?:the )?differences? between\b|comparison (?:of|between)\b"
    r"|list(?: of)?(?: all| every)?(?: the| of the)?\b|enumerate\b"
    r")"
)
_AFTER_HOW: Final = re.compile(
    r"\s*(?:to|i|we|you|one)?\s*(?:to )?(?:best |start to )?"
    r"(?:learn(?: about)?|study|master|get started with|start with|start learning)\b"
)
_ARTICLE: Final = re.compile(r"[\s\W]*(?:(?:a|an|the|to|about)\s+)?")
_TAIL: Final = re.compile(
    r"(?:"
    r"(?:分别|究竟|到底|具体|都|又|还|主要)*是(?:个|一种|一个|指|用来|用于|干|做|怎么|如何|怎样)*"
    r"(?:什么|啥|谁|回事|工作|运作|实现|来)?(?:意思|东西|概念|样子?|用|做|干)?(?:的)?"
    r"|(?:指的?是?|代表|意味着|叫做?|做|干|有|包括|属于)(?:什么|啥)(?:的|用|意思|作用|用途|不同|区别|差异|关系|特点|好处|优点|缺点)?"
    r"|的?(?:什么意思|含义|意思|定义|概念)(?:是|呢)?|的?(?:主要|具体)?(?:作用|用途|原理|用处|介绍|解释|步骤|原因)(?:是|有)?"
    r"|有(?:什么|何|哪些|啥|几种|哪几[种个类])?(?:本质|主要)?(?:的)?(?:用|作用|用途|用处|区别|差异|差别|不同|异同)?"
    r"|(?:之间)?的?(?:本质|主要)?(?:区别|差异|差别|异同|不同之处|不同点|对比|比较)(?:是|有|在哪里?|在于)?"
    r"|(?:怎么|如何|怎样|咋)(?:学习?|入门|掌握|做|用|使用|办|写|实现|理解|回事|工作|运作|弄|搞|样)?(?:呢)?"
    r"|(?:都)?有?(?:哪些|哪几[种个类])|为什么|为何"
    r"|(?:现在|目前|如今)?(?:还|仍|仍然|依然|依旧)(?:是|在|能|可以|会)?(?:有效|适用|成立|正确|准确|生效|推荐|管用|能用|可用|用|对)(?:的)?"
    r"|(?:是否|是不是|有没有|会不会)?(?:已经?|还|仍然?)?(?:有效|过时|过期|失效|作废|废弃|被取代|被替代|最新)(?:了|的)?"
    r"|吗|么|呢|吧|啊|呀|嘛|了"
    r"|(?<=[\s\w])\b(?:means?|works?|compare|differ|stands? for|used for|good for|called|happens?)"
    r"|(?<=\s)(?:still )?(?:valid|current|up[- ]to[- ]date|outdated|obsolete|deprecated|expired|superseded|out of date|in force|in effect)"
    r"|(?<=\s)still (?:true|correct|accurate|appl(?:y|ies)|relevant|recommended|supported|works?|used|holds?|ok|okay|allowed)"
    r"|(?<=\s)(?:still|anymore|any more|these days|nowadays|please|exactly|actually|in simple terms|first)"
    r")[\s\W]*$"
)
_INSIDE: Final = re.compile(
    r"请问|什么是|啥是|什么叫|何谓|何为|是什么意思|是什么|是啥|为什么|为何|为啥|怎么样|怎么|怎样|如何|有哪些|哪些"
    r"|有什么区别|什么时候|的区别"
)


def _frame(folded: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the frame: what leads, what trails, what stands inside."""
    start, end = 0, len(folded)
    while (lead := _LEAD.match(folded, start, end)) and lead.end() > start:
        start = lead.end()
        if learn := _AFTER_HOW.match(folded, start, end):
            start = learn.end()
    while (tail := _TAIL.search(folded, start, end)) and tail.start() < end:
        end = tail.start()
    yield 0, start
    yield end, len(folded)
    for inside in _INSIDE.finditer(folded, start, end):
        yield inside.span()


def _trimmed(question: str, folded: str, start: int, end: int) -> Stretch | None:
    """Cut blanks, punctuation and an article off; ``None`` if nothing is left."""
    article = _ARTICLE.match(folded, start, end)
    start = article.end() if article else start
    while start < end and not _is_word(folded[end - 1]):
        end -= 1
    while end > start and folded[end - 1] == "的":
        end -= 1
    return Stretch(question[start:end], start, end) if start < end else None


def _is_word(character: str) -> bool:
    return character.isalnum() or character in "+#)）"


def _compiled(
    table: Sequence[tuple[Intent, tuple[str, ...], tuple[str, ...]]],
) -> tuple[tuple[Intent, re.Pattern[str]], ...]:
    """One pattern per intent; Latin markers get their word borders here."""
    return tuple(
        (intent, re.compile("|".join((*han, rf"(?<!\w)(?:{'|'.join(latin)})(?!\w)"))))
        for intent, han, latin in table
    )


_STRONG_PATTERNS: Final = _compiled(_MARKERS)
_SOFT_PATTERNS: Final = _compiled(_SOFT)


def _intent(folded: str) -> Intent:
    text = folded.replace("什麽", "什么").replace("甚么", "什么").strip()
    found = [
        (match.start(), match.end(), intent, rank)
        for rank, patterns in enumerate((_STRONG_PATTERNS, _SOFT_PATTERNS))
        for intent, pattern in patterns
        for match in pattern.finditer(text)
    ]
    kept = [mine for mine in found if not any(_swallows(other, mine) for other in found)]
    if not kept:
        return Intent.GENERIC
    return min(kept, key=lambda marker: (marker[3], marker[0], -marker[1]))[2]


def _swallows(other: tuple[int, int, Intent, int], mine: tuple[int, int, Intent, int]) -> bool:
    overlap = other[0] < mine[1] and mine[0] < other[1]
    return overlap and other[1] - other[0] > mine[1] - mine[0]


def _language(folded: str) -> str:
    """The frame tells: 什么是waterglass is Chinese, "compare 水杯 and 塑料杯" is English."""
    if _HAN_FRAME.search(folded):
        return "zh"
    if _LATIN_FRAME.search(folded):
        return "en"
    return "zh" if len(_HAN.findall(folded)) >= len(_LATIN.findall(folded)) else "en"


_HAN: Final = re.compile(f"[{HAN}]")
_LATIN: Final = re.compile(r"[a-z]+")
_HAN_FRAME: Final = re.compile(
    "什么|怎么|怎样|如何|为何|为啥|是啥|哪[些个里种儿]|区别|对比|比较|吗|呢|介绍|解释|请问|有效|过时|学习|的|是"
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
        r"(?<!\w)(?:compared (?:to|with))(?!\w)",
        r"与|跟|(?<!\w)(?:and|or)(?!\w)",
        r"和|同|以及|及|还是",
        r"(?<!\w)(?:with|to|from|than)(?!\w)",
        r"[、,/]",
    )
)
"""What parts the sides, the surest first; commas part more sides in any case."""
_COMMAS: Final = re.compile(r"[、,，]")
_REST: Final = re.compile(
    r"(?:之间|两者|二者|哪(?:个|一个|种)更?.*|有(?:什么|何|哪些)?|(?:的)?(?:本质|主要)?(?:区别|差异|差别|异同|不同).*"
    r"|(?:which|who).*|(?:in terms of|regarding).*|(?:better|different|compare|differ))$"
)


def _sides(
    question: str, folded: str, content: Sequence[Stretch], names: Sequence[tuple[int, int]]
) -> tuple[Stretch, ...]:
    if not content:
        return ()
    whole = (content[0].start, content[-1].end)
    for separator in _SEPARATORS:
        cuts = [
            match.span()
            for match in separator.finditer(folded, *whole)
            if not any(start < match.end() and match.start() < end for start, end in names)
        ]
        sides = _between(question, folded, whole, cuts)
        if len(sides) > 1:
            return tuple(
                part for side in sides for part in _by_comma(question, folded, side, names)
            )
    return ()


def _by_comma(
    question: str, folded: str, side: Stretch, names: Sequence[tuple[int, int]]
) -> tuple[Stretch, ...]:
    cuts = [
        match.span()
        for match in _COMMAS.finditer(folded, side.start, side.end)
        if not any(start < match.end() and match.start() < end for start, end in names)
    ]
    return _between(question, folded, (side.start, side.end), cuts)


def _between(
    question: str, folded: str, whole: tuple[int, int], cuts: Sequence[tuple[int, int]]
) -> tuple[Stretch, ...]:
    borders = [whole[0], *(at for cut in cuts for at in cut), whole[1]]
    sides = []
    for start, end in zip(borders[::2], borders[1::2], strict=True):
        rest = _REST.search(folded, start, end)
        side = _trimmed(question, folded, start, rest.start() if rest else end)
        if side is not None:
            sides.append(side)
    return tuple(sides)
