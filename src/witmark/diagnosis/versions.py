"""Versions that a text names, and whether it says that all was well with them.

The signs are phrases people use in any report: "from 1.2 to 1.3" (the first was good), "since
1.3" (it is bad), "with 1.2 it worked" (it was good), "going back to 1.2" (it is good).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_VERSION = r"v?\d+(?:\.\d+)+(?:[-.]?(?:a|b|rc|alpha|beta|dev|post|SNAPSHOT|final)\.?\d*)?"
_ANY = re.compile(rf"(?<![\w.:/-])(?P<version>{_VERSION})(?![\w:/]|\.\d)")
_SUBJECT = re.compile(r"(?P<subject>[A-Za-z][\w.-]*)\s+(?:is\s+|version\s+|v)?$")
_FROM_TO = re.compile(
    rf"(?i)(?:from|von|从)\s*(?P<good>{_VERSION})\s*(?:to|on|升级到|到|→|->)\s*(?P<bad>{_VERSION})"
)
_UPGRADED_FROM = re.compile(
    rf"(?i)(?:upgrad\w+|updat\w+|mov\w+|升级)\s*(?:from|自)\s*(?P<good>{_VERSION})"
)
_SINCE = re.compile(
    r"(?i)\b(?:since|as of|starting (?:with|from)|in|after (?:upgrading|updating|moving) to)"
    rf"\s+(?P<bad>{_VERSION})|自\s*(?P<bad2>{_VERSION})"
)
_WELL = (
    r"(?:works?|worked|fine|good|ok(?:ay)?|correct|returns?|no (?:problem|error)|not affected"
    r"|正常|没问题|可以)"
)
_GOOD_WITH = re.compile(
    rf"(?i)(?:with|in|on|under|using|用|在)\s+(?P<good>{_VERSION})[^.!?。\n]{{0,60}}?\b{_WELL}"
    rf"|{_WELL}\b[^.!?。\n]{{0,30}}?\b(?:with|in|on|under|until|up to)\s+(?P<good2>{_VERSION})"
    r"|(?:going|go|went|roll\w*|downgrad\w*|revert\w*)\s*(?:back\s*)?"
    rf"(?:to|回)\s*(?P<good3>{_VERSION})"
    rf"|回退到\s*(?P<good4>{_VERSION})"
)
_BAD_NOW = re.compile(
    rf"(?i)(?:with|in|on)\s+(?P<bad>{_VERSION})[^.!?。\n]{{0,60}}?\b(?:fails?|broken|crash\w*|"
    rf"prints?|error|wrong|raises?)"
)


@dataclass(frozen=True, slots=True)
class Named:
    """A version in a text. ``is_good`` is ``None`` where the text does not say."""

    subject: str
    version: str
    is_good: bool | None
    start: int
    end: int


def versions_in(text: str) -> tuple[Named, ...]:
    """Every version that a text names, in order, each spelling of one subject once.

    >>> [(v.version, v.is_good) for v in versions_in("Since going from 2.1 to 2.2 it fails")]
    [('2.1', True), ('2.2', False)]
    """
    said = dict(_said(text))
    found: dict[tuple[str, str], Named] = {}
    for hit in _ANY.finditer(text):
        subject = _SUBJECT.search(text[max(0, hit.start() - 60) : hit.start()])
        name = subject["subject"] if subject and not _is_filler(subject["subject"]) else ""
        version = hit["version"].removeprefix("v")
        one = Named(name, version, said.get(version), hit.start("version"), hit.end("version"))
        found.setdefault((name if one.is_good is None else "", version), one)
    return tuple(sorted(found.values(), key=lambda one: one.start))


def _said(text: str) -> Iterator[tuple[str, bool]]:
    """Which versions are said to be bad, then which are said to be good: good wins."""
    for sign in (_SINCE, _BAD_NOW, _FROM_TO):
        for hit in sign.finditer(text):
            for group, version in hit.groupdict().items():
                if version and group.startswith("bad"):
                    yield version.removeprefix("v"), False
    for sign in (_GOOD_WITH, _FROM_TO, _UPGRADED_FROM):
        for hit in sign.finditer(text):
            for group, version in hit.groupdict().items():
                if version and group.startswith("good"):
                    yield version.removeprefix("v"), True


def _is_filler(word: str) -> bool:
    return word.lower() in {
        "and", "at", "back", "by", "from", "in", "is", "of", "on", "or", "since", "than",
        "the", "to", "under", "until", "version", "was", "with",
    }  # fmt: skip
