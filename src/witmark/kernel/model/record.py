"""How a call is written down: what happened, as entries of the run's journal.

The kinds, in the order in which one attempt leaves them:

- ``model.unready``: nothing was sent, because something is missing here: a key, a script, a
  library. No attempt; the next dispatch looks again;
- ``model.unheeded``: the settings name another number of invalid answers than was frozen;
- ``model.sent``: the request, whole, before it is sent;
- ``model.failed``: no answer came, and when the provider is eligible again; or
- ``model.replied``: the answer, whole, before it is read;
- ``model.judged``: what it said, and whether the desk admits it;
- ``model.reopened``: somebody gave a ``retry_id`` to a blocked operation;
- ``model.resumed``: the question was put again to the providers of an earlier operation,
  and nothing had to be sent.
"""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from witmark.kernel.canon import Digest
from witmark.kernel.errors import GarbledRecordError
from witmark.kernel.journal import Entry
from witmark.kernel.model.reply import Failure, FailureKind, Finish, Raw, Reply, Usage
from witmark.kernel.model.request import Plain, Prices

SENT = "model.sent"
FAILED = "model.failed"
REPLIED = "model.replied"
JUDGED = "model.judged"
REOPENED = "model.reopened"
RESUMED = "model.resumed"
UNREADY = "model.unready"
UNHEEDED = "model.unheeded"

_BY_OPERATION = "operation"


@dataclass(frozen=True, slots=True)
class Sent:
    """An attempt was begun: this request, to the provider ``leg`` of ``legs`` in order.

    ``counts_operation`` says whose invalid answers are counted together: this operation's, or,
    where a desk froze the number itself and in earlier records, the whole question's.
    """

    operation: Digest
    question: str
    attempt: int
    leg: int
    legs: int
    at_ms: int
    max_invalid_responses: int
    request: Digest
    canonical: Plain
    prices: Prices | None = None
    counts_operation: bool = False

    @property
    def profile(self) -> Plain:
        """The profile in its recorded form."""
        return _Fields(self.canonical).part("profile").whole

    def to_plain(self) -> Plain:
        """What the entry holds."""
        return {
            "at_ms": self.at_ms,
            "attempt": self.attempt,
            **_counts_plain(self.counts_operation),
            "leg": self.leg,
            "legs": self.legs,
            "max_invalid_responses": self.max_invalid_responses,
            "operation": self.operation,
            "prices": None if self.prices is None else _prices_plain(self.prices),
            "question": self.question,
            "request": self.canonical,
            "request_digest": self.request,
        }


@dataclass(frozen=True, slots=True)
class Failed:
    """The attempt brought no answer."""

    operation: Digest
    attempt: int
    at_ms: int
    eligible_at_ms: int
    failure: Failure

    def to_plain(self) -> Plain:
        """What the entry holds."""
        return {
            "at_ms": self.at_ms,
            "attempt": self.attempt,
            "eligible_at_ms": self.eligible_at_ms,
            "failure": _failure_plain(self.failure),
            "operation": self.operation,
        }


