"""Two dispatchers on one model call: exactly one request, one winner, and a loser who is told.

Half of the races are between two processes, half between two threads; each is a call of its
own, on a disk of its own or on one that a hundred races share. The provider takes its time,
so that the two do meet.
"""

import json
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier, Thread

from bench.common import Stopwatch, finish, options
from bench.model_lives import PROFILES, CountedProvider, ask, judge, now
from witmark.adapters.disk import PosixDisk
from witmark.kernel.journal import read_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.outcome import Accepted, Because, Outcome, Waiting
from witmark.kernel.model.reply import Failure, LoadImage, Raw
from witmark.kernel.model.request import Ask, Request
from witmark.testing.models import SteadyClock

RACES = 1000
ON_ONE_DISK = 100
_TAKES_S = 0.004
_MEMORY = Path("/dev/shm")  # noqa: S108  # folders of our own in it

ACCEPTED, HELD = "accepted", "held"


class SlowProvider(CountedProvider):
    """Takes its time to answer, as they do."""

    async def send(self, request: Request, load: LoadImage) -> Raw | Failure:
        """Count the request, wait, answer."""
        answer = await super().send(request, load)
        time.sleep(_TAKES_S)  # noqa: ASYNC251  # there is no loop, and it is not ours that sleeps
        return answer


def main(argv: Sequence[str] | None = None) -> int:
    """Race, and count who won."""
    options(argv, __doc__)
    watch = Stopwatch()
    ends: Counter[str] = Counter()
    wrong: list[str] = []
    where = _MEMORY if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=where, prefix="witmark-races-") as parent:
        for number in range(RACES):
            disk = Path(parent) / (
                f"{number // ON_ONE_DISK}" if number % 4 else f"own-{number}"
            )
            count = Path(parent) / f"count-{number}"
            run = _with_processes if number % 2 else _with_threads
            pair = run(partial(_dispatched, disk, count, number))
            ends["+".join(sorted(pair))] += 1
            if because := _wrong(pair, disk, count, number):
                wrong.append(f"race {number}: {because}")
    used = os.times()
    watch.children_s += used.children_user + used.children_system
    for line in wrong[:20]:
        print(line)
    figures = {"races": RACES, "wrong": len(wrong), "ends": dict(sorted(ends.items()))}
    met = sum(n for pair, n in ends.items() if HELD in pair)
    figures["met"] = met
    limits = {"wrong": 0, "met": f">= {RACES // 4}"}
    ok = not wrong and met >= RACES // 4
    return finish("races", watch, figures=figures, limits=limits, n=RACES, ok=ok)


def _dispatched(root: Path, count: Path, number: int) -> str:
    disk = PosixDisk(root)
    provider = SlowProvider(count, ("good",))
    gateway = DurableGateway(ModelRoutes({"*": PROFILES}), {"counted": provider}, SteadyClock())
    return _name(now(gateway.dispatch(_ask(disk, number), judge, disk)))


def _ask(disk: PosixDisk, number: int) -> Ask:
    return replace(ask(disk), subject=f"run-{number}")


def _name(outcome: Outcome) -> str:
    match outcome:
        case Accepted():
            return ACCEPTED
        case Waiting(because=Because.HELD):
            return HELD
        case _:
            return f"? {outcome}"


def _wrong(pair: list[str], root: Path, count: Path, number: int) -> str:
    """Why this race did not end as promised; nothing if it did."""
    if not set(pair) <= {ACCEPTED, HELD} or ACCEPTED not in pair:
        return f"they ended as {pair}"
    if (requests := count.stat().st_size) != 1:
        return f"{requests} requests"
    kinds = [entry.kind for entry in read_journal(PosixDisk(root), f"run-{number}")]
    if kinds != ["model.sent", "model.replied", "model.judged"]:
        return f"the record holds {kinds}"
    return ""


def _with_threads(work: Callable[[], str]) -> list[str]:
    ends: list[str] = []
    start = Barrier(2)

    def runner() -> None:
        start.wait()
        ends.append(_safely(work))

    threads = [Thread(target=runner) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ends


def _with_processes(work: Callable[[], str]) -> list[str]:
    gate, opened = os.pipe()
    heard, told = os.pipe()
    children = []
    for _ in range(2):
        child = os.fork()
        if child == 0:
            os.close(opened)
            os.read(gate, 1)
            os.write(told, (json.dumps(_safely(work)) + "\n").encode())
            os._exit(0)
        children.append(child)
    os.close(gate)
    os.close(told)
    os.write(opened, b"gg")
    os.close(opened)
    with os.fdopen(heard) as answers:
        ends = [str(json.loads(line)) for line in answers]
    for child in children:
        os.waitpid(child, 0)
    return ends


def _safely(work: Callable[[], str]) -> str:
    """An exception is how a race goes wrong; it must not stop the others."""
    try:
        return work()
    except BaseException:  # noqa: BLE001  # whatever it is, it is told
        return traceback.format_exc(limit=-3)


if __name__ == "__main__":
    sys.exit(main())
