"""A folder of notes: what counts as one, and that no link leads out of it."""

import os
import socket

import pytest

from witmark.adapters.vault import FolderVault, NoMarkdownError
from witmark.adapters.vault import folder as folder_module
from witmark.answers.failures import UnreadableNoteError, decode
from witmark.kernel.errors import NoSuchFolderError


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "notes"
    root.mkdir()
    (root / "a.md").write_bytes(b"# A")
    return root


def paths(root):
    return [file.path for file in FolderVault(root).scan().files]


def failures(root):
    return {f.path: f.code for f in FolderVault(root).scan().failures}


def test_both_endings_are_markdown_in_any_case(root):
    for name in ("b.markdown", "C.MD", "d.txt", "e.md.bak", "f"):
        (root / name).write_bytes(b"1")
    assert paths(root) == ["C.MD", "a.md", "b.markdown"]


def test_hidden_files_and_folders_are_not_looked_into(root):
    for name in (".obsidian/a.md", ".git/b.md", "x/.trash/c.md", ".d.md", ".md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"1")
    assert paths(root) == ["a.md"]
    with pytest.raises(UnreadableNoteError):
        FolderVault(root).read(".obsidian/a.md")


def test_a_folder_called_like_a_note_is_a_folder(root):
    (root / "b.md").mkdir()
    (root / "b.md/c.md").write_bytes(b"1")
    assert paths(root) == ["a.md", "b.md/c.md"]


def test_a_link_to_a_note_that_is_listed_anyway_adds_nothing(root):
    (root / "again.md").symlink_to("a.md")
    assert paths(root) == ["a.md"]
    assert failures(root) == {}


def test_a_link_to_another_file_of_the_folder_is_read_once(root):
    (root / "plain.txt").write_bytes(b"text")
    (root / "b.md").symlink_to("plain.txt")
    (root / "c.md").symlink_to(root / "plain.txt")
    assert paths(root) == ["a.md", "b.md"]
    assert FolderVault(root).read("b.md") == b"text"


@pytest.mark.parametrize("target", ["../secret.md", "../folder"])
def test_a_link_that_leaves_the_folder_is_a_failure_and_is_not_read(root, target):
    (root.parent / "secret.md").write_bytes(b"secret")
    (root.parent / "folder").mkdir()
    (root / "out.md").symlink_to(target)
    assert paths(root) == ["a.md"]
    assert failures(root) == {"out.md": "link-outside"}
    with pytest.raises(UnreadableNoteError) as caught:
        FolderVault(root).read("out.md")
    assert caught.value.failure.code == "link-outside"


def test_a_link_to_a_folder_inside_is_passed_over_and_cannot_make_a_circle(root):
    (root / "x").mkdir()
    (root / "x/up").symlink_to("..")
    assert paths(root) == ["a.md"]


def test_nothing_is_read_through_a_folder_that_became_a_link(root):
    (root.parent / "folder").mkdir()
    (root.parent / "folder/a.md").write_bytes(b"secret")
    (root / "x").symlink_to(root.parent / "folder")
    with pytest.raises(FileNotFoundError):  # the folder that held it is no more
        FolderVault(root).read("x/a.md")


def test_a_link_turned_round_between_the_look_and_the_reading_leads_nowhere(root, monkeypatch):
    (root / "plain.txt").write_bytes(b"text")
    (root.parent / "secret.md").write_bytes(b"secret")
    (root / "b.md").symlink_to("plain.txt")
    real = os.path.realpath

    def turned(path, **kept):
        found = real(path, **kept)
        if str(path).endswith("b.md"):
            (root / "plain.txt").unlink()
            (root / "plain.txt").symlink_to("../secret.md")
        return found

    monkeypatch.setattr(folder_module.os.path, "realpath", turned)
    with pytest.raises(UnreadableNoteError):
        FolderVault(root).read("b.md")


def test_a_link_that_leads_nowhere_is_a_failure(root):
    (root / "b.md").symlink_to("missing.md")
    assert failures(root) == {"b.md": "unreadable"}


def test_a_path_cannot_climb_out(root):
    (root.parent / "secret.md").write_bytes(b"secret")
    for path in ("../secret.md", "x/../../secret.md", "/etc/hostname", ""):
        with pytest.raises(UnreadableNoteError):
            FolderVault(root).read(path)


def test_a_name_that_is_not_utf_8_or_holds_a_line_break_is_a_failure(root):
    (root / "\udcff.md").write_bytes(b"1")
    (root / "b\nc.md").write_bytes(b"1")
    assert failures(root) == {"\\xff.md": "bad-name", "b\\nc.md": "bad-name"}
    assert paths(root) == ["a.md"]


def test_a_name_of_joined_emoji_is_a_name(root):
    (root / "👨‍👩‍👧 家.md").write_bytes(b"1")
    assert paths(root) == ["a.md", "👨‍👩‍👧 家.md"]


def test_a_pipe_a_socket_and_a_link_to_one_are_listed_and_do_not_hold_us(root):
    os.mkfifo(root / "pipe.md")
    os.mkfifo(root / "pipe")
    (root / "link.md").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(root / "s.md"))
        assert paths(root) == ["a.md"]
        assert failures(root) == dict.fromkeys(("pipe.md", "link.md", "s.md"), "unreadable")
        with pytest.raises(UnreadableNoteError):
            FolderVault(root).read("s.md")
    with pytest.raises(UnreadableNoteError):
        FolderVault(root).read("pipe.md")


def test_a_folder_without_markdown_is_said_to_be_one(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"1")
    with pytest.raises(NoMarkdownError):
        FolderVault(tmp_path).scan()


def test_what_is_not_a_folder_is_said_to_be_none(root):
    for path in (root / "a.md", root / "missing"):
        with pytest.raises(NoSuchFolderError) as caught:
            FolderVault(path).scan()
        assert "folder that holds your notes" in caught.value.hint


def test_a_note_that_grows_while_it_is_read_stops_at_the_limit(root, monkeypatch):
    monkeypatch.setattr(folder_module, "MOST_NOTE_BYTES", 4)
    monkeypatch.setattr(folder_module.os, "fstat", lambda _: (root / "a.md").stat())
    (root / "b.md").write_bytes(b"12345")
    with pytest.raises(UnreadableNoteError) as caught:
        FolderVault(root).read("b.md")
    assert caught.value.failure.code == "too-large"


@pytest.mark.parametrize(
    ("raw", "code", "says"),
    [
        (b"a\0b", "binary", "zero bytes"),
        ("孔".encode("utf-16"), "not-utf-8", "it is UTF-16"),
        ("孔".encode("utf-32"), "not-utf-8", "it is UTF-32"),
        (b"a\nb\xb0\n", "not-utf-8", "line 2"),
    ],
)
def test_bytes_that_are_no_text_are_named_with_a_way_out(raw, code, says):
    failure = decode("a.md", raw)
    assert failure.code == code
    assert says in failure.detail


def test_a_byte_order_mark_and_carriage_returns_stay_in_the_text():
    assert decode("a.md", b"\xef\xbb\xbfa\r\n") == "\ufeffa\r\n"
