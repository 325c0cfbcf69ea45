"""Real deaths and real refusals: one forked process per system call, with strace attached.

Strace kills the process when it enters its n-th call of a name, or lets that call fail.
Attaching to a fork that has everything loaded keeps a run at a few hundredths of a second,
and its count of calls begins with the life itself.
"""

import ctypes
import gc
import json
import multiprocessing
import os
import re
import resource
import select
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from witmark.kernel.errors import DiskError, WitmarkError

WRITES = (
    *("open", "openat", "openat2", "creat", "mkdir", "mkdirat", "rmdir"),
    *("write", "pwrite64", "writev", "pwritev", "ftruncate", "truncate", "fallocate"),
    *("fsync", "fdatasync", "sync_file_range", "flock"),
    *("link", "linkat", "rename", "renameat", "renameat2", "unlink", "unlinkat"),
)
READS = ("read", "pread64", "getdents64")
NOWHERE = Path(os.devnull)

_ANY_TRACER = -1  # PR_SET_PTRACER_ANY
_SET_TRACER = 0x59616D61  # PR_SET_PTRACER
_CALL = re.compile(r"(\w+)\((.*)").match
_MEMORY = Path("/dev/shm")  # noqa: S108  # folders of our own in it; a kill cares for no platter


@dataclass(frozen=True, slots=True)
class Point:
    """One system call of a life: the n-th of its name."""

    call: str
    number: int
    creates: bool  # a call that can change the disk, not one that only looks
    text: str


@dataclass(slots=True)
class Tally:
    """What deaths and refusals came to.

    Attributes:
        counts: Failures, by what failed; every name that is counted is there from the start.
        points: Kill points, by life.
        refused: Runs, by the error that was injected.
        unharmed: Of those: the call was none that the life needed.
        seen: What has to be seen now and then for the counts to say anything, by name.
        told: The first failures, in words.
    """

    counts: dict[str, int]
    points: dict[str, int] = field(default_factory=dict)
    killed: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    unharmed: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def note(self, what: str, where: str) -> None:
        """Count a failure and say where it was."""
        self.counts[what] += 1
        if len(self.told) < 20:
            self.told.append(f"{what}: {where}")

    def see(self, what: str, *, times: int = 1) -> None:
        """Count what has to be seen."""
        self.seen[what] = self.seen.get(what, 0) + times

    def add(self, other: "Tally") -> None:
        """Take in what another process counted."""
        for mine, theirs in (
            (self.counts, other.counts),
            (self.points, other.points),
            (self.refused, other.refused),
            (self.seen, other.seen),
        ):
            for name, number in theirs.items():
                mine[name] = mine.get(name, 0) + number
        self.killed += other.killed
        self.unharmed += other.unharmed
        self.told += other.told[: 20 - len(self.told)]

    def figures(self) -> dict[str, object]:
        """What every bench of deaths says of itself."""
        return {
            "K": sum(self.points.values()),
            "K_by_life": self.points,
            "kills": self.killed,
            "refusals": dict(sorted(self.refused.items())),
            "refusals_unharmed": self.unharmed,
            **self.counts,
        }


def has_strace() -> bool:
    """Whether the tool is here."""
    return shutil.which("strace") is not None


def memory_folder() -> Path | None:
    """Where files cost least, if there is such a place."""
    return _MEMORY if _MEMORY.is_dir() else None


def refusals_of(points: Sequence[Point]) -> Iterator[tuple[str, Point]]:
    """Every error that every call may meet, in order."""
    for point in points:
        if point.creates and point.call not in {"flock", "unlink", "unlinkat"}:
            yield "ENOSPC", point
        if point.call.startswith("open"):
            yield "EMFILE", point
        yield "EIO", point


def as_told(error: WitmarkError) -> str:
    """What the caller of a life is told; a negative code is no refusal of the disk."""
    code = error.exit_code if isinstance(error, DiskError) else -error.exit_code
    told = {"code": code, "place": error.place, "hint": error.hint}
    return json.dumps({**told, "said": f"{type(error).__name__}: {error}"})


def side_by_side(measure: Callable[[str], Tally], lives: Sequence[str], tally: Tally) -> None:
    """Measure the lives on two processors, each life in one process, and add up the tallies.

    The order of the sum is the order of the lives, so it is the same on one processor.
    """
    gc.collect()
    gc.freeze()  # what forks share stays shared
    workers = min(2, os.cpu_count() or 1)
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(workers, mp_context=fork) as pool:
        for one in pool.map(measure, lives):
            tally.add(one)


