"""The providers over the network: what a dialect says, and what may never be told."""

import asyncio
import contextlib
import io
import json
import logging
import socket
import ssl
import sys
import threading
from dataclasses import replace

import anthropic
import httpx2
import openai
import pytest
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelHTTPError,
    UnexpectedModelBehavior,
    UserError,
)

from witmark.adapters.disk import PosixDisk
from witmark.adapters.providers import asking, door
from witmark.adapters.providers.anthropic import AnthropicProvider
from witmark.adapters.providers.door import KeptError
from witmark.adapters.providers.failing import retry_after_s, status_failure, words_of
from witmark.adapters.providers.openai import OpenAIProvider
from witmark.kernel.canon import digest_of
from witmark.kernel.journal import Journal, read_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.outcome import Accepted, Admitted, Blocked, Refused, Waiting
from witmark.kernel.model.record import events_of
from witmark.kernel.model.replaying import ReplayGateway
from witmark.kernel.model.reply import (
    Failure,
    FailureKind,
    Finish,
    Raw,
    Reply,
    Unreadable,
    Usage,
)
from witmark.kernel.model.request import Ask, ImageRef, Message, Profile, Role
from witmark.testing.model_server import (
    MODES,
    Answer,
    ModelServer,
    said_by_anthropic,
    said_by_openai,
)
from witmark.testing.models import SteadyClock
from witmark.testing.provider_contract import CANARY, KEY_ENV, SCHEMA, no_image, request_to

PROVIDERS = {"openai": OpenAIProvider, "anthropic": AnthropicProvider}


@pytest.fixture
def server():
    with ModelServer() as server:
        yield server


def profile_of(server, dialect, **fields):
    return Profile("p", dialect, "m-1", base_url=server.url_of(dialect), **fields)


def heard(dialect, body):
    request = request_to(Profile("p", dialect, "m-1"))
    return PROVIDERS[dialect]().read(Raw(body), request)


# what a dialect says -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("finish", "means"),
    [
        ("stop", Finish.STOP),
        ("length", Finish.LENGTH),
        ("content_filter", Finish.REFUSAL),
        ("tool_calls", Finish.OTHER),
        (None, Finish.STOP),  # local servers leave it out
        ("something new", Finish.OTHER),
    ],
)
def test_openai_says_why_it_stopped(finish, means):
    assert heard("openai", said_by_openai("x", finish)).finish is means


@pytest.mark.parametrize(
    ("finish", "means"),
    [
        ("end_turn", Finish.STOP),
        ("stop_sequence", Finish.STOP),
        ("max_tokens", Finish.LENGTH),
        ("model_context_window_exceeded", Finish.LENGTH),
        ("refusal", Finish.REFUSAL),
        ("tool_use", Finish.OTHER),
        ("something new", Finish.OTHER),
    ],
)
def test_anthropic_says_why_it_stopped(finish, means):
    assert heard("anthropic", said_by_anthropic("x", finish)).finish is means


def test_a_refusal_field_is_a_refusal_with_its_words():
    reply = heard("openai", said_by_openai(None, "stop", refusal="I will not."))
    assert (reply.finish, reply.text) == (Finish.REFUSAL, "I will not.")


