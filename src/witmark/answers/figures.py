"""Numbers that tell things of one name apart: JDK 8 is not JDK 18, guide 2019 not 2025."""

import re
from typing import Final

from witmark.answers.late import late

_AFTER_WORD: Final = late(
    r"(?<=[^\W\d_\u3400-\u9fff])[\s_-]*v?(\d+(?:\.\d+)*)(?:\.x)?(?![\w.]*\d|[^\W\d_\u3400-\u9fff])"
    r"|(?<!\d)((?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_FURTHER: Final = late(
    r"\s*(?:[&/、,~+–-]|和|与|到|至|to|and)\s*(?:[A-Za-z]+\s*)?(\d+(?:\.\d+)*)"
)


def numbers_of(text: str) -> frozenset[str]:
    """Return the numbers of a name, those that follow a Latin word, and its years.

    >>> sorted(numbers_of("JDK 8 新特性")), sorted(numbers_of("Java 12 & 13"))
    (['8'], ['12', '13'])
    >>> numbers_of("3 种方法"), sorted(numbers_of("jdk8"))
    (frozenset(), ['8'])
    """
    found: set[str] = set()
    for match in _AFTER_WORD.finditer(text):
        found.add(match[1] or match[2])
        end = match.end()
        while further := _FURTHER.match(text, end):
            found.add(further[1])
            end = further.end()
    return frozenset(found)


def agrees(asked: frozenset[str], title: str) -> bool | None:
    """Whether a title bears the numbers asked for, or others in their place.

    ``None`` where that is not to be told: no numbers at all, or those asked for among others.
    """
    borne = numbers_of(title)
    if not asked or not borne:
        return None
    fitting = [any(_is_same(one, other) for one in asked) for other in sorted(borne)]
    if any(fitting) and not all(fitting):
        return None
    return fitting[0]


def _is_same(one: str, other: str) -> bool:
    """3.11 is a kind of 3, and the other way round."""
    short, long = sorted((one.split("."), other.split(".")), key=len)
    return long[: len(short)] == short
