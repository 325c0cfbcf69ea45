"""What a seeded part is: a way to build it, and what a review owes it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from OCP.TopoDS import TopoDS_Shape

HOLE_RULES = ("P26", "P27", "P28", "P29", "P30", "P34", "P35", "P37", "P38", "P39", "P44")
SHAPE_RULES = ("P13", "P14", "P16", "P17", "P19")
RULES = (*SHAPE_RULES, *HOLE_RULES)
"""The rules that geometry decides."""

P01 = "P01"
"""The contract's own rule, ``18.2.4``. Roles are never known here, so it never goes past
undetermined: no seeded part may violate or satisfy it."""

D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Expected:
    """What the review of one part must say, by catalogue id.

    ``violated`` is exact, with the worst tier per rule. ``may`` are violations that follow
    from the same defect under a second rule's literal words, where engineers differ on
    whether to say it twice; they are neither demanded nor counted as false alarms, and a
    sound part has none. ``satisfied`` and ``undetermined`` must be among the verdicts.
    """

    violated: Mapping[str, str] = field(default_factory=dict)
    may: frozenset[str] = frozenset()
    satisfied: frozenset[str] = frozenset()
    undetermined: frozenset[str] = frozenset()
    decided: bool = True  # nothing but P01 may stay undetermined


@dataclass(frozen=True, slots=True)
class Case:
    """One seeded part in one set of dimensions.

    ``family`` is shared by the dimension sets of one case; ``opened`` means that an outer
    side, far from the place that the case is about, is struck out of the file's closed shell.
    """

    family: str
    dims: int
    make: Callable[[], TopoDS_Shape]
    expected: Expected
    opened: bool = False

    @property
    def name(self) -> str:
        """Unique, and fit for a file name."""
        return f"{self.family}-{self.dims}"


def violating(tiers: Mapping[str, str], *may: str) -> Expected:
    """The part breaks exactly these rules, and at worst so badly."""
    return Expected(violated=dict(tiers), may=frozenset(may))


def sound(*satisfied: str) -> Expected:
    """The part breaks no rule, and these were really asked and held."""
    return Expected(satisfied=frozenset(satisfied))


def open_question(*rules: str) -> Expected:
    """The part breaks nothing that can be seen, and these rules cannot be decided."""
    return Expected(undetermined=frozenset(rules), decided=False)


def over(
    family: str,
    dims: Iterable[D],
    make: Callable[[D], TopoDS_Shape],
    expected: Expected,
    *,
    opened: bool = False,
) -> Iterator[Case]:
    """One case in each of its sets of dimensions."""
    for number, one in enumerate(dims, start=1):
        yield Case(family, number, _bound(make, one), expected, opened)


def _bound(make: Callable[[D], TopoDS_Shape], one: D) -> Callable[[], TopoDS_Shape]:
    return lambda: make(one)
