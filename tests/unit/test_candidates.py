"""Retrieval finds every rule that may apply, and never learns what a rule checks."""

import pytest
from rule_samples import book, unit

from witmark.review.candidates import Candidates, entry_text, query_text
from witmark.review.rulebook.index import IndexEntry, RuleIndex
from witmark.review.units import (
    Anchor,
    BrepFact,
    FactBundle,
    ImageFact,
    InferredAttribute,
    NormalizedMeasurement,
)
from witmark.review.vocabulary import PLACES

HOLE = {"hole.ld": 12.0, "hole.d": 5.0, "hole.bottom": "flat", "hole.entry_angle": None}


def entry(rule_id, view="hole_feature", sentence="孔的深度与直径保持适当比例", secondary=()):
    return IndexEntry(rule_id, "深孔", "", "", view, secondary, "hole", sentence, (), ())


def found(index_entries, of):
    return Candidates(RuleIndex("book", tuple(index_entries))).find(of)


@pytest.mark.parametrize("kind", sorted(PLACES))
def test_every_rule_that_applies_to_a_place_is_retrieved_for_it(kind):
    applicable = {r.rule_id for r in book().store.rules.values() if kind in r.applies_to}

    returned = {c.rule_id for c in Candidates(book().index).find(unit(kind, {}))}

    assert applicable <= returned


def test_a_hole_does_not_bring_back_the_whole_book():
    returned = Candidates(book().index).find(unit("hole", HOLE))

    assert len(returned) < len(book().index.entries)
    assert "18.2.4" not in {c.rule_id for c in returned}


def test_the_closest_rule_comes_first():
    sentence = "盖板上的通孔，深度 60 mm，深径比 12，排屑"
    deep = unit("hole", HOLE, retrieval_sentence=sentence)

    assert Candidates(book().index).find(deep)[0].rule_id == "18.P29"


def test_the_contracts_own_example_finds_the_contracts_own_rule():
    boundary = unit(
        "surface_boundary",
        {"surface.step_height": None},
        retrieval_sentence=(
            "壳体局部加工候选面与周围非加工候选表面处于同一连续外表面区域，"
            "缺少台阶或沟槽形成明确分界。"
        ),
    )

    assert Candidates(book().index).find(boundary)[0].rule_id == "18.2.4"


@pytest.mark.clause("REV-RULE-03")
def test_rules_of_other_chapters_are_never_returned():
    returned = found([entry("18.P29"), entry("17.P29"), entry("1.18.4")], unit("hole", HOLE))

    assert [c.rule_id for c in returned] == ["18.P29"]


@pytest.mark.clause("REV-RETR-02")
def test_every_score_has_a_name():
    [one] = found([entry("18.1", secondary=("tool_access",))], unit("hole", HOLE))

    assert set(one.hit.features) == {"token_overlap", "primary_view", "pattern_type"}
    assert one.score == pytest.approx(sum(one.hit.features.values()))


@pytest.mark.clause("REV-RETR-02")
def test_a_view_match_goes_before_better_words():
    hole = unit("hole", HOLE, primary_view="tool_access", pattern_type="x")
    elsewhere = entry("18.1", "surface_role_boundary", query_text(hole))
    here = entry("18.2", "part_local_shape", "凸台", secondary=("hole_feature",))
    hole = unit("hole", HOLE, primary_view="tool_access", secondary_views=("hole_feature",))

    returned = found([elsewhere, here], hole)

    assert [(c.rule_id, c.view_matched) for c in returned] == [("18.2", True), ("18.1", False)]
    assert returned[0].score < returned[1].score


def test_words_alone_bring_a_rule_back_only_if_they_are_close():
    far = entry("18.1", "surface_role_boundary", "凸台与毛坯")
    near = entry("18.2", "surface_role_boundary", "盖板上的孔，孔深径比，孔底形状平底")

    returned = found([far, near], unit("hole", HOLE))

    assert [(c.rule_id, c.view_matched) for c in returned] == [("18.2", False)]


