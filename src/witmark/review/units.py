"""Local semantic units: one neutral statement about one place, with the facts beneath it.

The shapes are the contract's (``local_semantic_units`` and ``local_subgraphs``); `to_plain`
gives exactly its keys, and a few of ours beside them. This module must never learn that
rules exist: a unit that knows what will be asked of it is no longer a neutral witness.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

FactValue = float | int | bool | str | None
"""A measured or inferred value; ``None`` means it is not known."""

Plain = dict[str, object]
T = TypeVar("T")


class RelationType(StrEnum):
    """How two places stand to each other."""

    ADJACENT_TO = "adjacent_to"
    CONTACTS = "contacts"
    FITS_WITH = "fits_with"
    SUPPORTS = "supports"
    LOCATES = "locates"


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a unit is about. The real names are primary; a role is only ever beside them."""

    kind: str
    id: str
    solidworks_name: str
    component_file_name: str
    inferred_role: str = ""

    def to_plain(self) -> Plain:
        """The contract's ``anchor``."""
        return {
            "kind": self.kind,
            "id": self.id,
            "solidworks_name": self.solidworks_name,
            "component_file_name": self.component_file_name,
            "inferred_role": self.inferred_role,
        }


@dataclass(frozen=True, slots=True)
class BrepFact:
    """One fact of the vocabulary, its value in ``unit``, and the ref under which it stands.

    ``value`` is ``None`` when it could not be measured; ``confidence`` is then 0.0.
    """

    name: str
    value: FactValue
    unit: str
    confidence: float
    source_ref: str

    def to_plain(self) -> Plain:
        """The contract's ``brep_facts`` item."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "confidence": self.confidence,
            "source_ref": self.source_ref,
        }


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A fact that is not known, why it matters, and what would reveal it."""

    fact: str
    why_needed: str
    suggested_extraction: str
    why_needed_en: str = ""
    suggested_extraction_en: str = ""

    def to_plain(self) -> Plain:
        """The contract's ``missing_facts`` item, with the English beside it."""
        return {
            "fact": self.fact,
            "why_needed": self.why_needed,
            "suggested_extraction": self.suggested_extraction,
            "why_needed_en": self.why_needed_en,
            "suggested_extraction_en": self.suggested_extraction_en,
        }


@dataclass(frozen=True, slots=True)
class KnownRelation:
    """A relation between two evidence refs, and what shows it."""

    type: RelationType
    a: str
    b: str
    confidence: float
    evidence_refs: tuple[str, ...] = ()

    def to_plain(self) -> Plain:
        """The contract's ``known_relations`` item."""
        return {
            "type": self.type.value,
            "a": self.a,
            "b": self.b,
            "confidence": self.confidence,
            "evidence_refs": list(self.evidence_refs),
        }


