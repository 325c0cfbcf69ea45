"""A workspace of 100,000 atoms: how fast it is indexed, changed and asked.

The notes are made from a seed (``made_notes``) and written to a temporary folder, where the
index lies as well. Measured, all of it CPU time of the process that does the work:

1. MB of Markdown that are indexed per second, from nothing;
2. one note changed, until its new word is found: p95;
3. a whole question through ``AnswersRoom.ask`` (plan, scope, retrieve, assemble, compose,
   review, record), of every intent, in both languages, names spelled in several ways: p95
   (``ASKS`` questions, after ``WARM_UP`` others);
4. ``witmark ask`` as a command of its own, with compiled modules: the median of some runs.

Without ``--full`` it has 10,000 atoms and the same limits hold. ``--data`` takes a folder of
notes instead, of which a copy is measured.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench.common import ROOT, Stopwatch, finish, options
from bench.made_notes import SEED, workspace
from bench.made_questions import questions

if TYPE_CHECKING:
    from witmark.bootstrap.answering import AnswersRoom

CHANGES = 20
ASKS, WARM_UP = 240, 24
COLD_RUNS = 3
TODAY = "2026-01-01"
LIMITS = {
    "index_mb_per_s": 2.0,
    "one_change_ms": 100.0,
    "ask_p95_ms": 25.0,
    "cold_ask_cpu_s": 0.8,
}


@dataclass
class Measured:
    """What was measured; every figure with a limit is named like the limit."""

    figures: dict[str, object] = field(default_factory=dict)
    is_fine: bool = True

    def put(self, **figures: float | str | Mapping[str, float]) -> None:
        """Keep figures, and see whether they keep their limits."""
        for name, value in figures.items():
            self.figures[name] = round(value, 3) if isinstance(value, float) else value
            if name in LIMITS and isinstance(value, float):
                least = name == "index_mb_per_s"
                self.is_fine &= value >= LIMITS[name] if least else value <= LIMITS[name]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print the last line."""
    asked = options(argv, __doc__)
    watch = Stopwatch()
    measured = Measured()
    with tempfile.TemporaryDirectory() as place:
        notes = Path(place) / "notes"
        size = _write(_given(asked.data) if asked.data else _made(full=asked.full), notes)
        os.environ["WITMARK_HOME"] = str(Path(place) / "home")
        n = _measure(notes, size / 1e6, measured, watch)
    figures = measured.figures
    return finish("scale", watch, figures=figures, limits=LIMITS, n=n, ok=measured.is_fine)


def _measure(notes: Path, size_mb: float, measured: Measured, watch: Stopwatch) -> int:
    from witmark.bootstrap.answering import AnswersRoom  # noqa: PLC0415  # imported when measured

    room = AnswersRoom(str(notes), day=lambda: TODAY)
    begun = time.process_time()
    report = room.refresh()
    took_s = time.process_time() - begun
    state = room.library.state()
    measured.put(
        notes=len(report.added),
        atoms=state.atoms,
        edges=state.relation_edges,
        mb=size_mb,
        index_mb_per_s=size_mb / took_s,
    )
    measured.put(one_change_ms=_p95(list(_changes(notes, room))))
    _ask_all(room, measured)
    room.close()
    _ask_cold(notes, measured, watch)
    return len(report.added)


# The notes ---------------------------------------------------------------------------


def _made(*, full: bool) -> Iterator[tuple[str, bytes]]:
    yield from workspace(100_000 if full else 10_000).items()


def _given(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The notes of a folder, which itself is only read."""
    from witmark.adapters.vault import FolderVault  # noqa: PLC0415

    vault = FolderVault(folder)
    for file in vault.scan().files:
        yield file.path, vault.read(file.path)


def _write(notes: Iterator[tuple[str, bytes]], folder: Path) -> int:
    size = 0
    for path, raw in notes:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)
        size += len(raw)
    return size


# Changing ----------------------------------------------------------------------------


def _changes(notes: Path, room: "AnswersRoom") -> Iterator[float]:
    """CPU ms of some changes, each of one note, until its new word can be searched."""
    from witmark.adapters.markdown import ComrakParser  # noqa: PLC0415
    from witmark.answers.asking import ScopeRequest  # noqa: PLC0415
    from witmark.answers.ingesting import ingest_paths  # noqa: PLC0415

    dice = random.Random(SEED)  # noqa: S311  # reproducible, not secret
    paths = list(room.library.stamps())
    parser = ComrakParser()
    for number in range(CHANGES):
        path = dice.choice(paths)
        word = f"zqx{number}jv"
        with (notes / path).open("ab") as file:
            file.write(f"\n\n{word} was added.\n".encode())
        begun = time.process_time()
        ingest_paths(room.vault, parser, room.library, [path])
        found = room.library.search([word], ScopeRequest(), limit=5)
        yield (time.process_time() - begun) * 1000
        if not found:
            raise AssertionError(f"{word} is not found after {path} changed")


# Asking ------------------------------------------------------------------------------


def _ask_all(room: "AnswersRoom", measured: Measured) -> None:
    from witmark.answers.intent import intent_of  # noqa: PLC0415

    titles = [title for _, title in room.library.titles()]
    every = list(questions(titles, ASKS + WARM_UP))
    for question in every[:WARM_UP]:
        room.ask(question)
    times, answered = [], 0
    for question in every[WARM_UP:]:
        begun = time.process_time()
        said = room.ask(question)
        times.append((time.process_time() - begun) * 1000)
        answered += b'"answered":true' in said
    intents = Counter(intent_of(question).value for question in every[WARM_UP:])
    measured.put(
        asks=len(times),
        intents=dict(sorted(intents.items())),
        answered=answered,
        ask_p50_ms=median(times),
        ask_p95_ms=_p95(times),
        ask_max_ms=max(times),
    )


def _ask_cold(notes: Path, measured: Measured, watch: Stopwatch) -> None:
    """The command as a user runs it, the index being there; the first run compiles."""
    settings = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    settings.pop("PYTHONDONTWRITEBYTECODE", None)
    title = next(iter(sorted(notes.rglob("*.md")))).read_text("utf-8").partition("\n# ")[2]
    asked = f"What is {title.partition(chr(10))[0] or notes.name}?"
    command = [sys.executable, "-m", "witmark", "ask", asked, "--workspace", str(notes)]
    cpu, wall = [], []
    for _ in range(1 + COLD_RUNS):
        before, begun = _children_s(), time.monotonic()
        ran = subprocess.run(command, env=settings, capture_output=True, check=False)
        wall.append(time.monotonic() - begun)
        cpu.append(_children_s() - before)
        if ran.returncode not in {0, 1}:
            raise AssertionError(f"ask ended with {ran.returncode}: {ran.stderr!r}")
    watch.children_s += sum(cpu)
    measured.put(cold_ask_cpu_s=median(cpu[1:]), cold_ask_wall_s=median(wall[1:]))


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[-(-len(times) * 95 // 100) - 1]


if __name__ == "__main__":
    sys.exit(main())
