"""Cards become a rulebook: an index for retrieval and a store for the judge.

A card compiles only if what it says can be decided: bad and good never hold together, every
severity can be reached, and the facts it requires are the facts it reads.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from witmark.review.rulebook.cards import Card, RawCard, check_card
from witmark.review.rulebook.index import INDEX_FORMAT
from witmark.review.rulebook.overlap import TooManyCasesError, common_point, point_text
from witmark.review.rulebook.predicate import Not, Predicate, facts_of, given
from witmark.review.rulebook.rule import STORE_FORMAT, Rule
from witmark.review.vocabulary import FACTS

ANCHOR_KIND = "anchor.kind"


@dataclass(frozen=True, slots=True)
class CompiledBook:
    """The bytes of both halves, the same for the same cards."""

    index: bytes
    store: bytes


def compile_book(name: str, raws: Iterable[RawCard]) -> CompiledBook:
    """Check every card and write both halves, ordered by rule id.

    Raises:
        CardError: the first card that does not compile, with file and line.
    """
    cards = sorted((check_card(raw) for raw in raws), key=lambda card: card.rule.rule_id)
    _check_ids(cards)
    for card in cards:
        _check_facts(card)
        try:
            _check_tiers(card)
        except TooManyCasesError as wrong:
            raise card.error("bad_if", str(wrong)) from wrong
    return CompiledBook(
        index=_json(INDEX_FORMAT, name, [card.entry.to_plain() for card in cards]),
        store=_json(STORE_FORMAT, name, [card.rule.to_plain() for card in cards]),
    )


def read_facts(rule: Rule) -> tuple[str, ...]:
    """Every fact that some predicate of the rule reads, in order of first mention."""
    predicates = (rule.applies_if, rule.bad_if, rule.good_if, *rule.unknown_if)
    found = dict.fromkeys(fact for item in predicates for fact in facts_of(item))
    return tuple(fact for fact in found if fact != ANCHOR_KIND)


def _check_ids(cards: list[Card]) -> None:
    seen: dict[str, str] = {}
    for card in cards:
        rule_id = card.rule.rule_id
        if rule_id in seen:
            raise card.error("rule_id", f"{rule_id} is also the id of {seen[rule_id]}")
        seen[rule_id] = card.raw.path


def _check_facts(card: Card) -> None:
    """The required facts are those read; the model facts are those geometry can tell."""
    rule, read = card.rule, read_facts(card.rule)
    for fact in read:
        if fact not in rule.required_facts:
            raise card.error("required_facts", f"{fact} is read but not required")
    for at, fact in enumerate(rule.required_facts):
        if fact not in read:
            raise card.error("required_facts", f"{fact} is required but never read", at)
    wanted = [fact for fact in rule.required_facts if FACTS[fact].extractable]
    if sorted(wanted) != sorted(rule.required_model_facts):
        expected = ", ".join(wanted)
        raise card.error("required_model_facts", f"what geometry can tell is: {expected}")


def _check_tiers(card: Card) -> None:
    rule = card.rule
    for at, tier in enumerate(rule.tiers):
        for kind in rule.applies_to:
            _check_overlap(card, at, kind)
        worse = [Not(earlier.when) for earlier in rule.tiers[:at]]
        if not any(_points(rule, [tier.when, *worse])):
            raise card.error("bad_if", f"{tier.severity} can never be reached", at)
    if not any(_points(rule, [rule.good_if])):
        raise card.error("good_if", "good can never be reached")
    for at, kind in enumerate(rule.applies_to):
        if not any(_points(rule, [rule.bad_if], kinds=(kind,))):
            raise card.error("applies_to", f"nothing is ever bad about a {kind}", at)


def _check_overlap(card: Card, at: int, kind: str) -> None:
    tier = card.rule.tiers[at]
    for point in _points(card.rule, [tier.when, card.rule.good_if], kinds=(kind,)):
        shown = point_text(point) or "any values"
        raise card.error(
            "bad_if", f"{tier.severity} and good both hold at {shown} ({kind})", at
        )


def _points(
    rule: Rule, predicates: list[Predicate], kinds: tuple[str, ...] = ()
) -> Iterator[dict[str, float | bool | str]]:
    """A common point for every kind of place at which the predicates can hold together."""
    for kind in kinds or rule.applies_to:
        here = [given(item, ANCHOR_KIND, kind) for item in (rule.applies_if, *predicates)]
        point = common_point(here)
        if point is not None:
            yield dict(point)


def _json(book_format: str, name: str, rules: list[dict[str, object]]) -> bytes:
    book = {"format": book_format, "rulebook": name, "rules": rules}
    return (json.dumps(book, ensure_ascii=False, indent=2) + "\n").encode()
