"""Laws of the three-valued language, and agreement with plain Python when all is known."""

import operator

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from witmark.review.rulebook.grammar import parse
from witmark.review.rulebook.overlap import common_point
from witmark.review.rulebook.predicate import (
    AllOf,
    AnyOf,
    Comparison,
    Flag,
    Is,
    Linear,
    Not,
    Truth,
    conjunction,
    disjunction,
    evaluate,
    facts_of,
    given,
    negation,
    text,
)

SIGNS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
LENGTHS = ("hole.d", "hole.depth", "slot.w")
BOTTOMS = ("none", "flat", "cone", "sphere")

truths = st.sampled_from(Truth)
lengths = st.integers(0, 40).map(lambda n: n / 8)
sums = st.builds(
    lambda names, factor, constant: Linear(
        tuple((name, factor) for name in names), constant, "mm"
    ),
    st.lists(st.sampled_from(LENGTHS), min_size=1, max_size=2, unique=True),
    st.sampled_from((0.5, 1.0, 2.0, -1.0)),
    lengths,
)
numbers = st.builds(Comparison, sums, st.sampled_from(sorted(SIGNS)), sums)
named = st.builds(Is, st.just("hole.bottom"), st.sampled_from(BOTTOMS), st.booleans())
statements = st.one_of(numbers, named, st.just(Flag("hole.through")))
predicates = st.recursive(
    statements,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: AllOf(tuple(items))),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: AnyOf(tuple(items))),
    ),
    max_leaves=6,
)
known = st.fixed_dictionaries(
    dict.fromkeys(LENGTHS, lengths)
    | {"hole.through": st.booleans(), "hole.bottom": st.sampled_from(BOTTOMS)}
)
blanks = st.sets(st.sampled_from((*LENGTHS, "hole.through", "hole.bottom")))


def plainly(predicate, values) -> bool:
    """The same question asked of Python."""
    match predicate:
        case Comparison(left=left, op=op, right=right):
            sides = [
                sum(f * values[n] for n, f in side.terms) + side.constant
                for side in (left, right)
            ]
            return SIGNS[op](*sides)
        case Flag(fact=fact):
            return values[fact]
        case Is(fact=fact, value=value, equal=equal):
            return (values[fact] == value) is equal
        case Not(item=item):
            return not plainly(item, values)
        case AllOf(items=items):
            return all(plainly(item, values) for item in items)
        case AnyOf(items=items):
            return any(plainly(item, values) for item in items)


@for_all(truths, truths, truths)
@pytest.mark.clause("REV-RULE-04")
def test_kleenes_laws_hold(a, b, c):
    assert negation(negation(a)) is a
    assert conjunction([a, b]) is conjunction([b, a])
    assert conjunction([a, conjunction([b, c])]) is conjunction([conjunction([a, b]), c])
    assert negation(conjunction([a, b])) is disjunction([negation(a), negation(b)])
    assert conjunction([a, disjunction([b, c])]) is disjunction(
        [conjunction([a, b]), conjunction([a, c])]
    )
    assert conjunction([Truth.UNKNOWN, Truth.FALSE]) is Truth.FALSE
    assert disjunction([a, negation(a)]) is (
        Truth.UNKNOWN if a is Truth.UNKNOWN else Truth.TRUE
    )


@for_all(predicates, known)
def test_with_every_fact_known_it_says_what_python_says(predicate, values):
    expected = Truth.TRUE if plainly(predicate, values) else Truth.FALSE

    assert evaluate(predicate, values).outcome is expected


@for_all(predicates, known, blanks)
@pytest.mark.clause("REV-RULE-04")
def test_forgetting_a_fact_never_turns_an_answer_round(predicate, values, blank):
    whole = evaluate(predicate, values).outcome
    partly = evaluate(predicate, {n: v for n, v in values.items() if n not in blank}).outcome

    assert partly in (whole, Truth.UNKNOWN)
    if not blank & set(facts_of(predicate)):
        assert partly is whole


@for_all(predicates, known, blanks)
def test_the_written_form_reads_back_to_the_same_answers(predicate, values, blank):
    kept = {n: v for n, v in values.items() if n not in blank}
    again = parse(text(predicate))

    assert evaluate(again, kept).outcome is evaluate(predicate, kept).outcome
    assert text(again) == text(parse(text(again)))


@for_all(predicates, known, st.sampled_from(BOTTOMS))
def test_settling_a_fact_beforehand_changes_no_answer(predicate, values, bottom):
    settled = given(predicate, "hole.bottom", bottom)

    assert "hole.bottom" not in facts_of(settled)
    told = values | {"hole.bottom": bottom}
    assert evaluate(settled, told).outcome is evaluate(predicate, told).outcome


@settings(deadline=None)
@for_all(predicates, known)
def test_a_common_point_is_found_exactly_where_there_is_one(predicate, values):
    """Both ways: what is found satisfies, and what any values satisfy is found."""
    point = common_point([predicate])

    if plainly(predicate, values):
        assert point is not None
    if point is not None:
        told = {"hole.d": 0.0, "hole.depth": 0.0, "slot.w": 0.0, "hole.through": False}
        told |= {"hole.bottom": "none"} | dict(point)
        assert evaluate(predicate, told).outcome is Truth.TRUE
