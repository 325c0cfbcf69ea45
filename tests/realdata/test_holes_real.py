"""Holes of parts that other people drew, counted by eye and by other tools."""

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("OCP")

from witmark.adapters.occt.reader import read_step
from witmark.review.features.graph import face_graph
from witmark.review.features.hole_facts import hole_facts
from witmark.review.features.holes import find_holes
from witmark.review.features.inline import find_inline
from witmark.review.measures import edge_distance_mm, ligament_mm
from witmark.testing.breps import moved, reordered

HERE = Path(__file__).resolve()
DATA = Path(os.environ.get("WITMARK_DATA", HERE.parents[2].parent / "shared" / "data"))
STEP = DATA / "step"


@pytest.fixture(autouse=True)
def data():
    if not STEP.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{STEP} is missing")
        pytest.skip(f"no shared data at {STEP}")


def parts(name):
    return [part.brep for part in read_step(str(STEP / name)).parts if part.brep.faces]


def told(brep):
    """(segment kinds and diameters, bottom) of every hole, counted."""
    return Counter(
        (*((s.kind, round(s.d_mm, 2)) for s in hole.segments), hole.bottom)
        for hole in find_holes(face_graph(brep))
    )


def test_the_nist_test_case_has_its_ten_holes():
    (brep,) = parts("0083_nist_ctc_01_asme1_ap242_colored.stp")

    assert told(brep) == {
        (("drill", 25.0), "none"): 4,
        (("drill", 35.0), "none"): 4,
        (("drill", 20.0), ("drill point", 20.0), "cone"): 2,
    }


def test_anc101_has_seventeen_holes():
    (brep,) = parts("ANC101.stp")
    found = told(brep)

    assert sum(found.values()) == 17
    assert found[("drill", 15.36), "flat"] == 9


def test_the_crada_plate_has_seventeen_plain_and_four_countersunk_holes():
    (brep,) = parts("nist_mtc_crada_plate.STEP")
    found = told(brep)

    assert found[("countersink", 9.4), ("drill", 4.5), "none"] == 4
    assert sum(found.values()) == 21


def test_the_big_nist_test_case_has_its_countersinks_counterbores_and_points():
    (brep,) = parts("nist_ctc_04_colored.stp")
    found = told(brep)

    assert sum(found.values()) == 56
    assert found[("countersink", 20.0), ("drill", 14.0), "none"] == 30
    assert found[("counterbore", 20.0), ("drill", 12.0), ("drill point", 12.0), "cone"] == 4


@pytest.mark.parametrize("name", ["as1-oc-214.stp", "trj3_as1-tc-214.stp"])
def test_as1_has_the_same_holes_whether_its_bores_are_splines_or_cylinders(name):
    found = sum((told(brep) for brep in parts(name)), Counter())

    assert found == {(("drill", 10.0), "none"): 11}


def all_files():
    return sorted(path.name for path in STEP.glob("*.[sS][tT]*")) if STEP.is_dir() else ["none"]


@pytest.mark.parametrize("name", all_files())
def test_every_hole_of_every_file_can_be_told_and_does_not_care_how_it_lies(name):
    turn, _ = np.linalg.qr(np.random.default_rng(18).normal(size=(3, 3)))
    for brep in parts(name):
        order = np.arange(brep.faces)[::-1]
        there = reordered(moved(brep, turn, np.array([70.0, -30.0, 11.0])), order)

        assert facts_of(there) == facts_of(brep)


def facts_of(brep):
    graph = face_graph(brep)
    holes = find_holes(graph)
    rows = [
        [
            hole.kind,
            *hole_facts(hole).values(),
            edge_distance_mm(graph, hole, holes).value_mm,
            ligament_mm(graph, hole, holes).value_mm,
        ]
        for hole in holes
    ]
    rows += [[line.kind, *line.facts.values()] for line in find_inline(graph, holes)]
    return sorted([[rounded(value) for value in row] for row in rows], key=str)


def rounded(value):
    return round(value, 5) + 0.0 if isinstance(value, float) else value
