r"""What is left of a diagnosis whose process dies, or whose disk refuses.

Every write-class system call of a whole build, from an investigated package to its end, is
entered once and never left (``strace … inject=…:signal=KILL``): for a confirmed diagnosis, an
inconclusive one, after one, two and three refused decisions, and blocked: misconfigured,
exhausted, told to wait, held by another process, and opened again with a retry id. Then another
process goes on from what is left. The same with calls that fail (ENOSPC, EIO, EMFILE) and with
files that may not grow. Every fsync behind the link of a life's last manifest fails once: if
that manifest publishes, the error is told, and whoever reads again finds it published.

Counted are changed inputs, partial publications that a reader could see, requests after a
reply was durable and before the time that a provider named, packages that do not reach their
end, budgets that changed, and errors that tell the caller nothing.

Each kill is done once, and of the refusals one in 89 beside those behind the last link;
``--full`` kills three times at each call and refuses every call. Where a refusal left, to the
byte, what another one left, nobody goes on from it twice. Two lives run at a time.
"""

import json
import re
import resource
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from bench.common import Stopwatch, finish, options
from bench.diagnosis_lives import (
    LIVES,
    RUN,
    Life,
    early_requests,
    investigated,
    kinds,
    put,
    refused,
    visible,
)
from bench.dying import (
    Lives,
    Point,
    Tally,
    as_told,
    forked,
    has_strace,
    memory_folder,
    refusals_of,
    side_by_side,
)
from witmark.adapters.disk import PosixDisk
from witmark.diagnosis.case import Phase
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import WitmarkError
from witmark.kernel.journal import place_of

SHORT_LIMITS = (200, 1_500, 3_000, 6_000, 9_000, 12_000)
ONE_REFUSAL_IN = 89  # a prime: what is sampled keeps no step with the errors
INVESTIGATION = "analysis/investigation/0001/investigation.json"
PUBLISHING = [n for n, life in LIVES.items() if life.ending in {"confirmed", "inconclusive"}]
NAUGHT = (
    *("changed_inputs", "partial", "hidden_requests", "second_requests", "early_requests"),
    *("stuck", "changed_budgets", "unequal_replays", "not_actionable", "missed"),
)

_SIDE = re.compile(r"\.[0-9a-f]+\.side$")  # their names are random


def main(argv: Sequence[str] | None = None) -> int:
    """Kill, refuse; print what was lost."""
    chosen, watch = options(argv, __doc__), Stopwatch()
    if not has_strace():
        print("strace is not here; on Debian and Ubuntu: apt-get install strace")
        return finish("diagnosis_crash", watch, figures={}, limits={}, n=0, ok=False)
    with tempfile.TemporaryDirectory(dir=memory_folder(), prefix="witmark-diagnosis-") as at:
        tally = run_all(Path(at), full=chosen.full)
    for line in tally.told:
        print(line)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    watch.children_s += used.ru_utime + used.ru_stime
    reread = {name: tally.seen.get(name, 0) for name in PUBLISHING}
    kills = "each kill three times, every refusal"
    if not chosen.full:
        kills = f"each kill once, one refusal in {ONE_REFUSAL_IN}"
    figures = {
        **tally.figures(),
        "refusals_gone_on_from": tally.seen.get("went_on", 0),
        "told_and_published": reread,
        "sample": kills,
    }
    limits = {**dict.fromkeys(NAUGHT, 0), "told_and_published": ">= 1 for each life"}
    ok = not any(tally.counts.values()) and len(tally.points) == len(LIVES)
    ok = ok and all(reread.values())
    return finish(
        "diagnosis_crash", watch, figures=figures, limits=limits, n=tally.killed, ok=ok
    )


def run_all(parent: Path, *, full: bool) -> Tally:
    """Kill every life at its calls, and refuse its calls."""
    tally = Tally(dict.fromkeys(NAUGHT, 0))
    work = partial(_measured, parent=parent, files=investigated(), full=full)
    side_by_side(work, list(LIVES), tally)
    return tally


def _measured(name: str, *, parent: Path, files: dict[str, bytes], full: bool) -> Tally:
    tally, offset = Tally(dict.fromkeys(NAUGHT, 0)), list(LIVES).index(name)
    lives = _Diagnoses(parent / name.replace(" ", "-"), name, files, tally)
    points = lives.points()
    kills = [point for point in points if point.creates]
    tally.points[name] = len(kills)
    for point in kills * 3 if full else kills:
        lives.kill(point)
    refusals = list(refusals_of(points))
    late = [("EIO", point) for point in _behind_the_commit(points)]
    for error, point in late + (refusals if full else refusals[offset::ONE_REFUSAL_IN]):
        lives.refuse(error, point)
    for most in SHORT_LIMITS if full else SHORT_LIMITS[offset % 2 :: 2]:
        lives.shorten(most)
    return tally


