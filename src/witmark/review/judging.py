"""From a unit and one retrieved rule to a verdict, or to a question for a second look.

A match is not a finding: the rule's predicates are compared with the facts of the unit (see
`witmark.review.deciding` for the order), and the verdict cites both. A role that somebody
inferred with less than `LEAST_ROLE_CONFIDENCE` counts as unknown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from witmark.review.candidates import Candidate
from witmark.review.deciding import (
    VALIDITY,
    Clause,
    Decision,
    Limit,
    Step,
    VerdictKind,
    decide,
)
from witmark.review.rulebook.rule import Rule, Severity
from witmark.review.rulebook.store import RuleStore
from witmark.review.units import BrepFact, FactValue, LocalSemanticUnit, MissingFact
from witmark.review.vocabulary import FACTS, Unit

__all__ = [
    "Clause",
    "FactRequest",
    "Limit",
    "Step",
    "Verdict",
    "VerdictKind",
    "judge",
    "judge_all",
]

LEAST_ROLE_CONFIDENCE = 0.6
"""Below this an inferred role is unknown (RULES, default ``unknown_if``)."""

NO_ANSWERS: Mapping[str, BrepFact] = {}

_INVALID = MissingFact(
    VALIDITY,
    "实体未通过有效性检查，从它测得的数值不可信",
    FACTS[VALIDITY].how_zh,
    "the solid failed its validity check, so nothing measured on it can be trusted",
    FACTS[VALIDITY].how_en,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One rule at one place, and everything it rests on.

    ``measured`` are the known facts that the deciding step read, then the other lengths the
    rule requires (an edge distance says more beside its diameter); ``cited`` all facts that
    any step read, known or not, with their refs. ``missing`` is empty unless undetermined,
    and never empty then.
    """

    rule_id: str
    catalogue_id: str
    kind: VerdictKind
    severity: Severity | None
    grey: bool
    unit: LocalSemanticUnit
    measured: tuple[BrepFact, ...]
    limit: Limit | None
    cited: tuple[BrepFact, ...]
    missing: tuple[MissingFact, ...]
    trace: tuple[Step, ...]

    @property
    def fact_refs(self) -> tuple[str, ...]:
        """The refs of the cited facts, each once, in the order of reading."""
        return tuple(dict.fromkeys(fact.source_ref for fact in self.cited if fact.source_ref))


@dataclass(frozen=True, slots=True)
class FactRequest:
    """A verdict that waits for facts which a second look can reveal.

    Each item names the fact and the extraction it asks for: a computed B-rep check, or a
    standard or context image. Answer all of them and judge again.
    """

    rule_id: str
    unit: LocalSemanticUnit
    facts: tuple[MissingFact, ...]


def judge_all(
    unit: LocalSemanticUnit,
    candidates: Iterable[Candidate],
    store: RuleStore,
    answers: Mapping[str, BrepFact] = NO_ANSWERS,
) -> tuple[Verdict | FactRequest, ...]:
    """Judge a unit by the rules that retrieval returned, in their order, and by no other."""
    return tuple(judge(unit, store.open(one.rule_id), answers) for one in candidates)


def judge(
    unit: LocalSemanticUnit, rule: Rule, answers: Mapping[str, BrepFact] = NO_ANSWERS
) -> Verdict | FactRequest:
    """Decide one rule at one place.

    Args:
        unit: What is there.
        rule: A rule that retrieval returned for it.
        answers: What the second look found, by fact name. A fact that stands here was asked
            for, even if its value is ``None``, and is not asked for again.

    Raises:
        FactTypeError: a fact carries a value that its unit does not allow.
    """
    facts = _facts(unit, answers)
    values = [_value(facts.get(name)) for name in (VALIDITY, *rule.required_facts)]
    decided = decide(rule, unit.anchor.kind, frozenset(answers), *values)
    if decided.ask:
        asked = tuple(FACTS[name].missing() for name in decided.ask)
        return FactRequest(rule.rule_id, unit, asked)
    return _verdict(unit, rule, facts, decided)


def _facts(unit: LocalSemanticUnit, answers: Mapping[str, BrepFact]) -> Mapping[str, BrepFact]:
    """The unit's own facts; an answer fills what the unit does not know."""
    facts = {fact.name: fact for fact in unit.fact_bundle.brep_facts}
    for name, answer in answers.items():
        if name not in facts or facts[name].value is None:
            facts[name] = answer
    return facts


def _value(fact: BrepFact | None) -> FactValue:
    """What a predicate sees: an inferred value only if somebody was sure enough of it."""
    if fact is None:
        return None
    if FACTS[fact.name].inferred and fact.confidence < LEAST_ROLE_CONFIDENCE:
        return None
    return fact.value


def _verdict(
    unit: LocalSemanticUnit, rule: Rule, facts: Mapping[str, BrepFact], decided: Decision
) -> Verdict:
    sizes = [name for name in rule.required_facts if FACTS[name].unit is Unit.MM]
    shown = dict.fromkeys((*decided.decisive, *sizes)) if decided.decisive else ()
    cited = dict.fromkeys((*decided.read, *decided.missing))
    return Verdict(
        rule_id=rule.rule_id,
        catalogue_id=rule.catalogue_id,
        kind=decided.kind,
        severity=decided.severity,
        grey=decided.grey,
        unit=unit,
        measured=tuple(
            facts[name] for name in shown if name in facts and _value(facts[name]) is not None
        ),
        limit=decided.limit,
        cited=tuple(facts[name] for name in cited if name in facts),
        missing=tuple(_missing(unit, name) for name in decided.missing),
        trace=decided.trace,
    )


def _missing(unit: LocalSemanticUnit, name: str) -> MissingFact:
    """As the unit words it, if it does; else as the vocabulary does."""
    if name == VALIDITY:
        return _INVALID
    worded = unit.fact_bundle.missing_facts
    return next((item for item in worded if item.fact == name), FACTS[name].missing())
