"""Packages that were diagnosed before and look like this one; what is used of them is frozen.

Likeness is told from call stacks first: the same exception out of the same innermost functions.
Words alone make two packages alike, never the same fault. The thresholds are a table with a
version. What is used of another package is copied into this one before anybody looks at it, so
nothing here depends on the other package any more.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from witmark.diagnosis.case import CaseId, Manifest, PackageId, Phase
from witmark.diagnosis.codebase import last_part
from witmark.diagnosis.interpretation import FORMAT as INTERPRETATION
from witmark.diagnosis.interpretation import Interpretation, Trace
from witmark.diagnosis.package import Package
from witmark.diagnosis.plain import artefact_bytes, read_artefact
from witmark.diagnosis.ports import CaseStore, Earlier, Likeness
from witmark.diagnosis.words import words
from witmark.kernel.errors import InputError, IntegrityError

FORMAT = "witmark.earlier-packages/1"
LIST = "earlier.json"
TABLE_VERSION = "earlier-likeness/1"
RULES: Mapping[str, float] = {
    "innermost_frames": 5,  # of each stack, that are compared
    "same_frames": 2,  # so many are shared at least, or all that the shorter stack has
    "same_frames_share": 0.6,  # of the shorter one
    "words_share": 0.5,  # of the words of both, where stacks do not decide
    "most_packages": 200,
    "most_used": 3,
}

_VALUE = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|0x[0-9a-fA-F]+|\d+")


@dataclass(frozen=True, slots=True)
class EarlierPackages:
    """What is frozen of other packages.

    Attributes:
        table: The version of the thresholds.
        used: Those that are alike, the likest first.
        unread: How many could not be read, or were not looked at.
    """

    table: str
    used: tuple[Earlier, ...]
    unread: int = 0


def gather(
    store: CaseStore, case_id: CaseId, package_id: PackageId, said: Interpretation
) -> EarlierPackages:
    """Find diagnosed packages of other cases that look like this one.

    A package of the same case is no second voice: it is the same report, read before.
    """
    found: list[Earlier] = []
    unread, seen = 0, 0
    for case, package in _others(store, case_id, package_id):
        seen += 1
        if seen > RULES["most_packages"]:
            unread += 1
            continue
        try:
            one = _earlier(Package(store.disk(case, package)), said)
        except (InputError, IntegrityError):  # a broken neighbour is counted, and no reason
            unread += 1
            continue
        found += [one] if one is not None else []
    found.sort(key=_likest_first)
    return EarlierPackages(TABLE_VERSION, tuple(found[: int(RULES["most_used"])]), unread)


def likeness_of(one: Interpretation, other: Interpretation) -> Likeness:
    """How alike two cases are, by their stacks, then by their words."""
    pairs = [_of_traces(mine, theirs) for mine in one.traces for theirs in other.traces]
    stack = max(pairs, key=lambda p: (p.is_same, p.frames, -p.of), default=Likeness())
    mine, theirs = _words_of(one), _words_of(other)
    share = len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0
    return Likeness(stack.is_same, stack.frames, stack.of, round(share, 6))


def artefacts_of(found: EarlierPackages, place: str) -> dict[str, bytes]:
    """What is frozen, by path below ``place``: the list first, then the very bytes copied."""
    files = {place + LIST: artefact_bytes(FORMAT, found)}
    for number, one in enumerate(found.used, start=1):
        files[f"{place}from-{number}-result.json"] = one.result.encode()
        if one.feedback:
            files[f"{place}from-{number}-verdict.json"] = one.feedback.encode()
    return files


def names_below(place: str) -> frozenset[str]:
    """Every path that ``artefacts_of`` can write."""
    numbers = range(1, int(RULES["most_used"]) + 1)
    kinds = ("result", "verdict")
    copies = {f"{place}from-{n}-{kind}.json" for n in numbers for kind in kinds}
    return frozenset({place + LIST, *copies})


def read_frozen(raw: bytes, *, place: str) -> EarlierPackages:
    """Read what was frozen.

    Raises:
        GarbledRecordError: it is not that.
    """
    return read_artefact(FORMAT, EarlierPackages, raw, place=place)


# Looking through the store -------------------------------------------------------------


def _others(
    store: CaseStore, case_id: CaseId, package_id: PackageId
) -> Iterator[tuple[CaseId, PackageId]]:
    for case in sorted(store.cases()):
        if case == case_id:
            continue
        for package in sorted(store.packages(case)):
            if package != package_id:
                yield case, package


def _earlier(package: Package, said: Interpretation) -> Earlier | None:
    manifest = package.manifest()
    if "diagnosis" not in manifest.pointers:
        return None
    place = manifest.pointers[Phase.INTERPRETATION.value]
    raw = package.artefact(manifest, place)
    other = read_artefact(INTERPRETATION, Interpretation, raw, place=place)
    likeness = likeness_of(said, other)
    if not likeness.is_same and likeness.words < RULES["words_share"]:
        return None
    return Earlier(
        manifest.case_id,
        manifest.package_id,
        manifest.revision,
        likeness,
        _text(package, manifest, "diagnosis"),
        _text(package, manifest, Phase.FEEDBACK.value),
    )


def _text(package: Package, manifest: Manifest, role: str) -> str:
    path = manifest.pointers.get(role)
    return "" if path is None else package.artefact(manifest, path).decode()


def _likest_first(one: Earlier) -> tuple[object, ...]:
    likeness = one.likeness
    share = likeness.frames / likeness.of if likeness.of else 0.0
    return (not likeness.is_same, -share, -likeness.words, one.case_id, one.package_id)


# Likeness ------------------------------------------------------------------------------


def _of_traces(mine: Trace, theirs: Trace) -> Likeness:
    one, other = _innermost(mine), _innermost(theirs)
    shorter = min(len(one), len(other))
    shared = _shared(one, other)
    is_same = (
        bool(mine.exception)
        and last_part(mine.exception) == last_part(theirs.exception)
        and _template(mine.message) == _template(theirs.message)
        and shared >= min(RULES["same_frames"], shorter)
        and shared >= RULES["same_frames_share"] * shorter
        and shared > 0
    )
    return Likeness(is_same, shared, shorter)


def _innermost(trace: Trace) -> Sequence[tuple[str, str]]:
    """File and function of the last frames, the innermost first; no line: versions differ."""
    last = trace.frames[-int(RULES["innermost_frames"]) :]
    return [
        (one.path.replace("\\", "/").rpartition("/")[2], last_part(one.function))
        for one in reversed(last)
    ]


def _shared(one: Iterable[tuple[str, str]], other: Iterable[tuple[str, str]]) -> int:
    """How many frames both share without a gap from the innermost one outwards."""
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared


def _template(message: str) -> str:
    """A message without the values in it."""
    return " ".join(_VALUE.sub("*", message).split())


def _words_of(said: Interpretation) -> frozenset[str]:
    parts = (*said.symptom, *said.observed, *said.expected, *said.names)
    return frozenset(words(" ".join([said.title, *(one.text for one in parts)])))
