"""The queue in memory and the one on disk do the same, in whatever order they are asked."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from witmark.adapters.queue import SqliteQueue
from witmark.diagnosis.dispatch import Standing
from witmark.testing.dispatch_contract import LEASE_MS, job
from witmark.testing.dispatching import MemoryQueue
from witmark.testing.models import SteadyClock

places = st.integers(0, 7)


class Queues(RuleBasedStateMachine):
    """Every lease that was ever given is kept, so that late ones come back too."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = SteadyClock()
        options = {"lease_ms": LEASE_MS, "most_lapses": 3}
        self.memory = MemoryQueue(self.clock, **options)
        self.disk = SqliteQueue(Path(self.folder.name, "q.sqlite3"), self.clock, **options)
        self.given = []  # pairs of leases, the one in memory first

    def teardown(self):
        self.disk.close()
        self.folder.cleanup()

    @rule(names=st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 3)), max_size=4))
    def enqueue(self, names):
        jobs = [job(*name) for name in names]
        assert self.memory.enqueue(jobs) == self.disk.enqueue(jobs)

    @rule(most=st.integers(0, 3))
    def claim(self, most):
        before = {entry.job.package: entry for entry in self.memory.entries()}
        one, other = self.memory.claim(most), self.disk.claim(most)
        assert [(two.job, two.until_ms) for two in one] == [
            (two.job, two.until_ms) for two in other
        ]
        for lease in one:
            was = before[lease.job.package]
            assert was.standing is not Standing.PARKED
            assert was.due_ms <= self.clock.now_ms()
        for position in (0, 1):
            fences = [pair[position].fence for pair in self.given]
            new = [lease.fence for lease in (one, other)[position]]
            assert sorted({*fences, *new}) == fences + new
        self.given += zip(one, other, strict=True)

    @precondition(lambda self: self.given)
    @rule(
        places=st.lists(places, min_size=1, max_size=3, unique=True),
        call=st.sampled_from(["complete", "renew"]),
    )
    def batch(self, places, call):
        chosen = self.given[-8:]
        pairs = [chosen[place] for place in places if place < len(chosen)]
        one = getattr(self.memory, call)([pair[0] for pair in pairs])
        other = getattr(self.disk, call)([pair[1] for pair in pairs])
        assert [(two.job, two.until_ms) for two in one] == [
            (two.job, two.until_ms) for two in other
        ]

    @precondition(lambda self: self.given)
    @rule(place=places, later_ms=st.sampled_from([0, 1, LEASE_MS]))
    def defer(self, place, later_ms):
        one, other = self.given[-1 - place % len(self.given)]
        at_ms = self.clock.now_ms() + later_ms
        assert self.memory.defer_until(one, at_ms) == self.disk.defer_until(other, at_ms)

    @precondition(lambda self: self.given)
    @rule(place=places)
    def park(self, place):
        one, other = self.given[-1 - place % len(self.given)]
        assert self.memory.park(one, "why") == self.disk.park(other, "why")

    @rule(by_ms=st.sampled_from([1, LEASE_MS - 1, LEASE_MS]))
    def time_goes_by(self, by_ms):
        self.clock.pass_ms(by_ms)

    @invariant()
    def they_hold_the_same(self):
        assert self.memory.entries() == self.disk.entries()


TestQueues = pytest.mark.clause("DIA-QUE-01", "DIA-QUE-02", "DIA-QUE-03", "DIA-QUE-04")(
    Queues.TestCase
)
TestQueues.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
