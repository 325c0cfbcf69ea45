"""Whatever the edges are, the marks leave an order, are needed, and do not depend on luck."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_graphs import edge

from witmark.answers.cycles import order_breaking
from witmark.answers.edges import ORDERING, RelationKind

letters = st.sampled_from("abcdefg")
edges = st.lists(
    st.builds(
        lambda s, t, kind, c, inferred: edge(s, t, kind, c / 4, inferred=inferred),
        letters,
        letters,
        st.sampled_from([*RelationKind]),
        st.integers(0, 4),
        st.booleans(),
    ),
    max_size=24,
    unique_by=lambda e: e.id,
)


@settings(max_examples=150, deadline=None)
@given(edges)
def test_what_is_left_has_an_order(some):
    marked = order_breaking(some)

    assert _has_order([e for e in some if e.kind in ORDERING and e.id not in marked])


@settings(max_examples=150, deadline=None)
@given(edges)
@pytest.mark.clause("ANS-EDGE-03")
def test_no_mark_is_needless_and_each_is_the_weakest_of_a_cycle(some):
    marked = order_breaking(some)
    kept = [e for e in some if e.kind in ORDERING and e.id not in marked]

    for fallen in (e for e in some if e.id in marked):
        stronger = [e for e in kept if _strength(e) > _strength(fallen)]
        assert fallen.source == fallen.target or not _has_order([*stronger, fallen])


@given(edges, st.randoms())
def test_the_order_in_which_edges_come_does_not_matter(some, chance):
    shuffled = list(some)
    chance.shuffle(shuffled)

    assert order_breaking(shuffled) == order_breaking(some)


def _strength(e):
    return e.edge_confidence, e.provenance == "fact", e.id


def _has_order(some):
    """Peel off what nothing comes before; an independent, naive way to look for cycles."""
    left = {(e.source, e.target) for e in some}
    while left:
        targets = {target for _, target in left}
        peeled = {pair for pair in left if pair[0] not in targets}
        if not peeled:
            return False
        left -= peeled
    return True
