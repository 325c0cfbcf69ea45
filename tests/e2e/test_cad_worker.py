"""Whatever the CAD kernel does, Witmark lives, says which file it was, and leaves nothing."""

import os
import subprocess
import sys

import numpy as np
import pytest
import support_occt as make

from witmark.adapters.occt.errors import (
    CadKernelCrashError,
    CadKernelError,
    CadKernelMemoryError,
    CadKernelTimeoutError,
)
from witmark.adapters.occt.worker import CadWorker, Limits
from witmark.adapters.step21.errors import TruncatedStepError
from witmark.kernel.errors import UnknownLengthUnitError
from witmark.testing import cad_faults

# The fork server is a process of its own: it finds the package by environment, not by pytest.
os.environ["PYTHONPATH"] = os.pathsep.join(p for p in sys.path if p)


@pytest.fixture
def plate(tmp_path):
    return make.write_part(tmp_path / "plate.stp", make.drilled_plate())


def test_the_worker_reads_and_meshes(plate):
    with CadWorker() as worker:
        assembly = worker.read(plate)
        (mesh,) = worker.mesh([0], 0.1)

        assert assembly.parts[0].brep.faces == 7
        assert set(mesh.triangle_face.tolist()) == set(range(7))
        assert mesh.failed_faces == ()
        assert worker.cpu_s > 0


def test_triangles_face_outward(plate):
    with CadWorker() as worker:
        worker.read(plate)
        (mesh,) = worker.mesh([0], 0.01)
    a, b, c = (mesh.vertices_mm[mesh.triangles[:, k]] for k in range(3))
    volume = float((a * np.cross(b, c)).sum()) / 6

    assert volume == pytest.approx(40 * 30 * 10 - 3.14159265 * 2.5**2 * 10, rel=1e-3)


@pytest.mark.clause("REV-READ-07")
@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (cad_faults.segfault, CadKernelCrashError),
        (cad_faults.leave, CadKernelCrashError),
        (cad_faults.hang, CadKernelTimeoutError),
        (cad_faults.eat_memory, CadKernelMemoryError),
    ],
)
def test_a_kernel_that_dies_is_an_error_that_names_the_file(plate, fault, kind):
    seconds = 2.0 if fault is cad_faults.hang else 60.0
    limits = Limits(seconds=seconds, memory_bytes=700 << 20)
    with (
        CadWorker(limits, fault=fault) as worker,
        pytest.raises(kind, match=r"plate\.stp") as e,
    ):
        worker.read(plate)

    assert isinstance(e.value, CadKernelError)
    assert e.value.exit_code == 4


@pytest.mark.clause("REV-READ-07")
def test_a_worker_goes_on_after_a_crash(plate, tmp_path):
    marker = tmp_path / "crashed"
    with CadWorker(fault=CrashOnce(str(marker))) as worker:
        with pytest.raises(CadKernelCrashError):
            worker.read(plate)
        assert worker.read(plate).parts[0].brep.faces == 7


class CrashOnce:
    """Segfault the first time only; remembers by a file, as the process does not survive."""

    def __init__(self, marker: str) -> None:
        self.marker = marker

    def __call__(self) -> None:
        if not os.path.exists(self.marker):  # noqa: PTH110 - pickled as a plain string
            with open(self.marker, "w"):  # noqa: PTH123
                pass
            cad_faults.segfault()


def test_input_errors_come_through_with_code_and_line(plate):
    plate.write_bytes(plate.read_bytes()[: plate.stat().st_size // 2])
    with CadWorker() as worker, pytest.raises(TruncatedStepError) as caught:
        worker.read(plate)

    assert caught.value.line > 100


def test_an_unknown_unit_comes_through_in_its_own_words(plate):
    plate.write_text(plate.read_text().replace("LENGTH_UNIT()", "MASS_UNIT()"))
    with CadWorker() as worker, pytest.raises(UnknownLengthUnitError) as caught:
        worker.read(plate)

    assert str(caught.value).count("no length unit declared") == 1


def test_the_scratch_folder_is_gone_afterwards(plate):
    with CadWorker() as worker:
        worker.read(plate)
        scratch = worker._scratch
        assert scratch.exists()

    assert not scratch.exists()


PROGRAM = """
import sys
from witmark.adapters.occt.worker import CadWorker, Limits
from witmark.testing import cad_faults

def main():
    fault = getattr(cad_faults, sys.argv[2])
    with CadWorker(Limits(seconds=60.0), fault=fault) as worker:
        print(worker._process.pid, flush=True)
        worker.read(sys.argv[1])

if __name__ == "__main__":
    main()
"""


def started(tmp_path, plate, fault):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    return subprocess.Popen(
        [sys.executable, str(program), str(plate), fault],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_what_the_kernel_prints_does_not_reach_stdout(tmp_path, plate):
    process = started(tmp_path, plate, "shout")
    out, _ = process.communicate(timeout=60)

    assert process.returncode == 0
    assert len(out.splitlines()) == 1


@pytest.mark.clause("REV-READ-07")
def test_a_killed_parent_leaves_no_child(tmp_path, plate):
    process = started(tmp_path, plate, "hang")
    child = int(process.stdout.readline())
    process.kill()
    process.wait(timeout=30)

    assert ended(child)


def ended(pid: int) -> bool:
    """Whether a process ends within ten seconds."""
    import time  # noqa: PLC0415 - a bound, not a measure

    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
