r"""What is left of a diagnosis whose process dies, or whose disk refuses.

Every write-class system call of a whole build, from an investigated package to its end, is
entered once and never left (``strace … inject=…:signal=KILL``): for a confirmed diagnosis, an
inconclusive one, after one, two and three refused decisions, and blocked. Then another process
goes on from what is left. The same with calls that fail (ENOSPC, EIO, EMFILE) and with files
that may not grow.

Counted are changed inputs, partial publications that a reader could see, requests after a
reply was durable, packages that do not reach their end, budgets that changed, and errors that
tell the caller nothing.

Without ``--full`` one kill in two and one refusal in sixty are done, spread over all lives;
``--full`` kills three times at each call and refuses one call in three.
"""

import json
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.common import Stopwatch, finish, options
from bench.crash_kills import (
    _CALL,
    READS,
    WRITES,
    Point,
    _forked,
    _known,
    _strace,
    has_strace,
)
from bench.diagnosis_lives import LIVES, RUN, Life, investigated, kinds, put, visible
from witmark.adapters.disk import PosixDisk
from witmark.diagnosis.case import Phase
from witmark.kernel.errors import DiskError, WitmarkError
from witmark.kernel.journal import place_of

SHORT_LIMITS = (200, 1_500, 3_000, 6_000, 9_000, 12_000)
INVESTIGATION = "analysis/investigation/0001/investigation.json"
NAUGHT = (
    *("changed_inputs", "partial", "hidden_requests", "second_requests", "stuck"),
    *("changed_budgets", "unequal_replays", "not_actionable", "missed"),
)
_MEMORY = Path("/dev/shm")  # noqa: S108  # folders of our own in it; a kill cares for no platter


@dataclass(slots=True)
class Tally:
    """What all the deaths and refusals came to."""

    points: dict[str, int] = field(default_factory=dict)  # kill points, by life
    killed: int = 0
    refused: dict[str, int] = field(default_factory=dict)  # runs, by error
    unharmed: int = 0  # of those: the call was none that the life needed
    reread: int = 0  # of those: an error was told, and what was published stood all the same
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAUGHT, 0))
    told: list[str] = field(default_factory=list)

    def note(self, what: str, where: str) -> None:
        """Count a failure and say where it was."""
        self.counts[what] += 1
        if len(self.told) < 20:
            self.told.append(f"{what}: {where}")


def main(argv: Sequence[str] | None = None) -> int:
    """Kill, refuse; print what was lost."""
    chosen, watch = options(argv, __doc__), Stopwatch()
    if not has_strace():
        print("strace is not here; on Debian and Ubuntu: apt-get install strace")
        return finish("diagnosis_crash", watch, figures={}, limits={}, n=0, ok=False)
    where = _MEMORY if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=where, prefix="witmark-diagnosis-") as parent:
        tally = run_all(Path(parent), full=chosen.full)
    for line in tally.told:
        print(line)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    watch.children_s += used.ru_utime + used.ru_stime
    figures = {
        "K": sum(tally.points.values()),
        "K_by_life": tally.points,
        "kills": tally.killed,
        "refusals": dict(sorted(tally.refused.items())),
        "refusals_unharmed": tally.unharmed,
        "told_and_published": tally.reread,
        **tally.counts,
        "sample": "each kill three times" if chosen.full else "one kill in two",
    }
    limits = dict.fromkeys(NAUGHT, 0)
    ok = not any(tally.counts.values()) and len(tally.points) == len(LIVES)
    return finish(
        "diagnosis_crash", watch, figures=figures, limits=limits, n=tally.killed, ok=ok
    )


def run_all(parent: Path, *, full: bool) -> Tally:
    """Kill every life at its calls, and refuse its calls."""
    tally, files = Tally(), investigated()
    for offset, name in enumerate(LIVES):
        lives = _Lives(parent / name.replace(" ", "-"), name, files, tally)
        points = lives.points()
        kills = [point for point in points if point.changes]
        tally.points[name] = len(kills)
        for point in kills * 3 if full else kills[offset % 2 :: 2]:
            lives.kill(point.point)
        refusals = list(_refusals(points))
        for error, point in refusals[offset % 3 :: 3] if full else refusals[offset::60]:
            lives.refuse(error, point)
        for most in SHORT_LIMITS if full else SHORT_LIMITS[offset % 2 :: 2]:
            lives.shorten(most)
    return tally


@dataclass(frozen=True, slots=True)
class _Met:
    """A call of an undisturbed life that touches its package."""

    point: Point
    changes: bool


def _refusals(points: Sequence[_Met]) -> Iterator[tuple[str, Point]]:
    for met in points:
        call = met.point.call
        if met.changes and call not in {"flock", "unlink", "unlinkat"}:
            yield "ENOSPC", met.point
        if call.startswith("open"):
            yield "EMFILE", met.point
        yield "EIO", met.point


