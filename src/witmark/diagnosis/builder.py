"""The final evaluation of a completed investigation (phases 4A and 4B).

The whole investigation is judged once, by one bounded operation of a model, whichever model
that is, and what comes back is published only if every gate holds. No earlier phase is run
here, no credit is spent, nothing outside is touched.

| the package is | one ``build`` does | and says |
|---|---|---|
| INVESTIGATED | freezes the context, publishes the start, goes on with the next row | |
| started | one dispatch of the model call | as the rows below |
| … accepted | publishes the result, all files at once | ``Published`` |
| … refused, attempts left | adds an audit error; nothing else changes | ``Rejected`` |
| … refused, none left | publishes the deterministic inconclusive report | ``Published`` |
| … no answer | adds an audit error; budgets and history stay | ``Blocked`` |
| published | checks everything that was published again | ``Published`` |
"""

import time
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from witmark.diagnosis import replaying, wire
from witmark.diagnosis.assembling import PackageLimits
from witmark.diagnosis.auditing import Audit
from witmark.diagnosis.case import (
    CaseId,
    Checkpoint,
    Manifest,
    PackageId,
    Phase,
    Routing,
    State,
)
from witmark.diagnosis.config import MAX_INVALID_RESPONSES, DiagnosisConfig
from witmark.diagnosis.context import Frozen, check_size, freeze, read_context
from witmark.diagnosis.deciding import (
    Started,
    ask_of,
    decide_prompt,
    judge_decision,
    prompt_of,
    started_of,
)
from witmark.diagnosis.decision import Diagnosis, Status
from witmark.diagnosis.ending import inconclusive_ending
from witmark.diagnosis.interpretation import FORMAT as INTERPRETATION
from witmark.diagnosis.interpretation import Interpretation
from witmark.diagnosis.investigated import FORMAT as INVESTIGATION
from witmark.diagnosis.investigated import Investigation
from witmark.diagnosis.lifecycle import check_may_begin
from witmark.diagnosis.package import (
    Package,
    declare,
    manifest_path,
    next_number,
    with_checkpoint,
)
from witmark.diagnosis.plain import read_artefact
from witmark.diagnosis.ports import CaseStore, Clock, Router
from witmark.diagnosis.publication import (
    Identity,
    binding_of,
    publication_of,
    rejected_plain,
)
from witmark.diagnosis.redacting import secrets_of
from witmark.kernel.canon import Digest, canonical_json, digest_of
from witmark.kernel.errors import BrokenChainError, InputError
from witmark.kernel.journal import Journal, place_of
from witmark.kernel.model.gateway import Gateway, PolicyChangedError, lock_of
from witmark.kernel.model.outcome import Accepted, Because, Outcome
from witmark.kernel.model.outcome import Blocked as CallBlocked
from witmark.kernel.model.outcome import Rejected as CallRejected
from witmark.kernel.model.outcome import Waiting as CallWaiting
from witmark.kernel.model.prompt import Prompt
from witmark.kernel.model.reply import Failure
from witmark.kernel.store import blob_path


class UnsettledBudgetError(InputError):
    """The investigation's accounts are not closed with every action settled."""

    code = "input.unsettled-budget"
    hint = "finish the investigation first: `witmark case resume`"


@dataclass(frozen=True, slots=True)
class Published:
    """The diagnosis stands. ``manifest`` is the package as it is now."""

    manifest: Manifest
    diagnosis: Diagnosis
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """The decision was invalid and is kept; another ``build`` begins the next attempt."""

    feedback: str
    invalid: int
    left: int


@dataclass(frozen=True, slots=True)
class Blocked:
    """No decision came. ``eligible_at_ms`` says when to try again; ``None``: not by waiting."""

    because: Because
    eligible_at_ms: int | None
    failures: tuple[Failure, ...]


Built = Published | Rejected | Blocked


