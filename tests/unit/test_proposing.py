"""Units state what is there, once per place, about every instance that is reviewed."""

import dataclasses

import pytest
from desk_samples import ASIDE, HERE, SHORT, assembly, deep_plate, facts

from witmark.review.facts import blob_of
from witmark.review.neutrality import faults_in
from witmark.review.proposing import propose
from witmark.testing.breps import Turned, plate

BUSH_LIKE = plate(
    [Turned(10, 10, ((9, 0), (9, -30)))], length_mm=20.0, width_mm=20.0, thickness_mm=30.0
)
HOSTILE = ["face_3", "18.2.4 plate", "违反", "{}", "{0}", "a/b", "", "板" * 9000]


def units(*parts, **given):
    return propose(facts(assembly(*parts, **given))[0])


def holes(found):
    return [unit for unit in found if unit.anchor.kind == "hole"]


def test_a_hole_is_worded_in_both_languages_with_its_numbers():
    (hole,) = holes(units(deep_plate(), names=["盖板"]))

    assert hole.retrieval_sentence == (
        "盖板朝 -Z 侧的直径 5 mm 通孔：深度 30 mm，深径比 6，孔口所在面法向与孔轴夹角 0°。"
    )
    assert hole.retrieval_sentence_en == (
        "5 mm through hole on the -Z side of 盖板: depth 30 mm, depth-to-diameter ratio 6, "
        "entry face 0° off the axis."
    )
    assert hole.semantic_location == "盖板：朝 -Z 侧的直径 5 mm 通孔，位于 (50, 30, -30) mm"


@pytest.mark.clause("REV-SCOPE-03")
def test_the_same_part_at_two_places_has_two_sets_of_units():
    found = holes(units(plate([SHORT]), plate([SHORT]), places=[HERE, ASIDE]))

    assert [unit.component_id for unit in found] == ["root/a", "root/b"]
    assert found[0].semantic_location != found[1].semantic_location


@pytest.mark.clause("REV-SCOPE-02")
def test_a_standard_part_gets_no_unit():
    found = units(BUSH_LIKE, deep_plate(), names=["hex nut", "plate"])

    assert {unit.component_id for unit in found} == {"root/plate"}


def test_a_file_of_standard_parts_alone_is_reviewed():
    assert {unit.component_id for unit in units(BUSH_LIKE, names=["hex nut"])} == {
        "root/hex nut"
    }


@pytest.mark.clause("REV-READ-01")
def test_names_with_slashes_never_make_one_id_of_two_places():
    one, two = (
        dataclasses.replace(assembly(deep_plate()).instances[0], path=path).component_id
        for path in (("root", "GB/T 5", "a"), ("root", "GB", "T 5", "a"))
    )

    assert (one, two) == ("root/GB~1T 5/a", "root/GB/T 5/a")


@pytest.mark.parametrize("ratio", [18.0, 18.25, 18.99])
def test_a_number_is_no_rule_id(ratio):
    depth = 4 * ratio
    long = plate([Turned(50, 30, ((2, 0), (2, -depth)))], thickness_mm=depth)

    (hole,) = holes(units(long))

    assert f"深径比 {ratio:g}" in hole.retrieval_sentence
    assert faults_in(hole.retrieval_sentence) == ()


def test_a_name_that_is_a_path_is_told_by_its_file():
    for unit in units(deep_plate(), names=[r"C:\Users\bob\cover.SLDPRT"]):
        assert "Users" not in unit.retrieval_sentence + unit.retrieval_sentence_en
        assert "Users" not in unit.semantic_location + unit.semantic_location_en


@pytest.mark.clause("REV-UNIT-03")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_sentence_is_neutral_whatever_the_part_is_called(name):
    for unit in units(deep_plate(), names=[name]):
        assert faults_in(unit.retrieval_sentence) == ()
        assert faults_in(unit.retrieval_sentence_en) == ()


@pytest.mark.clause("REV-UNIT-04")
def test_the_real_name_is_primary_and_nothing_is_inferred():
    for unit in units(deep_plate(), names=["face_3"]):
        assert unit.anchor.solidworks_name == "face_3"
        assert unit.anchor.inferred_role == ""


def test_every_fact_of_a_unit_cites_the_facts_blob():
    blob, _ = facts(assembly(deep_plate()))
    for unit in propose(blob):
        for fact in unit.fact_bundle.brep_facts:
            assert fact.source_ref.startswith(f"{blob.digest}#/parts/0/")


def test_every_part_has_a_unit_about_the_whole():
    (whole,) = [u for u in units(deep_plate()) if u.anchor.kind == "part"]

    assert whole.fact_bundle.fact("part.hole_d_count").value == 1


def test_features_that_share_a_face_are_told_as_adjacent():
    blob, _ = facts(assembly(plate([SHORT])))
    alone = next(u for u in propose(blob) if u.anchor.kind == "hole")
    part = blob.data["parts"][0]
    twice = blob_of(
        {
            **blob.data,
            "parts": [{**part, "features": [part["features"][0], part["features"][0]]}],
            "instances": [
                {**one, "places": [one["places"][0], one["places"][0]]}
                for one in blob.data["instances"]
            ],
        }
    )
    first = next(u for u in propose(twice) if u.anchor.kind == "hole")

    assert alone.fact_bundle.known_relations == ()
    assert first.fact_bundle.related_features == ("parts/0/features/1",)
    assert [r.type.value for r in first.fact_bundle.known_relations] == ["adjacent_to"]
