"""Lines: where they run, and how thick."""

import numpy as np
import pytest
from unit.solids import box, joined, moved

from witmark.adapters.raster.lines import ink
from witmark.adapters.raster.plates import expose
from witmark.adapters.raster.projection import Camera
from witmark.adapters.raster.scene import Scene, soup_of
from witmark.adapters.raster.tracing import Tracer

FROM_ABOVE = Camera((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 1.0, 200, 200)
SLAB = box((-50, -50, -5), (50, 50, 0))


def turned(mesh, angle_deg):
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return moved(mesh, [[c, -s, 0], [s, c, 0], [0, 0, 1]])


def seen(*meshes):
    soup = soup_of(Scene((joined(*meshes),)))
    return expose(soup, Tracer(soup.corners_mm), FROM_ABOVE, 0)


@pytest.mark.parametrize("angle_deg", [0.3, 10, 26.6, 45, 80])
def test_a_contour_is_equally_thick_at_every_angle(angle_deg):
    per_mm = ink(seen(turned(SLAB, angle_deg))).sum() / 400

    assert per_mm == pytest.approx(1.62, abs=0.12)


@pytest.mark.parametrize("shift_px", [0.0, 0.2, 0.45, 0.8])
def test_a_line_runs_where_the_edge_is_to_a_tenth_of_a_pixel(shift_px):
    """The centre of the ink across a vertical edge, far from the corners."""
    row = ink(seen(moved(SLAB, np.eye(3), (shift_px, 0, 0))))[100, 100:]
    centre = (row * (np.arange(100) + 0.5)).sum() / row.sum()

    assert centre == pytest.approx(50 + shift_px, abs=0.1)


def test_a_face_in_many_pieces_has_no_lines_inside():
    """A fan of needles: every way across it leaves a triangle long before the face ends."""
    turn = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    rim = np.column_stack([40 * np.cos(turn), 40 * np.sin(turn), np.zeros(200)])
    k = np.arange(200)
    fan = np.stack([k, (k + 1) % 200, np.full(200, 200)], axis=1)
    mesh = type(SLAB)(np.concatenate([rim, [[0.0, 0.0, 0.0]]]), fan, np.zeros(200, dtype=int))

    lines = ink(seen(mesh))

    y, x = np.mgrid[0:200, 0:200] + 0.5
    inside = np.hypot(x - 100, y - 100) < 37
    assert lines[inside].max() == 0
    assert lines[100, 135:145].max() > 0.5


def test_a_step_within_one_face_is_drawn():
    """Two levels of one face number, one above the other: a fold that hides itself."""
    upper = box((-50, -50, 20), (0, 50, 30))
    upper.triangle_face[:] = 5

    middle = ink(seen(SLAB, upper))[100, 95:105]

    assert middle.max() > 0.5


def test_faces_that_run_on_smoothly_are_parted_by_a_hint_of_a_line():
    """Twice the plane, two face numbers: a third of the weight of an edge."""
    left, right = box((-50, -50, -5), (0, 50, 0)), box((0, -50, -5), (50, 50, 0), first_face=6)

    row = ink(seen(left, right))[100, 95:105]

    assert 0.1 < row.sum() < 0.45


def test_a_contour_is_even_where_a_sliver_of_a_face_lies_along_it():
    """A slope of 0.4 pixels is met by some rays and missed by others."""
    corners = np.array([[50, -50, 0], [50.4, -50, -5], [50.4, 50, -5], [50, 50, 0.0]])
    slope = type(SLAB)(corners, np.array([[0, 1, 2], [0, 2, 3]]), np.array([9, 9]))
    top = box((-50, -50, -5), (50, 50, 0))
    keep = top.triangle_face == 5
    top = type(SLAB)(top.vertices_mm, top.triangles[keep], top.triangle_face[keep])

    lines = ink(seen(turned(joined(top, slope), 7)))

    rows = np.arange(70, 130)
    edge = [lines[y, 130:170] for y in rows]
    centre = np.array([(row * np.arange(130, 170)).sum() / row.sum() for row in edge])
    straight = np.polyval(np.polyfit(rows, centre, 1), rows)
    assert np.abs(centre - straight).max() < 0.1
