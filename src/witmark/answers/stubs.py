"""Stubs: notes that bear a name and say next to nothing, such as a redirect to another."""

import re
from typing import Final

from witmark.answers.late import late

LEAST_PROSE: Final = 200
"""Letters of prose, below which a note may be a stub; a Han character counts for three."""

_NO_PROSE: Final = late(
    r"\A---\n(?s:.*?)\n---\n"  # front matter
    r"|^\s*\[[^\]]+\]:.*$"  # link definitions
    r"|!?\[\[[^\]]*\]\]|!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])"  # links
    r"|<[^>]*>|^\s*#.*$|https?://\S+",
    re.MULTILINE,
)
_LINK: Final = re.compile(r"\[\[[^\]]+\]\]|\]\(|\]\[|<https?:|https?://")
_BLOCK: Final = 20_000  # code points; a longer note is no stub
_HAN: Final = re.compile("[\u3400-\u9fff]")


def is_stub(text: str) -> bool:
    r"""Whether a note's source points elsewhere and says next to nothing.

    >>> is_stub("# Ownership\n\nSee [the new edition](new.md)."), is_stub("It is a rule.")
    (True, False)
    """
    if len(text) > _BLOCK or not _LINK.search(text):
        return False
    prose = _NO_PROSE.sub("", text.replace("\r", ""))
    letters = sum(map(str.isalpha, prose)) + 2 * len(_HAN.findall(prose))
    return letters < LEAST_PROSE
