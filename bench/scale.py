"""A workspace of 100,000 atoms: how fast it is indexed, changed and asked.

The workspace is made from a seed, in memory: words of a Zipf vocabulary, English and
Chinese notes, links, front matter relations, titles that are mentioned. Its index is a file
in a temporary folder. Without ``--full`` it has 10,000 atoms and the same limits hold.
``--data`` takes a folder of notes to index instead; then only that is measured.
"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.common import Stopwatch, finish, options

ATOMS_PER_NOTE = 10
WORDS_PER_ATOM = 75
VOCABULARY = 20_000
SEED = 20260303
CHANGES = 20
LIMITS = {"index_mb_per_s": 2.0, "one_change_ms": 100.0}


@dataclass(frozen=True, slots=True)
class Author:
    """Writes notes that look like notes: few words often, most words seldom."""

    dice: random.Random
    titles: tuple[str, ...]
    words: tuple[str, ...]
    weights: tuple[float, ...]
    han: tuple[str, ...]

    def note(self, number: int) -> str:
        """The text of a note; every other one is Chinese."""
        front = [f"title: {self.titles[number]}"]
        if number % 5 == 0 and number:
            front.append(f'prerequisites: ["[[{self.titles[self.dice.randrange(number)]}]]"]')
        if number % 9 == 0:
            front.append(f"aliases: [{self.titles[number]} note]")
        lines = ["---", *front, "---", f"# {self.titles[number]}", "", self._text(number)]
        for section in range(1, ATOMS_PER_NOTE):
            lines += ["", f"## {self._words(2, number)} {section}", "", self._text(number)]
        return "\n".join(lines) + "\n"

    def _text(self, number: int) -> str:
        said = self._words(WORDS_PER_ATOM, number)
        other = self.titles[self.dice.randrange(len(self.titles))]
        if self.dice.random() < 0.3:
            said += f" [[{other}]]"
        elif self.dice.random() < 0.4:
            said += f" {other}"
        return said + ("。" if number % 2 else ".")

    def _words(self, count: int, number: int) -> str:
        chosen = self.dice.choices(
            self.han if number % 2 else self.words, self.weights, k=count
        )
        return ("" if number % 2 else " ").join(chosen)


def workspace(atoms: int) -> dict[str, bytes]:
    """The notes of a workspace of so many atoms; the same ones every time."""
    dice = random.Random(SEED)  # noqa: S311  # reproducible, not secret
    words = tuple(_distinct(_latin(dice) for _ in iter(int, 1)))
    han = tuple(_distinct(_han(dice) for _ in iter(int, 1)))
    weights = tuple(1 / rank for rank in range(1, VOCABULARY + 1))
    count = atoms // ATOMS_PER_NOTE
    rare = range(VOCABULARY // 10, VOCABULARY)
    titles = tuple(
        han[dice.choice(rare)] + han[dice.choice(rare)]
        if number % 2
        else f"{words[dice.choice(rare)]} {words[dice.choice(rare)]}"
        for number in range(count)
    )
    author = Author(dice, titles, words, weights, han)
    return {f"c{n % 7}/{n:06}.md": author.note(n).encode() for n in range(count)}


def _distinct(made: Iterator[str]) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        found[next(made)] = None
    return list(found)


def _latin(dice: random.Random) -> str:
    parts = (
        dice.choice("bcdfghklmnprstvw") + dice.choice("aeiou")
        for _ in range(dice.randint(2, 4))
    )
    return "".join(parts)


def _han(dice: random.Random) -> str:
    return chr(dice.randrange(0x4E00, 0x5E00)) + chr(dice.randrange(0x4E00, 0x5E00))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print the last line."""
    from witmark.adapters.markdown import ComrakParser  # noqa: PLC0415  # imported when measured
    from witmark.adapters.sqlite import SqliteLibrary  # noqa: PLC0415
    from witmark.adapters.vault import FolderVault  # noqa: PLC0415
    from witmark.answers.ingesting import ingest  # noqa: PLC0415
    from witmark.testing.vaults import MemoryVault  # noqa: PLC0415

    asked = options(argv, __doc__)
    watch = Stopwatch()
    notes = {} if asked.data else workspace(100_000 if asked.full else 10_000)
    vault = FolderVault(asked.data) if asked.data else MemoryVault(notes)
    size_mb = sum(file.size for file in vault.scan().files) / 1e6
    parser = ComrakParser()
    with tempfile.TemporaryDirectory() as folder:
        library = SqliteLibrary(Path(folder) / "library.sqlite3")
        begun = time.process_time()
        report = ingest(vault, parser, library)
        took_s = time.process_time() - begun
        figures: dict[str, object] = {
            "notes": len(report.added),
            "atoms": library.state().atoms,
            "edges": library.state().relation_edges,
            "mb": round(size_mb, 2),
            "index_mb_per_s": round(size_mb / took_s, 2),
        }
        ok = size_mb / took_s >= LIMITS["index_mb_per_s"]
        if isinstance(vault, MemoryVault):
            slowest = _changes(vault, parser, library)
            figures["one_change_ms"] = round(slowest, 1)
            ok = ok and slowest <= LIMITS["one_change_ms"]
        library.close()
    return finish("scale", watch, figures=figures, limits=LIMITS, n=len(report.added), ok=ok)


def _changes(vault, parser, library) -> float:  # type: ignore[no-untyped-def] # noqa: ANN001 - the ones above
    """CPU ms of the slower changes (p95), each of one note, until it can be searched."""
    from witmark.answers.asking import ScopeRequest  # noqa: PLC0415
    from witmark.answers.ingesting import ingest_paths  # noqa: PLC0415

    dice = random.Random(SEED)  # noqa: S311  # reproducible, not secret
    paths = [file.path for file in vault.scan().files]
    times = []
    for number in range(CHANGES):
        path = dice.choice(paths)
        word = f"zqx{number}jv"
        vault.write(path, vault.read(path) + f"\n{word} was added.\n".encode())
        begun = time.process_time()
        ingest_paths(vault, parser, library, [path])
        found = library.search([word], ScopeRequest(), limit=5)
        times.append((time.process_time() - begun) * 1000)
        if not found:
            raise AssertionError(f"{word} is not found after {path} changed")
    return sorted(times)[-(-len(times) * 95 // 100) - 1]


if __name__ == "__main__":
    sys.exit(main())
