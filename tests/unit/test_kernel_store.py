"""A blob is kept under the name of its bytes, and every read checks it."""

import pytest

from witmark.kernel.canon import digest_of
from witmark.kernel.errors import DigestMismatchError
from witmark.kernel.store import BlobStore, blob_path
from witmark.testing.disks import MemoryDisk


@pytest.mark.clause("KER-STO-01")
def test_putting_twice_is_the_same_as_once():
    disk = MemoryDisk()
    store = BlobStore(disk)
    assert store.put(b"x") == store.put(b"x") == digest_of(b"x")
    assert store.get(digest_of(b"x")) == b"x"
    assert disk.walk() == [blob_path(digest_of(b"x"))]


@pytest.mark.clause("KER-STO-01")
def test_what_was_never_put_is_not_there():
    with pytest.raises(KeyError):
        BlobStore(MemoryDisk()).get(digest_of(b"x"))


@pytest.mark.clause("KER-STO-02")
def test_a_changed_blob_is_noticed_when_it_is_read():
    disk = MemoryDisk()
    name = BlobStore(disk).put(b"x")
    disk.files[blob_path(name)] = b"y"
    with pytest.raises(DigestMismatchError, match="reads back as"):
        BlobStore(disk).get(name)


@pytest.mark.clause("KER-STO-02")
def test_a_changed_blob_is_noticed_when_it_is_put_again():
    """Or we would publish a manifest that rests on bytes we never saw."""
    disk = MemoryDisk({blob_path(digest_of(b"x")): b"y"})
    with pytest.raises(DigestMismatchError):
        BlobStore(disk).put(b"x")
    assert disk.files == {blob_path(digest_of(b"x")): b"y"}


@pytest.mark.clause("KER-STO-03")
def test_only_blobs_are_listed_as_blobs():
    disk = MemoryDisk()
    kept = sorted(BlobStore(disk).put(bytes([n])) for n in range(5))
    disk.files |= {"blobs/note.txt": b"", "blobs/sha256/ab/.x.side": b"", "other": b""}
    assert BlobStore(disk).digests() == kept
