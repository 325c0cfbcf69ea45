"""A published diagnosis, checked again from its bytes; nothing is asked and nothing rebuilt."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from witmark.diagnosis import wire
from witmark.diagnosis.case import Manifest, Phase, Routing, State
from witmark.diagnosis.context import Frozen, read_context
from witmark.diagnosis.deciding import Started, ask_of, judge_decision, prompt_of
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
from witmark.kernel.canon import Digest, digest_of, parse_digest, read_canonical
from witmark.kernel.errors import GarbledRecordError, InputError, ReplayDiffersError
from witmark.kernel.journal import Journal, place_of
from witmark.kernel.model.outcome import Accepted, Rejected
from witmark.kernel.model.prompt import Prompt
from witmark.kernel.model.record import JUDGED, REPLIED, SENT
from witmark.kernel.model.replaying import ReplayGateway
from witmark.kernel.model.reply import Readers


def pointers_of(identity: Identity, files: Mapping[str, bytes]) -> dict[str, str]:
    """The manifest's pointers to a publication."""
    named = {
        "diagnosis": identity.path(RESULT_NAME),
        "diagnosis_summary": identity.path(SUMMARY_NAME),
        "failure_report": identity.path(FAILURE_NAME),
    }
    return {name: path for name, path in named.items() if path in files}


def places_of(identity: Identity, outcome: Accepted | Rejected | None) -> frozenset[str]:
    """Where the publication of a settled call puts its files; nowhere if it is not settled."""
    if outcome is None:
        return frozenset()
    names = [RESULT_NAME, SUMMARY_NAME]
    if isinstance(outcome, Rejected) or _is_open(outcome):
        names.append(FAILURE_NAME)
    return frozenset(map(identity.path, names))


def _is_open(accepted: Accepted) -> bool:
    return wire.read_decision(accepted.reply.text).status is Status.INCONCLUSIVE


def bindings_of(started: Started) -> dict[str, str | int]:
    """What the checkpoint of a publication rests on."""
    return {"context": started.context, "number": started.identity.number}


async def settled(
    package: Package, started: Started, frozen: Frozen, prompt: Prompt, readers: Readers
) -> Accepted | Rejected | None:
    """What the call came to for good, from the record alone; ``None`` if it is not over.

    Once this is something, nobody is asked any more, whatever the settings are by then.

    Raises:
        IntegrityError: the record is not what would be recorded now.
    """
    entries = Journal(package.disk, started.subject).entries
    last = next((e for e in reversed(entries) if e.kind in {SENT, REPLIED, JUDGED}), None)
    if last is None or last.kind != JUDGED:
        return None
    gateway = ReplayGateway({started.subject: digest_of(entries[-1].to_bytes())}, readers)
    judge = partial(judge_decision, ground=frozen.ground)
    outcome = await gateway.dispatch(ask_of(started, frozen, prompt), judge, package.disk)
    match outcome:
        case Accepted() | Rejected(left=0):
            return outcome
        case _:
            return None


async def replay(
    package: Package, manifest: Manifest, started: Started, prompt: Prompt, readers: Readers
) -> tuple[Diagnosis, tuple[str, ...]]:
    """Check a published diagnosis: context, checkpoints, request, reply, summary, pointers.

    ``readers`` read the raw reply again.

    Raises:
        IntegrityError: something is not as it was published; says what. Nothing is mended.
    """
    prompt = prompt_of(started, prompt)
    identity = started.identity
    frozen = read_context(package.artefact(manifest, identity.path("context.json")))
    published = package.artefact(manifest, identity.path(RESULT_NAME))
    result = _result(published, identity.path(RESULT_NAME))
    diagnosis, files = await _again(package, started, frozen, result, prompt, readers)
    checkpoint = manifest.last(Phase.DIAGNOSIS)
    declared = {} if checkpoint is None else checkpoint.files
    bound = {} if checkpoint is None else checkpoint.bindings
    if bound != (now := bindings_of(started)):
        raise ReplayDiffersError("checkpoint", str(dict(bound)), str(now))
    if set(files) != set(declared):
        raise ReplayDiffersError("artefacts", str(sorted(declared)), str(sorted(files)))
    for path, raw in files.items():
        if package.artefact(manifest, path) != raw:
            raise ReplayDiffersError(path, "other bytes", "what follows from the record")
    _check_pointers(manifest, identity, files, diagnosis)
    return diagnosis, tuple(sorted(files))


async def _again(  # noqa: PLR0913, PLR0917 - what a diagnosis rests on, each once
    package: Package,
    started: Started,
    frozen: Frozen,
    result: Mapping[str, Any],
    prompt: Prompt,
    readers: Readers,
) -> tuple[Diagnosis, dict[str, bytes]]:
    head = _head(result)
    gateway = ReplayGateway({started.subject: head}, readers)
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
    is_confirmed = diagnosis.status is Status.CONFIRMED
    is_failed = manifest.state is State.FAILED_TO_ANALYZE
    _check_output(manifest)
    if is_confirmed == is_failed or (is_failed and manifest.routing is not Routing.REVIEW):
        raise ReplayDiffersError("state", manifest.state.value, diagnosis.status.value)


def _check_output(manifest: Manifest) -> None:
    """Hold that output is ready only with a validated change request on this diagnosis.

    What stands in the request is checked by the phase that made it, which this one never runs.
    """
    last = manifest.last(Phase.CHANGE_REQUEST)
    is_ready = last is not None and last.bindings.get("outcome") == "ready"
    pointer = manifest.pointers.get("change_request")
    if (manifest.state is State.OUTPUT_READY) != is_ready or (pointer is not None) != is_ready:
        raise ReplayDiffersError("state", manifest.state.value, "what the validation came to")
    if last is None:
        return
    if last.bindings.get("diagnosis") != manifest.declared.get(manifest.pointers["diagnosis"]):
        raise ReplayDiffersError("change request", "another diagnosis", "this one")
    if is_ready and pointer not in last.files:
        raise ReplayDiffersError("pointers", str(pointer), "the validated change request")


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
