r"""Is the queue of jobs fast enough, and does every job come through when workers are killed?

1. Throughput. Jobs are queued at once, then claimed and completed one by one, in turns with a
   bare loop that does nothing but two commits a job (WAL, ``synchronous = FULL``), on the same
   file system. Medians are compared; our share of the queueing counts.
2. Deaths. Jobs come in waves; several workers take them in batches, and nearly all are killed
   (SIGKILL) at a sampled claim or complete: before its commit, after it, between the two with
   the job under way, or at any moment at all. Late workers come back with leases that are
   long over. Every worker writes down what it does in a file that a death does not undo, and
   an oracle reads only that file: jobs that were lost, completed twice, in two hands at once,
   or completed under a fence that was not the newest.
3. The same oracle on three queues that are wrong on purpose (no look at the fence, leases that
   never end, a claim without the lock): each has to be seen.

Time goes on only between waves, so that a slow machine makes no lease end early.
``--full``: 10,000 jobs and 200 deaths.
"""

import contextlib
import mmap
import os
import random
import resource
import signal
import statistics
import struct
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from bench.common import Stopwatch, finish, options
from witmark.adapters.clock import SystemClock
from witmark.adapters.queue import SqliteQueue, leases
from witmark.diagnosis.case import CaseId, PackageId
from witmark.diagnosis.dispatch import Job, Lease
from witmark.diagnosis.ports import Clock

LEAST_RATIO = 0.6
LEASE_MS = 1_000
HANDS = 8
"""Workers at once that are to die; one more lives, one more is late."""

KINDS = ("claim before", "claim after", "job", "complete before", "complete after", "any")
NAUGHT = ("lost", "doubled", "at_once", "stale_accepted", "left", "garbled")
Opener = Callable[[Path, Clock], SqliteQueue]


@dataclass(frozen=True, slots=True)
class Size:
    """How much is done."""

    timed: int  # jobs on each side
    jobs: int
    deaths: int


