"""One review's talk with a model: every question once, every outcome a value.

The same code runs live and in a replay. Live, the gateway may send requests and the pictures
are drawn; in a replay the gateway reads the records and the pictures are known by digest.
A provider that does not answer ends the talk, never the review.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import DiskError
from witmark.kernel.journal import parse_journal, place_of
from witmark.kernel.model.attempt import Judge, judgement_of
from witmark.kernel.model.gateway import Gateway, RequestTooLargeError
from witmark.kernel.model.ledger import Call, Total, calls_of, total_of
from witmark.kernel.model.outcome import (
    Accepted,
    Admitted,
    Because,
    Blocked,
    Judgement,
    Outcome,
    Refused,
    Rejected,
    Waiting,
)
from witmark.kernel.model.prompt import Prompt
from witmark.kernel.model.record import Judged, events_of
from witmark.kernel.model.request import Ask, ImageRef, Message, OutputSchema, Role
from witmark.kernel.model.settling import settle_now
from witmark.kernel.store import RecordDisk
from witmark.review.asking.recording import SeenDisk
from witmark.review.units import LocalSemanticUnit

T = TypeVar("T")

PNG = "image/png"
MOST_TOLD_CHARS = 200
INVALID = "invalid-answers"
OTHERWISE = "judged-otherwise-today"
"""Stands with an ending whose record holds refusals that today's gates would word otherwise."""

MOST_SILENT = 2
"""So many questions in a row without an answer, and the rest is not put."""


class Purpose(StrEnum):
    """What a model may be asked for; each can have providers of its own."""

    ROLES = "review.roles"
    UNITS = "review.units"
    INTERFACES = "review.interfaces"
    JUDGE = "review.judge"


@dataclass(frozen=True, slots=True)
class Limits:
    """How many questions of each kind one review puts at most, and pictures per question."""

    roles: int = 40
    units: int = 40
    interfaces: int = 40
    judge: int = 60
    pictures: int = 4

    def to_plain(self) -> dict[str, int]:
        """For the report, so that a replay asks as much."""
        return {
            "interfaces": self.interfaces,
            "judge": self.judge,
            "pictures": self.pictures,
            "roles": self.roles,
            "units": self.units,
        }


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture that goes with a question."""

    digest: Digest
    visible_pixels: int


@dataclass(frozen=True, slots=True)
class Faces:
    """Some faces of one component instance."""

    component_id: str
    faces: tuple[int, ...]


Spot = LocalSemanticUnit | Faces
"""What a picture can show."""


class Sight(Protocol):
    """Pictures of places: drawn now, or as they were drawn."""

    def look(
        self, subject: str, spots: Sequence[Spot], most: int
    ) -> tuple[tuple[int, Shown], ...]:
        """Pictures for a question, each with the position in ``spots`` that it shows."""


class Ending(StrEnum):
    """What became of a question."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"  # every answer broke a gate
    REFUSED_NOW = "refused-now"  # accepted by the gates of an earlier run, not by today's
    WAITING = "waiting"  # a provider backs off; a later run goes on
    BLOCKED = "blocked"  # no provider is left
    HELD = "held"  # another run is at it
    TOO_LARGE = "too-large"
    NOT_ASKED = "not-asked"  # others before it got no answer
    NOT_RECORDED = "not-recorded"  # sent, and the disk did not take what came of it


TOLD = frozenset({Ending.HELD, Ending.TOO_LARGE, Ending.NOT_ASKED, Ending.NOT_RECORDED})
"""Endings that are in no record: a replay takes them as they were told."""

_SILENT = frozenset(
    {Ending.WAITING, Ending.BLOCKED, Ending.HELD, Ending.NOT_ASKED, Ending.NOT_RECORDED}
)


@dataclass(frozen=True, slots=True)
class Said:
    """One question and its ending. ``request`` and ``model`` are those of an accepted reply."""

    subject: str
    purpose: Purpose
    ending: Ending
    because: str = ""
    request: Digest | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """An accepted reply as the desk reads it, and who gave it."""

    value: T
    said: Said


