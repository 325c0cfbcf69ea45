"""Every card at its thresholds: just below, at, just above, and when a fact is unknown."""

import pytest
from rule_samples import book, judged, outcome

from witmark.review.vocabulary import PLACES

S, G, U, NA = "satisfied", "grey", "undetermined", "not_applicable"
FLAT = {"entry_flat": 0.0, "entry_angle": 0.0, "entry_kind": "plane"}
OUT = {"through": True, "exit_flat": 0.0, "exit_angle": 0.0, "exit_kind": "plane"}
FACING = {"facing": True}
CORNER = {"corners": 4, "corner_r": 5.0, "depth": 12.0}
FLOOR = {"floor_r": 1.0, "corners": 4, "corner_r": 5.0}
ROLES = {"role_a": "machined", "role_b": "unmachined"}

TABLE = (
    # rule, place, facts without their family, outcome
    ("18.P13", "pocket", FACING | {"depth_to_width": 4.0}, S),
    ("18.P13", "pocket", FACING | {"depth_to_width": 4.000001}, "minor"),
    ("18.P13", "open_pocket", FACING | {"depth_to_width": 6.0}, "minor"),
    ("18.P13", "open_pocket", {"facing": False, "depth_to_width": None}, NA),
    ("18.P13", "through_window", FACING | {"depth_to_width": 6.000001}, "major"),
    ("18.P13", "pocket", {"depth_to_width": None}, U),
    ("18.P13", "freeform_recess", {}, U),
    ("18.P13", "slot", {"depth": 9.0}, NA),
    ("18.P14", "pocket", CORNER | {"corner_r": 0.0}, "critical"),
    ("18.P14", "pocket", CORNER | {"corner_r": 0.000001}, "major"),
    ("18.P14", "pocket", CORNER | {"corner_r": 1.999999}, "major"),
    ("18.P14", "pocket", CORNER | {"corner_r": 2.0}, "minor"),
    ("18.P14", "pocket", CORNER | {"corner_r": 2.999999}, "minor"),
    ("18.P14", "blind_step", CORNER | {"corner_r": 3.0}, G),
    ("18.P14", "open_pocket", CORNER | {"corner_r": 3.999999}, G),
    ("18.P14", "pocket", CORNER | {"corner_r": 4.0}, S),
    ("18.P14", "pocket", CORNER | {"depth": 10.0, "corner_r": 3.333333}, S),
    ("18.P14", "pocket", CORNER | {"depth": 20.0, "corner_r": 3.333333}, "minor"),
    ("18.P14", "through_window", CORNER | {"corners": 0, "corner_r": None}, NA),
    ("18.P14", "pocket", CORNER | {"corner_r": None}, U),
    ("18.P14", "pocket", CORNER | {"depth": None}, U),
    ("18.P14", "pocket", CORNER | {"corner_r": 0.0, "depth": None}, "critical"),
    ("18.P14", "freeform_blend", {}, U),
    ("18.P16", "pocket", FLOOR | {"floor_r": 4.999999}, S),
    ("18.P16", "pocket", FLOOR | {"floor_r": 5.0}, "minor"),
    ("18.P16", "open_pocket", FLOOR | {"floor_r": 5.000001}, "minor"),
    ("18.P16", "pocket", FLOOR | {"floor_r": 0.0}, NA),
    ("18.P16", "pocket", FLOOR | {"corners": 0, "corner_r": None}, S),
    ("18.P16", "pocket", FLOOR | {"floor_r": None}, U),
    ("18.P16", "freeform_recess", {}, U),
    ("18.P17", "pocket", {"distinct_r": 1}, S),
    ("18.P17", "pocket", {"distinct_r": 2}, G),
    ("18.P17", "pocket", {"distinct_r": 3}, "minor"),
    ("18.P17", "pocket", {"distinct_r": None}, U),
    ("18.P17", "part", {"internal_r_count": 4}, S),
    ("18.P17", "part", {"internal_r_count": 5}, "minor"),
    ("18.P17", "part", {"internal_r_count": None}, U),
    ("18.P17", "freeform_blend", {}, U),
    ("18.P19", "slot", {"w": 0.999999, "depth": 1.0}, "major"),
    ("18.P19", "slot", {"w": 1.0, "depth": 1.0}, G),
    ("18.P19", "blind_slot", {"w": 2.999999, "depth": 1.0}, G),
    ("18.P19", "slot", {"w": 3.0, "depth": 12.0}, S),
    ("18.P19", "slot", {"w": 3.0, "depth": 12.000003}, "minor"),
    ("18.P19", "slot", {"w": 0.5, "depth": None}, "major"),
    ("18.P19", "slot", {"w": 5.0, "depth": None}, U),
    ("18.P19", "freeform_recess", {}, U),
    ("18.P26", "hole", FLAT | {"entry_angle": 1.0}, S),
    ("18.P26", "hole", FLAT | {"entry_angle": 1.000001}, G),
    ("18.P26", "hole", FLAT | {"entry_angle": 5.0}, G),
    ("18.P26", "hole", FLAT | {"entry_angle": 5.000001}, "minor"),
    ("18.P26", "hole", FLAT | {"entry_angle": 30.0}, "minor"),
    ("18.P26", "hole", FLAT | {"entry_angle": 30.000001}, "major"),
    ("18.P26", "hole", FLAT | {"entry_kind": "curved"}, "minor"),
    ("18.P26", "hole", FLAT | {"entry_angle": 45.0, "entry_flat": 1.199999}, "major"),
    ("18.P26", "hole", FLAT | {"entry_angle": 45.0, "entry_flat": 1.2}, S),
    ("18.P26", "hole", FLAT | {"entry_angle": None, "entry_kind": None}, U),
    ("18.P26", "hole", FLAT | {"entry_angle": None, "entry_kind": "curved"}, U),
    ("18.P26", "freeform_bore", {}, U),
    ("18.P27", "hole", OUT | {"exit_angle": 1.0}, S),
    ("18.P27", "hole", OUT | {"exit_angle": 5.0}, G),
    ("18.P27", "hole", OUT | {"exit_angle": 5.000001}, "minor"),
    ("18.P27", "hole", OUT | {"exit_angle": 30.000001}, "major"),
    ("18.P27", "hole", OUT | {"exit_kind": "curved"}, "minor"),
    ("18.P27", "hole", OUT | {"exit_kind": "curved", "exit_flat": 1.2}, S),
    ("18.P27", "hole", {"through": False}, NA),
    ("18.P27", "hole", OUT | {"exit_angle": None, "exit_kind": None}, U),
    ("18.P27", "hole", OUT | {"through": None}, U),
    ("18.P27", "hole", OUT | {"exit_angle": None, "exit_kind": "curved"}, U),
    ("18.P27", "freeform_bore", {}, U),
    ("18.P28", "hole", {"coverage": 1.0}, S),
    ("18.P28", "hole", {"coverage": 0.999999}, "minor"),
    ("18.P28", "hole", {"coverage": 0.75}, "minor"),
    ("18.P28", "hole", {"coverage": 0.749999}, "major"),
    ("18.P28", "freeform_bore", {"coverage": None}, U),
    ("18.P29", "hole", {"ld": 4.0}, S),
    ("18.P29", "hole", {"ld": 2.0000000000148}, S),
    ("18.P29", "hole", {"ld": 4.000001}, "minor"),
    ("18.P29", "hole", {"ld": 10.0}, "minor"),
    ("18.P29", "hole", {"ld": 10.000001}, "major"),
    ("18.P29", "freeform_bore", {}, U),
    ("18.P30", "hole", {"d": 0.499999}, "critical"),
    ("18.P30", "hole", {"d": 0.5}, "major"),
    ("18.P30", "hole", {"d": 0.999999}, "major"),
    ("18.P30", "hole", {"d": 1.0}, "info"),
    ("18.P30", "hole", {"d": 2.499999}, "info"),
    ("18.P30", "hole", {"d": 2.5}, S),
    ("18.P30", "freeform_bore", {}, U),
    ("18.P34", "hole", {"d": 5.0, "d_off_list": 0.0}, S),
    ("18.P34", "hole", {"d": 5.0, "d_off_list": 0.02}, G),
    ("18.P34", "hole", {"d": 5.0, "d_off_list": 0.020001}, "minor"),
    ("18.P34", "hole", {"d": 50.0, "d_off_list": None}, U),
    ("18.P34", "hole", {"d": 50.000001, "d_off_list": None}, NA),
    ("18.P34", "freeform_bore", {}, U),
    ("18.P35", "part", {"hole_d_count": 4, "hole_d_close_pairs": 0}, S),
    ("18.P35", "part", {"hole_d_count": 0, "hole_d_close_pairs": 0}, NA),
    ("18.P35", "part", {"hole_d_count": 5, "hole_d_close_pairs": 0}, G),
    ("18.P35", "part", {"hole_d_count": 6, "hole_d_close_pairs": 0}, G),
    ("18.P35", "part", {"hole_d_count": 7, "hole_d_close_pairs": 0}, "minor"),
    ("18.P35", "part", {"hole_d_count": 2, "hole_d_close_pairs": 1}, "minor"),
    ("18.P35", "part", {"hole_d_count": None, "hole_d_close_pairs": None}, U),
    ("18.P37", "inline", {"offset": 0.01, "d": 8.0}, S),
    ("18.P37", "inline", {"offset": 0.010001, "d": 8.0}, "major"),
    ("18.P37", "inline", {"offset": 3.999998, "d": 8.0}, "major"),
    ("18.P37", "inline", {"offset": 4.0, "d": 8.0}, G),
    ("18.P37", "inline", {"offset": None, "d": 8.0}, U),
    ("18.P37", "freeform_bore", {}, U),
    ("18.P44", "hole", {"step_order": "single"}, S),
    ("18.P44", "hole", {"step_order": "monotone"}, S),
    ("18.P44", "hole", {"step_order": "waisted"}, G),
    ("18.P44", "hole", {"step_order": "bulged"}, "major"),
    ("18.P44", "freeform_bore", {"step_order": None}, U),
    ("18.2.4", "surface_boundary", {"step_height": 0.0, "role_a": None, "role_b": None}, U),
    ("18.2.4", "surface_boundary", ROLES | {"step_height": 0.999999}, "minor"),
    ("18.2.4", "surface_boundary", ROLES | {"step_height": 1.0}, G),
    ("18.2.4", "surface_boundary", ROLES | {"step_height": 2.0}, S),
    ("18.2.4", "surface_boundary", ROLES | {"role_b": "machined", "step_height": 0.0}, NA),
)
THIN = {"others": 1, "ligament_d": 6.0}
EDGES = (
    # rule, what the second look found, outcome; the hole measures 6 mm
    ("18.P38", {"beside_edge": True, "edge_dist": 0.799999}, "critical"),
    ("18.P38", {"beside_edge": True, "edge_dist": 0.8}, "minor"),
    ("18.P38", {"beside_edge": True, "edge_dist": 2.999999}, "minor"),
    ("18.P38", {"beside_edge": True, "edge_dist": 3.0}, G),
    ("18.P38", {"beside_edge": True, "edge_dist": 5.999998}, G),
    ("18.P38", {"beside_edge": True, "edge_dist": 6.0}, S),
    ("18.P38", {"beside_edge": True, "edge_dist": None}, U),
    ("18.P38", {"beside_edge": False, "edge_dist": None}, NA),
    ("18.P38", {}, "asks"),
    ("18.P39", THIN | {"ligament": 0.799999}, "major"),
    ("18.P39", THIN | {"ligament": 0.8}, "minor"),
    ("18.P39", THIN | {"ligament": 2.999999}, "minor"),
    ("18.P39", THIN | {"ligament": 3.0}, G),
    ("18.P39", THIN | {"ligament": 6.0}, S),
    ("18.P39", THIN | {"ligament": None}, U),
    ("18.P39", {"others": 0, "ligament": None}, NA),
    ("18.P39", {}, "asks"),
)
FAMILIES = {"freeform_bore": "hole", "surface_boundary": "surface", "blind_slot": "slot"}


