"""Coverage reports read into lines by file; no test is run, and no entity is expanded."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat


class NotCoverageError(ValueError):
    """It is no coverage report that is read here, or a broken one."""


@dataclass(slots=True)
class Covered:
    """One file of a report: lines that ran, lines that did not, and in which test each ran."""

    ran: set[int] = field(default_factory=set)
    missed: set[int] = field(default_factory=set)
    tests: dict[int, frozenset[str]] = field(default_factory=dict)


def coverage_in(text: str) -> Mapping[str, Covered]:
    r"""Read coverage.py's JSON, lcov, Cobertura or JaCoCo.

    Raises:
        NotCoverageError: it is none of these, or broken.

    >>> sorted(coverage_in("SF:a.py\nDA:1,1\nDA:2,0\nend_of_record")["a.py"].missed)
    [2]
    """
    head = text.lstrip()[:1]
    try:
        found = _json(text) if head == "{" else _xml(text) if head == "<" else _lcov(text)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise NotCoverageError(f"not a coverage report: {error}"[:160]) from error
    except expat.ExpatError as error:
        raise NotCoverageError(f"broken: {error}") from error
    if not found:
        raise NotCoverageError("it covers no file")
    return found


def _json(text: str) -> dict[str, Covered]:
    found = {}
    for path, one in json.loads(text)["files"].items():
        tests = {int(n): frozenset(t for t in names if t) for n, names in _contexts(one)}
        found[path] = Covered(set(one["executed_lines"]), set(one["missing_lines"]), tests)
    return found


def _contexts(one: Mapping[str, Mapping[str, list[str]]]) -> Iterator[tuple[str, list[str]]]:
    yield from one.get("contexts", {}).items()


def _lcov(text: str) -> dict[str, Covered]:
    found: dict[str, Covered] = {}
    at: Covered | None = None
    for line in text.splitlines():
        key, _, value = line.strip().partition(":")
        if key == "SF":
            at = found.setdefault(value, Covered())
        elif key == "DA" and at is not None:
            number, hits = value.split(",")[:2]
            (at.ran if int(hits) > 0 else at.missed).add(int(number))
    for one in found.values():
        one.missed -= one.ran
    return found


def _xml(text: str) -> dict[str, Covered]:
    """Cobertura: ``class`` with ``line``; JaCoCo: ``sourcefile``, ``nr``."""
    found: dict[str, Covered] = {}
    at: list[Covered] = []
    package = [""]

    def begin(name: str, said: dict[str, str]) -> None:
        match name:
            case "package":
                package[0] = said.get("name", "")
            case "class" if "filename" in said:
                at[:] = [found.setdefault(said["filename"], Covered())]
            case "sourcefile":
                path = f"{package[0]}/{said['name']}".lstrip("/")
                at[:] = [found.setdefault(path, Covered())]
            case "line" if at:
                number = said.get("number", said.get("nr"))
                hits = said.get("hits", said.get("ci"))
                if number is not None and hits is not None:
                    (at[0].ran if int(hits) > 0 else at[0].missed).add(int(number))
            case _:
                pass

    def refuse(*_: object) -> None:
        raise NotCoverageError("it declares entities")

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.EntityDeclHandler = refuse
    parser.Parse(text, True)
    for one in found.values():
        one.missed -= one.ran
    return found
