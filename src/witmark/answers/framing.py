"""The frame of a question ("what is", 什么是 … 有什么用, a question mark) and what it frames.

The frame leads, trails, or (in Chinese) stands inside. It is matched on the text folded in
place, so what is left keeps its place in the question.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from witmark.answers.folding import folded_in_place


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of the question: its words and its half-open range in the question."""

    text: str
    start: int
    end: int


def any_of(*alternatives: str) -> str:
    """One pattern for several."""
    return f"(?:{'|'.join(alternatives)})"


_STILL: Final = any_of("还", "仍然?", "依然", "依旧", "现在", "目前", "如今")
_HOLDS: Final = "(?:有效|适用|成立|正确|准确|生效|推荐|管用|能用|可用)"
_FALLEN: Final = "(?:过时|过期|失效|作废|废弃|被取代|被替代)"
_DIFFERENCE: Final = any_of(
    "区别", "差异", "差别", "不同之处", "不同点?", "异同", "对比", "比较"
)
_HOW: Final = any_of("怎么", "如何", "怎样", "咋")
_BE: Final = "(?:is|are|was|were)"
_AUXILIARY: Final = (
    "(?:is|are|was|were|does|do|did|has|have|should|would|could|can|will|come)(?:n['’]t)?"
)
_WHO: Final = "(?:i|we|you|one)"
_KNOW: Final = "(?:learn|know|read|study|understand)"

PINYIN_WHAT: Final = any_of(
    "shi ?shen ?me(?: yisi)?", "shen ?me ?shi", "shen ?me ?jiao", "jiao ?shen ?me"
)
PINYIN_WHY: Final = "wei ?shen ?me"
PINYIN_HOW: Final = "(?:zen ?me|zen ?yang|ru ?he)"
PINYIN_DIFFERENCE: Final = "(?:you ?shen ?me |de )?(?:qu ?bie|cha ?bie)"
"""Frames of a Chinese question that is typed in pinyin."""

FOREIGN_WHAT: Final = any_of(
    "qu[eé] (?:es|son)(?: una?| el| la| los| las)?",
    "qu['’]est[- ]ce qu(?:e|['’])(?: ?(?:une?|les?|la|l['’]))?",
    "was (?:ist|sind)(?: (?:eine?|der|die|das))?",
    "o que (?:[eé]|s[aã]o)(?: uma?| o| a)?",
    "(?:che )?cos(?:a |['’] ?)[eè](?: una?| il| la)?",
)
"""What is …, in languages that share the letters of English."""

_LEADS: Final = any_of(
    # Politeness and mood
    "请问(?:一下)?|麻烦(?:你|您)?|请(?:你|您)?(?:帮我|给我|为我)?|帮我|能不能|能否|可否|告诉我|关于",
    "(?:我|我们)?(?:很|还)?(?:想要?|需要|要)(?:知道|了解|问|学习?|搞懂|弄懂)(?:一下)?",
    r"(?:please|hey|hi|hello|ok|okay|so|well|and|but|also|kindly|just)\b",
    r"(?:can|could|would|will) you(?: please)?\b",
    rf"(?:i|we)(?: want| need| would like|['’]d like) to (?:{_KNOW}|ask|see)\b"
    r"(?: more)?(?: about\b)?",
    r"do you know\b|i(?: am|['’]m)? (?:wonder|wondering|looking for)\b",
    # Wishes
    "(?:详细|简单|简要|具体)?地?(?:介绍|解释|说明|讲解|讲|说|谈|概述|描述|对比|比较)(?:一下|一说|讲|说|谈)?(?=.)",
    "列出|列举|罗列|简述|科普(?:一下)?|谁是|有?哪些",
    r"(?:tell me|teach me)(?: more)?(?: about)?\b|show me(?: how)?(?: to)?\b|give me\b",
    r"(?:explain(?: to me)?|describe|define|introduce|compare(?: and contrast)?|contrast)\b",
    r"(?:an? |the )?(?:overview|definition|meaning|comparison|list) of(?: all| every)?\b",
    r"(?:list|enumerate|name) (?:all|every|the|some|any)(?: of)?(?: the)?\b",
    # Questions
    rf"(?:should|can|could|may|must) {_WHO}\b",
    rf"{any_of(PINYIN_WHAT, PINYIN_WHY, PINYIN_HOW, FOREIGN_WHAT)}\b",
    rf"what {_BE} meant by\b",
    rf"what(?: {_BE}|['’]s)(?: all| some)?(?: the)?(?: main| key| best| right| different)?"
    r" (?:differences?|similarit(?:y|ies)|contrast|comparison|types|kinds|sorts|examples"
    r"|meaning|definition|purpose|reasons?|causes?|prerequisites|order|ways?|steps)"
    r" (?:between|of|for|behind|to (?:learn|study|master)|to|in which to learn)\b",
    r"what (?:kinds?|types?|sorts?|categor(?:y|ies)) of\b",
    rf"what (?:should|do|must|can) {_WHO} (?:need to |have to )?{_KNOW}"
    r"(?: first)?(?: before| to understand| for)?\b",
    r"what (?:causes?|caused|makes|made)\b|what['’]s\b|whats\b",
    rf"how (?:to|{_AUXILIARY} {_WHO})(?: best| start to)?"
    rf" (?:{_KNOW}|master|get started with|start with|start learning)(?: about)?\b",
    rf"(?:what|who|where|when|which|why|how)(?: {_AUXILIARY})?(?: not)?(?: {_WHO})?\b",
    r"(?:is|are|was|were|does|do|did|has|have)\b(?: it| there)?\b",
    # Names of kinds of answer
    r"(?:a )?(?:learning|study) (?:path|order|route|roadmap|plan)s? (?:for|of|to)\b",
    r"roadmap (?:for|to)\b|prerequisites? (?:for|of|to)\b|(?:the )?differences? between\b",
)
_LEAD: Final = re.compile(rf"[\s\W]*{_LEADS}")
_ARTICLE: Final = re.compile(
    r"[\s\W]*(?:(?:an?|the|to|about)\s+(?=\S)(?!(?:and|or|vs\.?|versus)\b))?"
)

