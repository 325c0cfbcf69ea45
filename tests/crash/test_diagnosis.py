"""The power goes before every write of a whole diagnosis, from the folder to the result."""

import asyncio
import contextlib
import errno
import os

import pytest
from diagnosis_bench import GOOD, OPEN, Bench
from diagnosis_cases import CASE, LOG, REPORT, investigated_package

from witmark.adapters.disk import PosixDisk
from witmark.diagnosis import analyst
from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.builder import DiagnosisBuilder, Published
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.package import Package, StaleCaseError
from witmark.diagnosis.use_cases import DiagnosisDesk, diagnose
from witmark.kernel.errors import DiskError
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.reply import Finish, Raw, Reply
from witmark.kernel.model.request import Profile
from witmark.testing.disks import FailingDisk, MemoryDisk, PowerCut
from witmark.testing.models import SteadyClock

FILES = {"report.md": REPORT, "logs/run.log": LOG}
SIDE = ".0123456789abcdef.side"


class Analyst:
    """The embedded analyst as a provider that counts."""

    def __init__(self):
        self.asked = 0

    async def ready(self, request):
        return None

    async def send(self, request, load):
        self.asked += 1
        return Raw(analyst.reply(request.messages[1].text).encode())

    def read(self, raw, request):
        return Reply(raw.body.decode(), Finish.STOP, "analyst")


class SideLeavingDisk(FailingDisk):
    """Leaves half a side file where the power goes, as the real disk does."""

    def write_new(self, name, data):
        try:
            super().write_new(name, data)
        except PowerCut:
            folder = name.rpartition("/")[0]
            self.files[f"{folder}/{SIDE}"] = data[: len(data) // 2]
            raise


class Store:
    def __init__(self, disk):
        self._disk = disk

    def disk(self, *_):
        return self._disk

    def cases(self):
        return [CASE]


class Nobody:
    def route(self, *_):
        pass


def run(disk, provider, clock):
    """Assemble and diagnose, as the command does."""
    store = Store(disk)
    routes = ModelRoutes({"*": (Profile("one", "analyst", "m", retries=5),)})
    gateway = DurableGateway(routes, {"analyst": provider}, clock)
    builder = DiagnosisBuilder(store, gateway, DiagnosisConfig(), router=Nobody(), clock=clock)
    desk = DiagnosisDesk(store, None, (), lambda *_: (), builder, clock)
    package = CaseAssembler(store, clock).new(CASE, FILES)
    return asyncio.run(diagnose(CASE, package, desk))


@pytest.fixture(scope="module")
def undisturbed():
    disk, provider = MemoryDisk(), Analyst()
    built = run(disk, provider, SteadyClock())
    assert isinstance(built, Published)
    assert provider.asked == 1
    return disk.files


@pytest.mark.clause("DIA-PUB-01")
@pytest.mark.parametrize("kind", [FailingDisk, SideLeavingDisk])
def test_a_cut_before_any_write_of_any_phase_strands_no_package(undisturbed, kind):
    """Artefacts of a step whose manifest never came are that step's, and nobody's input."""
    cuts = 0
    for writes in range(200):
        files, provider, clock = {}, Analyst(), SteadyClock()
        disk = kind(files, writes_left=writes)
        try:
            run(disk, provider, clock)
        except PowerCut:
            cuts += 1
        else:
            break
        asked = provider.asked
        run(MemoryDisk(files), provider, clock)  # an answer that was lost backs off first
        clock.pass_s(60)
        assert isinstance(run(MemoryDisk(files), provider, clock), Published)
        assert provider.asked <= asked + 1
        inputs = {
            n: raw for n, raw in files.items() if n.startswith("inputs/") and SIDE not in n
        }
        assert inputs == {n: r for n, r in undisturbed.items() if n.startswith("inputs/")}
        for name in (n for n in undisturbed if n.endswith(("context.json", "tion.json"))):
            assert files[name] == undisturbed[name]
    assert cuts >= 15


@pytest.mark.clause("DIA-PUB-02")
def test_what_a_crash_left_is_not_taken_for_what_somebody_else_put_there(undisturbed):
    """A stranger's file where an artefact belongs is said to be one; nothing is published."""
    met = 0
    for cut in range(3, 30):
        files, provider, clock = {}, Analyst(), SteadyClock()
        with contextlib.suppress(PowerCut):
            run(FailingDisk(files, writes_left=cut), provider, clock)
        declared = Package(MemoryDisk(files)).manifest().declared if _begun(files) else {}
        left = [n for n in files if n.startswith("analysis/") and n not in declared]
        for name in left if _begun(files) else []:
            changed = {**files, name: files[name][:-1] + b" "}
            before = dict(changed)
            clock.pass_s(60)
            with pytest.raises(StaleCaseError, match="not among the inputs"):
                run(MemoryDisk(changed), Analyst(), clock)
            assert changed[name] == before[name]
            met += 1
    assert met >= 5


@contextlib.contextmanager
def failing_fsync(package, monkeypatch, number):
    """Let the n-th fsync fail that comes when the manifest that publishes is linked."""
    met, real = [], os.fsync

    def failing(handle):
        if (package / "manifests" / "00000006.json").exists():
            met.append(handle)
            if len(met) == number + 1:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", failing)
        yield met


@pytest.mark.clause("DIA-PUB-06")
@pytest.mark.parametrize("answer", [GOOD, OPEN])
@pytest.mark.parametrize("refused", range(3))
def test_an_fsync_that_fails_behind_the_commit_point_settles_by_reading_again(
    tmp_path, monkeypatch, answer, refused
):
    """The caller is told an error, the diagnosis stands, and nobody is asked again."""
    bench = Bench(answer, package=investigated_package(PosixDisk(tmp_path / "package")))
    with (
        failing_fsync(tmp_path / "package", monkeypatch, refused) as met,
        pytest.raises(DiskError),
    ):
        bench.build()
    assert len(met) > refused  # taking a torn line back syncs once more
    again = Bench(package=bench.package)
    built = again.build()
    assert isinstance(built, Published)
    assert built.manifest == bench.manifest
    assert (len(bench.provider.asked), len(again.provider.asked)) == (1, 0)
    assert [kind for kind, _ in again.audit()].count("published") == 1


def _begun(files):
    return any(name.startswith("manifests/") for name in files)
