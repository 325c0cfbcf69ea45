"""Pull the plug while a folder is sealed; it is whole, or it says that it is not."""

import contextlib

import pytest

from witmark.kernel.errors import DiskError
from witmark.kernel.publish import MANIFEST_NAME, Fault, FaultKind, seal_folder, verify_folder
from witmark.testing.disks import (
    FailingDisk,
    FullDisk,
    MemoryDisk,
    PowerCut,
    TornDisk,
    power_cuts,
)

FILES = {"report.html": b"<p>", "report.json": b"{}", "blobs/sha256/ab/cd": b"x"}


@pytest.mark.clause("KER-SEA-01")
@pytest.mark.parametrize("kind", ["before", "full", 0, 0.5, 1])
@pytest.mark.parametrize("writes_left", power_cuts(writes=4))
def test_only_a_finished_folder_is_free_of_faults(writes_left, kind):
    files = {}
    match kind:
        case "before":
            failing = FailingDisk(files, writes_left=writes_left)
        case "full":
            failing = FullDisk(files, writes_left=writes_left)
        case _:
            failing = TornDisk(files, writes_left=writes_left, share=kind)
    with contextlib.suppress(PowerCut, DiskError):
        seal_folder(failing, FILES)

    unfinished = [Fault(MANIFEST_NAME, FaultKind.MISSING)]
    assert verify_folder(MemoryDisk(files)) == ([] if writes_left == 4 else unfinished)
