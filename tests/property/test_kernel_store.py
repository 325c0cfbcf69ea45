"""A store, a journal and the publications behave like the dict, list and stack they model."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
)

from witmark.adapters.disk import PosixDisk
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import EntryTakenError, GenerationTakenError, IntegrityError
from witmark.kernel.journal import Journal, journal_bodies, read_journal
from witmark.kernel.publish import (
    current_generation,
    orphans,
    publish,
    read_generation,
    seal_folder,
    sweep,
    verify_folder,
)
from witmark.kernel.store import BlobStore
from witmark.testing.disks import MemoryDisk

bodies = st.binary(max_size=6)
artefacts = st.dictionaries(st.text("ab/.", max_size=3), bodies, max_size=3)
names = st.lists(st.text("ab孔", min_size=1, max_size=2), min_size=1, max_size=3).map("/".join)


def no_folder(files):
    return not any(other.startswith(f"{name}/") for name in files for other in files)


class Shelves(RuleBasedStateMachine):
    """One disk, everything the kernel keeps on it, and plain Python beside it."""

    kept = Bundle("kept")

    @initialize()
    def begin(self):
        self.disk = self.make_disk()
        self.store = BlobStore(self.disk)
        self.blobs, self.generations, self.record = {}, [], []
        self.recorded = set()
        self.journal = Journal(self.disk, "r")

    def make_disk(self):
        return MemoryDisk()

    @rule(target=kept, data=bodies)
    def put(self, data):
        name = self.store.put(data)
        self.blobs[name] = data
        return name

    @rule(name=kept)
    def get(self, name):
        if name in self.blobs:
            assert self.store.get(name) == self.blobs[name]
        else:
            with pytest.raises(KeyError):
                self.store.get(name)

    @rule(target=kept, made=artefacts)
    def publish(self, made):
        assert publish(self.disk, made) == len(self.generations) + 1
        self.generations.append(made)
        self.blobs |= {digest_of(data): data for data in made.values()}
        return multiple(*map(digest_of, made.values()))

    @rule(made=artefacts, behind=st.integers(1, 3))
    def publish_too_late(self, made, behind):
        after = len(self.generations) - behind
        if after >= 0:
            with pytest.raises(GenerationTakenError):
                publish(self.disk, made, after=after)
            self.blobs |= {digest_of(data): data for data in made.values()}

    @rule(target=kept, body=bodies)
    def record_something(self, body):
        name = self.store.put(body)
        self.blobs[name] = body
        self.journal.append("did", body.hex(), [name])
        self.record.append(body.hex())
        self.recorded.add(name)
        return name

    @rule(body=bodies)
    def another_writer_records_something(self, body):
        Journal(self.disk, "r").append("did", body.hex())
        with pytest.raises(EntryTakenError):
            self.journal.append("did", body.hex())
        self.journal = Journal(self.disk, "r")
        self.record.append(body.hex())

    @rule()
    def sweep(self):
        named = {digest_of(data) for made in self.generations for data in made.values()}
        named |= self.recorded
        assert orphans(self.disk) == sorted(set(self.blobs) - named)
        for name in sweep(self.disk):
            del self.blobs[name]

    @invariant()
    def everything_is_as_it_was_left(self):
        if hasattr(self, "store"):
            assert self.store.digests() == sorted(self.blobs)
            assert current_generation(self.disk) == len(self.generations)
            assert journal_bodies(self.disk, "r") == self.record
            for number, made in enumerate(self.generations, start=1):
                assert read_generation(self.disk, number) == made


class ShelvesOnPosix(Shelves):
    def make_disk(self):
        self.folder = tempfile.TemporaryDirectory()
        return PosixDisk(Path(self.folder.name) / "disk")

    def teardown(self):
        if hasattr(self, "folder"):
            self.folder.cleanup()


TestShelves = pytest.mark.clause("KER-STO-01", "KER-PUB-04", "KER-JRN-03")(Shelves.TestCase)
TestShelves.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestShelvesOnPosix = pytest.mark.clause("KER-STO-01", "KER-PUB-04")(ShelvesOnPosix.TestCase)
TestShelvesOnPosix.settings = settings(max_examples=8, stateful_step_count=12, deadline=None)


@pytest.mark.clause("KER-JRN-02")
@given(st.lists(bodies, min_size=1, max_size=5), st.data())
def test_no_edit_of_a_journal_goes_unnoticed(story, data):
    disk = MemoryDisk()
    journal = Journal(disk, "r")
    for body in story:
        journal.append("did", body.hex())
    name = "journals/r.jsonl"
    edited = data.draw(edits(disk.files[name]))
    disk.files[name] = edited
    with pytest.raises(IntegrityError):
        read_journal(disk, "r", head=journal.head)


@pytest.mark.clause("KER-SEA-02", "KER-SEA-03")
@given(st.dictionaries(names, bodies, min_size=1, max_size=4).filter(no_folder), st.data())
def test_no_edit_of_a_sealed_folder_goes_unnoticed(files, data):
    disk = MemoryDisk()
    seal_folder(disk, files)
    assert verify_folder(disk) == []
    name = data.draw(st.sampled_from(disk.walk()))
    disk.files[name] = data.draw(edits(disk.files[name]))
    assert [fault.name for fault in verify_folder(disk)] == [name]


def edits(sound):
    """Bytes of the same kind, cut, grown, or with a run replaced, but not the same."""
    cut = st.integers(0, len(sound))
    return st.tuples(cut, cut, st.binary(max_size=3)).map(
        lambda e: sound[: e[0]] + e[2] + sound[e[1] :]
    ).filter(lambda edited: edited != sound)  # fmt: skip
