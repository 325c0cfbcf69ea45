"""The lives of one model call that `crash`, `races` and `replay` share.

A life is one process: it puts its image, then dispatches until the call is settled, while
the clock runs. The provider answers by how often it was asked, and counts that in a file
outside the disk, so that the count survives the process.
"""

import os
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from witmark.kernel.canon import digest_of
from witmark.kernel.journal import read_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
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
from witmark.kernel.model.record import events_of
from witmark.kernel.model.reply import Failure, LoadImage, Raw
from witmark.kernel.model.request import (
    Ask,
    ImageRef,
    Message,
    OutputSchema,
    Profile,
    Request,
    Role,
)
from witmark.kernel.store import BlobStore, Disk, RecordDisk
from witmark.testing.models import PlayedProvider, SteadyClock, misconfigured, said, unreachable

RUN = "run-1"
IMAGE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
PROMPT = b"Look at the image and say what it shows."
SCHEMA = OutputSchema("shown/1", {"properties": {"shown": {"type": "string"}}})
GOOD, BAD = "good", "bad"
MOST_DISPATCHES = 30

Answer = str | Failure

LIVES: dict[str, tuple[tuple[Answer, ...], str]] = {
    "accepted": ((GOOD,), "accepted"),
    "rejected": ((BAD, GOOD), "accepted"),
    "failed": ((unreachable(retry_after_s=60.0), GOOD), "accepted"),
    "failed over": ((misconfigured(), GOOD), "accepted"),
    "spent": ((BAD, BAD, BAD), "rejected"),
    "blocked": ((misconfigured(), misconfigured("status-403")), "blocked"),
}
"""What the providers answer in turn (the last one from then on), and how the life ends."""

PROFILES = (
    Profile("one", "counted", "m-1", retries=5, takes_images=True),
    Profile("two", "counted", "m-2", retries=5, takes_images=True),
)

T = TypeVar("T")


class NotSettledError(AssertionError):
    """A life went on and on."""


def judge(text: str) -> Judgement:
    """Admit what is good."""
    return Admitted() if text == GOOD else Refused(f"{text} is not good")


def ask(disk: Disk) -> Ask:
    """Put the image and ask about it."""
    image = ImageRef(BlobStore(disk).put(IMAGE), "image/png")
    messages = (Message(Role.SYSTEM, PROMPT.decode()), Message(Role.USER, "This.", (image,)))
    return Ask(RUN, "what is it", "bench.look", messages, SCHEMA, digest_of(PROMPT))


class CountedProvider:
    """Answers by how often it was asked; the count is a file that outlives the process."""

    def __init__(self, count: Path, answers: tuple[Answer, ...]) -> None:
        self._count, self._answers = count, answers
        self._reader = PlayedProvider([])

    async def ready(self, request: Request) -> Failure | None:
        """Nothing is missing."""
        del request
        return None

    async def send(self, request: Request, load: LoadImage) -> Raw | Failure:
        """Count the request, then answer; the images must be there."""
        for message in request.messages:
            for image in message.images:
                load(image.digest)
        handle = os.open(self._count, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        number = os.fstat(handle).st_size
        os.write(handle, b"x")
        os.close(handle)
        answer = self._answers[min(number, len(self._answers) - 1)]
        return said(answer) if isinstance(answer, str) else answer

    read = PlayedProvider.read


@dataclass(frozen=True, slots=True)
class Life:
    """One process's part of a call: which answers, where, and from what time on."""

    name: str
    count: Path
    begun_s: int = 0

    def run(self, disk: RecordDisk) -> Outcome:
        """Dispatch until the call is settled."""
        answers, _ = LIVES[self.name]
        clock = SteadyClock()
        clock.pass_s(self.begun_s)
        provider = CountedProvider(self.count, answers)
        gateway = DurableGateway(ModelRoutes({"*": PROFILES}), {"counted": provider}, clock)
        question = ask(disk)
        for _ in range(MOST_DISPATCHES):
            outcome = now(gateway.dispatch(question, judge, disk))
            if is_settled(outcome):
                return outcome
            clock.pass_s(400)
        raise NotSettledError(self.name)

    def requests(self) -> int:
        """How many requests the provider has seen."""
        return self.count.stat().st_size if self.count.exists() else 0


def now(work: Coroutine[object, object, T]) -> T:
    """Run what never waits, without an event loop: it would cost more than the call."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise AssertionError("it waited")


def is_settled(outcome: Outcome) -> bool:
    """Whether the next dispatch would say the same."""
    match outcome:
        case Accepted() | Blocked() | Rejected(left=0):
            return True
        case Waiting(because=Because.HELD):
            return True
        case _:
            return False


def ending(outcome: Outcome) -> str:
    """How a life ended, in a word."""
    return type(outcome).__name__.lower()


def kinds(disk: Disk) -> list[str]:
    """What the record holds, read as everybody reads it."""
    entries = read_journal(disk, RUN)
    list(events_of(entries, place=RUN))
    return [entry.kind.removeprefix("model.") for entry in entries]


def lines(disk: Disk) -> list[bytes]:
    """The committed lines of the record."""
    return [entry.to_bytes() for entry in read_journal(disk, RUN)]
