"""What a judge is told of the surroundings of a place: in words, bounded, complete in count."""

import json
from dataclasses import replace

import numpy as np
import pytest
from desk_samples import assembly
from model_samples import PROMPTS, READERS, asked_of, reviewed_with, sealed, sensible
from rule_samples import unit

from witmark.review import advising
from witmark.review.asking import surroundings as room
from witmark.review.asking.surroundings import Scene, Touch, surroundings
from witmark.review.assembly import Placement
from witmark.review.neutrality import RAW_IDS
from witmark.review.use_cases import verify_report
from witmark.testing.breps import Turned, plate

PLACE = unit("surface_boundary", {})


def two_plates():
    holes = [Turned(20.0 * k, 30, ((2.5, 0), (2.5, -30))) for k in range(1, 5)]
    above = Placement(np.eye(3), np.array([0.0, 0.0, 30.0]))
    here = Placement(np.eye(3), np.zeros(3))
    parts = plate(holes, thickness_mm=30.0), plate(thickness_mm=30.0)
    return assembly(*parts, names=["lower", "upper"], places=[here, above])


def told(model):
    """Each request to the judge, from the place on."""
    asked = [asked_of(one) for one in model.asked if one.purpose == "review.judge"]
    return [text[text.index("Component: ") :] for text in asked]


def place(anchor, sentence):
    bundle = replace(PLACE.fact_bundle, anchor=replace(PLACE.anchor, id=anchor))
    name = f"unit_{anchor}"
    return replace(PLACE, local_id=name, fact_bundle=bundle, retrieval_sentence=sentence)


def touch(k, area):
    return Touch(f"part {k}", f"root/{k:02}", {"planar": 2}, area, 0)


@pytest.mark.clause("REV-MOD-16")
def test_a_judge_is_told_what_the_component_touches_and_how_often():
    found, model = reviewed_with(sensible, two_plates())

    texts = told(model)
    assert texts
    for text in texts:
        other = "upper" if 'Component: "lower"' in text else "lower"
        assert f'the component contacts "{other}": 1 planar, area about' in text
        assert "components in the assembly: 2" in text
        assert "components that touch this one: 1" in text
        assert "contacts of this component: 1" in text
        assert RAW_IDS.search(text) is None
    assert verify_report(sealed(found.files), READERS).verdicts


@pytest.mark.clause("REV-MOD-16")
def test_nobody_but_the_judge_is_told_of_a_subgraph():
    _, model = reviewed_with(sensible, two_plates())
    others = [asked_of(one) for one in model.asked if one.purpose != "review.judge"]

    assert others
    assert not any("Local subgraph" in text or "Graph facts" in text for text in others)


@pytest.mark.clause("REV-MOD-16")
def test_places_beside_it_are_told_by_their_sentence_and_never_by_their_id():
    here = replace(
        PLACE, fact_bundle=replace(PLACE.fact_bundle, related_features=("face_7", "face_9"))
    )
    mine = (here, place("face_7", "beside it"), place("face_8", "elsewhere"))

    said = "\n".join(surroundings(here, Scene({PLACE.component_id: mine}, {}, 1, 0)))

    assert 'adjacent_to surface boundary: "beside it"' in said
    assert "elsewhere" not in said
    assert "P1 adjacent_to 1 more, not listed" in said  # face_9 has no unit of its own
    assert "face_" not in said


@pytest.mark.clause("REV-MOD-16")
def test_what_does_not_fit_is_counted_and_the_largest_contacts_are_told():
    many = tuple(touch(k, 100.0 - k) for k in range(room.MOST_NEIGHBOURS + 3))

    said = surroundings(PLACE, Scene({}, {PLACE.component_id: many}, 20, 5))

    listed = [line for line in said if "area about" in line]
    assert len(listed) == room.MOST_NEIGHBOURS
    assert '"part 0"' in listed[0]
    assert "  the component contacts 3 more, not listed" in said
    assert f"  components that touch this one: {len(many)}" in said
    assert "  pairs of components not looked at for contacts: 5" in said


@pytest.mark.clause("REV-MOD-16")
def test_a_neighbour_is_told_in_measured_words_though_a_model_worded_it_too(monkeypatch):
    looked_up_in = []

    def listening(units, *facts):
        looked_up_in.extend(units)
        return room.scene_of(units, *facts)

    monkeypatch.setattr(advising, "scene_of", listening)
    found, _ = reviewed_with(sensible)
    proposed = "perhaps for a screw"

    assert proposed in json.dumps(found.report["model"]["units"])
    assert looked_up_in
    assert not any(proposed in one.retrieval_sentence_en for one in looked_up_in)


@pytest.mark.clause("REV-MOD-16")
def test_the_judges_prompt_explains_what_stands_around_a_place():
    [prompt] = [raw.decode() for name, raw in PROMPTS.items() if name.startswith("judge.")]
    said = " ".join(surroundings(PLACE, Scene({}, {}, 1, 0)))

    for heading in ("Local subgraph:", "Graph facts:"):
        assert heading in said
        assert f"`{heading}`" in prompt
    assert "cannot be cited" in prompt
