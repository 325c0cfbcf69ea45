"""A disk that is meant to fail fails where it says, and leaves what it says."""

import pytest

from witmark.kernel.errors import DiskError
from witmark.testing.disks import FailingDisk, FullDisk, MemoryDisk, PowerCut, TornDisk


@pytest.mark.clause("KER-TST-01")
def test_a_failing_disk_loses_power_before_the_write():
    files = {}
    disk = FailingDisk(files, writes_left=1)
    disk.write_new("a", b"kept")
    with pytest.raises(PowerCut):
        disk.write_new("b", b"lost")
    assert files == {"a": b"kept"}


@pytest.mark.clause("KER-TST-01")
@pytest.mark.parametrize(("share", "left"), [(0, b""), (0.5, b"lo"), (1, b"lost")])
def test_a_torn_disk_leaves_a_part_by_the_side(share, left):
    files = {}
    disk = TornDisk(files, writes_left=0, share=share)
    with pytest.raises(PowerCut):
        disk.write_new("g/b", b"lost")
    after = MemoryDisk(files)
    assert (after.names("g/"), after.walk(), after.read("g/b")) == ([], ["g/.b.side"], None)
    assert list(files.values()) == [left]


@pytest.mark.clause("KER-TST-01")
def test_a_full_disk_refuses_with_the_name_and_can_be_read():
    disk = FullDisk({}, writes_left=1)
    disk.write_new("a", b"kept")
    with pytest.raises(DiskError, match="b: no space left"):
        disk.write_new("b", b"lost")
    assert (disk.read("a"), disk.walk()) == (b"kept", ["a"])
