"""The pictures: what they promise to show, and that they say so when they cannot."""

import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from unit.solids import blind_hole, box, drilled_box, joined, moved

from witmark.adapters.raster.cameras import DIRECTIONS, component_frame
from witmark.adapters.raster.render import RasterPictures
from witmark.adapters.raster.scene import PlacedMesh, Scene, soup_of
from witmark.adapters.raster.values import MIN_VISIBLE_PIXELS, NotShown, Picture, Place

UP = (0.0, 0.0, 1.0)
SIZE = (400, 300)
NOTHING = PlacedMesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=int), np.zeros(0, dtype=int))


def show(place, *instances, **options):
    return RasterPictures(Scene(instances), size_px=SIZE, **options).picture(place)


def pixels(picture):
    return np.asarray(Image.open(io.BytesIO(picture.png)).convert("RGB")).astype(int)


def marked(picture):
    """Pixels of a strong orange."""
    red, green, blue = np.moveaxis(pixels(picture), 2, 0)
    return (red > 150) & (red - blue > 100) & (red > green)


def test_a_face_in_the_open_is_shown_with_its_true_number_of_pixels():
    picture = show(Place(0, (5,)), box())

    assert isinstance(picture, Picture)
    assert not picture.see_through
    assert picture.visible_pixels == pytest.approx(marked(picture).sum(), rel=0.05)


def test_the_picture_has_the_size_that_was_asked_for():
    picture = show(Place(0, (5,)), box())

    assert pixels(picture).shape == (300, 400, 3)
    assert (picture.width_px, picture.height_px) == SIZE


def test_nothing_of_the_component_is_cropped():
    picture = show(Place(0, (5,)), box())

    frame = pixels(picture)
    edge = np.concatenate([frame[0], frame[-1], frame[:, 0], frame[:, -1]])
    assert (edge == 255).all()


def test_a_wall_that_only_its_own_component_hides_is_drawn_through_it():
    inside = box((40, 20, 15), (60, 40, 25), first_face=6)
    picture = show(Place(0, (11,)), joined(box(), inside))

    assert picture.see_through
    assert picture.visible_pixels >= MIN_VISIBLE_PIXELS


def test_another_component_in_front_does_not_hide_the_place():
    picture = show(Place(0, (5,)), box(), box((-50, -50, -50), (150, 110, 90)))

    assert not picture.see_through
    assert marked(picture).sum() > MIN_VISIBLE_PIXELS


def test_a_place_too_small_to_see_is_refused_with_the_best_count():
    answer = show(Place(0, (5,)), box(), min_visible_pixels=10**6)

    assert isinstance(answer, NotShown)
    assert 0 < answer.best_visible_pixels < answer.needed_pixels == 10**6


@pytest.mark.parametrize("mesh", [NOTHING, box()])
def test_a_place_without_triangles_is_refused_not_drawn_empty(mesh):
    answer = show(Place(0, (77,)), mesh)

    assert isinstance(answer, NotShown)
    assert answer.best_visible_pixels == 0


def test_an_instance_without_triangles_keeps_its_number():
    picture = show(Place(1, (5,)), NOTHING, box())

    assert isinstance(picture, Picture)


def test_a_hole_is_seen_from_its_mouth_at_a_slant():
    scene = Scene((drilled_box(),))
    picture = RasterPictures(scene, size_px=SIZE).picture(Place(0, (6, 7), UP))

    eye = next(d for d in DIRECTIONS if picture.view == _name(d))
    assert 30 <= np.degrees(np.arccos(eye[2])) <= 55
    assert not picture.see_through


def test_a_hole_from_below_is_seen_from_below():
    flipped = moved(drilled_box(), np.diag([1.0, -1.0, -1.0]))
    picture = show(Place(0, (6, 7), (0.0, 0.0, -1.0)), flipped)

    assert "-Z" in picture.view or "-z" in picture.view


def test_a_tiny_place_gets_a_closer_frame_with_a_ring_on_an_overview():
    picture = show(Place(0, (6, 7), UP), drilled_box(radius=0.5, depth=2.0))

    assert picture.zoom > 4
    assert picture.visible_pixels >= MIN_VISIBLE_PIXELS
    assert _overview_has_a_ring(picture)


def test_a_large_place_is_shown_with_the_whole_component():
    assert show(Place(0, (5,)), box()).zoom == 1.0


