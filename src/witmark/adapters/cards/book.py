"""A compiled rulebook on disk, read whole: its index, its store, and their very bytes."""

from pathlib import Path

import witmark.review
from witmark.review.ports import Rulebook
from witmark.review.rulebook.index import INDEX_FILE, RulebookError, load_index
from witmark.review.rulebook.rule import STORE_FILE
from witmark.review.rulebook.store import load_store

LARGEST_HALF_BYTES = 16 * 1024 * 1024


def bundled(name: str = "machined-parts") -> Path:
    """The folder of a rulebook that comes with Witmark."""
    return Path(witmark.review.__file__).parent / "rulebooks" / name


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
