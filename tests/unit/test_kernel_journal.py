"""A record that was edited, cut in the middle, forked or played differently is noticed."""

import pytest

from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.errors import (
    BadNameError,
    BrokenChainError,
    DanglingManifestError,
    EntryTakenError,
    GarbledRecordError,
    IntegrityError,
    ReplayDiffersError,
)
from witmark.kernel.journal import Entry, Journal, Replay, journal_bodies, read_journal, runs
from witmark.kernel.store import blob_path
from witmark.testing.disks import MemoryDisk

STORY = [("asked", b"why?"), ("replied", b"because"), ("decided", b"yes")]


@pytest.fixture
def disk():
    disk = MemoryDisk()
    journal = Journal(disk, "r1")
    for kind, body in STORY:
        journal.append(kind, body)
    return disk


@pytest.mark.clause("KER-JRN-01")
def test_a_run_is_read_back_in_order(disk):
    entries = read_journal(disk, "r1")
    assert [e.kind for e in entries] == ["asked", "replied", "decided"]
    assert journal_bodies(disk, "r1") == [body for _, body in STORY]
    assert entries[1].previous == digest_of(entries[0].to_bytes())


@pytest.mark.clause("KER-JRN-01")
def test_a_run_is_taken_up_where_it_stopped(disk):
    Journal(disk, "r1").append("more", b"!")
    assert [e.kind for e in read_journal(disk, "r1")][-1] == "more"


@pytest.mark.clause("KER-JRN-01")
def test_a_run_that_never_began_has_no_entries_and_the_others_are_listed(disk):
    assert read_journal(disk, "r2") == ()
    Journal(disk, "r0").append("asked", b"")
    assert runs(disk) == ["r0", "r1"]


@pytest.mark.clause("KER-JRN-02")
@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_flipped_bit_of_every_entry_is_noticed(disk, number):
    name = f"journals/r1/{number:08d}"
    sound = disk.files[name]
    for bit in range(len(sound) * 8):
        flipped = bytearray(sound)
        flipped[bit // 8] ^= 1 << bit % 8
        disk.files[name] = bytes(flipped)
        with pytest.raises(IntegrityError):
            read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-02")
@pytest.mark.parametrize("number", [0, 1])
def test_an_entry_taken_out_of_the_middle_is_noticed(disk, number):
    del disk.files[f"journals/r1/{number:08d}"]
    with pytest.raises(BrokenChainError, match="missing or doubled"):
        read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-02")
def test_an_entry_edited_with_a_new_seal_breaks_the_chain_after_it(disk):
    first = read_journal(disk, "r1")[0]
    edited = Entry("asked", digest_of(b"what?"), first.previous)
    disk.files["journals/r1/00000000"] = edited.to_bytes()
    with pytest.raises(BrokenChainError, match="00000001: does not follow"):
        read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-02")
@pytest.mark.parametrize("name", ["00000001-copy", "0", "00000005"])
def test_a_foreign_entry_is_noticed(disk, name):
    disk.files[f"journals/r1/{name}"] = disk.files["journals/r1/00000001"]
    with pytest.raises(BrokenChainError):
        read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-02")
@pytest.mark.parametrize(
    "value",
    [
        [],
        {"body": 1, "kind": "a", "previous": None},
        {"body": "x", "kind": "a", "previous": None},
    ],
)
def test_what_is_not_an_entry_is_refused(disk, value):
    disk.files["journals/r1/00000003"] = canonical_json(value)
    with pytest.raises(GarbledRecordError, match="00000003"):
        read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-02")
def test_an_entry_that_names_no_blob_is_refused():
    disk = MemoryDisk({"journals/r/00000000": Entry("a", "nonsense", None).to_bytes()})
    with pytest.raises(GarbledRecordError, match="names no blob"):
        read_journal(disk, "r")


@pytest.mark.clause("KER-JRN-02")
def test_a_body_that_is_gone_is_noticed(disk):
    del disk.files[blob_path(digest_of(b"because"))]
    with pytest.raises(DanglingManifestError, match="journals/r1/00000001"):
        journal_bodies(disk, "r1")


@pytest.mark.clause("KER-JRN-05")
def test_a_lost_end_is_noticed_by_whoever_kept_the_head(disk):
    head = Journal(disk, "r1").head
    assert len(read_journal(disk, "r1", head=head)) == 3
    del disk.files["journals/r1/00000002"]
    assert len(read_journal(disk, "r1")) == 2
    with pytest.raises(BrokenChainError, match="does not end where it should"):
        read_journal(disk, "r1", head=head)


@pytest.mark.clause("KER-JRN-03")
def test_the_second_of_two_writers_is_told_so(disk):
    first, second = Journal(disk, "r1"), Journal(disk, "r1")
    first.append("more", b"a")
    with pytest.raises(EntryTakenError, match="00000003"):
        second.append("more", b"b")
    assert journal_bodies(disk, "r1")[-1] == b"a"


@pytest.mark.clause("KER-JRN-01")
@pytest.mark.parametrize("run", ["", "..", "a/b", ".a", "a b", "x" * 101])
def test_a_run_has_a_plain_name(run):
    with pytest.raises(BadNameError):
        Journal(MemoryDisk(), run)


@pytest.mark.clause("KER-JRN-04")
def test_the_same_run_again_replays_to_the_end(disk):
    replay = Replay(disk, "r1")
    replay.append("asked", b"why?")
    assert replay.recorded("replied") == b"because"
    replay.append("decided", b"yes")
    replay.finish()


@pytest.mark.clause("KER-JRN-04")
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_replay_stops_at_the_first_body_that_differs(disk, number):
    replay = Replay(disk, "r1")
    for kind, body in STORY[:number]:
        replay.append(kind, body)
    with pytest.raises(ReplayDiffersError, match=f"r1/{number:08d}"):
        replay.append(STORY[number][0], b"other")


@pytest.mark.clause("KER-JRN-04")
def test_a_replay_stops_at_another_kind_of_entry(disk):
    with pytest.raises(ReplayDiffersError, match="has asked, the replay has decided"):
        Replay(disk, "r1").append("decided", b"why?")
    with pytest.raises(ReplayDiffersError):
        Replay(disk, "r1").recorded("replied")


@pytest.mark.clause("KER-JRN-04")
def test_a_replay_that_goes_on_or_stops_early_differs(disk):
    replay = Replay(disk, "r1")
    for kind, body in STORY[:2]:
        replay.append(kind, body)
    with pytest.raises(ReplayDiffersError, match="nothing more"):
        replay.finish()
    replay.append(*STORY[2])
    with pytest.raises(ReplayDiffersError, match="nothing more"):
        replay.append("decided", b"yes")
