r"""What is left of a change request whose process dies, or whose disk refuses.

Every write-class system call between a confirmed diagnosis and its hand-over (writing,
validation, publication, intent, the outbox, the mark) is entered once and never left
(``strace … inject=…:signal=KILL``), for a request that is handed over and for a refused one.
Then another process goes on, in every second run towards another outbox. The same with calls
that fail (ENOSPC, EIO, EMFILE) and with files that may not grow.

Counted are changed inputs, partial publications and deliveries that a reader could see, doubled
deliveries (in both outboxes together), packages that do not reach their end, other bytes than
an undisturbed life leaves, and errors that tell the caller nothing.

Without ``--full`` one kill in two and one refusal in twenty are done; ``--full`` kills at each
call and refuses one call in nine.
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
from bench.diagnosis_lives import CASE, PACKAGE, Life, OneStore, Told, investigated, put
from bench.model_lives import CountedProvider, now
from witmark.adapters.disk import PosixDisk
from witmark.adapters.outbox import FolderOutbox
from witmark.diagnosis.case import State
from witmark.diagnosis.change_request.building import ChangeDesk, Refused, request_change
from witmark.diagnosis.change_request.delivering import DeliveryDesk, deliver
from witmark.diagnosis.change_request.policy import BugfixPolicy, ScopePolicy
from witmark.diagnosis.package import Package
from witmark.kernel.errors import DiskError, WitmarkError
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock

FORBIDS = BugfixPolicy(version="bench", scope=ScopePolicy(forbidden=("**",)))
LIVES = {"handed over": None, "refused": FORBIDS}
SHORT_LIMITS = (100, 1_000, 3_000, 6_000, 9_000, 12_000)
NAUGHT = (
    *("changed_inputs", "partial", "partial_deliveries", "doubles", "stuck"),
    *("other_bytes", "not_actionable", "missed"),
)
_MEMORY = Path("/dev/shm")  # noqa: S108  # folders of our own in it; a kill cares for no platter


@dataclass(slots=True)
class Tally:
    """What all the deaths and refusals came to."""

    points: dict[str, int] = field(default_factory=dict)  # kill points, by life
    killed: int = 0
    refused: dict[str, int] = field(default_factory=dict)  # runs, by error
    unharmed: int = 0  # of those: the call was none that the life needed
    found_there: int = 0  # lives that ended with a delivery whose mark a death had kept back
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
        return finish("change_crash", watch, figures={}, limits={}, n=0, ok=False)
    where = _MEMORY if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=where, prefix="witmark-change-") as parent:
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
        "found_there": tally.found_there,
        **tally.counts,
        "sample": "each kill once" if chosen.full else "one kill in two",
    }
    limits = dict.fromkeys(NAUGHT, 0)
    ok = not any(tally.counts.values()) and min(tally.points.values()) > 20
    ok = ok and tally.found_there > 0
    return finish("change_crash", watch, figures=figures, limits=limits, n=tally.killed, ok=ok)


def run_all(parent: Path, *, full: bool) -> Tally:
    """Kill every life at its calls, and refuse its calls."""
    tally, files = Tally(), confirmed()
    for offset, name in enumerate(LIVES):
        lives = _Lives(parent / name.replace(" ", "-"), name, files, tally)
        points = lives.points()
        kills = [point for point, changes in points if changes]
        tally.points[name] = len(kills)
        for point in kills if full else kills[offset % 2 :: 2]:
            lives.kill(point)
        refusals = list(_refusals(points))
        for error, point in refusals[offset::9] if full else refusals[offset::20]:
            lives.refuse(error, point)
        for most in SHORT_LIMITS if full else SHORT_LIMITS[offset % 2 :: 2]:
            lives.shorten(most)
    return tally


def confirmed() -> dict[str, bytes]:
    """The files of a package whose diagnosis is confirmed and published."""
    disk = MemoryDisk(investigated())
    with tempfile.TemporaryDirectory() as folder:
        Life("confirmed", Path(folder) / "count").run(disk)
    return dict(disk.files)


def _refusals(points: Sequence[tuple[Point, bool]]) -> Iterator[tuple[str, Point]]:
    for point, changes in points:
        if changes and point.call not in {"flock", "unlink", "unlinkat"}:
            yield "ENOSPC", point
        if point.call.startswith("open"):
            yield "EMFILE", point
        yield "EIO", point


class _Lives:
    """One kind of life, run over and over in folders of its own."""

    def __init__(self, folder: Path, name: str, files: dict[str, bytes], tally: Tally) -> None:
        folder.mkdir()
        self._folder, self._name, self._tally, self._runs = folder, name, tally, 0
        self._files = files
        here = self._fresh()
        said = _told(name, here, "out")
        self._ending = json.loads(said)["ending"]
        self._deliveries = _seen(here / "out")
        self._package = _all(here / "package")
        shutil.rmtree(here)

    def points(self) -> list[tuple[Point, bool]]:
        """Every call of an undisturbed life that touches its folders, in order."""
        here = self._fresh()
        log = here.with_suffix(".log")
        _strace(lambda: _told(self._name, here, "out"), log, _known(WRITES + READS))
        found, counts = [], dict[str, int]()
        for line in log.read_text(errors="replace").splitlines():
            if (call := _CALL(line)) is None:
                continue
            name, rest = call.groups()
            counts[name] = counts.get(name, 0) + 1
            if str(here) not in rest:
                continue
            looks = name in READS or (name.startswith("open") and "O_CREAT" not in rest)
            found.append((Point(name, counts[name], not looks, rest), not looks))
        shutil.rmtree(here)
        return found

    def kill(self, point: Point) -> None:
        """Die at this call, look at what is left, and go on in another process."""
        here = self._fresh()
        how = f"inject={point.call}:signal=KILL:when={point.number}"
        said = _strace(
            lambda: _told(self._name, here, "out"), Path(os.devnull), point.call, how
        )
        where = f"{self._name}, kill at {point.call} {point.number} ({point.text[:120]})"
        if said is not None:
            self._tally.note("missed", where)
        self._tally.killed += 1
        self._hold(here, where)

    def refuse(self, error: str, point: Point) -> None:
        """Let this call fail once."""
        here = self._fresh()
        how = f"inject={point.call}:error={error}:when={point.number}"
        log = here.with_suffix(".log")
        said = _strace(lambda: _told(self._name, here, "out"), log, point.call, how)
        where = f"{self._name}, {error} at {point.call} {point.number}: {said}"
        if "(INJECTED)" not in log.read_text(errors="replace"):
            self._tally.note("missed", where)
        self._refused(error, said, here, where)
        self._hold(here, where)

    def shorten(self, most: int) -> None:
        """Let no file grow beyond so many bytes: the write that would is cut short."""
        here = self._fresh()

        def limited() -> str:
            _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
            return _told(self._name, here, "out")

        said = _forked(limited)
        where = f"{self._name}, files of {most} bytes at most: {said}"
        self._refused("short write", said, here, where)
        self._hold(here, where)

    def _fresh(self) -> Path:
        self._runs += 1
        here = self._folder / f"run-{self._runs:06}"
        put(self._files, here / "package")
        return here

    def _refused(self, error: str, said: str | None, here: Path, where: str) -> None:
        """The caller is told what, where and how to go on; or it was no harm at all."""
        self._tally.refused[error] = self._tally.refused.get(error, 0) + 1
        told = {} if said is None else json.loads(said)
        is_error = told.get("code") == 4 and told.get("place", "").startswith(str(here))
        is_fine = told.get("ending") == self._ending
        self._tally.unharmed += is_fine
        if not (is_fine or (is_error and told.get("hint"))):
            self._tally.note("not_actionable", where)

    def _hold(self, here: Path, where: str) -> None:
        """Whatever happened: nothing partial is seen, and another process ends it, once."""
        to = "out" if self._runs % 2 else "elsewhere"
        where = f"{where}, then to {to}"
        try:
            _visible(PosixDisk(here / "package"))
        except WitmarkError as error:
            self._tally.note("partial", f"{where}: {error}")
            return
        before = _seen(here / "out")
        if before not in ({}, self._deliveries):
            self._tally.note("partial_deliveries", where)
        said = _forked(lambda: _told(self._name, here, to))
        told = {} if said is None else json.loads(said)
        if told.get("ending") != self._ending:
            self._tally.note("stuck", f"{where}: then {said}")
            return
        self._tally.found_there += bool(before) and told["was_there"]
        both = [*_seen(here / "out").items(), *_seen(here / "elsewhere").items()]
        if both != list(self._deliveries.items()):
            self._tally.note("doubles", f"{where}: {[name for name, _ in both]}")
        self._unchanged(here, to, where)
        shutil.rmtree(here)

    def _unchanged(self, here: Path, to: str, where: str) -> None:
        """The inputs are as they were, the artefacts as ever, and once more changes nothing."""
        found = _all(here / "package")
        if any(found.get(name) != raw for name, raw in self._files.items() if _fixed(name)):
            self._tally.note("changed_inputs", where)
        wanted = {n: raw for n, raw in self._package.items() if n.startswith("analysis/")}
        if {n: raw for n, raw in found.items() if n.startswith("analysis/")} != wanted:
            left = set(wanted) ^ {n for n in found if n.startswith("analysis/")}
            if any(not name.endswith(".side") for name in left) or not left:
                self._tally.note("other_bytes", f"{where}: {sorted(left)}")
        whole = _all(here)
        if _forked(lambda: _told(self._name, here, to)) is None or _all(here) != whole:
            self._tally.note("other_bytes", f"{where}: a second call changes something")


def _fixed(name: str) -> bool:
    return not name.startswith("journals/")  # the audit record grows


def _visible(disk: PosixDisk) -> None:
    package = Package(disk)
    manifest = package.manifest()
    package.check_whole(manifest)
    package.check_fresh(manifest)
    if manifest.state is State.OUTPUT_READY:
        for path in manifest.pointers.values():
            package.artefact(manifest, path)


def _seen(outbox: Path) -> dict[str, dict[str, bytes]]:
    """What a reader of an outbox sees: every name that is not hidden."""
    if not outbox.is_dir():
        return {}
    shown = (one for one in sorted(outbox.iterdir()) if not one.name.startswith("."))
    return {one.name: _all(one) for one in shown}


def _all(here: Path) -> dict[str, bytes]:
    files = (path for path in sorted(here.rglob("*")) if path.is_file())
    return {str(path.relative_to(here)): path.read_bytes() for path in files}


def _told(name: str, here: Path, to: str) -> str:
    """Live from the confirmed diagnosis to the hand-over; say how it ended, or the error."""
    store = OneStore(PosixDisk(here / "package"))
    clock, router = SteadyClock(), Told()
    readers = {"counted": CountedProvider(here / "never", ())}
    try:
        desk = ChangeDesk(store, router, clock, readers)
        made = now(request_change(CASE, PACKAGE, desk, LIVES[name]))
        if isinstance(made, Refused):
            return json.dumps({"ending": "refused", "was_there": False})
        outboxes = DeliveryDesk(
            store, lambda one: FolderOutbox(Path(one)), router, clock, readers
        )
        done = now(deliver(CASE, PACKAGE, str(here / to), outboxes))
        return json.dumps({"ending": "handed over", "was_there": done.was_there})
    except WitmarkError as error:
        code = error.exit_code if isinstance(error, DiskError) else -error.exit_code
        told = {"code": code, "place": error.place, "hint": error.hint}
        return json.dumps({**told, "said": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    sys.exit(main())
