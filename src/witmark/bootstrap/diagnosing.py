"""Wires the diagnosis desk: packages in the data folder, models or the embedded analyst."""

import hashlib
import os
import re
from dataclasses import replace
from pathlib import Path

from witmark.adapters.cases import read_case
from witmark.adapters.clock import SystemClock
from witmark.adapters.grammars import GrammarReader
from witmark.adapters.history import GitHistory
from witmark.bootstrap.case_packages import store
from witmark.bootstrap.models import providers_of
from witmark.bootstrap.settings import Settings
from witmark.diagnosis import analyst
from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.builder import DiagnosisBuilder
from witmark.diagnosis.case import CaseId, PackageId, Routing, State
from witmark.diagnosis.config import DiagnosisConfig
from witmark.diagnosis.deciding import PURPOSE
from witmark.diagnosis.investigators.changes import ChangeInvestigator
from witmark.diagnosis.investigators.configuration import ConfigurationInvestigator
from witmark.diagnosis.investigators.coverage import CoverageInvestigator
from witmark.diagnosis.investigators.earlier import EarlierInvestigator
from witmark.diagnosis.investigators.history import HistoryInvestigator
from witmark.diagnosis.investigators.lineage import LineageInvestigator
from witmark.diagnosis.investigators.logs import LogInvestigator
from witmark.diagnosis.investigators.naming import NameInvestigator
from witmark.diagnosis.investigators.traces import TraceInvestigator
from witmark.diagnosis.investigators.wording import WordInvestigator
from witmark.diagnosis.ranking import rank
from witmark.diagnosis.use_cases import DiagnosisDesk, Progress
from witmark.kernel.errors import GenerationTakenError, OutsideError
from witmark.kernel.model.gateway import DurableGateway
from witmark.kernel.model.request import Profile, Request

EMBEDDED = Profile("embedded", "embedded", "witmark-analyst-1")
"""Who decides when no model is set up: fixed rules, in this process."""


class NoDecisionError(OutsideError):
    """No model gave a decision. Budgets and history are kept, and nothing was published."""

    code = "outside.no-decision"
    hint = "run `witmark case resume` later, or with --retry-id NAME, or with --no-model"


class NoRoute:
    """Tells nobody; the manifest says where a case stands."""

    def route(
        self, case_id: CaseId, package_id: PackageId, state: State, routing: Routing
    ) -> None:
        """Take note of nothing."""


def assembler() -> CaseAssembler:
    """Makes packages in that store."""
    return CaseAssembler(store(), SystemClock())


def package_of(folder: Path) -> tuple[CaseId, PackageId, tuple[str, ...]]:
    """The package of a raw folder as it is now: the one that is there, or a new one.

    Returns:
        The case, the package, and what of the folder was left out.

    Raises:
        InputError: the folder cannot be read as a case.
    """
    handed = read_case(folder)
    case_id = case_id_of(folder)
    try:
        package_id = assembler().new(case_id, handed.files, handed.members)
    except GenerationTakenError:  # another process is at the same folder: its package is ours
        package_id = assembler().new(case_id, handed.files, handed.members)
    return case_id, package_id, handed.left_out


def case_id_of(folder: Path) -> CaseId:
    """Name the case of a raw folder, whatever way leads to it."""
    resolved = folder.resolve()
    name = re.sub(r"[^a-z0-9]+", "-", resolved.name.lower()).strip("-")[:40] or "case"
    digest = hashlib.sha256(os.fsencode(resolved)).hexdigest()[:8]
    return CaseId(f"{name}-{digest}")


def gateway_for(settings: Settings, *, use_model: bool = True) -> DurableGateway:
    """The gateway for decisions: the models that are set up, else the embedded analyst."""
    routes = settings.models
    if not use_model or not routes.of(PURPOSE):
        profiles = {**routes.profiles, PURPOSE: (EMBEDDED,)}
        routes = replace(routes, profiles=profiles)
    return DurableGateway(routes, providers_of(settings, {PURPOSE: _decide}), SystemClock())


def desk(
    settings: Settings,
    config: DiagnosisConfig,
    *,
    use_model: bool = True,
    progress: Progress = lambda _: None,
) -> DiagnosisDesk:
    """Build the desk.

    Raises:
        ConfigError: what the limits allow could not be sent or published.
    """
    clock = SystemClock()
    cases = store()
    builder = DiagnosisBuilder(
        cases,
        gateway_for(settings, use_model=use_model),
        config,
        router=NoRoute(),
        clock=clock,
    )
    return DiagnosisDesk(
        cases,
        GrammarReader(),
        (
            TraceInvestigator(),
            ChangeInvestigator(),
            ConfigurationInvestigator(),
            CoverageInvestigator(),
            EarlierInvestigator(),
            HistoryInvestigator(GitHistory()),
            LineageInvestigator(),
            LogInvestigator(),
            NameInvestigator(),
            WordInvestigator(),
        ),
        rank,
        builder,
        clock,
        progress=progress,
    )


def _decide(request: Request) -> str:
    return analyst.reply(request.messages[1].text)
