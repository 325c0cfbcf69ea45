"""Hands a validated change request over, exactly once, to a folder that somebody else reads.

A delivery is a folder of its own, named after what is in it. Order, one process at a time:

1. everything that was published is checked again;
2. the outbox is made, and a checkpoint says that it will go there (durable before anything is
   visible);
3. the outbox puts the folder, whole or not at all;
4. a checkpoint says that it is there: nothing is ever put again.

A crash before 3 leaves nothing to see. After a crash between 3 and 4 the folder is found where
2 said, and only the mark is added, whatever outbox is named now.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from witmark.diagnosis.auditing import HANDED_OVER, Audit
from witmark.diagnosis.case import CaseId, Checkpoint, Manifest, PackageId, Phase, Routing
from witmark.diagnosis.change_request import output
from witmark.diagnosis.change_request.building import number_of, ready_ground
from witmark.diagnosis.change_request.ground import feedback_at, is_rejected
from witmark.diagnosis.change_request.output import Made
from witmark.diagnosis.lifecycle import check_may_begin
from witmark.diagnosis.package import Package, manifest_path, with_checkpoint
from witmark.diagnosis.plain import artefact_bytes
from witmark.diagnosis.ports import CaseStore, Clock, Outbox, Router
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import (
    BrokenChainError,
    GarbledRecordError,
    InputError,
    OutsideError,
    ReplayDiffersError,
)
from witmark.kernel.model.gateway import lock_of
from witmark.kernel.model.reply import Readers

FORMAT = "witmark.handover/1"
HANDOVER_NAME = "handover.json"


class RejectedByPersonError(InputError):
    """A person rejected the diagnosis after the change request was made. Nothing was put."""

    code = "input.rejected-diagnosis"
    hint = (
        "run `witmark case reopen`, or `witmark case accept` if the rejection no longer stands"
    )


class OtherOutboxError(InputError):
    """A hand-over was begun to an outbox whose state cannot be told now."""

    code = "input.other-outbox"
    hint = (
        "name the outbox that it was begun with; if that is gone for good, make it anew first"
    )


class DeliveryHeldError(OutsideError):
    """Another process is handing this change request over at this moment."""

    code = "outside.delivery-held"
    hint = "run it again; it says whether the other one was done"


@dataclass(frozen=True, slots=True)
class Handover:
    """What lies in a delivery, so that whoever takes it can check it.

    Attributes:
        id: The delivery's name; the same name is the same delivery.
        case_id: Whose case.
        package_id: Which package.
        revision: Of the analysis.
        number: Of the change request.
        files: The digest of every other file of the delivery.
    """

    id: str
    case_id: CaseId
    package_id: PackageId
    revision: int
    number: int
    files: Mapping[str, Digest]


@dataclass(frozen=True, slots=True)
class DeliveryDesk:
    """Everything a hand-over needs; built once at the door, passed in whole.

    Attributes:
        store: Where packages lie.
        outbox: Opens an outbox by its name.
        router: Who is told when the case moves on.
        clock: What time it is, for the record alone.
        readers: Who reads the raw answer again that the diagnosis came from.
    """

    store: CaseStore
    outbox: Callable[[str], Outbox]
    router: Router
    clock: Clock
    readers: Readers


@dataclass(frozen=True, slots=True)
class Delivered:
    """The change request is where it belongs.

    Attributes:
        manifest: As it stands now.
        id: The delivery's name.
        outbox: Where it was put.
        was_there: Whether it had been put before this call.
    """

    manifest: Manifest
    id: str
    outbox: str
    was_there: bool


async def deliver(
    case_id: CaseId, package_id: PackageId, to: str, desk: DeliveryDesk
) -> Delivered:
    """Hand a validated change request over; once it is, say so and put nothing again.

    Args:
        case_id: Whose package.
        package_id: Which.
        to: The outbox.
        desk: What it takes.

    Raises:
        MissingStageError: no change request was validated in this revision.
        RejectedByPersonError: a person has rejected the diagnosis meanwhile.
        OtherOutboxError: it was begun to another outbox, and that one cannot be asked.
        IntegrityError: something published is not as it was, or something else has the name.
        OutsideError: the outbox or the disk refused, or another process is at it; call again.
    """
    package = Package(desk.store.disk(case_id, package_id))
    manifest = package.manifest()
    check_may_begin(Phase.DELIVERY, manifest.state)
    concluded = manifest.last(Phase.CHANGE_REQUEST)
    if concluded is None:
        raise GarbledRecordError("output is ready, and nothing was validated", place="manifest")
    subject = output.subject_of(number_of(concluded))
    with package.disk.held(lock_of(subject)) as is_ours:
        if not is_ours:
            raise DeliveryHeldError("somebody else is handing it over", place=subject)
        told = Audit(package.disk).published_subjects(HANDED_OVER)
        return await _held(package, package.manifest(), to, desk, told)


async def _held(
    package: Package, manifest: Manifest, to: str, desk: DeliveryDesk, told: frozenset[str]
) -> Delivered:
    package.check_whole(manifest)
    package.check_fresh(manifest)
    check_may_begin(Phase.DELIVERY, manifest.state)
    made, concluded = await ready_ground(package, manifest, desk.readers)
    name, files = delivery_of(manifest, made, number_of(concluded))
    subject = output.subject_of(number_of(concluded))
    if (mark := manifest.last(Phase.DELIVERY)) is not None:
        if mark.bindings.get("id") != name:
            raise ReplayDiffersError("delivery", str(mark.bindings.get("id")), name)
        return _said(package, manifest, desk, subject, (name, str(mark.bindings["outbox"])))
    if subject in told:
        raise BrokenChainError(
            "the audit says that this was handed over, and the manifest is gone",
            place=manifest_path(manifest.generation + 1),
            hint="restore the manifest from a copy; nothing was handed over again",
        )
    begun = manifest.last(Phase.DELIVERY_STARTED)
    before = "" if begun is None else str(begun.bindings["outbox"])
    if before and _is_there(desk, before, name, files, to):
        manifest = _step(package, manifest, Phase.DELIVERY, name, before, desk)
        return _said(package, manifest, desk, subject, (name, before))
    said = feedback_at(package, manifest, _newest(manifest))
    if is_rejected(said):
        raise RejectedByPersonError("a person rejected the diagnosis", place=subject)
    outbox = desk.outbox(to)
    if before != outbox.name:
        outbox.make()  # so that one which is gone afterwards was taken away, not never made
        manifest = _step(package, manifest, Phase.DELIVERY_STARTED, name, outbox.name, desk)
    outbox.put(name, files)
    manifest = _step(package, manifest, Phase.DELIVERY, name, outbox.name, desk)
    return _said(package, manifest, desk, subject, (name, outbox.name), was_there=False)


def delivery_of(manifest: Manifest, made: Made, number: int) -> tuple[str, dict[str, bytes]]:
    """The name and the files of a delivery; the same request gives the same ones."""
    files = {path.rsplit("/", 1)[-1]: raw for path, raw in sorted(made.files.items())}
    digests = {name: digest_of(raw) for name, raw in files.items()}
    document = digests[output.REQUEST_NAME].removeprefix("sha256:")
    name = f"{manifest.case_id}-{document[:16]}"
    told = Handover(
        name, manifest.case_id, manifest.package_id, manifest.revision, number, digests
    )
    return name, {**files, HANDOVER_NAME: artefact_bytes(FORMAT, told)}


def _is_there(
    desk: DeliveryDesk, before: str, name: str, files: Mapping[str, bytes], to: str
) -> bool:
    """Whether the outbox that was begun with has it already."""
    outbox = desk.outbox(before)
    if not outbox.stands and desk.outbox(to).name != outbox.name:
        raise OtherOutboxError(
            "a hand-over was begun to an outbox that is not there now", place=before
        )
    return outbox.holds(name, files)


def _step(  # noqa: PLR0913, PLR0917 - one published step and all it says
    package: Package,
    manifest: Manifest,
    phase: Phase,
    name: str,
    outbox: str,
    desk: DeliveryDesk,
) -> Manifest:
    checkpoint = Checkpoint(
        phase,
        manifest.revision,
        {},
        (),
        {"id": name, "outbox": outbox},
        desk.clock.now_ms(),
    )
    after = with_checkpoint(manifest, checkpoint, routing=Routing.OUTPUT)
    return package.advance(manifest, after, {})


def _said(  # noqa: PLR0913 - what is told
    package: Package,
    manifest: Manifest,
    desk: DeliveryDesk,
    subject: str,
    where: tuple[str, str],
    *,
    was_there: bool = True,
) -> Delivered:
    Audit(package.disk).handed_over(subject)
    desk.router.route(manifest.case_id, manifest.package_id, manifest.state, manifest.routing)
    return Delivered(manifest, *where, was_there)


def _newest(manifest: Manifest) -> Digest | None:
    path = manifest.pointers.get("feedback")
    return None if path is None else manifest.declared.get(path)
