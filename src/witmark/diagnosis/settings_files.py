"""Settings and pinned versions, read from the files that hold them, with their places.

What is not understood is said to be unread by whoever asks; nothing is guessed.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MOST_CHARS = 2 * 1024 * 1024  # of one file
MOST_SETTINGS = 20_000


@dataclass(frozen=True, slots=True)
class Setting:
    """One value and where it stands, in code points of the file."""

    value: str
    start: int
    end: int


Settings = Mapping[str, Setting]


class NotUnderstoodError(ValueError):
    """The file is not of a form that is read here."""


def settings_in(name: str, text: str) -> Settings:
    r"""Read a configuration file into dotted names.

    Raises:
        NotUnderstoodError: it is of another form, or broken; says which.

    >>> settings_in("app.ini", "[db]\nhost = a\n")["db.host"].value
    'a'
    """
    return _read(name, text, _SETTINGS)


def pins_in(name: str, text: str) -> Settings:
    r"""Read a lock file into versions by package.

    Raises:
        NotUnderstoodError: it is of another form, or broken; says which.

    >>> pins_in("requirements.txt", "Some_Package==1.2\n")["some-package"].value
    '1.2'
    """
    found = _read(name, text, _LOCKS)
    return {normal(package): one for package, one in found.items()}


def normal(package: str) -> str:
    """A package's name as every spelling of it has it."""
    return re.sub(r"[-_.]+", "-", package).lower()


_Reader = Callable[[str], Iterator[tuple[str, Setting]]]


def _read(name: str, text: str, readers: tuple[tuple[str, _Reader], ...]) -> Settings:
    if len(text) > MOST_CHARS:
        raise NotUnderstoodError(f"more than {MOST_CHARS} characters")
    reader = next((r for form, r in readers if re.fullmatch(form, name, re.IGNORECASE)), None)
    if reader is None:
        raise NotUnderstoodError("files of this kind are not read")
    found: dict[str, Setting] = {}
    try:
        for key, one in reader(text):
            found.setdefault(key, one)
            if len(found) > MOST_SETTINGS:
                raise NotUnderstoodError(f"more than {MOST_SETTINGS} settings")
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotUnderstoodError(f"broken: {error}") from error
    return found


# Settings ----------------------------------------------------------------------------

_LINE = re.compile(
    r"^[ \t]*(?:export[ \t]+)?(?P<key>[\w.-]+)[ \t]*[=:][ \t]*(?P<value>[^\n]*?)[ \t\r]*$"
    r"|^[ \t]*\[(?P<section>[^\]\n]+)\]",
    re.MULTILINE,
)


def _lines(text: str) -> Iterator[tuple[str, Setting]]:
    section = ""
    for hit in _LINE.finditer(text):
        if hit["section"]:
            section = hit["section"].strip() + "."
        else:
            yield section + hit["key"], Setting(hit["value"], *_trimmed(text, hit))


def _toml(text: str) -> Iterator[tuple[str, Setting]]:
    yield from _placed(text, _flat("", tomllib.loads(text)))


def _json(text: str) -> Iterator[tuple[str, Setting]]:
    yield from _placed(text, _flat("", json.loads(text)))


def _flat(prefix: str, found: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - parsed data
    if isinstance(found, dict):
        for key, value in found.items():
            yield from _flat(f"{prefix}.{key}" if prefix else str(key), value)
    elif isinstance(found, list):
        for number, value in enumerate(found):
            yield from _flat(f"{prefix}[{number}]", value)
    else:
        yield prefix, json.dumps(found, default=str)


def _placed(text: str, flat: Iterator[tuple[str, str]]) -> Iterator[tuple[str, Setting]]:
    """Find the line of each name: the next one below the last that was found, else any."""
    lines: dict[str, list[tuple[int, int]]] = {}
    for hit in re.finditer(r"""["']?(?P<key>[\w.-]+)["']?[ \t]*[=:][^\n]*""", text):
        lines.setdefault(hit["key"], []).append(_trimmed(text, hit))
    at = 0
    whole = (0, min(len(text), 200))
    for name, value in flat:
        last = re.sub(r"\[\d+\]$", "", name).rsplit(".", 1)[-1]
        places = lines.get(last, [whole])
        start, end = next((one for one in places if one[0] >= at), places[-1])
        at = max(at, start)
        yield name, Setting(value, start, end)


def _trimmed(text: str, hit: re.Match[str]) -> tuple[int, int]:
    start, end = hit.span()
    said = text[start:end]
    return start + len(said) - len(said.lstrip()), start + len(said.rstrip())


_SETTINGS: tuple[tuple[str, _Reader], ...] = (
    (r".*\.toml", _toml),
    (r".*\.json", _json),
    (r".*\.(?:ini|cfg|conf|properties|env)|\.?env", _lines),
)


# Locks -------------------------------------------------------------------------------


def _by(pattern: str) -> _Reader:
    form = re.compile(pattern, re.MULTILINE)

    def read(text: str) -> Iterator[tuple[str, Setting]]:
        for hit in form.finditer(text):
            yield hit["name"], Setting(hit["version"], *_trimmed(text, hit))

    return read


def _json_lock(text: str) -> Iterator[tuple[str, Setting]]:
    found = json.loads(text)
    groups = [found.get(key, {}) for key in ("packages", "dependencies", "default", "develop")]
    for group in groups:
        for name, entry in group.items() if isinstance(group, dict) else ():
            version = entry.get("version") if isinstance(entry, dict) else None
            if name and isinstance(version, str):
                start = text.find(json.dumps(name))
                end = text.find(version, start)
                span = (start, end + len(version)) if 0 <= start < end else (0, 1)
                package = name.rpartition("node_modules/")[2]
                yield package, Setting(version.removeprefix("=="), *span)


_LOCKS: tuple[tuple[str, _Reader], ...] = (
    (
        r"requirements[\w.-]*\.(?:txt|lock)|pip-freeze\.txt",
        _by(
            r"^[ \t]*(?P<name>[A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?"
            r"[ \t]*===?[ \t]*(?P<version>[^\s;#\\]+)"
        ),
    ),
    (
        r"(?:poetry|uv|pdm|cargo)\.lock",
        _by(r'^name = "(?P<name>[^"]+)"\nversion = "(?P<version>[^"]+)"'),
    ),
    (r"(?:package-lock|packages\.lock)\.json|pipfile\.lock", _json_lock),
    (
        r"go\.(?:mod|sum)",
        _by(r"^\s*(?:require\s+)?(?P<name>[\w.-]+\.[\w.-]+/\S+)[ \t]+v(?P<version>[^\s/]+)"),
    ),
)
