"""How a file of ours is opened: made, brought up to date, or refused with the way out.

``PRAGMA user_version`` is the number of steps a file has been through. A step, once
released, is never edited: a new format is a new step at the end.
"""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw

from witmark.adapters.sqlite.errors import NewerLibraryError, NotALibraryError, refusals
from witmark.adapters.sqlite.seals import sealed_value

BUSY_MS = 5_000
"""How long a writer waits for another."""

LOG_BYTES = 16 << 20
"""What the write-ahead log shrinks to after a large change."""

APPLICATION = 0x5769746D  # "Witm"; tells our files from those of other programs

LIBRARY_STEPS: Sequence[str] = (
    """
    CREATE TABLE library(generation INTEGER NOT NULL, next_row INTEGER NOT NULL);
    INSERT INTO library VALUES (0, 1);
    CREATE TABLE name(no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE);
    CREATE TABLE note(
      no INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
      source_hash TEXT NOT NULL, stamp_hash TEXT NOT NULL, size INTEGER NOT NULL,
      mtime_ns INTEGER NOT NULL,
      facts TEXT NOT NULL);
    CREATE TABLE source(note INTEGER PRIMARY KEY, text BLOB NOT NULL);
    CREATE TABLE atom(
      no INTEGER PRIMARY KEY, note INTEGER NOT NULL, ordinal INTEGER NOT NULL,
      head TEXT NOT NULL, text TEXT NOT NULL, runs BLOB NOT NULL, passages BLOB NOT NULL);
    CREATE UNIQUE INDEX atom_of_note ON atom(note, ordinal);
    CREATE TABLE alias(
      key TEXT NOT NULL, note INTEGER NOT NULL, rule TEXT NOT NULL, surface TEXT NOT NULL,
      PRIMARY KEY (key, note, rule, surface)) WITHOUT ROWID;
    CREATE INDEX alias_of_note ON alias(note);
    CREATE TABLE failure(said TEXT NOT NULL);
    CREATE TABLE relation(
      owner TEXT NOT NULL UNIQUE, edges BLOB NOT NULL, digests BLOB NOT NULL,
      spans BLOB NOT NULL);
    CREATE TABLE mark(id TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX mark_of_owner ON mark(owner);
    CREATE TABLE temporal(
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, source INTEGER NOT NULL,
      target INTEGER NOT NULL, kind TEXT NOT NULL, valid_from TEXT NOT NULL,
      valid_to TEXT NOT NULL, source_hash TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX temporal_of_owner ON temporal(owner);
    CREATE TABLE language(no INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE);
    CREATE TABLE segment(
      id INTEGER PRIMARY KEY AUTOINCREMENT, first_block INTEGER NOT NULL,
      alive BLOB NOT NULL, fences BLOB NOT NULL, columns BLOB NOT NULL);
    CREATE TABLE block(id INTEGER PRIMARY KEY AUTOINCREMENT, postings BLOB NOT NULL);
    """,
    """
    CREATE TABLE use(
      name TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (name, note)) WITHOUT ROWID;
    CREATE INDEX use_of_note ON use(note);
    """,
    """
    UPDATE relation SET edges = sealed(edges), digests = sealed(digests);
    UPDATE segment SET
      alive = sealed(alive), fences = sealed(fences), columns = sealed(columns);
    UPDATE block SET postings = sealed(postings);
    UPDATE atom SET runs = sealed(runs), passages = sealed(passages);
    """,
    # The words were known by other keys: every note is left as an ingest that was cut short
    # leaves it (PENDING), and the next one takes it up.
    """
    DELETE FROM block;
    DELETE FROM segment;
    UPDATE note SET mtime_ns = -1;
    """,
)

SHELF_STEPS: Sequence[str] = (
    """
    CREATE TABLE run(
      no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, record BLOB NOT NULL);
    CREATE TABLE session(
      id TEXT PRIMARY KEY, version INTEGER NOT NULL, state BLOB NOT NULL) WITHOUT ROWID;
    """,
    """
    CREATE TABLE last_run(only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL);
    INSERT INTO last_run SELECT 1, id FROM run ORDER BY no DESC LIMIT 1;
    """,
)


def opened(
    path: Path, steps: Sequence[str], *, loses: str, synchronous: str
) -> apsw.Connection:
    """Open a file, making it or bringing it up to date first.

    Args:
        path: The file; its folder must be there.
        steps: What makes each format out of the one before.
        loses: What its loss would mean; the hint when it is damaged.
        synchronous: SQLite's word: ``NORMAL`` if it can be rebuilt, else ``FULL``.

    Raises:
        NewerLibraryError: a later version wrote it.
        NotALibraryError: another program wrote it.
        DamagedLibraryError: it is not a whole database.
        LibraryBusyError: another process is bringing it up to date.
        DiskError: the disk refuses.
    """
    with refusals(path, loses=loses):
        db = apsw.Connection(str(path))
        try:
            db.set_busy_timeout(BUSY_MS)
            db.create_scalar_function("sealed", sealed_value, 1, deterministic=True)
            db.execute("PRAGMA page_size = 8192")
            _check(db, path, len(steps))
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(f"PRAGMA synchronous = {synchronous}")
            db.execute("PRAGMA cache_size = -32768")
            db.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
            _bring_up_to_date(db, path, steps)
        except BaseException:
            db.close()
            raise
        return db


@contextlib.contextmanager
def transaction(db: apsw.Connection) -> Iterator[None]:
    """Hold the writer's lock; commit at the end, or leave everything as it was."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # some refusals have rolled it back already
            db.execute("ROLLBACK")
        raise


def _bring_up_to_date(db: apsw.Connection, path: Path, steps: Sequence[str]) -> None:
    if _number(db, "user_version") == len(steps):
        return
    with transaction(db):
        done = _check(db, path, len(steps))
        for step in steps[done:]:
            db.execute(step)
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute(f"PRAGMA user_version = {len(steps)}")


def _check(db: apsw.Connection, path: Path, known: int) -> int:
    """Return how many steps the file has been through; refuse what is not for us."""
    version, application = _number(db, "user_version"), _number(db, "application_id")
    if application != APPLICATION and (version or _number(db, "schema_version")):
        raise NotALibraryError(path)
    if version > known:
        raise NewerLibraryError(path, version, known)
    return version


def _number(db: apsw.Connection, pragma: str) -> int:
    [(number,)] = db.execute(f"PRAGMA {pragma}")
    return int(number)
