"""A sealed folder differs by not one bit from what was sealed, or we say where."""

import pytest

from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.errors import BadNameError, GarbledRecordError
from witmark.kernel.publish import (
    MANIFEST_NAME,
    Fault,
    FaultKind,
    read_sealed,
    seal_folder,
    verify_folder,
)
from witmark.kernel.store import BlobStore, blob_path
from witmark.testing.disks import MemoryDisk

FACTS = b'{"d":5.0}'
FILES = {
    "report.json": b"{}",
    "pictures/p0001.png": b"\x89PNG",
    blob_path(digest_of(FACTS)): FACTS,
    "empty": b"",
}


@pytest.fixture
def disk():
    disk = MemoryDisk()
    seal_folder(disk, FILES)
    return disk


def resealed(rest):
    return canonical_json({**rest, "seal": digest_of(canonical_json(rest))})


@pytest.mark.clause("KER-SEA-01")
def test_a_sealed_folder_holds_the_files_and_a_manifest_of_them(disk):
    assert verify_folder(disk) == []
    assert {n: disk.read(n) for n in disk.walk() if n != MANIFEST_NAME} == FILES
    assert read_sealed(disk) == {name: digest_of(data) for name, data in FILES.items()}
    assert BlobStore(disk).get(digest_of(FACTS)) == FACTS


@pytest.mark.clause("KER-SEA-01")
def test_the_seal_is_the_name_of_the_files_and_so_the_same_for_the_same_files(disk):
    again = MemoryDisk()
    seal = seal_folder(again, dict(reversed(FILES.items())))
    assert again.files == disk.files
    assert seal.encode() in disk.files[MANIFEST_NAME]


@pytest.mark.clause("KER-SEA-02")
def test_every_flipped_bit_of_every_file_is_noticed(disk):
    for name, sound in sorted(disk.files.items()):
        for bit in range(len(sound) * 8):
            flipped = bytearray(sound)
            flipped[bit // 8] ^= 1 << bit % 8
            disk.files[name] = bytes(flipped)
            kind = FaultKind.UNSEALED if name == MANIFEST_NAME else FaultKind.CHANGED
            assert verify_folder(disk) == [Fault(name, kind)]
        disk.files[name] = sound


@pytest.mark.clause("KER-SEA-03")
@pytest.mark.parametrize("name", sorted([*FILES, MANIFEST_NAME]))
def test_every_missing_file_is_noticed(disk, name):
    del disk.files[name]
    assert verify_folder(disk) == [Fault(name, FaultKind.MISSING)]


@pytest.mark.clause("KER-SEA-03")
@pytest.mark.parametrize("name", ["x", ".hidden", "pictures/.x.side", "manifest.json.bak"])
def test_every_extra_file_is_noticed(disk, name):
    disk.files[name] = b""
    assert verify_folder(disk) == [Fault(name, FaultKind.EXTRA)]


@pytest.mark.clause("KER-SEA-03")
def test_a_file_grown_by_nothing_but_blanks_is_changed(disk):
    disk.files["report.json"] += b"\n"
    assert verify_folder(disk) == [Fault("report.json", FaultKind.CHANGED)]


@pytest.mark.clause("KER-SEA-03")
def test_faults_are_named_in_order(disk):
    disk.files["a"] = b""
    del disk.files["empty"]
    disk.files["report.json"] = b"[]"
    assert verify_folder(disk) == [
        Fault("a", FaultKind.EXTRA),
        Fault("empty", FaultKind.MISSING),
        Fault("report.json", FaultKind.CHANGED),
    ]


@pytest.mark.clause("KER-SEA-02")
@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        resealed({"files": {}, "format": "witmark.manifest/2"}),
        resealed({"files": {"a": "sha256:x"}, "format": "witmark.manifest/1"}),
        resealed({"files": {"../a": digest_of(b"")}, "format": "witmark.manifest/1"}),
        resealed({"files": {".a": digest_of(b"")}, "format": "witmark.manifest/1"}),
        resealed({"files": {"manifest.json": digest_of(b"")}, "format": "witmark.manifest/1"}),
        resealed({"format": "witmark.manifest/1"}),
        resealed({"files": {}, "format": "witmark.manifest/1"}) + b"\n",
    ],
)
def test_a_manifest_that_we_would_not_have_written_is_unsealed(disk, raw):
    disk.files[MANIFEST_NAME] = raw
    assert verify_folder(disk) == [Fault(MANIFEST_NAME, FaultKind.UNSEALED)]
    with pytest.raises(GarbledRecordError):
        read_sealed(disk)


@pytest.mark.clause("KER-SEA-01")
def test_a_folder_that_was_never_finished_cannot_be_read():
    with pytest.raises(GarbledRecordError, match="not finished"):
        read_sealed(MemoryDisk({"report.json": b"{}"}))


@pytest.mark.clause("KER-SEA-04")
@pytest.mark.parametrize("name", ["../a", "/a", ".a", "a\\b", "a/../../b", "", "half\ud800"])
def test_a_name_that_could_leave_or_hide_is_refused_before_anything_is_written(name):
    disk = MemoryDisk()
    with pytest.raises(BadNameError):
        seal_folder(disk, {"a": b"", name: b""})
    assert disk.files == {}


@pytest.mark.clause("KER-SEA-04")
def test_a_file_and_a_folder_of_one_name_are_refused_before_anything_is_written():
    disk = MemoryDisk()
    with pytest.raises(BadNameError, match="a/b: a file and a folder"):
        seal_folder(disk, {"a/b/c": b"", "a/b": b"", "a/bb": b""})
    assert disk.files == {}


@pytest.mark.clause("KER-SEA-04")
def test_the_manifest_is_not_handed_in():
    with pytest.raises(AssertionError, match=r"manifest\.json"):
        seal_folder(MemoryDisk(), {MANIFEST_NAME: b"{}"})


@pytest.mark.clause("KER-SEA-04")
def test_a_folder_is_sealed_once(disk):
    with pytest.raises(FileExistsError):
        seal_folder(disk, FILES)
    assert verify_folder(disk) == []
