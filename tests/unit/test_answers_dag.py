"""Walks of a graph: orders, paths, neighbours upstream and down, common ancestors."""

from datetime import date
from itertools import pairwise

import numpy as np
import pytest
from made_graphs import arrays_of, edge

from witmark.answers.dag import ANYWHERE, IN_ORDER, Dag, Walk
from witmark.answers.edges import RelationKind

CONTRAST, REFERENCE, SEQUENCE = (
    RelationKind.CONTRAST, RelationKind.REFERENCE, RelationKind.SEQUENCE
)  # fmt: skip


def graph(*edges, names=""):
    """A graph whose nodes are letters; ``a`` stands at 0."""
    return Dag(arrays_of(edges, names))


def chain(letters, **more):
    return [edge(a, b, **more) for a, b in pairwise(letters)]


def at(letter):
    return ord(letter) - ord("a")


def words(nodes):
    return "".join(chr(ord("a") + node) for node in nodes)


def paths(dag, ends, walk=ANYWHERE, **more):
    return [words(p.nodes) for p in dag.best_paths(at(ends[0]), at(ends[1]), walk, **more)]


@pytest.mark.clause("ANS-EDGE-05")
def test_a_path_of_six_edges_is_found_and_one_of_seven_is_not():
    dag = graph(*chain("abcdefgh"))

    assert paths(dag, "ag") == ["abcdefg"]
    assert paths(dag, "ah") == []


def test_the_surest_path_comes_first_however_long():
    dag = graph(edge("a", "c", certainty=0.5), *chain("abc", certainty=0.9))

    assert paths(dag, "ac") == ["abc", "ac"]
    assert dag.certainty(dag.best_paths(0, 2)[0]) == pytest.approx(0.81)


def test_among_equally_sure_paths_the_shorter_comes_first_then_the_first_nodes():
    dag = graph(*chain("abe"), *chain("ace"), *chain("ade"), edge("a", "e"))

    assert paths(dag, "ae") == ["ae", "abe", "ace"]


def test_only_the_surest_of_parallel_edges_counts():
    dag = graph(edge("a", "b", REFERENCE, 0.7), edge("a", "b", certainty=1.0))

    assert [p.edges for p in dag.best_paths(0, 1)] == [(1,)]


def test_a_path_follows_the_direction_of_the_edges():
    dag = graph(*chain("abc"))

    assert paths(dag, "ca") == []


def test_a_contrast_may_be_walked_against_its_direction_when_asked():
    dag = graph(edge("b", "a", CONTRAST), edge("b", "c"))

    assert paths(dag, "ac") == []
    assert paths(dag, "ac", Walk(both_ways=True)) == ["abc"]
    assert dag.best_paths(0, 1, Walk(both_ways=True))[0].edges == (0,)


def test_no_path_visits_a_node_twice_though_the_graph_goes_round():
    dag = graph(*chain("abcbd"), edge("c", "a"))

    assert paths(dag, "ad") == ["abd"]


def test_a_walk_never_leaves_its_scope():
    dag = graph(*chain("abd", certainty=1.0), *chain("acd", certainty=0.5))
    scope = np.array([True, False, True, True])

    assert paths(dag, "ad", Walk(scope=scope)) == ["acd"]
    assert words(dag.predecessors(at("d"), Walk(scope=scope)).nodes) == "ca"


def test_an_edge_that_does_not_hold_on_the_day_is_not_walked():
    dag = graph(edge("a", "b", valid_to="2020-12-31"))
    day = date(2020, 12, 31).toordinal()

    assert paths(dag, "ab", Walk(day=day)) == ["ab"]
    assert paths(dag, "ab", Walk(day=day + 1)) == []


def test_predecessors_are_transitive_and_the_nearest_come_first():
    dag = graph(*chain("abcd"), edge("b", "d"))
    up = dag.predecessors(at("d"))

    assert words(up.nodes) == "bca"
    assert up.depth.tolist() == [1, 1, 2]
    assert words(up.path(2).nodes) == "abd"


def test_successors_give_the_way_from_the_start():
    dag = graph(*chain("abc"))
    down = dag.successors(at("a"))

    assert [words(down.path(i).nodes) for i in range(len(down))] == ["ab", "abc"]


def test_references_are_no_predecessors_unless_asked_for():
    dag = graph(edge("a", "b", REFERENCE))

    assert len(dag.predecessors(at("b"))) == 0
    assert len(dag.predecessors(at("b"), Walk())) == 1


def test_of_too_many_neighbours_the_surest_stay():
    dag = graph(*(edge(x, "z", certainty=c) for x, c in (("a", 0.4), ("b", 0.9), ("c", 0.8))))

    assert words(dag.predecessors(3, IN_ORDER, most=2).nodes) == "bc"


@pytest.mark.clause("ANS-EDGE-04")
def test_an_order_puts_every_node_after_what_it_needs():
    dag = graph(*chain("cab"), names="abcd")

    assert words(dag.topological_order()) == "cdab"
    assert words(dag.in_order([at("a"), at("b"), at("c")])) == "cab"


def test_a_cycle_that_nobody_marked_does_not_hinder_an_order():
    dag = graph(*chain("ab"), edge("b", "a", certainty=0.3))

    assert dag.breaks_order.tolist() == [False, True]
    assert words(dag.topological_order()) == "ab"


def test_the_nearest_common_ancestor_is_the_lowest():
    dag = graph(*chain("abc"), edge("b", "d"), edge("a", "d"))

    assert words(dag.nearest_common_ancestors(at("c"), at("d"))) == "b"


def test_of_two_neighbours_the_upper_one_is_the_common_ancestor():
    dag = graph(*chain("ab"))

    assert words(dag.nearest_common_ancestors(at("a"), at("b"))) == "a"


def test_things_without_a_common_ancestor_have_none():
    assert graph(names="ab").nearest_common_ancestors(0, 1) == ()


def test_the_sections_of_a_note_stand_for_the_note():
    """``a`` leads to its sections ``b`` and ``c``; the link stands in the last of them."""
    dag = graph(*chain("abc", kind=SEQUENCE, certainty=0.5), edge("c", "d", REFERENCE, 0.7))

    assert dag.note_of.tolist() == [0, 0, 0, 3]
    assert [words(p.nodes) for p in dag.notes.best_paths(0, 3)] == ["ad"]
    assert dag.notes.arrays.row.tolist() == [2]
    assert dag.note_scope(np.array([False, True, False, False])).tolist() == [1, 0, 0, 0]


def test_an_order_that_an_author_wrote_between_notes_does_not_merge_them():
    dag = graph(edge("a", "b", SEQUENCE, 1.0))

    assert dag.note_of.tolist() == [0, 1]


def test_positions_are_those_of_the_numbers_that_are_there():
    dag = graph(*chain("abc"))

    assert dag.positions([2, 7, 0]) == {0: 0, 2: 2}


def test_an_empty_graph_answers_with_nothing():
    dag = graph()

    assert dag.topological_order().tolist() == []
    assert dag.greatest_degree == 0
    assert dag.positions([1]) == {}