def _behind_the_commit(points: Sequence[Point]) -> list[Point]:
    """The fsyncs of a life behind the link of its last manifest."""
    links = [at for at, one in enumerate(points) if one.call.startswith("link")]
    commits = [at for at in links if "/manifests" in points[at].text]
    last = commits[-1] if commits else len(points)
    return [one for one in points[last:] if one.call in {"fsync", "fdatasync"}]


class _Diagnoses(Lives):
    """One kind of diagnosis."""

    def __init__(self, folder: Path, name: str, files: dict[str, bytes], tally: Tally) -> None:
        super().__init__(folder, name, tally)
        self._files, self._script = files, LIVES[name]
        self._left = set[Digest]()

    def prepare(self, here: Path) -> None:
        """The investigated package."""
        put(self._files, here / "package")

    def live(self, here: Path) -> str:
        """Build to the end."""
        return _told(Life(self.name, _count(here)), here)

    def is_fine(self, told: dict[str, Any]) -> bool:
        """Whether it came to what the answers come to."""
        return bool(told.get("ending") == self._script.ending)

    def after_an_error(self, here: Path) -> None:
        """An error behind the commit point leaves a diagnosis that stands."""
        if _is_published(PosixDisk(here / "package")):
            self.tally.see(self.name)

    def is_known(self, here: Path) -> bool:
        """Whether a refusal left the very files, links and count that another one left."""
        count, files = _count(here), sorted(p for p in here.rglob("*") if p.is_file())
        left = tuple(
            (_SIDE.sub(".side", str(path.relative_to(here))), path.stat().st_nlink, raw)
            for path in files
            for raw in [path.read_bytes()]
        )
        state = digest_of(repr((left, count.exists() and count.read_bytes())).encode())
        if state in self._left:
            count.unlink(missing_ok=True)
            return True
        self._left.add(state)
        self.tally.see("went_on")
        return False

    def hold(self, here: Path, where: str) -> None:
        """Whatever happened: nothing is lost, and another process brings it to its end."""
        disk, life = PosixDisk(here / "package"), Life(self.name, _count(here))
        self._unchanged(disk, where)
        try:
            visible(disk)
            had = kinds(disk)
        except WitmarkError as error:
            self.tally.note("partial", f"{where}: {error}")
            return
        asked, is_settled = life.requests(), _is_settled(disk)
        if asked > had.count("sent"):
            self.tally.note("hidden_requests", where)
        wanted = self._script.later(refused(disk))
        then = Life(self._script.then or self.name, life.count, self._script.then_s)
        said = forked(lambda: _taken_up(then, here))
        told = {} if said is None else json.loads(said)
        if told.get("ending") != wanted:
            self.tally.note("stuck", f"{where}: then {said}")
            return
        has = kinds(disk)
        new = has[len(had) :].count("sent")
        if told["asked"] - asked != new or (is_settled and new):
            self.tally.note("second_requests", where)
        if had[-1:] == ["replied"] and has[len(had)] != "judged":
            self.tally.note("second_requests", where)
        if early_requests(disk):
            self.tally.note("early_requests", where)
        self._unchanged(disk, where)
        if _is_published(disk) and not (told["same"] and life.requests() == told["asked"]):
            self.tally.note("unequal_replays", f"{where}: {said}")
        shutil.rmtree(here)
        life.count.unlink(missing_ok=True)

    def _unchanged(self, disk: PosixDisk, where: str) -> None:
        for name, raw in self._files.items():
            if disk.read(name) != raw:
                what = "changed_budgets" if name == INVESTIGATION else "changed_inputs"
                self.tally.note(what, f"{where}: {name}")


def _count(here: Path) -> Path:
    return here.with_name(f"count-{here.name}")


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
    told = json.loads(_told(life, here))
    before, asked = _all(here), life.requests()
    if not _is_published(PosixDisk(here / "package")):
        return json.dumps({**told, "asked": asked})
    again = json.loads(_told(replace(life, begun_s=life.begun_s + 1_000_000), here))
    is_same = again == told and _all(here) == before
    return json.dumps({**told, "asked": asked, "same": is_same})


def _told(life: Life, here: Path) -> str:
    """Run a life; say how it ended, or what its caller is told."""
    try:
        return json.dumps({"ending": life.run(PosixDisk(here / "package"))})
    except WitmarkError as error:
        return as_told(error)


if __name__ == "__main__":
    sys.exit(main())
