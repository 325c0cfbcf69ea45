"""``mechanical_semantic_graph_v1``: what the units and their evidence look like as a graph.

Nodes are component instances and the places on them, edges say which place belongs to which
instance, measurements are the facts of a place. Ids here are evidence for machines; people
read the units' sentences. Source: contract 000, sections 1 to 3.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from witmark.review.facts import FactsBlob
from witmark.review.units import LocalSemanticUnit, LocalSubgraph

GRAPH_SCHEMA = "mechanical_semantic_graph_v1"

Plain = dict[str, object]


_NO_ROLES: Mapping[str, tuple[str, float]] = {}


def semantic_graph(
    blob: FactsBlob,
    units: Sequence[LocalSemanticUnit],
    roles: Mapping[str, tuple[str, float]] = _NO_ROLES,
    sure: float = 1.0,
) -> Plain:
    """Build the contract's root: identity, nodes, edges, measurements, units, subgraphs.

    The source is named by its digest: a path would make equal files differ.
    ``likely_equipment_type`` stays empty with confidence 0: nothing here infers it.

    Args:
        blob: The facts.
        units: The units, as they were looked up.
        roles: Inferred role and confidence by component id.
        sure: A role with less confidence is listed as uncertain, too.
    """
    instances = cast("Sequence[Mapping[str, object]]", blob.data["instances"])
    ids = {str(one["component_id"]): f"node_instance_{k}" for k, one in enumerate(instances)}
    source = str(cast("Mapping[str, object]", blob.data["source"])["digest"])
    subgraphs = [_subgraph(unit, ids[unit.component_id]) for unit in units]
    return {
        "schema": GRAPH_SCHEMA,
        "model_identity": {
            "name": _root_name(instances),
            "source_assembly_path": source,
            "likely_equipment_type": "",
            "confidence": 0.0,
            "evidence": [str(blob.digest)],
        },
        "nodes": [
            *(_instance_node(blob, k, one, roles) for k, one in enumerate(instances)),
            *(_place_node(unit) for unit in units),
        ],
        "edges": [_edge(unit, ids[unit.component_id]) for unit in units],
        "measurements": [row for unit in units for row in _measurements(unit)],
        "local_semantic_units": [unit.to_plain() for unit in units],
        "local_subgraphs": [graph.to_plain() for graph in subgraphs],
        "uncertain_roles": [
            {"component_id": component, "inferred_role": role, "confidence": confidence}
            for component, (role, confidence) in sorted(roles.items())
            if confidence < sure
        ],
        "missing_facts": [
            {"local_id": unit.local_id, **missing.to_plain()}
            for unit in units
            for missing in unit.fact_bundle.missing_facts
        ],
        "evidence_index": [
            {"id": str(blob.digest), "kind": "facts"},
            {"id": source, "kind": "step"},
        ],
    }


def _root_name(instances: Sequence[Mapping[str, object]]) -> str:
    root = str(instances[0]["component_id"]).split("/")[0] if instances else ""
    return root.replace("~1", "/").replace("~0", "~")


def _instance_node(
    blob: FactsBlob,
    k: int,
    instance: Mapping[str, object],
    roles: Mapping[str, tuple[str, float]],
) -> Plain:
    return {
        "id": f"node_instance_{k}",
        "kind": "component_instance",
        "name": instance["name"],
        "component_id": instance["component_id"],
        "review_scope": instance["review_scope"],
        "inferred_role": roles.get(str(instance["component_id"]), ("", 0.0))[0],
        "evidence": [blob.ref("instances", k)],
    }


def _place_node(unit: LocalSemanticUnit) -> Plain:
    return {
        "id": _node_id(unit),
        "kind": unit.anchor.kind,
        "name": unit.semantic_location,
        "component_id": unit.component_id,
        "evidence": [fact.source_ref for fact in unit.fact_bundle.brep_facts[:1]],
    }


def _edge(unit: LocalSemanticUnit, instance_node: str) -> Plain:
    return {
        "id": _edge_id(unit),
        "type": "has_place",
        "a": instance_node,
        "b": _node_id(unit),
        "confidence": 1.0,
        "evidence_refs": [],
    }


def _measurements(unit: LocalSemanticUnit) -> list[Plain]:
    return [
        {
            "id": f"measurement_{unit.local_id}_{fact.name}",
            "name": fact.name,
            "value": fact.value,
            "unit": fact.unit,
            "confidence": fact.confidence,
            "source_ref": fact.source_ref,
        }
        for fact in unit.fact_bundle.brep_facts
    ]


def _subgraph(unit: LocalSemanticUnit, instance_node: str) -> LocalSubgraph:
    return LocalSubgraph(
        id=unit.linked_subgraph_id,
        pattern_type=unit.pattern_type,
        primary_view=unit.primary_view,
        secondary_views=unit.secondary_views,
        node_ids=(instance_node, _node_id(unit)),
        edge_ids=(_edge_id(unit),),
        measurement_ids=tuple(
            f"measurement_{unit.local_id}_{fact.name}" for fact in unit.fact_bundle.brep_facts
        ),
        roles=("host_body", unit.anchor.kind),
        evidence=tuple(fact.source_ref for fact in unit.fact_bundle.brep_facts),
        confidence=unit.fact_bundle.confidence,
        reason="the place and every fact that was measured on it",
    )


def _node_id(unit: LocalSemanticUnit) -> str:
    return unit.local_id.replace("unit_", "node_", 1)


def _edge_id(unit: LocalSemanticUnit) -> str:
    return unit.local_id.replace("unit_", "edge_", 1)
