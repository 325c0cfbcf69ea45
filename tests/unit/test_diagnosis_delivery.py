"""The hand-over of a validated change request: once, whole, and never over anything."""

import json
import os
import threading
from pathlib import Path

import pytest
from change_bench import HERE, DictOutbox, Phase5, copy_of
from powerless import as_nobody, open_folder

from witmark.adapters.disk import PosixDisk, whole_folders
from witmark.adapters.outbox import FolderOutbox
from witmark.adapters.outbox.folder import NoOutboxError, OtherDeliveryError
from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.auditing import HANDED_OVER
from witmark.diagnosis.case import Phase, Routing, State
from witmark.diagnosis.change_request.delivering import (
    FORMAT,
    DeliveryHeldError,
    Handover,
    OtherOutboxError,
    RejectedByPersonError,
)
from witmark.diagnosis.change_request.form import schemas
from witmark.diagnosis.lifecycle import MissingStageError
from witmark.diagnosis.package import Package, StaleCaseError
from witmark.diagnosis.plain import read_artefact
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import (
    BrokenChainError,
    DiskError,
    IntegrityError,
    OutsideError,
)
from witmark.kernel.journal import read_journal
from witmark.testing.disks import FailingDisk, FullDisk, MemoryDisk, PowerCut

FILES = {"a.json": b"{}", "b.md": b"# b\n"}


@pytest.fixture(scope="module")
def made():
    one = Phase5()
    one.change()
    return one


@pytest.fixture
def ready(made):
    return copy_of(made)


# Handing over -----------------------------------------------------------------------------


@pytest.mark.clause("DIA-SEED-72", "DIA-DEL-01")
def test_a_validated_change_request_is_put_whole_and_marked(ready):
    done = ready.deliver()
    outbox = ready.outboxes["out"]
    assert (done.was_there, done.outbox) == (False, "out")
    [(name, files)] = outbox.held.items()
    assert name == done.id
    names = {"change_request.json", "change_request.md", "policy.json", "validation.json"}
    assert set(files) == {*names, "handover.json"}
    assert all(files[one] == ready.files[f"{HERE}{one}"] for one in names)
    assert ready.manifest.state is State.OUTPUT_READY
    assert ready.manifest.routing is Routing.OUTPUT
    assert ready.manifest.last(Phase.DELIVERY).bindings == {"id": name, "outbox": "out"}


@pytest.mark.clause("DIA-DEL-01")
def test_what_lies_in_a_delivery_can_be_checked_by_whoever_takes_it(ready):
    ready.deliver()
    [(name, files)] = ready.outboxes["out"].held.items()
    told = read_artefact(FORMAT, Handover, files["handover.json"], place="handover.json")
    assert told.id == name
    assert dict(told.files) == {
        one: digest_of(raw) for one, raw in files.items() if one != "handover.json"
    }
    plain = json.loads(files["handover.json"])
    assert set(plain["value"]) == set(
        schemas()["handover-1"]["properties"]["value"]["required"]
    )


@pytest.mark.clause("DIA-DEL-02")
def test_a_second_call_puts_nothing_and_changes_nothing_wherever_it_points(ready):
    first = ready.deliver()
    ready.deliver()
    before = dict(ready.files)
    for to in ("out", "elsewhere"):
        again = ready.deliver(to)
        assert (again.id, again.outbox, again.was_there) == (first.id, "out", True)
    assert ready.files == before
    assert [one.puts for one in ready.outboxes.values()] == [1]
    lines = read_journal(ready.package.disk, "audit")
    assert len([one for one in lines if one.kind == HANDED_OVER]) == 1


@pytest.mark.clause("DIA-DEL-02")
def test_what_was_taken_away_by_its_reader_is_not_put_again(ready):
    ready.deliver()
    ready.outboxes["out"].held.clear()
    assert ready.deliver().was_there
    assert ready.outboxes["out"].held == {}


@pytest.mark.clause("DIA-DEL-03")
def test_nothing_is_handed_over_that_was_not_validated_or_is_not_fresh(ready):
    with pytest.raises(MissingStageError):
        Phase5().deliver()
    ready.files["inputs/report.md"] += b"?"
    with pytest.raises(StaleCaseError):
        ready.deliver()
    assert ready.outboxes == {}


@pytest.mark.clause("DIA-DEL-03")
def test_a_rejection_after_the_validation_stops_the_hand_over(ready):
    ready.say("rejected")
    with pytest.raises(RejectedByPersonError):
        ready.deliver()
    assert ready.outboxes == {}
    ready.say("accepted")
    assert not ready.deliver().was_there


@pytest.mark.clause("DIA-DEL-03")
def test_a_new_revision_is_another_delivery(ready):
    ready.deliver()
    CaseAssembler(ready, ready.clock).reopen(ready.package, ready.manifest)
    with pytest.raises(MissingStageError):
        ready.deliver()


# Crashes ------------------------------------------------------------------------------------


