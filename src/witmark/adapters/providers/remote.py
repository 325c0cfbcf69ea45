"""What providers over the network have in common: one request, its answer kept, no key told.

The client libraries take seconds to load, so they are loaded when the first request is got
ready, before it is recorded as sent.
"""

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from witmark.kernel.errors import OutsideError
from witmark.kernel.model.reply import (
    Failure,
    FailureKind,
    LoadImage,
    Raw,
    Reply,
    Unreadable,
)
from witmark.kernel.model.request import Request, Role

if TYPE_CHECKING:
    from pydantic_ai.models import Model

NO_KEY = "no-key"
"""Said to the libraries as a key, which build no client without one. It goes nowhere: the door
lets out the key that it was given itself, or none."""

Hearing = Coroutine[object, object, Reply | Unreadable]

UNBOUNDED_S = 86_400.0
"""Said to the libraries, which stream long replies unless they are told a time. The door, and
the deadline around it, keep the time of the profile."""

_NO_ANSWER = Raw(b"{}")

_UNREADABLE = Unreadable("the answer is not in the provider's form")


class NoClientLibraryError(OutsideError):
    """An answer is kept that nobody here can read: a library is missing. It stays kept."""

    code = "outside.no-client-library"
    hint = "install Witmark again; nothing is lost"


class RemoteProvider(ABC):
    """Sends through the one door. Keeps ``kernel.model.reply.Provider``."""

    default_url: str
    """Where the provider is, if a profile does not say."""

    def __init__(self) -> None:
        self._models: dict[tuple[str, str], Model] = {}
        self._warmed: set[str] = set()

    @abstractmethod
    def auth_header(self, key: str) -> tuple[str, str]:
        """The header that carries the key."""

    @abstractmethod
    def model(self, name: str, url: str) -> "Model":
        """The client library's model, going through ``door``, with nothing of its own will."""

    async def ready(self, request: Request) -> Failure | None:
        """Look for the key and load the client library; nothing is sent."""
        profile = request.profile
        url = profile.base_url or self.default_url
        if (fault := _fault_of(request, url) or _key_fault(profile.key_env)) is not None:
            return fault
        try:
            from witmark.adapters.providers import asking, door  # noqa: PLC0415 - see above

            model = self._model(profile.model, url)
        except ImportError as error:
            return _not_installed(error)
        if url not in self._warmed:
            door.get_ready(urlsplit(url).scheme)
            with door.through(door.Kept(_NO_ANSWER)):  # what the library puts off to its first
                await asking.rehearse(model, request)
            self._warmed.add(url)
        return None

    async def send(self, request: Request, load: LoadImage) -> Raw | Failure:
        """Send one request, once, and wait for the whole answer."""
        if (fault := await self.ready(request)) is not None:
            return fault
        from witmark.adapters.providers import asking, door  # noqa: PLC0415 - see above

        profile = request.profile
        url, key = profile.base_url or self.default_url, _key(profile.key_env)
        auth = self.auth_header(key) if key else None
        way = door.Door(auth, key, profile.timeout_s)
        model = self._model(profile.model, url)
        try:
            async with asyncio.timeout(profile.timeout_s):
                with door.through(way):
                    said = await asking.ask(model, request, load)
        except TimeoutError:
            detail = f"no whole answer within {profile.timeout_s:g} s"
            return Failure(FailureKind.TRANSPORT, "timeout", detail)
        if way.came is None:
            detail = f"this cannot be said to the provider ({said})"
            return Failure(FailureKind.CONFIGURATION, "unsendable", detail)
        return way.came

    def read(self, raw: Raw, request: Request) -> Reply | Unreadable:
        """Read an answer that was kept; the same bytes give the same reply."""
        if not _is_in_a_loop():
            return asyncio.run(self._hear(raw, request))
        return _at_once(self._hear(raw, request)) or _apart(self._hear(raw, request))

    def _model(self, name: str, url: str) -> "Model":
        if (name, url) not in self._models:
            self._models[name, url] = self.model(name, url)
        return self._models[name, url]

    async def _hear(self, raw: Raw, request: Request) -> Reply | Unreadable:
        profile = request.profile
        try:
            from witmark.adapters.providers import asking, door  # noqa: PLC0415 - see above

            model = self._model(profile.model, profile.base_url or self.default_url)
        except ImportError as error:
            raise NoClientLibraryError(_not_installed(error).detail) from error
        with door.through(door.Kept(raw)):
            reply = await asking.hear(model)
        return _UNREADABLE if reply is None else reply


def _fault_of(request: Request, url: str) -> Failure | None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
        detail = "base_url is no http or https address without a user"
        return Failure(FailureKind.CONFIGURATION, "bad-address", detail)
    if any(one.images and one.role is not Role.USER for one in request.messages):
        detail = "only what the user says can show images"
        return Failure(FailureKind.CONFIGURATION, "unsendable", detail)
    return None


def _key(name: str) -> str:
    return os.environ.get(name, "").strip() if name else ""


def _key_fault(name: str) -> Failure | None:
    if not name:
        return None
    if not (key := _key(name)):
        detail = f"the environment variable {name} is not set"
        return Failure(FailureKind.CONFIGURATION, "no-key", detail)
    if not (key.isascii() and key.isprintable()):
        detail = f"the environment variable {name} holds what no header can carry"
        return Failure(FailureKind.CONFIGURATION, "bad-key", detail)
    return None


def _not_installed(error: ImportError) -> Failure:
    what = error.name or "a library"
    detail = f"the client library cannot be loaded ({what}); install Witmark again"
    return Failure(FailureKind.CONFIGURATION, "not-installed", detail)


def _is_in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _at_once(reading: Hearing) -> Reply | Unreadable | None:
    """Run what has nothing to wait for, in the loop that runs; ``None`` if it waits."""
    try:
        reading.send(None)
    except StopIteration as end:
        found: Reply | Unreadable = end.value
        return found
    reading.close()
    return None


def _apart(reading: Hearing) -> Reply | Unreadable:
    """Run it in a thread of its own, for a loop runs here already.

    Needed once in a process, while a library looks up what system this is.
    """
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, reading).result()