def test_a_call_of_a_tool_is_no_final_answer():
    calls = [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    assert heard("openai", said_by_openai("", "stop", tool_calls=calls)).finish is Finish.OTHER
    body = json.loads(said_by_anthropic("x"))
    body["content"].append({"type": "tool_use", "id": "1", "name": "f", "input": {}})
    assert heard("anthropic", json.dumps(body).encode()).finish is Finish.OTHER


def test_thoughts_that_come_apart_are_not_the_answer():
    body = said_by_openai("answer", reasoning_content="thoughts")
    assert heard("openai", body).text == "answer"
    plain = json.loads(said_by_anthropic("answer"))
    plain["content"].insert(0, {"type": "thinking", "thinking": "so", "signature": "s"})
    assert heard("anthropic", json.dumps(plain).encode()).text == "answer"


def test_several_blocks_of_text_are_one_answer():
    plain = json.loads(said_by_anthropic("one "))
    plain["content"].append({"type": "text", "text": "two"})
    assert heard("anthropic", json.dumps(plain).encode()).text == "one two"


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_the_model_and_the_tokens_are_those_that_the_provider_names(dialect):
    said = said_by_openai("x") if dialect == "openai" else said_by_anthropic("x")
    assert heard(dialect, said) == Reply("x", Finish.STOP, "m-1-served", Usage(7, 3))


def test_tokens_that_nobody_counts_are_unknown_and_not_none():
    body = json.loads(said_by_openai("x"))
    del body["usage"]
    assert heard("openai", json.dumps(body).encode()).usage == Usage()


@pytest.mark.parametrize("counted", [-1, 1.5, "7", [], True])
def test_what_a_server_counts_in_another_way_is_not_counted(counted):
    plain = json.loads(said_by_anthropic("x"))
    plain |= {"model": 5, "usage": {"input_tokens": counted, "output_tokens": 3}}
    reply = heard("anthropic", json.dumps(plain).encode())
    if isinstance(reply, Reply):
        assert (reply.text, reply.model) == ("x", "")
        assert isinstance(reply.usage.input_tokens, int | None)
        assert (reply.usage.input_tokens or 0) >= 0
    else:
        assert isinstance(reply, Unreadable)


@pytest.mark.parametrize(
    "media_type", ["", "text/plain; charset=utf-8", "application/x-y+json"]
)
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_json_is_read_whatever_its_server_calls_it(dialect, media_type):
    said = said_by_openai("x") if dialect == "openai" else said_by_anthropic("x")
    raw = Raw(said, 200, media_type)
    assert PROVIDERS[dialect]().read(raw, request_to(Profile("p", dialect, "m"))).text == "x"


@pytest.mark.parametrize(
    ("url", "field"),
    [
        ("", "max_completion_tokens"),
        ("https://eu.api.openai.com/v1", "max_completion_tokens"),
        ("https://me.openai.azure.com/openai/v1", "max_completion_tokens"),
        ("https://notopenai.com/v1", "max_tokens"),
        ("http://127.0.0.1:8080/v1", "max_tokens"),
    ],
)
def test_the_limit_of_a_reply_is_called_what_the_server_calls_it(monkeypatch, url, field):
    asked = []

    async def keep(_door, request):
        asked.append(request)
        return Raw(b"{}")

    monkeypatch.setattr(door.Door, "_exchange", keep)
    request = request_to(Profile("p", "openai", "m-1", base_url=url))
    asyncio.run(OpenAIProvider().send(request, no_image))
    [sent] = asked
    body = json.loads(sent.content)
    assert body[field] == 2048
    assert {"max_tokens", "max_completion_tokens"} & set(body) == {field}
    assert str(sent.url).startswith(url or "https://api.openai.com/v1/")


# what may never happen ---------------------------------------------------------------


@pytest.mark.clause("KER-MOD-17")
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_the_environment_of_a_client_library_decides_nothing(server, monkeypatch, dialect):
    """No key, no header, no proxy and no address of its own."""
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_API_KEY", CANARY)
        monkeypatch.setenv(f"{name}_AUTH_TOKEN", CANARY)
        monkeypatch.setenv(f"{name}_BASE_URL", "http://127.0.0.1:9/elsewhere")
        monkeypatch.setenv(f"{name}_CUSTOM_HEADERS", f"x-more: {CANARY}")
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, CANARY)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    came = asyncio.run(
        PROVIDERS[dialect]().send(request_to(profile_of(server, dialect)), no_image)
    )
    assert isinstance(came, Raw)
    [received] = server.received
    assert CANARY not in repr(received)


