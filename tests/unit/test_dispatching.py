"""How the queue is wired: leases are kept alive, and the packages know what is unfinished."""

import time

import pytest
from diagnosis_cases import CASE

from witmark.adapters.queue import SqliteQueue
from witmark.bootstrap import dispatching
from witmark.bootstrap.case_packages import opened
from witmark.bootstrap.diagnosing import assembler
from witmark.diagnosis.case import CaseId
from witmark.diagnosis.dispatch import Job
from witmark.kernel.errors import IntegrityError, UnwritableError
from witmark.testing.dispatch_contract import LEASE_MS, job
from witmark.testing.models import SteadyClock

LONGEST_S = 20


@pytest.mark.clause("DIA-QUE-03")
def test_a_lease_is_renewed_for_as_long_as_the_work_takes(tmp_path, monkeypatch):
    monkeypatch.setattr(dispatching, "LEASE_MS", 15)  # it beats every 5 ms
    clock = SteadyClock()
    queue = SqliteQueue(tmp_path / "queue.sqlite3", clock, lease_ms=LEASE_MS)
    queue.enqueue([job("a")])
    [lease] = queue.claim()
    with dispatching.keeper(queue)(lease):
        for _ in range(3):
            clock.pass_ms(LEASE_MS - 1)
            until = time.monotonic() + LONGEST_S
            while queue.entries()[0].due_ms != clock.now_ms() + LEASE_MS:
                assert time.monotonic() < until, "nobody renewed the lease"
                time.sleep(0.005)
            assert queue.claim() == []
    clock.pass_ms(LEASE_MS)
    assert [one.job for one in queue.claim()] == [job("a")]
    queue.close()


@pytest.mark.clause("DIA-QUE-10")
def test_the_packages_know_what_is_unfinished_and_which_cannot_be_read(tmp_path, monkeypatch):
    monkeypatch.setenv("WITMARK_HOME", str(tmp_path))
    cases = [CaseId(name) for name in (CASE, "case-2", "case-3")]
    made = [assembler().new(case, {"report.md": b"# It crashes\n"}) for case in cases]
    for manifest in tmp_path.glob("cases/case-2/*/manifests/*"):
        manifest.write_bytes(b"junk")
    assembler().reopen(there := opened(cases[2], made[2]), there.manifest())
    jobs, unreadable = dispatching.unfinished()
    assert jobs == [Job(cases[0], made[0], 1), Job(cases[2], made[2], 2)]
    [(name, error)] = unreadable
    assert name == f"case-2/{made[1]}"
    assert isinstance(error, IntegrityError)
    assert dispatching.job_of(cases[0], made[0]) == jobs[0]


@pytest.mark.clause("DIA-QUE-10")
def test_a_data_folder_that_cannot_be_made_is_told(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("WITMARK_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(UnwritableError), dispatching.open_queue():
        pass
