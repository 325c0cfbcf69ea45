"""Whatever the edges are, walks obey their bounds and orders hold."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_graphs import arrays_of, edge

from witmark.answers.dag import Dag, Walk
from witmark.answers.edges import ORDERING, RelationKind

letters = st.sampled_from("abcdefgh")
edges = st.lists(
    st.builds(
        lambda s, t, kind, c: edge(s, t, kind, c / 4),
        letters,
        letters,
        st.sampled_from([*RelationKind]),
        st.integers(1, 4),
    ),
    min_size=1,
    max_size=24,
    unique_by=lambda e: e.id,
)


@settings(max_examples=100, deadline=None)
@given(edges)
@pytest.mark.clause("ANS-EDGE-04")
def test_no_edge_that_is_kept_points_backwards(some):
    dag = Dag(arrays_of(some))
    place = {node: i for i, node in enumerate(dag.topological_order().tolist())}

    assert len(place) == len(dag.arrays.nodes)
    for at, e in enumerate(some):
        if e.kind in ORDERING and not dag.breaks_order[at]:
            assert place[int(dag.arrays.source[at])] < place[int(dag.arrays.target[at])]


@settings(max_examples=60, deadline=None)
@given(edges)
@pytest.mark.clause("ANS-EDGE-05")
def test_a_path_is_a_chain_of_its_edges_and_visits_no_node_twice(some):
    dag = Dag(arrays_of(some))
    count = len(dag.arrays.nodes)

    for one, other in itertools.product(range(count), repeat=2):
        for path in dag.best_paths(one, other):
            assert (path.nodes[0], path.nodes[-1]) == (one, other)
            assert len(set(path.nodes)) == len(path.nodes) == len(path.edges) + 1 <= 7
            steps = [(int(dag.arrays.source[e]), int(dag.arrays.target[e])) for e in path.edges]
            assert steps == list(itertools.pairwise(path.nodes))


@settings(max_examples=60, deadline=None)
@given(edges, st.randoms())
def test_the_order_in_which_edges_come_changes_no_answer(some, chance):
    shuffled = list(some)
    chance.shuffle(shuffled)
    one, other = Dag(arrays_of(some)), Dag(arrays_of(shuffled))
    count = len(one.arrays.nodes)

    for a, b in itertools.product(range(count), repeat=2):
        assert _nodes(one.best_paths(a, b)) == _nodes(other.best_paths(a, b))
    for node in range(count):
        first, second = one.predecessors(node, Walk()), other.predecessors(node, Walk())
        assert first.nodes.tolist() == second.nodes.tolist()


def _nodes(paths):
    return [path.nodes for path in paths]
