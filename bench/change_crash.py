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
import resource
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.common import Stopwatch, finish, options
from bench.diagnosis_lives import CASE, PACKAGE, Life, OneStore, Told, investigated, put
from bench.dying import (
    Lives,
    Tally,
    as_told,
    forked,
    has_strace,
    memory_folder,
    refusals_of,
)
from bench.model_lives import CountedProvider, now
from witmark.adapters.disk import PosixDisk
from witmark.adapters.outbox import FolderOutbox
from witmark.diagnosis.case import State
from witmark.diagnosis.change_request.building import ChangeDesk, Refused, request_change
from witmark.diagnosis.change_request.delivering import DeliveryDesk, deliver
from witmark.diagnosis.change_request.policy import BugfixPolicy, ScopePolicy
from witmark.diagnosis.package import Package
from witmark.kernel.errors import WitmarkError
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock

FORBIDS = BugfixPolicy(version="bench", scope=ScopePolicy(forbidden=("**",)))
LIVES = {"handed over": None, "refused": FORBIDS}
SHORT_LIMITS = (100, 1_000, 3_000, 6_000, 9_000, 12_000)
NAUGHT = (
    *("changed_inputs", "partial", "partial_deliveries", "doubles", "stuck"),
    *("other_bytes", "not_actionable", "missed"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Kill, refuse; print what was lost."""
    chosen, watch = options(argv, __doc__), Stopwatch()
    if not has_strace():
        print("strace is not here; on Debian and Ubuntu: apt-get install strace")
        return finish("change_crash", watch, figures={}, limits={}, n=0, ok=False)
    with tempfile.TemporaryDirectory(dir=memory_folder(), prefix="witmark-change-") as parent:
        tally = run_all(Path(parent), full=chosen.full)
    for line in tally.told:
        print(line)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    watch.children_s += used.ru_utime + used.ru_stime
    figures = {
        **tally.figures(),
        "found_there": tally.seen.get("found_there", 0),
        "sample": "each kill once" if chosen.full else "one kill in two",
    }
    limits = dict.fromkeys(NAUGHT, 0)
    ok = not any(tally.counts.values()) and min(tally.points.values()) > 20
    ok = ok and tally.seen.get("found_there", 0) > 0
    return finish("change_crash", watch, figures=figures, limits=limits, n=tally.killed, ok=ok)


def run_all(parent: Path, *, full: bool) -> Tally:
    """Kill every life at its calls, and refuse its calls."""
    tally, files = Tally(dict.fromkeys(NAUGHT, 0)), confirmed()
    for offset, name in enumerate(LIVES):
        lives = _Changes(parent / name.replace(" ", "-"), name, files, tally)
        points = lives.points()
        kills = [point for point in points if point.creates]
        tally.points[name] = len(kills)
        for point in kills if full else kills[offset % 2 :: 2]:
            lives.kill(point)
        refusals = list(refusals_of(points))
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


class _Changes(Lives):
    """One kind of life from a confirmed diagnosis on."""

    def __init__(self, folder: Path, name: str, files: dict[str, bytes], tally: Tally) -> None:
        super().__init__(folder, name, tally)
        self._files = files
        here = self.fresh()
        self._ending = json.loads(self.live(here))["ending"]
        self._deliveries = _seen(here / "out")
        self._package = _all(here / "package")
        shutil.rmtree(here)

    def prepare(self, here: Path) -> None:
        """The confirmed package."""
        put(self._files, here / "package")

    def live(self, here: Path) -> str:
        """Live towards the outbox that is named first."""
        return _told(self.name, here, "out")

    def is_fine(self, told: dict[str, Any]) -> bool:
        """Whether it ended as the undisturbed life did."""
        return bool(told.get("ending") == self._ending)

    def hold(self, here: Path, where: str) -> None:
        """Whatever happened: nothing partial is seen, and another process ends it, once."""
        to = "out" if self._runs % 2 else "elsewhere"
        where = f"{where}, then to {to}"
        try:
            _visible(PosixDisk(here / "package"))
        except WitmarkError as error:
            self.tally.note("partial", f"{where}: {error}")
            return
        before = _seen(here / "out")
        if before not in ({}, self._deliveries):
            self.tally.note("partial_deliveries", where)
        said = forked(lambda: _told(self.name, here, to))
        told = {} if said is None else json.loads(said)
        if told.get("ending") != self._ending:
            self.tally.note("stuck", f"{where}: then {said}")
            return
        self.tally.see("found_there", times=bool(before) and told["was_there"])
        both = [*_seen(here / "out").items(), *_seen(here / "elsewhere").items()]
        if both != list(self._deliveries.items()):
            self.tally.note("doubles", f"{where}: {[name for name, _ in both]}")
        self._unchanged(here, to, where)
        shutil.rmtree(here)

    def _unchanged(self, here: Path, to: str, where: str) -> None:
        """The inputs are as they were, the artefacts as ever, and once more changes nothing."""
        found = _all(here / "package")
        if any(found.get(name) != raw for name, raw in self._files.items() if _fixed(name)):
            self.tally.note("changed_inputs", where)
        wanted = {n: raw for n, raw in self._package.items() if n.startswith("analysis/")}
        if {n: raw for n, raw in found.items() if n.startswith("analysis/")} != wanted:
            left = set(wanted) ^ {n for n in found if n.startswith("analysis/")}
            if any(not name.endswith(".side") for name in left) or not left:
                self.tally.note("other_bytes", f"{where}: {sorted(left)}")
        whole = _all(here)
        if forked(lambda: _told(self.name, here, to)) is None or _all(here) != whole:
            self.tally.note("other_bytes", f"{where}: a second call changes something")


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
        return as_told(error)


if __name__ == "__main__":
    sys.exit(main())
