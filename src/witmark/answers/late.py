"""Patterns that are compiled when they are first looked with.

A command that answers one question starts two hundred patterns and looks with fifty; to
compile them all would cost it a tenth of its time. Patterns that every question needs are
better compiled where they stand, by ``re.compile``.
"""

import re
from typing import cast

_METHODS = ("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")
_SAID = ("pattern", "flags", "groups", "groupindex")


def late(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return what ``re.compile`` returns, as far as one looks with it.

    A faulty pattern is found when it is first used, so every one of them wants a test.

    >>> late("b+").search("abba").group(), late("B", re.IGNORECASE).sub("p", "abba")
    ('bb', 'appa')
    """
    return cast("re.Pattern[str]", _Late(pattern, flags))


class _Late:
    """Stands in for a pattern, and becomes as fast as one with its first use."""

    def __init__(self, pattern: str, flags: re.RegexFlag) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS and name not in _SAID:
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        for one in (*_METHODS, *_SAID):  # found in the instance from now on
            setattr(self, one, getattr(compiled, one))
        return getattr(compiled, name)