@dataclass(frozen=True, slots=True)
class Took:
    """What one run took: the calls that it sent itself, and the kept replies that it used."""

    now: Total
    kept: int


Read = Callable[[str], T | Refused]


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One question.

    Attributes:
        purpose: What it is for.
        subject: Its name, and that of its record.
        text: Words it, given which of ``spots`` are pictured, in order.
        spots: The places it is about.
        schema: The form of a reply.
        read: Reads a reply, or says why it is refused.
    """

    purpose: Purpose
    subject: str
    text: Callable[[Sequence[int]], str]
    spots: Sequence[Spot]
    schema: OutputSchema
    read: Read[T]


@dataclass
class Talk:
    """The questions of one review.

    Attributes:
        gateway: Who dispatches.
        prompts: The instructions by purpose; a purpose without them is not asked.
        disk: Where the records lie.
        sight: Where pictures come from.
        purposes: What a model is asked for in this review.
        recorded: In a replay, what the report says became of each question.
    """

    gateway: Gateway
    prompts: Mapping[Purpose, Prompt]
    disk: RecordDisk
    sight: Sight
    purposes: frozenset[Purpose]
    limits: Limits = Limits()
    retry_id: str | None = None
    recorded: Mapping[str, Said] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)
    images: list[tuple[str, int, Shown]] = field(default_factory=list)
    """Subject, position among its spots, and the picture; in the order they were attached."""
    _silent: int = 0
    _seen: SeenDisk = field(init=False)

    def __post_init__(self) -> None:
        self._seen = SeenDisk(self.disk)

    def asks(self, purpose: Purpose) -> bool:
        """Whether this review puts such questions at all."""
        return purpose in self.purposes

    def ask(self, question: Question[T]) -> Answer[T] | None:
        """Put one question; ``None`` if no answer was accepted, and ``said`` tells why."""
        purpose, subject, read = question.purpose, question.subject, question.read
        known = self.recorded.get(subject)
        if known is not None and known.ending in TOLD:
            self._seen.look_into(subject)
            self.said.append(known)
            return None
        if known is None and self._silent >= MOST_SILENT:
            self.said.append(Said(subject, purpose, Ending.NOT_ASKED, "no-answer-before"))
            return None
        judge = self._judge_of(question, known)
        try:
            said, outcome = self._put(self._ask(question), purpose, judge)
        except DiskError as refused:  # what cannot be recorded is not asked
            is_sent = self._seen.has_sent(subject)
            ending = Ending.NOT_RECORDED if is_sent else Ending.NOT_ASKED
            said, outcome = Said(subject, purpose, ending, refused.code), None
        self._silent = self._silent + 1 if said.ending in _SILENT else 0
        if said.ending in TOLD:
            self.images = [one for one in self.images if one[0] != subject]
            self.said.append(said)
            return None
        said = self._by_todays_gates(said, lambda reply: _judged(read(reply)))
        self.said.append(said)
        if not isinstance(outcome, Accepted) or said.ending is not Ending.ACCEPTED:
            return None
        value = read(outcome.reply.text)
        if isinstance(value, Refused):
            raise AssertionError(f"{subject}: two judgements of one reply")  # noqa: TRY004 - a broken promise of ours
        return Answer(value, said)

    def records(self) -> dict[str, bytes]:
        """The record of every question, by subject, as far as this run saw one."""
        seen = ((one.subject, self._seen.record(one.subject)) for one in self.said)
        return {subject: raw for subject, raw in seen if raw}

    def took(self) -> Took:
        """What this run sent, and how many of its answers were there before it."""
        events = {one.subject: self._seen.own_events(one.subject) for one in self.said}
        calls = [call for own in events.values() for call in calls_of(own)]
        sent = {subject for subject, own in events.items() if calls_of(own)}
        accepted = {one.subject for one in self.said if one.ending is Ending.ACCEPTED}
        return Took(total_of(calls), len(accepted - sent))

    def _ask(self, question: Question[T]) -> Ask:
        prompt, subject = self.prompts[question.purpose], question.subject
        shown = self.sight.look(subject, question.spots, self.limits.pictures)
        self.images.extend((subject, at, one) for at, one in shown)
        return Ask(
            subject,
            subject,
            question.purpose.value,
            (
                Message(Role.SYSTEM, prompt.text),
                Message(
                    Role.USER,
                    question.text([at for at, _ in shown]),
                    tuple(ImageRef(one.digest, PNG) for _, one in shown),
                ),
            ),
            question.schema,
            prompt.digest,
        )

    def _judge_of(self, question: Question[T], known: Said | None) -> Judge:
        """Today's gates; in a replay of what was told to be judged otherwise, those of then."""
        if known is None or not (known.ending is Ending.REFUSED_NOW or _is_otherwise(known)):
            return lambda reply: _judged(question.read(reply))
        self._seen.look_into(question.subject)
        judged = self._seen.judged(question.subject)
        then = {reply.text: _was(one) for one, reply in judged}
        return lambda reply: then.get(reply) or _judged(question.read(reply))

    def _by_todays_gates(self, said: Said, judge: Judge) -> Said:
        """The same, or what to say of it if a recorded reply is judged otherwise today."""
        judged = [
            (one, now)
            for one, reply in self._seen.judged(said.subject)
            if (now := judgement_of(reply, judge)) != _was(one)
        ]
        if not judged:
            return said
        last, now = judged[-1]
        if last.is_admitted and isinstance(now, Refused):
            told = now.feedback[:MOST_TOLD_CHARS]
            return Said(said.subject, said.purpose, Ending.REFUSED_NOW, told)
        return replace(said, because=", ".join(filter(None, (said.because, OTHERWISE))))

    def _put(self, ask: Ask, purpose: Purpose, judge: Judge) -> tuple[Said, Outcome | None]:
        try:
            outcome = settle_now(self.gateway, ask, judge, self._seen, retry_id=self.retry_id)
        except RequestTooLargeError:
            return Said(ask.subject, purpose, Ending.TOO_LARGE, "max_request_bytes"), None
        return _said(ask.subject, purpose, outcome), outcome


