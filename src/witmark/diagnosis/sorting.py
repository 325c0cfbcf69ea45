"""What a raw input is for the analysis, by its place, its name and its first bytes.

The place decides first: a folder ``source`` holds source whatever its files are called. What
no rule knows is ``unknown``; it is kept, watched, and read by nobody.
"""

import re

from witmark.diagnosis.case import InputKind

_FOLDERS = {
    "source": InputKind.SOURCE,
    "src": InputKind.SOURCE,
    "code": InputKind.SOURCE,
    "good": InputKind.GOOD_SOURCE,
    "source-good": InputKind.GOOD_SOURCE,
    "last-good": InputKind.GOOD_SOURCE,
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


def kind_of(origin: str) -> InputKind:
    """Say what a file is for, from the path it had in the case folder.

    >>> kind_of("source/pkg/report.py"), kind_of("app.log")
    (<InputKind.SOURCE: 'source'>, <InputKind.LOG: 'log'>)
    """
    *folders, name = origin.replace("!", "/").split("/")
    if any(folder in {".git", ".hg", ".svn"} for folder in folders):
        return InputKind.REPOSITORY
    for folder in folders:
        if (kind := _FOLDERS.get(folder.lower())) is not None:
            return kind
    return next(
        (kind for pattern, kind in _NAMES if pattern.fullmatch(name)), InputKind.UNKNOWN
    )
