"""How a report is read: which finding comes first, what belongs together, how a number looks.

Every way out (HTML, table, SARIF, terminal) asks here, so they agree. No layout lives here.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, TypeVar, cast

from witmark.review import vocabulary, wire
from witmark.review.words import (
    FACTS,
    LENGTH_UNITS,
    SCOPE_REASONS,
    SEVERITIES,
    UNITS,
    VALUES,
    VERDICTS,
    Lang,
    Words,
    look_up,
)

# Controls, surrogates, and the marks that turn text around: harmless in a file name,
# treacherous in a terminal or on a page ("gpj.exe" shown as "exe.jpg").
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_FEATURE = re.compile(r"/parts/[0-9]+/features/([0-9]+)/").match

_K = TypeVar("_K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Spread:
    """What one fact measured over all places of a card."""

    fact: str
    unit: str
    values: tuple[wire.Value, ...]  # least and greatest number, or every different word

    def text(self, lang: Lang) -> str:
        """The spread as people write it: one value, "from – to", or the words."""
        texts = dict.fromkeys(value_text(value, self.unit, lang) for value in self.values)
        return (" – " if _is_number(self.values[0]) else ", ").join(texts)


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


def positions_mm(
    report: wire.ReviewV1, facts: Mapping[str, Mapping[str, Any]]
) -> dict[str, tuple[float, ...]]:
    """Where each verdict sits in the assembly, by verdict id, as far as the facts say.

    Args:
        report: the report.
        facts: `witmark.facts/1` blobs by digest.
    """
    found: dict[str, tuple[float, ...]] = {}
    for verdict in report.verdicts:
        for ref in verdict.fact_refs:
            digest, _, pointer = ref.partition("#")
            at = _place_of(facts.get(digest, {}), pointer, verdict.component_id)
            if at is not None:
                found[verdict.id] = at
                break
    return found


def file_name(report: wire.ReviewV1) -> str:
    """The reviewed file's own name, without the folders that lead to it."""
    return printable(PurePosixPath(report.source.path.replace("\\", "/")).name)


def printable(text: str) -> str:
    r"""The text with everything that could command a terminal or turn a line made visible.

    >>> printable("a\x1b[31mb")
    'a\ufffd[31mb'
    """
    return _UNPRINTABLE.sub("\ufffd", text)


def fact_words(name: str) -> Words:
    """What people call a fact."""
    return look_up(FACTS, name)


def fact_unit(name: str) -> str:
    """The unit of a fact of the vocabulary, for places that carry a value without one.

    >>> fact_unit("hole.edge_dist"), fact_unit("hole.ld"), fact_unit("hole.entry_angle")
    ('mm', '1', 'deg')
    """
    word = vocabulary.FACTS.get(name)
    return str(word.unit) if word else ""


def scope_words(reason: str) -> Words:
    """Why an instance is only context: ``"name: nut"`` as people say it.

    >>> scope_words("shape: 87% about one axis").en
    'its shape turns about one axis (87%)'
    """
    key, _, detail = reason.partition(": ")
    words = look_up(SCOPE_REASONS, key)
    said = detail.removesuffix(" about one axis")
    return Words(f"{words.zh}（{said}）", f"{words.en} ({said})") if said else words


def unit_words(report: wire.ReviewV1) -> Words:
    """What people call the file's length unit."""
    return look_up(LENGTH_UNITS, report.source.length_unit)


def value_text(value: wire.Value, unit: str, lang: Lang) -> str:
    """A measured value with its unit, as people write it.

    >>> value_text(12.5, "mm", "en"), value_text(118, "deg", "en"), value_text(None, "mm", "zh")
    ('12.5 mm', '118°', '未知')
    """
    match value:
        case None:
            return VALUES["unknown"].of(lang)
        case bool():
            return VALUES[str(value).lower()].of(lang)
        case int() | float():
            return number_text(value) + UNITS.get(unit, f" {unit}".rstrip())
        case str():
            return look_up(VALUES, printable(value)).of(lang)


def number_text(value: float) -> str:
    """A number to three decimals, unless that would make it look rounder than it is.

    A radius of 2.9999 must not read "3" beside a limit of 3, so a number that only becomes
    tidy by rounding keeps all six decimals it was measured to.

    >>> [number_text(v) for v in (10.833333, 3.0, 2.9999, 0.0, 0.00042)]
    ['10.833', '3', '2.9999', '0', '0.00042']
    """
    short, exact = f"{value:.3f}", f"{value:.6f}"
    chosen = exact if short.endswith("0") and float(short) != float(exact) else short
    return chosen.rstrip("0").rstrip(".") if "." in chosen else chosen


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


def _place_of(
    blob: Mapping[str, Any], pointer: str, component_id: str
) -> tuple[float, ...] | None:
    """The position of the feature under a fact pointer, on one instance, in mm."""
    hit = _FEATURE(pointer)
    for instance in blob.get("instances", ()):
        if hit and instance["component_id"] == component_id:
            for place in instance["places"]:
                if place["feature"] == int(hit.group(1)) and place["at_mm"] is not None:
                    return tuple(place["at_mm"])
    return None


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