SAMPLE = Size(timed=400, jobs=2_000, deaths=48)
FULL = Size(timed=2_000, jobs=10_000, deaths=200)
MUTANT = Size(timed=0, jobs=300, deaths=24)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, kill, and see the wrong ones."""
    chosen, watch = options(argv, __doc__), Stopwatch()
    size = FULL if chosen.full else SAMPLE
    with tempfile.TemporaryDirectory(prefix="witmark-queue-") as name:
        folder = Path(name)
        ratio, ours, bare = throughput(folder, size)
        tally = survive(folder / "ours", opened, size, seed=1)
        seen = {mutant: _seen(folder / mutant, made) for mutant, made in MUTANTS.items()}
    for line in tally.told:
        print(line)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    watch.children_s += used.ru_utime + used.ru_stime
    figures = {
        "ratio": round(ratio, 3),
        "ours_jobs_per_s": round(ours, 1),
        "bare_jobs_per_s": round(bare, 1),
        "jobs": tally.jobs,
        "workers_killed": sum(tally.killed.values()),
        "killed_at": dict(sorted(tally.killed.items())),
        "leases_claimed_again": tally.again,
        "refused": tally.refused,
        **tally.wrong,
        "mutants": seen,
        "sample": "all" if chosen.full else f"{size.deaths} of {FULL.deaths} deaths",
    }
    limits = {
        "ratio": LEAST_RATIO,
        "workers_killed": size.deaths,
        **dict.fromkeys(NAUGHT, 0),
        "mutants": "each more than 0",
    }
    ok = (
        ratio >= LEAST_RATIO
        and sum(tally.killed.values()) >= size.deaths
        and tally.refused > 0
        and not any(tally.wrong.values())
        and all(seen.values())
    )
    return finish("queue", watch, figures=figures, limits=limits, n=tally.jobs, ok=ok)


def _seen(folder: Path, made: Callable[[], contextlib.AbstractContextManager[Opener]]) -> int:
    """How often the oracle sees what is wrong."""
    with made() as opener:
        return sum(survive(folder, opener, MUTANT, seed=2).wrong.values())


# ---------------------------------------------------------------- how fast


def throughput(folder: Path, size: Size) -> tuple[float, float, float]:
    """Our rate over the bare one, and both rates: jobs a second, by the median of each.

    The two take turns job by job: what the disk does for others hits both alike.
    """
    queue = SqliteQueue(folder / "fast.sqlite3", SystemClock())
    bare = apsw.Connection(str(folder / "bare.sqlite3"))
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE job(no INTEGER PRIMARY KEY, done INTEGER NOT NULL)")
    enqueued_s = _took_s(lambda: queue.enqueue(job_of(n) for n in range(size.timed)))
    ours, theirs = [], []
    for number in range(size.timed):
        runs = [(ours, lambda: _our_job(queue)), (theirs, lambda n=number: _bare_job(bare, n))]
        for times, run in runs if number % 2 else reversed(runs):
            times.append(_took_s(run))
    queue.close()
    bare.close()
    our_s = statistics.median(ours) + enqueued_s / size.timed
    bare_s = statistics.median(theirs)
    return bare_s / our_s, 1 / our_s, 1 / bare_s


def _took_s(run: Callable[[], object]) -> float:
    begun = time.perf_counter()  # what is waited for is the disk, which no CPU time shows
    run()
    return time.perf_counter() - begun


def _our_job(queue: SqliteQueue) -> None:
    taken = queue.claim()
    if len(taken) != 1 or queue.complete(taken):
        raise AssertionError("a job that waits was not claimed and completed")


def _bare_job(db: apsw.Connection, number: int) -> None:
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO job VALUES (?, 0)", (number,))
    db.execute("COMMIT")
    db.execute("BEGIN IMMEDIATE")
    db.execute("UPDATE job SET done = 1 WHERE no = ?", (number,))
    db.execute("COMMIT")


def job_of(number: int) -> Job:
    """The job of that number."""
    return Job(CaseId(f"case-{number:05}"), PackageId("p-1"), 1)


# ---------------------------------------------------------------- who dies


class SharedClock:
    """A time that all processes share and that goes when the bench says so."""

    def __init__(self) -> None:
        self._at = mmap.mmap(-1, 8)
        self.forward(1_000_000)

    def now_ms(self) -> int:
        """Milliseconds since 1970."""
        [now_ms] = struct.unpack("q", self._at[:8])
        return int(now_ms)

    def forward(self, by_ms: int) -> None:
        """Let time go by."""
        self._at[:8] = struct.pack("q", self.now_ms() + by_ms)


@dataclass(frozen=True, slots=True)
class Plan:
    """What one worker does before it dies."""

    batch: int
    kind: str = ""  # of KINDS; empty: it lives
    at: int = 0  # the how manieth claim or complete
    after_s: float = 0.0  # "any": when the bench kills it


@dataclass(slots=True)
class Tally:
    """What came of it."""

    killed: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAUGHT, 0))
    jobs: int = 0
    again: int = 0
    refused: int = 0
    told: list[str] = field(default_factory=list)

    def note(self, what: str, where: object) -> None:
        """Count a failure and say where it was."""
        self.wrong[what] += 1
        if len(self.told) < 20:
            self.told.append(f"{what}: {where}")


class Diary:
    """A file that every worker adds lines to; a line is there once it was written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def say(self, what: str, *more: object) -> None:
        """Add a line, with the process that says it in front."""
        self.say_of(os.getpid(), what, *more)

    def say_of(self, pid: int, what: str, *more: object) -> None:
        """Add a line about a process."""
        os.write(self._fd, " ".join(map(str, (pid, what, *more))).encode() + b"\n")

    def lines(self) -> Iterator[list[str]]:
        """Every line, in the order in which they were written."""
        yield from (line.split() for line in self.path.read_text().splitlines())


