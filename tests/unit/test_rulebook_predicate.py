"""The language of predicates refuses what cannot be compared, and says where."""

import pytest

from witmark.review.rulebook.grammar import DEEPEST_NESTING, PredicateError, parse
from witmark.review.rulebook.predicate import (
    NEVER,
    FactTypeError,
    Truth,
    evaluate,
    facts_of,
    given,
    text,
    words,
)

REFUSED = (
    ("hole.diameter > 10 mm", "there is no fact 'hole.diameter'", 0),
    ("hole.d > 10", "mm cannot be compared with 1", 7),
    ("hole.d > 10 deg", "mm cannot be compared with deg", 7),
    ("hole.ld > 10 mm", "1 cannot be compared with mm", 8),
    ("hole.d > hole.ld", "mm cannot be compared with 1", 7),
    ("hole.d + hole.ld > 3 mm", "mm and 1 cannot be added", 7),
    ("hole.bottom > 3", "hole.bottom needs == or != and a value", 12),
    ("hole.bottom == 3", "hole.bottom is one of none, flat, cone, sphere, not 3", 15),
    ("hole.bottom == round", "not round", 15),
    ("hole.d == flat", "there is no fact 'flat'", 10),
    ("hole.d", "a comparison sign must stand before 'the end'", 6),
    ("hole.through == 1", "hole.through is yes or no", 13),
    ("hole.d * hole.ld > 3 mm", "not linear", 9),
    ("hole.d / 0 > 3 mm", "division by zero", 9),
    ("2 * hole.through > 3", "hole.through is not a measurement", 4),
    ("3 mm < 4 mm", "a comparison without any fact", 5),
    ("1 mm < hole.d < 4 mm", "comparisons do not chain", 14),
    ("(hole.through", "a bracket is not closed", 13),
    ("hole.through hole.through", "did not expect 'hole.through'", 13),
    ("hole.through and", "expected a fact or a number, not 'the end'", 16),
    ("hole.d ≥ 3 mm", "cannot read '≥'", 7),
    ("hole.d > = 3 mm", "cannot read '='", 9),
    ("hole.d > < 3 mm", "expected a fact or a number, not '<'", 9),
    ("", "expected a fact or a number", 0),
)


@pytest.mark.parametrize(("source", "because", "column"), REFUSED)
@pytest.mark.clause("REV-RULE-04")
def test_a_predicate_that_means_nothing_is_refused_where_it_goes_wrong(source, because, column):
    with pytest.raises(PredicateError) as refused:
        parse(source)

    assert because in refused.value.because
    assert refused.value.column == column


def test_nesting_has_a_bound():
    deep = DEEPEST_NESTING + 1
    with pytest.raises(PredicateError, match="nested deeper"):
        parse("(" * deep + "hole.through" + ")" * deep)
    with pytest.raises(PredicateError, match="longer than"):
        parse("not " * 600 + "hole.through")


def test_and_binds_before_or_and_not_before_both():
    predicate = parse("not hole.through or hole.d > 1 mm and hole.d < 2 mm")

    assert text(predicate) == "not hole.through or hole.d > 1 mm and hole.d < 2 mm"
    assert evaluate(predicate, {"hole.through": False}).outcome is Truth.TRUE
    assert evaluate(predicate, {"hole.through": True, "hole.d": 1.5}).outcome is Truth.TRUE
    assert evaluate(predicate, {"hole.through": True, "hole.d": 2.5}).outcome is Truth.FALSE


def test_a_known_part_decides_over_an_unknown_one():
    either = parse("hole.edge_dist < 0.8 mm or hole.edge_dist < 0.5 * hole.d")
    both = parse("hole.through and hole.d > 1 mm")

    assert evaluate(either, {"hole.edge_dist": 0.5}).outcome is Truth.TRUE
    assert evaluate(either, {"hole.edge_dist": 2.0}).outcome is Truth.UNKNOWN
    assert evaluate(both, {"hole.through": False}).outcome is Truth.FALSE
    assert evaluate(both, {"hole.through": True}).outcome is Truth.UNKNOWN


def test_the_trace_holds_every_comparison_and_what_it_read():
    found = evaluate(parse("hole.ld > 10 or hole.bottom == flat"), {"hole.ld": 4.5})

    assert [(r.expression, r.outcome.value, r.values) for r in found.readings] == [
        ("hole.ld > 10", "false", (("hole.ld", 4.5),)),
        ("hole.bottom == flat", "unknown", (("hole.bottom", None),)),
    ]


def test_facts_are_compared_as_rounded_and_minus_zero_is_zero():
    assert evaluate(parse("hole.ld <= 2"), {"hole.ld": 2.0000000000148}).outcome is Truth.TRUE
    assert evaluate(parse("hole.ld > 2"), {"hole.ld": 2.000001}).outcome is Truth.TRUE
    assert evaluate(parse("slot.w == 0 mm"), {"slot.w": -0.0}).outcome is Truth.TRUE


def test_rounding_comes_before_comparing():
    wider = parse("pocket.floor_r > pocket.corner_r")
    values = {"pocket.floor_r": 5.00000051, "pocket.corner_r": 5.00000049}

    assert evaluate(wider, values).outcome is Truth.TRUE


def test_a_third_of_the_depth_is_a_third_after_rounding_too():
    third = parse("pocket.corner_r >= pocket.depth / 3")
    for depth in (1.0, 0.333333, 10.0, 20.000001, 25.4, 7.7):
        exact = {"pocket.depth": depth, "pocket.corner_r": round(depth / 3, 6)}
        less = {"pocket.depth": depth, "pocket.corner_r": round(depth / 3, 6) - 2e-6}
        assert evaluate(third, exact).outcome is Truth.TRUE
        assert evaluate(third, less).outcome is Truth.FALSE


def test_not_a_number_is_unknown_and_a_word_for_a_number_is_an_error():
    assert evaluate(parse("hole.d > 1 mm"), {"hole.d": float("nan")}).outcome is Truth.UNKNOWN
    for source, values in (
        ("hole.d > 1 mm", {"hole.d": "5"}),
        ("hole.d > 1 mm", {"hole.d": True}),
        ("hole.through", {"hole.through": 1}),
        ("hole.bottom == flat", {"hole.bottom": "round"}),
    ):
        with pytest.raises(FactTypeError):
            evaluate(parse(source), values)


def test_a_predicate_reads_well_in_both_languages():
    predicate = parse("hole.edge_dist < 0.5 * hole.d or not (hole.through and hole.ld >= 4)")

    assert words(predicate, "zh") == (
        "孔壁到最近边缘的最小距离 < 0.5 × 孔的最小直径 或 非(通孔 且 孔深径比 ≥ 4)"
    )
    assert words(predicate, "en") == (
        "least distance of hole wall to an edge < 0.5 × smallest hole diameter "
        "or not (through hole and hole depth-to-diameter ratio ≥ 4)"
    )


def test_what_is_settled_by_the_kind_of_place_falls_away():
    rule = parse("anchor.kind == part and part.internal_r_count > 4 or pocket.distinct_r > 2")

    assert text(given(rule, "anchor.kind", "pocket")) == "pocket.distinct_r > 2"
    assert facts_of(given(rule, "anchor.kind", "part")) == (
        "part.internal_r_count",
        "pocket.distinct_r",
    )
    assert given(parse("anchor.kind == part"), "anchor.kind", "hole") == NEVER