def subject_of(purpose: Purpose, *about: str) -> str:
    """A plain name for a question and its record.

    >>> subject_of(Purpose.UNITS, "unit_0_parts_0", "1")
    'units-unit_0_parts_0-1'
    """
    name = "-".join((purpose.value.removeprefix("review."), *about))
    if len(name) <= 90 and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        return name
    return f"{name.partition('-')[0]}-{digest_of(name.encode())[7:39]}"


def ledger_of(records: Mapping[str, bytes]) -> Total:
    """What the calls of these records took."""
    calls: list[Call] = []
    for subject in sorted(records):
        place = place_of(subject)
        entries = parse_journal(records[subject], place=place)
        calls.extend(calls_of(events_of(entries, place=place)))
    return total_of(calls)


def _judged(read: object) -> Judgement:
    return read if isinstance(read, Refused) else Admitted()


def _was(judged: Judged) -> Judgement:
    return Admitted() if judged.is_admitted else Refused(judged.feedback)


def _is_otherwise(said: Said) -> bool:
    return said.because.endswith(OTHERWISE)


def _said(subject: str, purpose: Purpose, outcome: Outcome) -> Said:
    ending, because, request, model = _ended(outcome)
    return Said(subject, purpose, ending, because, request, model)


def _ended(outcome: Outcome) -> tuple[Ending, str, Digest | None, str]:
    match outcome:
        case Accepted(request=request, reply=reply):
            return Ending.ACCEPTED, "", request, reply.model
        case Rejected(unheeded=None):
            return Ending.REJECTED, INVALID, None, ""
        case Rejected(most=most, unheeded=wanted):
            told = f"{INVALID}: max_invalid_responses was frozen as {most}, {wanted} since"
            return Ending.REJECTED, told, None, ""
        case Waiting(because=Because.HELD):
            return Ending.HELD, Because.HELD.value, None, ""
        case Waiting(failures=failures, because=because):
            return Ending.WAITING, failures[-1].code if failures else because.value, None, ""
        case Blocked(failures=failures, because=because):
            return Ending.BLOCKED, failures[-1].code if failures else because.value, None, ""
