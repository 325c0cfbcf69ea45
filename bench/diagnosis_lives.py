"""The lives of one diagnosis that `diagnosis_crash` and `diagnosis_replay` share.

A life is one process: it takes up an investigated package and builds until there is nothing
more to do, while the clock runs. The model answers by how often it was asked, and counts that
in a file outside the package, so that the count survives the process.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

from bench.common import ROOT
from bench.model_lives import Answer, CountedProvider, now
from witmark.adapters.disk import PosixDisk
from witmark.diagnosis import wire
from witmark.diagnosis.builder import Blocked, Built, DiagnosisBuilder, Published, Rejected
from witmark.diagnosis.case import CaseId, Manifest, PackageId, Phase, Routing, State
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.package import Package
from witmark.kernel.journal import read_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.outcome import Because
from witmark.kernel.model.record import events_of
from witmark.kernel.model.request import Profile
from witmark.kernel.store import RecordDisk
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock, misconfigured

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
PROFILE = Profile("one", "counted", "m-1", retries=9)


@dataclass(frozen=True, slots=True)
class Script:
    """What the model answers in turn (the last from then on), and what that comes to."""

    answers: tuple[Answer, ...]
    endings: frozenset[str]
    invalid: int = 99  # a life ends when so many decisions were refused


GOOD, OPEN = wire.decision_json(CONFIRMED), wire.decision_json(INCONCLUSIVE)
LIVES = {
    "confirmed": Script((GOOD,), frozenset({"confirmed"})),
    "inconclusive": Script((OPEN,), frozenset({"inconclusive"})),
    "rejected 1": Script((BAD,), frozenset({"rejected"}), 1),
    "rejected 2": Script((BAD,), frozenset({"rejected", "inconclusive"}), 2),
    "rejected 3": Script((BAD,), frozenset({"inconclusive"})),
    "blocked": Script((misconfigured(),), frozenset({"blocked"})),
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
        for _ in range(MOST_BUILDS):
            built = now(builder.build(CASE, PACKAGE))
            if ending := _ending(built, script):
                return ending
            clock.pass_s(400)
        raise NotSettledError(self.name)

    def builder(self, disk: RecordDisk, clock: SteadyClock) -> DiagnosisBuilder:
        """The real one, with a model that counts."""
        provider = CountedProvider(self.count, LIVES[self.name].answers)
        routes = ModelRoutes({"*": (PROFILE,)})
        gateway = DurableGateway(routes, {"counted": provider}, clock)
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
        case Blocked(because=Because.HELD):
            return "held"
        case _:
            return ""


def kinds(disk: PosixDisk) -> list[str]:
    """What the record of the calls holds, read as everybody reads it."""
    entries = read_journal(disk, RUN)
    list(events_of(entries, place=RUN))
    return [entry.kind.removeprefix("model.") for entry in entries]


def visible(disk: PosixDisk) -> Manifest:
    """What a reader sees: the newest manifest, with everything that it declares whole."""
    package = Package(disk)
    manifest = package.manifest()
    package.check_whole(manifest)
    if manifest.last(Phase.DIAGNOSIS) is not None:
        for path in manifest.pointers.values():
            package.artefact(manifest, path)
    return manifest
