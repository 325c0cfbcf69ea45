"""What a sentence claims, as far as a machine can tell without understanding it.

Names, numbers with their units, dates and denials; ``relation_words`` reads the words that join
two things. The release review reads a draft and its evidence with the same
eyes, so a claim that only one of them makes is seen; nobody here decides what is true.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from witmark.answers.folding import simplified
from witmark.answers.late import late
from witmark.answers.normalising import normal_text, without_format

_REMEMBERED = 512
"""Texts whose reading is kept: one review reads each of a dozen texts twenty times."""

_BLANKS = late(r"\s+")
MARK = late(r"\[\^[^\]\s]{1,24}\]|\[\d{1,3}(?:[,，–-]\s?\d{1,3})*\]")
"""A footnote or citation mark."""


@lru_cache(maxsize=_REMEMBERED)
def folded(text: str) -> str:
    """The central spelling, but with hyphens, slashes and words left whole, for dates.

    >>> folded("Ｗater  Glass 2024-03-01 什麼")
    'water glass 2024-03-01 什么'
    """
    return _BLANKS.sub(" ", simplified(without_format(text)).casefold()).strip()


@lru_cache(maxsize=_REMEMBERED)
def spelled(text: str) -> str:
    """The central spelling, with single blanks: how names are compared.

    >>> spelled("Water-Glass")
    'water glass'
    """
    return _BLANKS.sub(" ", normal_text(text)).strip()


@lru_cache(maxsize=_REMEMBERED)
def letters(text: str) -> str:
    """Only the letters and digits of a text, folded: what is said, without how it is set.

    Footnote marks (``[3]``, ``[^a]``) are no part of what is said.

    >>> letters("**Glass**, mostly _silica_.")
    'glassmostlysilica'
    """
    return "".join(filter(str.isalnum, folded(MARK.sub(" ", text))))


def is_read_from(said: str, source: str) -> bool:
    """Whether every letter of ``said`` stands in the source in this order, markup aside."""
    waiting = iter(letters(html.unescape(source)))
    return all(letter in waiting for letter in letters(said))


# Numbers and dates -------------------------------------------------------------------

_UNITS = {
    "%": "%", "percent": "%", "per cent": "%", "°": "deg", "℃": "deg", "°c": "deg",
    "degree": "deg", "degrees": "deg", "度": "deg", "摄氏度": "deg",
    "mm": "mm", "毫米": "mm", "cm": "cm", "厘米": "cm", "m": "m", "米": "m",
    "km": "km", "公里": "km", "千米": "km",
    "g": "g", "克": "g", "kg": "kg", "千克": "kg", "公斤": "kg",
    "s": "s", "second": "s", "seconds": "s", "秒": "s", "ms": "ms", "毫秒": "ms",
    "minute": "min", "minutes": "min", "分钟": "min", "hour": "h", "hours": "h", "小时": "h",
    "day": "d", "days": "d", "天": "d", "week": "week", "weeks": "week", "周": "week",
    "month": "month", "months": "month", "个月": "month",
    "year": "year", "years": "year", "年": "year",
    "kb": "kb", "mb": "mb", "gb": "gb", "v": "v", "伏": "v", "w": "w", "瓦": "w",
}  # fmt: skip
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=lambda unit: (-len(unit), unit)))
_NUMBER = late(rf"(?<![\w.])(\d+(?:[.,]\d+)*)(?:\s?({_UNIT})(?![a-z]))?|(\d+(?:[.,]\d+)*)")
_ISO_DATE = late(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_HAN_DATE = late(r"(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]")
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sep sept", "october oct", "november nov", "december dec"), 1
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(_MONTHS)
_DAY_FIRST = late(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?({_MONTH})\.?,?\s(\d{{4}})\b")
_MONTH_FIRST = late(rf"\b({_MONTH})\.?\s(\d{{1,2}})(?:st|nd|rd|th)?,?\s(\d{{4}})\b")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written, and its unit by one name; an unknown or absent unit is empty."""

    number: str
    unit: str


@lru_cache(maxsize=_REMEMBERED)
def dates_in(text: str) -> frozenset[str]:
    """Every whole day that is written out, as ISO dates, in English and Chinese spellings.

    >>> sorted(dates_in("从2024年3月1日到 5 April 2025"))
    ['2024-03-01', '2025-04-05']
    """
    plain = folded(text)
    found = {_iso(*hit.groups()) for hit in _ISO_DATE.finditer(plain)}
    found |= {_iso(*hit.groups()) for hit in _HAN_DATE.finditer(plain)}
    found |= {_iso(h[3], str(_MONTHS[h[2]]), h[1]) for h in _DAY_FIRST.finditer(plain)}
    found |= {_iso(h[3], str(_MONTHS[h[1]]), h[2]) for h in _MONTH_FIRST.finditer(plain)}
    return frozenset(found)


def _iso(year: str, month: str, day: str) -> str:
    return f"{year}-{int(month):02d}-{int(day):02d}"


@lru_cache(maxsize=_REMEMBERED)
def quantities_in(text: str) -> tuple[Quantity, ...]:
    """Every number outside a written-out day, in order, with the unit right after it.

    >>> quantities_in("heat 1,000 g to 40 ℃ twice")
    (Quantity(number='1000', unit='g'), Quantity(number='40', unit='deg'))
    """
    plain = folded(text)
    for pattern in (_ISO_DATE, _HAN_DATE, _DAY_FIRST, _MONTH_FIRST):
        plain = pattern.sub(" ", plain)
    hits = _NUMBER.finditer(plain)
    return tuple(
        Quantity(_same_number(hit[1] or hit[3]), _UNITS.get(hit[2] or "", "")) for hit in hits
    )


