"""Boundaries of plane faces that the CAD kernel's own check lets pass."""

import dataclasses

import numpy as np
import support_occt as make

from witmark.adapters.occt.planar import crossing_faces
from witmark.adapters.occt.reader import read_step


def plate(tmp_path):
    return read_step(make.write_part(tmp_path / "a.stp", make.drilled_plate(5.0))).parts[0].brep


def test_a_sound_plate_has_none(tmp_path):
    assert crossing_faces(plate(tmp_path)) == set()


def test_a_hole_that_leaves_its_face_is_found(tmp_path):
    brep = plate(tmp_path)
    points = brep.edge_point_mm.copy()
    for edge in np.flatnonzero(brep.edge_kind == 1):
        points[brep.edge_point_start[edge] : brep.edge_point_start[edge + 1], 0] += 27.0
    moved = dataclasses.replace(brep, edge_point_mm=points)

    with_holes = {f for f in range(brep.faces) if len(brep.loops_of(f)) == 2}
    assert crossing_faces(moved) == {f for f in with_holes if brep.face_kind[f] == 0}


def test_an_eight_is_found(tmp_path):
    brep = plate(tmp_path)
    points = brep.edge_point_mm.copy()
    corner, across = np.array([0.0, 0.0, 10.0]), np.array([40.0, 0.0, 10.0])
    here, there = ((np.abs(points - p).max(axis=1) < 1e-9) for p in (corner, across))
    points[here], points[there] = across, corner
    crossed = crossing_faces(dataclasses.replace(brep, edge_point_mm=points))

    (top,) = [
        f
        for f in range(brep.faces)
        if brep.face_kind[f] == 0 and np.allclose(brep.face_axis[f], [0, 0, 1])
    ]
    assert top in crossed
