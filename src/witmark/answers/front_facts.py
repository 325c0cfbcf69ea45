"""What a note's front matter says of the note itself: its names, its words, its dates.

What it says of other notes is the linker's. Keys are spelled as people spell them: in any
case, with ``-``, ``_`` or a blank between words, in English or Chinese.
"""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

_ALIASES = ("aliases", "alias", "别名")
_KEYWORDS = ("keywords", "keyword", "关键词")
_VALID_FROM = ("valid from", "生效")
_VALID_TO = ("valid to", "valid until", "expires", "失效")
_UPDATED = ("updated", "modified", "date")
_LANGUAGE = ("lang", "language")
_COMMAS = re.compile(r"[,，;；、]")
_SPACING = re.compile(r"[\s_-]+")
_DATE = re.compile(
    r"(?P<year>[0-9]{4})(?:[-/.](?P<month>[0-9]{1,2})(?:[-/.](?P<day>[0-9]{1,2})"
    r"(?:[T ]\s*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?"
    r"\s*(?:Z|[+-][0-9]{1,2}(?::?[0-9]{2})?)?)?)?)?"
).fullmatch


@dataclass(frozen=True, slots=True)
class FrontFacts:
    """The facts, normalised. Dates are ISO days; whatever is not stated is empty.

    Attributes:
        title: As stated.
        aliases: Other names, titles in other languages first, in order.
        keywords: As stated, in order.
        language: As stated.
        valid_from: First valid day.
        valid_to: Last valid day.
        updated: Day of the last change.
        faults: What could not be read, in words for the author.
    """

    title: str = ""
    aliases: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    language: str = ""
    valid_from: str = ""
    valid_to: str = ""
    updated: str = ""
    faults: tuple[str, ...] = ()


def front_facts(front_matter: Mapping[str, object]) -> FrontFacts:
    """Read the facts of a front matter."""
    stated: dict[str, object] = {}
    for key, value in front_matter.items():
        stated.setdefault(spaced_key(key), value)
    faults: list[str] = []
    valid_from = _first_date(stated, _VALID_FROM, faults, last_day=False)
    valid_to = _first_date(stated, _VALID_TO, faults, last_day=True)
    if valid_from and valid_to and valid_from > valid_to:
        faults.append(f"valid from {valid_from} to {valid_to} is no day at all; both ignored")
        valid_from = valid_to = ""
    titles = [v for k, v in stated.items() if k.startswith("title ")]
    others = [text for key in _ALIASES for text in texts_of(stated.get(key), split=True)]
    return FrontFacts(
        title=next(iter(texts_of(stated.get("title"))), ""),
        aliases=_distinct([*(t for v in titles for t in texts_of(v)), *others]),
        keywords=_distinct(
            t for key in _KEYWORDS for t in texts_of(stated.get(key), split=True)
        ),
        language=next((t for key in _LANGUAGE for t in texts_of(stated.get(key))), ""),
        valid_from=valid_from,
        valid_to=valid_to,
        updated=_first_date(stated, _UPDATED, faults, last_day=False),
        faults=tuple(faults),
    )


@lru_cache(maxsize=1024)  # the notes of a workspace use the same few
def spaced_key(key: str) -> str:
    """Spell a key the one way in which keys are compared.

    >>> spaced_key("Valid_From"), spaced_key("valid-from")
    ('valid from', 'valid from')
    """
    return _SPACING.sub(" ", unicodedata.normalize("NFKC", key).strip()).casefold()


def iso_day(value: object, *, last_day: bool) -> str:
    """Normalise a date to an ISO day, or return an empty text if it is none.

    A year or a month alone means its first day, or its last where a validity ends.

    >>> iso_day("2024-02", last_day=True), iso_day(2024, last_day=False)
    ('2024-02-29', '2024-01-01')
    >>> iso_day("2024-03-01T12:30:00Z", last_day=False), iso_day("soon", last_day=False)
    ('2024-03-01', '')
    """
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    if (found := _DATE(str(value).strip())) is None:
        return ""
    year = int(found["year"])
    month = int(found["month"] or (12 if last_day else 1))
    try:
        day = int(found["day"] or (monthrange(year, month)[1] if last_day else 1))
        return date(year, month, day).isoformat()
    except ValueError:  # month 13, 30 February, year 0; IllegalMonthError is one as well
        return ""


def texts_of(value: object, *, split: bool = False) -> Iterator[str]:
    """The texts in a value, lists flattened; one text may list several with commas."""
    if value is None:
        return
    if isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        parts = _COMMAS.split(str(value)) if split else [str(value)]
        yield from (text for part in parts if (text := " ".join(part.split())))


def _first_date(
    stated: Mapping[str, object], keys: Iterable[str], faults: list[str], *, last_day: bool
) -> str:
    for key in keys:
        if (value := stated.get(key)) in (None, ""):
            continue
        if day := iso_day(value, last_day=last_day):
            return day
        faults.append(f"{key}: {str(value)[:40]!r} is not a date; write YYYY-MM-DD")
    return ""


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
