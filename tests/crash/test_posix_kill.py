"""Kill the process at every system call that changes the disk, and look at what is left."""

import os

import pytest

from witmark.adapters.disk import PosixDisk, staging, sweep_staging
from witmark.adapters.disk import renaming as renaming_module
from witmark.kernel.journal import Journal, journal_bodies
from witmark.kernel.publish import (
    current_generation,
    publish,
    read_generation,
    seal_folder,
    verify_folder,
)

CALLS = ("open", "mkdir", "write", "fsync", "link", "unlink", "close")
KILLED, DONE = 7, 0
FAR_FUTURE_S = 1e11


def run_and_kill(action, calls_left, *, torn=False):
    """Run in a child that dies at once, without any clean-up, at its n-th system call.

    A torn one writes half of its bytes first when it dies in a ``write``.
    """
    child = os.fork()
    if child == 0:
        _arm(calls_left, torn=torn)
        try:
            action()
        except BaseException:  # noqa: BLE001 - a child must never return into the test
            os._exit(1)
        os._exit(DONE)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _arm(calls_left, *, torn):
    left = [calls_left]

    def deadly(call, real):
        def wrapped(*args, **kwargs):
            if left[0] == 0:
                if torn and call == "write":
                    real(args[0], args[1][: len(args[1]) // 2])
                os._exit(KILLED)
            left[0] -= 1
            return real(*args, **kwargs)

        return wrapped

    for call in CALLS:
        setattr(os, call, deadly(call, getattr(os, call)))
    real = renaming_module._renameat2
    renaming_module._renameat2 = deadly("rename", real)


def every_death(action_for, tmp_path, *, most=400):
    """Yield a fresh folder for each moment of death, and last one in which nobody died."""
    for calls_left in range(most):
        folder = tmp_path / str(calls_left)
        folder.mkdir()
        before = len(list(folder.iterdir()))
        assert before == 0
        end = run_and_kill(action_for(folder), calls_left, torn=calls_left % 2 == 0)
        assert end in (KILLED, DONE)
        yield folder, end
        if end == DONE:
            assert calls_left > 10
            return
    pytest.fail("the action never came to its end")


@pytest.mark.clause("KER-DSK-10")
def test_a_name_is_whole_or_not_there(tmp_path):
    data = b"x" * 1000
    for folder, end in every_death(
        lambda folder: lambda: PosixDisk(folder).write_new("a/b/c", data), tmp_path
    ):
        disk = PosixDisk(folder)
        assert disk.read("a/b/c") in ((data,) if end == DONE else (None, data))
        assert disk.names("a/b/") in ([], ["a/b/c"])
        disk.sweep_side_files(before_s=FAR_FUTURE_S)
        assert disk.walk() == disk.names("a/b/")
        if disk.read("a/b/c") is None:
            disk.write_new("a/b/c", data)
        assert disk.read("a/b/c") == data


@pytest.mark.clause("KER-PUB-01", "KER-DSK-10")
def test_a_generation_is_the_old_one_or_the_new_one(tmp_path):
    old, new = {"a": b"old", "b": b"same"}, {"a": b"new", "b": b"same"}

    def action(folder):
        publish(PosixDisk(folder / "disk"), old)
        return lambda: publish(PosixDisk(folder / "disk"), new)

    for folder, end in every_death(action, tmp_path):
        disk = PosixDisk(folder / "disk")
        number = current_generation(disk)
        assert read_generation(disk, number) == (old, new)[number - 1]
        assert number == 2 or end == KILLED
        publish(disk, new)
        assert read_generation(disk, number + 1) == new


@pytest.mark.clause("KER-JRN-06", "KER-DSK-10")
def test_a_journal_is_a_beginning_of_the_story(tmp_path):
    story = [b"asked", b"replied"]

    def tell(folder):
        def action():
            journal = Journal(PosixDisk(folder), "r")
            for body in story:
                journal.append("step", body)

        return action

    for folder, end in every_death(tell, tmp_path):
        told = journal_bodies(PosixDisk(folder), "r")
        assert told == (story if end == DONE else story[: len(told)])
        Journal(PosixDisk(folder), "r").append("step", b"more")
        assert journal_bodies(PosixDisk(folder), "r") == [*told, b"more"]


@pytest.mark.clause("KER-SEA-05", "KER-DSK-10")
def test_a_report_folder_is_whole_or_hidden(tmp_path):
    files = {"report.json": b"{}", "blobs/sha256/ab/cd": b"x"}

    def build(folder):
        def action():
            with staging(folder) as stage:
                seal_folder(stage.disk, files)
                stage.seat(folder / "r")

        return action

    for folder, end in every_death(build, tmp_path):
        shown = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
        assert shown == (["r"] if end == DONE else shown[:1])
        if shown:
            assert verify_folder(PosixDisk(folder / "r")) == []
        sweep_staging(folder, before_s=FAR_FUTURE_S)
        assert [path.name for path in folder.iterdir()] == shown