class _Lives:
    """One kind of life, run over and over in folders of its own."""

    def __init__(self, folder: Path, name: str, files: dict[str, bytes], tally: Tally) -> None:
        folder.mkdir()
        self._folder, self._name, self._tally, self._runs = folder, name, tally, 0
        self._files = files

    def points(self) -> list[_Met]:
        """Every call of an undisturbed life that touches its package, in order."""
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
            found.append(_Met(Point(name, counts[name], not looks, rest), not looks))
        shutil.rmtree(here)
        return found

    def kill(self, point: Point) -> None:
        """Die at this call, look at what is left, and go on in another process."""
        here, life = self._fresh()
        how = f"inject={point.call}:signal=KILL:when={point.number}"
        said = _strace(lambda: _told(life, here), Path(os.devnull), point.call, how)
        where = f"{self._name}, kill at {point.call} {point.number} ({point.text[:120]})"
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
        put(self._files, here / "package")
        return here, Life(self._name, self._folder / f"count-{self._runs:06}")

    def _refused(self, error: str, said: str | None, here: Path, where: str) -> None:
        """The caller is told what, where and how to go on; or it was no harm at all."""
        self._tally.refused[error] = self._tally.refused.get(error, 0) + 1
        told = {} if said is None else json.loads(said)
        is_error = told.get("code") == 4 and told.get("place", "").startswith(str(here))
        is_fine = told.get("ending") in LIVES[self._name].endings
        self._tally.unharmed += is_fine
        if not (is_fine or (is_error and told.get("hint"))):
            self._tally.note("not_actionable", where)
        if is_error:
            self._tally.reread += _is_published(PosixDisk(here / "package"))

    def _hold(self, here: Path, life: Life, where: str) -> None:
        """Whatever happened: nothing is lost, and another process brings it to its end."""
        disk = PosixDisk(here / "package")
        self._unchanged(disk, where)
        try:
            visible(disk)
            had = kinds(disk)
        except WitmarkError as error:
            self._tally.note("partial", f"{where}: {error}")
            return
        asked, is_settled = life.requests(), _is_settled(disk)
        if asked > had.count("sent"):
            self._tally.note("hidden_requests", where)
        said = _forked(lambda: _taken_up(life, here))
        told = {} if said is None else json.loads(said)
        if told.get("ending") not in LIVES[self._name].endings:
            self._tally.note("stuck", f"{where}: then {said}")
            return
        has = kinds(disk)
        new = has[len(had) :].count("sent")
        if told["asked"] - asked != new or (is_settled and new):
            self._tally.note("second_requests", where)
        if had[-1:] == ["replied"] and has[len(had)] != "judged":
            self._tally.note("second_requests", where)
        self._unchanged(disk, where)
        if _is_published(disk) and not (told["same"] and life.requests() == told["asked"]):
            self._tally.note("unequal_replays", f"{where}: {said}")
        shutil.rmtree(here)
        life.count.unlink(missing_ok=True)

    def _unchanged(self, disk: PosixDisk, where: str) -> None:
        for name, raw in self._files.items():
            if disk.read(name) != raw:
                what = "changed_budgets" if name == INVESTIGATION else "changed_inputs"
                self._tally.note(what, f"{where}: {name}")


def _is_published(disk: PosixDisk) -> bool:
    return visible(disk).last(Phase.DIAGNOSIS) is not None


def _is_settled(disk: PosixDisk) -> bool:
    """Whether nobody may be asked any more: published, or an accepted reply is durable."""
    record = disk.read(place_of(RUN)) or b""
    return _is_published(disk) or b'"is_admitted":true' in record


def _all(here: Path) -> dict[str, bytes]:
    files = (path for path in here.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


def _taken_up(life: Life, here: Path) -> str:
    """Go on to the end, and then once more, which must change nothing and ask nobody."""
    told = json.loads(_told(Life(life.name, life.count, 1_000_000), here))
    before, asked = _all(here), life.requests()
    if not _is_published(PosixDisk(here / "package")):
        return json.dumps({**told, "asked": asked})
    again = json.loads(_told(Life(life.name, life.count, 2_000_000), here))
    is_same = again == told and _all(here) == before
    return json.dumps({**told, "asked": asked, "same": is_same})


def _told(life: Life, here: Path) -> str:
    """Run a life; say how it ended, or what its caller is told."""
    try:
        return json.dumps({"ending": life.run(PosixDisk(here / "package"))})
    except WitmarkError as error:
        code = error.exit_code if isinstance(error, DiskError) else -error.exit_code
        told = {"code": code, "place": error.place, "hint": error.hint}
        return json.dumps({**told, "said": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    sys.exit(main())
