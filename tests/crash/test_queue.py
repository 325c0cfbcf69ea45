"""A worker's death at each call to the queue, before its commit and after it."""

import os
import signal

import pytest

from witmark.adapters.queue import SqliteQueue
from witmark.testing.dispatch_contract import LEASE_MS, job
from witmark.testing.models import SteadyClock

pytestmark = pytest.mark.clause("DIA-QUE-03")

CALLS = {
    "enqueue": lambda queue, _: queue.enqueue([job("c"), job("d")]),
    "claim": lambda queue, _: queue.claim(2),
    "renew": lambda queue, held: queue.renew(held),
    "complete": lambda queue, held: queue.complete(held),
    "defer": lambda queue, held: queue.defer_until(held[0], SteadyClock.EPOCH_MS + 9),
    "park": lambda queue, held: queue.park(held[0], "why"),
}


def dies(path, clock, call, held, *, is_committed):
    """Make the call in a process that is killed before its commit, or right after it."""
    pid = os.fork()
    if pid == 0:
        queue = SqliteQueue(path, clock, lease_ms=LEASE_MS)
        if not is_committed:
            queue._db.set_commit_hook(lambda: os.kill(os.getpid(), signal.SIGKILL) or False)
        call(queue, held)
        os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL


def opened(path, clock):
    return SqliteQueue(path, clock, lease_ms=LEASE_MS)


def prepared(path, clock):
    """Two jobs in hands, two that wait."""
    queue = opened(path, clock)
    queue.enqueue([job("a"), job("b")])
    held = queue.claim(2)
    queue.enqueue([job("e"), job("f")])
    queue.close()
    return held


@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize("name", CALLS)
def test_a_death_at_any_call_leaves_all_of_it_or_nothing(tmp_path, name, is_committed):
    clock = SteadyClock()
    clock.pass_ms(1)
    alive, dead = tmp_path / "alive.sqlite3", tmp_path / "dead.sqlite3"
    expected = opened(alive, clock)
    held = prepared(alive, clock)
    if is_committed:
        CALLS[name](expected, held)
    held = prepared(dead, clock)
    dies(dead, clock, CALLS[name], held, is_committed=is_committed)
    left = opened(dead, clock)
    assert left.entries() == expected.entries()
    expected.close()
    left.close()


@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize("name", CALLS)
def test_after_a_death_at_any_call_every_job_is_done_once(tmp_path, name, is_committed):
    clock, path = SteadyClock(), tmp_path / "queue.sqlite3"
    held = prepared(path, clock)
    dies(path, clock, CALLS[name], held, is_committed=is_committed)
    queue, done = opened(path, clock), []
    if name == "complete" and is_committed:
        done += [lease.job for lease in held]
    if name == "park" and is_committed:
        assert queue.enqueue([held[0].job]) == [held[0].job]
    clock.pass_ms(LEASE_MS)
    while leases := queue.claim(2):
        done += [lease.job for lease in leases]
        assert queue.complete(leases) == []
    wanted = {job(one) for one in "abef"}
    if name == "enqueue" and is_committed:
        wanted |= {job("c"), job("d")}
    assert sorted(done) == sorted(wanted)
    assert queue.complete(held) == held
    queue.close()
