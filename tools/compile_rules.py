"""Compile the rule cards of a book, or check that the compiled halves are up to date.

python tools/compile_rules.py [--check] [BOOK_FOLDER]
"""

import argparse
import sys
from pathlib import Path

from witmark.adapters.cards.reader import read_cards
from witmark.kernel.errors import InputError
from witmark.review.rulebook.compile import compile_book
from witmark.review.rulebook.index import INDEX_FILE
from witmark.review.rulebook.rule import STORE_FILE

BOOK = Path(__file__).parent.parent / "src/witmark/review/rulebooks/machined-parts"


def main(arguments: list[str]) -> int:
    """Exit 0 if all is well, 1 if a compiled half has drifted, 2 if a card is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("book", nargs="?", type=Path, default=BOOK)
    parser.add_argument("--check", action="store_true", help="write nothing; report drift")
    asked = parser.parse_args(arguments)
    try:
        compiled = compile_book(asked.book.name, read_cards(asked.book))
    except InputError as wrong:
        print(f"{wrong}\n  {wrong.hint}", file=sys.stderr)
        return 2
    halves = {asked.book / INDEX_FILE: compiled.index, asked.book / STORE_FILE: compiled.store}
    return _check(halves) if asked.check else _write(halves)


def _check(halves: dict[Path, bytes]) -> int:
    stale = [path for path, data in halves.items() if _read(path) != data]
    for path in stale:
        print(f"{path.name} is not what the cards say; run tools/compile_rules.py")
    return 1 if stale else 0


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _write(halves: dict[Path, bytes]) -> int:
    for path, data in halves.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        print(f"{path.name}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
