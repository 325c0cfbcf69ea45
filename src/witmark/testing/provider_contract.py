"""What every provider promises. Subclass, give the fixtures, and run.

``ProviderContract`` is for all of them, ``RemoteProviderContract`` for those that go over HTTP.
"""

import asyncio
import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.model.reply import (
    Failure,
    FailureKind,
    Finish,
    Provider,
    Raw,
    Reply,
    Unreadable,
)
from witmark.kernel.model.request import (
    ImageRef,
    Message,
    OutputSchema,
    Profile,
    Request,
    Role,
)
from witmark.testing.model_server import MODES, Answer, ModelServer

IMAGE = b"\x89PNG not really"
SCHEMA = OutputSchema(
    "test/1",
    {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    },
)
KEY_ENV = "WITMARK_TEST_KEY"
CANARY = "canary-4fa1-key-that-nobody-may-read"

TEXTS = (
    "good",
    '{"a": "孔径 Ø8 H7\\n"}',
    "  \n leading and trailing \t\n",
    "<think>so</think> {} <thinking>no</thinking> <|im_end|>",
    "a\x00b\u2028c\ud800d",
)
GARBAGE = (
    b"",
    b"null",
    b"[]",
    b"{}",
    b'"good"',
    b"\xff\xfe{",
    b"<html>busy</html>",
    b'{"error": {"message": "no"}}',
    b'{"choices": 5, "content": 5, "format": 5}',
    b'{"choices": [], "content": [], "usage": null}',
    b'{"choices": [null], "content": [null]}',
    b'{"choices": [{"message": {"content": {}}}], "content": [{"type": "text", "text": {}}]}',
    b'{"choices": [{"message": {"content": 5}}], "content": [{}], "stop_reason": []}',
    b"[" * 100_000,
)

FAILURES = {
    "302": (FailureKind.CONFIGURATION, "status-302"),
    "400": (FailureKind.CONFIGURATION, "status-400"),
    "401": (FailureKind.CONFIGURATION, "status-401"),
    "403": (FailureKind.CONFIGURATION, "status-403"),
    "404": (FailureKind.CONFIGURATION, "status-404"),
    "408": (FailureKind.TRANSPORT, "status-408"),
    "413": (FailureKind.CONFIGURATION, "status-413"),
    "422": (FailureKind.CONFIGURATION, "status-422"),
    "429": (FailureKind.TRANSPORT, "status-429"),
    "500": (FailureKind.TRANSPORT, "status-500"),
    "503": (FailureKind.TRANSPORT, "status-503"),
    "dropped": (FailureKind.TRANSPORT, "connection"),
    "slow": (FailureKind.TRANSPORT, "timeout"),
    "truncated": (FailureKind.TRANSPORT, "truncated"),
}


@dataclass(frozen=True, slots=True)
class Arranged:
    """A provider that says one thing, and the profile to ask it with."""

    provider: Provider
    profile: Profile


Arrange = Callable[[str], Arranged]


def request_to(profile: Profile, *messages: Message) -> Request:
    """A request as a gateway would make it."""
    asked = messages or (Message(Role.SYSTEM, "Answer."), Message(Role.USER, "Why?"))
    return Request("why", "test.ask", asked, SCHEMA, digest_of(b"prompt"), profile)


def no_image(digest: Digest) -> bytes:
    """For requests without an image."""
    raise AssertionError(f"{digest} is not in the request")


def sent(provider: Provider, request: Request) -> Raw | Failure:
    """Send it, in a loop of its own."""
    return asyncio.run(provider.send(request, no_image))


def ready(provider: Provider, request: Request) -> Failure | None:
    """Get it ready, in a loop of its own."""
    return asyncio.run(provider.ready(request))