_TAILS: Final = any_of(
    # What is it
    "(?:分别|究竟|到底|具体|都|又|主要)*是(?:个|一种|一个|指|用来|用于|干|做|怎么|如何|怎样)*"
    "(?:什么|啥|谁|回事|工作|运作|实现)?(?:意思|东西|概念|样子?|用|做|干)?的?",
    "(?:指的?是?|代表|意味着|叫做?|做|干|有|包括|属于)(?:什么|啥)"
    "(?:的|用|意思|作用|用途|不同|区别|差异|关系|特点|好处|优点|缺点)?",
    "的?(?:什么意思|含义|意思|定义|概念|(?:主要|具体)?(?:作用|用途|原理|用处|介绍|解释|步骤|原因))(?:是|有|呢)?",
    # How do they differ
    f"有(?:什么|何|哪些|啥|几种|哪几[种个类])?(?:本质|主要)?的?(?:用|作用|用途|用处|{_DIFFERENCE}|不同)?",
    f"(?:之间)?的?(?:本质|主要)?{_DIFFERENCE}(?:是|有|在哪里?|在于)?",
    # How, which, why
    f"{_HOW}(?:学习?|入门|掌握|做|用|使用|办|写|实现|理解|回事|工作|运作|弄|搞|样)?呢?",
    "(?:之?前|以前)?(?:需?要|应该)?(?:先|提前)?(?:学|掌握|了解|知道)[会习]?(?:什么|哪些|啥)",
    "都?有?(?:哪些|哪几[种个类])|为什么|为何",
    "(?:需要?|应该?|要)?(?:注意|小心|当心)(?:什么|啥|哪些)(?:事项|问题)?|有(?:什么|哪些)注意事项",
    # Is it still so
    f"{_STILL}*(?:是|在|能|可以|会)?{_HOLDS}的?",
    f"(?:是否|是不是|有没有|会不会)?(?:已经?|还|仍然?)?(?:有效|{_FALLEN}|最新)[了的]?",
    "吗|(?<![什怎那这多要])么|呢|吧|啊|呀|嘛|了",
    r"(?<=\s)(?:means?|works?|compare|differ|stands? for|used for|good for|called|happens?)",
    r"(?<=\s)(?:still |no longer )?(?:valid|current|up[- ]to[- ]date|out of date|outdated"
    r"|obsolete|deprecated|expired|superseded|in force|in effect|true|correct|accurate|relevant"
    r"|recommended|supported)",
    rf"(?<=\s){any_of(PINYIN_WHAT, PINYIN_DIFFERENCE, PINYIN_WHY)}",
    r"(?<=\s)(?:appl(?:y|ies)|hold(?:s|ing)?)(?=\s*\?)",
    r"(?<=\s)(?:still|no longer) (?:appl(?:y|ies)|works?|used|holds?|ok|okay|allowed)",
    r"(?<=\s)(?:still|anymore|any more|these days|nowadays|please|exactly|actually|first)",
)
_TAIL: Final = re.compile(rf"{_TAILS}[\s\W]*$")
_INSIDE: Final = re.compile(
    any_of(
        "请问|什么是|啥是|什么叫|何谓|何为|是什么意思|是什么|是啥|为什么|为何|为啥|什么时候",
        "如何评价|如何看待|怎么看待?|怎么样|(?:如何|怎么|怎样)(?:学习|入门|掌握|理解)?",
        "有哪些|哪些|有什么区别|的区别|有什么用",
    )
)


def content_of(question: str) -> tuple[Stretch, ...]:
    """What is left of a question without its frame, in order.

    A question that is nothing but frame is its own content, marks aside.

    >>> [piece.text for piece in content_of("请问什么是 water glass？")]
    ['water glass']
    """
    folded = folded_in_place(question)
    bare = ["1"] * len(folded)
    for start, end in _frame(folded):
        bare[start:end] = "0" * (end - start)
    pieces = [
        trimmed(question, folded, *match.span()) for match in re.finditer("1+", "".join(bare))
    ]
    if any(pieces):
        return tuple(filter(None, pieces))
    return tuple(filter(None, [trimmed(question, folded, 0, len(question))]))


def trimmed(question: str, folded: str, start: int, end: int) -> Stretch | None:
    """Cut blanks, punctuation and an article off; ``None`` if nothing is left."""
    article = _ARTICLE.match(folded, start, end)
    start = article.end() if article else start
    while start < end and not (folded[end - 1].isalnum() or folded[end - 1] in "+#)"):
        end -= 1
    while start < end and folded[end - 1] == "的":
        end -= 1
    return Stretch(question[start:end], start, end) if start < end else None


def _frame(folded: str) -> Iterator[tuple[int, int]]:
    start, end = 0, len(folded)
    while (lead := _LEAD.match(folded, start, end)) and lead.end() > start:
        start = lead.end()
    while (tail := _TAIL.search(folded, start, end)) and tail.start() < end:
        end = tail.start()
    yield 0, start
    yield end, len(folded)
    for inside in _INSIDE.finditer(folded, start, end):
        yield inside.span()
