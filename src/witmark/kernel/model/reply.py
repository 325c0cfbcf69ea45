"""What comes back from a provider, or why nothing did; and the port that providers keep."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from witmark.kernel.canon import Digest
from witmark.kernel.model.request import Request


@dataclass(frozen=True, slots=True)
class Raw:
    """A whole answer as it came over the wire, not yet read.

    Attributes:
        body: The very bytes.
        status: The HTTP status; 200 where there is no HTTP.
        media_type: What the provider says the bytes are.
    """

    body: bytes
    status: int = 200
    media_type: str = "application/json"


class FailureKind(StrEnum):
    """Who has to act when no answer came."""

    TRANSPORT = "transport"  # nobody: it is tried again when it is eligible
    CONFIGURATION = "configuration"  # the one who wrote the settings, or holds the key


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer came, and why.

    Attributes:
        kind: Who has to act.
        code: ``status-503``, ``timeout``, ``connection``, ``truncated``, ``lost``,
            ``no-key``, ``unavailable``, …
        detail: For the reader; holds no key.
        retry_after_s: What the provider asked for; ``None`` if it did not.
    """

    kind: FailureKind
    code: str
    detail: str
    retry_after_s: float | None = None


class Finish(StrEnum):
    """Why a model stopped."""

    STOP = "stop"  # it had said everything
    LENGTH = "length"  # it was cut at the limit of tokens
    REFUSAL = "refusal"  # it, or a filter of the provider's, declined
    OTHER = "other"  # it wants a tool, or says something we do not know


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counts them; ``None`` where it does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said.

    Attributes:
        text: Its words, whole.
        finish: Why it stopped.
        model: Which model the provider says it was.
        usage: What it took.
    """

    text: str
    finish: Finish
    model: str
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A whole answer came that is not in the provider's own form."""

    because: str


LoadImage = Callable[[Digest], bytes]


class Reader(Protocol):
    """Reads the answers of one kind of provider; needs neither network nor key."""

    def read(self, raw: Raw, request: Request) -> Reply | Unreadable:
        """Read an answer that was kept; the same bytes give the same reply."""


Readers = Mapping[str, Reader]
"""By ``Profile.provider``."""

NO_READERS: Readers = MappingProxyType({})
"""For what no model had a part in."""


class Provider(Reader, Protocol):
    """One adapter to one kind of provider. It decides nothing and repeats nothing."""

    async def ready(self, request: Request) -> Failure | None:
        """Get everything ready that needs no network, and say what is missing here.

        Called before a request is recorded: what loads and is built here is not counted as
        the call's time, and what is missing costs no attempt. Nothing is sent.

        Returns:
            What is missing, as a configuration failure: a key, a script, a library. ``None``
            if the request can be sent.
        """

    async def send(self, request: Request, load: LoadImage) -> Raw | Failure:
        """Send one request, once, and wait for the whole answer.

        No redirect is followed, nothing is tried again, and nobody sleeps. The answer is
        not looked into: it is made durable first.
        """
