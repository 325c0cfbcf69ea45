"""What every benchmark shares: its options, its last line, and how it runs the product.

The last line on stdout is one JSON object, ``{"bench", "ok", "figures", "limits", "n",
"cpu_s"}``; the exit code is 0 when every figure keeps its limit and 1 when one does not.
"""

import argparse
import contextlib
import csv
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller asked for."""

    data: Path | None  # files never seen before, in the layout that the benchmark documents
    full: bool  # everything, however long it takes
    write: Path | None = None  # only where a benchmark can write out what it measures


def options(argv: Sequence[str] | None, about: str | None, *, writes: bool = False) -> Options:
    """Read ``[--data PATH] [--full]`` and, where it applies, ``[--write DIR]``."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="measure on this file or folder instead")
    parser.add_argument("--full", action="store_true", help="measure everything")
    if writes:
        parser.add_argument("--write", type=Path, help="write the inputs here and stop")
    given = parser.parse_args(argv)
    return Options(given.data, given.full, getattr(given, "write", None))


def shared_data() -> Path:
    """The data that nobody here wrote; ``WITMARK_DATA`` or the folder beside the project."""
    return Path(os.environ.get("WITMARK_DATA", ROOT.parent / "shared" / "data"))


def step_files(data: Path | None, *, kind: str | None = None) -> list[Path]:
    """The STEP files of a folder: those its ``manifest.csv`` names, else all of them.

    ``kind`` keeps the rows of that kind (``assembly``) and needs a manifest.
    """
    folder = data or shared_data() / "step"
    if folder.is_file():
        return [folder]
    manifest = folder / "manifest.csv"
    if not manifest.is_file():
        return sorted(p for p in folder.rglob("*") if p.suffix.lower() in {".step", ".stp"})
    with manifest.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if kind in (None, row["kind"])]
    # The manifest counts from the folder that holds ``step``.
    return [folder / Path(row["file"]).relative_to("step") for row in rows]


@dataclass
class Stopwatch:
    """CPU seconds of this process since the start, and of children that said theirs."""

    begun_s: float = field(default_factory=time.process_time)
    children_s: float = 0.0

    @property
    def cpu_s(self) -> float:
        """All CPU seconds so far."""
        return time.process_time() - self.begun_s + self.children_s


def finish(  # noqa: PLR0913  # the last line has these parts
    bench: str,
    watch: Stopwatch,
    *,
    figures: Mapping[str, object],
    limits: Mapping[str, object],
    n: int,
    ok: bool,
) -> int:
    """Print the last line; the value is the exit code. Nothing measured is never fine."""
    ok = ok and n > 0
    line = {
        "bench": bench,
        "ok": ok,
        "figures": figures,
        "limits": limits,
        "n": n,
        "cpu_s": round(watch.cpu_s, 2),
    }
    print(json.dumps(line, ensure_ascii=False), flush=True)
    return 0 if ok else 1


# ---------------------------------------------------------------- the product, as a command


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run of the command did, its whole process tree measured."""

    code: int | None  # None: it did not end in time and was killed
    stdout: str
    stderr: str
    wall_s: float
    cpu_s: float
    peak_mb: float


def run_witmark(
    arguments: Sequence[str],
    *,
    source: Path = ROOT / "src",
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    limit_s: float = 600.0,
) -> Ran:
    """Run ``python -m witmark …`` from this source tree and watch its memory and time."""
    settings = {**os.environ, "PYTHONPATH": str(source), **(environment or {})}
    begun = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, "-m", "witmark", *arguments],
        cwd=cwd,
        env=settings,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    watcher = TreeWatcher(child.pid)
    watcher.start()
    try:
        out, err = child.communicate(timeout=limit_s)
        code: int | None = child.returncode
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        code = None
    watcher.stop()
    return Ran(code, out, err, time.monotonic() - begun, watcher.cpu_s, watcher.peak_mb)


class TreeWatcher(Thread):
    """Looks at a process and all its descendants twenty times a second.

    The kernel works in a worker that the system does not count among our children, so its
    memory and time are read while it lives. The figures are the last ones seen and may miss
    a twentieth of a second. Without ``/proc`` they stay NaN.
    """

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._ended = Event()
        self._cpu_ticks: dict[int, int] = {}
        self.peak_mb = float("nan")

    @property
    def cpu_s(self) -> float:
        """CPU seconds of every process of the tree that was ever seen."""
        return sum(self._cpu_ticks.values()) / TICKS_PER_S if self._cpu_ticks else float("nan")

    def run(self) -> None:
        """Sample until told to stop."""
        while not self._ended.wait(0.05):
            self._sample()

    def stop(self) -> None:
        """End the sampling."""
        self._ended.set()
        self.join()

    def _sample(self) -> None:
        table = _processes()
        tree, grew = {self._root}, True
        while grew:
            more = {pid for pid, (parent, _, _) in table.items() if parent in tree} - tree
            tree |= more
            grew = bool(more)
        alive = tree & table.keys()
        for pid in alive:
            self._cpu_ticks[pid] = table[pid][1]
        if alive:
            now_mb = sum(table[pid][2] for pid in alive) * PAGE_BYTES / 1e6
            self.peak_mb = (
                now_mb
                if now_mb > self.peak_mb or self.peak_mb != self.peak_mb
                else self.peak_mb
            )


def _processes() -> dict[int, tuple[int, int, int]]:
    """Of every process: its parent, its CPU ticks, its resident pages."""
    table = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended while we looked
            words = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            table[int(folder.name)] = (
                int(words[1]),
                int(words[11]) + int(words[12]),
                int(words[21]),
            )
    return table


# ---------------------------------------------------------------- the product, in this process


def witmark_here(arguments: Sequence[str]) -> tuple[int, str]:
    """Run the command inside this process: its exit code and what it printed."""
    from witmark.cli import main as command  # noqa: PLC0415  # imported when measured

    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            command(list(arguments))
    except SystemExit as ended:
        code = ended.code
        return (code if isinstance(code, int) else int(code is not None)), printed.getvalue()
    return 0, printed.getvalue()


Verdicts = list[dict[str, object]]


@contextlib.contextmanager
def reviewer(watch: Stopwatch) -> Iterator[Callable[[Path], Verdicts]]:
    """The product's own review of one file after another: no pictures, no report folder.

    When it ends, the CPU time of the reader's worker is on the watch.
    """
    from witmark.bootstrap import review_desk  # noqa: PLC0415  # imported when measured
    from witmark.review.use_cases import ReviewRequest, review_file  # noqa: PLC0415

    with review_desk(None) as desk:

        def verdicts(path: Path) -> Verdicts:
            report = review_file(ReviewRequest(path, pictures=0), desk).report
            return list(report["verdicts"])

        yield verdicts
        watch.children_s += desk.reader.cpu_s