@dataclass(frozen=True, slots=True)
class Replied:
    """The attempt brought an answer, kept as it came."""

    operation: Digest
    attempt: int
    at_ms: int
    raw: Raw

    def to_plain(self) -> Plain:
        """What the entry holds: the bytes as text where they are text."""
        return {
            "at_ms": self.at_ms,
            "attempt": self.attempt,
            "body": _bytes_plain(self.raw.body),
            "media_type": self.raw.media_type,
            "operation": self.operation,
            "status": self.raw.status,
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer was read and judged. ``reply`` is missing if it could not be read."""

    operation: Digest
    attempt: int
    reply: Reply | None
    is_admitted: bool
    feedback: str

    def to_plain(self) -> Plain:
        """What the entry holds."""
        return {
            "attempt": self.attempt,
            "feedback": self.feedback,
            "is_admitted": self.is_admitted,
            "operation": self.operation,
            "reply": None if self.reply is None else _reply_plain(self.reply),
        }


@dataclass(frozen=True, slots=True)
class Reopened:
    """A blocked operation was opened again, once, under this name."""

    operation: Digest
    retry_id: str
    at_ms: int

    def to_plain(self) -> Plain:
        """What the entry holds."""
        return {"at_ms": self.at_ms, "operation": self.operation, "retry_id": self.retry_id}


@dataclass(frozen=True, slots=True)
class Resumed:
    """The configuration is that of an earlier operation again; what it came to stands.

    Without it nobody could tell from the record which of two operations was the last word.
    """

    operation: Digest
    question: str
    at_ms: int

    def to_plain(self) -> Plain:
        """What the entry holds."""
        return {"at_ms": self.at_ms, "operation": self.operation, "question": self.question}


@dataclass(frozen=True, slots=True)
class Unready:
    """Nothing was sent: these of the ``legs`` providers lack something here.

    With no failures: nothing is missing any more, and nothing had to be sent either.
    """

    operation: Digest
    question: str
    at_ms: int
    legs: int
    failures: Mapping[int, Failure]
    counts_operation: bool = False

    def to_plain(self) -> Plain:
        """What the entry holds."""
        return {
            "at_ms": self.at_ms,
            **_counts_plain(self.counts_operation),
            "failures": {
                str(leg): _failure_plain(self.failures[leg]) for leg in sorted(self.failures)
            },
            "legs": self.legs,
            "operation": self.operation,
            "question": self.question,
        }


@dataclass(frozen=True, slots=True)
class Unheeded:
    """The settings want another number of invalid answers than this operation has frozen."""

    operation: Digest
    frozen: int
    wanted: int
    at_ms: int

    def to_plain(self) -> Plain:
        """What the entry holds."""
        return {
            "at_ms": self.at_ms,
            "frozen": self.frozen,
            "operation": self.operation,
            "wanted": self.wanted,
        }


Event = Sent | Failed | Replied | Judged | Reopened | Resumed | Unready | Unheeded

Put = Sent | Resumed | Unready
"""What says that a question was put to an operation; the last one has the last word."""

_KINDS = {
    Sent: SENT,
    Failed: FAILED,
    Replied: REPLIED,
    Judged: JUDGED,
    Reopened: REOPENED,
    Resumed: RESUMED,
    Unready: UNREADY,
    Unheeded: UNHEEDED,
}


def kind_of(event: Event) -> str:
    """The kind of entry that this event is."""
    return _KINDS[type(event)]


def is_event(entry: Entry) -> bool:
    """Whether the entry is the model's; ``events_of`` reads just these."""
    return entry.kind in _READERS


def events_of(entries: Iterable[Entry], *, place: str, first: int = 0) -> Iterator[Event]:
    """Read the model's events out of a run's entries; what is not the model's is passed over.

    Args:
        entries: In order.
        place: Where they stand, for the reader of an error.
        first: How many entries of the run stand before them.

    Raises:
        GarbledRecordError: an entry is not in the form we write.
    """
    for number, entry in enumerate(entries, start=first + 1):
        if not is_event(entry):
            continue
        try:
            yield _READERS[entry.kind](_Fields(entry.body))
        except (KeyError, TypeError, ValueError) as error:
            raise GarbledRecordError(
                f"not a {entry.kind} of ours: {error}", place=f"{place}:{number}"
            ) from error


class _Fields:
    """Plain data, read with its types."""

    def __init__(self, body: object) -> None:
        if not isinstance(body, dict):
            raise TypeError("no object")
        self._body: Mapping[str, object] = body

    @property
    def whole(self) -> Plain:
        return dict(self._body)

    def has(self, name: str) -> bool:
        return name in self._body

    def text(self, name: str) -> str:
        if not isinstance(found := self._body[name], str):
            raise TypeError(name)
        return found

    def number(self, name: str) -> int:
        if not isinstance(found := self._body[name], int) or isinstance(found, bool):
            raise TypeError(name)
        return found

    def flag(self, name: str) -> bool:
        if not isinstance(found := self._body[name], bool):
            raise TypeError(name)
        return found

    def part(self, name: str) -> "_Fields":
        return _Fields(self._body[name])

    def plain(self, name: str) -> Plain:
        if not isinstance(found := self._body[name], dict):
            raise TypeError(name)
        return found

    def amount(self, name: str) -> float:
        found = self._body[name]
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise TypeError(name)
        return found

    def maybe_amount(self, name: str) -> float | None:
        return None if self._body[name] is None else self.amount(name)

    def maybe_count(self, name: str) -> int | None:
        return None if self._body[name] is None else self.number(name)

    def is_null(self, name: str) -> bool:
        return self._body[name] is None


def _sent(body: _Fields) -> Sent:
    return Sent(
        Digest(body.text("operation")),
        body.text("question"),
        body.number("attempt"),
        body.number("leg"),
        body.number("legs"),
        body.number("at_ms"),
        body.number("max_invalid_responses"),
        Digest(body.text("request_digest")),
        body.plain("request"),
        None if body.is_null("prices") else _prices_of(body.part("prices")),
        _counts_operation(body),
    )


def _counts_plain(counts_operation: bool) -> Plain:
    return {"counted": _BY_OPERATION} if counts_operation else {}


def _counts_operation(body: _Fields) -> bool:
    """Earlier records do not say it: there the whole question's are counted."""
    if not body.has("counted"):
        return False
    if (found := body.text("counted")) != _BY_OPERATION:
        raise ValueError(found)
    return True


def _prices_plain(prices: Prices) -> Plain:
    return {
        "currency": prices.currency,
        "input_per_million": prices.input_per_million,
        "output_per_million": prices.output_per_million,
    }


def _prices_of(body: _Fields) -> Prices:
    return Prices(
        body.amount("input_per_million"),
        body.amount("output_per_million"),
        body.text("currency"),
    )


def _failed(body: _Fields) -> Failed:
    return Failed(
        Digest(body.text("operation")),
        body.number("attempt"),
        body.number("at_ms"),
        body.number("eligible_at_ms"),
        _failure_of(body.part("failure")),
    )


def _failure_plain(failure: Failure) -> Plain:
    return {
        "code": failure.code,
        "detail": failure.detail,
        "kind": failure.kind.value,
        "retry_after_s": failure.retry_after_s,
    }


def _failure_of(body: _Fields) -> Failure:
    return Failure(
        FailureKind(body.text("kind")),
        body.text("code"),
        body.text("detail"),
        body.maybe_amount("retry_after_s"),
    )


def _replied(body: _Fields) -> Replied:
    raw = Raw(_bytes_of(body.part("body")), body.number("status"), body.text("media_type"))
    return Replied(
        Digest(body.text("operation")), body.number("attempt"), body.number("at_ms"), raw
    )


def _judged(body: _Fields) -> Judged:
    return Judged(
        Digest(body.text("operation")),
        body.number("attempt"),
        None if body.is_null("reply") else _reply_of(body.part("reply")),
        body.flag("is_admitted"),
        body.text("feedback"),
    )


def _reopened(body: _Fields) -> Reopened:
    return Reopened(Digest(body.text("operation")), body.text("retry_id"), body.number("at_ms"))


def _resumed(body: _Fields) -> Resumed:
    return Resumed(Digest(body.text("operation")), body.text("question"), body.number("at_ms"))


def _unready(body: _Fields) -> Unready:
    failures = body.part("failures")
    return Unready(
        Digest(body.text("operation")),
        body.text("question"),
        body.number("at_ms"),
        body.number("legs"),
        {int(leg): _failure_of(failures.part(leg)) for leg in sorted(failures.whole)},
        _counts_operation(body),
    )


def _unheeded(body: _Fields) -> Unheeded:
    return Unheeded(
        Digest(body.text("operation")),
        body.number("frozen"),
        body.number("wanted"),
        body.number("at_ms"),
    )


_READERS: dict[str, Callable[[_Fields], Event]] = {
    SENT: _sent,
    FAILED: _failed,
    REPLIED: _replied,
    JUDGED: _judged,
    REOPENED: _reopened,
    RESUMED: _resumed,
    UNREADY: _unready,
    UNHEEDED: _unheeded,
}


def _reply_plain(reply: Reply) -> Plain:
    return {
        "finish": reply.finish.value,
        "input_tokens": reply.usage.input_tokens,
        "model": reply.model,
        "output_tokens": reply.usage.output_tokens,
        "text": _bytes_plain(reply.text.encode("utf-8", "surrogatepass")),
    }


def _reply_of(body: _Fields) -> Reply:
    return Reply(
        _bytes_of(body.part("text")).decode("utf-8", "surrogatepass"),
        Finish(body.text("finish")),
        body.text("model"),
        Usage(body.maybe_count("input_tokens"), body.maybe_count("output_tokens")),
    )


def _bytes_plain(raw: bytes) -> Plain:
    """Text if these bytes are text, so that a person can read the record."""
    try:
        return {"text": raw.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode()}


def _bytes_of(body: _Fields) -> bytes:
    try:
        return body.text("text").encode()
    except KeyError:
        return base64.b64decode(body.text("base64"), validate=True)
