"""Real deaths and real refusals: one forked process per system call, with strace attached.

Strace kills the process when it enters its n-th call of a name, or lets that call fail.
Attaching to a fork that has everything loaded keeps a run at a few hundredths of a second,
and its count of calls begins with the life itself.
"""

import ctypes
import json
import os
import re
import resource
import select
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.model_lives import IMAGE, LIVES, Life, ending, kinds, lines
from witmark.adapters.disk import PosixDisk
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import DiskError, WitmarkError
from witmark.kernel.store import blob_path

WRITES = [
    *("open", "openat", "openat2", "creat", "mkdir", "mkdirat", "rmdir"),
    *("write", "pwrite64", "writev", "pwritev", "ftruncate", "truncate", "fallocate"),
    *("fsync", "fdatasync", "sync_file_range", "flock"),
    *("link", "linkat", "rename", "renameat", "renameat2", "unlink", "unlinkat"),
]
READS = ["read", "pread64", "getdents64"]
SHORT_LIMITS = (64, 700, 1500, 2400, 3200, 4000, 4800, 5600, 6400)
"""Bytes that a file may have; the lives' records and images end on both sides of each."""

_ANY_TRACER = -1  # PR_SET_PTRACER_ANY
_SET_TRACER = 0x59616D61  # PR_SET_PTRACER
_CALL = re.compile(r"(\w+)\((.*)").match


@dataclass(frozen=True, slots=True)
class Point:
    """One system call of a life: the n-th of its name."""

    call: str
    number: int
    creates: bool  # a call that can change the disk, not one that only looks
    text: str


@dataclass(slots=True)
class Tally:
    """What all the deaths and refusals came to."""

    points: dict[str, int] = field(default_factory=dict)  # kill points, by life
    killed: int = 0
    refused: dict[str, int] = field(default_factory=dict)  # runs, by error
    unharmed: int = 0  # of those: the call was none that the life needed
    lost_replies: int = 0
    second_requests: int = 0
    hidden_requests: int = 0
    stuck: int = 0
    unreadable: int = 0
    changed_inputs: int = 0
    not_actionable: int = 0
    missed: int = 0  # a point that was not hit; the run says nothing
    told: list[str] = field(default_factory=list)

    def note(self, what: str, where: str) -> None:
        """Count a failure and say where it was."""
        setattr(self, what, getattr(self, what) + 1)
        if len(self.told) < 20:
            self.told.append(f"{what}: {where}")


def has_strace() -> bool:
    """Whether the tool is here."""
    return shutil.which("strace") is not None


def run_all(parent: Path, lives: Sequence[str] | None, *, times: int, share: int) -> Tally:
    """Kill every life at each of its calls, and refuse each of its calls.

    Args:
        parent: An empty folder to work in.
        lives: Which; ``None`` for all.
        times: How often each kill is done.
        share: Refuse one call in so many.
    """
    tally = Tally()
    for name in lives or LIVES:
        bench = _Bench(parent / name.replace(" ", "-"), name, tally)
        points = bench.points()
        kills = [point for point in points if point.creates]
        tally.points[name] = len(kills)
        for point in kills * times:
            bench.kill(point)
        for at, (error, point) in enumerate(_refusals(points)):
            if at % share == 0:
                bench.refuse(error, point)
        for most in SHORT_LIMITS:
            bench.shorten(most)
    return tally


def _refusals(points: list[Point]) -> Iterator[tuple[str, Point]]:
    for point in points:
        is_open = point.call.startswith("open")
        if point.creates and point.call not in {"flock", "unlinkat", "unlink"}:
            yield "ENOSPC", point
        if is_open:
            yield "EMFILE", point
        yield "EIO", point


