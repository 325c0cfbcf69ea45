"""A provider and a clock for tests of model calls: what they say is written down beforehand.

>>> clock = SteadyClock()
>>> clock.pass_s(1.5)
>>> clock.now_ms() - SteadyClock.EPOCH_MS
1500
"""

import json
from collections.abc import Iterable

from witmark.kernel.model.reply import (
    Failure,
    FailureKind,
    Finish,
    LoadImage,
    Raw,
    Reply,
    Unreadable,
    Usage,
)
from witmark.kernel.model.request import Request


class SteadyClock:
    """A clock that stands still until somebody lets time pass."""

    EPOCH_MS = 1_800_000_000_000

    def __init__(self) -> None:
        self._now_ms = self.EPOCH_MS

    def now_ms(self) -> int:
        """Milliseconds since 1970."""
        return self._now_ms

    def pass_s(self, seconds: float) -> None:
        """Let time pass."""
        self.pass_ms(round(seconds * 1000))

    def pass_ms(self, milliseconds: int) -> None:
        """Let a little time pass."""
        self._now_ms += milliseconds


class PlayedProvider:
    """Answers in the order written down, and keeps what it was asked.

    Args:
        answers: A text is what the model says; a ``Failure`` fails; a ``Raw`` is the very
            answer. When they are used up, it fails as unreachable.
        missing: What is missing here, one for each time it is got ready; then nothing is.
    """

    def __init__(
        self, answers: Iterable[str | Failure | Raw], missing: Iterable[Failure | None] = ()
    ) -> None:
        self._answers, self._missing = list(answers), list(missing)
        self.asked: list[Request] = []

    async def ready(self, request: Request) -> Failure | None:
        """Say what is missing next."""
        del request
        return self._missing.pop(0) if self._missing else None

    async def send(self, request: Request, load: LoadImage) -> Raw | Failure:
        """Give the next answer; the images must be there."""
        self.asked.append(request)
        for message in request.messages:
            for image in message.images:
                load(image.digest)
        if not self._answers:
            return unreachable()
        answer = self._answers.pop(0)
        return said(answer) if isinstance(answer, str) else answer

    def read(self, raw: Raw, request: Request) -> Reply | Unreadable:
        """Read what ``said`` wrote."""
        try:
            body = json.loads(raw.body)
            return Reply(
                body["text"],
                Finish(body.get("finish", "stop")),
                request.profile.model,
                Usage(body.get("in", 7), body.get("out", 3)),
            )
        except (ValueError, KeyError, TypeError):
            return Unreadable("the answer is not in the provider's form")


def said(text: str, *, finish: Finish = Finish.STOP) -> Raw:
    """An answer in which a model says this."""
    return Raw(json.dumps({"finish": finish.value, "text": text}).encode())


def unreachable(*, retry_after_s: float | None = None, code: str = "connection") -> Failure:
    """Nobody answered."""
    return Failure(FailureKind.TRANSPORT, code, "nobody answers", retry_after_s)


def no_key() -> Failure:
    """The key is not in the environment."""
    return Failure(FailureKind.CONFIGURATION, "no-key", "the environment variable is not set")


def misconfigured(code: str = "status-401") -> Failure:
    """The provider will not have it so."""
    return Failure(FailureKind.CONFIGURATION, code, "the key is wrong")
