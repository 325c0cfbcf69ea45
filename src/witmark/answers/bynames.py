"""Names that a note goes by though its author wrote none of them down as its name.

A title is shortened as a reader would say it: without its number, its subtitle, what kind of
text it is (详解, an introduction to) and the frame of a question. A note that has no title but
its file's name is also called what its first defining sentence defines. Links and mentions
never use these names, only questions do, and only where nobody really bears the name.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from witmark.answers.atoms import Document
from witmark.answers.framing import content_of
from witmark.answers.late import late
from witmark.answers.notes import BlockKind
from witmark.answers.terms import compact_key

FOLDERS_OWN: Final = late(
    r"_?(?:readme|index)(?:[._-][a-z]{2}(?:[-_][a-z]{2,4})?)?", re.IGNORECASE
)
"""A file that only speaks for its folder."""

_NUMBER: Final = late(
    r"(?:(?:ch|chapter|part|lesson|section|第)[-_. ]?)?\d{1,4}(?:[-_. ]\d{1,3})*"
    r"(?:\s*[章节節课課讲講篇回]|[-_.、:：)）]|\s(?=\s*[^\W\d]))[-_.、:：\s]*(?!\d)",
    re.IGNORECASE,
)
_SUBTITLE: Final = late(r"\s*(?:[：:？?！!]|——|\s[|｜]\s)\s*")
_HALVES: Final = late(r"\s+(?:-|–|—)\s+")  # dashes
_ASKS: Final = late(
    "什么|什麼|如何|怎么|怎麼|怎样|怎樣|为何|何谓|^(?:what|how|why)\\b", re.IGNORECASE
)
_LEADING_KIND: Final = late(
    r"(?:(?:an? |the )?(?:introduction|intro|guide|overview|basics) (?:to|of)"
    r"|getting started with|understanding)\s+(?:an? |the )?"
    r"|(?:一文|万字|超详细|\d+分钟)?(?:搞懂|读懂|看懂|弄懂|详解|深入理解|深入浅出|浅谈|浅析|漫谈|初识)\s*",
    re.IGNORECASE,
)
_TRAILING_KIND: Final = late(
    r"[\s_-]+(?:intro|introduction|overview|summary|basics|tutorial|guide|primer|explained)$"
    r"|\s*的?(?:常见|基础|基本|核心|概念|知识|问题|原理|实战|简明|完全|使用|面试题|面试)*"
    r"(?:详解|詳解|总结|總結|简介|簡介|介绍|介紹|入门|入門|教程|指南|概述|概览|汇总|解析|讲解)$",
    re.IGNORECASE,
)
_BRACKETED: Final = late(r"[（(\[【《][^（()）\[\]【】《》]*[)）\]】》]")
_JOINTS: Final = late("[-_]+")  # what-is-ownership.md
_SHORTEST: Final = 2

_LOOKED_AT: Final = 2  # paragraphs from the beginning
_DEFINES: Final = late(
    r"(?:所谓的?)?[“「『\"*]*(?![这那它其该本此我你若当设令如])"
    r"([^\s，。；：、,.;:!?？！（）()“”「」『』\"*的了与和或把被在是不于做]{2,12})[”」』\"*]*\s*"
    r"(?:[（(]([^（）()]{2,60})[)）])?\s*[，,]?\s*(?:是(?![否不])|(?:即|特|通常)?指)"
)
_ALSO: Final = late(r"\s*[,，、;；/]\s*")
_STATED: Final = late(r"\w[\w -]*: ")  # author: …
_FILLER: Final = late("[就也都]$|如果|若|以上|以下|首先|注意|[一另]方面")
_LANGUAGE: Final = late(r"^[^:：]*[:：]\s*")  # (英文：Segment Tree)


def shortened(document: Document) -> tuple[str, ...]:
    """Return a title and a file name as a reader would say them, where that differs."""
    whole = _BRACKETED.sub(" ", document.title).strip()
    parts = [_SUBTITLE.split(whole)[0], *_halves(whole), document.stem, _opening(document)]
    kept = dict.fromkeys(part.strip() for part in parts if not FOLDERS_OWN.fullmatch(part))
    found = dict.fromkeys(map(_reduced, kept))
    return tuple(name for name in found if _may_be_a_name(name))


def defined(document: Document) -> tuple[str, ...]:
    """Return what a note defines at its beginning whose only title is a foreign file name."""
    if document.title != document.stem or not document.title.isascii():
        return ()
    for paragraph in islice(_paragraphs(document), _LOOKED_AT):
        match = _DEFINES.match(paragraph)
        if match and not _FILLER.search(match[1]) and not match[1].isascii():
            others = _ALSO.split(_LANGUAGE.sub("", match[2] or ""))
            return tuple(name for name in (match[1], *others) if _may_be_a_name(name))
    return ()


def _opening(document: Document) -> str:
    """The heading that a note without a title begins with, whatever its level."""
    if document.title != document.stem or any(document.atoms[0].passages):
        return ""
    return next((atom.title for atom in document.atoms[1:]), "")


def _halves(title: str) -> list[str]:
    halves = _HALVES.split(title)
    return halves if len(halves) > 1 else []


def _reduced(name: str) -> str:
    name = _NUMBER.sub("", name, count=1) if _NUMBER.match(name) else name
    if _ASKS.search(name):
        asked = content_of(name if " " in name else _JOINTS.sub(" ", name))
        name = asked[0].text if len(asked) == 1 else name
    lead = _LEADING_KIND.match(name)
    name = name[lead.end() :] if lead else name
    return _TRAILING_KIND.sub("", name).strip()


def _may_be_a_name(name: str) -> bool:
    return len(compact_key(name)) >= _SHORTEST and any(map(str.isalpha, name))


def _paragraphs(document: Document) -> Iterator[str]:
    for atom in document.atoms:
        for passage in atom.passages:
            text = atom.content.text[passage.start : passage.end]
            if passage.kind is BlockKind.PARAGRAPH and not _STATED.match(text):
                yield text
