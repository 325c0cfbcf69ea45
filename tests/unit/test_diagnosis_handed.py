"""What is handed in keeps its bytes; archives are unpacked beside, each file in its place."""

import errno
import io
import os
import zipfile
from pathlib import Path

import pytest

from witmark.adapters.archives import ArchiveLimits
from witmark.adapters.cases import read_case
from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.case import CaseId, InputKind, RawInput
from witmark.diagnosis.package import Package
from witmark.diagnosis.placing import source_paths
from witmark.diagnosis.sorting import kind_of, kinds_of
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import AlreadyThereError, NoSuchFolderError, UnreadableSourceError
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock

CASE = CaseId("case-1")


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


SOURCE = zipped(**{"rota-1.4/rota/__init__.py": b"", "rota-1.4/README.md": b"# rota\n"})


@pytest.fixture
def folder(tmp_path):
    case = tmp_path / "case"
    (case / "source" / "deep").mkdir(parents=True)
    (case / ".git").mkdir()
    (case / "report.md").write_bytes(b"# x\n")
    (case / "source.zip").write_bytes(SOURCE)
    (case / "source" / "deep" / "data.zip").write_bytes(SOURCE)
    (case / ".git" / "HEAD").write_bytes(b"ref: main\n")
    return case


class Store:
    def __init__(self):
        self.kept = MemoryDisk()

    def disk(self, _case, _package):
        return self.kept


@pytest.mark.clause("DIA-CASE-01")
def test_an_archive_stays_whole_and_its_members_become_inputs(folder):
    handed, store = read_case(folder), Store()
    assembler = CaseAssembler(store, SteadyClock())
    package_id = assembler.new(CASE, handed.files, handed.members)
    package = Package(store.kept)
    inputs = {one.path: one for one in package.inventory(package.manifest()).inputs}
    assert package.read("inputs/source.zip") == SOURCE
    member = inputs["inputs/source.zip.unpacked/rota-1.4/README.md"]
    assert (member.origin, member.kind) == (
        "source.zip!rota-1.4/README.md",
        InputKind.SOURCE,
    )
    assert inputs["inputs/%2Egit/HEAD"].kind is InputKind.REPOSITORY
    assert inputs["inputs/source.zip"].kind is InputKind.UNKNOWN
    again = assembler.add(CASE, package_id, handed.files, handed.members)
    assert again.revision == 1
    package.disk.files["inputs/by-hand.txt"] = b"!"
    later = assembler.refresh(package, again)
    origins = {one.path: one.origin for one in package.inventory(later).inputs}
    assert origins[member.path] == member.origin
    with pytest.raises(AlreadyThereError):
        assembler.add(CASE, package_id, {}, {"source.zip": {"rota-1.4/README.md": b"?"}})


@pytest.mark.clause("DIA-CASE-02")
def test_an_archive_inside_a_source_tree_is_kept_and_told(folder):
    handed = read_case(folder)
    assert "source/deep/data.zip" in handed.files
    assert set(handed.members) == {"source.zip"}
    assert handed.left_out == (
        "source/deep/data.zip: kept, not unpacked: it lies inside a source tree",
    )


@pytest.mark.clause("DIA-CASE-02")
def test_all_archives_together_keep_one_limit(tmp_path):
    for name in ("a.zip", "b.zip"):
        (tmp_path / name).write_bytes(zipped(x=b"1" * 60))
    handed = read_case(tmp_path, ArchiveLimits(max_total_bytes=100))
    assert set(handed.members) == {"a.zip"}
    assert handed.left_out[0].startswith("b.zip!what follows")


@pytest.mark.clause("DIA-CASE-02")
def test_what_looks_like_a_folder_of_ours_is_not_mixed_with_members(tmp_path):
    (tmp_path / "a.zip.unpacked").mkdir()
    (tmp_path / "a.zip.unpacked" / "x").write_bytes(b"mine")
    (tmp_path / "a.zip").write_bytes(zipped(x=b"packed"))
    handed = read_case(tmp_path)
    assert not handed.members
    assert "there already" in handed.left_out[0]


