"""Names in the report, resolved to definitions, and from there along calls and classes.

People name what they call, and the fault lies behind it: in a callee, in a method of the class,
in a method that a base class has. What a user does to a value ("print it", "compare them") is
a method too, under the name that the language gives it.
"""

import re
from collections.abc import Iterable, Iterator

from witmark.diagnosis.codebase import CodeBase, above, last_part
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    Finding,
    FindingKind,
    Group,
    Quote,
)
from witmark.diagnosis.interpretation import Statement
from witmark.diagnosis.investigators.reporting import by_class, found_at, report_text
from witmark.diagnosis.ports import CaseView, Limits, Look

_SPECIAL = {
    "str": "__str__",
    "print": "__str__",
    "format": "__format__",
    "repr": "__repr__",
    "len": "__len__",
    "bool": "__bool__",
    "iter": "__iter__",
    "next": "__next__",
    "hash": "__hash__",
    "sorted": "__lt__",
    "copy": "__copy__",
    "int": "__int__",
}
_APPLIED = re.compile(r"\b(?P<what>[a-z]+)\((?P<to>[\w.]+)\)")
_WORD = re.compile(r"\b[A-Za-z_]\w{2,}\b")
_CALLEE, _MEMBER, _CALLER = 0.55, 0.45, 0.25  # how much of a name's weight each step keeps
_STEPS = 2
_SHARED = 8  # a name that more definitions bear is not resolved


class NameInvestigator:
    """Resolves the names that a report mentions."""

    name = "names"
    reserve = 6

    def can_look(self, view: CaseView) -> bool:
        """Whether there is source to resolve names in."""
        return view.code is not None

    def discriminates(self, view: CaseView, found: Iterable[Finding]) -> float:
        """A name that is resolved narrows the search."""
        del view, found
        return 0.5

    def look(self, view: CaseView, action: str, limits: Limits) -> Look:
        """Resolve, follow, and report the nearest."""
        code = view.code
        if code is None:
            raise AssertionError("asked to look at a case without source")
        seeds: dict[int, tuple[float, Statement | None, str]] = {}
        for key, weight, statement, how in _seeds(view, code):
            if key not in seeds or seeds[key][0] < weight:
                seeds[key] = (weight, statement, how)
        reached = _spread(code, {key: weight for key, (weight, _, _) in seeds.items()})
        order = sorted(reached, key=lambda key: (-reached[key], key))
        findings = []
        for key in order[: limits.most_findings]:
            weight, statement, how = seeds.get(key, (0.0, None, ""))
            said = (
                how
                if statement or how
                else "within two steps of a name that the report mentions"
            )
            quotes = [Quote(statement.ref, statement.quote)] if statement else []
            findings.append(
                found_at(
                    view,
                    code.definitions[key],
                    f"{code.definitions[key].location.name}: {said}",
                    who=(self.name, action, Group.NAMES),
                    kind=FindingKind.DERIVED,
                    bears_on=by_class(view, {}, main=Direction.FOR),
                    strength=reached[key],
                    quotes=quotes,
                    limits=limits,
                )
            )
        left = len(order) - len(findings)
        told = (f"{left} definitions further from the names",) if left > 0 else ()
        return Look(tuple(findings), Completeness.COMPLETE, told, 4)


_Seed = tuple[int, float, Statement | None, str]


def _seeds(view: CaseView, code: CodeBase) -> Iterator[_Seed]:
    text = f"{view.interpretation.title}\n{report_text(view)}"
    spoken = {word.lower() for word in _WORD.findall(text)}
    for statement in view.interpretation.names:
        yield from _named(code, statement, spoken)
    for hit in _APPLIED.finditer(text):
        yield from _applied(code, hit["what"], last_part(hit["to"]))
    for key, one in enumerate(code.definitions):
        name = one.location.name
        if one.kind == "class" and re.search(rf"\b{re.escape(last_part(name))}\b", text):
            yield key, 0.5, None, "the report names this class"


def _named(code: CodeBase, statement: Statement, spoken: set[str]) -> Iterator[_Seed]:
    name = statement.text.strip("`() ").replace("::", ".")
    keys = code.by_name.get(last_part(name), ())
    if not keys or len(keys) > 4 * _SHARED:
        return
    owner = last_part(above(name))
    owned = [
        k
        for k in keys
        if owner and last_part(above(code.definitions[k].location.name)) == owner
    ]
    said = [k for k in keys if above(code.definitions[k].location.name).lower() in spoken]
    for kept, weight in ((owned, 1.0), (said, 0.8), (list(keys), 0.6)):
        if kept and len(kept) <= _SHARED:
            for key in kept:
                yield key, weight / len(kept) ** 0.5, statement, "the report names it"
            return


def _applied(code: CodeBase, what: str, to: str) -> Iterator[_Seed]:
    special = _SPECIAL.get(what)
    if special is None:
        return
    for key in code.by_name.get(special, ()):
        owner = last_part(above(code.definitions[key].location.name))
        if owner.lower() == to.lower():
            yield key, 1.0, None, f"the report applies {what} to such a value"


def _spread(code: CodeBase, seeds: dict[int, float]) -> dict[int, float]:
    reached = dict(seeds)
    edge = dict(seeds)
    for _ in range(_STEPS):
        further: dict[int, float] = {}
        for key, weight in sorted(edge.items()):
            for other, share in _steps(code, key):
                value = weight * share
                if value > reached.get(other, 0.0) and value > further.get(other, 0.0):
                    further[other] = value
        reached |= {key: max(value, reached.get(key, 0.0)) for key, value in further.items()}
        edge = further
    return reached


def _steps(code: CodeBase, key: int) -> Iterator[tuple[int, float]]:
    called = code.callees[key]
    for other in called:
        yield other, _CALLEE / max(1.0, len(called) / 6) ** 0.5
    members = code.members.get(key, ())
    for other in members:
        yield other, _MEMBER / max(1.0, len(members) / 6) ** 0.5
    for base in code.bases.get(key, ()):
        yield base, 0.9
    for other in code.callers[key][:_SHARED]:
        yield other, _CALLER
