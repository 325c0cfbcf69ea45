"""Every gate of the review desk stops what it is there to stop."""

from dataclasses import replace

import pytest
from rule_samples import unit

from witmark.kernel.gate import Outcome
from witmark.review import gates

BLOBS = {"sha256:aa": {"parts": [{"facts": {"hole.d": 5.0}}]}}
VIOLATED = {
    "rule_id": "18.P29",
    "verdict": "violated",
    "fact_refs": ["sha256:aa#/parts/0/facts/hole.d"],
    "measured": [{"value": 6.0}],
    "limit": {"expression": "hole.ld > 4"},
    "missing": [],
    "retrieval_sentence": "板上直径 5 mm 通孔。",
    "retrieval_sentence_en": "5 mm through hole.",
    "semantic_location": "板：通孔",
    "picture": "p0001",
}
OPEN = VIOLATED | {"verdict": "undetermined", "missing": [{"fact": "hole.ld"}], "measured": []}


def test_a_sound_verdict_passes_every_gate():
    assert gates.cites_its_facts([VIOLATED], BLOBS).outcome is Outcome.HOLDS
    assert gates.measured_where_violated([VIOLATED]).outcome is Outcome.HOLDS
    assert gates.names_what_is_missing([OPEN]).outcome is Outcome.HOLDS
    assert gates.speaks_readably([VIOLATED]).outcome is Outcome.HOLDS
    assert gates.pictures_show([VIOLATED], {"p0001": 150}).outcome is Outcome.HOLDS


@pytest.mark.clause("REV-JUDGE-02")
@pytest.mark.parametrize(
    "refs",
    [
        [],
        ["sha256:bb#/parts/0/facts/hole.d"],
        ["sha256:aa#/parts/1/facts/hole.d"],
        ["sha256:aa#/parts/0/facts/hole.depth"],
    ],
)
def test_a_violation_that_cites_nothing_or_what_is_not_there_is_refused(refs):
    check = gates.cites_its_facts([VIOLATED | {"fact_refs": refs}], BLOBS)

    assert check.outcome is Outcome.FAILS


@pytest.mark.parametrize(
    "change", [{"measured": []}, {"measured": [{"value": None}]}, {"limit": None}]
)
def test_a_violation_without_a_number_or_a_limit_is_refused(change):
    assert gates.measured_where_violated([VIOLATED | change]).outcome is Outcome.FAILS


@pytest.mark.parametrize("missing", [[], [{"fact": "hole.colour"}]])
def test_an_open_question_that_names_no_fact_is_refused(missing):
    assert gates.names_what_is_missing([OPEN | {"missing": missing}]).outcome is Outcome.FAILS


@pytest.mark.clause("REV-REP-02")
@pytest.mark.parametrize("sentence", ["face_3 旁的孔", "18.P29", "违反", "edge_12 hole"])
def test_a_sentence_that_is_not_neutral_is_refused(sentence):
    for key in ("retrieval_sentence", "retrieval_sentence_en"):
        assert gates.speaks_readably([VIOLATED | {key: sentence}]).outcome is Outcome.FAILS


@pytest.mark.clause("REV-REP-03")
@pytest.mark.parametrize("visible", [{}, {"p0001": 149}])
def test_a_picture_in_which_the_place_is_not_visible_is_refused(visible):
    assert gates.pictures_show([VIOLATED], visible).outcome is Outcome.FAILS


@pytest.mark.clause("REV-UNIT-03")
def test_a_unit_that_judges_is_not_let_into_retrieval():
    sound = unit("hole", {"hole.ld": 6.0})
    for changed in (
        replace(sound, retrieval_sentence="该孔违反深径比"),
        replace(sound, retrieval_sentence_en="see face_3"),
    ):
        assert not gates.admits_units([changed], frozenset()).admits
    assert gates.admits_units([sound], frozenset()).admits


@pytest.mark.clause("REV-SCOPE-02")
def test_a_unit_about_a_context_part_is_not_let_into_retrieval():
    sound = unit("hole", {"hole.ld": 6.0})

    assert not gates.admits_units([sound], frozenset({sound.component_id})).admits
