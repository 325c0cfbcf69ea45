"""What a raw input is for the analysis, by its place, its name and its first bytes.

The place decides first: a folder ``source`` holds source whatever its files are called. What
no rule knows is ``unknown``; it is kept, watched, and read by nobody.
"""

import re
from collections.abc import Iterable, Mapping

from witmark.diagnosis.case import InputKind
from witmark.diagnosis.placing import SOURCE_FOLDERS, Place, is_archive_name, place_of

_FOLDERS = {
    **SOURCE_FOLDERS,
    "logs": InputKind.LOG,
    "log": InputKind.LOG,
    "traces": InputKind.TRACE,
    "trace": InputKind.TRACE,
    "config": InputKind.CONFIG,
    "configs": InputKind.CONFIG,
    "coverage": InputKind.COVERAGE,
    "screenshots": InputKind.SCREENSHOT,
}

_NAMES: tuple[tuple[re.Pattern[str], InputKind], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"(?:report|issue|bug|description|readme)(?:\.\w+)?", InputKind.REPORT),
        (r"(?:coverage|lcov|cobertura|jacoco).*", InputKind.COVERAGE),
        (r".*\.(?:stp|step)", InputKind.STEP),
        (r".*\.(?:png|jpe?g|gif|webp|bmp)", InputKind.SCREENSHOT),
        (
            (
                r"(?:requirements[\w.-]*\.txt|.*\.lock|package-lock\.json|go\.(?:mod|sum)|"
                r"pom\.xml|packages\.lock\.json|pip-freeze\.txt|environment\.ya?ml)"
            ),
            InputKind.LOCK,
        ),
        (r".*\.(?:log|out|err)(?:\.\d+)?", InputKind.LOG),
        (r"(?:trace|traceback|stack|hs_err).*|.*\.trace", InputKind.TRACE),
        (
            r".*\.(?:py|pyi|java|kt|js|mjs|cjs|ts|tsx|jsx|go|cs|rs|c|h|cc|cpp|hpp|rb|php)",
            InputKind.SOURCE,
        ),
        (r".*\.(?:toml|ya?ml|ini|cfg|conf|properties|env|json|xml)", InputKind.CONFIG),
        (r".*\.(?:md|markdown|rst|txt)", InputKind.REPORT),
    )
)


def kinds_of(origins: Iterable[str]) -> Mapping[str, InputKind]:
    """Say what each file is for, seen together.

    An archive with code in it, at a place that says nothing, is source as a whole: the
    ``README`` of a release is no report of a fault. One that holds a report is a case.
    """
    kinds = {origin: kind_of(origin) for origin in origins}
    by_archive: dict[str, list[str]] = {}
    for origin in kinds:
        place = place_of(origin)
        if place.archive and _of_place(place) is None:
            by_archive.setdefault(place.archive, []).append(origin)
    for members in by_archive.values():
        if _is_release(members, kinds):
            kinds |= dict.fromkeys(members, InputKind.SOURCE)
    return kinds


def kind_of(origin: str) -> InputKind:
    """Say what a file is for, from the path it had in the case folder.

    >>> kind_of("source/pkg/report.py"), kind_of("app.log")
    (<InputKind.SOURCE: 'source'>, <InputKind.LOG: 'log'>)
    """
    place = place_of(origin)
    if (kind := _of_place(place)) is not None:
        return kind
    if is_archive_name(place.name):
        return InputKind.UNKNOWN
    return next(
        (kind for pattern, kind in _NAMES if pattern.fullmatch(place.name)), InputKind.UNKNOWN
    )


def _of_place(place: Place) -> InputKind | None:
    if any(one in {".git", ".hg", ".svn"} or one.endswith(".git") for one in place.folders):
        return InputKind.REPOSITORY
    known = (_FOLDERS.get(folder.lower()) for folder in place.folders)
    return next((kind for kind in known if kind is not None), None)


def _is_release(members: Iterable[str], kinds: Mapping[str, InputKind]) -> bool:
    places = [place_of(one) for one in members]
    is_case = any(_CASE(place.name) and place.own.count("/") <= 1 for place in places)
    return not is_case and any(kinds[one] is InputKind.SOURCE for one in members)


_CASE = re.compile(r"(?:report|issue|bug)(?:\.\w+)?", re.IGNORECASE).fullmatch
