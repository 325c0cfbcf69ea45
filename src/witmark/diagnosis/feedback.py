"""What a person says of a published diagnosis: accepted or rejected, and why.

It is kept as an artefact that a checkpoint declares, beside everything before it; nothing
published is changed, and neither builder nor gates ever read it.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from witmark.diagnosis.case import CaseId, Checkpoint, Manifest, PackageId, Phase, Routing
from witmark.diagnosis.lifecycle import MissingStageError
from witmark.diagnosis.package import (
    Package,
    declare,
    next_number,
    phase_path,
    with_checkpoint,
)
from witmark.diagnosis.plain import artefact_bytes
from witmark.diagnosis.ports import CaseStore, Clock
from witmark.kernel.errors import InputError

FORMAT = "witmark.diagnosis-feedback/1"
MOST_CHARS = 4000


class Verdict(StrEnum):
    """What a person says."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Feedback:
    """One word of a person.

    Attributes:
        verdict: Accepted or rejected.
        reason: In his own words.
        revision: Of the analysis.
        diagnosis: The path of the result it is about.
        digest: Of that result, so that it is known what was accepted.
    """

    verdict: Verdict
    reason: str
    revision: int
    diagnosis: str
    digest: str


def give_feedback(  # noqa: PLR0913, PLR0917 - a use case's request
    case_id: CaseId,
    package_id: PackageId,
    verdict: Verdict,
    reason: str,
    store: CaseStore,
    clock: Clock,
) -> Manifest:
    """Keep what a person says of the diagnosis of this revision.

    A rejected one is routed to review; an accepted one stays where it is.

    Raises:
        MissingStageError: there is no published diagnosis in this revision.
        InputError: the reason is empty or too long.
        IntegrityError: something that was published is not as it was.
    """
    if not reason.strip() or len(reason) > MOST_CHARS:
        raise InputError(
            f"a reason has 1 to {MOST_CHARS} characters",
            place="reason",
            hint="say in a sentence what is right or wrong with the diagnosis",
        )
    package = Package(store.disk(case_id, package_id))
    manifest = package.manifest()
    package.check_whole(manifest)
    published = manifest.last(Phase.DIAGNOSIS)
    if published is None:
        raise MissingStageError(Phase.FEEDBACK, manifest.state)
    result = manifest.pointers["diagnosis"]
    said = Feedback(verdict, reason, manifest.revision, result, published.files[result])
    number = next_number(manifest, Phase.FEEDBACK.value, package.inventory(manifest))
    path = phase_path(Phase.FEEDBACK.value, number, "feedback.json")
    files = {path: artefact_bytes(FORMAT, said)}
    checkpoint = Checkpoint(
        Phase.FEEDBACK,
        manifest.revision,
        declare(files),
        (),
        {"verdict": verdict.value},
        clock.now_ms(),
    )
    rejected = verdict is Verdict.REJECTED
    before = replace(manifest, routing=Routing.REVIEW) if rejected else manifest
    pointers = {**manifest.pointers, Phase.FEEDBACK.value: path}
    after = with_checkpoint(before, checkpoint, pointers=pointers)
    return package.advance(manifest, after, files)
