"""What a rule comes to, from plain values: no unit, no ref, nothing but the facts it reads.

The order of decision:

1. the rule is not about such a place: not applicable;
2. the solid failed its validity check, so no measured value can be trusted: undetermined;
3. ``applies_if`` is false: not applicable; an ``unknown_if`` holds: undetermined;
4. a severity tier holds for certain, whatever the unknown facts may be: violated, unless a
   worse tier is still open and a second look can close it;
5. no tier can hold and ``good_if`` holds: satisfied; ``good_if`` fails: satisfied, but grey;
6. something decisive is unknown: ask for it if a second look can reveal it (and then for all
   else that the rule may come to read, so that one look is enough); else undetermined.

Places with equal values get the same decision, so decisions are made once and remembered.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from witmark.review.rulebook.predicate import (
    Const,
    Predicate,
    Reading,
    Truth,
    evaluate,
    facts_of,
    given,
    text,
    words,
)
from witmark.review.rulebook.rule import Rule, Severity, Tier, Words
from witmark.review.units import FactValue
from witmark.review.vocabulary import FACTS

ANCHOR_KIND = "anchor.kind"
VALIDITY = "part.valid"

_REMEMBERED = 1 << 16
"""Decisions kept; one more is simply decided again."""


class VerdictKind(StrEnum):
    """What a rule comes to at one place."""

    VIOLATED = "violated"
    SATISFIED = "satisfied"
    UNDETERMINED = "undetermined"
    NOT_APPLICABLE = "not_applicable"


class Clause(StrEnum):
    """The part of a rule that a step of the trace looked at."""

    APPLIES_IF = "applies_if"
    UNKNOWN_IF = "unknown_if"
    BAD_IF = "bad_if"
    GOOD_IF = "good_if"


@dataclass(frozen=True, slots=True)
class Step:
    """One predicate as it was decided, with every comparison behind it."""

    clause: Clause
    expression: str
    outcome: Truth
    severity: Severity | None
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """What the facts were held against, where it comes from, and how well founded it is."""

    expression: str
    words: Words
    source: str
    grade: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a rule comes to, and why.

    ``decisive`` names the facts that the deciding step read, ``read`` those of any step,
    ``missing`` those that are not known and would decide, ``ask`` those of them (and of the
    rest of the rule) that a second look may reveal and that nobody has asked for yet.
    """

    kind: VerdictKind
    severity: Severity | None = None
    grey: bool = False
    limit: Limit | None = None
    decisive: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    trace: tuple[Step, ...] = ()
    read: tuple[str, ...] = ()


@lru_cache(maxsize=_REMEMBERED, typed=True)  # typed: 4 and 4.0 read differently in a trace
def decide(rule: Rule, kind: str, asked: frozenset[str], *values: FactValue) -> Decision:
    """Decide one rule about one kind of place.

    Args:
        rule: The rule.
        kind: What the place is, a name of `PLACES`.
        asked: Facts that a second look was already asked for.
        values: Whether the solid is valid, then the rule's required facts in their order.
    """
    if kind not in rule.applies_to:
        return Decision(VerdictKind.NOT_APPLICABLE)
    valid, *known = values
    case = _case(rule, kind)
    if valid is False:
        return Decision(
            VerdictKind.UNDETERMINED,
            limit=case.limits[-1],
            missing=(VALIDITY,),
            read=(VALIDITY,),
        )
    named = dict(zip(rule.required_facts, known, strict=True))
    look = _Look(case, named, asked)
    decided = _applied(look)
    trace = tuple(look.steps)
    return replace(decided, trace=trace, read=_names_read(trace))


@dataclass(frozen=True, slots=True)
class _Case:
    """A rule as it stands for one kind of place, its limits put into words once."""

    applies_if: Predicate
    unknown_if: tuple[Predicate, ...]
    tiers: tuple[Tier, ...]
    good_if: Predicate
    limits: tuple[Limit, ...]  # one per tier
    good_limit: Limit

    @property
    def reads(self) -> tuple[str, ...]:
        """Every fact the rule may come to read here."""
        whens = (tier.when for tier in self.tiers)
        predicates = (self.applies_if, *self.unknown_if, *whens, self.good_if)
        return tuple(dict.fromkeys(n for item in predicates for n in facts_of(item)))