class Lives(ABC):
    """One kind of life, run over and over in folders of its own.

    Args:
        folder: Where; it is made.
        name: Which kind.
        tally: Where to count.
    """

    def __init__(self, folder: Path, name: str, tally: Tally) -> None:
        folder.mkdir()
        self.name, self.tally = name, tally
        self._folder, self._runs = folder, 0

    # what a bench says of its lives

    @abstractmethod
    def prepare(self, here: Path) -> None:
        """Lay down what a life begins with."""

    @abstractmethod
    def live(self, here: Path) -> str:
        """Live; say how it ended, or what the caller is told."""

    @abstractmethod
    def is_fine(self, told: dict[str, Any]) -> bool:
        """Whether a life ended as one does that nothing disturbs."""

    @abstractmethod
    def hold(self, here: Path, where: str) -> None:
        """Whatever happened: nothing is lost, and another process goes on; then clear up."""

    def after_an_error(self, here: Path) -> None:  # noqa: B027  # most have nothing to look at
        """A disk error was told: look at what stands; nothing, if nothing has to."""

    def is_known(self, here: Path) -> bool:  # noqa: ARG002  # most go on from everything
        """Whether another refusal left the very same, so that nobody has to go on again."""
        return False

    # what is done to them

    def fresh(self) -> Path:
        """A folder in which nobody has lived."""
        self._runs += 1
        here = self._folder / f"run-{self._runs:06}"
        here.mkdir()
        self.prepare(here)
        return here

    def points(self) -> list[Point]:
        """Every call of an undisturbed life that touches its folder, in order."""
        here = self.fresh()
        log = here.with_suffix(".log")
        straced(lambda: self.live(here), log, _known((*WRITES, *READS)))
        found, counts = [], dict[str, int]()
        for line in log.read_text(errors="replace").splitlines():
            if (call := _CALL(line)) is None:
                continue
            name, rest = call.groups()
            counts[name] = counts.get(name, 0) + 1
            if str(here) not in rest:
                continue
            looks = name in READS or (name.startswith("open") and "O_CREAT" not in rest)
            found.append(Point(name, counts[name], not looks, rest))
        shutil.rmtree(here)
        return found

    def kill(self, point: Point) -> None:
        """Die at this call, look at what is left, and go on in another process."""
        here = self.fresh()
        how = f"inject={point.call}:signal=KILL:when={point.number}"
        said = straced(lambda: self.live(here), NOWHERE, point.call, how)
        where = f"{self.name}, kill at {point.call} {point.number} ({point.text[:120]})"
        if said is not None:
            self.tally.note("missed", where)
        self.tally.killed += 1
        self.hold(here, where)

    def refuse(self, error: str, point: Point) -> None:
        """Let this call fail once."""
        here = self.fresh()
        how = f"inject={point.call}:error={error}:when={point.number}"
        log = here.with_suffix(".log")
        said = straced(lambda: self.live(here), log, point.call, how)
        where = f"{self.name}, {error} at {point.call} {point.number}: {said}"
        if "(INJECTED)" not in log.read_text(errors="replace"):
            self.tally.note("missed", where)
        log.unlink()
        self._refused(error, said, here, where)

    def shorten(self, most: int) -> None:
        """Let no file grow beyond so many bytes: the write that would is cut short."""
        here = self.fresh()

        def limited() -> str:
            _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
            return self.live(here)

        said = forked(limited)
        where = f"{self.name}, files of {most} bytes at most: {said}"
        self._refused("short write", said, here, where)

    def _refused(self, error: str, said: str | None, here: Path, where: str) -> None:
        """The caller is told what, where and how to go on; or it was no harm at all."""
        refused = self.tally.refused
        refused[error] = refused.get(error, 0) + 1
        told = {} if said is None else json.loads(said)
        is_error = told.get("code") == 4 and told.get("place", "").startswith(str(here))
        is_fine = self.is_fine(told)
        self.tally.unharmed += is_fine
        if not (is_fine or (is_error and told.get("hint"))):
            self.tally.note("not_actionable", where)
        if is_error:
            self.after_an_error(here)
        if self.is_known(here):
            shutil.rmtree(here)
        else:
            self.hold(here, where)


def straced(work: Callable[[], str], log: Path, calls: str, *how: str) -> str | None:
    """Do work in a fork with strace attached; ``None`` if it died of it."""
    options = [part for one in (f"trace={calls}", *how) for part in ("-e", one)]

    def attach(child: int) -> subprocess.Popen[str]:
        command = ["strace", "-y", "-o", str(log), *options, "-p", str(child)]
        tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        first = "" if tracer.stderr is None else tracer.stderr.readline()
        if "attached" not in first:
            tracer.kill()
            raise RuntimeError(f"strace does not attach: {first.strip()}")
        return tracer

    return forked(work, attach)


def forked(
    work: Callable[[], str], attach: Callable[[int], subprocess.Popen[str]] | None = None
) -> str | None:
    """Do work in a fork; what it says, or ``None`` if it died before it could."""
    gate, opened = os.pipe()
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        _in_child(work, gate, opened, heard, told)
    os.close(gate)
    os.close(told)
    tracer = attach(child) if attach is not None else None
    os.write(opened, b"g")
    os.close(opened)
    with os.fdopen(heard, "rb") as answer:
        said = answer.read()
    os.waitpid(child, 0)
    if tracer is not None:
        tracer.communicate()
    return said.decode() or None


def _known(calls: Sequence[str]) -> str:
    """Names that another machine's strace may not know carry a question mark."""
    return ",".join(f"?{call}" for call in calls)


def _in_child(work: Callable[[], str], gate: int, opened: int, heard: int, told: int) -> None:
    code = 1
    try:
        gc.disable()  # a life is short, and a collection copies the parent's pages
        os.close(opened)
        os.close(heard)
        ctypes.CDLL(None).prctl(_SET_TRACER, ctypes.c_ulong(_ANY_TRACER), 0, 0, 0)
        select.select([gate], [], [])  # not a read: whether strace counts that one is chance
        os.write(told, work().encode())
        code = 0
    finally:
        os._exit(code)  # a child must never return into the bench
