"""What every queue of jobs promises. Subclass, give ``clock`` and ``queue``, and run.

The queue goes by the fixture ``clock``, a ``SteadyClock``, and its leases last ``LEASE_MS``.
"""

import pytest

from witmark.diagnosis.case import CaseId, PackageId
from witmark.diagnosis.dispatch import MOST_LAPSES, DispatchPort, Job, Standing
from witmark.testing.models import SteadyClock
from witmark.testing.writers import race

LEASE_MS = 5_000


def job(case: str, revision: int = 1) -> Job:
    """A job of a package of that case."""
    return Job(CaseId(case), PackageId("p-1"), revision)


class DispatchContract:
    """Shared by the queue in memory, the one on disk, and whatever engine comes next."""

    @pytest.fixture
    def clock(self) -> SteadyClock:
        """Goes when it is told to."""
        return SteadyClock()

    @pytest.mark.clause("DIA-QUE-01")
    def test_a_package_is_queued_once(self, queue: DispatchPort) -> None:
        """Whoever asks again is told that it is there already."""
        assert queue.enqueue([job("b"), job("a"), job("b")]) == [job("a"), job("b")]
        assert queue.enqueue([job("a"), job("c")]) == [job("c")]
        assert [entry.job for entry in queue.entries()] == [job("a"), job("b"), job("c")]
        assert len(queue.claim(9)) == 3

    @pytest.mark.clause("DIA-QUE-01")
    def test_one_package_is_never_in_two_hands(
        self, queue: DispatchPort, clock: SteadyClock
    ) -> None:
        """However often it is queued and claimed, and whatever its revision is by then."""
        queue.enqueue([job("a")])
        [lease] = queue.claim()
        queue.enqueue([job("a")])
        queue.enqueue([job("a", 2)])
        clock.pass_ms(LEASE_MS - 1)
        assert queue.claim(9) == []
        assert not queue.complete([lease])

    @pytest.mark.clause("DIA-QUE-01")
    def test_what_was_queued_anew_while_it_ran_runs_again(self, queue: DispatchPort) -> None:
        """A newer revision is not what the worker was given; the same one is."""
        queue.enqueue([job("a"), job("b")])
        leases = queue.claim(2)
        queue.enqueue([job("a", 2), job("b", 1)])
        queue.complete(leases)
        assert [lease.job for lease in queue.claim(9)] == [job("a", 2)]

    @pytest.mark.clause("DIA-QUE-01")
    def test_packages_of_one_case_are_packages_of_their_own(self, queue: DispatchPort) -> None:
        """The package is what is queued, not the case."""
        other = Job(CaseId("a"), PackageId("p-2"), 1)
        assert queue.enqueue([other, job("a")]) == [job("a"), other]
        assert [lease.job for lease in queue.claim(9)] == [job("a"), other]

    @pytest.mark.clause("DIA-QUE-02")
    def test_jobs_are_claimed_in_batches_in_order(
        self, queue: DispatchPort, clock: SteadyClock
    ) -> None:
        """The longest eligible first, then by id; never more than were asked for."""
        queue.enqueue([job("z")])
        clock.pass_ms(1)
        queue.enqueue([job(name) for name in "dbca"])
        assert [lease.job.case_id for lease in queue.claim(3)] == ["z", "a", "b"]
        assert [lease.job.case_id for lease in queue.claim(3)] == ["c", "d"]
        assert queue.claim(3) == queue.claim(0) == []

    @pytest.mark.clause("DIA-QUE-02")
    def test_a_job_that_is_deferred_waits_for_its_time(
        self, queue: DispatchPort, clock: SteadyClock
    ) -> None:
        """Nobody is given it before, and queuing it again does not hurry it."""
        queue.enqueue([job("a")])
        [lease] = queue.claim()
        at_ms = clock.now_ms() + 10 * LEASE_MS
        assert queue.defer_until(lease, at_ms)
        assert queue.enqueue([job("a")]) == []
        clock.pass_ms(10 * LEASE_MS - 1)
        assert queue.claim() == []
        clock.pass_ms(1)
        assert [lease.job for lease in queue.claim()] == [job("a")]

    @pytest.mark.clause("DIA-QUE-02")
    def test_a_parked_job_stays_until_somebody_queues_it_again(
        self, queue: DispatchPort, clock: SteadyClock
    ) -> None:
        """The reason is kept, and no time makes it eligible."""
        queue.enqueue([job("a")])
        [lease] = queue.claim()
        assert queue.park(lease, "input.x: no")
        clock.pass_ms(1_000 * LEASE_MS)
        assert queue.claim() == []
        [entry] = queue.entries()
        assert (entry.standing, entry.reason) == (Standing.PARKED, "input.x: no")
        assert queue.enqueue([job("a", 2)]) == [job("a", 2)]
        [entry] = queue.entries()
        assert (entry.standing, entry.reason) == (Standing.WAITING, "")
        assert [lease.job for lease in queue.claim()] == [job("a", 2)]

    @pytest.mark.clause("DIA-QUE-03")
    @pytest.mark.parametrize("at", ["claim", "renew", "defer", "complete"])
    def test_a_worker_that_vanishes_loses_nothing(
        self, queue: DispatchPort, clock: SteadyClock, at: str
    ) -> None:
        """Whichever call was its last, the job is done once more or was done."""
        queue.enqueue([job("a")])
        [lease] = queue.claim()
        if at == "renew":
            clock.pass_ms(LEASE_MS - 1)
            assert [one.job for one in queue.renew([lease])] == [job("a")]
        if at == "defer":
            queue.defer_until(lease, clock.now_ms() + LEASE_MS)
        if at == "complete":
            queue.complete([lease])
        clock.pass_ms(LEASE_MS - 1)
        assert queue.claim() == []
        clock.pass_ms(1)
        assert [one.job for one in queue.claim()] == ([] if at == "complete" else [job("a")])

    @pytest.mark.clause("DIA-QUE-03")
    def test_a_stale_fence_is_refused(self, queue: DispatchPort, clock: SteadyClock) -> None:
        """A late worker changes nothing, whatever it asks for; who has the job now may."""
        queue.enqueue([job("a")])
        [late] = queue.claim()
        clock.pass_ms(LEASE_MS)
        [now] = queue.claim()
        assert now.fence > late.fence
        before = queue.entries()
        assert queue.complete([late]) == [late]
        assert queue.renew([late]) == []
        assert not queue.defer_until(late, clock.now_ms())
        assert not queue.park(late, "never")
        assert queue.entries() == before
        assert queue.complete([now]) == []
        assert queue.entries() == []

    @pytest.mark.clause("DIA-QUE-03")
    def test_a_fence_is_never_given_twice(
        self, queue: DispatchPort, clock: SteadyClock
    ) -> None:
        """Not to the next job, nor to the same package once it is queued anew."""
        fences: list[int] = []
        for _ in range(3):
            queue.enqueue([job("a"), job("b")])
            leases = queue.claim(2)
            fences += [lease.fence for lease in leases]
            assert queue.complete(leases) == []
            assert queue.complete(leases) == leases
        assert fences == sorted(set(fences))
        assert clock.now_ms() == SteadyClock.EPOCH_MS

    @pytest.mark.clause("DIA-QUE-03")
    def test_who_is_late_but_not_replaced_still_holds_the_job(
        self, queue: DispatchPort, clock: SteadyClock
    ) -> None:
        """The work is done and nobody else began it."""
        queue.enqueue([job("a")])
        [lease] = queue.claim()
        clock.pass_ms(2 * LEASE_MS)
        assert queue.complete([lease]) == []
        assert queue.entries() == []

    @pytest.mark.clause("DIA-QUE-03")
    def test_of_a_batch_only_the_stale_ones_are_refused(
        self, queue: DispatchPort, clock: SteadyClock
    ) -> None:
        """The others are done."""
        queue.enqueue([job("a"), job("b"), job("c")])
        leases = queue.claim(3)
        clock.pass_ms(LEASE_MS)
        [taken] = queue.claim(1)
        assert queue.complete(leases) == [leases[0]]
        assert [entry.job for entry in queue.entries()] == [taken.job] == [job("a")]

    @pytest.mark.clause("DIA-QUE-04")
    def test_a_job_that_no_worker_comes_back_from_is_parked(
        self, queue: DispatchPort, clock: SteadyClock
    ) -> None:
        """Else one bad case would kill every worker there is; the next job still runs."""
        queue.enqueue([job("a")])
        for _ in range(MOST_LAPSES):
            assert [lease.job for lease in queue.claim()] == [job("a")]
            clock.pass_ms(LEASE_MS)
        queue.enqueue([job("b")])
        assert [lease.job for lease in queue.claim()] == [job("b")]
        entry = queue.entries()[0]
        assert (entry.standing, entry.lapses) == (Standing.PARKED, MOST_LAPSES)
        assert "did not come back" in entry.reason

    @pytest.mark.clause("DIA-QUE-04")
    def test_lapses_are_counted_in_a_row(self, queue: DispatchPort, clock: SteadyClock) -> None:
        """Whoever comes back shows that it can be done."""
        queue.enqueue([job("a")])
        for _ in range(2 * MOST_LAPSES):
            [lease] = queue.claim()
            clock.pass_ms(LEASE_MS)
            [lease] = queue.claim()
            assert queue.defer_until(lease, clock.now_ms())

    @pytest.mark.clause("DIA-QUE-01")
    def test_of_many_claimers_at_once_each_job_has_one(self, queue: DispatchPort) -> None:
        """They begin together; together they hold every job once."""
        queue.enqueue([job(f"c{n}") for n in range(40)])
        hands = race(*[lambda: [queue.claim(3) for _ in range(3)] for _ in range(4)])
        held = [lease.job for hand in hands for leases in hand for lease in leases]  # type: ignore[attr-defined]  # an error has no leases and fails
        assert len(held) == len(set(held)) == 36