WHISKER = box((100, 30, 20), (10_000, 30.02, 20.02), first_face=6)


def test_a_long_thin_outlier_does_not_shrink_the_frame_to_a_dot():
    """A hair a hundred times as long as the housing it belongs to."""
    soup = soup_of(Scene((joined(box(), WHISKER),)))

    frame = component_frame(soup, 0, DIRECTIONS[0], SIZE)

    assert frame.mm_per_px * SIZE[0] < 400


def test_a_place_on_an_outlier_is_framed_too():
    picture = show(Place(0, (7,)), joined(box(), WHISKER), min_visible_pixels=1)

    assert picture.visible_pixels >= 1
    assert _overview_has_a_ring(picture)


def test_a_place_beside_a_thick_long_outlier_is_found_by_a_closer_frame():
    cable = box((100, 30, 20), (10_000, 34, 24), first_face=6)
    picture = show(Place(0, (5,)), joined(box(), cable))

    assert picture.visible_pixels > 1000
    assert _overview_has_a_ring(picture)


def test_a_mirrored_instance_is_lit_like_its_twin():
    """Its triangles run the other way around; shading by winding alone would turn it dark."""
    mirrored = moved(box(), np.diag([-1.0, 1.0, 1.0]), (100.0, 0.0, 0.0))

    assert np.array_equal(
        pixels(show(Place(0, (5,)), box())), pixels(show(Place(0, (5,)), mirrored))
    )


def test_a_part_far_from_the_origin_looks_the_same():
    """Single precision would turn it into a staircase at a kilometre."""
    near = show(Place(0, (5,)), box())
    far = show(Place(0, (5,)), moved(box(), np.eye(3), (1e6, -1e6, 1e6)))

    differ = (np.abs(pixels(near) - pixels(far)).max(axis=2) > 40).mean()
    assert differ < 0.002


@pytest.mark.parametrize("scale", [1e-3, 1e2])
def test_a_tenth_of_a_millimetre_and_ten_metres_are_both_shown(scale):
    picture = show(Place(0, (5,)), moved(box(), np.eye(3) * scale))

    assert picture.visible_pixels == show(Place(0, (5,)), box()).visible_pixels


def test_degenerate_and_unfinished_triangles_are_left_out():
    good = box()
    vertices = np.concatenate([good.vertices_mm, [[np.nan, 0, 0], [1, 1, 1], [2, 2, 2]]])
    bad = np.array([[24, 25, 26], [25, 25, 26], [0, 25, 24]])
    mesh = PlacedMesh(
        vertices,
        np.concatenate([good.triangles, bad]),
        np.concatenate([good.triangle_face, [5, 5, 5]]),
    )

    assert show(Place(0, (5,)), mesh).png == show(Place(0, (5,)), good).png


def test_pictures_do_not_depend_on_what_was_drawn_before():
    studio = RasterPictures(Scene((drilled_box(), blind_hole())), size_px=SIZE)
    place = Place(0, (6, 7), UP)
    alone = RasterPictures(Scene((drilled_box(), blind_hole())), size_px=SIZE).picture(place)

    studio.picture(Place(0, (5,)))
    studio.picture(Place(1, (6,)))

    assert studio.picture(place) == alone == studio.picture(place)


def test_two_processes_make_the_same_bytes():
    assert _digest_elsewhere("1") == _digest_elsewhere("2") == _digest()


def _digest():
    return hashlib.sha256(show(Place(0, (6, 7), UP), drilled_box()).png).hexdigest()


def _digest_elsewhere(seed):
    code = "from unit import test_raster; print(test_raster._digest())"
    roots = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "src")]
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(roots)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=env,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.strip()


def _name(direction):
    strong = max(map(abs, direction))
    even = all(abs(abs(v) - strong) < 1e-9 for v in direction)
    return "".join(
        ("+" if v > 0 else "-") + (a if even or abs(v) < strong else a.upper())
        for a, v in zip("xyz", direction, strict=True)
    )


def _overview_has_a_ring(picture):
    """Strong orange in a corner, away from the mark in the middle."""
    mask = marked(picture)
    corners = [mask[:80, :110], mask[:80, -110:], mask[-80:, :110], mask[-80:, -110:]]
    return max(corner.sum() for corner in corners) > 30