class ProviderContract:
    """Shared by embedded, scripted and remote providers.

    ``arrange`` makes a provider that says the given text.
    """

    def test_getting_ready_says_that_nothing_is_missing(self, arrange: Arrange) -> None:
        """As often as it is asked."""
        made = arrange("good")
        request = request_to(made.profile)
        assert ready(made.provider, request) is None
        assert ready(made.provider, request) is None

    @pytest.mark.parametrize("text", TEXTS)
    def test_the_words_come_whole(self, arrange: Arrange, text: str) -> None:
        """Nothing is trimmed, taken apart or unescaped twice."""
        made = arrange(text)
        request = request_to(made.profile)
        raw = sent(made.provider, request)
        assert isinstance(raw, Raw)
        reply = made.provider.read(raw, request)
        assert isinstance(reply, Reply)
        assert (reply.text, reply.finish) == (text, Finish.STOP)

    def test_the_same_bytes_give_the_same_reply(self, arrange: Arrange) -> None:
        """By another instance, after a restart, inside a loop: what was kept decides."""
        made, other = arrange("good"), arrange("something else")
        request = request_to(made.profile)
        raw = sent(made.provider, request)
        assert isinstance(raw, Raw)

        async def inside() -> Reply | Unreadable:
            return other.provider.read(raw, request)

        first = made.provider.read(raw, request)
        assert isinstance(first, Reply)
        assert first == made.provider.read(raw, request) == asyncio.run(inside())

    @pytest.mark.parametrize("body", GARBAGE)
    def test_what_has_not_its_form_is_unreadable(self, arrange: Arrange, body: bytes) -> None:
        """It is a value; nothing is raised, whatever came."""
        made = arrange("good")
        found = made.provider.read(Raw(body), request_to(made.profile))
        assert isinstance(found, Unreadable)
        assert len(found.because) < 200

    def test_every_prefix_of_an_answer_is_unreadable(self, arrange: Arrange) -> None:
        """A cut answer never passes for a shorter one."""
        made = arrange("good")
        request = request_to(made.profile)
        raw = sent(made.provider, request)
        assert isinstance(raw, Raw)
        for length in range(0, len(raw.body), 17):
            cut = replace(raw, body=raw.body[:length])
            assert isinstance(made.provider.read(cut, request), Unreadable)

    def test_every_image_is_fetched_by_its_digest(self, arrange: Arrange) -> None:
        """And what the store raises goes through: a changed image ends the run."""
        made = arrange("good")
        profile = replace(made.profile, takes_images=True)
        images = tuple(ImageRef(digest_of(raw), "image/png") for raw in (IMAGE, b"other"))
        request = request_to(profile, Message(Role.USER, "See.", images))
        asked: list[Digest] = []

        def load(digest: Digest) -> bytes:
            asked.append(digest)
            return IMAGE

        assert isinstance(asyncio.run(made.provider.send(request, load)), Raw)
        assert asked == [image.digest for image in images]

        def gone(digest: Digest) -> bytes:
            raise FileNotFoundError(digest)

        with pytest.raises(FileNotFoundError):
            asyncio.run(made.provider.send(request, gone))


