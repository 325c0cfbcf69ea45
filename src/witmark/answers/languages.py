"""Which language a note is in: as it says, as its path says, or as its script shows.

A script settles little between languages that share it: Latin letters count as English
unless the front matter or a folder says otherwise, since only stop words hang on it.
"""

import re

UNDETERMINED = "und"

_SAMPLE = 4000  # code points looked at; a note keeps its language to the end
_CODES = frozenset(
    (
        "am ar as az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr "
        "hu hy id is it ja ka kk km kn ko lo lt lv mk ml mn mr ms my nb ne nl nn no or pa pl ps "
        "pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zu"
    ).split()
)
_REGION = re.compile(r"([a-z]{2,3})[-_](?:[a-z]{2}|[a-z]{4}|[0-9]{3})(?:[-_][a-z0-9]+)*").fullmatch
_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]+")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")),
    ("ko", re.compile("[\u1100-\u11ff\uac00-\ud7a3]+")),
    ("ru", re.compile("[\u0400-\u052f]+")),
    ("ar", re.compile("[\u0620-\u06ff]+")),
    ("he", re.compile("[\u05d0-\u05ea]+")),
    ("hi", re.compile("[\u0900-\u097f]+")),
    ("bn", re.compile("[\u0980-\u09ff]+")),
    ("ta", re.compile("[\u0b80-\u0bff]+")),
    ("te", re.compile("[\u0c00-\u0c7f]+")),
    ("th", re.compile("[\u0e00-\u0e7f]+")),
    ("el", re.compile("[\u0370-\u03ff]+")),
    ("hy", re.compile("[\u0530-\u058f]+")),
    ("ka", re.compile("[\u10a0-\u10ff]+")),
    ("en", re.compile("[A-Za-z\u00c0-\u024f]+")),
)
_LETTERS_PER_SIGN = {"zh": 3, "ja": 3, "ko": 3}
"""A Han character says about as much as three letters; technical Chinese is full of Latin
names and is Chinese all the same."""


def language_of_text(text: str) -> str:
    """The language a text is written in, by the shares of its scripts; ``und`` for none.

    >>> language_of_text("水杯 is a glass"), language_of_text("ガラスの水"), language_of_text("42")
    ('zh', 'ja', 'und')
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return "en" if any(map(str.isalpha, sample)) else UNDETERMINED
    counts = {
        code: sum(map(len, letters.findall(sample))) * _LETTERS_PER_SIGN.get(code, 1)
        for code, letters in _SCRIPTS
    }
    if counts["ja"] * 20 >= counts["zh"] and counts["ja"]:
        counts["ja"] += counts.pop("zh")  # kana among Han is Japanese
    code = max(counts, key=lambda c: counts[c])  # the first of equals, in the table's order
    return code if counts[code] else UNDETERMINED


def language_of_path(path: str) -> str:
    """The language that a folder of the path names, the innermost first; ``und`` for none.

    >>> language_of_path("content/zh-cn/pod.md"), language_of_path("docs/no match.md")
    ('zh', 'und')
    """
    for folder in reversed(path.split("/")[:-1]):
        if code := _code(folder):
            return code
    return UNDETERMINED


def language_of_note(path: str, stated: object, text: str) -> str:
    """What the front matter states, else what the path says, else what the text shows."""
    if isinstance(stated, str) and (code := _code(stated)):
        return code
    named = language_of_path(path)
    return named if named != UNDETERMINED else language_of_text(text)


def _code(tag: str) -> str:
    """The language of a tag such as ``pt-BR`` or ``zh_Hans``, or empty if it is none."""
    tag = tag.strip().lower()
    if tag in _CODES:
        return tag
    found = _REGION(tag)
    return found[1] if found and found[1] in _CODES else ""
