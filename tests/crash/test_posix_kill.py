"""Kill the process at every system call that changes the disk, and look at what is left."""

import os
from pathlib import Path

import pytest

from witmark.adapters.disk import PosixDisk, staging, sweep_staging
from witmark.kernel.journal import Journal, journal_bodies
from witmark.kernel.publish import (
    current_generation,
    publish,
    read_generation,
    seal_folder,
    verify_folder,
)
from witmark.testing.faults import End, every_death, run_and_kill

FAR_FUTURE_S = 1e11


@pytest.mark.clause("KER-DSK-10")
def test_a_name_is_whole_or_not_there(tmp_path):
    data = b"x" * 1000
    for folder, end in every_death(
        lambda folder: lambda: PosixDisk(folder).write_new("a/b/c", data), tmp_path
    ):
        assert end is not End.FAILED
        disk = PosixDisk(folder)
        assert disk.read("a/b/c") in ((data,) if end is End.DONE else (None, data))
        assert disk.names("a/b/") in ([], ["a/b/c"])
        disk.sweep_side_files(before_s=FAR_FUTURE_S)
        assert disk.walk() == disk.names("a/b/")
        if disk.read("a/b/c") is None:
            disk.write_new("a/b/c", data)
        assert disk.read("a/b/c") == data


@pytest.mark.clause("KER-PUB-01", "KER-DSK-10")
def test_a_generation_is_the_old_one_or_the_new_one(tmp_path):
    old, new = {"a": b"old", "b": b"same"}, {"a": b"new", "b": b"same"}

    def prepare(folder):
        publish(PosixDisk(folder / "disk"), old)
        return lambda: publish(PosixDisk(folder / "disk"), new)

    for folder, end in every_death(prepare, tmp_path):
        assert end is not End.FAILED
        disk = PosixDisk(folder / "disk")
        number = current_generation(disk)
        assert read_generation(disk, number) == (old, new)[number - 1]
        assert number == 2 or end is End.KILLED
        publish(disk, new)
        assert read_generation(disk, number + 1) == new


@pytest.mark.clause("KER-JRN-06", "KER-DSK-10")
def test_a_journal_is_a_beginning_of_the_story(tmp_path):
    story = ["asked", "replied"]

    def prepare(folder):
        def tell():
            journal = Journal(PosixDisk(folder), "r")
            for body in story:
                journal.append("step", body)

        return tell

    for folder, end in every_death(prepare, tmp_path):
        assert end is not End.FAILED
        told = journal_bodies(PosixDisk(folder), "r")
        assert told == (story if end is End.DONE else story[: len(told)])
        Journal(PosixDisk(folder), "r").append("step", "more")
        assert journal_bodies(PosixDisk(folder), "r") == [*told, "more"]


@pytest.mark.clause("KER-SEA-05", "KER-DSK-10")
def test_a_report_folder_is_whole_or_hidden(tmp_path):
    files = {"report.json": b"{}", "blobs/sha256/ab/cd": b"x"}

    def prepare(folder):
        def build():
            with staging(folder) as stage:
                seal_folder(stage.disk, files)
                stage.seat(folder / "r")

        return build

    for folder, end in every_death(prepare, tmp_path):
        assert end is not End.FAILED
        shown = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
        assert shown == (["r"] if end is End.DONE else shown[:1])
        if shown:
            assert verify_folder(PosixDisk(folder / "r")) == []
        sweep_staging(folder, before_s=FAR_FUTURE_S)
        assert [path.name for path in folder.iterdir()] == shown


@pytest.mark.clause("KER-TST-01")
def test_a_death_in_the_middle_of_a_write_leaves_half_of_it(tmp_path):
    left = set()
    for calls_left in range(20):
        folder = tmp_path / str(calls_left)
        disk = PosixDisk(folder)
        run_and_kill(lambda disk=disk: disk.write_new("a", b"12345678"), calls_left, torn=True)
        left |= {path.read_bytes() for path in folder.glob("*.side")}
    assert left == {b"1234", b"12345678"}


@pytest.mark.clause("KER-TST-01")
def test_an_action_that_fails_is_not_taken_for_a_death():
    def fails():
        raise ValueError

    assert run_and_kill(fails, 99) is End.FAILED


@pytest.mark.clause("KER-DSK-11", "KER-DSK-10")
def test_a_record_grows_by_a_whole_line_or_is_mended_by_the_next(tmp_path):
    def prepare(folder):
        disk = PosixDisk(folder)
        disk.add_line("r/a", b"one\n", at=0)
        return lambda: disk.add_line("r/a", b"two\n", at=4)

    for folder, end in every_death(prepare, tmp_path):
        assert end is not End.FAILED
        disk = PosixDisk(folder)
        left = disk.read("r/a")
        assert left.startswith(b"one\n")
        if left != b"one\ntwo\n":
            assert end is End.KILLED
            disk.add_line("r/a", b"two\n", at=4)
        assert disk.read("r/a") == b"one\ntwo\n"


@pytest.mark.clause("KER-DSK-14", "KER-DSK-10")
def test_each_of_many_names_is_whole_or_not_there(tmp_path):
    files = {"a/b/1": b"x" * 1000, "a/b/2": b"y", "a/3": b"", "4": b"z" * 10}
    for folder, end in every_death(
        lambda folder: lambda: PosixDisk(folder).write_all_new(files), tmp_path
    ):
        assert end is not End.FAILED
        disk = PosixDisk(folder)
        left = {name: disk.read(name) for name in files}
        assert all(raw in {None, files[name]} for name, raw in left.items())
        assert end is End.KILLED or left == files
        disk.sweep_side_files(before_s=FAR_FUTURE_S)
        missing = {name: files[name] for name, raw in left.items() if raw is None}
        assert disk.walk() == sorted(set(files) - set(missing))
        disk.write_all_new(missing)
        assert {name: disk.read(name) for name in files} == files


@pytest.mark.clause("KER-DSK-14")
def test_every_file_and_every_folder_of_many_is_synced(tmp_path, monkeypatch):
    """Each file before it has its name, each folder after its last name."""
    real, synced = os.fsync, []

    def noting(handle):
        place = Path(f"/proc/self/fd/{handle}").readlink()
        synced.append((os.path.relpath(place, tmp_path), len([*tmp_path.rglob("[0-9]")])))
        real(handle)

    monkeypatch.setattr(os, "fsync", noting)
    PosixDisk(tmp_path / "disk").write_all_new({"a/b/1": b"1", "a/2": b"2", "3": b"3"})
    files = [seen for place, seen in synced if str(place).endswith(".side")]
    assert files == [0, 0, 0]
    after = {place for place, seen in synced if seen == 3}
    assert after == {"disk", "disk/a", "disk/a/b"}