class RemoteProviderContract(ProviderContract):
    """For a provider over HTTP: ``provider`` makes one, ``dialect`` says whose it speaks."""

    @pytest.fixture
    def server(self) -> Iterator[ModelServer]:
        """A model server on loopback."""
        with ModelServer() as server:
            yield server

    @pytest.fixture
    def profile(
        self, server: ModelServer, dialect: str, monkeypatch: pytest.MonkeyPatch
    ) -> Profile:
        """How to reach it, with a key that may be seen by nobody else."""
        monkeypatch.setenv(KEY_ENV, CANARY)
        return Profile(
            "p",
            dialect,
            "m-1",
            base_url=server.url_of(dialect),
            key_env=KEY_ENV,
            timeout_s=10.0,
            seed=7,
        )

    @pytest.fixture
    def arrange(
        self, server: ModelServer, provider: Callable[[], Provider], profile: Profile
    ) -> Arrange:
        """Let the server say something."""

        def said(text: str) -> Arranged:
            server.answer = Answer(text=text)
            return Arranged(provider(), profile)

        return said

    @pytest.mark.parametrize("mode", MODES)
    def test_whatever_happens_one_request_is_made(
        self,
        server: ModelServer,
        provider: Callable[[], Provider],
        profile: Profile,
        mode: str,
    ) -> None:
        """No second try, no redirect, and every failure is named with who has to act."""
        server.answer = Answer(mode, headers=(("retry-after", "3600"),))
        timeout_s = 0.3 if mode == "slow" else 10.0
        came = sent(provider(), request_to(replace(profile, timeout_s=timeout_s)))
        assert len(server.received) == 1
        if mode in FAILURES:
            assert isinstance(came, Failure)
            assert (came.kind, came.code) == FAILURES[mode]
            asks = came.kind is FailureKind.TRANSPORT and came.code.startswith("status")
            assert came.retry_after_s == (3600.0 if asks else None)
        else:
            assert isinstance(came, Raw)
            assert came.status == 200

    def test_the_answer_is_kept_as_it_came(
        self, server: ModelServer, provider: Callable[[], Provider], profile: Profile
    ) -> None:
        """Byte for byte, readable or not; what it is, is judged later."""
        body = b'\xef\xbb\xbf {"choices" : [ \xff ]} \r\n'
        server.answer = Answer(body=body, content_type="application/json; charset=latin-1")
        came = sent(provider(), request_to(profile))
        assert came == Raw(body, 200, "application/json; charset=latin-1")

    def test_the_key_is_in_its_header_and_nowhere_else(
        self, server: ModelServer, provider: Callable[[], Provider], profile: Profile
    ) -> None:
        """And no header leaves that nobody here has named."""
        server.answer = Answer()
        sent(provider(), request_to(profile))
        [received] = server.received
        carries = [name for name, value in received.headers.items() if CANARY in value]
        assert len(carries) == 1
        assert carries[0] in {"authorization", "x-api-key"}
        assert CANARY not in received.path
        assert CANARY.encode() not in received.body
        assert set(received.headers) <= {
            "accept", "accept-encoding", "anthropic-beta", "anthropic-version", "connection",
            "content-length", "content-type", "host", "idempotency-key", "user-agent",
            carries[0],
        }  # fmt: skip

    def test_a_profile_without_a_key_sends_none(
        self, server: ModelServer, provider: Callable[[], Provider], profile: Profile
    ) -> None:
        """Not even one that is made up, in whatever header."""
        server.answer = Answer()
        assert isinstance(sent(provider(), request_to(replace(profile, key_env=""))), Raw)
        [received] = server.received
        assert set(received.headers) <= {
            "accept", "accept-encoding", "anthropic-version", "connection", "content-length",
            "content-type", "host", "idempotency-key", "user-agent",
        }  # fmt: skip
        assert "no-key" not in repr(received)

    def test_what_is_missing_is_said_before_anything_is_sent(
        self,
        server: ModelServer,
        provider: Callable[[], Provider],
        profile: Profile,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """And once it is there, the same provider is ready."""
        one, request = provider(), request_to(profile)
        monkeypatch.delenv(KEY_ENV)
        missing = ready(one, request)
        assert missing is not None
        assert (missing.kind, missing.code) == (FailureKind.CONFIGURATION, "no-key")
        monkeypatch.setenv(KEY_ENV, CANARY)
        assert ready(one, request) is None
        address = ready(one, request_to(replace(profile, base_url="ftp://127.0.0.1/")))
        assert address is not None
        assert address.code == "bad-address"
        assert server.received == []

    @pytest.mark.parametrize("mode", MODES)
    def test_a_key_that_the_provider_repeats_is_not_told(
        self,
        server: ModelServer,
        provider: Callable[[], Provider],
        profile: Profile,
        mode: str,
    ) -> None:
        """Neither in a failure nor in an answer that would be kept."""
        server.answer = Answer(mode, text=f"the key {CANARY} is wrong")
        timeout_s = 0.3 if mode == "slow" else 10.0
        came = sent(provider(), request_to(replace(profile, timeout_s=timeout_s)))
        assert CANARY not in repr(came)
        if mode == "200":
            assert isinstance(came, Failure)
            assert came.code == "key-repeated"

    def test_without_its_key_nothing_is_sent(
        self,
        server: ModelServer,
        provider: Callable[[], Provider],
        profile: Profile,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The settings are to be mended; a profile that names no key needs none."""
        monkeypatch.delenv(KEY_ENV)
        came = sent(provider(), request_to(profile))
        assert isinstance(came, Failure)
        assert (came.kind, came.code) == (FailureKind.CONFIGURATION, "no-key")
        assert KEY_ENV in came.detail
        assert server.received == []
        assert isinstance(sent(provider(), request_to(replace(profile, key_env=""))), Raw)

    def test_nobody_there_is_a_failed_transport(
        self, provider: Callable[[], Provider], profile: Profile, dialect: str
    ) -> None:
        """As is a name that cannot be found."""
        with ModelServer() as gone:
            url = gone.url_of(dialect)
        came = sent(provider(), request_to(replace(profile, base_url=url)))
        assert isinstance(came, Failure)
        assert (came.kind, came.code) == (FailureKind.TRANSPORT, "connection")

    @pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "127.0.0.1:80", "http://me:x@a.b/"])
    def test_only_http_addresses_are_asked(
        self, provider: Callable[[], Provider], profile: Profile, url: str
    ) -> None:
        """Without a user: that would be a key in the settings."""
        came = sent(provider(), request_to(replace(profile, base_url=url)))
        assert isinstance(came, Failure)
        assert (came.kind, came.code) == (FailureKind.CONFIGURATION, "bad-address")

    def test_an_answer_without_end_is_given_up(
        self, server: ModelServer, provider: Callable[[], Provider], profile: Profile
    ) -> None:
        """Eight mebibytes are more than any reply."""
        server.answer = Answer(body=b" " * (8 * 1024 * 1024 + 1))
        came = sent(provider(), request_to(profile))
        assert isinstance(came, Failure)
        assert (came.kind, came.code) == (FailureKind.CONFIGURATION, "oversized")

    def test_the_request_says_what_the_profile_says(
        self, server: ModelServer, provider: Callable[[], Provider], profile: Profile
    ) -> None:
        """Model, limit, temperature and messages; the request's digest names the attempt."""
        request = request_to(replace(profile, max_output_tokens=64_000, temperature=0.5))
        sent(provider(), request)
        [received] = server.received
        assert received.headers["idempotency-key"] == request.digest
        body = received.json
        assert (body["model"], body["max_tokens"]) == ("m-1", 64_000)
        assert (body["temperature"], body["stream"]) == (0.5, False)
        assert b'"Why?"' in received.body
        assert b'"Answer."' in received.body

    def test_the_schema_is_sent_where_the_profile_says_so(
        self, server: ModelServer, provider: Callable[[], Provider], profile: Profile
    ) -> None:
        """With every field that it requires; without, not a word of it leaves."""
        sent(provider(), request_to(profile))
        sent(provider(), request_to(replace(profile, sends_schema=False)))
        told, untold = (one.body for one in server.received)
        assert b'"required":["a"]' in told
        assert b"json_schema" in told
        assert b"schema" not in untold

    def test_images_go_inline(
        self, server: ModelServer, provider: Callable[[], Provider], profile: Profile
    ) -> None:
        """Never as an address that somebody would fetch."""
        image = ImageRef(digest_of(IMAGE), "image/png")
        request = request_to(profile, Message(Role.USER, "See.", (image,)))
        asyncio.run(provider().send(request, lambda _digest: IMAGE))
        [received] = server.received
        assert base64.b64encode(IMAGE) in received.body
        assert b'"http' not in received.body
