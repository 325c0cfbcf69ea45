"""What a worker does with a job, and what it leaves in the queue."""

import asyncio
from contextlib import contextmanager

import pytest
from diagnosis_bench import GOOD, Bench
from diagnosis_cases import CASE, PACKAGE

from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.case import CaseId, State
from witmark.diagnosis.dispatch import Job, Standing
from witmark.diagnosis.use_cases import DiagnosisDesk
from witmark.diagnosis.working import AFTER_TROUBLE_MS, HELD_MS, Did, Worker
from witmark.kernel.errors import DiskError
from witmark.kernel.model.gateway import lock_of
from witmark.testing.disks import MemoryDisk
from witmark.testing.dispatching import MemoryQueue
from witmark.testing.models import misconfigured, unreachable

JOB = Job(CASE, PACKAGE, 1)
LEASE_MS = 30_000


class Shift:
    """A queue with one job, a desk, and a worker whose every sleep lets time pass."""

    def __init__(self, *answers, bench=None, jobs=(JOB,)):
        self.bench = bench or Bench(*answers)
        self.clock = self.bench.clock
        self.queue = MemoryQueue(self.clock, lease_ms=LEASE_MS)
        self.queue.enqueue(jobs)
        self.slept, self.is_stopped, self.kept = [], False, []
        self.on_phase = lambda phase: None
        self.desk = DiagnosisDesk(
            self.bench,
            None,
            (),
            lambda *_: (),
            self.bench.builder,
            self.clock,
            progress=lambda phase: self.on_phase(phase),  # noqa: PLW0108 - a test sets it later
        )

    async def sleep(self, for_s):
        self.slept.append(for_s)
        self.clock.pass_s(for_s)

    @contextmanager
    def keep(self, lease):
        self.kept.append(lease)
        yield

    def work(self, *, wait=False, most=99, retry_id=None):
        worker = Worker(
            self.queue, self.desk, self.keep, self.sleep, lambda: self.is_stopped, retry_id
        )

        async def run():
            did = []
            async for one in worker.work(wait=wait):
                did.append(one)
                if len(did) == most:
                    self.is_stopped = True
            return did

        return asyncio.run(run())

    @property
    def entry(self):
        [entry] = self.queue.entries()
        return entry


@pytest.mark.clause("DIA-QUE-07")
def test_a_published_diagnosis_takes_the_job_out():
    shift = Shift(GOOD)
    [one] = shift.work()
    assert (one.did, one.told, one.job) == (Did.PUBLISHED, "confirmed", JOB)
    assert shift.queue.entries() == []
    assert [lease.job for lease in shift.kept] == [JOB]
    assert shift.slept == []


@pytest.mark.clause("DIA-QUE-07")
def test_a_rejected_decision_is_tried_again_at_once_one_request_a_dispatch():
    shift = Shift("no JSON", GOOD)
    first, second = shift.work()
    assert (first.did, second.did) == (Did.REJECTED, Did.PUBLISHED)
    assert "attempts left: 2" in first.told
    assert len(shift.kept) == len(shift.bench.provider.asked) == 2
    assert shift.slept == []


@pytest.mark.clause("DIA-QUE-07")
def test_a_call_that_has_to_wait_waits_in_the_queue_and_nobody_sleeps():
    shift = Shift(unreachable(retry_after_s=3600), GOOD)
    [one] = shift.work()
    assert one.did is Did.WAITS
    assert shift.entry.standing is Standing.WAITING
    assert shift.entry.due_ms == one.again_ms >= shift.clock.now_ms() + 3_600_000
    assert shift.slept == []
    assert shift.work() == []  # a drained queue is left; the job is not due
    shift.clock.pass_s(3600)
    assert [one.did for one in shift.work()] == [Did.PUBLISHED]
    assert len(shift.bench.provider.asked) == 2


@pytest.mark.clause("DIA-QUE-07")
def test_who_waits_sleeps_between_polls_and_then_does_the_job():
    shift = Shift(unreachable(retry_after_s=60), GOOD)
    assert [one.did for one in shift.work(wait=True, most=2)] == [Did.WAITS, Did.PUBLISHED]
    assert 60 <= sum(shift.slept) <= 62


@pytest.mark.clause("DIA-QUE-08")
def test_a_call_that_no_time_opens_is_parked_with_the_reason():
    shift = Shift(misconfigured())
    [one] = shift.work()
    assert one.did is Did.PARKED
    assert "misconfigured" in shift.entry.reason
    assert "status-401" in shift.entry.reason
    assert shift.work(wait=False) == []
    shift.queue.enqueue([JOB])
    assert [one.did for one in shift.work()] == [Did.PARKED]
    assert len(shift.bench.provider.asked) == 1
    shift.queue.enqueue([JOB])
    shift.bench.provider._answers.append(GOOD)
    assert [one.did for one in shift.work(retry_id="monday")] == [Did.PUBLISHED]


@pytest.mark.clause("DIA-QUE-08")
def test_inputs_that_changed_park_the_job_and_the_next_one_goes_on():
    bench = Bench(GOOD)
    bench.files["inputs/more.log"] = b"new"
    shift = Shift(bench=bench)
    [one] = shift.work()
    assert one.did is Did.PARKED
    assert shift.entry.reason.startswith("input.stale-case: ")
    assert bench.provider.asked == []


@pytest.mark.clause("DIA-QUE-08")
def test_a_package_that_is_damaged_or_gone_parks_the_job():
    for damage in (lambda files: files.clear(), lambda files: files.update(_flipped(files))):
        bench = Bench(GOOD)
        damage(bench.files)
        shift = Shift(bench=bench)
        [one] = shift.work()
        assert one.did is Did.PARKED
        assert shift.entry.reason.startswith(("integrity.", "input."))


