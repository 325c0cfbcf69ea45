"""Han as it is typed: toneless pinyin, with the readings of ``pypinyin``.

They lie in two files of that package, which are read here as far as names need it: to import
all of it takes a quarter of a second.
"""

import json
import unicodedata
from bisect import bisect_left
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from witmark.answers.late import late

_HAN = late(
    "[\u3007\ue815-\ue864\ufa18\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df"
    "\U0002a703-\U0002b73f\U0002b740-\U0002b81d\U0002b825-\U0002bf6e\U0002c029-\U0002ce93\U0002d016"
    "\U0002d11b-\U0002ebd9\U0002f80a-\U0002fa1f\U00030000-\U0003134a\U00031350-\U00032389]+"
)
"""What the package takes for Han; no phrase goes beyond a run of it."""

_TONES = dict.fromkeys(map(ord, "\u0304\u0301\u030c\u0300"))  # macron, acute, caron, grave
_KEY_ENDS = b'": [\n'
_FIRST_READING = late(r'\[\n"([^",]+)"')


@lru_cache(maxsize=4096)  # a name is asked for under several rules, one after the other
def pinyin(han: str) -> str:
    """Return the toneless pinyin of the Han in a text as one word.

    >>> pinyin("服务网格"), pinyin("银行"), pinyin("绿")
    ('fuwuwangge', 'yinhang', 'lv')
    """
    read = "".join(reading for run in _HAN.findall(han) for reading in _readings(run))
    bare = unicodedata.normalize("NFD", read).translate(_TONES)
    return unicodedata.normalize("NFC", bare).replace("ü", "v")


def _readings(han: str) -> list[str]:
    """At each place that of the longest phrase, else of the character, as pypinyin has it."""
    phrases, known, longest, _ = _phrases()
    found: list[str] = []
    while han:
        for length in range(min(longest, len(han)), 1, -1):
            if (phrase := han[:length]) in known:
                found += _reading_of_phrase(phrase)
                han = han[length:]
                break
        else:
            near = bisect_left(phrases, han)
            if near < len(phrases) and phrases[near].startswith(han):
                return [*found, *map(_reading, han)]  # in half a phrase it looks for no other
            found.append(_reading(han[0]))
            han = han[1:]
    return found


def _reading(character: str) -> str:
    """The first of a character's readings; empty if it has none."""
    return _characters().get(str(ord(character)), "").partition(",")[0]


def _reading_of_phrase(phrase: str) -> list[str]:
    phrases, _, _, readings = _phrases()
    return _FIRST_READING.findall(readings[bisect_left(phrases, phrase)].decode())


# The files ---------------------------------------------------------------------------


@cache
def _characters() -> dict[str, str]:
    """Readings by the number of the character, several of them with commas."""
    read: dict[str, str] = json.loads(_file("pinyin_dict.json"))
    return read


@cache
def _phrases() -> tuple[list[str], frozenset[str], int, list[bytes]]:
    """Every phrase, in order and as a set; the length of the longest; how each is read.

    A reading is left as it is written, with the next phrase behind it: few are ever used.
    """
    first, *rest = _file("phrases_dict.json").split(_KEY_ENDS)
    keys = [piece[piece.rindex(b'"') + 1 :] for piece in (first, *rest[:-1])]
    phrases = b"\n".join(keys).decode().split("\n")
    return phrases, frozenset(phrases), max(map(len, phrases)), rest


def _file(name: str) -> bytes:
    """A file of the package, which is not imported for it."""
    package = find_spec("pypinyin")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("No module named 'pypinyin'", name="pypinyin")
    return Path(package.origin).with_name(name).read_bytes()
