"""Cycles are found among the ordering kinds, and their weakest edges are marked."""

import random

import numpy as np
from made_graphs import arrays_of, edge

from witmark.answers import cycles
from witmark.answers.cycles import order_breaking, order_breaking_rows
from witmark.answers.edges import RelationKind


def test_what_has_an_order_is_left_alone():
    assert order_breaking([edge("a", "b"), edge("b", "c"), edge("a", "c")]) == frozenset()
    assert order_breaking([]) == frozenset()


def test_the_least_certain_edge_of_a_cycle_is_marked():
    weak = edge("c", "a", certainty=0.6)

    assert order_breaking([edge("a", "b"), weak, edge("b", "c", certainty=0.7)]) == {weak.id}


def test_what_was_inferred_falls_before_what_an_author_wrote():
    guess = edge("a", "b", inferred=True)

    assert order_breaking([edge("b", "a"), guess]) == {guess.id}


def test_between_equals_the_least_id_falls():
    there, back = edge("a", "b"), edge("b", "a")

    assert order_breaking([there, back]) == {min(there.id, back.id)}


def test_two_notes_that_contrast_each_other_are_no_cycle():
    edges = [edge("a", "b", RelationKind.CONTRAST), edge("b", "a", RelationKind.CONTRAST)]

    assert order_breaking(edges) == frozenset()


def test_a_note_that_is_its_own_prerequisite_is_marked():
    loop = edge("a", "a")

    assert order_breaking([loop, edge("a", "b")]) == {loop.id}


def test_only_the_edges_of_the_cycle_fall_not_what_leads_in_or_out():
    ring = [edge("a", "b"), edge("b", "c"), edge("c", "a", certainty=0.2)]
    tails = [edge("x", "a", certainty=0.1), edge("c", "y", certainty=0.1)]

    assert order_breaking(ring + tails) == {ring[2].id}


def test_rows_tell_the_same_as_ids_when_nothing_is_tied():
    edges = _knot(notes=30, edges=120, seed=4)

    marked = order_breaking_rows(arrays_of(edges))

    assert {edges[i].id for i in np.flatnonzero(marked)} == order_breaking(edges)


def test_a_great_knot_is_walked_instead_of_taken_edge_by_edge(monkeypatch):
    monkeypatch.setattr(cycles, "_MOST_EXACT", 0)
    weak = edge("c", "a", certainty=0.6)
    edges = _knot(notes=40, edges=200, seed=5)

    assert order_breaking([edge("a", "b"), weak, edge("b", "c")]) == {weak.id}
    left = [e for e in edges if e.id not in order_breaking(edges)]
    assert len(left) < len(edges)
    assert order_breaking(left) == frozenset()


def test_a_chain_of_fifty_thousand_notes_that_closes_on_itself_is_no_recursion():
    count = 50_000
    arrays = arrays_of([edge("0", "1")])
    ring = np.arange(count, dtype=np.int32)
    many = {
        "nodes": np.arange(count),
        "source": ring,
        "target": np.roll(ring, -1),
        "row": np.arange(count),
        "edge_confidence": np.linspace(0.9, 0.5, count, dtype=np.float32),
    }
    flags = {
        name: np.resize(getattr(arrays, name), count)
        for name in ("kind", "inferred", "breaks_order", "valid_from", "valid_to")
    }

    marked = order_breaking_rows(type(arrays)(**many, **flags))

    assert marked.sum() == 1


def _knot(*, notes, edges, seed):
    chance = random.Random(seed)  # noqa: S311  # a seeded sample
    pairs = {(chance.randrange(notes), chance.randrange(notes)) for _ in range(edges)}
    certainties = chance.sample(range(10, 1000), len(pairs))
    return [
        edge(f"n{tail:02}", f"n{head:02}", certainty=certainty / 1000)
        for (tail, head), certainty in zip(sorted(pairs), certainties, strict=True)
    ]
