"""Every queue keeps the same promises, whatever happens to its workers."""

import pytest

from witmark.adapters.queue import SqliteQueue
from witmark.testing.dispatch_contract import LEASE_MS, DispatchContract, job
from witmark.testing.dispatching import MemoryQueue
from witmark.testing.models import SteadyClock
from witmark.testing.writers import race, race_processes


class TestMemoryQueue(DispatchContract):
    @pytest.fixture
    def queue(self, clock):
        return MemoryQueue(clock, lease_ms=LEASE_MS)


class TestSqliteQueue(DispatchContract):
    @pytest.fixture
    def queue(self, clock, tmp_path):
        queue = SqliteQueue(tmp_path / "queue.sqlite3", clock, lease_ms=LEASE_MS)
        yield queue
        queue.close()


@pytest.mark.clause("DIA-QUE-05")
def test_a_queue_that_is_opened_again_holds_what_it_held(tmp_path):
    clock, path = SteadyClock(), tmp_path / "queue.sqlite3"
    one = SqliteQueue(path, clock, lease_ms=LEASE_MS)
    one.enqueue([job("a"), job("b"), job("c")])
    first, second = one.claim(2)
    one.park(second, "no")
    before = one.entries()
    one.close()
    other = SqliteQueue(path, clock, lease_ms=LEASE_MS)
    assert other.entries() == before
    assert [lease.job for lease in other.claim(9)] == [job("c")]
    assert other.complete([first]) == []
    other.close()


@pytest.mark.clause("DIA-QUE-01")
@pytest.mark.parametrize("run", [race, race_processes])
def test_connections_that_claim_at_once_share_no_job(tmp_path, run):
    path, clock = tmp_path / "queue.sqlite3", SteadyClock()
    queue = SqliteQueue(path, clock)
    queue.enqueue([job(f"c{n:03}") for n in range(60)])
    queue.close()

    def work():
        mine, done = SqliteQueue(path, clock), []
        while leases := mine.claim(2):
            done += [lease.job for lease in leases]
            assert mine.complete(leases) == []
        mine.close()
        return done

    hands = run(*[work] * 3)
    assert sorted(one for hand in hands for one in hand) == [job(f"c{n:03}") for n in range(60)]


@pytest.mark.clause("DIA-QUE-03")
def test_a_queue_made_anew_gives_no_fence_of_the_lost_one(tmp_path):
    clock = SteadyClock()
    lost = SqliteQueue(tmp_path / "lost.sqlite3", clock, lease_ms=LEASE_MS)
    lost.enqueue([job("a")])
    [late] = lost.claim()
    lost.close()
    clock.pass_ms(1_000)
    anew = SqliteQueue(tmp_path / "queue.sqlite3", clock, lease_ms=LEASE_MS)
    anew.enqueue([job("a")])
    [lease] = anew.claim()
    assert lease.fence > late.fence
    assert anew.complete([late]) == [late]
    assert anew.complete([lease]) == []
    anew.close()
