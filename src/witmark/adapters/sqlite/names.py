"""Numbers of atom ids, those that no atom bears yet or any more included."""

from collections.abc import Iterable, Sequence

import apsw

from witmark.adapters.sqlite.seals import DamagedRowsError
from witmark.answers.atoms import AtomId


class Names:
    """Numbers names within one transaction. A number, once given, stays with its name.

    Attributes:
        numbers: Those that were asked for or given so far.
    """

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self.numbers: dict[AtomId, int] = {}
        self._is_whole = False

    def read_all(self) -> None:
        """Read every name at once; then a name that is not among them is new."""
        self.numbers = dict(self._db.execute("SELECT id, no FROM name"))
        self._is_whole = True

    def number(self, name: AtomId) -> int:
        """Return a name's number; a new name gets the next one."""
        if (number := self.numbers.get(name)) is None:
            self.give((name,))
            number = self.numbers[name]
        return number

    def give(self, names: Iterable[AtomId]) -> None:
        """Number many names at once, as ``number`` would one after the other."""
        asked = [name for name in dict.fromkeys(names) if name not in self.numbers]
        known = {} if self._is_whole else self._standing(asked)
        new = [name for name in asked if name not in known]
        self._db.executemany("INSERT INTO name(id) VALUES (?)", [(name,) for name in new])
        last = self._db.last_insert_rowid()
        self.numbers.update(known)
        self.numbers.update(zip(new, range(last - len(new) + 1, last + 1), strict=True))

    def _standing(self, names: Sequence[AtomId]) -> dict[AtomId, int]:
        query = "SELECT id, no FROM name WHERE id = ?"
        return dict(self._db.executemany(query, [(name,) for name in names]))

    def name(self, number: int) -> AtomId:
        """Return the name of a number that was given."""
        return name_of(self._db, number)

    def below(self, document: str) -> list[tuple[int, AtomId]]:
        """Every name of a note's atoms, but for those that another note's atom bears."""
        query = """
            SELECT name.no, name.id FROM name LEFT JOIN atom ON atom.no = name.no
            LEFT JOIN note ON note.no = atom.note
            WHERE id >= ? AND id < ? AND coalesce(note.path, ?) = ? ORDER BY name.no
        """
        found = self._db.execute(query, (f"{document}#", f"{document}$", document, document))
        return [(number, AtomId(name)) for number, name in found]

    def standing(self, name: AtomId) -> int | None:
        """Return the number of a name that is known, or ``None``."""
        found = self._db.execute("SELECT no FROM name WHERE id = ?", (name,)).fetchone()
        return int(found[0]) if found else None

    def rename(self, names: dict[int, AtomId]) -> None:
        """Give numbers other names; who bore one of these and is not among them loses it."""
        gone = [self.standing(name) for name in names.values()]
        self._db.executemany(
            "DELETE FROM name WHERE no = ?", [(no,) for no in gone if no not in names]
        )
        self._db.executemany(
            "UPDATE name SET id = ? WHERE no = ?", [(f"\0{no}", no) for no in names]
        )
        self._db.executemany(
            "UPDATE name SET id = ? WHERE no = ?", [(name, no) for no, name in names.items()]
        )
        self.numbers.clear()
        self._is_whole = False


def name_of(db: apsw.Connection, number: int) -> AtomId:
    """Return the name of a number that was given."""
    found = db.execute("SELECT id FROM name WHERE no = ?", (number,)).fetchone()
    if found is None:
        raise DamagedRowsError(f"no name has the number {number}")
    return AtomId(found[0])
