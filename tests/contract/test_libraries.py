"""Every library keeps the same promises, and so does every shelf."""

import pytest

from witmark.adapters.sqlite import SqliteLibrary, SqliteShelf
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.library_contract import LibraryContract, found, put
from witmark.testing.noting import note
from witmark.testing.shelf_contract import ShelfContract
from witmark.testing.shelves import MemoryShelf


class TestMemoryLibrary(LibraryContract):
    @pytest.fixture
    def library(self):
        return MemoryLibrary()


class TestSqliteLibrary(LibraryContract):
    @pytest.fixture
    def library(self, tmp_path):
        library = SqliteLibrary(tmp_path / "index.sqlite3")
        yield library
        library.close()


def test_what_another_writes_is_seen_by_the_next_reading(tmp_path):
    one, other = (SqliteLibrary(tmp_path / "index.sqlite3") for _ in range(2))
    put(other, note("a.md", ": water"))
    with one.reading():
        assert found(one, "water") == ["a.md#"]
        put(other, note("b.md", ": water"))
        assert found(one, "water") == ["a.md#"]
        assert one.document("b.md") is None
    assert found(one, "water") == ["a.md#", "b.md#"]
    one.close()
    other.close()


class TestMemoryShelf(ShelfContract):
    @pytest.fixture
    def shelf(self):
        return MemoryShelf()


class TestSqliteShelf(ShelfContract):
    @pytest.fixture
    def shelf(self, tmp_path):
        shelf = SqliteShelf(tmp_path / "runs.sqlite3")
        yield shelf
        shelf.close()
