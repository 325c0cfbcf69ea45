"""Sentences state facts; names that would not are left out of them."""

import pytest

from witmark.review.neutrality import NAME_CHARS, faults_in, spoken_name


@pytest.mark.clause("REV-UNIT-03")
@pytest.mark.parametrize(
    "sentence",
    [
        "孔位于 sketch_edge_1 旁",
        "edge_12 与 face_3 相邻",
        "patch_r0_c1 的高度",
        "region_outside",
        "measurement_1 为 3 mm",
        "见 18.2.4",
        "见 18.P13 的孔",
        "该孔错误",
        "违反间距",
        "孔应该加大",
        "不应平齐",
        "a fault",
        "this is a violation",
        "wrong depth",
        "see #123",
        "a satisfied hole",
        "non-compliant thread",
        "it complies",
        "符合要求的孔",
        "合格的板",
    ],
)
def test_ids_rules_and_judgement_are_noticed(sentence):
    assert faults_in(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "板上直径 18.25 mm 的通孔，深度 18.3 mm",
        "18.05 mm through hole, depth 18.4 mm",
        "surface facing the wall, shell thickness 3 mm",
        "a sealed mustard pot",
        "a complex saturated contact",
    ],
)
def test_measurements_and_plain_words_pass(sentence):
    assert faults_in(sentence) == ()


@pytest.mark.parametrize("name", ["face_3", "18.2.4", "wrong plate", "", "   ", "违反"])
def test_a_name_that_is_not_neutral_is_not_spoken(name):
    assert spoken_name(name, "零件") == "零件"


def test_a_long_name_is_cut_where_it_is_spoken():
    said = spoken_name("板" * 20_000, "零件")

    assert len(said) == NAME_CHARS
    assert said.endswith("…")