def _flipped(files):
    return {name: raw[:-2] + b"??" for name, raw in files.items() if "manifests/" in name}


@pytest.mark.clause("DIA-QUE-08")
def test_a_fault_outside_is_tried_again_later_and_never_in_a_hurry(monkeypatch):
    shift = Shift(GOOD)
    disk, write = shift.bench.package.disk, MemoryDisk.write_new

    def full(*_):
        raise DiskError("no space left on device")

    monkeypatch.setattr(type(disk), "write_new", full)
    [one] = shift.work()
    assert (one.did, shift.slept) == (Did.WAITS, [])
    assert one.again_ms == shift.clock.now_ms() + AFTER_TROUBLE_MS
    assert "no space left" in one.told
    monkeypatch.setattr(type(disk), "write_new", write)
    shift.clock.pass_s(AFTER_TROUBLE_MS / 1000)
    assert [one.did for one in shift.work()] == [Did.PUBLISHED]


@pytest.mark.clause("DIA-QUE-08")
def test_a_package_that_somebody_else_is_at_work_on_is_tried_a_little_later():
    shift = Shift(GOOD)
    with shift.bench.package.disk.held(lock_of("diagnosis-0001")):
        [one] = shift.work()
    assert one.did is Did.WAITS
    assert one.again_ms == shift.clock.now_ms() + HELD_MS


@pytest.mark.clause("DIA-QUE-09")
def test_who_is_asked_to_stop_gives_the_job_back_between_two_phases():
    class Cases(Bench):
        """A package that is freshly assembled."""

        def __init__(self):
            super().__init__(GOOD)
            self.package.disk.files.clear()
            self.id = CaseAssembler(self, self.clock).new(
                CaseId(CASE), {"report.md": b"# It crashes\n\nload() fails.\n"}
            )

    bench = Cases()
    job = Job(CASE, bench.id, 1)
    shift = Shift(bench=bench, jobs=[job])

    def stop(phase):
        shift.is_stopped = phase == "hypotheses"

    shift.on_phase = stop
    [one] = shift.work()
    assert one.did is Did.STOPPED
    assert bench.manifest.state is State.HYPOTHESES_READY
    assert (shift.entry.standing, shift.entry.due_ms) == (
        Standing.WAITING,
        shift.clock.now_ms(),
    )
    shift.is_stopped = False
    shift.work(most=1)
    assert bench.manifest.state is State.BUILDING_DIAGNOSIS
    assert len(bench.provider.asked) == 1


@pytest.mark.clause("DIA-QUE-09")
def test_who_was_asked_to_stop_claims_nothing():
    shift = Shift(GOOD)
    shift.is_stopped = True
    assert shift.work(wait=True) == []
    assert shift.entry.standing is Standing.WAITING


@pytest.mark.clause("DIA-QUE-03")
@pytest.mark.parametrize("answer", [GOOD, "no JSON", unreachable(), misconfigured()])
def test_a_worker_that_lost_its_lease_changes_nothing_in_the_queue(answer):
    shift = Shift(answer)
    others = []

    @contextmanager
    def suspended(lease):
        yield
        shift.clock.pass_s(LEASE_MS / 1000)
        others.extend(shift.queue.claim())

    shift.keep = suspended
    [one, *rest] = shift.work(most=1)
    assert (one.did, rest) == (Did.LOST, [])
    assert shift.entry.standing is Standing.LEASED
    assert shift.queue.complete(others) == []


@pytest.mark.clause("DIA-QUE-03")
def test_two_workers_on_one_package_ask_once_and_publish_once():
    """One was suspended for longer than its lease, in the middle of a model call."""
    shift, late = Shift(GOOD), []
    send = shift.bench.provider.send
    other = Shift(bench=shift.bench, jobs=())
    other.queue = shift.queue

    async def suspended(request, load):
        shift.clock.pass_s(LEASE_MS / 1000)
        worker = Worker(other.queue, other.desk, other.keep, other.sleep, lambda: False)
        async for one in worker.work(wait=False):
            late.append(one.did)
            if one.did is Did.WAITS:
                break
        return await send(request, load)

    shift.bench.provider.send = suspended
    [lost, after] = shift.work(wait=True, most=2)
    assert late == [Did.WAITS]
    assert (lost.did, after.did) == (Did.LOST, Did.PUBLISHED)
    assert len(shift.bench.provider.asked) == 1
    assert shift.bench.manifest.generation == 6  # as after one build
    assert shift.queue.entries() == []


@pytest.mark.clause("DIA-QUE-09")
def test_what_a_dead_worker_held_is_done_before_the_queue_is_left():
    shift = Shift(GOOD)
    shift.queue.claim()
    assert [one.did for one in shift.work()] == [Did.PUBLISHED]
    assert LEASE_MS / 1000 <= sum(shift.slept) <= LEASE_MS / 1000 + 2


@pytest.mark.clause("DIA-QUE-09")
def test_what_a_living_worker_holds_is_left_to_it():
    shift = Shift(GOOD)
    held = shift.queue.claim()
    sleep = shift.sleep

    async def renewing(for_s):
        await sleep(for_s)
        assert shift.queue.renew(held)

    shift.sleep = renewing
    assert shift.work() == []
    assert sum(shift.slept) <= LEASE_MS / 1000 + 2
    assert shift.entry.standing is Standing.LEASED
