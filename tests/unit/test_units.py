"""A unit has the contract's shape, and merging units never makes anything more certain."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from rule_samples import fact, unit

from witmark.review.units import (
    FactBundle,
    KnownRelation,
    LocalSubgraph,
    MissingFact,
    RelationType,
    merge_units,
)

UNIT_KEYS = {
    "local_id", "linked_subgraph_id", "pattern_type", "primary_view", "secondary_views",
    "retrieval_sentence", "inferred_functions", "inferred_attributes", "retrieval_fact_tags",
    "retrieval_relations", "normalized_measurements", "fact_bundle", "dedup_key",
}  # fmt: skip
OURS = {
    "retrieval_sentence_en", "semantic_location", "semantic_location_en", "component_id",
    "retrieval_chain", "retrieval_semantic_roles",
}  # fmt: skip
BUNDLE_KEYS = {
    "anchor", "related_parts", "related_features", "known_relations", "brep_facts",
    "image_facts", "missing_facts", "confidence", "evidence_status",
}  # fmt: skip
SUBGRAPH_KEYS = {
    "id", "pattern_type", "primary_view", "secondary_views", "node_ids", "edge_ids",
    "measurement_ids", "roles", "evidence", "confidence", "reason",
}  # fmt: skip


def hole(local_id, facts, **bundle):
    made = unit("hole", facts, local_id=local_id)
    return replace(made, fact_bundle=replace(made.fact_bundle, **bundle))


@pytest.mark.clause("REV-UNIT-01")
def test_a_unit_has_every_key_of_the_contract_and_ours_beside_them():
    plain = unit("hole", {"hole.d": None}).to_plain()

    assert set(plain) == UNIT_KEYS | OURS
    assert set(plain["fact_bundle"]) == BUNDLE_KEYS
    assert set(plain["fact_bundle"]["anchor"]) == {
        "kind", "id", "solidworks_name", "component_file_name", "inferred_role",
    }  # fmt: skip
    [brep] = plain["fact_bundle"]["brep_facts"]
    assert brep == {
        "name": "hole.d",
        "value": None,
        "unit": "mm",
        "confidence": 1.0,
        "source_ref": fact("hole.d", None).source_ref,
    }


def test_a_subgraph_has_exactly_the_contracts_keys():
    assert set(LocalSubgraph("s", "hole", "hole_feature").to_plain()) == SUBGRAPH_KEYS


def test_a_relation_says_its_type_in_the_contracts_words():
    relation = KnownRelation(RelationType.ADJACENT_TO, "a", "b", 0.5)

    assert relation.to_plain()["type"] == "adjacent_to"


@pytest.mark.clause("REV-UNIT-05")
def test_two_wordings_of_one_place_become_the_one_with_more_facts():
    poor = hole("unit_1", {"hole.d": None}, image_facts=(), confidence=0.4)
    rich = hole("unit_2", {"hole.d": 5.0, "hole.ld": 3.0}, confidence=0.9)

    [merged] = merge_units([poor, rich])

    assert merged.local_id == "unit_2"
    assert merged.fact_bundle.fact("hole.d").value == 5.0
    assert merged.fact_bundle.confidence == 0.4


@pytest.mark.clause("REV-UNIT-05")
def test_no_missing_fact_and_no_evidence_is_lost():
    gap = MissingFact("hole.bottom", "为何", "如何")
    one = hole("unit_1", {"hole.d": 5.0}, related_parts=("a",))
    two = hole("unit_2", {}, missing_facts=(gap,), related_parts=("b",))

    [merged] = merge_units([one, two])

    assert merged.fact_bundle.missing_facts == (gap,)
    assert merged.fact_bundle.related_parts == ("a", "b")


@pytest.mark.clause("REV-UNIT-05")
def test_readings_that_disagree_leave_the_fact_unknown_whatever_the_order():
    readings = [hole(f"unit_{d}", {"hole.d": d}) for d in (5.0, 6.0, 5.0)]

    for order in (readings, readings[::-1]):
        [merged] = merge_units(order)
        known = merged.fact_bundle.fact("hole.d")
        assert (known.value, known.confidence) == (None, 0.0)
        assert merged.fact_bundle.missing_facts[0].why_needed_en == (
            "the readings differ: 5.0, 6.0"
        )


def test_another_view_component_anchor_or_relation_is_another_unit():
    one = hole("unit_1", {})
    relation = KnownRelation(RelationType.CONTACTS, "a", "b", 1.0)
    others = [
        replace(one, primary_view="tool_access"),
        replace(one, component_id="root/other"),
        replace(one, fact_bundle=FactBundle(replace(one.anchor, id="parts/0/features/1"))),
        hole("unit_1", {}, known_relations=(relation,)),
    ]

    assert len(merge_units([one, *others])) == 5


@pytest.mark.clause("REV-UNIT-02")
def test_wording_units_loads_nothing_that_knows_rules():
    """The linter holds it for imports as written; this holds it for what really loads."""
    told = (
        "import sys, witmark.review.proposing;"
        "print([m for m in sys.modules if m.startswith('witmark.review.')"
        " and ('rulebook' in m or 'judging' in m or 'deciding' in m)])"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", told],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert loaded.stdout.strip() == "[]"
