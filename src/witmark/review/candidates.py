"""Which rules a unit may be about: found by words and views, never by what a rule checks.

Only the index is known here. Every rule that shares a view with the unit comes back, best
first, whatever its words; a few others follow if their words are close. A rule that is not
returned cannot be judged, so the limits below are generous and have names.

Source: contract 000, section 5.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from witmark.kernel.retrieve.index import Index
from witmark.kernel.retrieve.rank import Hit
from witmark.review.neutrality import JUDGEMENT, RAW_IDS, RULE_IDS
from witmark.review.rulebook.index import IndexEntry, RuleIndex
from witmark.review.units import FactBundle, LocalSemanticUnit
from witmark.review.vocabulary import FACTS, PLACES, VALUE_WORDS

PRIMARY_VIEW_SCORE = 0.5
SECONDARY_VIEW_SCORE = 0.25
PATTERN_TYPE_SCORE = 0.25
"""Beside a token overlap of at most 1, so that views outweigh words but do not drown them."""

MOST_OTHER_VIEWS = 4
LEAST_OVERLAP = 0.15
"""How many rules of other views may follow, and how close their words must be."""

_PATHS = re.compile(  # from the beginning of a word only, or every place in it is tried
    r"(?<!\S)(?:[^\s\\/]*[\\/][^\s\\/]*[\\/]\S*|\S+\.(?:step|stp|sldprt|sldasm|png|json)\b)",
    re.IGNORECASE,
)
_JSON = re.compile(r"\{[^{}]*\}")
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")
_NOISE = (_JSON, _PATHS, RAW_IDS, RULE_IDS, JUDGEMENT, _NUMBERS)
_PATTERN_VIEWS = {
    place.pattern_type: frozenset((place.primary_view.value, *place.secondary_views))
    for place in PLACES.values()
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that may be about a unit, and why it came back: one named score per feature."""

    entry: IndexEntry
    hit: Hit
    view_matched: bool

    @property
    def rule_id(self) -> str:
        """The id of the rule."""
        return self.entry.rule_id

    @property
    def score(self) -> float:
        """The sum of the features; it orders candidates and decides nothing else."""
        return self.hit.score


class Candidates:
    """Finds candidates in one index. The same unit always gets the same list."""

    def __init__(self, index: RuleIndex) -> None:
        self._entries = index.eligible
        texts = {str(at): entry_text(entry) for at, entry in enumerate(self._entries)}
        self._texts = Index(texts)
        self._found: dict[str, dict[str, float]] = {}
        self._views: dict[tuple[object, ...], list[dict[str, float]]] = {}

    def find(self, unit: LocalSemanticUnit) -> tuple[Candidate, ...]:
        """The rules to judge a unit by: those that share a view first, each id once.

        Units are looked up one at a time and never against each other, so the same rule may
        come back for any number of places.
        """
        overlap, features = self._overlap(query_text(unit)), self._view_features(unit)
        best: dict[str, Candidate] = {}
        for at, entry in enumerate(self._entries):
            hit = Hit(
                entry.rule_id, {"token_overlap": overlap.get(str(at), 0.0), **features[at]}
            )
            matched = "primary_view" in hit.features or "secondary_views" in hit.features
            known = best.get(entry.rule_id)
            if known is None or known.score < hit.score:
                best[entry.rule_id] = Candidate(entry, hit, matched)
        return _shortened(sorted(best.values(), key=_order))

    def _overlap(self, query: str) -> dict[str, float]:
        """The token overlap of every entry that shares a token with the query."""
        if query not in self._found:
            self._found[query] = {hit.doc_id: hit.score for hit in self._texts.find(query)}
        return self._found[query]

    def _view_features(self, unit: LocalSemanticUnit) -> list[dict[str, float]]:
        """What views and pattern add for every entry; the same for all units of a kind."""
        key = (unit.primary_view, unit.secondary_views, unit.pattern_type)
        if key not in self._views:
            self._views[key] = [_features(unit, entry) for entry in self._entries]
        return self._views[key]


def query_text(unit: LocalSemanticUnit) -> str:
    """Everything a unit says about itself, without ids, paths, dumps and judgement words.

    Measurements count by name and unit: a number that two texts share means nothing, so
    numbers go too, and units that differ only in them are looked up once.
    """
    return " ".join(filter(None, map(_clean, _query_parts(unit))))


def entry_text(entry: IndexEntry) -> str:
    """Everything the index says about a rule."""
    parts = (
        entry.title,
        entry.knowledge_category,
        entry.primary_view,
        *entry.secondary_views,
        entry.retrieval_sentence,
        *entry.keywords,
        *entry.aliases,
    )
    return " ".join(parts)


def _query_parts(unit: LocalSemanticUnit) -> Iterator[str]:
    yield unit.retrieval_sentence
    yield unit.primary_view
    yield from unit.secondary_views
    yield unit.pattern_type
    yield from unit.retrieval_chain
    yield from unit.retrieval_semantic_roles
    yield from unit.inferred_functions
    for attribute in unit.inferred_attributes:
        yield from (attribute.name, attribute.reason)
    yield from unit.retrieval_fact_tags
    yield from unit.retrieval_relations
    for measurement in unit.normalized_measurements:
        yield from (measurement.name, measurement.unit)
    yield from _bundle_parts(unit.fact_bundle)


def _bundle_parts(bundle: FactBundle) -> Iterator[str]:
    """The semantic text of a fact bundle: meanings, named values, observations, roles."""
    yield bundle.anchor.inferred_role
    for fact in bundle.brep_facts:
        if fact.name in FACTS and fact.value is not None:
            yield FACTS[fact.name].zh
            if isinstance(fact.value, str):
                yield VALUE_WORDS.get(fact.value, ("", ""))[0]
    for image in bundle.image_facts:
        yield image.observation


@lru_cache(maxsize=4096)  # most parts are words of the vocabulary and come again and again
def _clean(text: str) -> str:
    for pattern in _NOISE:
        text = pattern.sub(" ", text)
    return " ".join(text.split())


def _features(unit: LocalSemanticUnit, entry: IndexEntry) -> dict[str, float]:
    found: dict[str, float] = {}
    if entry.primary_view == unit.primary_view:
        found["primary_view"] = PRIMARY_VIEW_SCORE
    if _shares_a_side_view(unit, entry):
        found["secondary_views"] = SECONDARY_VIEW_SCORE
    if entry.primary_view in _PATTERN_VIEWS.get(unit.pattern_type, ()):
        found["pattern_type"] = PATTERN_TYPE_SCORE
    return found


def _shares_a_side_view(unit: LocalSemanticUnit, entry: IndexEntry) -> bool:
    """Whether a secondary view of one is any view of the other."""
    ours, theirs = set(unit.secondary_views), set(entry.secondary_views)
    return bool(ours & (theirs | {entry.primary_view}) or theirs & (ours | {unit.primary_view}))


def _order(candidate: Candidate) -> tuple[float, str]:
    return (-candidate.score, candidate.rule_id)


def _shortened(ordered: list[Candidate]) -> tuple[Candidate, ...]:
    """All that share a view, then the few others whose words are close."""
    matched = [one for one in ordered if one.view_matched]
    others = [
        one
        for one in ordered
        if not one.view_matched and one.hit.features["token_overlap"] >= LEAST_OVERLAP
    ]
    return tuple(matched + others[:MOST_OTHER_VIEWS])
