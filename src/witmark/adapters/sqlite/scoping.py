"""A scope as SQL: which notes, languages and atoms it allows."""

import json
from collections.abc import Sequence

import apsw
import numpy as np
import numpy.typing as npt

from witmark.adapters.sqlite.searching import WordIndex
from witmark.adapters.sqlite.segments import Alive
from witmark.answers.asking import ScopeRequest

_AFTER_SLASH = "0"  # the character after the slash: all paths below a folder lie between


def allowed(db: apsw.Connection, index: WordIndex, scope: ScopeRequest) -> Alive:
    """Which slots of the index a scope allows."""
    found = index.alive.copy()
    if scope.corpora or scope.document_ids or scope.path_prefixes:
        found &= _among(index.columns["note"], _notes(db, scope))
    if scope.languages:
        query = "SELECT no FROM language WHERE code IN (SELECT value FROM json_each(?))"
        found &= _among(index.columns["language"], _numbers(db, query, scope.languages))
    if scope.atom_ids:
        query = "SELECT no FROM name WHERE id IN (SELECT value FROM json_each(?))"
        found &= _among(index.columns["atom"], _numbers(db, query, scope.atom_ids))
    return found


def _among(column: npt.NDArray[np.int32], numbers: Sequence[int]) -> Alive:
    """Where a column holds one of some numbers; ``np.isin`` sorts the whole of it."""
    table = np.zeros(int(column.max(initial=0)) + 1, np.bool_)
    wanted = np.array(numbers, np.int64)
    table[wanted[wanted < len(table)]] = True
    found: Alive = table[column]
    return found


def _notes(db: apsw.Connection, scope: ScopeRequest) -> list[int]:
    fields = (
        [
            _below(corpus) if corpus else ("instr(path, '/') = 0", [])
            for corpus in scope.corpora
        ],
        [("path = ?", [str(document_id)]) for document_id in scope.document_ids],
        [_at_or_below(prefix.rstrip("/")) for prefix in scope.path_prefixes],
    )
    found: set[int] | None = None
    for conditions in fields:
        if conditions:
            some = _any(db, conditions)
            found = some if found is None else found & some
    return sorted(found or ())


def _any(db: apsw.Connection, conditions: Sequence[tuple[str, list[str]]]) -> set[int]:
    """One query each: any number of them is allowed, and each walks an index."""
    return {
        number
        for condition, values in conditions
        for (number,) in db.execute(f"SELECT no FROM note WHERE {condition}", values)  # noqa: S608 - our own conditions
    }


def _below(folder: str) -> tuple[str, list[str]]:
    return "path >= ? AND path < ?", [f"{folder}/", f"{folder}{_AFTER_SLASH}"]


def _at_or_below(prefix: str) -> tuple[str, list[str]]:
    if not prefix:
        return "1", []
    below, values = _below(prefix)
    return f"path = ? OR ({below})", [prefix, *values]


def _numbers(db: apsw.Connection, query: str, values: Sequence[str]) -> list[int]:
    return [number for (number,) in db.execute(query, (json.dumps(list(values)),))]