@pytest.mark.clause("DIA-CASE-05")
def test_what_is_no_case_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "void").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NoSuchFolderError):
        read_case(tmp_path / "nowhere")
    for name in ("empty", "void", "pipe"):
        with pytest.raises(UnreadableSourceError):
            read_case(tmp_path / name)


@pytest.mark.clause("DIA-CASE-05")
def test_a_name_too_long_for_a_package_is_left_out_and_named(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"x")
    (tmp_path / (":" * 100)).write_bytes(b"x")  # three signs each in a package
    handed = read_case(tmp_path)
    assert set(handed.files) == {"a.txt"}
    assert "too long" in handed.left_out[0]


@pytest.mark.clause("DIA-CASE-03")
@pytest.mark.parametrize(
    ("origin", "kind"),
    [
        ("source.zip!pkg/a.py", InputKind.SOURCE),
        ("good.tar.gz!pkg-1.0/README.md", InputKind.GOOD_SOURCE),
        ("good/pkg-1.0.whl!pkg/report.md", InputKind.GOOD_SOURCE),
        ("logs.zip!yesterday", InputKind.LOG),
        ("case.zip!case/source/a.txt", InputKind.SOURCE),
        ("case.zip!case/report.md", InputKind.REPORT),
        ("app.log.gz!app.log", InputKind.LOG),
        ("what!/report.md", InputKind.REPORT),
        ("repo.zip!repo/.git/HEAD", InputKind.REPOSITORY),
        ("mirror.git/HEAD", InputKind.REPOSITORY),
        ("pkg-1.0.tar.gz", InputKind.UNKNOWN),
    ],
)
def test_a_member_stands_in_a_folder_called_like_its_archive(origin, kind):
    assert kind_of(origin) is kind


@pytest.mark.clause("DIA-CASE-03")
def test_an_archive_with_code_is_source_as_a_whole_unless_it_holds_a_report():
    release = ["pkg-1.0.zip!pkg-1.0/README.md", "pkg-1.0.zip!pkg-1.0/pkg/a.py"]
    assert set(kinds_of(release).values()) == {InputKind.SOURCE}
    case = ["all.zip!x/report.md", "all.zip!x/a.py"]
    assert kinds_of(case)["all.zip!x/report.md"] is InputKind.REPORT


def paths_of(*origins):
    inputs = [RawInput(o, digest_of(b""), 0, InputKind.SOURCE, o) for o in origins]
    return {path: one.origin for path, one in source_paths(inputs).items()}


@pytest.mark.clause("DIA-CASE-04")
def test_the_folder_around_a_release_is_no_part_of_a_source_path():
    origins = ("source.zip!rota-1.4/rota/a.py", "source.zip!rota-1.4/setup.py")
    assert set(paths_of(*origins)) == {"rota/a.py", "setup.py"}
    assert set(paths_of("good/rota-1.3/rota/a.py")) == {"rota/a.py"}
    assert set(paths_of("case.zip!my-case/source/rota/a.py")) == {"rota/a.py"}


@pytest.mark.clause("DIA-CASE-04")
def test_a_package_alone_in_its_tree_keeps_its_folder():
    assert set(paths_of("source.zip!rota/__init__.py", "source.zip!rota/a.py")) == {
        "rota/__init__.py",
        "rota/a.py",
    }
    assert set(paths_of("source/rota/a.py")) == {"rota/a.py"}


@pytest.mark.clause("DIA-CASE-04")
def test_two_files_of_one_path_are_both_kept():
    assert paths_of("source/a.py", "source.zip!a.py", "code/a.py") == {
        "a.py": "code/a.py",
        "source/a.py": "source/a.py",
        "source.zip!a.py": "source.zip!a.py",
    }


def test_a_file_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    (tmp_path / "report.md").write_text("# It fails")
    (tmp_path / "closed.log").write_text("x")
    real = Path.read_bytes

    def read_bytes(path):
        if path.name == "closed.log":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    with pytest.raises(UnreadableSourceError, match=r"closed\.log: permission denied"):
        read_case(tmp_path)