@pytest.mark.clause("KER-MOD-17")
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_nobody_else_is_called(server, monkeypatch, dialect):
    """Neither for a version nor for prices nor for telemetry: one connection, to the server."""
    called = []
    connect = socket.socket.connect

    def watched(own, address):
        called.append(address)
        return connect(own, address)

    monkeypatch.setattr(socket.socket, "connect", watched)
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *asked, **_: pytest.fail(f"asked for {asked[0]}")
    )
    provider = PROVIDERS[dialect]()
    request = request_to(profile_of(server, dialect))
    came = asyncio.run(provider.send(request, no_image))
    assert isinstance(provider.read(came, request), Reply)
    assert [address for address in called if address[1] != server.port] == []
    assert len(server.received) == 1


@pytest.mark.clause("KER-MOD-17")
def test_a_door_lets_out_one_request_and_no_more(server):
    way = door.Door(("x-key", "k"), "", 5.0)
    request = httpx2.Request(
        "POST", server.url_of("openai") + "/chat/completions", content=b"{}"
    )
    for _ in range(3):
        with pytest.raises(door.KeptError):
            asyncio.run(way.handle_async_request(request))
    assert len(server.received) == 1


@pytest.mark.clause("KER-MOD-17")
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_calls_at_the_same_time_do_not_meet(dialect):
    """One client serves many calls, and each call gets its own answer."""
    provider = PROVIDERS[dialect]()
    made = said_by_openai if dialect == "openai" else said_by_anthropic

    async def all_at_once(servers):
        requests = [request_to(profile_of(one, dialect)) for one in servers]
        return await asyncio.gather(*(provider.send(one, no_image) for one in requests))

    with ModelServer() as one, ModelServer() as two:
        one.answer, two.answer = Answer("slow", "one", sleep_s=0.2), Answer(text="two")
        came = asyncio.run(all_at_once([one, two]))
    assert [raw.body for raw in came] == [made("one"), made("two")]


@pytest.mark.clause("KER-MOD-17")
def test_what_cannot_be_said_is_misconfigured_and_not_sent(server):
    """An image in a system message, and one of a kind that no model takes."""
    provider, profile = OpenAIProvider(), profile_of(server, "openai", takes_images=True)
    image = ImageRef(digest_of(b"i"), "image/png")
    wrong = [
        Message(Role.SYSTEM, "See.", (image,)),
        Message(Role.USER, "See.", (replace(image, media_type="application/x-nothing"),)),
    ]
    for message in wrong:
        came = asyncio.run(provider.send(request_to(profile, message), lambda _digest: b"i"))
        assert (came.kind, came.code) == (FailureKind.CONFIGURATION, "unsendable")
    assert server.received == []


def errors_of(library):
    """Every error of an SDK that can be made without it, and those that pydantic-ai makes."""
    request = httpx2.Request("POST", "http://127.0.0.1:9/")
    yield library.APIConnectionError(request=request)
    yield library.APITimeoutError(request)
    for status, kind in [
        (400, library.BadRequestError),
        (401, library.AuthenticationError),
        (403, library.PermissionDeniedError),
        (404, library.NotFoundError),
        (409, library.ConflictError),
        (422, library.UnprocessableEntityError),
        (429, library.RateLimitError),
        (500, library.InternalServerError),
    ]:
        response = httpx2.Response(status, request=request)
        yield kind("no", response=response, body=None)
    response = httpx2.Response(200, request=request)
    yield library.APIResponseValidationError(response, None)
    yield ModelHTTPError(429, "m-1", None)
    yield ModelAPIError("m-1", "no")
    yield UnexpectedModelBehavior("no")
    yield UserError("no")


