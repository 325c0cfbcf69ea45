"""A rulebook on disk, as cards or compiled: its index, its store, and their very bytes."""

import os
from pathlib import Path

import witmark.review
from witmark.adapters.cards.reader import read_cards
from witmark.review.ports import Rulebook, rulebook_of
from witmark.review.rulebook.compile import compile_book
from witmark.review.rulebook.index import INDEX_FILE, RulebookError, load_index
from witmark.review.rulebook.rule import STORE_FILE
from witmark.review.rulebook.store import load_store

LARGEST_HALF_BYTES = 16 * 1024 * 1024


def bundled(name: str = "machined-parts") -> Path:
    """The folder of a rulebook that comes with Witmark."""
    return Path(witmark.review.__file__).parent / "rulebooks" / name


def open_rulebook(folder: Path) -> Rulebook:
    """A book of the user's own: cards are compiled on the spot; without any, both halves.

    Cards win over compiled halves beside them, which may be older.

    Raises:
        CardError: a card does not compile, with file and line.
        RulebookError: there is no such folder, or it holds neither cards nor halves.
    """
    if not folder.is_dir():
        why = "no such folder" if not folder.exists() else "not a folder"
        raise RulebookError(f"{folder}: {why}", hint="give a folder that holds rule cards")
    if not any(folder.glob("*.md")) and not (folder / INDEX_FILE).exists():
        why = f"{folder}: no card (*.md) and no compiled rulebook in it"
        raise RulebookError(why, hint="docs/rulebook.md shows how a card is written")
    if not any(folder.glob("*.md")):
        return read_rulebook(folder)
    name = os.fsencode(folder.resolve().name).decode("utf-8", errors="backslashreplace")
    compiled = compile_book(name, read_cards(folder))
    return rulebook_of(compiled.index, compiled.store)


def read_rulebook(folder: Path) -> Rulebook:
    """Read both halves and see that they belong together.

    Raises:
        RulebookError: a half is missing, unreadable or of another version, or the index
            names a rule that the store does not have.
    """
    index_raw, store_raw = _read(folder / INDEX_FILE), _read(folder / STORE_FILE)
    index, store = load_index(index_raw), load_store(store_raw)
    for entry in index.eligible:
        store.open(entry.rule_id)
    return Rulebook(index.name, index, store, index_raw, store_raw)


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST_HALF_BYTES:
            raise RulebookError(f"{path.name} is larger than {LARGEST_HALF_BYTES} bytes")
        return path.read_bytes()
    except OSError as wrong:
        raise RulebookError(f"{path.name}: {wrong.strerror}") from wrong
