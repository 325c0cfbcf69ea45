"""Patterns of paths: ``*`` stays in one folder, ``**`` does not, and case makes no difference.

A file system may take two spellings of a name for one, so a pattern that forbids ``Makefile``
forbids ``makefile`` as well.

>>> matches("**/*.lock", "Poetry.LOCK"), matches("src/*.py", "src/a/b.py")
(True, False)
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

_PIECES = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
_MEANING = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern takes in a whole path."""
    return _compiled(_folded(pattern)).fullmatch(_folded(path)) is not None


def first_match(patterns: Iterable[str], path: str) -> str | None:
    """The first pattern that takes in a path; ``None`` if none does."""
    return next((one for one in patterns if matches(one, path)), None)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    pieces = (_MEANING.get(one) or re.escape(one) for one in _PIECES.findall(pattern))
    return re.compile("".join(pieces), re.DOTALL)