def named(kind, facts):
    family = FAMILIES.get(
        kind, kind if kind in ("hole", "inline", "part", "slot") else "pocket"
    )
    return {f"{family}.{name}": value for name, value in facts.items()}


@pytest.mark.parametrize(("rule_id", "kind", "facts", "expected"), TABLE)
def test_a_card_decides_as_the_catalogue_says(rule_id, kind, facts, expected):
    assert outcome(rule_id, kind, named(kind, facts)) == expected


@pytest.mark.parametrize(("rule_id", "answers", "expected"), EDGES)
def test_a_card_that_needs_a_second_look_decides_after_it(rule_id, answers, expected):
    assert outcome(rule_id, "hole", {"hole.d": 6.0}, named("hole", answers)) == expected


def test_the_tables_reach_every_severity_of_every_card():
    reached = {(rule_id, out) for rule_id, _, _, out in TABLE}
    reached |= {(rule_id, out) for rule_id, _, out in EDGES}

    promised = {
        (rule.rule_id, tier.severity.value)
        for rule in book().store.rules.values()
        for tier in rule.tiers
    }
    assert promised <= reached
    for rule_id in book().store.rules:
        assert {(rule_id, S), (rule_id, U)} <= reached


@pytest.mark.parametrize("rule_id", sorted(book().store.rules))
def test_a_place_whose_facts_are_all_unknown_is_undetermined(rule_id):
    rule = book().store.open(rule_id)
    for kind in rule.applies_to:
        verdict = judged(rule_id, kind, {}, dict.fromkeys(rule.required_facts))

        assert verdict.kind == U
        assert verdict.missing


@pytest.mark.parametrize("rule_id", sorted(book().store.rules))
@pytest.mark.clause("REV-JUDGE-06")
def test_a_solid_that_failed_its_check_leaves_every_card_open(rule_id):
    for kind in book().store.open(rule_id).applies_to:
        verdict = judged(rule_id, kind, {"part.valid": False, "hole.through": False})

        assert verdict.kind == U
        assert [item.fact for item in verdict.missing] == ["part.valid"]


def test_seventeen_cards_and_the_contracts_own_number():
    ids = {entry.rule_id: entry.catalogue_id for entry in book().index.entries}

    assert len(ids) == 17
    assert ids.pop("18.2.4") == "P01"
    assert all(rule_id == f"18.{catalogue_id}" for rule_id, catalogue_id in ids.items())


def test_every_rule_speaks_both_languages_and_names_its_source():
    for rule in book().store.rules.values():
        said = (rule.title, rule.why, rule.mend)
        assert all(item.zh and item.en for item in said)
        assert rule.source
        assert all(tier.grade in "abc" for tier in rule.tiers)
        assert set(rule.applies_to) <= set(PLACES)
