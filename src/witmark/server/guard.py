"""Who may talk to the server: one layer around every route, closed unless it is opened here.

The server holds somebody's notes and listens on a loopback port that every page in every
browser on the machine can reach. So a request is let through only if it names us as its
host (DNS rebinding), does not come from a foreign page (cross-site requests), and carries
the secret of this start. WebSockets have no route and are refused with the rest.

Source: ECOSYSTEM.md, 4.1 and 4.2, the lessons of other local servers.
"""

import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "witmark"
MAX_BODY_BYTES = 1_048_576
"""The largest request body; ours are questions and small records."""

DRAINED_BYTES = 8 * MAX_BODY_BYTES
"""So much of a body that is too large is read before the connection is given up."""

POLICY_VIOLATION = 1008  # the WebSocket close code for a refusal
_POLICY = (
    b"default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; "
    b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    b"require-trusted-types-for 'script'"
)
SECURITY_HEADERS = (
    (
        b"content-security-policy",
        _POLICY,
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


@dataclass(slots=True)
class Keys:
    """The secrets of one start of the server. None of them is ever written to a file.

    Attributes:
        token: For programs: ``Authorization: Bearer``.
        link: For a browser's first visit: ``/?token=``; good once.
        session: What the cookie holds after that visit.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    link: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not let through: the status and a code, and nothing of ours."""

    status: int
    code: str


class Guard:
    """Wraps an app. What it does not know, it refuses.

    Args:
        app: The app that answers what is let through.
        keys: The secrets of this start.
        hosts: The ``host:port`` spellings under which we are reached.
    """

    def __init__(self, app: App, keys: Keys, hosts: Iterable[str]) -> None:
        self._app, self._keys = app, keys
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, answer it here, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        if (refused := self._not_ours(headers)) is not None:
            await _refuse(send, refused)
        elif (link := _link_of(scope)) is not None:
            await self._first_visit(link, send)
        elif not self._knows(headers):
            await _refuse(send, Refusal(401, "no-token"))
        else:
            await self._through(scope, receive, send)

    def _not_ours(self, headers: dict[bytes, bytes]) -> Refusal | None:
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self._hosts:
            return Refusal(421, "foreign-host")
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1").lower() not in self._origins:
            return Refusal(403, "foreign-origin")
        site = headers.get(b"sec-fetch-site")
        if site is not None and site not in (b"same-origin", b"none"):
            return Refusal(403, "cross-site")
        return None

    @property
    def _origins(self) -> frozenset[str]:
        return frozenset(f"http://{host}" for host in self._hosts)

    def _knows(self, headers: dict[bytes, bytes]) -> bool:
        scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        if scheme.lower() == "bearer" and _same(token.strip(), self._keys.token):
            return True
        return _same(_cookie(headers), self._keys.session)

    async def _first_visit(self, link: str, send: Send) -> None:
        if not self._keys.link or not _same(link, self._keys.link):
            await _refuse(send, Refusal(401, "link-used-or-wrong"))
            return
        self._keys.link = ""
        cookie = f"{COOKIE}={self._keys.session}; HttpOnly; SameSite=Strict; Path=/"
        away = [(b"location", b"/"), (b"set-cookie", cookie.encode())]
        await _answer(send, 303, b"", away)

    async def _through(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _whole_body(receive)
        if body is None:
            await _refuse(send, Refusal(413, "body-too-large"))
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _with_ours(message["headers"])}
            await send(message)

        await self._app(scope, _replayed(body, receive), marked)


async def _whole_body(receive: Receive) -> bytes | None:
    """Read the body, which may come in pieces; ``None`` if it is over the limit.

    What is over the limit is read on and dropped for a while, so that a client that is
    still sending gets to read our refusal; it is never held.
    """
    pieces: list[bytes] = []
    size = 0
    while size <= DRAINED_BYTES:
        message = await receive()
        piece: bytes = message.get("body", b"")
        size += len(piece)
        pieces = [*pieces, piece] if size <= MAX_BODY_BYTES else []
        if not message.get("more_body", False):
            break
    return b"".join(pieces) if size <= MAX_BODY_BYTES else None


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A stream that gives the body that was read, and then what the real one gives."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _headers(scope: Scope) -> dict[bytes, bytes]:
    """The headers; one that is given twice counts as neither of the two."""
    found: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        found[name] = b"\0twice" if name in found and name != b"cookie" else value
    return found


def _link_of(scope: Scope) -> str | None:
    if scope["method"] != "GET" or scope["path"] != "/":
        return None
    tokens = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
    return tokens[0] if tokens else None


def _cookie(headers: dict[bytes, bytes]) -> str:
    for pair in headers.get(b"cookie", b"").decode("latin-1").split(";"):
        name, _, value = pair.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


def _same(given: str, wanted: str) -> bool:
    """Compared in constant time; an empty secret is never right."""
    return bool(wanted) and hmac.compare_digest(given.encode(), wanted.encode())


def _with_ours(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    ours = {name for name, _ in SECURITY_HEADERS}
    kept = [(name, value) for name, value in headers if name.lower() not in ours]
    return [*kept, *SECURITY_HEADERS]


async def _refuse(send: Send, refusal: Refusal) -> None:
    await _answer(send, refusal.status, b'{"code":"guard.%s"}' % refusal.code.encode(), [])


async def _answer(
    send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]
) -> None:
    plain = (b"content-type", b"application/json")
    length = (b"content-length", str(len(body)).encode())
    head = {"type": "http.response.start", "status": status}
    await send({**head, "headers": _with_ours([plain, length, *headers])})
    await send({"type": "http.response.body", "body": body})
