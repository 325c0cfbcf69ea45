"""The use case of phase 5: a confirmed diagnosis becomes a change request, or a refusal.

| the package is | one call does | and says |
|---|---|---|
| without a confirmed diagnosis of this revision | nothing | an error |
| confirmed | replays the diagnosis, writes, holds, publishes | ``Ready`` or ``Refused`` |
| refused, same policy and same word of a person | checks the refusal again | ``Refused`` |
| refused, another policy or another word | the next number | ``Ready`` or ``Refused`` |
| ready | checks everything that was published again | ``Ready`` |

No phase before it is run here, and no phase before it runs this one.
"""

from dataclasses import dataclass

from witmark.diagnosis import replaying
from witmark.diagnosis.auditing import VALIDATED, Audit
from witmark.diagnosis.case import (
    CaseId,
    Checkpoint,
    Manifest,
    PackageId,
    Phase,
    Routing,
    State,
)
from witmark.diagnosis.change_request import output
from witmark.diagnosis.change_request.document import ChangeRequest
from witmark.diagnosis.change_request.ground import Ground, feedback_at
from witmark.diagnosis.change_request.output import READY, Made, make, pointers_of
from witmark.diagnosis.change_request.policy import FORMAT as POLICY
from witmark.diagnosis.change_request.policy import BugfixPolicy
from witmark.diagnosis.context import read_context
from witmark.diagnosis.deciding import decide_prompt, started_of
from witmark.diagnosis.decision import Status
from witmark.diagnosis.lifecycle import MissingStageError, check_may_begin
from witmark.diagnosis.package import (
    Package,
    declare,
    manifest_path,
    next_number,
    with_checkpoint,
)
from witmark.diagnosis.plain import read_artefact
from witmark.diagnosis.ports import CaseStore, Clock, Router
from witmark.diagnosis.redacting import secrets_of
from witmark.kernel.canon import Digest
from witmark.kernel.errors import (
    BrokenChainError,
    GarbledRecordError,
    InputError,
    ReplayDiffersError,
)
from witmark.kernel.gate import Check
from witmark.kernel.model.gateway import lock_of
from witmark.kernel.model.reply import Readers


class FrozenPolicyError(InputError):
    """A change request was made, or begun, with another policy than is asked for."""

    code = "input.frozen-policy"
    hint = "leave --policy out, name the policy it was begun with, or run `witmark case reopen`"


@dataclass(frozen=True, slots=True)
class ChangeDesk:
    """Everything phase 5 needs; built once at the door, passed in whole.

    Attributes:
        store: Where packages lie.
        router: Who is told when the case moves on.
        clock: What time it is, for the record alone.
        readers: Who reads the raw answer again that the diagnosis came from.
    """

    store: CaseStore
    router: Router
    clock: Clock
    readers: Readers


@dataclass(frozen=True, slots=True)
class Ready:
    """The change request stands. ``paths`` are its artefacts."""

    manifest: Manifest
    request: ChangeRequest
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """The final validation objects; the case goes to review, and nothing is handed over."""

    manifest: Manifest
    objections: tuple[Check, ...]
    path: str


Requested = Ready | Refused


async def request_change(
    case_id: CaseId,
    package_id: PackageId,
    desk: ChangeDesk,
    policy: BugfixPolicy | None = None,
) -> Requested:
    """Make and validate the change request of a confirmed diagnosis.

    Args:
        case_id: Whose package.
        package_id: Which.
        desk: What it takes.
        policy: What a fix may touch; ``None`` adopts the one that was frozen in this revision,
            and the default where none was.

    Raises:
        MissingStageError: there is no published diagnosis of this revision, or none confirmed.
        StaleCaseError: a raw input is not what was analysed.
        FrozenPolicyError: another policy than was frozen is asked for.
        IntegrityError: something that was published is not as it was.
        OutsideError: the disk refused, or another writer was first; call again.
    """
    package = Package(desk.store.disk(case_id, package_id))
    told = Audit(package.disk).published_subjects(VALIDATED)  # before the manifest is read
    manifest = package.manifest()
    package.check_whole(manifest)
    package.check_fresh(manifest)
    if manifest.state is State.OUTPUT_READY:
        return await _ready_before(package, manifest, desk, policy)
    check_may_begin(Phase.CHANGE_REQUEST, manifest.state)
    if manifest.last(Phase.DIAGNOSIS) is None:
        raise MissingStageError(Phase.CHANGE_REQUEST, manifest.state)
    chosen = policy or _adopted(package, manifest)
    word = _newest_feedback(manifest)
    ground = await ground_of(package, manifest, chosen, word, desk.readers)
    if (before := _concluded(manifest, ground)) is not None:
        made = check_again(ground, before)
        return _said(manifest, made, before, desk, package)
    manifest, number = _started(package, manifest, ground, desk, told)
    made = make(ground, number)
    manifest = _publish(package, manifest, ground, made, number, desk)
    return _said(manifest, made, manifest.checkpoints[-1], desk, package)


