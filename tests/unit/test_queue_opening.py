"""What stands where the queue should be: nothing, ours, a newer one, another's, junk."""

import sqlite3
from contextlib import closing

import apsw
import pytest
from powerless import as_nobody, open_folder

from witmark.adapters.queue import SqliteQueue, opening
from witmark.adapters.queue.errors import (
    DamagedQueueError,
    NewerQueueError,
    NotAQueueError,
    QueueBusyError,
)
from witmark.kernel.errors import DiskError, one_line
from witmark.testing.dispatch_contract import job
from witmark.testing.models import SteadyClock

pytestmark = pytest.mark.clause("DIA-QUE-05")


def made(path, many=3):
    queue = SqliteQueue(path, SteadyClock())
    queue.enqueue([job(f"c{n:04}") for n in range(many)])
    queue.close()
    return path


def test_what_a_call_did_is_on_the_disk_when_it_returns(tmp_path):
    queue = SqliteQueue(tmp_path / "queue.sqlite3", SteadyClock())
    pragmas = [
        list(queue._db.execute(f"PRAGMA {one}")) for one in ("journal_mode", "synchronous")
    ]
    assert pragmas == [[("wal",)], [(2,)]]  # 2 is FULL
    queue.close()


def test_a_queue_of_an_older_version_is_brought_up_to_date_with_all_it_holds(
    tmp_path, monkeypatch
):
    path = made(tmp_path / "queue.sqlite3")
    step = "CREATE TABLE later(word TEXT); INSERT INTO later SELECT case_id FROM job;"
    monkeypatch.setattr(opening, "STEPS", (*opening.STEPS, step))
    for _ in range(2):  # a step is taken once
        with closing(SqliteQueue(path, SteadyClock())) as queue:
            assert list(queue._db.execute("SELECT count(*) FROM later")) == [(3,)]
            assert len(queue.entries()) == 3


def test_a_newer_queue_is_refused_with_the_way_out(tmp_path):
    path = made(tmp_path / "queue.sqlite3")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(NewerQueueError, match="newer version") as caught:
        SqliteQueue(path, SteadyClock())
    assert "--rebuild" in one_line(caught.value)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "queue.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE theirs(x)")
    before = path.read_bytes()
    with pytest.raises(NotAQueueError):
        SqliteQueue(path, SteadyClock())
    assert path.read_bytes() == before


def test_what_is_no_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "queue.sqlite3"
    path.write_bytes(b"junk" * 2_000)
    with pytest.raises(DamagedQueueError) as caught:
        SqliteQueue(path, SteadyClock())
    assert "witmark work --rebuild" in one_line(caught.value)
    assert path.read_bytes() == b"junk" * 2_000


def test_damage_inside_is_told_and_nothing_is_claimed(tmp_path):
    path = made(tmp_path / "queue.sqlite3", many=2_000)
    with closing(apsw.Connection(str(path))) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = bytearray(path.read_bytes())
    raw[4096 * 2 :] = b"\xff" * (len(raw) - 4096 * 2)
    path.write_bytes(raw)
    with closing(SqliteQueue(path, SteadyClock())) as queue, pytest.raises(DamagedQueueError):
        queue.claim(2_000)


def test_a_queue_that_may_not_be_written_is_a_fault_of_the_disk():
    with open_folder() as folder:
        path = made(folder / "queue.sqlite3")
        path.chmod(0o444)
        folder.chmod(0o555)
        before = path.read_bytes()
        with as_nobody(), pytest.raises(DiskError):
            SqliteQueue(path, SteadyClock()).claim()
        assert path.read_bytes() == before


def test_a_folder_where_the_file_should_be_is_a_fault_of_the_disk(tmp_path):
    (tmp_path / "queue.sqlite3").mkdir()
    with pytest.raises(DiskError):
        SqliteQueue(tmp_path / "queue.sqlite3", SteadyClock())


def test_who_does_not_get_his_turn_is_told_so_and_may_ask_again(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "BUSY_MS", 20)
    path = made(tmp_path / "queue.sqlite3")
    with closing(SqliteQueue(path, SteadyClock())) as queue:
        with closing(apsw.Connection(str(path))) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(QueueBusyError):
                queue.claim()
        assert [lease.job for lease in queue.claim()] == [job("c0000")]
