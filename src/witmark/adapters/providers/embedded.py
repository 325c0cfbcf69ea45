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

    async def send(self, request: Request, load: LoadImage) -> Raw | Failure:
        """Let the analyst answer; what it raises is a fault of ours and goes through."""
        desk = request.purpose.partition(".")[0]
        for purpose in (request.purpose, desk, "*"):
            if (analyst := self._analysts.get(purpose)) is not None:
                load_all(request, load)
                text = analyst(request)
                return spoken(Reply(text, Finish.STOP, request.profile.model))
        return Failure(
            FailureKind.CONFIGURATION,
            "unavailable",
            f"no embedded analyst is for {request.purpose}",
        )

    def read(self, raw: Raw, request: Request) -> Reply | Unreadable:
        """Read an answer that was kept."""
        return read_spoken(raw, request)


def load_all(request: Request, load: LoadImage) -> None:
    """Hold that every image that would be sent is there."""
    for message in request.messages:
        for image in message.images:
            load(image.digest)
