"""Names get their numbers at once or one after the other, the same ones."""

from pathlib import Path

import apsw
import pytest

from witmark.adapters.sqlite.names import Names
from witmark.adapters.sqlite.opening import LIBRARY_STEPS, opened
from witmark.answers.atoms import AtomId

NAMES = [AtomId(name) for name in ("b#", "a#", "b#", 'say "c"#', "a#x")]


@pytest.fixture
def db(tmp_path: Path) -> apsw.Connection:
    place = tmp_path / "library.sqlite3"
    return opened(place, LIBRARY_STEPS, loses="nothing", synchronous="OFF")


def table(db: apsw.Connection) -> list[tuple[int, str]]:
    return list(db.execute("SELECT no, id FROM name ORDER BY no"))


def test_names_given_at_once_are_numbered_in_their_order(db: apsw.Connection) -> None:
    names = Names(db)
    names.give(NAMES)
    assert table(db) == [(1, "b#"), (2, "a#"), (3, 'say "c"#'), (4, "a#x")]
    assert [names.number(name) for name in NAMES] == [1, 2, 1, 3, 4]
    assert table(db)[-1] == (4, "a#x")  # asking made none


def test_a_name_that_is_there_keeps_its_number(db: apsw.Connection) -> None:
    Names(db).number(AtomId("a#"))
    names = Names(db)
    names.give(NAMES)
    assert [names.number(name) for name in NAMES] == [2, 1, 2, 3, 4]


def test_a_number_is_never_given_twice(db: apsw.Connection) -> None:
    Names(db).give(NAMES)
    db.execute("DELETE FROM name WHERE no = 4")
    names = Names(db)
    names.give([AtomId("new#"), AtomId("b#")])
    assert [names.number(AtomId("new#")), names.number(AtomId("b#"))] == [5, 1]


def test_giving_known_names_writes_nothing(db: apsw.Connection) -> None:
    names = Names(db)
    names.give(NAMES)
    db.execute("INSERT INTO language(code) VALUES ('en')")  # another table's last number
    names.give(NAMES)
    Names(db).give(NAMES)
    assert len(table(db)) == 4
