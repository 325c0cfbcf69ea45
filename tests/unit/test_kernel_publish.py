"""A generation is read only when every byte of it is the one that was published."""

import pytest

from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.errors import (
    DanglingManifestError,
    DigestMismatchError,
    GarbledRecordError,
    GenerationTakenError,
    IntegrityError,
)
from witmark.kernel.journal import Journal
from witmark.kernel.publish import (
    current_generation,
    orphans,
    publish,
    read_generation,
    sweep,
)
from witmark.kernel.store import BlobStore, blob_path
from witmark.testing.disks import MemoryDisk

OLD, NEW = {"a": b"old", "b": b"same"}, {"a": b"new", "b": b"same"}


@pytest.fixture
def disk():
    disk = MemoryDisk()
    publish(disk, OLD)
    publish(disk, NEW)
    return disk


@pytest.mark.clause("KER-PUB-03")
def test_every_generation_stays_readable(disk):
    assert current_generation(disk) == 2
    assert (read_generation(disk, 1), read_generation(disk, 2)) == (OLD, NEW)


@pytest.mark.clause("KER-PUB-03")
def test_a_generation_that_was_never_published_is_not_there(disk):
    assert current_generation(MemoryDisk()) == 0
    with pytest.raises(KeyError):
        read_generation(disk, 3)


@pytest.mark.clause("KER-PUB-03")
def test_every_flipped_bit_of_a_manifest_is_noticed(disk):
    name = "generations/00000002"
    sound = disk.files[name]
    for bit in range(len(sound) * 8):
        flipped = bytearray(sound)
        flipped[bit // 8] ^= 1 << bit % 8
        disk.files[name] = bytes(flipped)
        with pytest.raises(IntegrityError):
            read_generation(disk, 2)


@pytest.mark.clause("KER-PUB-03")
def test_a_missing_blob_is_noticed(disk):
    del disk.files[blob_path(digest_of(b"new"))]
    with pytest.raises(DanglingManifestError, match="generations/00000002"):
        read_generation(disk, 2)


@pytest.mark.clause("KER-PUB-03")
def test_a_changed_blob_is_noticed(disk):
    disk.files[blob_path(digest_of(b"new"))] = b"newer"
    with pytest.raises(DigestMismatchError):
        read_generation(disk, 2)


@pytest.mark.clause("KER-PUB-03")
@pytest.mark.parametrize(
    "rest",
    [
        {"artefacts": {"a": "no digest"}, "format": "witmark.generation/1"},
        {"artefacts": [], "format": "witmark.generation/1"},
        {"artefacts": {}, "format": "witmark.generation/2"},
        {"artefacts": {}, "more": 1, "format": "witmark.generation/1"},
        {"files": {}, "format": "witmark.generation/1"},
    ],
)
def test_a_sealed_manifest_of_another_shape_is_refused(disk, rest):
    seal = digest_of(canonical_json(rest))
    disk.files["generations/00000003"] = canonical_json({**rest, "seal": seal})
    with pytest.raises(GarbledRecordError, match="00000003"):
        read_generation(disk, 3)


@pytest.mark.clause("KER-PUB-02")
def test_a_result_worked_out_from_an_older_generation_is_not_published(disk):
    with pytest.raises(GenerationTakenError, match="generation 2"):
        publish(disk, {"a": b"late"}, after=1)
    assert read_generation(disk, current_generation(disk)) == NEW
    assert publish(disk, {"a": b"in time"}, after=2) == 3


@pytest.mark.clause("KER-PUB-04")
def test_blobs_that_nothing_names_are_reported_and_nothing_else_is(disk):
    stray = BlobStore(disk).put(b"stray")
    kept = BlobStore(disk).put(b"kept elsewhere")
    named = BlobStore(disk).put(b"named by a journal")
    Journal(disk, "r1").append("asked", "to look at this", [named])
    assert orphans(disk, keep=[kept]) == [stray]


@pytest.mark.clause("KER-PUB-04")
def test_a_sweep_touches_only_orphans(disk):
    before = dict(disk.files)
    stray = BlobStore(disk).put(b"stray")
    assert sweep(disk) == [stray]
    assert disk.files == before
    assert sweep(disk) == []


@pytest.mark.clause("KER-PUB-04")
@pytest.mark.parametrize("name", ["generations/00000001", "journals/r1.jsonl"])
def test_nothing_is_swept_while_a_record_cannot_be_read(disk, name):
    BlobStore(disk).put(b"stray")
    Journal(disk, "r1").append("asked", "something")
    disk.files[name] += b" "
    before = dict(disk.files)
    with pytest.raises(IntegrityError):
        sweep(disk)
    assert disk.files == before