@pytest.mark.clause("REV-RETR-03")
def test_an_id_comes_back_once_with_its_highest_score():
    low, high = entry("18.1", sentence="凸台"), entry("18.1", sentence="盖板上的孔深径比")

    for order in ([low, high], [high, low]):
        [one] = found(order, unit("hole", HOLE))
        assert one.entry is high


@pytest.mark.clause("REV-RETR-03")
def test_the_same_rule_comes_back_for_every_place():
    candidates = Candidates(book().index)
    one = candidates.find(unit("hole", HOLE, local_id="unit_1", component_id="a"))
    two = candidates.find(unit("hole", HOLE, local_id="unit_2", component_id="b"))

    assert [c.rule_id for c in one] == [c.rule_id for c in two]


@pytest.mark.clause("REV-RETR-01")
def test_the_query_holds_the_units_meaning():
    query = query_text(
        unit(
            "hole",
            HOLE,
            inferred_functions=("定位",),
            inferred_attributes=(InferredAttribute("locating", True, 0.7, "与销接触"),),
            retrieval_fact_tags=("deep_bore",),
            retrieval_relations=("孔与外圆柱面相邻",),
            normalized_measurements=(NormalizedMeasurement("edge_gap", 3.0, "mm", 1.0),),
            retrieval_chain=("孔口", "孔底"),
            retrieval_semantic_roles=("host_body",),
        )
    )

    for part in (
        "盖板上的孔。", "hole_feature", "定位", "locating", "与销接触", "deep_bore",
        "孔与外圆柱面相邻",
        "edge_gap mm", "孔口 孔底", "host_body", "孔深径比", "平底",
    ):  # fmt: skip
        assert part in query
    assert "孔轴与入口面法向夹角" not in query, "an unknown fact says nothing about the place"


FORBIDDEN = (
    "sketch_edge_1", "edge_12", "face_3", "patch_r0_c1", "region_outside", "measurement_1",
    "18.2.4", "18.P29", "sha256", "D:\\parts\\cover.sldprt", "/home/a/cover.step",
    "out/a/b.png", "cover.step", '{"name": "x"}',
    "错误", "违反", "应该", "不应", "fault", "violation", "wrong",
)  # fmt: skip


@pytest.mark.parametrize("word", FORBIDDEN)
@pytest.mark.clause("REV-RETR-01")
def test_ids_paths_dumps_and_judgement_never_reach_the_query(word):
    anchor = Anchor("hole", "face_77", "盖板", "C:\\x\\y.sldprt", inferred_role=f"壳体 {word}")
    bundle = FactBundle(
        anchor,
        brep_facts=(BrepFact("hole.d", 5.0, "mm", 1.0, "sha256:face_78"),),
        related_parts=("D:\\q\\r.sldprt",),
        related_features=("face_79",),
        image_facts=(ImageFact("iso", f"连续过渡 {word} 外表面", 0.5),),
    )
    query = query_text(
        unit("hole", {}, retrieval_sentence=f"盖板 {word} 孔口", fact_bundle=bundle)
    )

    assert word not in query
    assert not any(
        raw in query for raw in ("face_77", "face_78", "face_79", "sldprt", "sha256")
    )
    assert {"盖板", "孔口", "壳体", "连续过渡", "外表面"} <= set(query.split())


def test_a_number_does_not_make_two_places_alike():
    five = unit("hole", HOLE, retrieval_sentence="直径 5 mm 的孔")
    nine = unit("hole", HOLE, retrieval_sentence="直径 9.25 mm 的孔")

    assert query_text(five) == query_text(nine)


def test_the_rule_text_is_the_index_entry_and_nothing_else():
    [one] = [e for e in book().index.entries if e.rule_id == "18.P29"]

    assert entry_text(one).startswith("深孔 hole_structure hole_feature 孔的深度")
    assert entry_text(one).endswith("孔深与孔径之比 细长孔")
