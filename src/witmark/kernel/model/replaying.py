"""A gateway that sends nothing: it gives what was recorded, and refuses what differs."""

import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from witmark.kernel.canon import Digest
from witmark.kernel.errors import (
    DanglingManifestError,
    GarbledRecordError,
    ReplayDiffersError,
)
from witmark.kernel.journal import Entry, parse_journal, place_of
from witmark.kernel.model import call
from witmark.kernel.model.attempt import Judge, forms_of, read_and_judged
from witmark.kernel.model.gateway import MAX_INVALID_RESPONSES
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
    Judged,
    Put,
    Replied,
    Sent,
    Unready,
    events_of,
    is_event,
)
from witmark.kernel.model.reply import Raw, Readers
from witmark.kernel.model.request import Ask, Profile, Request, profile_of
from witmark.kernel.store import BlobStore, Disk

_NEVER_USED = Profile("", "", "")
_BEFORE_ALL_MS = -1  # whatever is left then waits, and says until when


class ReplayGateway:
    """Reads the journal of a run that is over. Keeps the promises of ``Gateway``.

    Every recorded request is made again from the ask and compared, every raw answer is read
    and judged again as it was then; the outcome is that of the record.

    Args:
        heads: By subject, where each record ended, from whoever kept it; a subject that
            nobody knows has no record.
        readers: Who reads the raw answers.
    """

    def __init__(self, heads: Mapping[str, Digest], readers: Readers) -> None:
        self._heads, self._readers = heads, readers

    @property
    def max_request_bytes(self) -> int:
        """Whatever was sent then."""
        return sys.maxsize

    @property
    def readers(self) -> Readers:
        """As they were handed in."""
        return self._readers

    def check_fits(self, ask: Ask) -> None:
        """Nothing is sent here."""

    def serves(self, purpose: str) -> bool:  # noqa: ARG002 - what was asked, the record says
        """A replay serves whatever was recorded."""
        return True

    async def dispatch(
        self, ask: Ask, judge: Judge, disk: Disk, *, retry_id: str | None = None
    ) -> Outcome:
        """Give the outcome of the recorded run.

        Raises:
            ReplayDiffersError: the run asked something else, or would read or judge otherwise.
            BrokenChainError, GarbledRecordError: the record is not the one that was kept.
            DigestMismatchError, DanglingManifestError: a schema or an image is not.
        """
        del retry_id  # nothing is opened again in what is over
        place = place_of(ask.subject)
        if (head := self._heads.get(ask.subject)) is None:
            raise ReplayDiffersError(place, "no end that anybody kept", f"asks {ask.question}")
        entries = parse_journal(disk.read(place) or b"", place=place, head=head)
        events = list(events_of(entries, place=place))
        replayed = _Replayed(ask, events, place, self._readers)
        replayed.hold_blobs(entries, BlobStore(disk))
        return replayed.outcome(judge)


class _Replayed:
    """One question of a recorded run."""

    def __init__(self, ask: Ask, events: list[Event], place: str, readers: Readers) -> None:
        self._ask, self._events, self._place = ask, events, place
        self._readers = readers
        put = (e for e in events if isinstance(e, Put))
        asked = [e for e in put if e.question == ask.question]
        if not asked:
            raise ReplayDiffersError(place, "nothing about it", f"asks {ask.question}")
        self._operation = asked[-1].operation
        sent = (e for e in asked if isinstance(e, Sent))
        self._sent = {e.attempt: e for e in sent if e.operation == self._operation}
        profiles = self._legs(asked)
        self._state = call.fold(events, self._operation, ask.question, profiles)

    def hold_blobs(self, entries: Sequence[Entry], store: BlobStore) -> None:
        """Hold that the schema and the images of every request are there, byte for byte."""
        ours = (entry for entry in entries if is_event(entry))
        named = {
            blob
            for entry, event in zip(ours, self._events, strict=True)
            if event.operation == self._operation
            for blob in entry.blobs
        }
        for blob in sorted(named):
            try:
                store.get(blob)
            except KeyError as error:
                raise DanglingManifestError(self._place, blob) from error

    def outcome(self, judge: Judge) -> Outcome:
        self._hold_to_the_record(judge)
        state = self._state
        failures = call.failures_of(state, state.unready)
        most = MAX_INVALID_RESPONSES
        if state.max_invalid_responses is not None:
            most = state.max_invalid_responses
        match call.next_step(state, most, _BEFORE_ALL_MS, state.unready):
            case call.GiveAgain(judged) if judged.reply is not None:
                request = self._sent[judged.attempt].request
                return Accepted(self._operation, judged.attempt, request, judged.reply)
            case call.Spent(feedback):
                return Rejected(self._operation, feedback, state.invalid, 0, state.unheeded)
            case call.Closed(because):
                return Blocked(self._operation, because, failures)
            case call.WaitUntil(at_ms):
                return Waiting(self._operation, Because.BACKING_OFF, at_ms, failures)
            case _:
                raise GarbledRecordError("the run ended in the middle", place=self._place)

    def _hold_to_the_record(self, judge: Judge) -> None:
        refused: list[Judged] = []
        asked: Request | None = None
        came: Raw | None = None
        for event in self._events:
            if event.operation != self._operation:
                continue
            match event:
                case Sent():
                    asked, came = self._asked_again(event, refused), None
                case Replied():
                    came = event.raw
                case Judged():
                    self._judge_again(event, asked, came, judge)
                    refused += [] if event.is_admitted else [event]
                case _:
                    pass

    def _asked_again(self, was: Sent, refused: list[Judged]) -> Request:
        forms = forms_of(self._ask, self._profile(was), refused)
        now = next((one for one in forms if one.digest == was.request), forms[0])
        if now.digest != was.request or now.to_plain() != was.canonical:
            self._differs(f"request {was.request[:19]}", f"request {now.digest[:19]}")
        return now

    def _judge_again(
        self, was: Judged, asked: Request | None, came: Raw | None, judge: Judge
    ) -> None:
        """Hold that the raw answer reads as it was read, and is judged as it was judged."""
        if asked is None or came is None:
            raise GarbledRecordError("judges what never came", place=self._place)
        if (reader := self._readers.get(asked.profile.provider)) is None:
            self._differs(f"an answer of {asked.profile.provider!r}", "nobody who reads it")
        reply, found = read_and_judged(reader, came, asked, judge)
        if reply != was.reply:
            self._differs("a reply", "another reading of its bytes")
        told = found.feedback if isinstance(found, Refused) else ""
        if isinstance(found, Admitted) != was.is_admitted or told != was.feedback:
            self._differs(_verdict(was.is_admitted), _verdict(isinstance(found, Admitted)))

    def _legs(self, asked: Sequence[Event]) -> tuple[Profile, ...]:
        """The profiles as far as they were used; one that never was decides nothing."""
        used = {sent.leg: self._profile(sent) for sent in self._sent.values()}
        ours = [event for event in asked if event.operation == self._operation]
        counts = [event.legs for event in ours if isinstance(event, Sent | Unready)]
        return tuple(used.get(number, _NEVER_USED) for number in range(max(counts, default=0)))

    def _profile(self, sent: Sent) -> Profile:
        try:
            return profile_of(sent.profile)
        except (KeyError, TypeError) as error:
            raise GarbledRecordError(
                f"no profile we know: {error}", place=self._place
            ) from error

    def _differs(self, recorded: str, now: str) -> NoReturn:
        raise ReplayDiffersError(self._place, recorded, now)


def _verdict(is_admitted: bool) -> str:
    return "admitted" if is_admitted else "refused"