class DiagnosisBuilder:
    """Builds the diagnosis of a package, one dispatch at a time.

    Args:
        store: Where packages lie.
        gateway: Who dispatches model calls.
        config: What can be set.
        router: Who is told when the case moves on.
        prompt: The instructions for the decision; the newest of ours if left out.
        clock: What time it is, for the record alone.

    Raises:
        ConfigError: a limit promises more than the gateway or a package lets through.
    """

    def __init__(  # noqa: PLR0913 - the contract's signature, and two defaults for tests
        self,
        store: CaseStore,
        gateway: Gateway,
        config: DiagnosisConfig,
        *,
        router: Router,
        prompt: Prompt | None = None,
        clock: Clock | None = None,
    ) -> None:
        config.check(
            max_request_bytes=gateway.max_request_bytes,
            max_file_bytes=PackageLimits().max_file_bytes,
        )
        self._store, self._gateway, self._config = store, gateway, config
        self._router = router
        self._prompt = prompt or decide_prompt()
        self._clock = clock or _WallClock()

    async def build(
        self, case_id: CaseId, package_id: PackageId, retry_id: str | None = None
    ) -> Built:
        """Do the next thing for a package's diagnosis; at most one model request among it.

        Args:
            case_id: Whose package.
            package_id: Which.
            retry_id: Opens a blocked call again, once per name.

        Raises:
            MissingStageError: the investigation is not completed.
            StaleCaseError: a raw input is not what was analysed.
            UnsettledBudgetError: an account is open or an action is not settled.
            OversizedDiagnosisError: the context or an artefact is larger than allowed.
            RequestTooLargeError: what the model would be sent is; nothing was started.
            PolicyChangedError: another ``max_invalid_responses`` than was frozen is asked for.
            IntegrityError: something that was published is not as it was.
            OutsideError: the disk refused, or another writer was first; build again.
        """
        package = Package(self._store.disk(case_id, package_id))
        said = Audit(package.disk).published_subjects()  # said after the manifest: read before
        manifest = package.manifest()
        package.check_whole(manifest)
        if manifest.last(Phase.DIAGNOSIS) is not None:
            return await self._published_before(package, manifest)
        if manifest.last(Phase.DIAGNOSIS_STARTED) is None:
            manifest = self._start(package, manifest, said)
        started = self._started(manifest)
        _check_not_published(manifest, started.identity, said)
        frozen = self._frozen(package, manifest, started)
        prompt = prompt_of(started, self._prompt)
        readers = self._gateway.readers
        settled = await replaying.settled(package, started, frozen, prompt, readers)
        places = replaying.places_of(started.identity, settled)
        package.check_fresh(manifest, leftovers=places)
        outcome: Outcome | None = settled
        if outcome is None:
            outcome = await self._dispatch(package, started, frozen, prompt, retry_id)
        Audit(package.disk).catch_up(started.subject)
        return self._built(package, manifest, started, frozen, outcome)

    # starting

    def _start(self, package: Package, manifest: Manifest, said: Collection[str]) -> Manifest:
        inventory = package.inventory(manifest)
        number = next_number(manifest, "diagnosis", inventory)
        identity = Identity(manifest.case_id, manifest.package_id, manifest.revision, number)
        _check_not_published(manifest, identity, said)
        package.check_fresh(manifest, leftovers={identity.path("context.json")})
        check_may_begin(Phase.DIAGNOSIS_STARTED, manifest.state)
        interpretation, investigation = earlier_phases(package, manifest)
        if open_ones := [a.name for a in investigation.accounts if not a.is_terminal]:
            raise UnsettledBudgetError("not closed and settled", place=open_ones[0])
        frozen = freeze(
            manifest,
            inventory,
            interpretation,
            investigation,
            max_bytes=self._config.limits.max_context_bytes,
            secrets=secrets_of(inventory.inputs, lambda one: package.read(one.path)),
        )
        most = self._config.max_invalid_responses or MAX_INVALID_RESPONSES
        begun = Started(identity, frozen.digest, most, self._prompt.digest)
        self._gateway.check_fits(ask_of(begun, frozen, self._prompt))  # before it is settled
        files = {identity.path("context.json"): frozen.raw}
        schema = blob_path(digest_of(canonical_json(wire.schema().json)))
        checkpoint = Checkpoint(
            Phase.DIAGNOSIS_STARTED,
            manifest.revision,
            declare(files),
            (place_of(identity.subject), lock_of(identity.subject), schema),
            {
                "context": frozen.digest,
                "max_invalid_responses": most,
                "number": number,
                "prompt": self._prompt.digest,
            },
            self._clock.now_ms(),
        )
        return package.advance(
            manifest,
            with_checkpoint(
                manifest,
                checkpoint,
                state=State.BUILDING_DIAGNOSIS,
                pointers={
                    **manifest.pointers,
                    "diagnosis_context": identity.path("context.json"),
                },
            ),
            files,
        )

    def _started(self, manifest: Manifest) -> Started:
        started = started_of(manifest)
        wanted = self._config.max_invalid_responses
        if wanted not in {None, started.max_invalid_responses}:
            raise PolicyChangedError(
                f"max_invalid_responses was frozen as {started.max_invalid_responses}, "
                f"not {wanted}",
                place=started.identity.path("context.json"),
            )
        return started

    def _frozen(self, package: Package, manifest: Manifest, started: Started) -> Frozen:
        return read_context(package.artefact(manifest, started.identity.path("context.json")))

    # the call

    async def _dispatch(
        self,
        package: Package,
        started: Started,
        frozen: Frozen,
        prompt: Prompt,
        retry_id: str | None,
    ) -> Outcome:
        ask = ask_of(started, frozen, prompt)
        judge = partial(judge_decision, ground=frozen.ground)
        return await self._gateway.dispatch(ask, judge, package.disk, retry_id=retry_id)

    def _built(
        self,
        package: Package,
        manifest: Manifest,
        started: Started,
        frozen: Frozen,
        outcome: Outcome,
    ) -> Built:
        match outcome:
            case Accepted():
                head = _head(package, started)
                call = binding_of(outcome, place_of(started.subject), head)
                diagnosis = wire.read_decision(outcome.reply.text)
                files = publication_of(started.identity, frozen, diagnosis, call)
                return self._publish(package, manifest, started, diagnosis, files)
            case CallRejected(left=0):
                rejected = rejected_plain(
                    outcome, place_of(started.subject), _head(package, started)
                )
                diagnosis = inconclusive_ending(frozen, outcome.invalid)
                files = publication_of(started.identity, frozen, diagnosis, None, rejected)
                return self._publish(package, manifest, started, diagnosis, files)
            case CallRejected(feedback=feedback, invalid=invalid, left=left):
                return Rejected(feedback, invalid, left)
            case CallWaiting(because=because, eligible_at_ms=at_ms, failures=failures):
                return Blocked(because, at_ms, failures)
            case CallBlocked(because=because, failures=failures):
                return Blocked(because, None, failures)

    # the end

    def _publish(
        self,
        package: Package,
        manifest: Manifest,
        started: Started,
        diagnosis: Diagnosis,
        files: dict[str, bytes],
    ) -> Published:
        for path, raw in files.items():
            check_size(path, raw, self._config.limits.max_artifact_bytes)
        is_confirmed = diagnosis.status is Status.CONFIRMED
        checkpoint = Checkpoint(
            Phase.DIAGNOSIS,
            manifest.revision,
            declare(files),
            (),
            replaying.bindings_of(started),
            self._clock.now_ms(),
        )
        after = with_checkpoint(
            manifest,
            checkpoint,
            state=State.BUILDING_DIAGNOSIS if is_confirmed else State.FAILED_TO_ANALYZE,
            routing=manifest.routing if is_confirmed else Routing.REVIEW,
            pointers={**manifest.pointers, **replaying.pointers_of(started.identity, files)},
        )
        manifest = package.advance(manifest, after, files)
        Audit(package.disk).published(started.subject, diagnosis.status.value)
        self._route(manifest)
        return Published(manifest, diagnosis, tuple(sorted(files)))

    async def _published_before(self, package: Package, manifest: Manifest) -> Published:
        started = self._started(manifest)
        package.check_fresh(manifest)
        diagnosis, paths = await replaying.replay(
            package, manifest, started, self._prompt, self._gateway.readers
        )
        Audit(package.disk).published(started.subject, diagnosis.status.value)
        self._route(manifest)
        return Published(manifest, diagnosis, paths)

    def _route(self, manifest: Manifest) -> None:
        self._router.route(
            manifest.case_id, manifest.package_id, manifest.state, manifest.routing
        )


def earlier_phases(
    package: Package, manifest: Manifest
) -> tuple[Interpretation, Investigation]:
    """What the earlier phases published in this revision."""
    where = manifest.pointers
    interpretation = read_artefact(
        INTERPRETATION,
        Interpretation,
        package.artefact(manifest, where.get("interpretation", "")),
        place=where.get("interpretation", ""),
    )
    investigation = read_artefact(
        INVESTIGATION,
        Investigation,
        package.artefact(manifest, where.get("investigation", "")),
        place=where.get("investigation", ""),
    )
    return interpretation, investigation


def _check_not_published(manifest: Manifest, identity: Identity, said: Collection[str]) -> None:
    """Hold that no manifest went missing: a crash never leaves the word without it."""
    if identity.subject in said:
        raise BrokenChainError(
            "the audit says that this diagnosis was published, and the manifest is gone",
            place=manifest_path(manifest.generation + 1),
            hint="restore the manifest from a copy; nothing was built again",
        )


def _head(package: Package, started: Started) -> Digest:
    head = Journal(package.disk, started.subject).head
    if head is None:
        raise AssertionError("a call that came to something left no record")
    return head


class _WallClock:
    """The time of this machine."""

    def now_ms(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000
