"""Whether a heading holds the opposite of a word of the question.

"How to enable logging" answers another question than "how to disable logging", though the
two share every other word. Headings are looked at by the hundred for one question, so what a
text holds is worked out once and the opposites are looked up, never tried one by one.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from witmark.answers.folding import simplified
from witmark.answers.heading_words import runs_of_han, without_asking
from witmark.answers.terms import query_terms

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
_PREFIXED_FROM = 4  # letters: a shorter word is turned by no prefix


@dataclass(frozen=True, slots=True)
class _Said:
    """What a text holds that may be turned round.

    Attributes:
        latin: Its Latin words, each with its stem.
        held: The words of the Han pairs that stand anywhere in it.
        ends: Those lone characters among them that end a run; elsewhere they may be a part
            of any word.
    """

    latin: Mapping[str, str]
    held: frozenset[str]
    ends: frozenset[str]


def is_opposite(question: str, heading: str) -> bool:
    """Whether a heading holds the opposite of a word of the question, and not that word.

    >>> is_opposite("how to disable logging", "How to enable logging")
    True
    >>> is_opposite("优点", "缺点"), is_opposite("优点", "优点和缺点")
    (True, False)
    """
    asked, said = _said_by(question), _said_by(heading)
    return _turns_han(asked, said) or _turns_latin(asked, said)


def turned_in(question: str, heading: str, told: str) -> bool:
    """Whether a heading turns the question round and a text does not say what was asked.

    >>> turned_in("how to disable logging", "How to enable logging", "Call enable().")
    True
    >>> turned_in("how to disable logging", "How to enable logging", "Or disable it.")
    False
    """
    if not is_opposite(question, heading):
        return False
    asked, said, there = _said_by(question), _said_by(heading), _said_by(told)
    han = {
        word
        for word in asked.held - said.held
        if not said.held.isdisjoint(_han_opposites()[word])
    }
    theirs = set(said.latin.values())
    latin = {
        stem for stem in asked.latin.values() if stem not in theirs and _has_turn(stem, theirs)
    }
    return han.isdisjoint(there.held) and latin.isdisjoint(there.latin.values())


def _has_turn(stem: str, others: Collection[str]) -> bool:
    """Whether the opposite of a word is among others."""
    return any(other in _latin_opposites().get(stem, ()) for other in others) or any(
        prefix + stem in others or (stem.startswith(prefix) and stem[len(prefix) :] in others)
        for prefix in _PREFIXES
    )


@lru_cache(maxsize=4096)
def _said_by(text: str) -> _Said:
    plain = simplified(text.casefold())
    words = _LATIN_WORD.findall(plain.replace("n't", "nt").replace("n’t", "nt"))
    latin = {word: _stem(word) for word in words}
    held = frozenset(word for word in _han_opposites() if word in plain)
    lone = frozenset(word for word in held if len(word) == 1)
    ends = lone and lone.intersection(r[-1] for r in runs_of_han(without_asking(plain)))
    return _Said(latin, held, ends)


def _turns_han(asked: _Said, said: _Said) -> bool:
    for word in asked.held - said.held:
        is_lone = len(word) == 1
        if is_lone and word not in asked.ends:
            continue
        there = (said.ends if is_lone else said.held) - asked.held
        if not there.isdisjoint(_han_opposites()[word]):
            return True
    return False


def _turns_latin(asked: _Said, said: _Said) -> bool:
    ours = {word: stem for word, stem in asked.latin.items() if word not in said.latin}
    theirs = {word: stem for word, stem in said.latin.items() if word not in asked.latin}
    if not ours or not theirs:
        return False
    opposites, there = _latin_opposites(), set(theirs.values())
    if any(not there.isdisjoint(opposites.get(stem, ())) for stem in ours.values()):
        return True
    # Of two words of one length the heading's is taken for the longer.
    return _has_prefixed(ours, theirs, longer_by=1) or _has_prefixed(theirs, ours, longer_by=0)


def _has_prefixed(
    some: Mapping[str, str], others: Mapping[str, str], *, longer_by: int
) -> bool:
    """Whether one of some words is one of the others with a "not" before it."""
    bare = [
        (word, stem, prefix)
        for word, stem in some.items()
        for prefix in _PREFIXES
        if stem.startswith(prefix)
    ]
    return any(
        stem == prefix + other and len(word) - longer_by >= len(shorter) >= _PREFIXED_FROM
        for word, stem, prefix in bare
        for shorter, other in others.items()
    )


@cache
def _han_opposites() -> Mapping[str, tuple[str, ...]]:
    return _both_ways(_OPPOSITE_HAN)


@cache
def _latin_opposites() -> Mapping[str, tuple[str, ...]]:
    return _both_ways((_stem(one), _stem(other)) for one, other in _OPPOSITE)


def _both_ways(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Every word with all its opposites."""
    found: dict[str, tuple[str, ...]] = {}
    for one, other in pairs:
        found[one] = (*found.get(one, ()), other)
        found[other] = (*found.get(other, ()), one)
    return found


def _stem(word: str) -> str:
    found = query_terms(word)
    return found[0] if found else word