@lru_cache(maxsize=4096)
def _case(rule: Rule, kind: str) -> _Case:
    tiers = tuple(replace(t, when=given(t.when, ANCHOR_KIND, kind)) for t in rule.tiers)
    good = given(rule.good_if, ANCHOR_KIND, kind)
    return _Case(
        applies_if=given(rule.applies_if, ANCHOR_KIND, kind),
        unknown_if=tuple(given(item, ANCHOR_KIND, kind) for item in rule.unknown_if),
        tiers=tiers,
        good_if=good,
        limits=tuple(_limit(rule, tier.when, tier.grade) for tier in tiers),
        good_limit=_limit(rule, good, rule.grade),
    )


def _limit(rule: Rule, predicate: Predicate, grade: str) -> Limit:
    said = Words(words(predicate, "zh"), words(predicate, "en"))
    return Limit(text(predicate), said, rule.source, grade)


class _Look:
    """A decision in progress: the values, and the steps taken so far."""

    def __init__(
        self, case: _Case, values: Mapping[str, FactValue], asked: frozenset[str]
    ) -> None:
        self.case, self.values, self.asked = case, values, asked
        self.steps: list[Step] = []

    def at(
        self, clause: Clause, predicate: Predicate, severity: Severity | None = None
    ) -> Truth:
        """Evaluate a predicate and keep the step, unless there was nothing to decide."""
        found = evaluate(predicate, self.values)
        if not isinstance(predicate, Const):
            step = Step(clause, text(predicate), found.outcome, severity, found.readings)
            self.steps.append(step)
        return found.outcome

    def unknown(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the facts that are not known, each once."""
        return tuple(n for n in dict.fromkeys(names) if self.values.get(n) is None)

    def askable(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the facts that a second look may reveal and that were not asked for."""
        return tuple(
            name
            for name in self.unknown(names)
            if FACTS[name].found_in == 2 and FACTS[name].extractable and name not in self.asked
        )

    def left_open(self, names: Iterable[str]) -> Decision:
        """Undetermined for want of these facts, with a question if one can still be put."""
        needed = tuple(dict.fromkeys(names))
        return Decision(
            VerdictKind.UNDETERMINED,
            limit=self.case.limits[-1],
            decisive=self.case.reads,
            missing=self.unknown(needed) or needed,
            ask=self.askable(self.case.reads) if self.askable(needed) else (),
        )


def _applied(look: _Look) -> Decision:
    case = look.case
    applies = look.at(Clause.APPLIES_IF, case.applies_if)
    if applies is Truth.FALSE:
        return Decision(VerdictKind.NOT_APPLICABLE)
    for predicate in case.unknown_if:
        if look.at(Clause.UNKNOWN_IF, predicate) is not Truth.FALSE:
            return look.left_open(facts_of(predicate))
    if applies is Truth.UNKNOWN:
        return look.left_open(facts_of(case.applies_if))
    return _weighed(look)


def _weighed(look: _Look) -> Decision:
    """Tiers from the worst down, then good."""
    case, unknown = look.case, list[str]()
    for tier, limit in zip(case.tiers, case.limits, strict=True):
        outcome = look.at(Clause.BAD_IF, tier.when, tier.severity)
        if outcome is Truth.TRUE:
            ask = look.askable(unknown)
            found = Decision(VerdictKind.VIOLATED, tier.severity, limit=limit, ask=ask)
            return replace(found, decisive=facts_of(tier.when))
        if outcome is Truth.UNKNOWN:
            unknown.extend(facts_of(tier.when))
    good = look.at(Clause.GOOD_IF, case.good_if)
    if unknown or good is Truth.UNKNOWN:
        return look.left_open((*unknown, *facts_of(case.good_if)))
    grey = good is Truth.FALSE
    return Decision(
        VerdictKind.SATISFIED, grey=grey, limit=case.good_limit, decisive=case.reads
    )


def _names_read(trace: Iterable[Step]) -> tuple[str, ...]:
    readings = (reading for step in trace for reading in step.readings)
    return tuple(dict.fromkeys(name for reading in readings for name, _ in reading.values))
