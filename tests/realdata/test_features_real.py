"""Parts that other people drew: every face explained, and what the drawings say found."""

import os
from pathlib import Path

import pytest

from witmark.adapters.occt.reader import read_step
from witmark.review.features.recognise import recognise
from witmark.review.measures import edge_distance_mm

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("WITMARK_DATA", ROOT.parent / "shared" / "data"))


def recognised(name):
    path = DATA / "step" / name
    if not path.is_file():
        message = f"{name} is not here; set WITMARK_DATA"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return [recognise(part.brep) for part in read_step(path).parts]


@pytest.mark.parametrize(
    "name",
    [
        "ANC101.stp",
        "as1-oc-214.stp",
        "partC.step",
        "0083_nist_ctc_01_asme1_ap242_colored.stp",
        "827-9999-904.stp",
    ],
)
def test_every_face_of_a_machined_part_is_explained(name):
    assert [found.unexplained for found in recognised(name)] == [()] * len(recognised(name))


def test_the_nist_test_case_has_its_slots_windows_and_chamfers():
    (found,) = recognised("0083_nist_ctc_01_asme1_ap242_colored.stp")
    (window,) = [f for f in found.features if f.kind == "through_window"]
    (obround,) = [f for f in found.features if f.facts.get("section.profile") == "obround"]

    assert window.facts["pocket.min_width"] == pytest.approx(50, abs=1e-6)
    assert window.facts["pocket.corner_r"] == pytest.approx(10, abs=1e-6)
    assert obround.kind == "slot"
    assert obround.facts["slot.w"] == pytest.approx(40, abs=1e-6)
    assert obround.facts["slot.depth"] == pytest.approx(50, abs=1e-6)


def test_the_bracket_of_the_as1_assembly_has_one_step_between_its_legs():
    (bracket,) = [found for found in recognised("as1-oc-214.stp") if found.faces == 16]

    (step,) = [f for f in bracket.features if f.kind == "step"]
    assert len(step.faces) == 2


def test_a_cast_rod_between_two_eyes_is_no_window_of_a_tie_rod():
    (found,) = recognised("tie_rod.step")

    assert sum(f.kind == "hole" for f in found.features) == 2
    assert not any(f.kind in ("through_window", "freeform_recess") for f in found.features)


@pytest.mark.parametrize("name", ["AeroAssembly.step", "HeadAssembly.step", "1157-B2P-B.step"])
def test_no_slot_of_a_real_part_is_without_a_width(name):
    """Bends of plates and lettering were called slots 0 mm wide."""
    widths = [f.facts.get("slot.w", 1.0) for found in recognised(name) for f in found.features]

    assert all(width is None or width > 0.01 for width in widths)


def test_a_wall_is_never_thinner_than_the_hub_of_a_real_fan():
    """The planes of its blades, drawn on, run through the bore of the hub."""
    rotor = next(r for r in recognised("HeadAssembly.step") if _is_the_rotor(r))
    (bore,) = [h for h in rotor.bored.holes if h.kind == "hole" and _d_mm(h) == 15.0]

    measured = edge_distance_mm(rotor.graph, bore, rotor.bored.holes).value_mm
    assert measured is None or measured > 0.1


def _is_the_rotor(found):
    return any(h.kind == "hole" and _d_mm(h) == 15.0 for h in found.bored.holes)


def _d_mm(hole):
    return round(max(s.d_mm or 0.0 for s in hole.segments), 6)
