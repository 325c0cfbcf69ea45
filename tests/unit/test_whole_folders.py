"""A folder appears whole under its name, or it does not appear."""

import os

import pytest

from witmark.adapters.disk import PosixDisk, staging, sweep_staging
from witmark.adapters.disk import whole_folders as whole_folders_module
from witmark.kernel.errors import DiskError
from witmark.kernel.publish import seal_folder, verify_folder

FILES = {"report.json": b"{}", "blobs/sha256/ab/c": b"x"}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.clause("KER-SEA-05")
def test_a_seated_folder_is_whole_and_nothing_else_is_left(tmp_path):
    with staging(tmp_path / "out") as stage:
        seal_folder(stage.disk, FILES)
        assert not (tmp_path / "out" / "r").exists()
        stage.seat(tmp_path / "out" / "r")
    assert names(tmp_path / "out") == ["r"]
    assert verify_folder(PosixDisk(tmp_path / "out" / "r")) == []


@pytest.mark.clause("KER-SEA-05")
def test_the_parent_is_synced_after_the_rename(tmp_path, monkeypatch):
    """Or a power cut could bring back the hidden name after we said it was done."""
    seen = []
    target = tmp_path / "r"
    monkeypatch.setattr(
        whole_folders_module,
        "sync_folder",
        lambda folder: seen.append((folder, target.exists())),
    )
    with staging(tmp_path) as stage:
        stage.disk.write_new("a", b"")
        stage.seat(target)
    assert seen == [(tmp_path, True)]


@pytest.mark.clause("KER-SEA-05")
@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_a_taken_name_is_refused_and_another_may_be_tried(tmp_path, kind):
    taken = tmp_path / "r"
    match kind:
        case "folder":
            taken.mkdir()
        case "file":
            taken.write_bytes(b"mine")
        case _:
            taken.symlink_to("nowhere")
    with staging(tmp_path) as stage:
        seal_folder(stage.disk, FILES)
        with pytest.raises(FileExistsError):
            stage.seat(taken)
        stage.seat(tmp_path / "r-2")
    assert names(tmp_path) == ["r", "r-2"]
    assert verify_folder(PosixDisk(tmp_path / "r-2")) == []


@pytest.mark.clause("KER-SEA-06")
@pytest.mark.parametrize("end", [KeyboardInterrupt, RuntimeError, GeneratorExit, SystemExit])
def test_leaving_in_any_other_way_leaves_nothing(tmp_path, end):
    def run():
        with staging(tmp_path) as stage:
            seal_folder(stage.disk, FILES)
            raise end

    with pytest.raises(end):
        run()
    assert names(tmp_path) == []


@pytest.mark.clause("KER-SEA-06")
def test_a_folder_that_was_never_seated_is_gone(tmp_path):
    with staging(tmp_path) as stage:
        seal_folder(stage.disk, FILES)
    assert names(tmp_path) == []


@pytest.mark.clause("KER-SEA-06")
def test_folders_made_on_the_way_go_too_unless_somebody_uses_them(tmp_path):
    for used in (False, True):
        with staging(tmp_path / "a" / "b" / "c") as stage:
            stage.disk.write_new("x", b"")
            if used:
                (tmp_path / "a" / "mine").write_bytes(b"")
        assert names(tmp_path) == (["a"] if used else [])
    assert names(tmp_path / "a") == ["mine"]
    with staging(tmp_path / "a" / "b") as stage:
        stage.seat(tmp_path / "a" / "b" / "r")
    assert names(tmp_path / "a" / "b") == ["r"]


@pytest.mark.clause("KER-SEA-06")
def test_only_stale_hidden_folders_are_swept(tmp_path):
    for name, age_s in ((".old.staging", 100), (".young.staging", 300), ("r.staging", 100)):
        (tmp_path / name / "deep").mkdir(parents=True)
        os.utime(tmp_path / name, (age_s, age_s))
    assert sweep_staging(tmp_path, before_s=200) == [tmp_path / ".old.staging"]
    assert names(tmp_path) == [".young.staging", "r.staging"]


@pytest.mark.clause("KER-SEA-05")
@pytest.mark.parametrize("name", [b"\xbf\xd7.witmark", "装配.witmark".encode()])
def test_a_target_may_have_any_name(tmp_path, name):
    target = tmp_path / os.fsdecode(name)
    with staging(tmp_path) as stage:
        seal_folder(stage.disk, FILES)
        stage.seat(target)
    assert verify_folder(PosixDisk(target)) == []


@pytest.mark.clause("KER-SEA-06")
def test_a_parent_that_is_a_file_is_refused_with_its_name(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DiskError, match="file"), staging(tmp_path / "file"):
        pass


@pytest.mark.clause("KER-SEA-06")
def test_a_target_that_cannot_be_is_refused_and_nothing_is_left(tmp_path):
    with pytest.raises(DiskError, match="gone"), staging(tmp_path) as stage:
        stage.seat(tmp_path / "gone" / "r")
    assert names(tmp_path) == []


@pytest.mark.clause("KER-SEA-05")
def test_a_seated_folder_has_the_usual_permissions(tmp_path):
    with staging(tmp_path) as stage:
        seal_folder(stage.disk, FILES)
        stage.seat(tmp_path / "r")
    (tmp_path / "made").mkdir()
    assert (tmp_path / "r").stat().st_mode == (tmp_path / "made").stat().st_mode
