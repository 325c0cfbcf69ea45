"""How a report is read: which finding comes first, and what belongs together.

Every way out (HTML, table, SARIF, terminal) asks here, so they agree. No layout lives here.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from witmark.review import wire
from witmark.review.spelling import value_text
from witmark.review.words import SEVERITIES, VERDICTS, Lang

_K = TypeVar("_K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Spread:
    """What one fact measured over all places of a card."""

    fact: str
    unit: str
    values: tuple[wire.Value, ...]  # least and greatest number, or every different word

    def text(self, lang: Lang) -> str:
        """The spread as people write it: one value, "from – to unit", or the words."""
        texts = list(dict.fromkeys(value_text(v, self.unit, lang) for v in self.values))
        if len(texts) == 1 or not _is_number(self.values[0]):
            return ", ".join(texts)
        return f"{value_text(self.values[0], '', lang)} – {texts[-1]}"


@dataclass(frozen=True, slots=True)
class Card:
    """One rule at one severity, with every place where it is violated.

    ``limit`` is the one that all places share, or ``None`` when they differ; ``spreads`` has
    each measured fact over all places, in the order in which the first place has them.
    """

    rule: wire.Rule
    severity: wire.Severity
    places: tuple[wire.Verdict, ...]
    limit: wire.Limit | None
    spreads: tuple[Spread, ...]


@dataclass(frozen=True, slots=True)
class OpenCard:
    """One rule that could not be decided, with every place that lacks the same facts."""

    rule: wire.Rule
    missing: tuple[wire.Missing, ...]
    places: tuple[wire.Verdict, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Facts that are missing together, and how much waits for them."""

    facts: tuple[str, ...]
    rules: int
    places: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How often a rule was kept, or had nothing to say."""

    rule: wire.Rule
    satisfied: int
    grey: int  # of the satisfied ones
    not_applicable: int
    entries: tuple[wire.Verdict, ...]  # one per instance


def cards(report: wire.ReviewV1) -> tuple[Card, ...]:
    """Violations by rule and severity: worst first, then in the order of the rules."""
    violated = (v for v in report.verdicts if v.verdict == "violated")
    grouped = _grouped(violated, lambda v: (_rank(v.severity), v.rule_id))
    rules = _rules(report)
    order = list(rules)
    made = [
        _card(rules[rule_id], tuple(SEVERITIES)[rank], places)
        for (rank, rule_id), places in grouped.items()
    ]
    return tuple(sorted(made, key=lambda c: (_rank(c.severity), order.index(c.rule.rule_id))))


def open_cards(report: wire.ReviewV1) -> tuple[OpenCard, ...]:
    """What could not be decided, by rule and by what is missing, in the order of the rules."""
    undecided = (v for v in report.verdicts if v.verdict == "undetermined")
    grouped = _grouped(undecided, lambda v: (v.rule_id, v.missing))
    rules = _rules(report)
    order = list(rules)
    made = [
        OpenCard(rules[rule_id], missing, places)
        for (rule_id, missing), places in grouped.items()
    ]
    return tuple(
        sorted(made, key=lambda c: (order.index(c.rule.rule_id), [m.fact for m in c.missing]))
    )


def gaps(open_: Iterable[OpenCard]) -> tuple[Gap, ...]:
    """What is missing, whatever the rule: most places first."""
    waiting: dict[tuple[str, ...], list[OpenCard]] = {}
    for card in open_:
        waiting.setdefault(tuple(m.fact for m in card.missing), []).append(card)
    made = [
        Gap(facts, len({c.rule.rule_id for c in held}), sum(len(c.places) for c in held))
        for facts, held in waiting.items()
    ]
    return tuple(sorted(made, key=lambda gap: (-gap.places, gap.facts)))


def tallies(report: wire.ReviewV1) -> tuple[Tally, ...]:
    """The rules that were kept somewhere or did not apply, in the order of the rules."""
    quiet = (v for v in report.verdicts if v.verdict in {"satisfied", "not_applicable"})
    grouped = _grouped(quiet, lambda v: v.rule_id)
    return tuple(
        Tally(
            rule=rule,
            satisfied=_places(v for v in entries if v.verdict == "satisfied"),
            grey=_places(v for v in entries if v.grey),
            not_applicable=_places(v for v in entries if v.verdict == "not_applicable"),
            entries=entries,
        )
        for rule_id, rule in _rules(report).items()
        if (entries := grouped.get(rule_id))
    )


def reading_order(report: wire.ReviewV1) -> tuple[wire.Verdict, ...]:
    """Every verdict: violations worst first, then what is open, kept, and does not apply."""
    order = {rule.rule_id: i for i, rule in enumerate(report.rules)}
    kinds = list(VERDICTS)
    return tuple(
        sorted(
            report.verdicts,
            key=lambda v: (
                kinds.index(v.verdict),
                _rank(v.severity),
                order[v.rule_id],
                _where(v),
            ),
        )
    )


def _card(rule: wire.Rule, severity: str, places: tuple[wire.Verdict, ...]) -> Card:
    limits = {place.limit for place in places}
    found: dict[tuple[str, str], list[wire.Value]] = {}
    for fact in (fact for place in places for fact in place.measured):
        found.setdefault((fact.fact, fact.unit), []).append(fact.value)
    return Card(
        rule,
        cast(wire.Severity, severity),  # a key of the table of severities
        places,
        limits.pop() if len(limits) == 1 else None,
        tuple(Spread(fact, unit, _extremes(all_)) for (fact, unit), all_ in found.items()),
    )


def _is_number(value: wire.Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _extremes(values: Sequence[wire.Value]) -> tuple[wire.Value, ...]:
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) == len(values):
        return min(numbers), max(numbers)
    return tuple(dict.fromkeys(values))


def _rules(report: wire.ReviewV1) -> dict[str, wire.Rule]:
    return {rule.rule_id: rule for rule in report.rules}


def _rank(severity: str | None) -> int:
    return list(SEVERITIES).index(severity) if severity in SEVERITIES else len(SEVERITIES)


def _places(entries: Iterable[wire.Verdict]) -> int:
    return sum(entry.count or 1 for entry in entries)


def _grouped(
    verdicts: Iterable[wire.Verdict], key: Callable[[wire.Verdict], _K]
) -> dict[_K, tuple[wire.Verdict, ...]]:
    groups: dict[_K, list[wire.Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(key(verdict), []).append(verdict)
    return {k: tuple(sorted(group, key=_where)) for k, group in groups.items()}


def _where(verdict: wire.Verdict) -> tuple[list[str], list[str], str]:
    return _counted(verdict.component_id), _counted(verdict.semantic_location), verdict.id


def _counted(text: str) -> list[str]:
    """A key that sorts hole 2 before hole 10: digits stand at odd places, padded."""
    pieces = re.split(r"([0-9]+)", text)
    return [p.zfill(20) if i % 2 else p for i, p in enumerate(pieces)]
