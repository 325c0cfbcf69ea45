"""Where the names that a report mentions lead: to definitions, and from there along calls.

People name what they call, and the fault lies behind it: in a callee, in a method of the class,
in a method that a base class has. What a user does to a value ("print it", "compare them") is
a method too, under the name that the language gives it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from witmark.diagnosis.codebase import CodeBase, above, last_part
from witmark.diagnosis.interpretation import Interpretation, Statement

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


@dataclass(frozen=True, slots=True)
class Named:
    """How a definition is reached from a name.

    Attributes:
        weight: 1 for one that is named with its class; less with every step away.
        statement: The name in the report; ``None`` further away.
        how: In words.
    """

    weight: float
    statement: Statement | None
    how: str


def named_places(said: Interpretation, text: str, code: CodeBase) -> Mapping[int, Named]:
    """Every definition that the names of a report lead to."""
    seeds: dict[int, Named] = {}
    for key, weight, statement, how in _seeds(said, text, code):
        if key not in seeds or seeds[key].weight < weight:
            seeds[key] = Named(weight, statement, how)
    reached = _spread(code, {key: one.weight for key, one in seeds.items()})
    return {
        key: seeds[key]
        if key in seeds and seeds[key].weight >= weight
        else Named(weight, None, "within two steps of a name that the report mentions")
        for key, weight in sorted(reached.items())
    }


_Seed = tuple[int, float, Statement | None, str]


def _seeds(said: Interpretation, text: str, code: CodeBase) -> Iterator[_Seed]:
    spoken = {word.lower() for word in _WORD.findall(text)}
    for statement in said.names:
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
