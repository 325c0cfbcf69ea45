"""Whether predicates can hold together, decided exactly, with a point that shows it.

A set of predicates is brought into disjunctive form; named values and flags are settled by
cases, and what is left of each case are linear inequalities over facts that are never
negative. A linear programme then looks for a point with the greatest room in the strict
ones: room below the rounding of the facts is none that a review could ever see.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

import numpy as np
from scipy.optimize import linprog

from witmark.kernel.errors import InputError
from witmark.review.rulebook.predicate import (
    FACT_ROUNDING,
    AllOf,
    AnyOf,
    Comparison,
    Const,
    Flag,
    Is,
    Not,
    Predicate,
    Truth,
    number_text,
)
from witmark.review.vocabulary import FACTS, Unit

MOST_CASES = 4_096
"""A rule with more cases than this is too tangled to be checked, or to be understood."""

Case = tuple[Flag | Is | Comparison | Not, ...]
Point = Mapping[str, float | bool | str]

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class TooManyCasesError(InputError):
    """A predicate that falls into more cases than we are ready to look at."""

    code = "input.rulebook-cases"
    hint = "split the rule in two"

    def __init__(self) -> None:
        super().__init__(f"more than {MOST_CASES} cases")


def common_point(predicates: Sequence[Predicate]) -> Point | None:
    """Values that make all of them true, or ``None`` if no values can.

    Raises:
        TooManyCasesError: the disjunctive form is too long.
    """
    cases = list(islice(_cases(AllOf(tuple(predicates)), holds=True), MOST_CASES + 1))
    if len(cases) > MOST_CASES:
        raise TooManyCasesError
    for case in cases:
        named = _named_values(case)
        if named is None:
            continue
        numbers = _numbers([item for item in case if isinstance(item, Comparison)])
        if numbers is not None:
            return {**named, **numbers}
    return None


def point_text(point: Point) -> str:
    """A point as a reader writes it: ``hole.d = 0.5 mm, hole.bottom = flat``."""
    return ", ".join(f"{name} = {_value_text(name, point[name])}" for name in sorted(point))


def _value_text(name: str, value: float | bool | str) -> str:
    if isinstance(value, bool | str):
        return str(value).lower()
    unit = FACTS[name].unit
    number = number_text(round(value, 6))
    return number if unit is Unit.ONE else f"{number} {unit.value}"


def _cases(predicate: Predicate, *, holds: bool) -> Iterator[Case]:
    """The ways in which a predicate comes out so, each a conjunction of simple statements."""
    match predicate:
        case Const(truth=truth):
            yield from [()] if (truth is Truth.TRUE) is holds else []
        case Not(item=item):
            yield from _cases(item, holds=not holds)
        case AllOf(items=items) | AnyOf(items=items):
            if isinstance(predicate, AllOf) is holds:
                yield from _together(items, holds=holds)
            else:
                for item in items:
                    yield from _cases(item, holds=holds)
        case Comparison():
            yield from _comparison_cases(predicate, holds=holds)
        case _:
            yield (predicate,) if holds else (Not(predicate),)


def _together(items: Sequence[Predicate], *, holds: bool) -> Iterator[Case]:
    columns = [list(islice(_cases(item, holds=holds), MOST_CASES + 1)) for item in items]
    for row in product(*columns):
        yield tuple(statement for case in row for statement in case)


def _comparison_cases(comparison: Comparison, *, holds: bool) -> Iterator[Case]:
    op = comparison.op if holds else _OPPOSITE[comparison.op]
    for sign in ("<", ">") if op == "!=" else (op,):
        yield (Comparison(comparison.left, sign, comparison.right),)


def _named_values(case: Case) -> dict[str, float | bool | str] | None:
    """One value for every flag and named fact of the case, or ``None`` if they clash."""
    allowed: dict[str, set[bool | str]] = {}
    for statement in case:
        item, holds = (
            (statement.item, False) if isinstance(statement, Not) else (statement, True)
        )
        if isinstance(item, Flag):
            allowed.setdefault(item.fact, {True, False}).intersection_update({holds})
        elif isinstance(item, Is):
            values = set[bool | str](FACTS[item.fact].values)
            wanted = {item.value} if item.equal is holds else values - {item.value}
            allowed.setdefault(item.fact, values).intersection_update(wanted)
    if not all(allowed.values()):
        return None
    return {name: min(values, key=str) for name, values in allowed.items()}


def _numbers(comparisons: Sequence[Comparison]) -> dict[str, float] | None:
    """A point of the polyhedron with the greatest room in its strict sides."""
    names = sorted({n for c in comparisons for n, _ in c.left.terms + c.right.terms})
    if not names:
        return {}
    rows = [_row(comparison, names) for comparison in comparisons]
    upper = [row for row, op in rows if op != "=="]
    equal = [row for row, op in rows if op == "=="]
    found = linprog(
        c=[0.0] * len(names) + [-1.0],
        A_ub=np.array([row[:-1] for row in upper]) if upper else None,
        b_ub=[row[-1] for row in upper] if upper else None,
        A_eq=np.array([row[:-1] for row in equal]) if equal else None,
        b_eq=[row[-1] for row in equal] if equal else None,
        bounds=[(0.0, None)] * len(names) + [(0.0, 1.0)],
        method="highs",
    )
    if found.status != 0 or found.x is None or found.x[-1] <= FACT_ROUNDING:
        return None
    return {name: round(float(value), 6) for name, value in zip(names, found.x, strict=False)}


def _row(comparison: Comparison, names: Sequence[str]) -> tuple[list[float], str]:
    """Coefficients of ``left - right``, of the room, and the bound, all turned to ``<=``."""
    sign = -1.0 if comparison.op in (">", ">=") else 1.0
    factors = dict.fromkeys(names, 0.0)
    for side, linear in ((sign, comparison.left), (-sign, comparison.right)):
        for name, factor in linear.terms:
            factors[name] += side * factor
    room = 1.0 if comparison.op in ("<", ">") else 0.0
    bound = sign * (comparison.right.constant - comparison.left.constant)
    return [*factors.values(), room, bound], comparison.op
