"""A record that was edited, cut in the middle, forked or played differently is noticed."""

import pytest

from witmark.kernel.canon import digest_of
from witmark.kernel.errors import (
    BadNameError,
    BrokenChainError,
    EntryTakenError,
    GarbledRecordError,
    IntegrityError,
    ReplayDiffersError,
)
from witmark.kernel.journal import (
    Entry,
    Journal,
    Replay,
    journal_bodies,
    parse_journal,
    read_journal,
    runs,
)
from witmark.testing.disks import MemoryDisk

STORY = [("asked", "why?"), ("replied", {"text": "because"}), ("decided", True)]
PLACE = "journals/r1.jsonl"


@pytest.fixture
def disk():
    disk = MemoryDisk()
    journal = Journal(disk, "r1")
    for kind, body in STORY:
        journal.append(kind, body)
    return disk


def lines(disk):
    return disk.files[PLACE].splitlines(keepends=True)


@pytest.mark.clause("KER-JRN-01")
def test_a_run_is_read_back_in_order(disk):
    entries = read_journal(disk, "r1")
    assert [e.kind for e in entries] == ["asked", "replied", "decided"]
    assert journal_bodies(disk, "r1") == [body for _, body in STORY]
    assert entries[1].previous == digest_of(entries[0].to_bytes())


@pytest.mark.clause("KER-JRN-01")
def test_a_run_is_taken_up_where_it_stopped(disk):
    again = Journal(disk, "r1")
    assert [e.kind for e in again.entries] == [kind for kind, _ in STORY]
    again.append("more", "!")
    assert [e.kind for e in read_journal(disk, "r1")][-1] == "more"


@pytest.mark.clause("KER-JRN-01")
def test_a_run_is_one_file_of_a_line_per_entry(disk):
    assert list(disk.files) == [PLACE]
    assert len(lines(disk)) == 3


@pytest.mark.clause("KER-JRN-01")
def test_a_run_that_never_began_has_no_entries_and_the_others_are_listed(disk):
    assert read_journal(disk, "r2") == ()
    Journal(disk, "r0").append("asked", "")
    disk.write_new("journals/r0.lock", b"")
    assert runs(disk) == ["r0", "r1"]


@pytest.mark.clause("KER-JRN-02")
def test_every_flipped_bit_of_a_record_is_noticed(disk):
    sound = disk.files[PLACE]
    for bit in range(len(sound) * 8):
        flipped = bytearray(sound)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(IntegrityError):
            parse_journal(bytes(flipped), place=PLACE)


@pytest.mark.clause("KER-JRN-02")
@pytest.mark.parametrize("number", [0, 1])
def test_an_entry_taken_out_of_the_middle_is_noticed(disk, number):
    kept = lines(disk)
    del kept[number]
    disk.files[PLACE] = b"".join(kept)
    with pytest.raises(BrokenChainError, match=f":{number + 1}: does not follow"):
        read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-02")
def test_an_entry_edited_with_a_new_seal_breaks_the_chain_after_it(disk):
    first, *rest = lines(disk)
    edited = Entry("asked", "what?", None).to_bytes() + b"\n"
    assert edited != first
    disk.files[PLACE] = edited + b"".join(rest)
    with pytest.raises(BrokenChainError, match=r"r1\.jsonl:2: does not follow"):
        read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-02")
@pytest.mark.parametrize("at", [0, 1, 3])
def test_a_doubled_entry_is_noticed(disk, at):
    kept = lines(disk)
    kept.insert(at, kept[1])
    disk.files[PLACE] = b"".join(kept)
    with pytest.raises(BrokenChainError):
        read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-02")
@pytest.mark.parametrize("line", [b"[]", b"", b'{"kind":"a"}', b'{"body": 1}'])
def test_what_is_not_an_entry_is_refused(disk, line):
    disk.files[PLACE] += line + b"\n"
    with pytest.raises(GarbledRecordError, match=r"r1\.jsonl:4"):
        read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-02")
def test_an_entry_that_names_no_blob_is_refused():
    line = Entry("a", 1, None, ("nonsense",)).to_bytes() + b"\n"
    with pytest.raises(GarbledRecordError, match="names what is no blob"):
        read_journal(MemoryDisk({"journals/r.jsonl": line}), "r")


@pytest.mark.clause("KER-JRN-06")
@pytest.mark.parametrize(
    "torn", [b"", b"{", b'{"blobs":[],"body"', b"\0\0\0\n", b'{"a\0\0"}\n']
)
def test_what_a_crash_left_of_a_line_is_no_entry_and_is_replaced(disk, torn):
    disk.files[PLACE] += torn
    assert len(read_journal(disk, "r1")) == 3
    Journal(disk, "r1").append("more", 4)
    assert journal_bodies(disk, "r1")[3:] == [4]
    assert len(lines(disk)) == 4


@pytest.mark.clause("KER-JRN-06")
def test_a_line_whose_break_alone_did_not_arrive_is_torn_and_one_with_another_end_changed(disk):
    """The break may be the first byte of a page, and a page that did not arrive is zeros."""
    whole = disk.files[PLACE][:-1]
    disk.files[PLACE] = whole + b"\0"
    assert len(read_journal(disk, "r1")) == 2
    Journal(disk, "r1").append("more", 4)
    assert journal_bodies(disk, "r1")[2:] == [4]
    disk.files[PLACE] = whole + b"\x0b"
    with pytest.raises(GarbledRecordError, match="its end was changed"):
        read_journal(disk, "r1")


@pytest.mark.clause("KER-JRN-05")
def test_a_lost_end_is_noticed_by_whoever_kept_the_head(disk):
    head = Journal(disk, "r1").head
    assert len(read_journal(disk, "r1", head=head)) == 3
    disk.files[PLACE] = b"".join(lines(disk)[:2])
    assert len(read_journal(disk, "r1")) == 2
    with pytest.raises(BrokenChainError, match="does not end where it should"):
        read_journal(disk, "r1", head=head)


@pytest.mark.clause("KER-JRN-03")
def test_the_second_of_two_writers_is_told_so(disk):
    first, second = Journal(disk, "r1"), Journal(disk, "r1")
    first.append("more", "a")
    with pytest.raises(EntryTakenError, match=r"r1\.jsonl:4"):
        second.append("more", "b")
    assert journal_bodies(disk, "r1")[-1] == "a"


@pytest.mark.clause("KER-JRN-01")
@pytest.mark.parametrize("run", ["", "..", "a/b", ".a", "a b", "x" * 101])
def test_a_run_has_a_plain_name(run):
    with pytest.raises(BadNameError):
        Journal(MemoryDisk(), run)


@pytest.mark.clause("KER-JRN-04")
def test_the_same_run_again_replays_to_the_end(disk):
    replay = Replay(disk, "r1")
    replay.append("asked", "why?")
    assert replay.recorded("replied") == {"text": "because"}
    replay.append("decided", True)
    replay.finish()


@pytest.mark.clause("KER-JRN-04")
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_replay_stops_at_the_first_body_that_differs(disk, number):
    replay = Replay(disk, "r1")
    for kind, body in STORY[:number]:
        replay.append(kind, body)
    with pytest.raises(ReplayDiffersError, match=rf"r1\.jsonl:{number + 1}"):
        replay.append(STORY[number][0], "other")


@pytest.mark.clause("KER-JRN-04")
def test_a_replay_stops_at_another_kind_of_entry(disk):
    with pytest.raises(ReplayDiffersError, match="has asked, the replay has decided"):
        Replay(disk, "r1").append("decided", "why?")
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
        replay.append("decided", "yes")