@pytest.mark.clause("DIA-DEL-04")
@pytest.mark.parametrize("kind", [FailingDisk, FullDisk])
@pytest.mark.parametrize("then", ["out", "elsewhere"])
def test_a_crash_before_any_write_ends_in_one_delivery_wherever_the_next_call_points(
    made, kind, then
):
    deaths = 0
    for left in range(10):
        one = copy_of(made)
        dying = Phase5(Package(kind(one.files, writes_left=left)))
        try:
            dying.deliver()
            break
        except (PowerCut, DiskError):
            deaths += 1
        again = Phase5(Package(MemoryDisk(one.files)))
        again.outboxes = dying.outboxes
        again.deliver(then)
        assert sum(one.puts for one in again.outboxes.values()) == 1
        assert again.deliver().was_there
    assert deaths == 3  # the intent, the mark, the line of the audit record


@pytest.mark.clause("DIA-DEL-04")
@pytest.mark.parametrize("moment", ["before_put", "after_put"])
@pytest.mark.parametrize("then", ["out", "elsewhere"])
def test_a_crash_around_the_put_ends_in_one_delivery(ready, moment, then):
    def cut():
        raise PowerCut

    setattr(ready.outbox("out"), moment, cut)
    with pytest.raises(PowerCut):
        ready.deliver()
    setattr(ready.outbox("out"), moment, lambda: None)
    done = ready.deliver(then)
    assert done.was_there == (moment == "after_put")
    assert done.outbox == ("out" if moment == "after_put" else then)
    assert sum(one.puts for one in ready.outboxes.values()) == 1


@pytest.mark.clause("DIA-DEL-04")
def test_an_outbox_that_cannot_be_asked_any_more_is_not_passed_over(ready):
    """It may hold the delivery, so another one would be the second."""

    def cut():
        raise PowerCut

    ready.outbox("out").after_put = cut
    with pytest.raises(PowerCut):
        ready.deliver()
    ready.outbox("out").stands = False
    with pytest.raises(OtherOutboxError):
        ready.deliver("elsewhere")
    assert ready.outbox("elsewhere").puts == 0


@pytest.mark.clause("DIA-DEL-04")
def test_an_error_of_the_outbox_is_told_and_the_next_call_goes_on(ready):
    def refuse():
        raise DiskError("no space left on device", place="out")

    ready.outbox("out").before_put = refuse
    with pytest.raises(OutsideError):
        ready.deliver()
    ready.outbox("out").before_put = lambda: None
    assert not ready.deliver().was_there


# Two at once, and strangers ---------------------------------------------------------


@pytest.mark.clause("DIA-DEL-05")
def test_whoever_comes_while_another_is_at_it_is_told_and_puts_nothing(ready):
    met = []

    def other():
        with pytest.raises(DeliveryHeldError):
            ready.deliver("elsewhere")
        met.append(True)

    def meanwhile():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    ready.outbox("out").before_put = meanwhile
    ready.deliver()
    assert met
    assert {name: one.puts for name, one in ready.outboxes.items()} == {"out": 1}