@pytest.mark.clause("KER-MOD-17")
@pytest.mark.parametrize(
    ("dialect", "error"),
    [
        *(("openai", error) for error in errors_of(openai)),
        *(("anthropic", error) for error in errors_of(anthropic)),
    ],
    ids=lambda one: one if isinstance(one, str) else type(one).__name__,
)
@pytest.mark.parametrize("when", ["before it is sent", "after it was sent"])
def test_what_a_library_raises_changes_nothing(server, monkeypatch, dialect, error, when):
    """What came of a request is what was seen on the wire, whatever a library makes of it."""
    ask = asking.model_request

    async def raising(*asked, **more):
        if when == "after it was sent":
            with contextlib.suppress(KeptError, ModelAPIError):
                await ask(*asked, **more)
        raise error

    monkeypatch.setattr(asking, "model_request", raising)
    request = request_to(profile_of(server, dialect))
    came = asyncio.run(PROVIDERS[dialect]().send(request, no_image))
    if when == "after it was sent":
        assert isinstance(came, Raw)
        assert len(server.received) == 1
    else:
        assert (came.kind, came.code) == (FailureKind.CONFIGURATION, "unsendable")
        assert type(error).__name__ in came.detail
        assert server.received == []


def test_an_answer_that_drips_is_given_up_in_time(server):
    """Each step is quick enough, and the whole is not."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ended = threading.Event()

        def drip():
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n")
                while not ended.wait(0.05):
                    try:
                        connection.sendall(b" ")
                    except OSError:
                        return

        dripping = threading.Thread(target=drip)
        dripping.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        profile = Profile("p", "openai", "m-1", base_url=url, timeout_s=0.5)
        came = asyncio.run(OpenAIProvider().send(request_to(profile), no_image))
        ended.set()
        dripping.join()
    assert (came.kind, came.code) == (FailureKind.TRANSPORT, "timeout")


@pytest.mark.parametrize("key", ["two\nlines", "über-key", "\x7fkey"])
@pytest.mark.clause("KER-MOD-16")
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(server, monkeypatch, key):
    monkeypatch.setenv(KEY_ENV, key)
    profile = profile_of(server, "openai", key_env=KEY_ENV)
    came = asyncio.run(OpenAIProvider().send(request_to(profile), no_image))
    assert (came.kind, came.code) == (FailureKind.CONFIGURATION, "bad-key")
    assert key not in came.detail
    assert server.received == []


# what is got ready before a request is recorded -----------------------------------------


@pytest.mark.clause("KER-MOD-22")
@pytest.mark.parametrize("dialect", PROVIDERS)
@pytest.mark.parametrize("library", ["the dialect's", "pydantic_ai.direct"])
def test_a_library_that_cannot_be_loaded_is_said_and_nothing_is_recorded_as_sent(
    server, tmp_path, monkeypatch, dialect, library
):
    missing = dialect if library == "the dialect's" else library
    for name in (missing, "witmark.adapters.providers.asking"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.delattr("witmark.adapters.providers.asking", raising=False)
    with monkeypatch.context() as lacking:
        lacking.setitem(sys.modules, missing, None)
        run = Run(tmp_path, dialect, (profile_of(server, dialect),))
        blocked = run.dispatch()
    assert isinstance(blocked, Blocked)
    [failure] = blocked.failures
    assert (failure.kind, failure.code) == (FailureKind.CONFIGURATION, "not-installed")
    assert "install Witmark again" in failure.detail
    assert [entry.kind for entry in read_journal(run.disk, "run")] == ["model.unready"]
    assert server.received == []


@pytest.mark.clause("KER-MOD-22", "KER-MOD-15")
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_the_client_is_made_before_the_request_is_recorded_as_sent(server, tmp_path, dialect):
    run = Run(tmp_path, dialect, (profile_of(server, dialect),))
    provider, seen = PROVIDERS[dialect](), []
    add_line = run.disk.add_line

    def watched(name, line, *, at):
        seen.append((json.loads(line)["kind"], bool(provider._models)))
        add_line(name, line, at=at)

    run.disk.add_line = watched
    run.gateway._providers[dialect] = provider
    server.answer = Answer(text="good")
    assert isinstance(run.dispatch(), Accepted)
    assert seen[0] == ("model.sent", True)
    assert len(server.received) == 1


@pytest.mark.clause("KER-MOD-22", "KER-MOD-16")
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_a_key_that_is_set_later_needs_no_retry_id(server, tmp_path, monkeypatch, dialect):
    monkeypatch.delenv(KEY_ENV, raising=False)
    run = Run(tmp_path, dialect, (profile_of(server, dialect, key_env=KEY_ENV),))
    server.answer = Answer(text="good")
    assert run.dispatch().failures[0].code == "no-key"
    monkeypatch.setenv(KEY_ENV, CANARY)
    assert isinstance(run.dispatch(), Accepted)
    assert len(server.received) == 1


# the key, through everything that is written -----------------------------------------


class Run:
    """One ask through the real gateway on a real disk, with every log at its loudest."""

    def __init__(self, folder, dialect, profiles):
        self.disk = PosixDisk(folder)
        self.gateway = DurableGateway(
            ModelRoutes({"*": profiles}), {dialect: PROVIDERS[dialect]()}, SteadyClock()
        )
        said = (Message(Role.SYSTEM, "Answer."), Message(Role.USER, "Why?"))
        self.ask = Ask("run", "why", "test.ask", said, SCHEMA, digest_of(b"p"))

    def dispatch(self):
        return asyncio.run(self.gateway.dispatch(self.ask, judge, self.disk))


def judge(text):
    return Admitted() if text == "good" else Refused("not good")


@pytest.mark.clause("KER-MOD-16")
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_no_byte_that_is_written_holds_the_key(server, tmp_path, monkeypatch, capfd, dialect):
    """Every failure there is, with a provider that repeats the key, and all logs on."""
    monkeypatch.setenv(KEY_ENV, CANARY)
    heard_of = io.StringIO()
    handler = logging.StreamHandler(heard_of)
    loggers = [logging.getLogger(name) for name in ("", "openai", "anthropic", "httpx2")]
    before = [logger.level for logger in loggers]
    logging.getLogger().addHandler(handler)
    try:
        for logger in loggers:
            logger.setLevel(logging.DEBUG)
        outcomes = [
            outcome_of(server, tmp_path / mode, dialect, mode) for mode in (*MODES, "gone")
        ]
    finally:
        logging.getLogger().removeHandler(handler)
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
    said = capfd.readouterr()
    written = [path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert len(written) >= len(MODES)
    assert len(heard_of.getvalue()) > 1000
    everything = b"\0".join(
        [*written, heard_of.getvalue().encode(), said.out.encode(), said.err.encode()]
    )
    for part in (CANARY, CANARY[:16], CANARY[-16:]):
        assert part.encode() not in everything
        assert part not in repr(outcomes)


def outcome_of(server, folder, dialect, mode):
    server.answer = Answer(
        "200" if mode == "gone" else mode, f"the key {CANARY}", sleep_s=0.6,
        headers=(("x-key", CANARY),),
    )  # fmt: skip
    timeout_s = 0.2 if mode == "slow" else 10.0
    profile = profile_of(server, dialect, key_env=KEY_ENV, timeout_s=timeout_s)
    if mode == "gone":
        profile = replace(profile, base_url="http://127.0.0.1:9")
    return Run(folder, dialect, (profile,)).dispatch()


@pytest.mark.clause("KER-MOD-14", "KER-MOD-17")
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_a_run_with_a_real_dialect_replays_without_a_network(server, tmp_path, dialect):
    run = Run(tmp_path, dialect, (profile_of(server, dialect),))
    server.answer = Answer(text="bad")
    assert run.dispatch().feedback == "not good"
    server.answer = Answer(text="good")
    accepted = run.dispatch()
    assert isinstance(accepted, Accepted)
    kept = [
        e.raw.body
        for e in events_of(read_journal(run.disk, "run"), place="")
        if hasattr(e, "raw")
    ]
    assert [json.loads(body)["model"] for body in kept] == ["m-1-served", "m-1-served"]
    assert b"not good" in server.received[1].body
    replay = ReplayGateway({"run": Journal(run.disk, "run").head}, run.gateway.readers)
    assert asyncio.run(replay.dispatch(run.ask, judge, run.disk)) == accepted
    assert len(server.received) == 2


@pytest.mark.clause("KER-MOD-04", "KER-MOD-17")
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_what_a_provider_asks_us_to_wait_is_waited_by_nobody(server, tmp_path, dialect):
    server.answer = Answer("429", headers=(("retry-after", "3600"),))
    run = Run(tmp_path, dialect, (profile_of(server, dialect),))
    outcome, again = run.dispatch(), run.dispatch()
    assert isinstance(outcome, Waiting)
    assert outcome.eligible_at_ms == SteadyClock.EPOCH_MS + 3_600_000
    assert outcome == again
    assert len(server.received) == 1


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_a_wrong_configuration_blocks_at_once(server, tmp_path, dialect):
    server.answer = Answer("401", "who are you?")
    outcome = Run(tmp_path, dialect, (profile_of(server, dialect),)).dispatch()
    assert isinstance(outcome, Blocked)
    assert outcome.failures[0].detail == "status 401: who are you?"


# what a status means -----------------------------------------------------------------


@pytest.mark.parametrize("status", range(300, 600))
def test_every_status_that_is_no_success_has_somebody_who_acts(status):
    failure = status_failure(status, {"retry-after": "5"}, b"", "")
    transport = status in {408, 409, 425, 429} or status >= 500
    kind = FailureKind.TRANSPORT if transport else FailureKind.CONFIGURATION
    assert (failure.kind, failure.code) == (kind, f"status-{status}")
    assert failure.retry_after_s == (5.0 if transport else None)


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e300"}, 365 * 86_400.0),
        ({"retry-after": ""}, None),
        ({}, None),
        (
            {
                "retry-after": "Mon, 30 Nov 2026 12:00:30 GMT",
                "date": "Mon, 30 Nov 2026 12:00:00 GMT",
            },
            30.0,
        ),
        (
            {
                "retry-after": "Mon, 30 Nov 2026 11:00:00 GMT",
                "date": "Mon, 30 Nov 2026 12:00:00 GMT",
            },
            0.0,
        ),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 99 Nov 2026 99:00:00 GMT"}, None),
    ],
)
def test_how_long_to_wait_is_said_in_seconds_or_as_a_date(headers, wait_s):
    assert retry_after_s(headers) == wait_s


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"error": {"message": "no such model"}}', "no such model"),
        (b'{"error": "no\\nsuch\\tmodel\\u001b[31m"}', "no such model [31m"),
        (b'{"message": "busy"}', "busy"),
        (b'{"detail": "busy"}', "busy"),
        (b"<html>busy</html>", ""),
        (b'{"error": {"message": 5}}', ""),
        (b"[" * 100_000, ""),
        (b"\xff", ""),
        (b'{"error": "' + b"x" * 500 + b'"}', "x" * 300 + "…"),
    ],
)
def test_a_provider_is_quoted_on_one_line(body, said):
    assert words_of(body, "") == said


@pytest.mark.clause("KER-MOD-16")
def test_a_provider_is_not_quoted_with_the_key():
    said = json.dumps({"error": {"message": f"the key {CANARY} is wrong" + "x" * 400}}).encode()
    assert words_of(said, CANARY).startswith("the key [key] is wrong")
    assert words_of(json.dumps({"error": "x" * 290 + CANARY}).encode(), CANARY).endswith(
        "[key]"
    )
    assert words_of(b'{"error": "abc"}', "abc") == ""


def test_a_certificate_that_is_not_trusted_is_a_matter_of_the_settings():
    error = httpx2.ConnectError("failed")
    error.__cause__ = ssl.SSLCertVerificationError("self-signed")
    failure = door._broken(error, "example.org:443", has_begun=False)
    assert (failure.kind, failure.code) == (FailureKind.CONFIGURATION, "certificate")
    assert door._broken(httpx2.ConnectError("x"), "a:1", has_begun=False).code == "connection"


def test_a_failure_prints_no_more_than_it_says(server):
    server.answer = Answer("500", "x")
    came = asyncio.run(
        OpenAIProvider().send(request_to(profile_of(server, "openai")), no_image)
    )
    assert came == Failure(FailureKind.TRANSPORT, "status-500", "status 500: x", None)
