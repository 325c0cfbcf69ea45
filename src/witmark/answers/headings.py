"""Which section of a note a question is about, told by its heading and those above it.

A heading answers a question when, with the headings above it, it holds every word the
question asks for, and itself one that the note's title does not say already. "How to store
bread" decides "how do I store bread?", however often "make" is said of bread elsewhere. A
heading that holds the opposite of a word of the question ("How to enable logging" for "how to
disable logging") answers another question.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from witmark.answers.asking import Intent, QueryPlan
from witmark.answers.atoms import DocumentId
from witmark.answers.expecting import Expected, announces
from witmark.answers.folding import HAN, simplified
from witmark.answers.picking import ASKING
from witmark.answers.terms import compact_key, query_terms

_PARTICLES = re.compile(
    r"为什[么麼]|為什[么麼]|为啥|應該|应该|可以|需要|必须|必須|一般|通常|还是|有没有|是不是|是否|请|列出|列举|说说|介绍|[的地得了着有是在要会會能都就也还還又和与與及或之其个個]"
    r"|\b(?:should|must|may|might|need(?:s|ed)?|we|one|any|some|all|every|list|name|give|show"
    r"|get|so|if|into|not|no)\b",
    re.IGNORECASE,
)
"""Words of a question or a heading that tell nothing of its matter."""

_KINDS = re.compile(
    r"后果|后面|影响|情况|办法|方法|步骤|东西|问题|时候|主要|常见|具体|之间|什么样|[太很更最做用使把被让给来去办弄搞]"
    r"|\b(?:use[ds]?|using|work(?:s|ing)?|make|makes|made|making|go|goes|done|doing|mean(?:s|t)?"
    r"|steps?|procedures?|instructions?|guides?|usage|main|key|most|very|too|happens?|things?|ways?|kinds?|types?|new|good|best)\b",
    re.IGNORECASE,
)
"""Words that a heading may hold and need not."""

_SURE = 0.7  # weaker names may be mistaken

_HAN_RUN = re.compile(f"[{HAN}]+")

_OPPOSITE = (
    ("enable", "disable"), ("install", "uninstall"), ("fast", "slow"), ("start", "stop"),
    ("open", "close"), ("add", "remove"), ("create", "delete"), ("show", "hide"),
    ("increase", "decrease"), ("raise", "lower"), ("high", "low"), ("hot", "cold"),
    ("advantage", "disadvantage"), ("pro", "con"), ("benefit", "drawback"),
    ("benefit", "downside"), ("advantage", "drawback"), ("advantage", "downside"),
    ("upside", "downside"), ("strength", "weakness"), ("allow", "forbid"), ("lock", "unlock"),
    ("connect", "disconnect"), ("mount", "unmount"), ("subscribe", "unsubscribe"),
    ("encrypt", "decrypt"), ("encode", "decode"), ("import", "export"), ("buy", "sell"),
    ("before", "after"), ("win", "lose"), ("cheap", "expensive"), ("strong", "weak"),
    ("upgrade", "downgrade"), ("login", "logout"), ("push", "pull"), ("load", "unload"),
    ("exit", "entry"), ("input", "output"), ("upload", "download"), ("wet", "dry"),
    ("safe", "unsafe"), ("happy", "unhappy"), ("inside", "outside"), ("internal", "external"),
    ("quick", "slow"), ("easy", "hard"), ("easy", "difficult"), ("like", "dislike"),
    ("agree", "disagree"), ("allow", "disallow"), ("accept", "reject"), ("win", "loss"),
)  # fmt: skip
_OPPOSITE_HAN = (
    ("开启", "关闭"), ("打开", "关闭"), ("启用", "禁用"), ("启用", "停用"),
    ("安装", "卸载"), ("优点", "缺点"), ("优势", "劣势"), ("好处", "坏处"),
    ("优点", "坏处"), ("好处", "缺点"), ("优势", "缺点"), ("优点", "劣势"), ("利", "弊"),
    ("增加", "减少"), ("添加", "删除"), ("新增", "删除"), ("创建", "删除"),
    ("升高", "降低"), ("过高", "过低"), ("太高", "太低"), ("上传", "下载"),
    ("导入", "导出"), ("加密", "解密"), ("编码", "解码"), ("连接", "断开"),
    ("锁定", "解锁"), ("开始", "停止"), ("启动", "停止"), ("启动", "关闭"),
    ("允许", "禁止"), ("支持", "禁止"), ("太酸", "太苦"), ("太甜", "太咸"), ("快", "慢"),
    ("冷", "热"), ("干", "湿"), ("软", "硬"), ("强", "弱"), ("贵", "便宜"),
    ("昂贵", "便宜"), ("安全", "危险"), ("登录", "退出"), ("升级", "降级"),
    ("入口", "出口"), ("输入", "输出"), ("内部", "外部"), ("买", "卖"), ("借", "还"),
    ("推荐", "禁忌"),
)  # fmt: skip
_PREFIXES = ("un", "non")
_LATIN_WORD = re.compile(r"[a-z]+")


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
    bare = ASKING.sub("\n", _PARTICLES.sub("\n", simplified(text)))
    return Words(
        frozenset(_tokens(_KINDS.sub("\n", bare))),
        frozenset(chain.from_iterable(_tokens(found) for found in _KINDS.findall(bare))),
    )


def _tokens(text: str) -> Iterable[str]:
    for run in _HAN_RUN.findall(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1)) if len(run) > 1 else (run,)
    yield from query_terms(_HAN_RUN.sub(" ", text))


def held_in(asked: Collection[str], text: str) -> frozenset[str]:
    """Those of some tokens that a text holds."""
    plain = simplified(text)
    own = frozenset(query_terms(_HAN_RUN.sub(" ", plain)))
    return frozenset(t for t in asked if t in own or (not t.isascii() and t in plain))


def is_opposite(question: str, heading: str) -> bool:
    """Whether a heading holds the opposite of a word of the question, and not that word.

    >>> is_opposite("how to disable logging", "How to enable logging")
    True
    >>> is_opposite("优点", "缺点"), is_opposite("优点", "优点和缺点")
    (True, False)
    """
    asked, said = simplified(question.casefold()), simplified(heading.casefold())
    if any(_turns(asked, said, *pair) for one in _OPPOSITE_HAN for pair in (one, one[::-1])):
        return True
    ours, theirs = _latin(asked), _latin(said)
    new = theirs - ours
    return any(_are_opposite(one, other) for one in ours - theirs for other in new)


def _turns(asked: str, said: str, one: str, other: str) -> bool:
    if len(one) == 1:  # a lone character may be a part of any word: it must end or begin one
        return (
            one in _edges(asked) and other in _edges(said)
            and one not in said and other not in asked
        )  # fmt: skip
    return one in asked and other in said and one not in said and other not in asked


def _edges(text: str) -> set[str]:
    """The last characters of the runs of Han, without the words that only ask."""
    bare = ASKING.sub("\n", _PARTICLES.sub("\n", text))
    return {run[-1] for run in _HAN_RUN.findall(bare)}


def _latin(text: str) -> frozenset[str]:
    return frozenset(_LATIN_WORD.findall(text.replace("n't", "nt").replace("n’t", "nt")))


@lru_cache(maxsize=4096)
def _are_opposite(one: str, other: str) -> bool:
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    stems = {_stem(longer), _stem(shorter)}
    if len(shorter) > 3 and any(_stem(longer) == p + _stem(shorter) for p in _PREFIXES):
        return True
    return any({_stem(a), _stem(b)} == stems for a, b in _OPPOSITE)


def _stem(word: str) -> str:
    found = query_terms(word)
    return found[0] if found else word


# Sections ----------------------------------------------------------------------------


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
    if not headings or is_opposite(question, "\n".join(headings)):
        return None
    if is_of_another_kind(intent, headings[-1]):
        return None
    asked = words_of(question)
    above = held_in(asked.every, title)
    own = held_in(asked.every, headings[-1])
    there = above | held_in(asked.every, "\n".join(headings))
    said = words_of(headings[-1])
    surplus = said.needed - asked.every - words_of(title).every
    is_exact = not surplus and bool(own) and asked.needed <= own
    told = own - above
    if not asked.needed <= there or not (told or is_exact):
        return None
    return Fit(is_exact, len(told), -len(surplus))


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
