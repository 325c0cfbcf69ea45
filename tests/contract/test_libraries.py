"""Every library keeps the same promises, and so does every shelf."""

import pytest

from witmark.adapters.sqlite import SqliteLibrary, SqliteShelf
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.library_contract import LibraryContract
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
