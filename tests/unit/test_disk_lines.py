"""A record on a real disk: what is refused is cut off again, and a dead holder lets go."""

import errno
import os

import pytest

from witmark.adapters.disk import PosixDisk
from witmark.kernel.errors import DiskError, NotAPlainFileError


def refusing(number):
    def call(*_):
        raise OSError(number, os.strerror(number))

    return call


@pytest.mark.clause("KER-DSK-11", "KER-DSK-08")
@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_a_line_that_could_not_be_synced_is_cut_off_again(tmp_path, monkeypatch, number):
    disk = PosixDisk(tmp_path)
    disk.add_line("a", b"one\n", at=0)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", refusing(number))
        with pytest.raises(DiskError, match="a: "):
            disk.add_line("a", b"two\n", at=4)
    assert disk.read("a") == b"one\n"
    disk.add_line("a", b"2\n", at=4)
    assert disk.read("a") == b"one\n2\n"


@pytest.mark.clause("KER-DSK-11", "KER-DSK-08")
def test_a_line_of_which_only_half_could_be_written_is_cut_off_again(tmp_path, monkeypatch):
    disk = PosixDisk(tmp_path)
    disk.add_line("a", b"one\n", at=0)
    real = os.write

    def half(handle, data):
        if len(data) < 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, data[:2])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", half)
        with pytest.raises(DiskError, match="no space left"):
            disk.add_line("a", b"two\n", at=4)
    assert disk.read("a") == b"one\n"


@pytest.mark.clause("KER-DSK-07")
def test_a_record_is_not_grown_through_a_link(tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"")
    disk = PosixDisk(tmp_path / "disk")
    disk.write_new("b", b"")
    (tmp_path / "disk" / "a").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotAPlainFileError):
        disk.add_line("a", b"one\n", at=0)
    assert (tmp_path / "elsewhere").read_bytes() == b""


@pytest.mark.clause("KER-DSK-12")
def test_a_process_that_dies_holds_nothing(tmp_path):
    disk = PosixDisk(tmp_path)
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        with disk.held("a.lock") as is_ours:
            os.write(told, b"1" if is_ours else b"0")
            os.kill(os.getpid(), 19)  # stopped, holding it
            os._exit(0)
    os.waitpid(child, os.WUNTRACED)
    assert os.read(ready, 1) == b"1"
    with disk.held("a.lock") as is_ours:
        assert not is_ours
    os.kill(child, 9)
    os.waitpid(child, 0)
    with disk.held("a.lock") as is_ours:
        assert is_ours
    os.close(ready)
    os.close(told)
