"""The table that one model call walks. Pure: events and a time in, the next step out.

| state | event | next | what the gateway does |
|---|---|---|---|
| planned | dispatch, one is eligible | sent | makes the request durable, then sends it |
| planned | dispatch, one lacks a key or the like | planned | passes it over: no attempt |
| planned | dispatch, all back off | planned | ``Waiting``; nobody sleeps |
| sent | a whole answer | replied | makes it durable before reading it |
| sent | no answer, a try is left | planned | ``Waiting``: the next dispatch's |
| sent | no answer, none is left | blocked | ``Blocked``; counts and history stay |
| sent | the process died | planned | counts as a failed try of that provider |
| replied | read, and the desk admits it | accepted | ``Accepted``, now and from then on |
| replied | refused, attempts left | planned | ``Rejected``; the next is told why |
| replied | refused, none left | spent | ``Rejected`` with none left, from then on |
| blocked | dispatch, a new ``retry_id`` | planned | counts the tries anew, nothing else |
| blocked | dispatch, the way to a provider corrected | planned | the same |
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from witmark.kernel.canon import Digest
from witmark.kernel.model.outcome import Because
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
)
from witmark.kernel.model.reply import Failure, FailureKind
from witmark.kernel.model.request import Plain, Profile, way_of

LOST = Failure(
    FailureKind.TRANSPORT, "lost", "the process ended while it waited for the answer"
)

NOTHING_MISSING: Mapping[int, Failure] = {}

_DOUBLED_MOST = 64  # any cap is reached by then, and no number overflows


@dataclass(slots=True)
class Leg:
    """How one provider of the order has done since the operation was last opened.

    ``retries`` and ``way`` are those of the last request to it, as recorded: what the settings
    say by now counts from the next request on, so that the record alone tells where it stands.
    """

    retries: int = 0
    way: Plain | None = None
    failures: int = 0
    not_before_ms: int = 0
    is_misconfigured: bool = False
    last: Failure | None = None


@dataclass(slots=True)
class CallState:
    """Everything that the record says about one operation, and its question.

    ``invalid``, ``feedback`` and ``max_invalid_responses`` are the operation's own, or the
    whole question's, as ``counts_operation`` says.
    """

    legs: list[Leg]
    counts_operation: bool = False
    latest: Digest | None = None  # which operation the question was last put to
    attempts: int = 0
    open_sent: Sent | None = None  # neither answered nor failed
    unjudged: Replied | None = None
    last_sent: Sent | None = None
    accepted: Judged | None = None
    refused: list[Judged] = field(default_factory=list)
    invalid: int = 0
    feedback: str = ""  # the last one
    max_invalid_responses: int | None = None  # as frozen by the first attempt
    unheeded: int | None = None  # what the settings said later
    unready: Mapping[int, Failure] = field(default_factory=dict)  # when it was last looked
    retry_ids: set[str] = field(default_factory=set)


# What the dispatcher is to do next --------------------------------------------------


@dataclass(frozen=True, slots=True)
class GiveAgain:
    """The reply was accepted; give it again."""

    judged: Judged


@dataclass(frozen=True, slots=True)
class JudgeNow:
    """An answer is durable that nobody has judged."""

    replied: Replied
    sent: Sent


@dataclass(frozen=True, slots=True)
class CountAsLost:
    """An attempt was begun, and the process that began it is gone."""

    sent: Sent


@dataclass(frozen=True, slots=True)
class Spent:
    """As many answers were invalid as may be."""

    feedback: str


@dataclass(frozen=True, slots=True)
class SendTo:
    """Ask this provider, now."""

    leg: int


@dataclass(frozen=True, slots=True)
class WaitUntil:
    """Every provider that is left backs off."""

    eligible_at_ms: int


@dataclass(frozen=True, slots=True)
class Closed:
    """No provider is left."""

    because: Because


Step = GiveAgain | JudgeNow | CountAsLost | Spent | SendTo | WaitUntil | Closed


def of_question(events: Iterable[Event], question: str) -> list[Event]:
    """The events that ``fold`` looks at for one question; a run may have many."""
    operations: set[Digest] = set()
    found: list[Event] = []
    for event in events:
        if isinstance(event, Put):
            if event.question != question:
                continue
            operations.add(event.operation)
        if event.operation in operations:
            found.append(event)
    return found


def fold(
    events: Sequence[Event],
    operation: Digest,
    question: str,
    profiles: tuple[Profile, ...],
    *,
    counts_operation: bool = False,
) -> CallState:
    """Say where an operation stands, from everything that happened in its run.

    Args:
        events: Of the run, in order.
        operation: Which one.
        question: What it asks.
        profiles: Its providers, in order.
        counts_operation: Whose invalid answers are counted, where the record does not say.
    """
    says = (e for e in events if e.operation == operation and isinstance(e, Sent | Unready))
    counts = next((event.counts_operation for event in says), counts_operation)
    state = CallState([Leg(profile.retries) for profile in profiles], counts)
    counted: set[Digest] = {operation}
    for event in events:
        if isinstance(event, Put) and event.question == question:
            state.latest = event.operation
        if isinstance(event, Sent) and event.question == question and not counts:
            counted.add(event.operation)
        if event.operation in counted:
            _count(state, event)
        if event.operation == operation:
            _apply(state, event)
    return state


def _count(state: CallState, event: Event) -> None:
    match event:
        case Sent() if state.max_invalid_responses is None:
            state.max_invalid_responses = event.max_invalid_responses
        case Judged(is_admitted=False):
            state.invalid += 1
            state.feedback = event.feedback
        case _:
            pass


def _apply(state: CallState, event: Event) -> None:
    match event:
        case Sent():
            state.attempts = event.attempt
            state.open_sent = state.last_sent = event
            leg = state.legs[event.leg]
            leg.way = way_of(event.profile)
            leg.retries = _count_of(event.profile, "retries")
        case Failed():
            leg = state.legs[state.open_sent.leg if state.open_sent else 0]
            leg.failures += 1
            leg.not_before_ms = event.eligible_at_ms
            leg.is_misconfigured = event.failure.kind is FailureKind.CONFIGURATION
            leg.last = event.failure
            state.open_sent = None
        case Replied():
            state.unjudged, state.open_sent = event, None
        case Judged():
            state.unjudged = None
            state.accepted = event if event.is_admitted else None
            state.refused += [] if event.is_admitted else [event]
        case Reopened():
            state.retry_ids.add(event.retry_id)
            for leg in state.legs:
                leg.failures, leg.is_misconfigured = 0, False
        case Resumed() | Unready() | Unheeded():
            _note(state, event)


def _note(state: CallState, event: Resumed | Unready | Unheeded) -> None:
    match event:
        case Unready():
            state.unready = event.failures
        case Unheeded():
            state.unheeded = None if event.wanted == event.frozen else event.wanted
        case Resumed():
            pass


def _count_of(plain: Plain, name: str) -> int:
    return found if isinstance(found := plain[name], int) else 0


def next_step(
    state: CallState,
    max_invalid_responses: int,
    now_ms: int,
    unready: Mapping[int, Failure] = NOTHING_MISSING,
) -> Step:
    """Say what is to be done now; the first that holds, in the order of the table.

    Args:
        state: Where the operation stands.
        max_invalid_responses: As frozen.
        now_ms: What time it is.
        unready: The providers, by their place in the order, that cannot be asked from here.
    """
    if state.accepted is not None:
        return GiveAgain(state.accepted)
    if state.unjudged is not None and state.last_sent is not None:
        return JudgeNow(state.unjudged, state.last_sent)
    if state.open_sent is not None:
        return CountAsLost(state.open_sent)
    if state.invalid >= max_invalid_responses:
        return Spent(state.feedback)
    return _next_leg(state.legs, now_ms, unready)


def failures_of(state: CallState, unready: Mapping[int, Failure]) -> tuple[Failure, ...]:
    """Why each provider that has not answered has not, in their order."""
    last = (unready.get(number, leg.last) for number, leg in enumerate(state.legs))
    return tuple(failure for failure in last if failure is not None)


def _next_leg(legs: list[Leg], now_ms: int, unready: Mapping[int, Failure]) -> Step:
    left = [k for k, leg in enumerate(legs) if k not in unready and _is_left(leg)]
    for number in left:
        if legs[number].not_before_ms <= now_ms:
            return SendTo(number)
    if left:
        return WaitUntil(min(legs[number].not_before_ms for number in left))
    all_refuse = all(k in unready or leg.is_misconfigured for k, leg in enumerate(legs))
    return Closed(Because.MISCONFIGURED if all_refuse else Because.EXHAUSTED)


def _is_left(leg: Leg) -> bool:
    return not leg.is_misconfigured and leg.failures <= leg.retries


def eligible_at_ms(leg: Leg, profile: Profile, failure: Failure, now_ms: int) -> int:
    """When a provider may be asked again that has just failed once more.

    The wait doubles with each failure up to the profile's cap; a provider that asks for
    more is given more. What the settings got wrong is not mended by waiting.
    """
    if failure.kind is FailureKind.CONFIGURATION:
        return max(now_ms, leg.not_before_ms)
    doubled_s = profile.backoff_s * 2.0 ** min(leg.failures, _DOUBLED_MOST)
    backoff_s = min(profile.backoff_cap_s, doubled_s)
    wait_s = max(backoff_s, failure.retry_after_s or 0.0)
    return now_ms + round(wait_s * 1000)
