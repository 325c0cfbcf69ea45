"""Units, answers and the bundled rulebook, for tests of rules."""

from functools import cache

from witmark.adapters.cards.book import bundled, read_rulebook
from witmark.review.judging import FactRequest, Verdict, judge
from witmark.review.ports import Rulebook
from witmark.review.units import Anchor, BrepFact, FactBundle, LocalSemanticUnit
from witmark.review.vocabulary import FACTS, PLACES

BLOB = "sha256:" + "0" * 64


@cache
def book() -> Rulebook:
    return read_rulebook(bundled())


def fact(name, value, confidence=1.0) -> BrepFact:
    ref = f"{BLOB}#/parts/0/features/0/facts/{name}"
    return BrepFact(name, value, FACTS[name].unit.value, confidence, ref)


def unit(kind, facts, **changes) -> LocalSemanticUnit:
    """A unit as the proposer would make it; ``facts`` by name."""
    place = PLACES[kind]
    given = {
        "local_id": "unit_1",
        "linked_subgraph_id": "subgraph_1",
        "pattern_type": place.pattern_type,
        "primary_view": place.primary_view.value,
        "secondary_views": tuple(view.value for view in place.secondary_views),
        "retrieval_sentence": f"盖板上的{place.zh}。",
        "fact_bundle": FactBundle(
            anchor=Anchor(kind, "parts/0/features/0", "盖板", "cover"),
            brep_facts=tuple(fact(name, value) for name, value in facts.items()),
        ),
        "dedup_key": "k",
        "component_id": "root/cover",
        "semantic_location": f"盖板：{place.zh}",
    }
    return LocalSemanticUnit(**(given | changes))


def judged(rule_id, kind, facts, answers=None) -> Verdict | FactRequest:
    answered = {name: fact(name, value) for name, value in (answers or {}).items()}
    return judge(unit(kind, facts), book().store.open(rule_id), answered)


def outcome(rule_id, kind, facts, answers=None) -> str:
    """A verdict in one word: its severity, or what it is instead."""
    verdict = judged(rule_id, kind, facts, answers)
    if isinstance(verdict, FactRequest):
        return "asks"
    if verdict.severity is not None:
        return verdict.severity.value
    return "grey" if verdict.grey else verdict.kind.value
