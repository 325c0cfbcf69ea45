"""A published diagnosis, checked again from its bytes; nothing is asked and nothing rebuilt."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from witmark.diagnosis import wire
from witmark.diagnosis.case import Manifest, Phase, Routing, State
from witmark.diagnosis.context import Frozen, read_context
from witmark.diagnosis.deciding import Started, ask_of, judge_decision
from witmark.diagnosis.decision import Diagnosis, Status
from witmark.diagnosis.ending import inconclusive_ending
from witmark.diagnosis.package import Package
from witmark.diagnosis.publication import (
    FAILURE_NAME,
    RESULT_NAME,
    SUMMARY_NAME,
    Identity,
    binding_of,
    publication_of,
    rejected_plain,
)
from witmark.kernel.canon import Digest, parse_digest, read_canonical
from witmark.kernel.errors import GarbledRecordError, InputError, ReplayDiffersError
from witmark.kernel.journal import place_of
from witmark.kernel.model.outcome import Accepted, Rejected
from witmark.kernel.model.prompt import Prompt
from witmark.kernel.model.replaying import ReplayGateway


def pointers_of(identity: Identity, files: Mapping[str, bytes]) -> dict[str, str]:
    """The manifest's pointers to a publication."""
    named = {
        "diagnosis": identity.path(RESULT_NAME),
        "diagnosis_summary": identity.path(SUMMARY_NAME),
        "failure_report": identity.path(FAILURE_NAME),
    }
    return {name: path for name, path in named.items() if path in files}


async def replay(
    package: Package, manifest: Manifest, started: Started, prompt: Prompt
) -> tuple[Diagnosis, tuple[str, ...]]:
    """Check a published diagnosis: context, checkpoints, request, reply, summary, pointers.

    Raises:
        IntegrityError: something is not as it was published; says what. Nothing is mended.
    """
    if prompt.digest != started.prompt:
        raise ReplayDiffersError("prompt", started.prompt[:19], prompt.digest[:19])
    identity = started.identity
    frozen = read_context(package.artefact(manifest, identity.path("context.json")))
    published = package.artefact(manifest, identity.path(RESULT_NAME))
    result = _result(published, identity.path(RESULT_NAME))
    diagnosis, files = await _again(package, started, frozen, result, prompt)
    checkpoint = manifest.last(Phase.DIAGNOSIS)
    declared = {} if checkpoint is None else checkpoint.files
    if set(files) != set(declared):
        raise ReplayDiffersError("artefacts", str(sorted(declared)), str(sorted(files)))
    for path, raw in files.items():
        if package.artefact(manifest, path) != raw:
            raise ReplayDiffersError(path, "other bytes", "what follows from the record")
    _check_pointers(manifest, identity, files, diagnosis)
    return diagnosis, tuple(sorted(files))


async def _again(
    package: Package,
    started: Started,
    frozen: Frozen,
    result: Mapping[str, Any],
    prompt: Prompt,
) -> tuple[Diagnosis, dict[str, bytes]]:
    head = _head(result)
    gateway = ReplayGateway({started.subject: head})
    judge = partial(judge_decision, ground=frozen.ground)
    outcome = await gateway.dispatch(ask_of(started, frozen, prompt), judge, package.disk)
    place = place_of(started.subject)
    match outcome:
        case Accepted():
            diagnosis = wire.read_decision(outcome.reply.text)
            call = binding_of(outcome, place, head)
            return diagnosis, publication_of(started.identity, frozen, diagnosis, call)
        case Rejected(left=0):
            diagnosis = inconclusive_ending(frozen, outcome.invalid)
            rejected = rejected_plain(outcome, place, head)
            files = publication_of(started.identity, frozen, diagnosis, None, rejected)
            return diagnosis, files
        case _:
            raise ReplayDiffersError(place, "a diagnosis", type(outcome).__name__)


def _check_pointers(
    manifest: Manifest, identity: Identity, files: Mapping[str, bytes], diagnosis: Diagnosis
) -> None:
    wanted = pointers_of(identity, files)
    wanted["diagnosis_context"] = identity.path("context.json")
    names = {"diagnosis", "diagnosis_summary", "diagnosis_context", "failure_report"}
    found = {name: path for name, path in manifest.pointers.items() if name in names}
    if found != wanted:
        raise ReplayDiffersError(
            "pointers", str(sorted(found.items())), str(sorted(wanted.items()))
        )
    if diagnosis.status is Status.INCONCLUSIVE and (
        manifest.state is not State.FAILED_TO_ANALYZE or manifest.routing is not Routing.REVIEW
    ):
        raise ReplayDiffersError("state", manifest.state.value, State.FAILED_TO_ANALYZE.value)


def _result(raw: bytes, place: str) -> Mapping[str, Any]:
    found = read_canonical(raw, place=place)
    if not isinstance(found, dict):
        raise GarbledRecordError("not a result", place=place)
    return found


def _head(result: Mapping[str, Any]) -> Digest:
    bound = result.get("model_call") or result.get("rejected_calls")
    if not isinstance(bound, dict):
        raise GarbledRecordError("the result is bound to no call", place=RESULT_NAME)
    try:
        return parse_digest(str(bound.get("head")))
    except InputError as error:
        raise GarbledRecordError("the result names no head", place=RESULT_NAME) from error