@pytest.mark.clause("DIA-DEL-05")
def test_of_many_at_once_on_a_real_disk_one_puts_it(made, tmp_path):
    root = tmp_path / "package"
    for name, raw in made.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    told, together = [], threading.Barrier(6)

    def one():
        mine = Phase5(Package(PosixDisk(root)))
        mine.outbox = lambda name: FolderOutbox(tmp_path / name)
        together.wait()
        try:
            told.append(mine.deliver().was_there)
        except DeliveryHeldError:
            told.append(None)

    threads = [threading.Thread(target=one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told.count(False) == 1
    assert len(told) == 6
    assert len(names(tmp_path / "out")) == 1


@pytest.mark.clause("DIA-DEL-06")
def test_something_else_of_the_same_name_is_an_integrity_error_and_stays(ready):
    name = copy_of(ready).deliver().id
    ready.outboxes["out"] = DictOutbox("out", {name: {"x": b"mine"}})
    for _ in range(2):
        with pytest.raises(IntegrityError):
            ready.deliver()
    assert ready.outboxes["out"].held == {name: {"x": b"mine"}}
    assert ready.manifest.last(Phase.DELIVERY) is None


@pytest.mark.clause("DIA-DEL-07")
def test_a_mark_that_went_missing_is_noticed_and_nothing_is_put_again(ready):
    newest = ready.deliver().manifest.generation
    del ready.files[f"manifests/{newest:08d}.json"]
    ready.outboxes["out"].held.clear()
    with pytest.raises(BrokenChainError, match="handed over"):
        ready.deliver()
    assert ready.outboxes["out"].held == {}


@pytest.mark.clause("DIA-DEL-07")
def test_a_package_that_was_tampered_with_hands_nothing_over(ready):
    for name in [n for n in ready.files if n.startswith(HERE)]:
        one = copy_of(ready)
        one.files[name] += b" "
        with pytest.raises(IntegrityError):
            one.deliver()
        assert one.outboxes == {}


# The folder -----------------------------------------------------------------------------------


@pytest.mark.clause("DIA-DEL-08")
def test_a_delivery_appears_whole_in_a_folder_that_is_made_for_it(tmp_path):
    outbox = FolderOutbox(tmp_path / "not" / "yet")
    assert not outbox.stands
    assert not outbox.holds("one", FILES)
    outbox.make()
    assert outbox.stands
    outbox.put("one", FILES)
    assert outbox.stands
    assert outbox.holds("one", FILES)
    there = tmp_path / "not" / "yet"
    assert [one.name for one in there.iterdir()] == ["one"]
    assert {p.name: p.read_bytes() for p in (there / "one").iterdir()} == FILES


@pytest.mark.clause("DIA-DEL-08")
def test_a_file_is_no_outbox(tmp_path):
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone" / "far")
    with pytest.raises(NoOutboxError):
        FolderOutbox(tmp_path / "file").make()
    FolderOutbox(tmp_path / "nowhere").make()
    assert (tmp_path / "gone" / "far").is_dir()


@pytest.mark.clause("DIA-DEL-08")
def test_putting_it_again_is_no_error_and_writes_nothing(tmp_path):
    outbox = FolderOutbox(tmp_path)
    outbox.put("one", FILES)
    before = (tmp_path / "one").stat().st_mtime_ns, names(tmp_path)
    outbox.put("one", FILES)
    assert ((tmp_path / "one").stat().st_mtime_ns, names(tmp_path)) == before


def names(folder):
    return sorted(one.name for one in folder.iterdir())


def _file(target):
    target.write_bytes(b"mine")


def _link(target):
    other = target.parent / "other"
    FolderOutbox(target.parent).put("other", FILES)
    target.symlink_to(other)


def _less(target):
    target.mkdir()
    (target / "a.json").write_bytes(b"{}")


def _more(target):
    FolderOutbox(target.parent).put(target.name, {**FILES, "c": b"?"})


def _other(target):
    FolderOutbox(target.parent).put(target.name, {**FILES, "b.md": b"# c\n"})


def _empty(target):
    target.mkdir()


@pytest.mark.clause("DIA-DEL-06")
@pytest.mark.parametrize("stands", [_file, _link, _less, _more, _other, _empty])
def test_what_stands_there_is_never_overwritten(tmp_path, stands):
    stands(tmp_path / "one")
    before = _seen(tmp_path)
    with pytest.raises(OtherDeliveryError):
        FolderOutbox(tmp_path).put("one", FILES)
    assert _seen(tmp_path) == before


def _seen(folder):
    return sorted(
        (str(p.relative_to(folder)), p.read_bytes() if p.is_file() else b"")
        for p in folder.rglob("*")
    )


@pytest.mark.clause("DIA-DEL-05")
def test_another_writer_that_is_first_this_very_moment_is_believed_only_with_the_same_files(
    tmp_path, monkeypatch
):
    real = whole_folders.rename_new

    def beaten(files):
        def rename(source, target, **more):
            monkeypatch.setattr(whole_folders, "rename_new", real)
            FolderOutbox(tmp_path).put(Path(target).name, files)
            return real(source, target, **more)

        return rename

    monkeypatch.setattr(whole_folders, "rename_new", beaten(FILES))
    FolderOutbox(tmp_path).put("one", FILES)
    assert names(tmp_path) == ["one"]
    monkeypatch.setattr(whole_folders, "rename_new", beaten({"x": b""}))
    with pytest.raises(OtherDeliveryError):
        FolderOutbox(tmp_path).put("two", FILES)
    assert names(tmp_path) == ["one", "two"]
    assert names(tmp_path / "two") == ["x"]


@pytest.mark.clause("DIA-DEL-08")
def test_what_a_dead_writer_left_is_hidden_and_swept_when_it_is_old(tmp_path):
    old, young = tmp_path / ".0123.staging", tmp_path / ".4567.staging"
    for one in (old, young):
        one.mkdir()
        (one / "a.json").write_bytes(b"{")
    os.utime(old, (1, 1))
    FolderOutbox(tmp_path).put("one", FILES)
    assert names(tmp_path) == [".4567.staging", "one"]


@pytest.mark.clause("DIA-DEL-08")
def test_a_folder_that_cannot_be_written_to_is_told_with_its_place(tmp_path):
    FolderOutbox(tmp_path).put("one", FILES)  # loads what is loaded late
    with open_folder() as closed:
        closed.chmod(0o555)
        with as_nobody(), pytest.raises(DiskError, match=closed.name):
            FolderOutbox(closed).put("one", FILES)
        assert list(closed.iterdir()) == []


@pytest.mark.clause("DIA-DEL-08")
def test_the_same_folder_has_one_name_whatever_way_leads_to_it(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    ways = ("out", "./out", "link", "out/../out")
    assert {FolderOutbox(Path(one)).name for one in ways} == {str(tmp_path / "out")}
