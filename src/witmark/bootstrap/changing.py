"""Wires phase 5: change requests of confirmed diagnoses, and the outbox they go to."""

from collections.abc import Iterator
from pathlib import Path

from witmark.adapters.clock import SystemClock
from witmark.adapters.outbox import FolderOutbox
from witmark.adapters.outbox.folder import NoOutboxError
from witmark.bootstrap.case_packages import store
from witmark.bootstrap.diagnosing import NoRoute
from witmark.bootstrap.home import home
from witmark.bootstrap.models import readers
from witmark.diagnosis.case import Manifest, Phase, State
from witmark.diagnosis.change_request.building import ChangeDesk
from witmark.diagnosis.change_request.delivering import DeliveryDesk
from witmark.diagnosis.change_request.output import VALIDATION, Validation
from witmark.diagnosis.package import Package
from witmark.diagnosis.plain import read_artefact
from witmark.kernel.errors import visible
from witmark.kernel.gate import Outcome


def change_desk() -> ChangeDesk:
    """Build the desk that makes change requests."""
    return ChangeDesk(store(), NoRoute(), SystemClock(), readers())


def delivery_desk() -> DeliveryDesk:
    """Build the desk that hands them over to folders."""
    return DeliveryDesk(store(), _outbox, NoRoute(), SystemClock(), readers())


def _outbox(name: str) -> FolderOutbox:
    """Open an outbox; none may lie among the packages, whose every file is somebody's input."""
    own, found = home().resolve(), Path(name).resolve()
    if found == own or own in found.parents:
        raise NoOutboxError("it lies in our own data folder", place=name)
    return FolderOutbox(found)


def told_of(package: Package, manifest: Manifest) -> Iterator[tuple[str, str]]:
    """What phase 5 came to in this revision, in lines for people."""
    if (path := manifest.pointers.get("output_validation")) is not None:
        raw = package.artefact(manifest, path)
        found = read_artefact(VALIDATION, Validation, raw, place=path)
        yield "change", f"{found.outcome}, {path.rpartition('/')[0]}"
        for one in found.checks:
            if one.outcome is not Outcome.HOLDS:
                yield "objection", visible(f"{one.name}: {one.because}")
    if (mark := manifest.last(Phase.DELIVERY)) is not None:
        yield "delivered", visible(f"{mark.bindings['id']} to {mark.bindings['outbox']}")
    elif (begun := manifest.last(Phase.DELIVERY_STARTED)) is not None:
        yield "delivery", visible(f"begun, to {begun.bindings['outbox']}")


def next_of(manifest: Manifest) -> tuple[str, str] | None:
    """The command of ``case`` that takes a confirmed diagnosis further, and its options."""
    if manifest.last(Phase.DELIVERY) is not None or "feedback" in manifest.pointers:
        is_accepted = _is_accepted(manifest)
        if manifest.last(Phase.DELIVERY) is not None or not is_accepted:
            return None
    if manifest.state is State.OUTPUT_READY:
        return "deliver", " --to DIR"
    is_new = manifest.last(Phase.CHANGE_REQUEST) is None
    if manifest.state is State.BUILDING_DIAGNOSIS and is_new:
        return "change", ""
    return None


def _is_accepted(manifest: Manifest) -> bool:
    last = manifest.last(Phase.FEEDBACK)
    return last is not None and last.bindings.get("verdict") == "accepted"
