"""A record on a real disk: what is refused is cut off again, and a dead holder lets go."""

import errno
import os
import stat

import pytest

from witmark.adapters.disk import PosixDisk
from witmark.kernel.errors import DiskError, NotAPlainFileError
from witmark.kernel.journal import Journal


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


def calls_of(action, monkeypatch):
    made = []

    def listen(call, real):
        def heard(handle, *rest):
            is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
            made.append(f"{call} folder" if is_folder else call)
            return real(handle, *rest)

        return heard

    with monkeypatch.context() as patched:
        for call in ("write", "fsync", "ftruncate"):
            patched.setattr(os, call, listen(call, getattr(os, call)))
        action()
    return made


@pytest.mark.clause("KER-DSK-11", "KER-DSK-10", "KER-DSK-13")
def test_the_folder_is_synced_before_a_first_line_and_a_cut_before_the_next(
    tmp_path, monkeypatch
):
    """A writer that dies after the line leaves no line in a file that can vanish."""
    disk = PosixDisk(tmp_path)
    disk.write_new("other", b"")
    first = calls_of(lambda: disk.add_line("a", b"one\n", at=0), monkeypatch)
    assert first == ["fsync folder", "write", "fsync"]
    (tmp_path / "a").write_bytes(b"one\ntw")
    second = calls_of(lambda: disk.add_line("a", b"two\n", at=4), monkeypatch)
    assert second == ["ftruncate", "fsync", "write", "fsync"]


@pytest.mark.clause("KER-DSK-11", "KER-DSK-13")
def test_a_record_is_synced_before_it_is_acted_on(tmp_path, monkeypatch):
    disk = PosixDisk(tmp_path)
    disk.sync("journals/r.jsonl")
    assert disk.walk() == []
    disk.add_line("journals/r.jsonl", b"", at=0)
    assert calls_of(lambda: Journal(disk, "r"), monkeypatch) == ["fsync"]
