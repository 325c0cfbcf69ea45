"""What makes a note matter more than another."""

import itertools
from types import SimpleNamespace

import pytest

from witmark.answers import ranking
from witmark.answers.asking import Intent
from witmark.answers.edges import RelationKind
from witmark.answers.nearness import Nearness, Way
from witmark.answers.pack import Validity
from witmark.answers.ranking import Found

CONTRAST, REFERENCE, PRE = (
    RelationKind.CONTRAST,
    RelationKind.REFERENCE,
    RelationKind.PREREQUISITE,
)


def placed(distance, *, way=None, depth=None, relations=None):
    """Node 1 at a distance from an anchor, in one way or another."""
    return Nearness(
        distance={1: distance},
        ways={1: way} if way else {},
        prerequisite_depth={1: depth} if depth else {},
        relations={1: relations} if relations else {},
    )


def whole(intent, near):
    return sum(ranking.of_graph(intent, 1, near).values())


def test_the_nearer_the_better_and_beyond_four_nothing():
    values = [whole(Intent.GENERIC, placed(distance)) for distance in range(5)]

    assert values == [0.30, 0.18, 0.10, 0.05, 0.0]
    assert ranking.of_graph(Intent.GENERIC, 2, placed(0)) == {}


def test_in_a_comparison_being_an_anchor_is_worth_less():
    assert whole(Intent.COMPARE, placed(0)) == 0.22


def test_a_path_counts_by_its_length_and_its_certainty():
    short = ranking.of_graph(Intent.GENERIC, 1, placed(1, way=Way(1, 1.0)))
    long = ranking.of_graph(Intent.GENERIC, 1, placed(3, way=Way(3, 0.5)))

    assert (short["path"], short["path_confidence"]) == (0.14, 0.12)
    assert (long["path"], long["path_confidence"]) == (0.05, 0.06)


def test_a_prerequisite_matters_more_to_somebody_who_wants_to_do_it():
    near = placed(1, way=Way(1, 1.0), depth=1)

    assert ranking.of_graph(Intent.WHAT, 1, near)["prerequisite_depth"] == 0.07
    assert ranking.of_graph(Intent.HOW_TO, 1, near)["prerequisite_depth"] == 0.12


def test_a_nearer_prerequisite_matters_more():
    depths = [
        ranking.of_graph(Intent.LEARN, 1, placed(d, way=Way(d, 1.0), depth=d))[
            "prerequisite_depth"
        ]
        for d in (1, 2, 3)
    ]

    assert depths == sorted(depths, reverse=True)


@pytest.mark.parametrize("kind", [RelationKind.CONTRAST, RelationKind.ANALOGY])
def test_a_branch_of_a_comparison_beats_a_note_that_merely_refers(kind):
    branch = placed(1, way=Way(1, 0.5), relations={kind: 0.5})
    reference = placed(1, way=Way(1, 1.0), relations={REFERENCE: 1.0})

    assert whole(Intent.COMPARE, branch) > whole(Intent.COMPARE, reference)


def test_path_reasons_are_capped():
    near = placed(1, way=Way(1, 1.0), depth=1, relations={CONTRAST: 1.0})
    reasons = ranking.of_graph(Intent.COMPARE, 1, near)
    of_path = ("path", "path_confidence", "prerequisite_depth", "contrast", "analogy")

    assert sum(reasons.get(name, 0.0) for name in of_path) == pytest.approx(0.6)


def test_the_kind_of_relation_must_fit_what_is_asked():
    def fit(intent, kind):
        near = placed(1, way=Way(1, 1.0), relations={kind: 1.0})
        return ranking.of_graph(intent, 1, near)["relation_intent"]

    assert fit(Intent.LEARN, PRE) == pytest.approx(0.18)
    assert (
        fit(Intent.WHY, PRE) > fit(Intent.WHY, RelationKind.CAUSAL) > fit(Intent.WHY, REFERENCE)
    )
    assert fit(Intent.COMPARE, PRE) == 0.0


def test_every_intent_has_priorities_and_references_always_come_last():
    for intent in Intent:
        priorities = ranking.PRIORITIES[intent]
        assert min(priorities, key=priorities.__getitem__) is REFERENCE


