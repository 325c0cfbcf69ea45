"""What a note is called in the language of an answer, as far as its author says.

A title in the other language gives way to another name of the note. One that gives both is
shown by its half: "内省（Introspection）"; "Silica 二氧化硅" where the note has one half as a
name of its own. No name is made up.
"""

from collections.abc import Iterator, Sequence

from witmark.answers.late import late
from witmark.answers.picking import language_of
from witmark.answers.terms import compact_key

_HAN = "\u3400-\u9fff"
_BRACKETED = late(r"^\s*(?P<one>[^（()）]+?)\s*[（(]\s*(?P<other>[^（()）]+?)\s*[）)]\s*$")
_BESIDE = late(
    rf"^\s*(?:(?P<han>[{_HAN}·]+)\s*[/｜|]?\s*(?P<latin>[A-Za-z][A-Za-z' -]+[A-Za-z])"
    rf"|(?P<latin_first>[A-Za-z][A-Za-z' -]+[A-Za-z])\s*[/｜|]?\s*(?P<han_last>[{_HAN}·]+))\s*$"
)
_ABOUT = late(
    r"(?:详解|面试题?|总结|入门|教程|指南|基础|源码|原理|笔记|简介|介绍|专题|实战|命令|用法|使用|配置|学习|安装|问题|技巧"
    r"|大全|解析|分析|对比|区别|手册|详細|详情|概述|进阶)$"
)
_LATIN = late(r"[A-Za-z]")
_ANY_HAN = late(f"[{_HAN}]")


def title_in(language: str, title: str, names: Sequence[str], path: str = "") -> str:
    """Return the name of a note in a language, its title if it has no other.

    Args:
        language: ``zh`` or ``en``.
        title: As its author gave it.
        names: The note's other names, the best first.
        path: Of its file, whose name tells whether half a title is one.

    >>> title_in("en", "配合", ["Fit"]), title_in("zh", "Silica 二氧化硅", [], "silica.md")
    ('Fit', '二氧化硅')
    >>> title_in("en", "Redis 持久化", []), title_in("zh", "Fit", [])
    ('Redis 持久化', 'Fit')
    """
    stem = path.rpartition("/")[2].rpartition(".")[0] or path
    known = {compact_key(name) for name in (*names, stem)}
    for half in _halves(title, known):
        if _is_in(language, half):
            return half
    if language_of(title) in {language, "und"}:
        return title
    return next((name for name in names if _is_in(language, name)), title)


def _halves(title: str, known: set[str]) -> Iterator[str]:
    if found := _BRACKETED.match(title):
        halves = [half.strip() for half in found.groups()]
        if _languages_differ(*halves) and (_is_proper(halves) or _are_known(halves, known)):
            yield from halves
    elif found := _BESIDE.match(title):
        halves = [half.strip() for half in found.groups() if half]
        if _are_known(halves, known) and not any(map(_ABOUT.search, halves)):
            yield from halves


def _is_proper(halves: Sequence[str]) -> bool:
    """Whether one looks like a name; "管道(python)" tells two of one name apart."""
    return any(half[:1].isupper() for half in halves)


def _are_known(halves: Sequence[str], known: set[str]) -> bool:
    return bool(known.intersection(map(compact_key, halves)))


def _languages_differ(one: str, other: str) -> bool:
    return bool(_ANY_HAN.search(one)) != bool(_ANY_HAN.search(other)) and all(
        _ANY_HAN.search(half) or _LATIN.search(half) for half in (one, other)
    )


def _is_in(language: str, name: str) -> bool:
    return (_ANY_HAN.search(name) is not None) == (language == "zh") and (
        language_of(name) == language
    )
