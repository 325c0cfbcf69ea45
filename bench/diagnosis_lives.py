"""The lives of one diagnosis that `diagnosis_crash` and `diagnosis_replay` share.

A life is one process: it takes up an investigated package and builds until there is nothing
more to do, while the clock runs. The model answers by how often it was asked, and counts that
in a file outside the package, so that the count survives the process.
"""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from bench.common import ROOT
from bench.model_lives import Answer, CountedProvider, now
from witmark.adapters.disk import PosixDisk
from witmark.diagnosis import wire
from witmark.diagnosis.builder import Blocked, Built, DiagnosisBuilder, Published, Rejected
from witmark.diagnosis.case import CaseId, Manifest, PackageId, Phase, Routing, State
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.package import Package
from witmark.kernel.journal import read_journal
from witmark.kernel.model.attempt import Judge
from witmark.kernel.model.gateway import (
    MAX_INVALID_RESPONSES,
    DurableGateway,
    Gateway,
    ModelRoutes,
    lock_of,
)
from witmark.kernel.model.outcome import Because, Outcome
from witmark.kernel.model.record import Failed, Judged, Sent, events_of
from witmark.kernel.model.reply import Readers
from witmark.kernel.model.request import Ask, Profile
from witmark.kernel.store import RecordDisk
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock, misconfigured, unreachable

sys.path.append(str(ROOT / "tests"))  # the made case is the tests' own

from diagnosis_cases import (  # as above
    CASE,
    CONFIRMED,
    INCONCLUSIVE,
    PACKAGE,
    investigated_package,
)

RUN = "diagnosis-0001"
DIR = "analysis/diagnosis/0001/"
BAD = "no JSON"
MOST_BUILDS = 30


@dataclass(frozen=True, slots=True)
class Script:
    """What the model answers in turn (the last from then on), and what that comes to.

    Attributes:
        answers: A text is an answer, a failure is none.
        ending: How an undisturbed life ends.
        invalid: A life ends when so many decisions were refused.
        retries: How often the one provider may fail.
        retry_id: A blocked call is opened again under this name.
        is_held: Another process is at work on the run, as long as the life lasts.
        then: Which life goes on after a death; the same if left out.
        then_s: What time it is for the life that goes on.
    """

    answers: tuple[Answer, ...]
    ending: str
    invalid: int = 99
    retries: int = 9
    retry_id: str | None = None
    is_held: bool = False
    then: str = ""
    then_s: int = 1_000_000

    def later(self, refused: int) -> str:
        """How a life ends that goes on where so many refusals are durable already."""
        if self.invalid > MAX_INVALID_RESPONSES:
            return LIVES[self.then].ending if self.then else self.ending
        return "inconclusive" if refused + 1 >= MAX_INVALID_RESPONSES else self.ending


GOOD, OPEN = wire.decision_json(CONFIRMED), wire.decision_json(INCONCLUSIVE)
LATER = unreachable(retry_after_s=1_000.0, code="status-429")
LIVES = {
    "confirmed": Script((GOOD,), "confirmed"),
    "inconclusive": Script((OPEN,), "inconclusive"),
    "rejected 1": Script((BAD,), "rejected", invalid=1),
    "rejected 2": Script((BAD,), "rejected", invalid=2),
    "rejected 3": Script((BAD,), "inconclusive"),
    "blocked": Script((misconfigured(),), "blocked"),
    "exhausted": Script((unreachable(),), "exhausted", retries=1),
    "told to wait": Script((LATER, GOOD), "confirmed", then_s=300),
    "held": Script((GOOD,), "held", is_held=True, then="confirmed"),
    "blocked, then retried": Script((misconfigured(), GOOD), "confirmed", retry_id="again"),
}


class NotSettledError(AssertionError):
    """A life went on and on."""


class OneStore:
    """A store of one package."""

    def __init__(self, disk: RecordDisk) -> None:
        self._disk = disk

    def disk(self, case_id: CaseId, package_id: PackageId) -> RecordDisk:  # noqa: ARG002  # there is one
        """Its folder."""
        return self._disk

    def packages(self, case_id: CaseId) -> list[PackageId]:  # noqa: ARG002  # there is one
        """Its name."""
        return [PACKAGE]

    def cases(self) -> list[CaseId]:
        """Its case."""
        return [CASE]


@dataclass
class Told:
    """A router that only listens."""

    heard: list[tuple[State, Routing]] = field(default_factory=list)

    def route(
        self,
        case_id: CaseId,  # noqa: ARG002  # there is one
        package_id: PackageId,  # noqa: ARG002  # there is one
        state: State,
        routing: Routing,
    ) -> None:
        """Take note."""
        self.heard.append((state, routing))


