"""Standard parts are evident by name and by shape, never by one of them."""

from dataclasses import replace

import numpy as np
import pytest

from witmark.review.assembly import ReviewScope
from witmark.review.brep import SurfaceKind
from witmark.review.scope import axis_share, scope_of, standard_word
from witmark.testing.breps import Turned, plate

BUSH_LIKE = plate(
    [Turned(10, 10, ((9, 0), (9, -30)))], length_mm=20.0, width_mm=20.0, thickness_mm=30.0
)
FLAT = plate(thickness_mm=8.0)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("ISO 4762 M6x20", "ISO 4762"),
        ("DIN912", "DIN912"),
        ("hex_nut", "nut"),
        ("M8x25", "M8x25"),
        ("内六角螺钉", "螺钉"),
        ("深沟球轴承 6204", "轴承"),
        ("Nut", "Nut"),
        ("USB panel Cable", "Cable"),
        ("电缆", "电缆"),
    ],
)
def test_standard_parts_are_named_so(name, word):
    assert standard_word(name) == word


@pytest.mark.parametrize(
    "name",
    ["bearing bracket", "轴承座", "nutcracker", "spinning", "M8", "plate", "screw holder"],
)
def test_names_that_only_mention_one_are_not(name):
    assert standard_word(name) is None


@pytest.mark.clause("REV-SCOPE-01")
def test_a_standard_name_with_a_shape_about_one_axis_is_context():
    found = scope_of(("hex nut", ""), BUSH_LIKE)

    assert found.scope is ReviewScope.ASSEMBLY_CONTEXT_ONLY
    assert found.reasons[0] == "name: nut"


def test_a_standard_name_on_a_flat_plate_is_reviewed():
    assert axis_share(FLAT) == 0.0
    assert scope_of(("nut", ""), FLAT).scope is ReviewScope.PART_DESIGN_REQUIRED


def test_the_shape_alone_is_not_enough():
    assert axis_share(BUSH_LIKE) > 0.6
    assert scope_of(("sleeve", ""), BUSH_LIKE).scope is ReviewScope.PART_DESIGN_REQUIRED


@pytest.mark.parametrize(("off_axis_mm", "counts"), [(0.0, True), (4.0, False)])
def test_a_modelled_thread_belongs_to_its_screw_and_another_free_form_does_not(
    off_axis_mm, counts
):
    """Flanks of a thread are free forms that wind about the axis, so their middle is on it."""
    long = Turned(10, 10, ((9, 0), (9, -28), (8, -28), (8, -30)))
    body = plate([long], length_mm=20.0, width_mm=20.0, thickness_mm=30.0)
    flank = np.flatnonzero(body.face_radius_mm == 9.0)
    kind, box = body.face_kind.copy(), body.face_box_mm.copy()
    kind[flank] = SurfaceKind.FREEFORM
    box[flank] += off_axis_mm
    threaded = replace(body, face_kind=kind, face_box_mm=box)
    assert (axis_share(threaded) == pytest.approx(axis_share(body))) is counts
