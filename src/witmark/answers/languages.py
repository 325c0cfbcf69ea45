"""Which language a note is in: as it says, as its path says, or as its script shows.

A script settles little between languages that share it: Latin letters count as English
unless the front matter or a folder says otherwise, since only stop words hang on it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

import numpy as np

UNDETERMINED = "und"

_SAMPLE = 4000  # code points looked at; a note keeps its language to the end
_CODES = frozenset(
    re.findall(
        r"\w+",
        "am ar as az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr"
        " hu hy id is it ja ka kk km kn ko lo lt lv mk ml mn mr ms my nb ne nl nn no or pa pl"
        " ps pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zu",
    )
)
_REGION = re.compile(
    r"([a-z]{2,3})[-_](?:[a-z]{2}|[a-z]{4}|[0-9]{3})(?:[-_][a-z0-9]+)*"
).fullmatch
_SCRIPTS = {
    "en": ("A-Z", "a-z", "\u00c0-\u00d6", "\u00d8-\u00f6", "\u00f8-\u024f"),
    "ja": ("\u3041-\u3096", "\u30a1-\u30fa", "\uff66-\uff9d"),
    "zh": ("\u3400-\u4dbf", "\u4e00-\u9fff", "\uf900-\ufaff", "\ud840-\ud888"),
    "ko": ("\u1100-\u11ff", "\uac00-\ud7a3"),
    "ru": ("\u0400-\u052f",),
    "ar": ("\u0620-\u06ff",),
    "he": ("\u05d0-\u05ea",),
    "hi": ("\u0900-\u097f",),
    "bn": ("\u0980-\u09ff",),
    "ta": ("\u0b80-\u0bff",),
    "te": ("\u0c00-\u0c7f",),
    "th": ("\u0e00-\u0e7f",),
    "el": ("\u0370-\u03ff",),
    "hy": ("\u0530-\u058f",),
    "ka": ("\u10a0-\u10ff",),
}
"""Ranges of UTF-16 units; rarer Han characters show by the first half of their pair."""

_NAMES = ("", *_SCRIPTS)
_WEIGHTS = np.array([0, *(3 if code in ("ja", "zh", "ko") else 1 for code in _SCRIPTS)])
"""A Han character says about as much as three letters; technical Chinese is full of Latin
names and is Chinese all the same."""

_JA, _ZH = (_NAMES.index(code) for code in ("ja", "zh"))


def _script_table() -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    table = np.zeros(0x10000, np.uint8)
    for number, code in enumerate(_NAMES[1:], start=1):
        for first, last in (span.split("-") for span in _SCRIPTS[code]):
            table[ord(first) : ord(last) + 1] = number
    return table


_TABLE = _script_table()
_MOST = 0xFFFF
_SUMMANDS = np.array([0, 1, 1 << 16, 1 << 32, *(1 << 48 for _ in _NAMES[4:])], np.uint64)[
    _TABLE
]
"""What a unit adds to a sum that counts four things at once, 16 bits for each: Latin letters,
kana, Han and all others. To count every script takes longer, and few texts need it."""


def language_of_text(text: str) -> str:
    """The language a text is written in, by the shares of its scripts; ``und`` for none.

    >>> language_of_text("水杯是 glass"), language_of_text("ガラスの水"), language_of_text("42")
    ('zh', 'ja', 'und')
    """
    return languages_of_texts([text])[0]


def languages_of_texts(texts: Sequence[str]) -> list[str]:
    """What ``language_of_text`` says of each text, for less than one by one.

    >>> languages_of_texts(["水杯", "glass"])
    ['zh', 'en']
    """
    found: list[str] = []
    foreign: list[int] = []
    samples: list[bytes] = []
    for text in texts:
        sample = text[:_SAMPLE]
        if sample.isascii():
            found.append("en" if any(map(str.isalpha, sample)) else UNDETERMINED)
        else:
            foreign.append(len(found))
            samples.append(sample.encode("utf-16-le", "surrogatepass"))
            found.append(UNDETERMINED)
    if samples:
        for at, best in zip(foreign, _best_scripts(samples), strict=True):
            found[at] = best or UNDETERMINED
    return found


def _best_scripts(samples: Sequence[bytes]) -> Iterator[str]:
    """What language each sample shows, or an empty text."""
    units = np.frombuffer(b"".join(samples), "<u2")
    begins = accumulate((len(sample) // 2 for sample in samples[:-1]), initial=0)
    packed = np.add.reduceat(_SUMMANDS.take(units), list(begins)).tolist()
    for sample, counts in zip(samples, packed, strict=True):
        latin, kana = counts & _MOST, counts >> 16 & _MOST
        han, others = 3 * (counts >> 32 & _MOST), counts >> 48
        if others or kana:
            yield _best_of_all(np.frombuffer(sample, "<u2"))
        else:
            yield "en" if latin >= han and latin else "zh" if han else ""


def _best_of_all(units: "np.ndarray[tuple[int], np.dtype[np.uint16]]") -> str:
    counts = np.bincount(_TABLE[units], minlength=len(_NAMES)) * _WEIGHTS
    if counts[_JA] * 20 >= counts[_ZH] and counts[_JA]:
        counts[_JA] += counts[_ZH]  # kana among Han is Japanese
    best = int(counts.argmax())  # the first of equals, in the table's order
    return _NAMES[best] if counts[best] else ""


def language_of_path(path: str) -> str:
    """The language that a folder of the path names, the innermost first; ``und`` for none.

    >>> language_of_path("content/zh-cn/pod.md"), language_of_path("docs/no match.md")
    ('zh', 'und')
    """
    for folder in reversed(path.split("/")[:-1]):
        if code := _code(folder):
            return code
    return UNDETERMINED


def is_language_tag(folder: str) -> bool:
    """Whether a folder is called like a language.

    >>> is_language_tag("zh-cn"), is_language_tag("content")
    (True, False)
    """
    return bool(_code(folder))


def language_of_note(path: str, stated: object, text: str) -> str:
    """What the front matter states, else what the path says, else what the text shows."""
    declared = declared_language(path, stated)
    return declared if declared != UNDETERMINED else language_of_text(text)


def declared_language(path: str, stated: object) -> str:
    """What the front matter states, else what the path says; ``und`` if neither does."""
    if isinstance(stated, str) and (code := _code(stated)):
        return code
    return language_of_path(path)


@lru_cache(maxsize=4096)  # a workspace has few folders
def _code(tag: str) -> str:
    """The language of a tag such as ``pt-BR`` or ``zh_Hans``, or empty if it is none."""
    tag = tag.strip().lower()
    if tag in _CODES:
        return tag
    found = _REGION(tag)
    return found[1] if found and found[1] in _CODES else ""
