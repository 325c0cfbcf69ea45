"""What stands where the library should be: nothing, ours, an older one, a newer one, junk."""

import os
import sqlite3
from contextlib import closing

import apsw
import pytest

from witmark.adapters.sqlite import SqliteLibrary, SqliteShelf, library, opening
from witmark.answers.ports import Change
from witmark.kernel.errors import (
    DiskError,
    InputError,
    IntegrityError,
    OutsideError,
    one_line,
)
from witmark.testing.noting import note, relation


def made(path):
    ours = SqliteLibrary(path)
    ours.apply(Change(upserted=(note("a.md", ": water " * 3000), note("b.md"))))
    ours.put_edges("import:x", [relation("import:x", "a.md", "b.md")], ())
    ours.close()
    return path


@pytest.mark.clause("ANS-LIB-06")
def test_an_index_of_an_older_version_is_brought_up_to_date_with_all_it_holds(
    tmp_path, monkeypatch
):
    path = made(tmp_path / "index.sqlite3")
    step = "CREATE TABLE later(word TEXT); INSERT INTO later SELECT path FROM note;"
    monkeypatch.setattr(library, "LIBRARY_STEPS", (*opening.LIBRARY_STEPS, step))
    for _ in range(2):  # a step is taken once
        ours = SqliteLibrary(path)
        assert list(ours._db.execute("SELECT count(*) FROM later")) == [(2,)]
        assert len(ours.edges_of("import:x")) == 1
        ours.close()


def test_a_step_that_fails_leaves_the_older_version(tmp_path, monkeypatch):
    path = made(tmp_path / "index.sqlite3")
    step = "DELETE FROM note; SELECT no_such_function();"
    with monkeypatch.context() as patched:
        patched.setattr(library, "LIBRARY_STEPS", (*opening.LIBRARY_STEPS, step))
        with pytest.raises(apsw.SQLError, match="no_such_function"):
            SqliteLibrary(path)
    assert SqliteLibrary(path).state().documents == 2


@pytest.mark.clause("ANS-LIB-06")
def test_an_index_of_a_newer_version_is_refused_with_the_way_out(tmp_path):
    path = made(tmp_path / "index.sqlite3")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(InputError, match="newer version") as caught:
        SqliteLibrary(path)
    assert "delete" in one_line(caught.value)
    assert "ingest again" in one_line(caught.value)
    assert path.read_bytes() == before


def test_a_file_of_another_program_is_not_touched(tmp_path):
    path = tmp_path / "theirs.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE theirs(x)")
    before = path.read_bytes()
    with pytest.raises(InputError, match="not written by this program"):
        SqliteLibrary(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("junk", [b"# a note, not an index\n" * 100, os.urandom(20_000)])
@pytest.mark.clause("ANS-LIB-06")
def test_a_file_that_is_no_database_is_damaged(tmp_path, junk):
    path = tmp_path / "index.sqlite3"
    path.write_bytes(junk)
    with pytest.raises(IntegrityError) as caught:
        SqliteLibrary(path)
    assert f"delete {path}; the next ingest rebuilds it" in one_line(caught.value)
    assert "imported edges" in one_line(caught.value)


def test_a_damaged_page_is_named_when_it_is_met(tmp_path):
    path = made(tmp_path / "index.sqlite3")
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(IntegrityError, match="damaged"):
        SqliteLibrary(path).document("a.md")


def test_a_shelf_that_is_damaged_is_not_to_be_deleted(tmp_path):
    path = tmp_path / "runs.sqlite3"
    path.write_bytes(b"junk" * 1000)
    with pytest.raises(IntegrityError) as caught:
        SqliteShelf(path)
    assert "restore" in one_line(caught.value)
    assert "delete" not in one_line(caught.value)


def test_a_place_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(DiskError, match="cannot be opened"):
        SqliteLibrary(tmp_path / "nowhere" / "index.sqlite3")


def test_a_shelf_of_an_older_version_knows_its_newest_run_as_the_last(tmp_path):
    path = tmp_path / "runs.sqlite3"
    db = opening.opened(path, opening.SHELF_STEPS[:1], loses="", synchronous="FULL")
    db.execute("INSERT INTO run(id, record) VALUES ('b', x'00'), ('a', x'00')")
    db.close()
    with closing(SqliteShelf(path)) as ours:
        assert ours.last_run() == "a"
        assert list(ours.run_ids()) == ["b", "a"]


def test_runs_that_another_process_writes_to_are_not_said_to_be_ingested(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "BUSY_MS", 1)
    path = tmp_path / "runs.sqlite3"
    with closing(SqliteShelf(path)) as ours, closing(SqliteShelf(path)) as theirs:
        with opening.transaction(theirs._db), pytest.raises(OutsideError) as caught:
            ours.put_run("a", b"")
        ours.put_run("a", b"")
    said = one_line(caught.value)
    assert said.startswith(f"outside.library-busy: {path}: another process is writing to it;")
    assert "ingest" not in said
