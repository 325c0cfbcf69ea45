"""What a rule asks, as a value: three-valued, traced, and readable in two languages.

A predicate is true, false or unknown (Kleene's strong logic): a fact that is not known makes
a comparison unknown, and an unknown part decides nothing that the known parts do not decide
already. `witmark.review.rulebook.grammar` reads predicates from text and checks their units;
nothing here can be written that has not been checked there.

Facts stand on a grid of 1e-6, so a comparison of several facts can be off by half of that
per unit of coefficient. Two sides closer than this are equal. Without it a radius of exactly
a third of the depth would fall on one side or the other with the last digit.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from witmark.kernel.errors import InputError
from witmark.review.units import FactValue
from witmark.review.vocabulary import FACTS, VALUE_WORDS

FACT_ROUNDING = 1e-6
"""The grid on which facts stand (mm, degrees, ratios) before a predicate sees them."""

_FLOAT_NOISE = 1e-12
_SHORT_CHARS = 6


class FactTypeError(InputError):
    """A fact carries a value that its unit does not allow."""

    code = "input.fact-type"
    hint = "the facts blob was not written by this version; run the review again"

    def __init__(self, name: str, value: object) -> None:
        super().__init__(f"{name} cannot have the value {value!r}")
        self.name, self.value = name, value


class Truth(StrEnum):
    """What a predicate comes to. "We cannot tell" is an answer of its own."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


def negation(truth: Truth) -> Truth:
    """Not; what is unknown stays unknown."""
    return {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE}.get(truth, Truth.UNKNOWN)


def conjunction(truths: Iterable[Truth]) -> Truth:
    """And: one false decides, else one unknown leaves it open."""
    found = set(truths)
    for decisive in (Truth.FALSE, Truth.UNKNOWN):
        if decisive in found:
            return decisive
    return Truth.TRUE


def disjunction(truths: Iterable[Truth]) -> Truth:
    """Or: one true decides, else one unknown leaves it open."""
    return negation(conjunction(negation(truth) for truth in truths))


