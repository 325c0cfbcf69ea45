"""A name that only an edge knows has the number it would have in any other library."""

from pathlib import Path

from witmark.adapters.sqlite import SqliteLibrary
from witmark.answers.atoms import AtomId
from witmark.answers.edges import RelationKind, TemporalKind
from witmark.answers.ports import Change
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.noting import note, relation, window


def test_ends_are_numbered_note_by_note_relations_before_time(tmp_path: Path) -> None:
    replaced = window("a.md", "a.md#", "old.md#", TemporalKind.SUPERSEDES, "", "")
    needed = relation("a.md", "base.md#", "a.md#", RelationKind.PREREQUISITE, 1.0)
    meant = relation("b.md", "b.md#", "far.md#", RelationKind.REFERENCE, 1.0)
    first = Change(
        upserted=(
            note("a.md", ": one", edges=[needed], temporal=[replaced]),
            note("b.md", ": two", edges=[meant]),
        )
    )
    paths = ("base.md", "far.md", "old.md")
    later = Change(upserted=tuple(note(path, ": late") for path in paths))
    asked = [AtomId(f"{path}#") for path in paths]
    numbers = []
    for library in (MemoryLibrary(), SqliteLibrary(tmp_path / "library.sqlite3")):
        library.apply(first)
        library.apply(later)
        numbers.append(library.numbers(asked))
    assert numbers[0] == numbers[1] == dict(zip(asked, (3, 5, 4), strict=True))
