"""A gateway that sends nothing: it gives what was recorded, and refuses what differs."""

from collections.abc import Sequence

from witmark.kernel.canon import Digest
from witmark.kernel.errors import (
    DanglingManifestError,
    GarbledRecordError,
    ReplayDiffersError,
)
from witmark.kernel.journal import Entry, parse_journal, place_of
from witmark.kernel.model import call
from witmark.kernel.model.gateway import Judge, judgement_of, request_of
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
from witmark.kernel.model.record import Event, Judged, Resumed, Sent, events_of, is_event
from witmark.kernel.model.request import Ask, Plain, Profile, profile_of
from witmark.kernel.store import BlobStore, Disk

_BEFORE_ALL_MS = -1  # whatever is left then waits, and says until when


class ReplayGateway:
    """Reads the journal of a run that is over. Keeps the promises of ``Gateway``.

    Every recorded request is made again from the ask and compared, every recorded reply is
    judged again; the outcome is that of the record.

    Args:
        heads: By subject, where each record ended, from whoever kept it; a subject that
            nobody knows has no record.
    """

    def __init__(self, heads: dict[str, Digest]) -> None:
        self._heads = heads

    def serves(self, purpose: str) -> bool:  # noqa: ARG002 - what was asked, the record says
        """A replay serves whatever was recorded."""
        return True

    async def dispatch(
        self, ask: Ask, judge: Judge, disk: Disk, *, retry_id: str | None = None
    ) -> Outcome:
        """Give the outcome of the recorded run.

        Raises:
            ReplayDiffersError: the run asked something else, or would judge otherwise.
            BrokenChainError, GarbledRecordError: the record is not the one that was kept.
            DigestMismatchError, DanglingManifestError: a schema or an image is not.
        """
        del retry_id  # nothing is opened again in what is over
        place = place_of(ask.subject)
        if (head := self._heads.get(ask.subject)) is None:
            raise ReplayDiffersError(place, "no end that anybody kept", f"asks {ask.question}")
        entries = parse_journal(disk.read(place) or b"", place=place, head=head)
        events = list(events_of(entries, place=place))
        replayed = _Replayed(ask, events, place)
        replayed.hold_blobs(entries, BlobStore(disk))
        return replayed.outcome(judge)


class _Replayed:
    """One question of a recorded run."""

    def __init__(self, ask: Ask, events: list[Event], place: str) -> None:
        self._ask, self._events, self._place = ask, events, place
        put = (e for e in events if isinstance(e, Sent | Resumed))
        asked = [e for e in put if e.question == ask.question]
        if not asked:
            raise ReplayDiffersError(place, "nothing about it", f"asks {ask.question}")
        self._operation = asked[-1].operation
        sent = (e for e in asked if isinstance(e, Sent))
        self._sent = {e.attempt: e for e in sent if e.operation == self._operation}
        self._profiles = self._legs()
        self._state = call.fold(events, self._operation, ask.question, self._profiles)

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
        failures = tuple(leg.last for leg in state.legs if leg.last is not None)
        most = state.max_invalid_responses or 0
        match call.next_step(state, self._profiles, most, _BEFORE_ALL_MS):
            case call.GiveAgain(judged) if judged.reply is not None:
                request = self._sent[judged.attempt].request
                return Accepted(self._operation, judged.attempt, request, judged.reply)
            case call.Spent(feedback):
                return Rejected(self._operation, feedback, state.invalid, 0)
            case call.Closed(because):
                return Blocked(self._operation, because, failures)
            case call.WaitUntil(at_ms):
                return Waiting(self._operation, Because.BACKING_OFF, at_ms, failures)
            case _:
                raise GarbledRecordError("the run ended in the middle", place=self._place)

    def _hold_to_the_record(self, judge: Judge) -> None:
        refused: list[Judged] = []
        for event in self._events:
            if event.operation != self._operation:
                continue
            if isinstance(event, Sent):
                now = request_of(self._ask, self._profiles[event.leg], refused)
                if now.digest != event.request or now.to_plain() != event.canonical:
                    self._differs(f"request {event.request[:19]}", f"request {now.digest[:19]}")
            elif isinstance(event, Judged):
                self._judge_again(event, judge)
                if not event.is_admitted:
                    refused.append(event)

    def _judge_again(self, was: Judged, judge: Judge) -> None:
        if was.reply is None:
            return
        now = judgement_of(was.reply, judge)
        told = now.feedback if isinstance(now, Refused) else ""
        if isinstance(now, Admitted) != was.is_admitted or told != was.feedback:
            self._differs(_verdict(was.is_admitted), _verdict(isinstance(now, Admitted)))

    def _legs(self) -> tuple[Profile, ...]:
        """The profiles as far as they were used; one that never was decides nothing."""
        used = {sent.leg: self._profile(sent) for sent in self._sent.values()}
        spare = next(iter(used.values()))
        most = max(sent.legs for sent in self._sent.values())
        return tuple(used.get(number, spare) for number in range(most))

    def _profile(self, sent: Sent) -> Profile:
        recorded: Plain = sent.canonical
        try:
            profile = recorded["profile"]
            return profile_of(profile if isinstance(profile, dict) else {})
        except (KeyError, TypeError) as error:
            raise GarbledRecordError(
                f"no profile we know: {error}", place=self._place
            ) from error

    def _differs(self, recorded: str, now: str) -> None:
        raise ReplayDiffersError(self._place, recorded, now)


def _verdict(is_admitted: bool) -> str:
    return "admitted" if is_admitted else "refused"
