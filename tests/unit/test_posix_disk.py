"""Real files: whole or not at all, and no link leads anywhere."""

import errno
import os
import socket

import pytest

from witmark.adapters.disk import PosixDisk
from witmark.adapters.disk import inside as inside_module
from witmark.adapters.disk import posix as posix_module
from witmark.adapters.disk.refusals import disk_error
from witmark.adapters.disk.renaming import rename_new
from witmark.kernel.errors import BadNameError, DiskError, NotAPlainFileError
from witmark.kernel.publish import Fault, FaultKind, seal_folder, verify_folder


@pytest.fixture
def root(tmp_path):
    return tmp_path / "root"


@pytest.fixture
def disk(root):
    return PosixDisk(root)


def hold_back(monkeypatch, name, number):
    """Let one system call refuse as the operating system does."""

    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(posix_module.os, name, refuse)


@pytest.mark.clause("KER-DSK-06")
def test_what_a_crash_left_by_the_side_is_seen_by_a_walk_and_not_by_a_listing(disk, root):
    disk.write_new("g/1", b"")
    (root / "g/.0123.side").write_bytes(b"to")
    assert disk.names("g/") == ["g/1"]
    assert disk.walk() == ["g/.0123.side", "g/1"]


@pytest.mark.clause("KER-DSK-06")
def test_a_sweep_removes_stale_side_files_and_nothing_else(disk, root):
    disk.write_new("g/1", b"")
    for name, age_s in (
        (".old.side", 100),
        (".young.side", 300),
        (".old", 100),
        ("x.side", 100),
    ):
        (root / "g" / name).write_bytes(b"to")
        os.utime(root / "g" / name, (age_s, age_s))
    assert disk.sweep_side_files(before_s=200) == ["g/.old.side"]
    assert disk.walk() == ["g/.old", "g/.young.side", "g/1", "g/x.side"]


@pytest.mark.clause("KER-DSK-06")
def test_a_write_leaves_no_side_file(disk):
    disk.write_new("g/1", b"x")
    with pytest.raises(FileExistsError):
        disk.write_new("g/1", b"x")
    assert disk.walk() == ["g/1"]


