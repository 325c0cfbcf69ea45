"""One character for another, never a change of length: traditional to simplified, case, width.

What is folded here can be searched in place: a match in the folded text has the same
offsets in the text itself. The table of scripts is frozen data, so an index made today is
read alike tomorrow.
"""

import unicodedata
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

HAN: Final = (
    "\u2e80-\u2fdf々〇〡-〩\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
"""Han characters, as the inside of a character class."""

UNSPACED: Final = (
    HAN
    + "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    + "\uac00-\ud7a3"  # Hangul
    + "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ec6\u0ec8-\u0ecd"  # Thai, Lao
    + "\u1000-\u103f\u1780-\u17d3"  # Myanmar, Khmer
)
"""Scripts in which a word's end cannot be seen (in Hangul: a particle's beginning)."""


_LONG: Final = 500  # from here on the array is faster
_PAST_HAN: Final = 0x33480


@cache
def script_table() -> dict[int, str]:
    """Traditional characters with the simplified ones they fold to, for ``str.translate``."""
    text = resources.files("witmark.answers").joinpath("script_table.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {ord(old): line[0] for line in lines for old in line[1:]}


def simplified(text: str) -> str:
    """The text with every traditional character folded; the length stays.

    >>> simplified("什麼是服務網格")
    '什么是服务网格'
    """
    if text.isascii():
        return text
    return text.translate(script_table()) if len(text) < _LONG else _simplified_long(text)


def _simplified_long(text: str) -> str:
    """Fold by array: seven times as fast, once numpy is there."""
    import numpy as np  # noqa: PLC0415  # a short question never needs it

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    folded = simplified_points(points)
    if folded is points:
        return text
    return folded.tobytes().decode("utf-32-le", "surrogatepass")


def simplified_points(points: "npt.NDArray[np.uint32]") -> "npt.NDArray[np.uint32]":
    """Fold code points; the same array if there is nothing to fold."""
    import numpy as np  # noqa: PLC0415  # as above

    folded = _script_array().take(points, mode="clip")
    return np.where(folded, folded, points) if folded.any() else points


@cache
def _script_array() -> "npt.NDArray[np.uint32]":
    import numpy as np  # noqa: PLC0415  # as above

    array = np.zeros(_PAST_HAN + 1, np.uint32)
    table = script_table()
    array[list(table)] = [ord(new) for new in table.values()]
    return array


def folded_in_place(text: str) -> str:
    """Width, case and script folded where one character becomes one; the length stays.

    >>> folded_in_place("什麼是ＡＰＩ？")
    '什么是api?'
    """
    return text.lower() if text.isascii() else "".join(map(_folded, text))


@cache
def _folded(character: str) -> str:
    for fold in (_narrow, simplified, str.casefold):
        changed = fold(character)
        character = changed if len(changed) == 1 else character
    return character


def _narrow(character: str) -> str:
    return unicodedata.normalize("NFKC", character)
