"""The half that only the judge may see: required facts, bad_if, good_if, unknown_if.

Opened rule by rule, and only for rules that retrieval returned. The linter lets nobody but
the judge, the ports and the adapters in here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from witmark.review.rulebook.grammar import PredicateError, parse
from witmark.review.rulebook.index import RulebookError, read_book, strings
from witmark.review.rulebook.predicate import ALWAYS, Predicate, text
from witmark.review.rulebook.rule import STORE_FORMAT, Rule, Severity, Tier, Words


@dataclass(frozen=True, slots=True)
class RuleStore:
    """Every rule of one book, opened one at a time."""

    name: str
    rules: Mapping[str, Rule]

    def open(self, rule_id: str) -> Rule:
        """The rule of this id.

        Raises:
            RulebookError: index and store do not belong together.
        """
        if rule_id not in self.rules:
            raise RulebookError(f"the index names {rule_id}, the store does not have it")
        return self.rules[rule_id]


def load_store(data: bytes) -> RuleStore:
    """Read a compiled store and parse every predicate in it.

    Raises:
        RulebookError: the bytes are not a store of this version, or a predicate is broken.
    """
    book = read_book(data, STORE_FORMAT)
    try:
        rules = [_rule(item) for item in book["rules"]]
    except PredicateError as wrong:
        raise RulebookError(f"a predicate does not read ({wrong})") from wrong
    except (KeyError, TypeError, ValueError) as wrong:
        raise RulebookError(f"a store item is incomplete ({wrong})") from wrong
    return RuleStore(str(book["rulebook"]), {rule.rule_id: rule for rule in rules})


def _always_or(source: str) -> Predicate:
    """A predicate, or `ALWAYS` for the word ``true`` (no condition)."""
    return ALWAYS if source == text(ALWAYS) else parse(source)


def _rule(item: Mapping[str, object]) -> Rule:
    checks = item["verification_rule"]
    if not isinstance(checks, Mapping):
        raise TypeError("verification_rule is not an object")
    return Rule(
        rule_id=str(item["rule_id"]),
        catalogue_id=str(item["catalogue_id"]),
        title=Words(str(item["title"]), str(item["title_en"])),
        knowledge_category=str(item["knowledge_category"]),
        primary_view=str(item["primary_view"]),
        applies_to=strings(checks["applies_to"]),
        applies_if=_always_or(str(checks["applies_if"])),
        required_facts=strings(checks["required_facts"]),
        required_model_facts=strings(checks["required_model_facts"]),
        tiers=tuple(_tier(tier) for tier in checks["severity_tiers"]),
        good_if=parse(str(checks["good_if"])),
        unknown_if=tuple(parse(source) for source in strings(checks["unknown_if"])),
        source=str(item["source"]),
        grade=str(item["grade"]),
        grade_note=str(item["grade_note"]),
        why=_both(item, "why"),
        mend=_both(item, "mend"),
        note=_both(item, "note"),
        card=str(item["card"]),
        card_digest=str(item["card_digest"]),
    )


def _tier(item: Mapping[str, object]) -> Tier:
    return Tier(Severity(str(item["severity"])), parse(str(item["when"])), str(item["grade"]))


def _both(item: Mapping[str, object], key: str) -> Words:
    return Words(str(item[f"{key}_zh"]), str(item[f"{key}_en"]))
