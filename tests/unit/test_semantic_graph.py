"""The semantic graph has the contract's shape, and everything in it hangs together."""

import pytest
from desk_samples import ASIDE, HERE, SOURCE, assembly, deep_plate, judged
from desk_samples import facts as facts_of_assembly

from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.evidence import parse_ref
from witmark.review.semantic_graph import semantic_graph

ROOT_KEYS = {
    "schema",
    "model_identity",
    "nodes",
    "edges",
    "measurements",
    "local_semantic_units",
    "local_subgraphs",
    "uncertain_roles",
    "missing_facts",
    "evidence_index",
}
IDENTITY_KEYS = {
    "name",
    "source_assembly_path",
    "likely_equipment_type",
    "confidence",
    "evidence",
}


@pytest.fixture(scope="module")
def graph():
    """Two instances of plates with a deep hole each."""
    given = assembly(deep_plate(), deep_plate(), places=[HERE, ASIDE])
    blob, _ = facts_of_assembly(given)
    return semantic_graph(blob, judged(given).units)


@pytest.mark.clause("REV-UNIT-06")
def test_the_root_has_the_contracts_keys(graph):
    assert set(graph) == ROOT_KEYS
    assert graph["schema"] == "mechanical_semantic_graph_v1"
    assert set(graph["model_identity"]) == IDENTITY_KEYS
    assert graph["model_identity"]["source_assembly_path"] == digest_of(SOURCE)
    assert graph["model_identity"]["confidence"] == 0.0


@pytest.mark.clause("REV-UNIT-06")
def test_each_unit_has_its_own_subgraph_and_the_subgraph_its_parts(graph):
    nodes = {node["id"] for node in graph["nodes"]}
    edges = {edge["id"] for edge in graph["edges"]}
    measured = {row["id"] for row in graph["measurements"]}
    subgraphs = {one["id"]: one for one in graph["local_subgraphs"]}

    assert len(graph["local_semantic_units"]) >= 2
    assert len(subgraphs) == len(graph["local_semantic_units"])
    for unit in graph["local_semantic_units"]:
        mine = subgraphs[unit["linked_subgraph_id"]]
        assert mine["node_ids"]
        assert set(mine["node_ids"]) <= nodes
        assert set(mine["edge_ids"]) <= edges
        assert set(mine["measurement_ids"]) <= measured


def test_ids_are_given_once_and_edges_join_what_is_there(graph):
    for kind in ("nodes", "edges", "measurements", "local_subgraphs"):
        ids = [one["id"] for one in graph[kind]]
        assert len(ids) == len(set(ids))
    nodes = {node["id"] for node in graph["nodes"]}
    for edge in graph["edges"]:
        assert {edge["a"], edge["b"]} <= nodes


def test_every_measurement_cites_where_it_was_read(graph):
    blob = graph["model_identity"]["evidence"][0]
    for row in graph["measurements"]:
        assert parse_ref(row["source_ref"]).blob == blob


def test_the_graph_has_canonical_bytes(graph):
    assert canonical_json(graph) == canonical_json(graph)
    assert b'"uncertain_roles":[]' in canonical_json(graph)