async def ground_of(
    package: Package,
    manifest: Manifest,
    policy: BugfixPolicy,
    feedback: Digest | None,
    readers: Readers,
) -> Ground:
    """Replay the diagnosis, and take what a change request may rest on.

    Raises:
        MissingStageError: it is not a confirmed one.
        IntegrityError: it does not replay.
    """
    started = started_of(manifest)
    diagnosis, _ = await replaying.replay(package, manifest, started, decide_prompt(), readers)
    if diagnosis.status is not Status.CONFIRMED:
        raise MissingStageError(Phase.CHANGE_REQUEST, manifest.state)
    result = manifest.declared[manifest.pointers["diagnosis"]]
    if result is None:
        raise GarbledRecordError("the result has no digest", place="manifest")
    inventory = package.inventory(manifest)
    context = package.artefact(manifest, started.identity.path("context.json"))
    return Ground(
        package,
        manifest,
        inventory,
        diagnosis,
        result,
        read_context(context),
        policy,
        secrets_of(inventory.inputs, lambda one: package.read(one.path)),
        feedback_at(package, manifest, feedback),
        feedback,
    )


async def ready_ground(
    package: Package, manifest: Manifest, readers: Readers
) -> tuple[Made, Checkpoint]:
    """Check a validated change request again: everything it rests on, and every byte of it.

    The package is one whose output is ready.

    Raises:
        IntegrityError: something is not as it was published. Nothing is mended.
    """
    last = manifest.last(Phase.CHANGE_REQUEST)
    if last is None or last.bindings.get("outcome") != READY:
        raise ReplayDiffersError("state", manifest.state.value, "no validated change request")
    bound = str(last.bindings.get("feedback", ""))
    policy = _frozen_policy(package, manifest, last)
    word = Digest(bound) if bound else None
    ground = await ground_of(package, manifest, policy, word, readers)
    return check_again(ground, last), last


def check_again(ground: Ground, concluded: Checkpoint) -> Made:
    """Make a concluded request again, and hold that it is the one that was published."""
    number = number_of(concluded)
    made = make(ground, number)
    package, manifest = ground.package, ground.manifest
    if dict(concluded.bindings) != (wanted := _bindings(ground, number, made.outcome)):
        raise ReplayDiffersError("change request", str(dict(concluded.bindings)), str(wanted))
    if set(concluded.files) != set(made.files):
        raise ReplayDiffersError(
            "artefacts", str(sorted(concluded.files)), str(sorted(made.files))
        )
    for path, raw in sorted(made.files.items()):
        if package.artefact(manifest, path) != raw:
            raise ReplayDiffersError(path, "other bytes", "what follows from the diagnosis")
    pointers = pointers_of(number, made.outcome)
    if any(manifest.pointers.get(name) != path for name, path in pointers.items()):
        raise ReplayDiffersError("pointers", str(dict(manifest.pointers)), str(pointers))
    return made


def number_of(checkpoint: Checkpoint) -> int:
    """Which change request a checkpoint is about."""
    number = checkpoint.bindings.get("number")
    if not isinstance(number, int):
        raise GarbledRecordError("a change request without a number", place="manifest")
    return number


# Beginning and ending ----------------------------------------------------------------


def _started(
    package: Package, manifest: Manifest, ground: Ground, desk: ChangeDesk, told: frozenset[str]
) -> tuple[Manifest, int]:
    """Declare where the request will stand, unless that was done before a crash."""
    wanted = _begun(ground)
    last = manifest.last(Phase.CHANGE_REQUEST_STARTED)
    if last is not None and not _is_concluded(manifest, last):
        number = number_of(last)
        if dict(last.bindings) == {**wanted, "number": number}:
            _check_not_told(manifest, number, told)
            return manifest, number
    number = next_number(manifest, output.PHASE, ground.inventory)
    _check_not_told(manifest, number, told)
    checkpoint = Checkpoint(
        Phase.CHANGE_REQUEST_STARTED,
        manifest.revision,
        {},
        (*output.paths_of(number), lock_of(output.subject_of(number))),
        {**wanted, "number": number},
        desk.clock.now_ms(),
    )
    return package.advance(manifest, with_checkpoint(manifest, checkpoint), {}), number


