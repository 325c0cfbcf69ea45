"""A disk that is really full: an error that names the file, and nothing left half written."""

import multiprocessing
import resource
import shutil
import signal
import subprocess

import pytest

from witmark.adapters.disk import PosixDisk, staging
from witmark.kernel.errors import DiskError, one_line
from witmark.kernel.publish import (
    current_generation,
    orphans,
    publish,
    read_generation,
    seal_folder,
)

SMALL = {"a": b"old"}
LARGE = {"a": b"new", "b": b"x" * 3_000_000}


@pytest.fixture
def small_mount(tmp_path):
    """A file system of one megabyte; skipped where we may not mount one."""
    if shutil.which("mount") is None:
        pytest.skip("there is no mount command here")
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("we may not mount a small file system here; the next test limits files")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.clause("KER-DSK-08", "KER-PUB-01")
def test_a_full_disk_keeps_the_old_result_and_no_side_file(small_mount):
    disk = PosixDisk(small_mount / "d")
    publish(disk, SMALL)
    with pytest.raises(DiskError, match="no space left") as caught:
        publish(disk, LARGE)
    assert "free some space" in one_line(caught.value)
    assert read_generation(disk, current_generation(disk)) == SMALL
    assert not [name for name in disk.walk() if name.endswith(".side")]
    assert len(orphans(disk)) == 1


@pytest.mark.clause("KER-DSK-08", "KER-SEA-06")
def test_a_report_that_does_not_fit_leaves_no_folder(small_mount):
    def review():
        with staging(small_mount) as stage:
            seal_folder(stage.disk, LARGE)

    with pytest.raises(DiskError, match="b: no space left"):
        review()
    assert list(small_mount.iterdir()) == []


def _publish_with_small_files(folder, send):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
    try:
        publish(PosixDisk(folder), LARGE)
    except DiskError as error:
        send.send(error)


@pytest.mark.clause("KER-DSK-08", "KER-PUB-01", "KER-ERR-03")
def test_a_limit_on_files_keeps_the_old_result_and_no_side_file(tmp_path):
    disk = PosixDisk(tmp_path)
    publish(disk, SMALL)
    fork = multiprocessing.get_context("fork")
    heard, send = fork.Pipe(duplex=False)
    child = fork.Process(target=_publish_with_small_files, args=(tmp_path, send))
    child.start()
    assert heard.poll(20)
    error = heard.recv()
    child.join(20)
    assert "file too large" in str(error)
    assert "blobs/sha256" in error.place
    assert read_generation(disk, current_generation(disk)) == SMALL
    assert not [name for name in disk.walk() if name.endswith(".side")]
