"""A builder on one package, with a model whose answers are written down beforehand."""

import asyncio

from diagnosis_cases import CASE, CONFIRMED, INCONCLUSIVE, PACKAGE, investigated_package

from witmark.diagnosis import wire
from witmark.diagnosis.builder import DiagnosisBuilder
from witmark.diagnosis.config import DiagnosisConfig
from witmark.kernel.journal import read_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.request import Profile
from witmark.testing.models import PlayedProvider, SteadyClock

GOOD = wire.decision_json(CONFIRMED)
OPEN = wire.decision_json(INCONCLUSIVE)
DIR = "analysis/diagnosis/0001/"


class Routes:
    def __init__(self):
        self.told = []

    def route(self, case_id, package_id, state, routing):
        self.told.append((case_id, package_id, state, routing))


class Bench:
    def __init__(self, *answers, package=None, config=None, profile=None, clock=None):
        self.package = package or investigated_package()
        self.provider, self.router = PlayedProvider(answers), Routes()
        self.clock = clock or SteadyClock()
        profile = profile or Profile("one", "played", "m-1")
        self.gateway = DurableGateway(
            ModelRoutes({"*": (profile,)}),
            {"played": self.provider, "counted": self.provider},
            self.clock,
        )
        self.builder = DiagnosisBuilder(
            self,
            self.gateway,
            config or DiagnosisConfig(),
            router=self.router,
            clock=self.clock,
        )

    def disk(self, *_):
        return self.package.disk

    def cases(self):
        """No other case lies beside it."""
        return [CASE]

    def build(self, retry_id=None):
        return asyncio.run(self.builder.build(CASE, PACKAGE, retry_id))

    @property
    def files(self):
        return self.package.disk.files

    @property
    def manifest(self):
        return self.package.manifest()

    def audit(self):
        return [(entry.kind, entry.body) for entry in read_journal(self.package.disk, "audit")]