class _Bench:
    """One kind of life, run over and over in folders of its own."""

    def __init__(self, folder: Path, name: str, tally: Tally) -> None:
        folder.mkdir()
        self._folder, self._name, self._tally, self._runs = folder, name, tally, 0

    def points(self) -> list[Point]:
        """Every call of an undisturbed life that touches its folder, in order."""
        here, life = self._fresh()
        log = here.with_suffix(".log")
        _strace(lambda: _told(life, here), log, _known(WRITES + READS))
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
        here, life = self._fresh()
        how = f"inject={point.call}:signal=KILL:when={point.number}"
        said = _strace(lambda: _told(life, here), Path(os.devnull), point.call, how)
        where = f"{self._name}, kill at {point.call} {point.number}"
        if said is not None:
            self._tally.note("missed", where)
        self._tally.killed += 1
        self._hold(here, life, where)

    def refuse(self, error: str, point: Point) -> None:
        """Let this call fail once."""
        here, life = self._fresh()
        how = f"inject={point.call}:error={error}:when={point.number}"
        log = here.with_suffix(".log")
        said = _strace(lambda: _told(life, here), log, point.call, how)
        where = f"{self._name}, {error} at {point.call} {point.number}: {said}"
        if "(INJECTED)" not in log.read_text(errors="replace"):
            self._tally.note("missed", where)
        self._refused(error, said, here, where)
        self._hold(here, life, where)

    def shorten(self, most: int) -> None:
        """Let no file grow beyond so many bytes: the write that would is cut short."""
        here, life = self._fresh()

        def limited() -> str:
            _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
            return _told(life, here)

        said = _forked(limited)
        where = f"{self._name}, files of {most} bytes at most: {said}"
        self._refused("short write", said, here, where)
        self._hold(here, life, where)

    def _fresh(self) -> tuple[Path, Life]:
        self._runs += 1
        here = self._folder / f"run-{self._runs:06}"
        here.mkdir()
        return here, Life(self._name, self._folder / f"count-{self._runs:06}")

    def _refused(self, error: str, said: str | None, here: Path, where: str) -> None:
        """The caller is told what, where and how to go on; or it was no harm at all."""
        counted = self._tally.refused
        counted[error] = counted.get(error, 0) + 1
        told = {} if said is None else json.loads(said)
        is_error = told.get("code") == 4 and told.get("place", "").startswith(str(here))
        is_fine = told.get("ending") == LIVES[self._name][1]
        self._tally.unharmed += is_fine
        if not (is_fine or (is_error and told.get("hint"))):
            self._tally.note("not_actionable", where)

    def _hold(self, here: Path, life: Life, where: str) -> None:
        """Whatever happened: nothing durable is lost, and another process brings it home."""
        disk = PosixDisk(here / "disk")
        try:
            before, had = lines(disk), kinds(disk)
        except WitmarkError as error:
            self._tally.note("unreadable", f"{where}: {error}")
            return
        asked = life.requests()
        if asked > had.count("sent"):
            self._tally.note("hidden_requests", where)
        said = _forked(lambda: _told(Life(life.name, life.count, 1_000_000), here))
        told = {} if said is None else json.loads(said)
        if told.get("ending") != LIVES[self._name][1]:
            self._tally.note("stuck", f"{where}: then {said}")
            return
        after, has = lines(disk), kinds(disk)
        if after[: len(before)] != before:
            self._tally.note("lost_replies", where)
        unjudged = had[-1:] == ["replied"]
        if unjudged and has[len(had)] != "judged":
            self._tally.note("second_requests", where)
        if life.requests() - asked != has[len(had) :].count("sent"):
            self._tally.note("second_requests", where)
        if disk.read(blob_path(digest_of(IMAGE))) != IMAGE:
            self._tally.note("changed_inputs", where)
        shutil.rmtree(here)
        life.count.unlink()


def _told(life: Life, here: Path) -> str:
    """Run a life; say how it ended, or what its caller is told."""
    try:
        outcome = life.run(PosixDisk(here / "disk"))
    except WitmarkError as error:
        is_disk = isinstance(error, DiskError)
        told = {"code": error.exit_code if is_disk else -1, "place": error.place}
        return json.dumps({**told, "hint": error.hint, "said": str(error)})
    return json.dumps({"ending": ending(outcome)})


def _known(calls: list[str]) -> str:
    """Names that another machine's strace may not know carry a question mark."""
    return ",".join(f"?{call}" for call in calls)


def _strace(work: Callable[[], str], log: Path, calls: str, *how: str) -> str | None:
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

    return _forked(work, attach)


def _forked(
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


def _in_child(work: Callable[[], str], gate: int, opened: int, heard: int, told: int) -> None:
    code = 1
    try:
        os.close(opened)
        os.close(heard)
        ctypes.CDLL(None).prctl(_SET_TRACER, ctypes.c_ulong(_ANY_TRACER), 0, 0, 0)
        select.select([gate], [], [])  # not a read: whether strace counts that one is chance
        os.write(told, work().encode())
        code = 0
    finally:
        os._exit(code)  # a child must never return into the bench