def survive(folder: Path, opener: Opener, size: Size, *, seed: int) -> Tally:
    """Have jobs done by workers that die, and read what they wrote down."""
    folder.mkdir()
    dice = random.Random(seed)  # noqa: S311 - sampled, not secret
    place, clock, diary = folder / "queue.sqlite3", SharedClock(), Diary(folder / "diary")
    tally, late = Tally(), []
    waves = max(1, size.deaths // HANDS)
    a_wave, numbers = -(-size.jobs // waves), iter(range(1_000_000))
    wanted: list[Job] = []
    while len(wanted) < size.jobs or sum(tally.killed.values()) < size.deaths:
        fresh = [job_of(next(numbers)) for _ in range(a_wave)]
        wanted += fresh
        if len(wanted) > 5 * size.jobs:
            raise AssertionError("hardly anybody dies")
        clock.forward(LEASE_MS)
        with contextlib.closing(opener(place, clock)) as queue:
            queue.enqueue(fresh)
            kept = late
            late = list(queue.claim(3))
        for lease in late:
            diary.say("claimed", lease.job.case_id, lease.fence)
        plans = [_plan(dice) for _ in range(HANDS)]
        pids = {_forked(_worker, opener, place, clock, diary, plan): plan for plan in plans}
        pids[_forked(_late_worker, opener, place, clock, diary, kept)] = Plan(1)
        _see_them_end(pids, diary, tally)
        survivor = _forked(_worker, opener, place, clock, diary, Plan(dice.randint(1, 16)))
        _see_them_end({survivor: Plan(1)}, diary, tally)
    clock.forward(LEASE_MS)
    last = _forked(_worker, opener, place, clock, diary, Plan(16))
    _see_them_end({last: Plan(1)}, diary, tally)
    with contextlib.closing(opener(place, clock)) as queue:
        for entry in queue.entries():
            tally.note("left", entry)
    tally.jobs = len(wanted)
    Oracle(tally).read(diary, [job.case_id for job in wanted])
    return tally


def _plan(dice: random.Random) -> Plan:
    kind = dice.choice(KINDS)
    return Plan(dice.randint(1, 8), kind, dice.randint(1, 3), dice.uniform(0.005, 0.08))


def _forked(run: Callable[..., None], *arguments: object) -> int:
    """Run in a child that never comes back here."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        run(*arguments)
        code = 0
    finally:
        os._exit(code)


def _see_them_end(pids: dict[int, Plan], diary: Diary, tally: Tally) -> None:
    """Wait for all of them; kill those that may die at any moment."""
    begun = time.monotonic()
    doomed = sorted((plan.after_s, pid) for pid, plan in pids.items() if plan.kind == "any")
    alive = dict(pids)
    while alive:
        while doomed and time.monotonic() - begun >= doomed[0][0]:
            pid = doomed.pop(0)[1]
            if pid in alive:
                os.kill(pid, signal.SIGKILL)
        for pid in [*alive]:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                plan = alive.pop(pid)
                diary.say_of(pid, "dead")
                if os.WIFSIGNALED(status):
                    tally.killed[plan.kind] += 1
                elif os.WEXITSTATUS(status):
                    tally.note("garbled", f"a worker failed: {plan}")
        time.sleep(0.002)


def _worker(opener: Opener, place: Path, clock: Clock, diary: Diary, plan: Plan) -> None:
    queue = opener(place, clock)
    die = _Death(plan, queue)
    while True:
        die.before("claim")
        if not (taken := queue.claim(plan.batch)):
            return
        die.after("claim")
        for lease in taken:
            diary.say("begins", lease.job.case_id, lease.fence)
            os.sched_yield()
            die.now("job")
        for lease in taken:
            diary.say("tries", lease.job.case_id, lease.fence)
        die.before("complete")
        _complete(queue, taken, diary)
        die.after("complete")


def _late_worker(
    opener: Opener, place: Path, clock: Clock, diary: Diary, held: Sequence[Lease]
) -> None:
    """Come back long after the leases ended, in the middle of what the others do."""
    queue = opener(place, clock)
    for lease in held:
        time.sleep(0.01)
        diary.say("tries", lease.job.case_id, lease.fence)
        _complete(queue, [lease], diary)


def _complete(queue: SqliteQueue, taken: Sequence[Lease], diary: Diary) -> None:
    refused = queue.complete(taken)
    for lease in taken:
        what = "refused" if lease in refused else "done"
        diary.say(what, lease.job.case_id, lease.fence)


class _Death:
    """Comes at the n-th claim or complete, before its commit or after it."""

    def __init__(self, plan: Plan, queue: SqliteQueue) -> None:
        self._plan, self._left = plan, plan.at
        self._db = queue._db  # noqa: SLF001 - only its owner's connection knows of the commit

    def before(self, call: str) -> None:
        if self._plan.kind == f"{call} before" and self._is_the_one():
            self._db.set_commit_hook(lambda: _die() or False)

    def after(self, call: str) -> None:
        self.now(f"{call} after")

    def now(self, kind: str) -> None:
        if self._plan.kind == kind and self._is_the_one():
            _die()

    def _is_the_one(self) -> bool:
        self._left -= 1
        return self._left == 0


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


# ---------------------------------------------------------------- what they wrote down


class Oracle:
    """Reads the diary. It knows the lines and nothing of the queue."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._newest: Counter[str] = Counter()  # fences
        self._done: dict[str, list[int]] = defaultdict(list)
        self._hands: dict[str, set[str]] = defaultdict(set)  # who has a job now
        self._begun: set[str] = set()
        self._tried: dict[str, set[str]] = defaultdict(set)  # by worker
        self._perhaps: set[str] = set()  # tried by one who died over it: it may be done

    def read(self, diary: Diary, wanted: Sequence[str]) -> None:
        """Count what went wrong."""
        for pid, what, *more in diary.lines():
            if what == "dead":
                self._dead(pid)
                continue
            job, fence = more[0], int(more[1])
            self._newest[job] = max(self._newest[job], fence)
            if what == "begins":
                self._begins(pid, job)
            elif what == "tries":
                self._tried[pid].add(job)
            elif what != "claimed":
                self._ends(pid, job, fence, is_done=what == "done")
        self._sum_up(wanted)

    def _begins(self, pid: str, job: str) -> None:
        self._tally.again += job in self._begun
        self._begun.add(job)
        if self._hands[job]:
            self._tally.note("at_once", f"{job} by {pid} and {sorted(self._hands[job])}")
        self._hands[job].add(pid)
        self._perhaps.discard(job)

    def _ends(self, pid: str, job: str, fence: int, *, is_done: bool) -> None:
        self._tried[pid].discard(job)
        self._hands[job].discard(pid)
        self._tally.refused += not is_done
        if is_done:
            self._done[job].append(fence)

    def _dead(self, pid: str) -> None:
        self._perhaps |= self._tried.pop(pid, set())
        for holders in self._hands.values():
            holders.discard(pid)

    def _sum_up(self, wanted: Sequence[str]) -> None:
        for job in wanted:
            if not self._done[job] and job not in self._perhaps:
                self._tally.note("lost", job)
        for job, fences in sorted(self._done.items()):
            if len(fences) > 1:
                self._tally.note("doubled", f"{job} under {fences}")
            if fences and max(fences) < self._newest[job]:
                self._tally.note("stale_accepted", f"{job} under {fences}")


# ---------------------------------------------------------------- queues that are wrong


def opened(place: Path, clock: Clock) -> SqliteQueue:
    """Ours. That many deaths in a row on one job are chance here, and no reason to park it."""
    return SqliteQueue(place, clock, lease_ms=LEASE_MS, most_lapses=1_000)


class _NoLock(SqliteQueue):
    """Reads what is due before it takes the lock."""

    def claim(self, most: int = 1) -> Sequence[Lease]:
        """As ours, in the wrong order."""
        rows = list(self._db.execute(leases._DUE, (self._clock.now_ms(), most)))  # noqa: SLF001 - the mutant is ours, with a fault
        time.sleep(0.002)
        with self._writing() as db:
            now_ms = self._clock.now_ms()
            first = leases._fences(db, len(rows), now_ms)  # noqa: SLF001 - as above
            taken = [self._lease(row, first + at, now_ms) for at, row in enumerate(rows)]
        return [lease for lease in taken if lease is not None]


@contextlib.contextmanager
def _misread(names: Sequence[str], before: str, after: str) -> Iterator[Opener]:
    """Ours, with its statements changed."""
    statements = {name: getattr(leases, name) for name in names}
    for name, statement in statements.items():
        if before not in statement:
            raise AssertionError(f"{name} does not read so any more")
        setattr(leases, name, statement.replace(before, after))
    try:
        yield opened
    finally:
        for name, statement in statements.items():
            setattr(leases, name, statement)


@contextlib.contextmanager
def _unlocked() -> Iterator[Opener]:
    yield lambda place, clock: _NoLock(place, clock, lease_ms=LEASE_MS, most_lapses=1_000)


MUTANTS: dict[str, Callable[[], contextlib.AbstractContextManager[Opener]]] = {
    "no look at the fence": lambda: _misread(
        ("_COMPLETE", "_DO_ANEW"), "AND fence = ?", "AND ? > 0"
    ),
    "leases never end": lambda: _misread(("_DUE",), "<> 'parked'", "= 'waiting'"),
    "claim without the lock": _unlocked,
}


if __name__ == "__main__":
    sys.exit(main())
