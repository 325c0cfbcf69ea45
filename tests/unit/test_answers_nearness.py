"""Walking outwards from the anchors."""

from dataclasses import replace
from datetime import date

import pytest
from retrieval_samples import library_of, note

from witmark.answers import nearness
from witmark.answers.dag import Dag
from witmark.answers.edges import RelationKind
from witmark.answers.nearness import Way
from witmark.testing.noting import relation

DAY = date(2026, 1, 1).toordinal()
PRE = RelationKind.PREREQUISITE


def world(*edges, names="abcdefgh"):
    """Notes ``a.md`` to ``h.md``, and the graph of these relations among them."""
    owned = [
        replace(relation("a.md", f"{source}.md", f"{target}.md", kind, sure), **dict(*more))
        for source, target, kind, sure, *more in edges
    ]
    records = [note(f"{name}.md", edges=owned if name == "a" else ()) for name in names]
    library = library_of(*records)
    graph = Dag(library.graph())
    numbers = library.roots([f"{name}.md" for name in names])
    at = {name: nearness.positions(graph.arrays, [numbers[f"{name}.md"]])[:1] for name in names}
    return graph, {name: place[0] for name, place in at.items() if place}


def near_a(graph, at):
    return nearness.near(graph, [at["a"]], list(at.values()), DAY)


def test_of_atoms_nobody_is_interested_in_nothing_is_told():
    graph, at = world(("b", "a", PRE, 1), ("a", "c", PRE, 1))

    near = nearness.near(graph, [at["a"]], [at["b"]], DAY)

    assert near.distance == near.prerequisite_depth == {at["b"]: 1}
    assert set(near.ways) == set(near.relations) == {at["b"]}


def test_a_walk_ends_in_a_thicket(monkeypatch):
    monkeypatch.setattr(nearness, "FRONT", 1)
    graph, at = world(("a", "b", PRE, 1), ("a", "c", PRE, 1), ("b", "d", PRE, 1))

    near = near_a(graph, at)

    assert near.distance[at["b"]] == 1
    assert at["d"] not in near.distance


def test_distance_counts_edges_whichever_way_they_point():
    graph, at = world(("b", "a", PRE, 1), ("b", "c", PRE, 1), ("d", "c", PRE, 1))

    near = near_a(graph, at)

    assert {name: near.distance[at[name]] for name in "abcd"} == dict(
        zip("abcd", range(4), strict=True)
    )


def test_nobody_further_than_four_edges_is_near():
    chain = [(a, b, PRE, 1) for a, b in zip("abcdef", "bcdefg", strict=True)]
    graph, at = world(*chain)

    near = near_a(graph, at)

    assert near.distance[at["e"]] == nearness.REACH
    assert at["f"] not in near.distance


def test_a_directed_path_has_a_length_and_a_mean_certainty():
    graph, at = world(("a", "b", PRE, 1.0), ("b", "c", PRE, 0.5))

    ways = near_a(graph, at).ways

    assert ways[at["b"]] == Way(1, 1.0)
    assert ways[at["c"]] == Way(2, 0.75)


def test_a_path_that_would_have_to_turn_round_is_none():
    graph, at = world(("a", "b", PRE, 1), ("c", "b", PRE, 1))

    near = near_a(graph, at)

    assert near.distance[at["c"]] == 2
    assert at["c"] not in near.ways


def test_of_paths_of_one_length_the_surest_counts():
    graph, at = world(
        ("a", "b", PRE, 0.5), ("a", "c", PRE, 1.0), ("b", "d", PRE, 0.5), ("c", "d", PRE, 1.0)
    )

    assert near_a(graph, at).ways[at["d"]] == Way(2, 1.0)


def test_prerequisites_are_counted_upstream_only_and_through_no_other_kind():
    graph, at = world(
        ("b", "a", PRE, 1),
        ("c", "b", PRE, 1),
        ("a", "d", PRE, 1),
        ("e", "a", RelationKind.REFERENCE, 1),
    )

    depth = near_a(graph, at).prerequisite_depth

    assert depth == {at["b"]: 1, at["c"]: 2}


def test_a_relation_that_closes_a_cycle_orders_nothing():
    graph, at = world(
        ("b", "a", PRE, 1), ("a", "b", PRE, 1), ("c", "a", PRE, 1, {"breaks_order": True})
    )

    assert at["c"] not in near_a(graph, at).prerequisite_depth


def test_a_relation_that_does_not_hold_on_the_day_is_not_walked():
    graph, at = world(
        ("a", "b", PRE, 1, {"valid_to": "2025-12-31"}),
        ("a", "c", PRE, 1, {"valid_from": "2026-01-02"}),
        ("a", "d", PRE, 1, {"valid_from": "2026-01-01", "valid_to": "2026-01-01"}),
    )

    assert set(near_a(graph, at).distance) == {at["a"], at["d"]}
    assert set(nearness.neighbours(graph, at["a"], DAY)) == {at["d"]}


def test_the_kinds_that_join_an_atom_to_an_anchor_are_told_with_their_certainty():
    graph, at = world(
        ("a", "b", RelationKind.CONTRAST, 1.0),
        ("b", "a", RelationKind.REFERENCE, 0.7),
        ("a", "c", RelationKind.REFERENCE, 0.4),
    )

    relations = near_a(graph, at).relations

    assert relations[at["b"]] == {
        RelationKind.CONTRAST: pytest.approx(1.0),
        RelationKind.REFERENCE: pytest.approx(0.7),
    }
    assert relations[at["c"]] == {RelationKind.REFERENCE: pytest.approx(0.4)}


def test_neighbours_lie_one_edge_away_either_way():
    graph, at = world(
        ("a", "b", PRE, 1), ("c", "b", PRE, 0.5), ("b", "c", PRE, 0.75), ("c", "d", PRE, 1)
    )

    assert nearness.neighbours(graph, at["b"], DAY) == {at["a"]: 1.0, at["c"]: 0.75}


def test_a_step_looks_at_the_surest_edges_of_a_hub_only(monkeypatch):
    monkeypatch.setattr(nearness, "EDGES_PER_STEP", 2)
    graph, at = world(("a", "b", PRE, 0.5), ("a", "c", PRE, 1), ("a", "d", PRE, 0.75))

    assert set(nearness.neighbours(graph, at["a"], DAY)) == {at["c"], at["d"]}


def test_without_anchors_nothing_is_near():
    graph, _ = world(("a", "b", PRE, 1))

    assert nearness.near(graph, [None], [0], DAY).distance == {}


def test_an_atom_without_relations_has_no_place():
    graph, _ = world(("a", "b", PRE, 1))

    assert nearness.positions(graph.arrays, [10_000]) == []
