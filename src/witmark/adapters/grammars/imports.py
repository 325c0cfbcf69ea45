"""What a file imports, line by line: local name to what it means."""

import re
from collections.abc import Iterator

_FROM = re.compile(
    r"^[ \t\f]*from\s+(?P<module>[.\w]+)\s+import\s+"
    r"(?:\((?P<many>[^)]*)\)|(?P<names>[^\n#;]+))",
    re.MULTILINE,
)
_IMPORT = re.compile(r"^[ \t\f]*import\s+(?P<names>[\w., ]+)", re.MULTILINE)
_OTHER = re.compile(
    r"^\s*(?:import\s+(?:static\s+)?(?P<java>[\w.]+)\s*;|using\s+(?P<cs>[\w.]+)\s*;"
    r"|use\s+(?P<rust>[\w:]+)|#include\s+[<\"](?P<c>[^>\"]+)[>\"])",
    re.MULTILINE,
)
_SCRIPT = re.compile(
    r"import\s+(?:(?P<name>\w+)|\*\s+as\s+(?P<all>\w+)|\{(?P<names>[^}]*)\})\s+from\s+"
    r"[\"'](?P<module>[^\"']+)[\"']"
    r"|(?:const|let|var)\s+(?P<held>\w+)\s*=\s*require\([\"'](?P<required>[^\"']+)[\"']\)"
)
_AS = re.compile(r"\s+as\s+")
_COMMENT = re.compile(r"#[^\n]*")


def imports_of(text: str, language: str) -> dict[str, str]:
    r"""Say what the local names of a file mean, as far as its import lines tell.

    >>> imports_of("import numpy as np\nfrom .a import (b, c as d)", "python")
    {'np': 'numpy', 'b': '.a.b', 'd': '.a.c'}
    """
    match language:
        case "python":
            return dict(_python(text))
        case "javascript" | "typescript" | "tsx":
            return dict(_script(text))
        case _:
            found = (next(filter(None, hit.groups())) for hit in _OTHER.finditer(text))
            return {re.split(r"[.:/]+", name)[-1]: name for name in found}


def _python(text: str) -> Iterator[tuple[str, str]]:
    for hit in _IMPORT.finditer(text):
        for name in hit["names"].split(","):
            meant, _, local = name.strip().partition(" as ")
            if meant:
                yield (local.strip() or meant.partition(".")[0]), meant.strip()
    for hit in _FROM.finditer(text):
        names = _COMMENT.sub("", hit["many"] or hit["names"] or "")
        module = hit["module"]
        joint = "" if module.endswith(".") else "."
        for name in names.split(","):
            parts = _AS.split(name.strip())
            if parts[0].isidentifier():
                yield parts[-1], f"{module}{joint}{parts[0]}"


def _script(text: str) -> Iterator[tuple[str, str]]:
    for hit in _SCRIPT.finditer(text):
        if hit["held"]:
            yield hit["held"], hit["required"]
        elif hit["names"] is None:
            yield hit["name"] or hit["all"], hit["module"]
        else:
            for name in hit["names"].split(","):
                parts = _AS.split(name.strip())
                if parts[0]:
                    yield parts[-1], f"{hit['module']}.{parts[0]}"