@dataclass(frozen=True, slots=True)
class Reading:
    """One comparison as it was made: its words, what it came to, the values it read."""

    expression: str
    outcome: Truth
    values: tuple[tuple[str, FactValue], ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The outcome of a predicate and every comparison behind it, left to right."""

    outcome: Truth
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Linear:
    """A sum of facts with constant coefficients, plus a constant in ``unit`` (mm, deg, 1)."""

    terms: tuple[tuple[str, float], ...]
    constant: float
    unit: str

    def value(self, values: Mapping[str, FactValue]) -> float | None:
        """The sum, or ``None`` as soon as one fact is not known."""
        total = self.constant
        for name, factor in self.terms:
            known = _number(name, values.get(name))
            if known is None:
                return None
            total += factor * known
        return total

    @property
    def slack(self) -> float:
        """How far the rounding of the facts can have moved the sum."""
        return 0.5 * FACT_ROUNDING * sum(abs(factor) for _, factor in self.terms)


@dataclass(frozen=True, slots=True)
class Const:
    """A predicate that is settled before any fact is read."""

    truth: Truth


@dataclass(frozen=True, slots=True)
class Flag:
    """A yes-or-no fact."""

    fact: str


@dataclass(frozen=True, slots=True)
class Is:
    """A fact that has (or, ``equal`` false, has not) one of its named values."""

    fact: str
    value: str
    equal: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two linear sums of one unit and how they must stand to each other."""

    left: Linear
    op: str
    right: Linear


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a predicate."""

    item: "Predicate"


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every one of them."""

    items: tuple["Predicate", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of them."""

    items: tuple["Predicate", ...]


Predicate = Const | Flag | Is | Comparison | Not | AllOf | AnyOf
ALWAYS = Const(Truth.TRUE)
NEVER = Const(Truth.FALSE)


def evaluate(predicate: Predicate, values: Mapping[str, FactValue]) -> Evaluation:
    """Decide a predicate from the values at hand; an absent or null fact is unknown.

    Raises:
        FactTypeError: a value is of the wrong kind for its fact.
    """
    match predicate:
        case Const(truth=truth):
            return Evaluation(truth, ())
        case Not(item=item):
            inner = evaluate(item, values)
            return Evaluation(negation(inner.outcome), inner.readings)
        case AllOf(items=items) | AnyOf(items=items):
            parts = [evaluate(item, values) for item in items]
            joined = conjunction if isinstance(predicate, AllOf) else disjunction
            readings = tuple(reading for part in parts for reading in part.readings)
            return Evaluation(joined(part.outcome for part in parts), readings)
        case _:
            read = tuple((name, values.get(name)) for name in facts_of(predicate))
            outcome = _decide(predicate, values)
            return Evaluation(outcome, (Reading(text(predicate), outcome, read),))


def facts_of(predicate: Predicate) -> tuple[str, ...]:
    """The facts a predicate reads, each once, in the order of their first mention."""
    match predicate:
        case Const():
            found: list[str] = []
        case Flag(fact=fact) | Is(fact=fact):
            found = [fact]
        case Comparison(left=left, right=right):
            found = [name for name, _ in left.terms + right.terms]
        case Not(item=item):
            return facts_of(item)
        case AllOf(items=items) | AnyOf(items=items):
            found = [name for item in items for name in facts_of(item)]
    return tuple(dict.fromkeys(found))


def given(predicate: Predicate, fact: str, value: str) -> Predicate:
    """What is left to decide once one named-value fact is known; settled parts fall away."""
    match predicate:
        case Is(fact=name) if name == fact:
            return ALWAYS if (predicate.value == value) is predicate.equal else NEVER
        case Not(item=item):
            inner = given(item, fact, value)
            return Const(negation(inner.truth)) if isinstance(inner, Const) else Not(inner)
        case AllOf(items=items):
            return _settled(AllOf, [given(item, fact, value) for item in items], NEVER)
        case AnyOf(items=items):
            return _settled(AnyOf, [given(item, fact, value) for item in items], ALWAYS)
        case _:
            return predicate


@cache
def text(predicate: Predicate) -> str:
    """The predicate in its own language, in one spelling; parsing it gives it back."""
    return _written(predicate, _SOURCE)


def words(predicate: Predicate, language: str) -> str:
    """The predicate for a reader, in ``zh`` or ``en``.

    >>> from witmark.review.rulebook.grammar import parse
    >>> words(parse("hole.ld > 10 or not hole.through"), "zh")
    '孔深径比 > 10 或 非通孔'
    """
    return _written(predicate, {"zh": _ZH, "en": _EN}[language])


def number_text(value: float) -> str:
    """A number as short as it can be and still be read back unchanged; -0.0 is 0."""
    return str(int(value)) if value == int(value) else repr(value)


def _number(name: str, value: FactValue) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool | str):
        raise FactTypeError(name, value)
    if not math.isfinite(value):
        return None
    return round(float(value), 6) + 0.0


def _decide(predicate: Predicate, values: Mapping[str, FactValue]) -> Truth:
    match predicate:
        case Comparison():
            return _compare(predicate, values)
        case Flag(fact=fact):
            return _flag(fact, values.get(fact))
        case Is(fact=fact):
            return _is(predicate, values.get(fact))
        case _:
            raise AssertionError(predicate)


def _compare(comparison: Comparison, values: Mapping[str, FactValue]) -> Truth:
    left, right = comparison.left.value(values), comparison.right.value(values)
    if left is None or right is None:
        return Truth.UNKNOWN
    apart = left - right
    slack = comparison.left.slack + comparison.right.slack
    noise = _FLOAT_NOISE * (1 + abs(left) + abs(right))
    equal = abs(apart) <= max(noise, slack - noise)  # one grid step apart is never equal
    holds = {
        "<": apart < 0 and not equal,
        "<=": apart < 0 or equal,
        ">": apart > 0 and not equal,
        ">=": apart > 0 or equal,
        "==": equal,
        "!=": not equal,
    }[comparison.op]
    return _truth(holds=holds)


def _flag(fact: str, value: FactValue) -> Truth:
    if value is None:
        return Truth.UNKNOWN
    if not isinstance(value, bool):
        raise FactTypeError(fact, value)
    return _truth(holds=value)


def _is(predicate: Is, value: FactValue) -> Truth:
    if value is None:
        return Truth.UNKNOWN
    if value not in FACTS[predicate.fact].values:
        raise FactTypeError(predicate.fact, value)
    return _truth(holds=(value == predicate.value) is predicate.equal)


def _truth(*, holds: bool) -> Truth:
    return Truth.TRUE if holds else Truth.FALSE


def _settled(
    kind: type[AllOf] | type[AnyOf], items: list[Predicate], decisive: Const
) -> Predicate:
    if decisive in items:
        return decisive
    neutral = NEVER if decisive is ALWAYS else ALWAYS
    left = tuple(item for item in items if item != neutral)
    if len(left) == 1:
        return left[0]
    return kind(left) if left else neutral


@dataclass(frozen=True, slots=True)
class _Style:
    """How one reader wants predicates written: words for and/or/not, facts and values."""

    conj: str
    disj: str
    neg: str
    times: str
    language: str  # '' for the source text

    def fact(self, name: str) -> str:
        """A fact's name or its meaning."""
        word = FACTS[name]
        return {"": name, "zh": word.zh, "en": word.en}[self.language]

    def value(self, value: str) -> str:
        """A named value or its meaning."""
        zh, en = VALUE_WORDS.get(value, (value, value))
        return {"": value, "zh": zh, "en": en}[self.language]

    def op(self, op: str) -> str:
        """A comparison sign; readers get the mathematical one."""
        signs = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}
        return signs.get(op, op) if self.language else op


_SOURCE = _Style(" and ", " or ", "not ", " * ", "")
_ZH = _Style(" 且 ", " 或 ", "非", " × ", "zh")
_EN = _Style(" and ", " or ", "not ", " × ", "en")


def _written(predicate: Predicate, style: _Style) -> str:  # noqa: PLR0911 - one per kind
    match predicate:
        case Const(truth=truth):
            return truth.value
        case Flag(fact=fact):
            return style.fact(fact)
        case Is(fact=fact, value=value, equal=equal):
            op = style.op("==" if equal else "!=")
            return f"{style.fact(fact)} {op} {style.value(value)}"
        case Comparison(left=left, op=op, right=right):
            return f"{_sum(left, style)} {style.op(op)} {_sum(right, style)}"
        case Not(item=item):
            return style.neg + _inside(item, style, (AllOf, AnyOf))
        case AllOf(items=items):
            return style.conj.join(_inside(item, style, (AllOf, AnyOf)) for item in items)
        case AnyOf(items=items):
            return style.disj.join(_inside(item, style, (AnyOf,)) for item in items)


def _inside(item: Predicate, style: _Style, bracketed: tuple[type, ...]) -> str:
    written = _written(item, style)
    return f"({written})" if isinstance(item, bracketed) else written


def _sum(linear: Linear, style: _Style) -> str:
    parts = [_term(name, factor, style) for name, factor in linear.terms]
    if linear.constant != 0 or not parts:
        unit = "" if linear.unit == "1" else f" {linear.unit}"
        parts.append(f"{number_text(linear.constant)}{unit}")
    return " + ".join(parts).replace("+ -", "- ")


def _term(name: str, factor: float, style: _Style) -> str:
    """A fact and its factor; a third reads better, and exactly, as a division by three."""
    sign, size, fact = ("-" if factor < 0 else ""), abs(factor), style.fact(name)
    if size == 1:
        return sign + fact
    parts = round(1 / size) if 0 < size < 1 else 0
    if parts and size == 1 / parts and len(repr(size)) > _SHORT_CHARS:
        return f"{sign}{fact} / {parts}"
    return f"{sign}{number_text(size)}{style.times}{fact}"
