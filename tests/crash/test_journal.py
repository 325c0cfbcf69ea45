"""Pull the plug while a run is recorded; what was recorded before still stands, in order."""

import contextlib

import pytest

from witmark.kernel.errors import DiskError
from witmark.kernel.journal import Journal, journal_bodies
from witmark.testing.disks import (
    FailingDisk,
    FullDisk,
    MemoryDisk,
    PowerCut,
    TornDisk,
    power_cuts,
)

STORY = ["asked", "replied", "decided"]


def record(disk, story):
    journal = Journal(disk, "r")
    for body in story[len(journal_bodies(disk, "r")) :]:
        journal.append("step", body)


@pytest.mark.clause("KER-JRN-06")
@pytest.mark.parametrize("share", [0, 0.3, 1, "before", "full"])
@pytest.mark.parametrize("writes_left", power_cuts(writes=3))
def test_a_journal_holds_the_entries_that_were_committed_and_can_be_taken_up(
    writes_left, share
):
    files = {}
    match share:
        case "before":
            failing = FailingDisk(files, writes_left=writes_left)
        case "full":
            failing = FullDisk(files, writes_left=writes_left)
        case _:
            failing = TornDisk(files, writes_left=writes_left, share=share)
    with contextlib.suppress(PowerCut, DiskError):
        record(failing, STORY)

    disk = MemoryDisk(files)
    # a line that reached the disk whole is an entry, though its writer was never told
    told = writes_left + (share == 1)
    assert journal_bodies(disk, "r") == STORY[:told]
    record(disk, STORY)
    assert journal_bodies(disk, "r") == STORY
