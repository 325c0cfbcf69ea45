"""The real files: all are read, every face is traced, and nothing depends on the process."""

import csv
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from witmark.review.brep import BodyKind, SurfaceKind

PROJECT = Path(__file__).parents[2]
DATA = Path(os.environ.get("WITMARK_DATA", PROJECT.parent / "shared" / "data"))
MANIFEST = DATA / "step" / "manifest.csv"

if not MANIFEST.exists():
    if os.environ.get("CI") == "true":
        pytest.fail(f"the real data is not at {DATA}", pytrace=False)
    pytest.skip(f"the real data is not at {DATA}; set WITMARK_DATA", allow_module_level=True)

ROWS = list(csv.DictReader(MANIFEST.open(encoding="utf-8")))
INVALID = {"step/HeadAssembly.step": 1}

# The manifest counts leaf labels and solids of the CAD kernel; we count products and bodies.
COMPONENTS_EXPLAINED = {
    # Each product's solid and its construction curves are two labels there, one part here.
    "step/as1_pe_203.stp": 18,
}


@pytest.fixture(scope="module", params=ROWS, ids=lambda row: Path(row["file"]).name)
def read(request):
    from witmark.adapters.occt.reader import read_step  # noqa: PLC0415 - loads the kernel

    path = DATA / request.param["file"]
    return request.param, path, read_step(path)


def test_counts_match_the_manifest(read):
    row, _, assembly = read
    breps = [assembly.parts[i.part].brep for i in assembly.instances]

    expected = COMPONENTS_EXPLAINED.get(row["file"], int(row["components"]))
    assert len(assembly.instances) == expected
    assert sum(int((b.body_kind == BodyKind.SOLID).sum()) for b in breps) == int(row["solids"])
    assert sum(b.faces for b in breps) == int(row["faces"])


def test_every_face_stands_on_its_line(read):
    _, path, assembly = read
    for part in assembly.parts:
        lines = (path.parent / part.source if part.source else path).read_bytes().split(b"\n")
        for record, line in zip(
            part.brep.face_step_record, part.brep.face_step_line, strict=True
        ):
            pattern = rb"\s*#%d\s*=\s*(ADVANCED_FACE|FACE_SURFACE)\b" % record
            assert re.match(pattern, lines[line - 1]), (part.name, record, line)


def test_solids_are_closed_and_valid_but_for_the_known_ones(read):
    row, _, assembly = read
    bad = sum(int((~p.brep.body_valid).sum()) for p in assembly.parts)

    assert bad == INVALID.get(row["file"], 0)


def test_a_drilled_half_ball_has_the_right_side_of_its_boundaries_as_faces():
    from witmark.adapters.occt.reader import read_step  # noqa: PLC0415 - loads the kernel

    (part,) = read_step(DATA / "step" / "s1-c5-214" / "HEAD_BACK.stp").parts
    brep = part.brep
    outer = (brep.face_kind == SurfaceKind.SPHERE) & (abs(brep.face_radius_mm - 60) < 1e-6)
    inner = (brep.face_kind == SurfaceKind.SPHERE) & ~outer

    assert brep.box_mm[3] == pytest.approx(250)
    assert (brep.face_area_mm2[outer] < np.pi * 60**2).all()
    assert (brep.face_side[outer] == 1).all()
    assert (brep.face_side[inner] == -1).all()


def test_arrays_make_sense(read):
    _, _, assembly = read
    for part in assembly.parts:
        brep = part.brep
        assert (brep.face_area_mm2 > 0).all()
        assert (brep.edge_length_mm > 0).all()
        assert np.isfinite(brep.edge_point_mm).all()
        sweep = brep.face_sweep_rad[np.isfinite(brep.face_sweep_rad)]
        assert ((sweep > 0) & (sweep <= 2 * np.pi)).all()
        assert len({i.component_id for i in assembly.instances}) == len(assembly.instances)


DIGEST = """
import dataclasses, hashlib, sys
import numpy as np
from witmark.adapters.occt.reader import read_step
state = hashlib.sha256()
for part in read_step(sys.argv[1]).parts:
    for field in dataclasses.fields(part.brep):
        value = getattr(part.brep, field.name)
        state.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
print("digest", state.hexdigest())
"""


@pytest.mark.parametrize("name", ["step/as1-oc-214.stp", "step/partC.step"])
def test_two_processes_and_two_hash_seeds_give_the_same_bytes(name):
    digests = set()
    for seed in ("1", "2"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        }
        run = subprocess.run(
            [sys.executable, "-c", DIGEST, str(DATA / name)],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
            timeout=120,
        )
        digests.add(run.stdout.split("digest ")[-1].strip())

    assert len(digests) == 1
    assert len(digests.pop()) == hashlib.sha256().digest_size * 2
