"""The table that one model call walks. Pure: events and a time in, the next step out.

| state | event | next | what the gateway does |
|---|---|---|---|
| planned | dispatch, one is eligible | sent | makes the request durable, then sends it |
| planned | dispatch, all back off | planned | ``Waiting``; nobody sleeps |
| sent | a whole answer | replied | makes it durable before reading it |
| sent | no answer, a try is left | planned | ``Waiting``: the next dispatch's |
| sent | no answer, none is left | blocked | ``Blocked``; counts and history stay |
| sent | the process died | planned | counts as a failed try of that provider |
| replied | read, and the desk admits it | accepted | ``Accepted``, now and from then on |
| replied | refused, attempts left | planned | ``Rejected``; the next is told why |
| replied | refused, none left | spent | ``Rejected`` with none left, from then on |
| blocked | dispatch, a new ``retry_id`` | planned | counts the tries anew, nothing else |
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from witmark.kernel.canon import Digest
from witmark.kernel.model.outcome import Because
from witmark.kernel.model.record import Event, Failed, Judged, Reopened, Replied, Resumed, Sent
from witmark.kernel.model.reply import Failure, FailureKind
from witmark.kernel.model.request import Profile

LOST = Failure(
    FailureKind.TRANSPORT, "lost", "the process ended while it waited for the answer"
)

_DOUBLED_MOST = 64  # any cap is reached by then, and no number overflows


@dataclass(slots=True)
class Leg:
    """How one provider of the order has done since the operation was last opened."""

    failures: int = 0
    not_before_ms: int = 0
    is_misconfigured: bool = False
    last: Failure | None = None


@dataclass(slots=True)
class CallState:
    """Everything that the record says about one operation, and its question."""

    legs: list[Leg]
    latest: Digest | None = None  # which operation the question was last put to
    attempts: int = 0
    open_sent: Sent | None = None  # neither answered nor failed
    unjudged: Replied | None = None
    last_sent: Sent | None = None
    accepted: Judged | None = None
    refused: list[Judged] = field(default_factory=list)
    invalid: int = 0  # over every operation of the question
    feedback: str = ""  # the last one to the question, whichever operation it was
    max_invalid_responses: int | None = None  # as settled by the question's first attempt
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
    """Too many answers were invalid."""

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
        if isinstance(event, Sent | Resumed):
            if event.question != question:
                continue
            operations.add(event.operation)
        if event.operation in operations:
            found.append(event)
    return found


def fold(
    events: Iterable[Event], operation: Digest, question: str, profiles: tuple[Profile, ...]
) -> CallState:
    """Say where an operation stands, from everything that happened in its run."""
    state = CallState([Leg() for _ in profiles])
    of_question: set[Digest] = {operation}
    for event in events:
        if isinstance(event, Sent | Resumed) and event.question == question:
            state.latest = event.operation
        if isinstance(event, Sent) and event.question == question:
            of_question.add(event.operation)
            if state.max_invalid_responses is None:
                state.max_invalid_responses = event.max_invalid_responses
        if isinstance(event, Judged) and event.operation in of_question:
            state.invalid += not event.is_admitted
            state.feedback = state.feedback if event.is_admitted else event.feedback
        if event.operation == operation:
            _apply(state, event)
    return state


def _apply(state: CallState, event: Event) -> None:
    match event:
        case Sent():
            state.attempts = event.attempt
            state.open_sent = state.last_sent = event
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
            if event.is_admitted:
                state.accepted = event
            else:
                state.refused.append(event)
        case Reopened():
            state.retry_ids.add(event.retry_id)
            for leg in state.legs:
                leg.failures, leg.is_misconfigured = 0, False
        case Resumed():
            pass


def next_step(
    state: CallState, profiles: tuple[Profile, ...], max_invalid_responses: int, now_ms: int
) -> Step:
    """Say what is to be done now; the first that holds, in the order of the table."""
    if state.accepted is not None:
        return GiveAgain(state.accepted)
    if state.unjudged is not None and state.last_sent is not None:
        return JudgeNow(state.unjudged, state.last_sent)
    if state.open_sent is not None:
        return CountAsLost(state.open_sent)
    if state.invalid >= max_invalid_responses:
        return Spent(state.feedback)
    return _next_leg(state.legs, profiles, now_ms)


def _next_leg(legs: list[Leg], profiles: tuple[Profile, ...], now_ms: int) -> Step:
    left = [number for number, leg in enumerate(legs) if _is_left(leg, profiles[number])]
    for number in left:
        if legs[number].not_before_ms <= now_ms:
            return SendTo(number)
    if left:
        return WaitUntil(min(legs[number].not_before_ms for number in left))
    all_refuse = all(leg.is_misconfigured for leg in legs)
    return Closed(Because.MISCONFIGURED if all_refuse else Because.EXHAUSTED)


def _is_left(leg: Leg, profile: Profile) -> bool:
    return not leg.is_misconfigured and leg.failures <= profile.retries


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