@dataclass(frozen=True, slots=True)
class ImageFact:
    """Something seen in a named view."""

    view: str
    observation: str
    confidence: float

    def to_plain(self) -> Plain:
        """The contract's ``image_facts`` item."""
        return {
            "view": self.view,
            "observation": self.observation,
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True)
class InferredAttribute:
    """A role or process that somebody concluded, with the ground for it."""

    name: str
    value: FactValue
    confidence: float
    reason: str

    def to_plain(self) -> Plain:
        """The contract's ``inferred_attributes`` item."""
        return {
            "name": self.name,
            "value": self.value,
            "confidence": self.confidence,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class NormalizedMeasurement:
    """A measurement as retrieval may read it: a plain name, a value, a unit."""

    name: str
    value: float | None
    unit: str
    confidence: float

    def to_plain(self) -> Plain:
        """The contract's ``normalized_measurements`` item."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True)
class FactBundle:
    """Everything known, and everything known to be unknown, about one anchor."""

    anchor: Anchor
    brep_facts: tuple[BrepFact, ...] = ()
    missing_facts: tuple[MissingFact, ...] = ()
    related_parts: tuple[str, ...] = ()
    related_features: tuple[str, ...] = ()
    known_relations: tuple[KnownRelation, ...] = ()
    image_facts: tuple[ImageFact, ...] = ()
    confidence: float = 1.0
    evidence_status: str = "candidate"

    def fact(self, name: str) -> BrepFact | None:
        """The fact of this name, or ``None`` if the bundle does not carry it."""
        return next((fact for fact in self.brep_facts if fact.name == name), None)

    @property
    def concrete(self) -> int:
        """How many B-rep facts have a value."""
        return sum(fact.value is not None for fact in self.brep_facts)

    def to_plain(self) -> Plain:
        """The contract's ``fact_bundle``."""
        return {
            "anchor": self.anchor.to_plain(),
            "related_parts": list(self.related_parts),
            "related_features": list(self.related_features),
            "known_relations": [item.to_plain() for item in self.known_relations],
            "brep_facts": [item.to_plain() for item in self.brep_facts],
            "image_facts": [item.to_plain() for item in self.image_facts],
            "missing_facts": [item.to_plain() for item in self.missing_facts],
            "confidence": self.confidence,
            "evidence_status": self.evidence_status,
        }


@dataclass(frozen=True, slots=True)
class LocalSemanticUnit:
    """One neutral sentence about one place on one component instance, and its facts.

    ``component_id`` is the instance path; ``semantic_location`` says the place in words.
    """

    local_id: str
    linked_subgraph_id: str
    pattern_type: str
    primary_view: str
    secondary_views: tuple[str, ...]
    retrieval_sentence: str
    fact_bundle: FactBundle
    dedup_key: str
    component_id: str
    semantic_location: str
    semantic_location_en: str = ""
    retrieval_sentence_en: str = ""
    inferred_functions: tuple[str, ...] = ()
    inferred_attributes: tuple[InferredAttribute, ...] = ()
    retrieval_fact_tags: tuple[str, ...] = ()
    retrieval_relations: tuple[str, ...] = ()
    normalized_measurements: tuple[NormalizedMeasurement, ...] = ()
    retrieval_chain: tuple[str, ...] = ()
    retrieval_semantic_roles: tuple[str, ...] = ()

    @property
    def anchor(self) -> Anchor:
        """What the unit is about."""
        return self.fact_bundle.anchor

    def to_plain(self) -> Plain:
        """The contract's ``local_semantic_units`` item; our additive keys come last."""
        return {
            "local_id": self.local_id,
            "linked_subgraph_id": self.linked_subgraph_id,
            "pattern_type": self.pattern_type,
            "primary_view": self.primary_view,
            "secondary_views": list(self.secondary_views),
            "retrieval_sentence": self.retrieval_sentence,
            "inferred_functions": list(self.inferred_functions),
            "inferred_attributes": [item.to_plain() for item in self.inferred_attributes],
            "retrieval_fact_tags": list(self.retrieval_fact_tags),
            "retrieval_relations": list(self.retrieval_relations),
            "normalized_measurements": [
                item.to_plain() for item in self.normalized_measurements
            ],
            "fact_bundle": self.fact_bundle.to_plain(),
            "dedup_key": self.dedup_key,
            "retrieval_chain": list(self.retrieval_chain),
            "retrieval_semantic_roles": list(self.retrieval_semantic_roles),
            "retrieval_sentence_en": self.retrieval_sentence_en,
            "semantic_location": self.semantic_location,
            "semantic_location_en": self.semantic_location_en,
            "component_id": self.component_id,
        }


@dataclass(frozen=True, slots=True)
class LocalSubgraph:
    """Which nodes, relations, measurements and evidence stand behind a unit."""

    id: str
    pattern_type: str
    primary_view: str
    secondary_views: tuple[str, ...] = ()
    node_ids: tuple[str, ...] = ()
    edge_ids: tuple[str, ...] = ()
    measurement_ids: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    confidence: float = 1.0
    reason: str = ""

    def to_plain(self) -> Plain:
        """The contract's ``local_subgraphs`` item."""
        return {
            "id": self.id,
            "pattern_type": self.pattern_type,
            "primary_view": self.primary_view,
            "secondary_views": list(self.secondary_views),
            "node_ids": list(self.node_ids),
            "edge_ids": list(self.edge_ids),
            "measurement_ids": list(self.measurement_ids),
            "roles": list(self.roles),
            "evidence": list(self.evidence),
            "confidence": self.confidence,
            "reason": self.reason,
        }


def merge_units(units: Iterable[LocalSemanticUnit]) -> tuple[LocalSemanticUnit, ...]:
    """One unit per component, view, anchor and core relation signature, in first-seen order.

    The unit with more concrete B-rep facts is kept (ties: the smaller ``local_id``) and takes
    in the evidence, the missing facts and the doubts of the others. Nothing that was
    uncertain becomes certain by merging: two readings that disagree leave the fact unknown.

    Source: contract 000, section 5, "Agent3 dedup policy".
    """
    groups: dict[tuple[object, ...], list[LocalSemanticUnit]] = {}
    for unit in units:
        groups.setdefault(_signature(unit), []).append(unit)
    return tuple(_merged(group) for group in groups.values())


def _signature(unit: LocalSemanticUnit) -> tuple[object, ...]:
    relations = sorted((r.type.value, r.a, r.b) for r in unit.fact_bundle.known_relations)
    return (unit.component_id, unit.primary_view, unit.anchor.id, tuple(relations))


def _merged(group: list[LocalSemanticUnit]) -> LocalSemanticUnit:
    ranked = sorted(group, key=lambda u: (-u.fact_bundle.concrete, u.local_id))
    return replace(
        ranked[0],
        secondary_views=_union(u.secondary_views for u in ranked),
        inferred_functions=_union(u.inferred_functions for u in ranked),
        inferred_attributes=_union(u.inferred_attributes for u in ranked),
        retrieval_fact_tags=_union(u.retrieval_fact_tags for u in ranked),
        retrieval_relations=_union(u.retrieval_relations for u in ranked),
        normalized_measurements=_union(u.normalized_measurements for u in ranked),
        fact_bundle=_joined([u.fact_bundle for u in ranked]),
    )


def _joined(bundles: list[FactBundle]) -> FactBundle:
    facts, quarrels = _agreed(bundles)
    return replace(
        bundles[0],
        brep_facts=facts,
        missing_facts=_union([*(b.missing_facts for b in bundles), quarrels]),
        related_parts=_union(b.related_parts for b in bundles),
        related_features=_union(b.related_features for b in bundles),
        known_relations=_union(b.known_relations for b in bundles),
        image_facts=_union(b.image_facts for b in bundles),
        confidence=min(b.confidence for b in bundles),
    )


def _agreed(
    bundles: list[FactBundle],
) -> tuple[tuple[BrepFact, ...], tuple[MissingFact, ...]]:
    """Fill gaps from other readings; a contradiction makes the fact unknown and says so."""
    readings: dict[str, list[BrepFact]] = {}
    for fact in (fact for bundle in bundles for fact in bundle.brep_facts):
        readings.setdefault(fact.name, []).append(fact)
    facts, quarrels = [], []
    for same in readings.values():
        known = [fact for fact in same if fact.value is not None] or same[:1]
        if all(fact.value == known[0].value for fact in known):
            facts.append(min(known, key=lambda fact: fact.confidence))
        else:
            facts.append(replace(known[0], value=None, confidence=0.0))
            quarrels.append(_quarrel(known))
    return tuple(facts), tuple(quarrels)


def _quarrel(readings: list[BrepFact]) -> MissingFact:
    values = sorted({str(fact.value) for fact in readings})
    return MissingFact(
        fact=readings[0].name,
        why_needed="读数不一致：" + "、".join(values),
        why_needed_en="the readings differ: " + ", ".join(values),
        suggested_extraction="重新计算该 B-rep 事实",
        suggested_extraction_en="compute this B-rep fact again",
    )


def _union(parts: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    joined: list[T] = []
    for item in (item for part in parts for item in part):
        if item not in joined:
            joined.append(item)
    return tuple(joined)