def _check_not_told(manifest: Manifest, number: int, told: frozenset[str]) -> None:
    if output.subject_of(number) in told:
        raise BrokenChainError(
            "the audit says that this change request was validated, and the manifest is gone",
            place=manifest_path(manifest.generation + 1),
            hint="restore the manifest from a copy; nothing was made again",
        )


def _publish(  # noqa: PLR0913, PLR0917 - one published step and all it says
    package: Package,
    manifest: Manifest,
    ground: Ground,
    made: Made,
    number: int,
    desk: ChangeDesk,
) -> Manifest:
    is_ready = made.outcome == READY
    checkpoint = Checkpoint(
        Phase.CHANGE_REQUEST,
        manifest.revision,
        declare(made.files),
        (),
        _bindings(ground, number, made.outcome),
        desk.clock.now_ms(),
    )
    after = with_checkpoint(
        manifest,
        checkpoint,
        state=State.OUTPUT_READY if is_ready else manifest.state,
        routing=Routing.OUTPUT if is_ready else Routing.REVIEW,
        pointers={**manifest.pointers, **pointers_of(number, made.outcome)},
    )
    return package.advance(manifest, after, made.files)


def _said(
    manifest: Manifest, made: Made, concluded: Checkpoint, desk: ChangeDesk, package: Package
) -> Requested:
    number = number_of(concluded)
    Audit(package.disk).validated(output.subject_of(number), made.outcome)
    desk.router.route(manifest.case_id, manifest.package_id, manifest.state, manifest.routing)
    if made.outcome == READY:
        return Ready(manifest, made.request, tuple(sorted(made.files)))
    path = output.path_of(number, output.VALIDATION_NAME)
    return Refused(manifest, made.report.objections, path)


async def _ready_before(
    package: Package, manifest: Manifest, desk: ChangeDesk, policy: BugfixPolicy | None
) -> Requested:
    made, concluded = await ready_ground(package, manifest, desk.readers)
    if policy is not None and policy.digest != concluded.bindings["policy"]:
        raise FrozenPolicyError(
            "the change request stands with another policy",
            place=manifest.pointers["change_policy"],
        )
    return _said(manifest, made, concluded, desk, package)


# What was frozen -----------------------------------------------------------------------


def _begun(ground: Ground) -> dict[str, str | int]:
    """What makes one request another."""
    return {
        "diagnosis": ground.result,
        "feedback": ground.feedback_digest or "",
        "policy": ground.policy.digest,
    }


def _bindings(ground: Ground, number: int, outcome: str) -> dict[str, str | int]:
    context = ground.frozen.digest
    return {**_begun(ground), "context": context, "number": number, "outcome": outcome}


def _is_concluded(manifest: Manifest, started: Checkpoint) -> bool:
    last = manifest.last(Phase.CHANGE_REQUEST)
    return last is not None and last.bindings.get("number") == started.bindings.get("number")


def _concluded(manifest: Manifest, ground: Ground) -> Checkpoint | None:
    """The last conclusion, if it is one about the very same."""
    last = manifest.last(Phase.CHANGE_REQUEST)
    if last is None:
        return None
    is_same = all(last.bindings.get(name) == value for name, value in _begun(ground).items())
    return last if is_same else None


def _newest_feedback(manifest: Manifest) -> Digest | None:
    path = manifest.pointers.get("feedback")
    return None if path is None else manifest.declared.get(path)


def _adopted(package: Package, manifest: Manifest) -> BugfixPolicy:
    """The policy that was frozen in this revision, else the default."""
    default = BugfixPolicy()
    last = manifest.last(Phase.CHANGE_REQUEST)
    started = manifest.last(Phase.CHANGE_REQUEST_STARTED)
    if started is not None and not _is_concluded(manifest, started):
        if started.bindings.get("policy") != default.digest:
            raise FrozenPolicyError("it was begun with a policy of your own", place="--policy")
        return default
    return default if last is None else _frozen_policy(package, manifest, last)


def _frozen_policy(package: Package, manifest: Manifest, concluded: Checkpoint) -> BugfixPolicy:
    path = output.path_of(number_of(concluded), output.POLICY_NAME)
    return read_artefact(POLICY, BugfixPolicy, package.artefact(manifest, path), place=path)
