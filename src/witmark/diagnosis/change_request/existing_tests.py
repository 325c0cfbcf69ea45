"""Finds the tests of files in scope among the sources of the package, by names and words alone.

A test file is one that is called or filed like a test. It is a test of a file in scope if it is
called after it, or if it says the file's module and the definition's own name. What it covers
is not measured: nothing is run.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from witmark.diagnosis.change_request.document import Place
from witmark.diagnosis.change_request.ground import Ground
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import EvidenceRef, TextRange

_NAMED = re.compile(
    r"(?:^tests?[_.-])(?P<after>.+?)\.\w+$|^(?P<before>.+?)(?:[_.-](?:tests?|spec))\.\w+$"
    r"|^(?P<camel>[A-Z]\w*?)(?:Tests?|IT|Spec)\.\w+$",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?:[A-Za-z0-9]Tests?|[a-z0-9](?:IT|Spec))\.\w+$")
_FOLDERS = {"test", "tests", "testing", "spec", "specs", "__tests__"}


@dataclass(frozen=True, slots=True)
class Found:
    """A test file, and where it speaks of what is in scope."""

    path: str
    ref: EvidenceRef
    why: str


def tests_of(places: tuple[Place, ...], ground: Ground) -> tuple[Found, ...]:
    """Tests of the places, sorted by path."""
    files = {place.location.path for place in places}
    return tuple(
        found
        for path in sorted(ground.sources)
        if path not in files and is_test(path)
        for found in _found(path, places, ground)
    )


def is_test(path: str) -> bool:
    """Whether a file is called or filed like a test.

    >>> [is_test(p) for p in ("tests/test_a.py", "a/ATest.java", "a/attest.py", "tests/a.bin")]
    [True, True, False, False]
    """
    *folders, name = path.split("/")
    is_code = re.search(r"\.(?:py|js|jsx|ts|tsx|java|kt|go|rb|rs|cs|php|c|cc|cpp)$", name)
    is_filed = bool(_FOLDERS & {one.lower() for one in folders}) and not name.startswith("__")
    return bool(is_code) and (_named_after(name) != "" or is_filed)


def _named_after(name: str) -> str:
    hit = _NAMED.match(name)
    if hit is None:
        return ""
    # the camel form needs its capital, or every "attest.py" would be a test
    if hit["camel"] and not _CAMEL.search(name):
        return ""
    return (hit["after"] or hit["before"] or hit["camel"]).casefold()


def _found(path: str, places: tuple[Place, ...], ground: Ground) -> Iterator[Found]:
    text = ground.text_of(path) or ""
    blob = ground.sources[path].digest
    for place in places:
        stem = place.location.path.rsplit("/", 1)[-1].partition(".")[0]
        own = place.location.name.rsplit(".", 1)[-1]
        if own and (hit := _word(own, text)) and (_word(stem, text) or _is_after(path, stem)):
            yield Found(path, _at(blob, hit), f"it names {own}")
            return
        if _is_after(path, stem) and text:
            yield Found(path, EvidenceRef(blob), f"it is called after {stem}")
            return


def _is_after(path: str, stem: str) -> bool:
    return _named_after(path.rsplit("/", 1)[-1]) == stem.casefold()


def _word(word: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)


def _at(blob: Digest, hit: re.Match[str]) -> EvidenceRef:
    return EvidenceRef(blob, TextRange(hit.start(), hit.end()))
