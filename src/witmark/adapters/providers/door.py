"""The one door to the network: it lets a single request out, and keeps what comes back.

Whatever a client library believes it sends leaves through ``Door``: once, with the headers
that stand here and no others, never to another address. The key joins here and is in no
object of a library before. The answer is kept as it came and goes no further: the library
is told that it was kept, and reads it later, through ``Kept``.
"""

import logging
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

import httpx2

from witmark import __version__
from witmark.adapters.providers.failing import status_failure
from witmark.kernel.model.reply import Failure, FailureKind, Raw

MAX_ANSWER_BYTES = 8 * 1024 * 1024
_CONNECT_S = 10.0
_TOLD_KEY_CHARS = 12  # shorter ones stand in any answer by chance
_LEAVE = {"accept", "anthropic-beta", "anthropic-version", "content-type", "idempotency-key"}

for _name in ("connection", "http11", "proxy"):
    # they would log every header that a server sends, and it may send the key back
    logging.getLogger(f"httpcore2.{_name}").disabled = True


class KeptError(Exception):
    """Told to the client library: there is nothing more to do, the answer was kept."""


class Door(httpx2.AsyncBaseTransport):
    """Lets one request out.

    Args:
        auth: The header that carries the key, as the provider wants it; ``None`` where there
            is no key: then none is sent.
        key: The key itself, to notice it in an answer; empty for none.
        timeout_s: For each step of the exchange.
    """

    def __init__(self, auth: tuple[str, str] | None, key: str, timeout_s: float) -> None:
        self._auth, self._key, self._timeout_s = auth, key, timeout_s
        self._has_sent = False
        self.came: Raw | Failure | None = None
        """What came of it; ``None`` while nothing was sent."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send it, keep what comes, and stop the library."""
        if self._has_sent:
            raise KeptError
        self._has_sent = True
        self.came = await self._exchange(await self._as_sent(request))
        raise KeptError

    async def _as_sent(self, request: httpx2.Request) -> httpx2.Request:
        headers = {name: value for name, value in request.headers.items() if name in _LEAVE}
        headers |= {
            "accept-encoding": "identity",
            "connection": "close",
            "user-agent": f"witmark/{__version__}",
        }
        if self._auth is not None:
            headers |= dict([self._auth])
        limits = dict.fromkeys(("read", "write", "pool"), self._timeout_s)
        limits["connect"] = min(_CONNECT_S, self._timeout_s)
        return httpx2.Request(
            request.method,
            request.url,
            headers=headers,
            content=await request.aread(),
            extensions={"timeout": limits},
        )

    async def _exchange(self, request: httpx2.Request) -> Raw | Failure:
        where = f"{request.url.host}:{request.url.port or request.url.scheme}"
        has_begun = False
        try:
            async with _transport(request.url.scheme) as transport:
                response = await transport.handle_async_request(request)
                has_begun = True
                try:
                    body = await _whole(response)
                finally:
                    await response.aclose()
        except httpx2.TimeoutException:
            return _transport_failure("timeout", f"{where} does not answer in time")
        except httpx2.DecodingError:
            return _transport_failure("truncated", f"{where} sends what cannot be unpacked")
        except (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError) as error:
            said = f"this cannot be sent ({type(error).__name__})"
            return Failure(FailureKind.CONFIGURATION, "unsendable", said)
        except httpx2.TransportError as error:
            return _broken(error, where, has_begun=has_begun)
        return self._kept(response, body, where)

    def _kept(self, response: httpx2.Response, body: bytes | None, where: str) -> Raw | Failure:
        if body is None:
            said = f"{where} sends more than {MAX_ANSWER_BYTES} bytes; nothing was kept"
            return Failure(FailureKind.CONFIGURATION, "oversized", said)
        if not response.is_success:
            return status_failure(response.status_code, response.headers, body, self._key)
        media_type = response.headers.get("content-type", "")[:200]
        if len(self._key) >= _TOLD_KEY_CHARS and _repeats(self._key, body, media_type):
            said = f"{where} repeats the key in its answer; nothing was kept"
            return Failure(FailureKind.CONFIGURATION, "key-repeated", said)
        return Raw(body, response.status_code, media_type)


_ESCAPES = 3  # JSON in a string of JSON in a string is as deep as an answer goes
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\([/\"\\])")


def _repeats(key: str, body: bytes, media_type: str) -> bool:
    """Whether an answer holds the key, be it escaped as JSON lets one write it."""
    text = body.decode("utf-8", "replace") + media_type
    for _ in range(_ESCAPES):
        if key in text:
            return True
        text = _ESCAPED.sub(lambda hit: chr(int(hit[1], 16)) if hit[1] else hit[2], text)
    return key in text


_now: ContextVar[httpx2.AsyncBaseTransport] = ContextVar("_now")


class ThroughNow(httpx2.AsyncBaseTransport):
    """Goes through the transport that the present call has chosen.

    Making a client takes longer than a call, so one client serves many calls.
    """

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Hand on."""
        return await _now.get().handle_async_request(request)


@contextmanager
def through(transport: httpx2.AsyncBaseTransport) -> Iterator[None]:
    """What is asked in this block, by this task, goes through this transport."""
    before = _now.set(transport)
    try:
        yield
    finally:
        _now.reset(before)


class Kept(httpx2.AsyncBaseTransport):
    """Gives an answer that was kept; no network is there."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer, whatever is asked."""
        headers = {"content-type": self._raw.media_type} if self._raw.media_type else {}
        return httpx2.Response(
            self._raw.status, headers=headers, content=self._raw.body, request=request
        )


def client() -> httpx2.AsyncClient:
    """An HTTP client that has no way of its own out and follows no redirect."""
    return httpx2.AsyncClient(transport=ThroughNow(), follow_redirects=False, trust_env=False)


@cache
def longer_than_any() -> str:
    """A tag that no text has, for it is longer than an answer: nothing is taken apart at it."""
    return "<" * (MAX_ANSWER_BYTES + 1)


def get_ready(scheme: str) -> None:
    """Read what a connection needs from this system, once, before one is made."""
    _ = _trusted() if scheme == "https" else _nobody()
    longer_than_any()


def _transport(scheme: str) -> httpx2.AsyncHTTPTransport:
    trusted = _trusted() if scheme == "https" else _nobody()
    return httpx2.AsyncHTTPTransport(verify=trusted, trust_env=False, retries=0)


@cache
def _trusted() -> ssl.SSLContext:
    """The system's certificates; read once, because reading them takes longer than a call."""
    return ssl.create_default_context()


@cache
def _nobody() -> ssl.SSLContext:
    """Trusts no certificate; made once, for connections that show none."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


async def _whole(response: httpx2.Response) -> bytes | None:
    """The whole body; ``None`` as soon as it is too large."""
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MAX_ANSWER_BYTES:
            return None
    return bytes(body)


def _broken(error: BaseException, where: str, *, has_begun: bool) -> Failure:
    if has_begun:
        return _transport_failure("truncated", f"{where} broke off in the middle of its answer")
    if isinstance(error, httpx2.ConnectError):
        if _is_of_certificate(error):
            said = f"{where} shows a certificate that this system does not trust"
            return Failure(FailureKind.CONFIGURATION, "certificate", said)
        return _transport_failure("connection", f"nobody answers at {where}")
    return _transport_failure("connection", f"{where} broke off before it answered")


def _is_of_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _transport_failure(code: str, detail: str) -> Failure:
    return Failure(FailureKind.TRANSPORT, code, detail)