class HeldElsewhere:
    """A gateway whose run another process holds, each time that it dispatches."""

    def __init__(self, real: Gateway) -> None:
        self._real = real

    @property
    def readers(self) -> Readers:
        """Those of the real one."""
        return self._real.readers

    @property
    def max_request_bytes(self) -> int:
        """That of the real one."""
        return self._real.max_request_bytes

    def check_fits(self, ask: Ask) -> None:
        """As the real one measures."""
        self._real.check_fits(ask)

    def serves(self, purpose: str) -> bool:
        """What the real one serves."""
        return self._real.serves(purpose)

    async def dispatch(
        self, ask: Ask, judge: Judge, disk: RecordDisk, *, retry_id: str | None = None
    ) -> Outcome:
        """Dispatch while a process of its own holds the run; it ends when we do."""
        heard, said = os.pipe()
        stop, go_on = os.pipe()
        holder = os.fork()
        if holder == 0:
            _hold(disk, lock_of(ask.subject), said, (heard, go_on), stop)
        os.close(said)
        os.close(stop)
        os.read(heard, 1)
        os.close(heard)
        try:
            return await self._real.dispatch(ask, judge, disk, retry_id=retry_id)
        finally:
            os.close(go_on)
            os.waitpid(holder, 0)  # noqa: ASYNC222  # nothing else runs meanwhile


def _hold(
    disk: RecordDisk, name: str, said: int, others: tuple[int, int], stop: int
) -> NoReturn:
    """Hold a name, say so, and let go when nobody is left at the other end."""
    try:
        for handle in others:
            os.close(handle)
        with disk.held(name):
            os.write(said, b"y")
            os.read(stop, 1)
    finally:
        os._exit(0)  # a fork must never return into the life


def investigated() -> dict[str, bytes]:
    """The files of a package whose investigation is completed."""
    disk = MemoryDisk()
    investigated_package(disk)
    return dict(disk.files)


def put(files: dict[str, bytes], folder: Path) -> None:
    """Lay a package down; this part of its life is over and durable."""
    for name, raw in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)


@dataclass(frozen=True, slots=True)
class Life:
    """One process's part of a diagnosis: which answers, where, and from what time on."""

    name: str
    count: Path
    begun_s: int = 0

    def run(self, disk: RecordDisk) -> str:
        """Build until there is nothing more to do; say what it came to."""
        script = LIVES[self.name]
        clock = SteadyClock()
        clock.pass_s(self.begun_s)
        builder = self.builder(disk, clock)
        retry_id = None
        for _ in range(MOST_BUILDS):
            built = now(builder.build(CASE, PACKAGE, retry_id))
            ending = _ending(built, script)
            if ending == "blocked" and script.retry_id != retry_id:
                retry_id = script.retry_id
            elif ending:
                return ending
            clock.pass_s(400)
        raise NotSettledError(self.name)

    def builder(self, disk: RecordDisk, clock: SteadyClock) -> DiagnosisBuilder:
        """The real one, with a model that counts."""
        script = LIVES[self.name]
        provider = CountedProvider(self.count, script.answers)
        profile = Profile("one", "counted", "m-1", retries=script.retries)
        routes = ModelRoutes({"*": (profile,)})
        gateway: Gateway = DurableGateway(routes, {"counted": provider}, clock)
        if script.is_held:
            gateway = HeldElsewhere(gateway)
        store = OneStore(disk)
        return DiagnosisBuilder(store, gateway, DiagnosisConfig(), router=Told(), clock=clock)

    def requests(self) -> int:
        """How many requests the model has seen."""
        return self.count.stat().st_size if self.count.exists() else 0


def _ending(built: Built, script: Script) -> str:
    match built:
        case Published(diagnosis=diagnosis):
            return diagnosis.status.value
        case Rejected(invalid=invalid) if invalid >= script.invalid:
            return "rejected"
        case Blocked(because=Because.MISCONFIGURED):
            return "blocked"
        case Blocked(because=Because.EXHAUSTED):
            return "exhausted"
        case Blocked(because=Because.HELD):
            return "held"
        case _:
            return ""


def kinds(disk: PosixDisk) -> list[str]:
    """What the record of the calls holds, read as everybody reads it."""
    entries = read_journal(disk, RUN)
    list(events_of(entries, place=RUN))
    return [entry.kind.removeprefix("model.") for entry in entries]


def refused(disk: PosixDisk) -> int:
    """How many decisions were refused, durably."""
    events = events_of(read_journal(disk, RUN), place=RUN)
    return sum(isinstance(one, Judged) and not one.is_admitted for one in events)


def early_requests(disk: PosixDisk) -> int:
    """How many requests went out before the time that the failure before them named."""
    eligible_at_ms, early = 0, 0
    for event in events_of(read_journal(disk, RUN), place=RUN):
        match event:
            case Failed():
                eligible_at_ms = event.eligible_at_ms
            case Sent():
                early += event.at_ms < eligible_at_ms
            case _:
                pass
    return early


def visible(disk: PosixDisk) -> Manifest:
    """What a reader sees: the newest manifest, with everything that it declares whole."""
    package = Package(disk)
    manifest = package.manifest()
    package.check_whole(manifest)
    if manifest.last(Phase.DIAGNOSIS) is not None:
        for path in manifest.pointers.values():
            package.artefact(manifest, path)
    return manifest