def _same_number(text: str) -> str:
    return re.sub(r",(?=\d{3}(?!\d))", "", text)


# Denials -----------------------------------------------------------------------------

_DENIED_EN = (
    r"\b(?:not|no|never|none|nor|neither|without|cannot|nothing|nobody|hardly|n't)\b|n['’]t\b"
)
_DENIED_ZH = (
    r"不(?![同仅但过断管论妨锈])|没|无(?!论)|非(?!常|洲)|未(?![来必])|勿|"
    r"(?<![特区差类个级性识分鉴辨告离])别(?![的名人墅处])"
)
_DENIED = late(f"{_DENIED_EN}|{_DENIED_ZH}")
_CLAUSE_ENDS = late(r"[,，;；:：。．.!！?？()（）\n]")
_SENTENCE_ENDS = late(r"(?<=[。！？!?；;])|(?<=\.)\s|\n")


def denials_in(text: str) -> int:
    """How often a text says no.

    >>> denials_in("水杯不能盛放沸水"), denials_in("不同的水杯"), denials_in("It doesn't melt.")
    (1, 0, 1)
    """
    return sum(1 for _ in _DENIED.finditer(folded(text)))


def denied_around(source: str, said: str) -> bool:
    """Whether the source denies, in the same clause, what was cut out of it as a statement.

    >>> denied_around("It is not true that glass melts.", "glass melts")
    True
    """
    at = source.find(said)
    if at < 0:
        return False
    before = _CLAUSE_ENDS.split(source[:at])[-1]
    after = _CLAUSE_ENDS.split(source[at + len(said) :])[0]
    ends = bool(said) and _CLAUSE_ENDS.match(said[-1]) is not None
    return denials_in(before) > 0 or (not ends and denials_in(after) > 0)


def sentences_of(text: str) -> tuple[str, ...]:
    """A text at its ends of sentences; good enough to look a claim up in."""
    return tuple(part.strip() for part in _SENTENCE_ENDS.split(text) if part.strip())


# Words -------------------------------------------------------------------------------

_WORD = late(r"[a-z0-9][a-z0-9'’_-]*|[㐀-䶿一-鿿豈-﫿]+")
_HAN = late(r"[㐀-䶿一-鿿豈-﫿]")
_PROPER = late(r"[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*|\b\w*\d\w*[A-Za-z]\w*\b")
_QUOTED = late(r"《([^》]+)》|「([^」]+)」|“([^”]+)”")
_SMALL = frozenset(
    """a an the of to in on at by for with from as and or but is are was were be been being it
    its this that these those which who what how why when where do does did can could may might
    will would should has have had than then so such your you their they he she we our
    """.split()  # noqa: SIM905 - forty words read better as words
)


@lru_cache(maxsize=_REMEMBERED)
def words_of(text: str) -> frozenset[str]:
    """Content words: Latin words but the small ones, and pairs of Han characters.

    >>> sorted(words_of("what is 水玻璃"))
    ['水玻', '玻璃']
    """
    found: set[str] = set()
    for hit in _WORD.findall(folded(text)):
        if not _HAN.match(hit) or len(hit) == 1:
            found.add(hit)
        else:
            found.update(hit[at : at + 2] for at in range(len(hit) - 1))
    return frozenset(found - _SMALL)


def proper_names(text: str) -> tuple[str, ...]:
    """What looks like a name: quoted titles, and capitals anywhere but at a beginning.

    >>> proper_names("Water glass was made by Fuchs in Munich; see 《硅酸钠》.")
    ('硅酸钠', 'Fuchs', 'Munich')
    """
    plain = unicodedata.normalize("NFKC", text)
    quoted = [next(filter(None, hit.groups())) for hit in _QUOTED.finditer(plain)]
    found = []
    for hit in _PROPER.finditer(plain):
        before = plain[: hit.start()].rstrip(" \"'“‘(《「")
        begins = not before or before[-1] in ".!?。！？：:"
        words = hit[0].split()
        kept = words[1:] if begins and not words[0].isupper() else words
        if kept:
            found.append(" ".join(kept))
    return (*quoted, *(name for name in found if name != "I"))


# Names known beforehand --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mention:
    """A known name at its place in a text as ``spelled``."""

    start: int
    end: int
    key: str


def mentions_in(text: str, names: Mapping[str, str]) -> tuple[Mention, ...]:
    """Known names in a text, longest first where they overlap, in the text's order.

    Args:
        text: Any text; the places count in it as ``spelled``.
        names: From a name as ``spelled`` to what it names.
    """
    plain = spelled(text)
    found: list[Mention] = []
    for name in sorted(names, key=lambda name: (-len(name), name)):
        for start, end in _whole(plain, name):
            if all(end <= other.start or other.end <= start for other in found):
                found.append(Mention(start, end, names[name]))
    return tuple(sorted(found, key=lambda mention: mention.start))


def _whole(plain: str, name: str) -> Iterator[tuple[int, int]]:
    """Where a name stands as whole words; Han characters have no border."""
    at = plain.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        if not (_joined(plain, at) or _joined(plain, end)):
            yield at, end
        at = plain.find(name, end)


def _joined(plain: str, at: int) -> bool:
    return 0 < at < len(plain) and _latin(plain[at - 1]) and _latin(plain[at])


def _latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def first_places(text: str, names: Mapping[str, str], keys: Iterable[str]) -> dict[str, int]:
    """Where each of the keys is named first, for those that are."""
    wanted, found = set(keys), dict[str, int]()
    for mention in mentions_in(text, names):
        if mention.key in wanted:
            found.setdefault(mention.key, mention.start)
    return found
