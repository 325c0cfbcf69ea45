"""The one that dispatches model calls: at most one request per dispatch, all of it durable.

Whatever has to be loaded or looked up here is got ready first; what is missing here is no
attempt. Write order of one attempt (each is durable before the next begins):

1. the images and the schema, as blobs;
2. ``model.sent``, the canonical request;
3. the request goes out, once;
4. ``model.replied``, the raw answer (or ``model.failed``);
5. ``model.judged``, what it said and whether it is admitted.

A crash before 4 costs the attempt: whether the provider saw it nobody can know, so it is
counted. From 4 on no second request is made for it: the next dispatch goes on at 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from witmark.kernel.canon import Digest, canonical_json, digest_of
from witmark.kernel.errors import BadNameError, DanglingManifestError, InputError
from witmark.kernel.journal import Journal, place_of
from witmark.kernel.model import call
from witmark.kernel.model.attempt import (
    MOST_TOLD_BYTES,
    Judge,
    forms_of,
    read_and_judged,
    request_of,
)
from witmark.kernel.model.outcome import (
    Accepted,
    Admitted,
    Because,
    Blocked,
    Outcome,
    Refused,
    Rejected,
    Waiting,
)
from witmark.kernel.model.record import (
    Event,
    Failed,
    Judged,
    Put,
    Reopened,
    Replied,
    Resumed,
    Sent,
    Unheeded,
    Unready,
    events_of,
    kind_of,
)
from witmark.kernel.model.reply import Failure, FailureKind, Provider, Readers
from witmark.kernel.model.request import (
    Ask,
    Profile,
    Request,
    earlier_operation_of,
    operation_of,
)
from witmark.kernel.model.vetting import is_text, vetted_answer, vetted_failure
from witmark.kernel.store import BlobStore, RecordDisk

MAX_INVALID_RESPONSES = 3


class NoProfileError(InputError):
    """A model was wanted for something that the settings have no profile for."""

    code = "input.no-model-profile"
    hint = "add profiles for it to [models] in witmark.toml, or go without a model"


class RequestTooLargeError(InputError):
    """What would be sent is larger than the settings allow. Nothing was sent."""

    code = "input.request-too-large"
    hint = "raise max_request_bytes in [models] of witmark.toml, or narrow what is asked"


class PolicyChangedError(InputError):
    """How many invalid answers end a question was frozen when it was first asked."""

    code = "input.policy-changed"
    hint = "leave max_invalid_responses out to go on with what was settled"


class Clock(Protocol):
    """What time it is. Asked only for the record and for who is eligible."""

    def now_ms(self) -> int:
        """Milliseconds since 1970."""


class Gateway(Protocol):
    """Whoever dispatches: the live one, or one that only reads what was recorded."""

    async def dispatch(
        self, ask: Ask, judge: Judge, disk: RecordDisk, *, retry_id: str | None = None
    ) -> Outcome:
        """Do the next thing for this ask, at most one request among it.

        Args:
            ask: What is asked; the same ask goes on where it stopped.
            judge: The desk's own check of a reply.
            disk: Where the run's record and the images lie.
            retry_id: Opens a blocked operation again, once per name. It does not shorten
                a wait, and invalid answers stay counted.

        Raises:
            NoProfileError, RequestTooLargeError, PolicyChangedError: nothing was sent.
            DiskError: nothing that had been durable was lost; dispatch again.
        """

    def check_fits(self, ask: Ask) -> None:
        """Hold that every attempt of a question without images can be sent.

        Raises:
            RequestTooLargeError: one could be larger than ``max_request_bytes``.
        """

    def serves(self, purpose: str) -> bool:
        """Whether there is a profile for this purpose."""

    @property
    def max_request_bytes(self) -> int:
        """How large a request may be, its images included."""

    @property
    def readers(self) -> Readers:
        """Who reads recorded answers again, in a replay."""


@dataclass(frozen=True, slots=True)
class ModelRoutes:
    """Which providers serve which purpose, in order.

    Attributes:
        profiles: By purpose; ``review.judge`` falls back to ``review`` and then to ``*``.
        max_request_bytes: Of the canonical request and its images together.
        max_invalid_responses: Where an ask does not say; each operation freezes it when it is
            first sent. ``None`` goes on with what was frozen, or begins with
            ``MAX_INVALID_RESPONSES``.
    """

    profiles: Mapping[str, tuple[Profile, ...]]
    max_request_bytes: int = 4 * 1024 * 1024
    max_invalid_responses: int | None = None

    def of(self, purpose: str) -> tuple[Profile, ...]:
        """The profiles for a purpose, in order; none if nobody serves it."""
        desk = purpose.partition(".")[0]
        for key in (purpose, desk, "*"):
            if key in self.profiles:
                return self.profiles[key]
        return ()


class DurableGateway:
    """Dispatches for real. Keeps the promises of ``Gateway``.

    Args:
        routes: Who serves what.
        providers: The adapters, by ``Profile.provider``.
        clock: What time it is.
    """

    def __init__(
        self, routes: ModelRoutes, providers: Mapping[str, Provider], clock: Clock
    ) -> None:
        self._routes, self._providers, self._clock = routes, providers, clock
        self._last: _Record | None = None

    @property
    def max_request_bytes(self) -> int:
        """As the settings say."""
        return self._routes.max_request_bytes

    @property
    def readers(self) -> Readers:
        """The adapters; to read they need no network."""
        return self._providers

    def check_fits(self, ask: Ask) -> None:
        """Hold that every attempt of a question without images can be sent."""
        most = self._routes.max_request_bytes
        for profile in self._routes.of(ask.purpose):
            first = len(canonical_json(request_of(ask, profile, []).to_plain()))
            if first + MOST_TOLD_BYTES > most:
                raise RequestTooLargeError(
                    f"its request has {first} bytes, and {first + MOST_TOLD_BYTES} where an "
                    f"answer is refused; max_request_bytes is {most}",
                    place=ask.question,
                )

    def serves(self, purpose: str) -> bool:
        """Whether there is a profile for this purpose."""
        return bool(self._routes.of(purpose))

    async def dispatch(
        self, ask: Ask, judge: Judge, disk: RecordDisk, *, retry_id: str | None = None
    ) -> Outcome:
        """Do the next thing for this ask, at most one request among it."""
        profiles = self._routes.of(ask.purpose)
        if not profiles:
            raise NoProfileError("no model is set up for this", place=ask.purpose)
        with disk.held(lock_of(ask.subject)) as is_ours:
            if not is_ours:
                now_ms = self._clock.now_ms()
                return Waiting(operation_of(ask, profiles), Because.HELD, now_ms)
            record = self._taken_up(disk, ask.subject)
            dispatch = _Dispatch(self._routes, self._clock, ask, profiles, record)
            outcome = await dispatch.run(self._providers, judge, retry_id)
            self._last = record  # after an error it is read anew
            return outcome

    def _taken_up(self, disk: RecordDisk, subject: str) -> "_Record":
        """The run's record as it is now; while it is held nobody else adds to it.

        A desk puts hundreds of questions to one run, so what was read for the last one is
        not parsed again. The bytes are compared, all of them.
        """
        last, self._last = self._last, None
        if last is None or not last.is_of(disk, subject):
            return _Record(disk, subject)
        last.catch_up()
        return last


class _Record:
    """The events of a run, read as far as they were written."""

    def __init__(self, disk: RecordDisk, subject: str) -> None:
        self.disk, self._subject = disk, subject
        self._journal = Journal(disk, subject)
        self.events: list[Event] = []
        self._take_from(0)

    def is_of(self, disk: RecordDisk, subject: str) -> bool:
        return self.disk is disk and self._subject == subject

    def catch_up(self) -> None:
        if (kept := self._journal.catch_up()) == 0:
            self.events = []
        self._take_from(kept)

    def note(self, event: Event, blobs: Sequence[Digest]) -> None:
        self._journal.append(kind_of(event), event.to_plain(), blobs)
        self.events.append(event)

    def _take_from(self, first: int) -> None:
        new, place = self._journal.entries[first:], place_of(self._subject)
        self.events += list(events_of(new, place=place, first=first))


class _Dispatch:
    """One dispatch, holding the run."""

    def __init__(
        self,
        routes: ModelRoutes,
        clock: Clock,
        ask: Ask,
        profiles: tuple[Profile, ...],
        record: _Record,
    ) -> None:
        self._routes, self._clock, self._ask, self._profiles = routes, clock, ask, profiles
        self._store = BlobStore(record.disk)
        self._record = record
        self._events = call.of_question(record.events, ask.question)
        self._operation = _operation_among(self._events, ask, profiles)
        self._most = self._frozen_most()
        self._unready: dict[int, Failure] = {}

    async def run(
        self, providers: Mapping[str, Provider], judge: Judge, retry_id: str | None
    ) -> Outcome:
        step = self._next()
        if isinstance(step, call.CountAsLost):
            self._fail(step.sent, call.LOST)
        self._reopen(retry_id)
        self._reopen_where_corrected()
        step = await self._made_ready(providers)
        self._say_what_is_missing(step)
        self._resume(step)
        self._say_what_is_not_heeded(step)
        if isinstance(step, call.SendTo):
            profile = self._profiles[step.leg]
            sent, request = self._intend(step.leg, profile)
            answer = vetted_answer(
                await providers[profile.provider].send(request, self._store.get)
            )
            if isinstance(answer, Failure):
                self._fail(sent, answer)
            else:
                now_ms = self._clock.now_ms()
                self._note(Replied(self._operation, sent.attempt, now_ms, answer))
            step = self._next()
        if isinstance(step, call.JudgeNow):
            self._judge(step, providers, judge)
            return self._outcome(self._next(), has_judged=True)
        return self._outcome(step)

    # the steps

    def _reopen(self, retry_id: str | None) -> None:
        state = self._state()
        if retry_id is None or retry_id in state.retry_ids:
            return
        if not is_text(retry_id):
            raise BadNameError("a retry id is text", place=ascii(retry_id))
        if isinstance(self._next(), call.Closed):
            self._note(Reopened(self._operation, retry_id, self._clock.now_ms()))

    def _reopen_where_corrected(self) -> None:
        """Open it again, once a way, if a provider is reached otherwise than when it failed."""
        now = [profile.way() for profile in self._profiles]
        if not isinstance(self._next(), call.Closed):
            return
        state = self._state()
        was = [leg.way or way for leg, way in zip(state.legs, now, strict=True)]
        name = f"settings:{digest_of(canonical_json(now))[7:23]}"
        if was != now and name not in state.retry_ids:
            self._note(Reopened(self._operation, name, self._clock.now_ms()))

    async def _made_ready(self, providers: Mapping[str, Provider]) -> call.Step:
        """The next step, past every provider that lacks something here."""
        while isinstance(step := self._next(), call.SendTo):
            profile = self._profiles[step.leg]
            provider = providers.get(profile.provider)
            if provider is None:
                missing: Failure | None = _no_adapter(profile)
            else:
                missing = await provider.ready(self._request(profile))
            if missing is None:
                break
            self._unready[step.leg] = vetted_failure(missing)
        return step

    def _say_what_is_missing(self, step: call.Step) -> None:
        """Write down what is missing, or that nothing is any more, where that decides."""
        decides = isinstance(step, call.SendTo | call.WaitUntil | call.Closed)
        if decides and self._unready != self._state().unready:
            self._note(
                Unready(
                    self._operation,
                    self._ask.question,
                    self._clock.now_ms(),
                    len(self._profiles),
                    dict(self._unready),
                    self._state().counts_operation,
                )
            )

    def _say_what_is_not_heeded(self, step: call.Step) -> None:
        """Write down that the settings want another number than was frozen, once."""
        wanted, state = self._routes.max_invalid_responses, self._state()
        frozen = state.max_invalid_responses
        is_over = isinstance(step, call.GiveAgain | call.JudgeNow)
        if is_over or frozen is None or self._ask.max_invalid_responses is not None:
            return
        known = frozen if state.unheeded is None else state.unheeded
        if (said := frozen if wanted is None else wanted) != known:
            self._note(Unheeded(self._operation, frozen, said, self._clock.now_ms()))

    def _resume(self, step: call.Step) -> None:
        """Say that this operation has the word again, where no request will say so."""
        state = self._state()
        is_ours = state.latest in {None, self._operation}
        if not is_ours and not isinstance(step, call.SendTo):
            now_ms = self._clock.now_ms()
            self._note(Resumed(self._operation, self._ask.question, now_ms))

    def _intend(self, leg: int, profile: Profile) -> tuple[Sent, Request]:
        request = self._request(profile)
        self._check_size(request)
        attempt = self._state().attempts + 1
        schema = self._store.put(canonical_json(self._ask.schema.json))
        sent = Sent(
            self._operation,
            self._ask.question,
            attempt,
            leg,
            len(self._profiles),
            self._clock.now_ms(),
            self._most,
            request.digest,
            request.to_plain(),
            profile.prices,
            self._state().counts_operation,
        )
        self._note(sent, schema, *(image.digest for image in self._ask.images))
        return sent, request

    def _fail(self, sent: Sent, failure: Failure) -> None:
        leg, profile = self._state().legs[sent.leg], self._profiles[sent.leg]
        now_ms = self._clock.now_ms()
        at_ms = call.eligible_at_ms(leg, profile, failure, now_ms)
        self._note(Failed(self._operation, sent.attempt, now_ms, at_ms, failure))

    def _judge(
        self, step: call.JudgeNow, providers: Mapping[str, Provider], judge: Judge
    ) -> None:
        profile = self._profiles[step.sent.leg]
        if (provider := providers.get(profile.provider)) is None:
            raise NoProfileError(
                f"an answer of {profile.provider!r} is kept, and its adapter is not here",
                place=self._ask.purpose,
            )
        forms = forms_of(self._ask, profile, self._state().refused)
        request = next((o for o in forms if o.digest == step.sent.request), forms[0])
        reply, found = read_and_judged(provider, step.replied.raw, request, judge)
        feedback = found.feedback if isinstance(found, Refused) else ""
        is_admitted = isinstance(found, Admitted)
        self._note(Judged(self._operation, step.sent.attempt, reply, is_admitted, feedback))

    # what they come to

    def _outcome(self, step: call.Step, *, has_judged: bool = False) -> Outcome:
        state = self._state()
        failures = call.failures_of(state, self._unready)
        match step:
            case call.GiveAgain(judged) if judged.reply is not None and state.last_sent:
                return Accepted(
                    self._operation, judged.attempt, state.last_sent.request, judged.reply
                )
            case call.Spent(feedback):
                return Rejected(self._operation, feedback, state.invalid, 0, state.unheeded)
            case _ if has_judged:
                return Rejected(
                    self._operation,
                    state.refused[-1].feedback,
                    state.invalid,
                    self._most - state.invalid,
                    state.unheeded,
                )
            case call.SendTo():
                now_ms = self._clock.now_ms()
                return Waiting(self._operation, Because.NEXT_PROVIDER, now_ms, failures)
            case call.WaitUntil(at_ms):
                return Waiting(self._operation, Because.BACKING_OFF, at_ms, failures)
            case call.Closed(because):
                return Blocked(self._operation, because, failures)
            case _:
                raise AssertionError(f"no outcome for {step}")

    # helpers

    def _state(self) -> call.CallState:
        return call.fold(
            self._events,
            self._operation,
            self._ask.question,
            self._profiles,
            counts_operation=self._ask.max_invalid_responses is None,
        )

    def _next(self) -> call.Step:
        now_ms = self._clock.now_ms()
        return call.next_step(self._state(), self._most, now_ms, self._unready)

    def _note(self, event: Event, *blobs: Digest) -> None:
        self._record.note(event, blobs)
        self._events.append(event)

    def _frozen_most(self) -> int:
        frozen = self._state().max_invalid_responses
        wanted = self._ask.max_invalid_responses
        if frozen is None:
            return wanted or self._routes.max_invalid_responses or MAX_INVALID_RESPONSES
        if wanted not in {None, frozen}:
            raise PolicyChangedError(
                f"max_invalid_responses was settled as {frozen}, not {wanted}",
                place=self._ask.question,
            )
        return frozen

    def _request(self, profile: Profile) -> Request:
        """The best form that may be sent; the least one where none may."""
        forms = forms_of(self._ask, profile, self._state().refused)
        if len(forms) == 1:
            return forms[0]
        most = self._routes.max_request_bytes
        return next((one for one in forms if self._size(one) <= most), forms[-1])

    def _check_size(self, request: Request) -> None:
        if (size := self._size(request)) > (most := self._routes.max_request_bytes):
            raise RequestTooLargeError(
                f"the request has {size} bytes, max_request_bytes is {most}",
                place=self._ask.question,
            )

    def _size(self, request: Request) -> int:
        size = len(canonical_json(request.to_plain()))
        shown = (image for message in request.messages for image in message.images)
        return size + sum(len(self._image(image.digest)) for image in shown)

    def _image(self, digest: Digest) -> bytes:
        try:
            return self._store.get(digest)
        except KeyError as error:
            raise DanglingManifestError(self._ask.question, digest) from error


def _operation_among(
    events: Sequence[Event], ask: Ask, profiles: tuple[Profile, ...]
) -> Digest:
    """The operation's name; the earlier one if the question was put under that and no other."""
    now, earlier = operation_of(ask, profiles), earlier_operation_of(ask, profiles)
    put = {event.operation for event in events if isinstance(event, Put)}
    return earlier if earlier in put and now not in put else now


def _no_adapter(profile: Profile) -> Failure:
    detail = f"no adapter is called {profile.provider!r}"
    return Failure(FailureKind.CONFIGURATION, "unavailable", detail)


def lock_of(subject: str) -> str:
    """Say what a dispatcher holds while it works on a run.

    >>> lock_of("r1")
    'journals/r1.lock'
    """
    return place_of(subject).removesuffix(".jsonl") + ".lock"