def test_an_unreachable_hub_steps_back_and_nobody_else_does():
    assert ranking.of_hub(100, 100, reachable=False) == {"hub": -0.12}
    assert ranking.of_hub(100, 100, reachable=True) == {}
    assert ranking.of_hub(70, 100, reachable=False) == {}
    assert ranking.of_hub(3, 3, reachable=False) == {}


def invalid(*reasons):
    return Validity(is_valid=not reasons, checked_at="2026-01-01", reasons=reasons, details=())


@pytest.mark.clause("ANS-RET-03")
def test_what_does_not_hold_is_punished_and_what_holds_is_not_rewarded():
    assert ranking.of_time(Intent.WHAT, invalid()) == {}
    assert ranking.of_time(Intent.WHAT, invalid("old")) == {"temporal": pytest.approx(-0.20)}
    assert ranking.of_time(Intent.WHAT, invalid(*"abcde")) == {"temporal": pytest.approx(-0.24)}


def test_whoever_asks_whether_it_still_holds_must_find_it():
    assert ranking.of_time(Intent.STILL_VALID, invalid("old")) == {}


def test_a_hub_lends_its_neighbours_less():
    lent = [ranking.lent(1.0, degree) for degree in (1, 2, 14, 1_000)]

    assert lent == sorted(lent, reverse=True)
    assert lent[1] == pytest.approx(0.25)


def test_anchors_are_few_and_close_to_the_best():
    named = [(1.0, "a"), (0.95, "b"), (0.92, "c"), (0.93, "d"), (0.91, "e")]

    assert ranking.anchors(named) == ["a", "b", "d"]
    assert ranking.anchors([(0.19, "a")]) == []
    assert ranking.anchors([]) == []


def test_a_name_that_is_the_whole_question_says_no_less_than_any_words():
    whole, mention = ranking.of_name(1.0, {1: 0.4}), ranking.of_name(0.2, {1: 0.4})

    assert whole["whole_name"] + 0.4 == 1.0
    assert mention["whole_name"] == 0.0
    assert whole["alias"] > mention["alias"] > ranking.of_name(0.0, {})["alias"] == 0.0


def test_further_atoms_of_a_note_add_little():
    reasons = ranking.of_words({1: 0.5, 2: 1.0, 3: 0.5})

    assert reasons["bm25"] == 1.0
    assert 0.0 < reasons["siblings"] < 0.1


@pytest.mark.parametrize(
    ("intent", "heading", "rises"),
    [
        (Intent.WHY, "为什么会开裂", True),
        (Intent.WHY, "Why it cracks", True),
        (Intent.WHY, "Whyte and sons", False),
        (Intent.WHAT, "定义", True),
        (Intent.HOW_TO, "怎样清洗", True),
        (Intent.HOW_TO, "Usage", True),
        (Intent.COMPARE, "与塑料杯的区别", True),
        (Intent.COMPARE, "VSZ files", False),
        (Intent.GENERIC, "定义", False),
        (Intent.LIST, "Kindness", False),
    ],
)
def test_a_heading_that_says_what_is_asked_rises(intent, heading, rises):
    section = SimpleNamespace(title=heading, is_root=False)

    assert bool(ranking.lift(intent, section)) is rises


def test_a_question_what_something_is_wants_the_beginning_of_its_note():
    root = SimpleNamespace(title="水杯", is_root=True)

    assert ranking.lift(Intent.WHAT, root) > 0.0
    assert ranking.lift(Intent.WHY, root) == 0.0


def test_the_score_does_not_depend_on_the_order_of_the_reasons():
    reasons = {"a": 0.1, "b": 0.2, "c": 0.3, "d": -1e-17, "e": 1e16, "f": -1e16}
    scores = set()
    for order in itertools.permutations(reasons):
        found = Found("a.md", 1, {})
        for name in order:
            found.add({name: reasons[name]})
        scores.add(found.score)

    assert len(scores) == 1


def test_equal_notes_stand_in_the_order_of_their_ids():
    found = [Found(name, 1, {}, {"bm25": 1.0}) for name in ("b.md", "a.md", "c.md")]

    assert [one.document_id for one in ranking.in_order(found)] == ["a.md", "b.md", "c.md"]
