"""The audit record of a package: what went wrong on the way, and when it was done.

It is a journal beside the manifest. A line that a crash kept from being written is added by the
next dispatch: everything it says follows from what is durable elsewhere.
"""

from collections.abc import Iterable
from typing import Any

from witmark.kernel.journal import Journal, place_of, read_journal
from witmark.kernel.model.record import Event, Failed, Judged, events_of
from witmark.kernel.store import RecordDisk

RUN = "audit"
REJECTED, NO_ANSWER, PUBLISHED = "decision-rejected", "no-answer", "published"
VALIDATED, HANDED_OVER = "output-validated", "handed-over"


class Audit:
    """The audit record on a package's disk."""

    def __init__(self, disk: RecordDisk) -> None:
        self._disk = disk

    def catch_up(self, subject: str) -> None:
        """Add an error for every call that failed or was refused and has none yet."""
        events = events_of(read_journal(self._disk, subject), place=place_of(subject))
        self._add(_lines(subject, events))

    def published(self, subject: str, status: str) -> None:
        """Add that a diagnosis was published, once."""
        self._add([(PUBLISHED, {"status": status, "subject": subject})])

    def validated(self, subject: str, outcome: str) -> None:
        """Add what the final validation of a change request came to, once."""
        self._add([(VALIDATED, {"outcome": outcome, "subject": subject})])

    def handed_over(self, subject: str) -> None:
        """Add that a change request was handed over, once."""
        self._add([(HANDED_OVER, {"subject": subject})])

    def published_subjects(self, kind: str = PUBLISHED) -> frozenset[str]:
        """Every subject of a kind of line; each is added after the manifest stands."""
        lines = read_journal(self._disk, RUN)
        told = (one.body for one in lines if one.kind == kind)
        return frozenset(str(body.get("subject")) for body in told if isinstance(body, dict))

    def _add(self, lines: Iterable[tuple[str, dict[str, Any]]]) -> None:
        journal = Journal(self._disk, RUN)
        known = [(entry.kind, entry.body) for entry in journal.entries]
        for kind, body in lines:
            if (kind, body) not in known:
                journal.append(kind, body)


def _lines(subject: str, events: Iterable[Event]) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    for event in events:
        match event:
            case Judged(is_admitted=False):
                told: dict[str, Any] = {"feedback": event.feedback}
                kind = REJECTED
            case Failed():
                told = {"code": event.failure.code, "detail": event.failure.detail}
                kind = NO_ANSWER
            case _:
                continue
        at = {"attempt": event.attempt, "operation": event.operation, "subject": subject}
        found.append((kind, {**at, **told}))
    return found
