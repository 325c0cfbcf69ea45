"""What you can ask of this desk. Each phase is a use case of its own; none runs another.

``diagnose`` is the one that walks: it asks for the next phase until the diagnosis is there or
somebody else has to act.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from witmark.diagnosis import earlier
from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.builder import Blocked, DiagnosisBuilder, Published, Rejected
from witmark.diagnosis.case import (
    CaseId,
    Checkpoint,
    InputKind,
    Inventory,
    Manifest,
    PackageId,
    Phase,
    RawInput,
    State,
)
from witmark.diagnosis.code import Snapshot
from witmark.diagnosis.codebase import CodeBase
from witmark.diagnosis.hypotheses import Hypothesis
from witmark.diagnosis.hypothesising import FORMAT as HYPOTHESES
from witmark.diagnosis.hypothesising import form_hypotheses
from witmark.diagnosis.interpretation import FORMAT as INTERPRETATION
from witmark.diagnosis.interpretation import Interpretation
from witmark.diagnosis.interpreting import interpret
from witmark.diagnosis.investigated import FORMAT as INVESTIGATION
from witmark.diagnosis.investigating import Ranking, investigate
from witmark.diagnosis.lifecycle import MissingStageError, check_may_begin
from witmark.diagnosis.package import (
    Package,
    declare,
    next_number,
    phase_path,
    with_checkpoint,
)
from witmark.diagnosis.placing import source_paths
from witmark.diagnosis.plain import artefact_bytes, read_artefact
from witmark.diagnosis.ports import (
    CaseStore,
    CaseView,
    Clock,
    Earlier,
    Investigator,
    Limits,
    SourceReader,
)
from witmark.diagnosis.scoring import Scores
from witmark.kernel.errors import EntryTakenError, GenerationTakenError
from witmark.kernel.journal import Journal, place_of
from witmark.kernel.model.outcome import Because

Progress = Callable[[str], None]

_LIMITS = Limits()


MOST_TURNS = 50
"""After so many turns it is not another process that is a little ahead."""


@dataclass(frozen=True, slots=True)
class DiagnosisDesk:
    """Everything a diagnosis needs; built once at the door, passed in whole.

    Attributes:
        store: Where packages lie.
        source_reader: Parses source.
        investigators: Who can look.
        rank: How findings become suspects.
        builder: Judges the completed investigation.
        clock: What time it is, for the record.
        credits_granted: What an investigation may spend.
        limits: What one look may take.
        progress: Told which phase begins, for those who wait.
    """

    store: CaseStore
    source_reader: SourceReader
    investigators: Sequence[Investigator]
    rank: Ranking
    builder: DiagnosisBuilder
    clock: Clock
    credits_granted: int = 100
    limits: Limits = _LIMITS
    progress: Progress = lambda _: None


# The phases --------------------------------------------------------------------------


def interpret_case(case_id: CaseId, package_id: PackageId, desk: DiagnosisDesk) -> Manifest:
    """Read what the case says, and publish it.

    Raises:
        MissingStageError: the case is not freshly assembled.
        StaleCaseError: an input is not what was assembled.
    """
    package, manifest, inventory = _opened(case_id, package_id, desk, Phase.INTERPRETATION)
    said = interpret(inventory, _reader(package))
    return _publish(package, manifest, Phase.INTERPRETATION, INTERPRETATION, said, desk)


def form_case_hypotheses(
    case_id: CaseId, package_id: PackageId, desk: DiagnosisDesk
) -> Manifest:
    """Form rival hypotheses from the interpretation, and publish them."""
    package, manifest, inventory = _opened(case_id, package_id, desk, Phase.HYPOTHESES)
    formed = form_hypotheses(
        interpretation_of(package, manifest),
        has_good_source=bool(inventory.of(InputKind.GOOD_SOURCE)),
        has_configuration=bool(inventory.of(InputKind.CONFIG)),
    )
    return _publish(package, manifest, Phase.HYPOTHESES, HYPOTHESES, formed, desk)


def investigate_case(case_id: CaseId, package_id: PackageId, desk: DiagnosisDesk) -> Manifest:
    """Investigate within the budget, and publish what was found."""
    package, manifest, inventory = _opened(case_id, package_id, desk, Phase.INVESTIGATION)
    number = next_number(manifest, Phase.INVESTIGATION.value, inventory)
    run = f"investigation-{number:04d}"
    if place_of(run) not in manifest.declared:
        files = _earlier_files(package, manifest, desk)
        manifest = _declare(package, manifest, (place_of(run),), files, desk)
    view = view_of(package, manifest, inventory, desk)
    found = investigate(
        view,
        desk.investigators,
        desk.rank,
        Journal(package.disk, run),
        credits_granted=desk.credits_granted,
        limits=desk.limits,
    )
    return _publish(package, manifest, Phase.INVESTIGATION, INVESTIGATION, found, desk)


def run_phases(case_id: CaseId, package_id: PackageId, desk: DiagnosisDesk) -> None:
    """Run the phases that are left before the diagnosis, each in its turn.

    Where another process at the same package was first, its step stands, and what is left
    after it is gone on with.

    Raises:
        InputError: an input is stale, or a limit was passed.
        IntegrityError: something published is not as it was.
        OutsideError: others were first again and again.
    """
    package = Package(desk.store.disk(case_id, package_id))
    for turn in count():
        before = package.manifest().state
        try:
            if not run_next_phase(case_id, package_id, desk):
                return
        except (GenerationTakenError, EntryTakenError):  # another's step stands
            if turn >= MOST_TURNS:
                raise
        except MissingStageError:
            if package.manifest().state is before:
                raise  # nobody was faster: the stage is missing


def run_next_phase(case_id: CaseId, package_id: PackageId, desk: DiagnosisDesk) -> bool:
    """Run the phase whose turn it is; ``False``: none is left before the diagnosis.

    Raises:
        InputError: an input is stale, or a limit was passed.
        IntegrityError: something published is not as it was.
    """
    state = Package(desk.store.disk(case_id, package_id)).manifest().state
    if (phase := _PHASES.get(state)) is None:
        return False
    name, run = phase
    desk.progress(name)
    run(case_id, package_id, desk)
    return True


async def diagnose(
    case_id: CaseId, package_id: PackageId, desk: DiagnosisDesk, *, retry_id: str | None = None
) -> Published | Blocked:
    """Walk through the phases that are left, until a diagnosis stands or has to wait.

    Raises:
        InputError: an input is stale, or a limit was passed.
        IntegrityError: something published is not as it was.
    """
    run_phases(case_id, package_id, desk)
    desk.progress("diagnosis")
    for turn in count():
        try:
            built = await desk.builder.build(case_id, package_id, retry_id)
        except (GenerationTakenError, EntryTakenError):
            if turn >= MOST_TURNS:
                raise
            continue
        match built:
            case Rejected():
                continue
            case Blocked(because=Because.NEXT_PROVIDER):
                continue
            case Published() | Blocked():
                return built
    raise AssertionError  # unreachable: turns do not end


_PHASES: Mapping[State, tuple[str, Callable[[CaseId, PackageId, DiagnosisDesk], Manifest]]] = {
    State.ASSEMBLED: ("interpretation", interpret_case),
    State.INTERPRETED: ("hypotheses", form_case_hypotheses),
    State.HYPOTHESES_READY: ("investigation", investigate_case),
}


def reopen(
    case_id: CaseId, package_id: PackageId, desk: DiagnosisDesk, assembler: CaseAssembler
) -> Manifest:
    """Begin a new analysis revision on the same inputs."""
    package = Package(desk.store.disk(case_id, package_id))
    return assembler.reopen(package, package.manifest())


# What the phases left ----------------------------------------------------------------


def interpretation_of(package: Package, manifest: Manifest) -> Interpretation:
    """The interpretation of this revision."""
    path = manifest.pointers.get(Phase.INTERPRETATION.value, "")
    raw = package.artefact(manifest, path)
    return read_artefact(INTERPRETATION, Interpretation, raw, place=path)


def hypotheses_of(package: Package, manifest: Manifest) -> tuple[Hypothesis, ...]:
    """The hypotheses of this revision."""
    path = manifest.pointers.get(Phase.HYPOTHESES.value, "")
    raw = package.artefact(manifest, path)
    return read_artefact(HYPOTHESES, tuple[Hypothesis, ...], raw, place=path)


def earlier_of(package: Package, manifest: Manifest) -> tuple[Earlier, ...]:
    """What was frozen of other packages when the investigation of this revision began."""
    begun = manifest.last(Phase.INVESTIGATION_STARTED)
    paths = [] if begun is None else [p for p in begun.files if p.endswith(earlier.LIST)]
    if not paths:
        return ()
    raw = package.artefact(manifest, paths[0])
    return earlier.read_frozen(raw, place=paths[0]).used


def view_of(
    package: Package, manifest: Manifest, inventory: Inventory, desk: DiagnosisDesk
) -> CaseView:
    """Everything that an investigator may read of a case."""
    source = _snapshot(package, inventory, InputKind.SOURCE, desk)
    good = _snapshot(package, inventory, InputKind.GOOD_SOURCE, desk, like=source)
    said, read = interpretation_of(package, manifest), _reader(package)
    scores = None
    if source is not None:
        reports = (
            read(one).decode("utf-8", "replace") for one in inventory.of(InputKind.REPORT)
        )
        scores = Scores(said, "\n".join(reports), CodeBase(source, good))
    hypotheses = hypotheses_of(package, manifest)
    before = earlier_of(package, manifest)
    return CaseView(inventory, read, said, hypotheses, source, good, scores, before)


def _snapshot(
    package: Package,
    inventory: Inventory,
    kind: InputKind,
    desk: DiagnosisDesk,
    *,
    like: Snapshot | None = None,
) -> Snapshot | None:
    inputs = inventory.of(kind)
    if not inputs:
        return None
    files = {path: package.read(one.path) for path, one in source_paths(inputs).items()}
    return desk.source_reader.snapshot(files, most=desk.limits.most_files, like=like)


# Helpers -----------------------------------------------------------------------------


def _opened(
    case_id: CaseId, package_id: PackageId, desk: DiagnosisDesk, phase: Phase
) -> tuple[Package, Manifest, Inventory]:
    package = Package(desk.store.disk(case_id, package_id))
    manifest = package.manifest()
    check_may_begin(phase, manifest.state)
    package.check_whole(manifest)
    inventory = package.inventory(manifest)
    leftovers = {_place(manifest, phase, inventory)}
    if phase is Phase.INVESTIGATION:
        leftovers |= earlier.names_below(_earlier_place(manifest, inventory))
    return package, manifest, package.check_fresh(manifest, leftovers=leftovers)


def _reader(package: Package) -> Callable[[RawInput], bytes]:
    return lambda one: package.read(one.path)


def _declare(
    package: Package,
    manifest: Manifest,
    records: tuple[str, ...],
    files: Mapping[str, bytes],
    desk: DiagnosisDesk,
) -> Manifest:
    """Say beforehand which growing files a phase will write, and freeze what it rests on."""
    checkpoint = Checkpoint(
        Phase.INVESTIGATION_STARTED,
        manifest.revision,
        declare(files),
        records,
        {},
        desk.clock.now_ms(),
    )
    return package.advance(manifest, with_checkpoint(manifest, checkpoint), files)


def _earlier_files(
    package: Package, manifest: Manifest, desk: DiagnosisDesk
) -> Mapping[str, bytes]:
    """What is to be frozen of other packages: what a crash left of it, else what is there now.

    The list is written before the copies and holds them, so what was left of it is whole.
    """
    place = _earlier_place(manifest, package.inventory(manifest))
    if (left := package.disk.read(place + earlier.LIST)) is not None:
        found = earlier.read_frozen(left, place=place + earlier.LIST)
    else:
        said = interpretation_of(package, manifest)
        found = earlier.gather(desk.store, manifest.case_id, manifest.package_id, said)
    return earlier.artefacts_of(found, place) if found.used else {}


def _earlier_place(manifest: Manifest, inventory: Inventory) -> str:
    return phase_path("earlier", next_number(manifest, "earlier", inventory), "")


def _publish(  # noqa: PLR0913, PLR0917 - one published step and all it says
    package: Package,
    manifest: Manifest,
    phase: Phase,
    format_name: str,
    value: object,
    desk: DiagnosisDesk,
) -> Manifest:
    path = _place(manifest, phase, package.inventory(manifest))
    files = {path: artefact_bytes(format_name, value)}
    checkpoint = Checkpoint(
        phase, manifest.revision, declare(files), (), {}, desk.clock.now_ms()
    )
    after = with_checkpoint(
        manifest,
        checkpoint,
        state=_AFTER[phase],
        pointers={**manifest.pointers, phase.value: path},
    )
    return package.advance(manifest, after, files)


def _place(manifest: Manifest, phase: Phase, inventory: Inventory) -> str:
    """Where a phase is about to put what it comes to."""
    number = next_number(manifest, phase.value, inventory)
    return phase_path(phase.value, number, f"{phase.value}.json")


_AFTER = {
    Phase.INTERPRETATION: State.INTERPRETED,
    Phase.HYPOTHESES: State.HYPOTHESES_READY,
    Phase.INVESTIGATION: State.INVESTIGATED,
}
