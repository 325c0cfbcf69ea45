"""Analysts that live in this process: deterministic, offline, asked like any other provider."""

from collections.abc import Callable, Mapping

from witmark.adapters.providers.spoken import read_spoken, spoken
from witmark.kernel.model.reply import (
    Failure,
    FailureKind,
    Finish,
    LoadImage,
    Raw,
    Reply,
    Unreadable,
)
from witmark.kernel.model.request import Request

Analyst = Callable[[Request], str]
"""Reads a request's messages and gives the reply's text; the same request, the same text."""


class EmbeddedProvider:
    """Asks the analyst for the request's purpose. Keeps ``kernel.model.reply.Provider``.

    Args:
        analysts: By purpose; ``review.judge`` falls back to ``review`` and then to ``*``.
    """

    def __init__(self, analysts: Mapping[str, Analyst]) -> None:
        self._analysts = dict(analysts)

    async def ready(self, request: Request) -> Failure | None:
        """Whether there is an analyst for it."""
        return None if self._analyst(request) else _nobody_for(request)

    async def send(self, request: Request, load: LoadImage) -> Raw | Failure:
        """Let the analyst answer; what it raises is a fault of ours and goes through."""
        if (analyst := self._analyst(request)) is None:
            return _nobody_for(request)
        load_all(request, load)
        return spoken(Reply(analyst(request), Finish.STOP, request.profile.model))

    def read(self, raw: Raw, request: Request) -> Reply | Unreadable:
        """Read an answer that was kept."""
        return read_spoken(raw, request)

    def _analyst(self, request: Request) -> Analyst | None:
        names = (request.purpose, request.purpose.partition(".")[0], "*")
        return next((self._analysts[name] for name in names if name in self._analysts), None)


def _nobody_for(request: Request) -> Failure:
    detail = f"no embedded analyst is for {request.purpose}"
    return Failure(FailureKind.CONFIGURATION, "unavailable", detail)


def load_all(request: Request, load: LoadImage) -> None:
    """Hold that every image that would be sent is there."""
    for message in request.messages:
        for image in message.images:
            load(image.digest)