@pytest.mark.clause("KER-DSK-07")
def test_a_link_in_place_of_a_file_is_not_followed(disk, root, tmp_path):
    (tmp_path / "secret").write_bytes(b"secret")
    disk.write_new("a", b"")
    (root / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(NotAPlainFileError, match="link"):
        disk.read("link")
    with pytest.raises(FileExistsError):
        disk.write_new("link", b"over")
    assert (tmp_path / "secret").read_bytes() == b"secret"


@pytest.mark.clause("KER-DSK-07")
def test_a_link_to_nowhere_is_not_an_empty_place(disk, root):
    disk.write_new("a", b"")
    (root / "link").symlink_to("nowhere")
    with pytest.raises(NotAPlainFileError):
        disk.read("link")
    with pytest.raises(FileExistsError):
        disk.write_new("link", b"over")


@pytest.mark.clause("KER-DSK-07")
def test_a_link_in_place_of_a_folder_is_not_entered(disk, root, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_bytes(b"secret")
    disk.write_new("a", b"")
    (root / "link").symlink_to(outside, target_is_directory=True)
    for ask in (disk.read, disk.remove):
        with pytest.raises(NotAPlainFileError, match="link"):
            ask("link/x")
    with pytest.raises(NotAPlainFileError):
        disk.write_new("link/y", b"")
    with pytest.raises(NotAPlainFileError):
        disk.names("link/")
    assert disk.walk() == ["a", "link"]
    assert sorted(p.name for p in outside.iterdir()) == ["x"]


@pytest.mark.clause("KER-DSK-07")
def test_a_loop_of_links_is_not_followed(disk, root):
    disk.write_new("a", b"")
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    with pytest.raises(NotAPlainFileError):
        disk.read("one/x")
    assert disk.walk() == ["a", "one", "two"]


@pytest.mark.clause("KER-DSK-07")
def test_folders_pipes_and_sockets_are_not_files(disk, root, monkeypatch):
    disk.write_new("folder/a", b"")
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        for name in ("folder", "pipe", "socket"):
            with pytest.raises(NotAPlainFileError, match=name):
                disk.read(name)


@pytest.mark.clause("KER-SEA-03")
def test_a_sealed_file_replaced_by_a_link_to_its_copy_is_noticed(disk, root, tmp_path):
    seal_folder(disk, {"a/b": b"x"})
    assert verify_folder(disk) == []
    (root / "a").rename(tmp_path / "moved")
    (root / "a").symlink_to(tmp_path / "moved", target_is_directory=True)
    assert verify_folder(disk) == [
        Fault("a", FaultKind.EXTRA),
        Fault("a/b", FaultKind.NOT_A_FILE),
    ]


@pytest.mark.clause("KER-SEA-03")
def test_a_manifest_replaced_by_a_link_is_noticed(disk, root, tmp_path):
    seal_folder(disk, {"a": b"x"})
    (root / "manifest.json").rename(tmp_path / "manifest.json")
    (root / "manifest.json").symlink_to(tmp_path / "manifest.json")
    assert verify_folder(disk) == [Fault("manifest.json", FaultKind.NOT_A_FILE)]


@pytest.mark.clause("KER-SEA-03")
@pytest.mark.parametrize("name", [b".hidden", b"a/deep/.x", b"\xff\xfe", "孔".encode(), b"b\n"])
def test_an_extra_file_of_any_name_is_noticed(disk, root, name):
    seal_folder(disk, {"a/b": b"x"})
    path = os.path.join(os.fsencode(root), name)  # noqa: PTH118 - a name that is bytes
    os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - as above
    os.close(os.open(path, os.O_CREAT))
    assert verify_folder(disk) == [Fault(os.fsdecode(name), FaultKind.EXTRA)]


@pytest.mark.clause("KER-DSK-08")
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_refused_write_names_the_file_and_leaves_nothing(
    disk, root, monkeypatch, number, call
):
    disk.write_new("g/0", b"")
    hold_back(monkeypatch, call, number)
    with pytest.raises(DiskError, match="g/1") as caught:
        disk.write_new("g/1", b"x")
    monkeypatch.undo()
    assert caught.value.exit_code == 4
    assert str(root / "g/1") in str(caught.value)
    assert disk.walk() == ["g/0"]


@pytest.mark.clause("KER-DSK-08")
def test_a_full_disk_and_a_forbidden_folder_have_other_ways_out():
    hints = {n: disk_error(OSError(n, ""), "a").hint for n in (errno.ENOSPC, errno.EACCES, 0)}
    assert "free some space" in hints[errno.ENOSPC]
    assert "may read and write" in hints[errno.EACCES]
    assert hints[0] == DiskError.hint


@pytest.mark.clause("KER-DSK-08")
def test_a_root_that_is_a_file_is_refused_with_its_name(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DiskError, match="file"):
        PosixDisk(tmp_path / "file").write_new("a", b"")


@pytest.mark.clause("KER-DSK-08")
def test_a_name_that_is_too_long_is_refused_and_leaves_nothing(disk):
    with pytest.raises(DiskError, match="too long"):
        disk.write_new("x" * 300, b"")
    assert disk.walk() == []


@pytest.mark.clause("KER-DSK-02")
def test_a_file_system_without_hard_links_still_never_overwrites(disk, monkeypatch):
    hold_back(monkeypatch, "link", errno.EPERM)
    disk.write_new("a/b", b"first")
    monkeypatch.setattr(posix_module, "refuse_if_there", lambda *_: None)
    with pytest.raises(FileExistsError):
        disk.write_new("a/b", b"second")
    assert (disk.read("a/b"), disk.walk()) == (b"first", ["a/b"])


@pytest.mark.clause("KER-DSK-02")
def test_the_link_decides_even_if_the_look_before_it_saw_nothing(disk, monkeypatch):
    disk.write_new("a/b", b"first")
    monkeypatch.setattr(posix_module, "refuse_if_there", lambda *_: None)
    with pytest.raises(FileExistsError):
        disk.write_new("a/b", b"second")
    assert (disk.read("a/b"), disk.walk()) == (b"first", ["a/b"])


def refusing(number):
    def call(*_):
        raise OSError(number, os.strerror(number))

    return call


def calls_of(action, monkeypatch):
    """Run an action and list its calls that change the disk, with the last name of each."""
    made, names = [], {}

    def listen(call, real):
        def heard(*args, **kwargs):
            found = real(*args, **kwargs)
            if call == "open":
                names[found] = str(args[0]).rsplit("/", 1)[-1]
            target = names.get(args[0], args[0]) if call != "link" else args[1]
            if call != "open" or args[1] & os.O_CREAT:
                made.append((call, "SIDE" if str(target).endswith(".side") else str(target)))
            return found

        return heard

    for call in ("open", "mkdir", "write", "fsync", "link", "unlink"):
        monkeypatch.setattr(posix_module.os, call, listen(call, getattr(os, call)))
    action()
    monkeypatch.undo()
    return made


@pytest.mark.clause("KER-DSK-10")
def test_the_calls_stand_in_the_order_of_the_write_order_document(disk, root, monkeypatch):
    """A power cut forgets what was not synced; the order is what makes that harmless."""
    root.mkdir()
    assert calls_of(lambda: disk.write_new("a/b", b"x"), monkeypatch) == [
        ("fsync", root.parent.name),
        ("mkdir", "a"),
        ("fsync", "root"),
        ("open", "SIDE"),
        ("write", "SIDE"),
        ("fsync", "SIDE"),
        ("link", "b"),
        ("fsync", "a"),
        ("unlink", "SIDE"),
    ]


@pytest.mark.clause("KER-DSK-10", "KER-DSK-13")
def test_what_a_dead_writer_made_and_never_synced_is_synced_by_the_next(
    disk, root, monkeypatch
):
    """It may stand in the cache alone; built upon, it would take everything down with it."""
    (root / "a").mkdir(parents=True)
    made = calls_of(lambda: disk.write_new("a/b", b"x"), monkeypatch)
    assert made[0] == ("fsync", root.name)

    def again():
        with pytest.raises(FileExistsError):
            disk.write_new("a/b", b"x")

    assert calls_of(again, monkeypatch) == []
    os.link(root / "a" / "b", root / "a" / ".0.side")  # as a writer left it who died here
    assert calls_of(again, monkeypatch) == [("fsync", "a")]


@pytest.mark.clause("KER-DSK-10", "KER-DSK-13")
def test_an_empty_root_below_a_folder_that_we_may_not_open_is_written_to(
    disk, root, monkeypatch
):
    root.mkdir()
    monkeypatch.setattr(inside_module, "sync_folder", refusing(errno.EACCES))
    disk.write_new("a", b"x")
    assert disk.read("a") == b"x"


@pytest.mark.clause("KER-DSK-10")
def test_a_root_is_synced_into_its_parent(tmp_path, monkeypatch):
    disk = PosixDisk(tmp_path / "new" / "root")
    made = calls_of(lambda: disk.write_new("a", b"x"), monkeypatch)
    assert [name for call, name in made if call == "fsync"][1:3] == [tmp_path.name, "new"]


@pytest.mark.clause("KER-DSK-09")
@pytest.mark.parametrize(
    "name", [b"\xbf\xd7.step", "装配 体".encode(), b"line\nbreak", b"\xff"]
)
def test_a_root_and_a_name_may_be_any_bytes(tmp_path, name):
    text = os.fsdecode(name)
    disk = PosixDisk(tmp_path / text)
    disk.write_new(f"a/{text}", b"x")
    assert disk.read(f"a/{text}") == b"x"
    assert disk.names("a/") == disk.walk() == [f"a/{text}"]


@pytest.mark.clause("KER-DSK-04")
def test_the_folder_above_is_out_of_reach(disk, tmp_path):
    (tmp_path / "secret").write_bytes(b"secret")
    disk.write_new("a", b"")
    for name in ("../secret", "a/../../secret", str(tmp_path / "secret")):
        with pytest.raises(BadNameError):
            disk.read(name)


@pytest.mark.clause("KER-SEA-05")
@pytest.mark.parametrize("known", [True, False])
def test_a_rename_never_replaces_not_even_an_empty_folder(tmp_path, monkeypatch, known):
    if not known:
        monkeypatch.setattr("witmark.adapters.disk.renaming._UNKNOWN", (errno.EEXIST,))
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a").write_bytes(b"")
    (tmp_path / "taken").mkdir()
    with pytest.raises(FileExistsError):
        rename_new(tmp_path / "new", tmp_path / "taken")
    assert list((tmp_path / "taken").iterdir()) == []
    assert (tmp_path / "new" / "a").exists()


@pytest.mark.clause("KER-SEA-05")
def test_a_system_without_the_call_claims_the_name_first(tmp_path, monkeypatch):
    def unknown(*_):
        raise OSError(errno.ENOSYS, "unknown")

    monkeypatch.setattr("witmark.adapters.disk.renaming._renameat2", unknown)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a").write_bytes(b"")
    rename_new(tmp_path / "new", tmp_path / "seat")
    assert (tmp_path / "seat" / "a").exists()
    (tmp_path / "new").mkdir()
    with pytest.raises(FileExistsError):
        rename_new(tmp_path / "new", tmp_path / "seat")
    with pytest.raises(FileNotFoundError):
        rename_new(tmp_path / "gone", tmp_path / "other")
    assert not (tmp_path / "other").exists()
