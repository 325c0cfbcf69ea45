"""The library and the shelf of a workspace, each in one SQLite file."""

from witmark.adapters.sqlite.library import SqliteLibrary
from witmark.adapters.sqlite.shelf import SqliteShelf

__all__ = ["SqliteLibrary", "SqliteShelf"]
