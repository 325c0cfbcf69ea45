"""A model server on loopback that counts what it is asked and answers as it is told.

It speaks both dialects, by the path it is asked at, and knows every way to fail::

    with ModelServer() as server:
        server.answer = answer("429", retry_after="3600")
        ...  # a provider with base_url = server.url_of("openai")
        assert len(server.received) == 1
"""

import json
import socket
import threading
import time
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

FAILING_STATUSES = ("302", "400", "401", "403", "404", "408", "413", "422", "429", "500", "503")
BROKEN = ("dropped", "slow", "truncated")
MODES = ("200", "non-json", *FAILING_STATUSES, *BROKEN)
_LONGEST_SLEEP_S = 5.0


@dataclass(frozen=True, slots=True)
class Answer:
    """How the server answers.

    Attributes:
        mode: One of ``MODES``.
        text: What the model says, where it says something.
        finish: Why it stopped, in the dialect's own word; empty for its word for "said all".
        body: The very body, in place of one made of ``text``.
        headers: More headers.
        sleep_s: How long ``slow`` waits before it answers.
    """

    mode: str = "200"
    text: str = "good"
    finish: str = ""
    body: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    sleep_s: float = 1.0
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Received:
    """One request that came in."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, object]:
        """The body, read."""
        found = json.loads(self.body)
        assert isinstance(found, dict)
        return found


@dataclass
class ModelServer:
    """Serves on a free port of loopback while the ``with`` block lasts."""

    answer: Answer = field(default_factory=Answer)
    received: list[Received] = field(default_factory=list)
    cpu_s: float = 0.0
    """CPU seconds spent on answering; they are not the client's."""

    def __enter__(self) -> Self:
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        self._http.daemon_threads = True
        self._ended = threading.Event()
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._http.server_address[1])

    def url_of(self, dialect: str) -> str:
        """The ``base_url`` for ``openai`` or ``anthropic``."""
        return f"http://127.0.0.1:{self.port}" + ("/v1" if dialect == "openai" else "")

    def wait(self, seconds: float) -> None:
        """Let time pass, but not beyond the end of the server."""
        self._ended.wait(min(seconds, _LONGEST_SLEEP_S))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, server: ModelServer, *connection: Any) -> None:  # noqa: ANN401 - http.server's
        self.server_of_models = server
        super().__init__(*connection)

    def do_GET(self) -> None:
        """A redirect that was followed would come here."""
        self._handle(b"")

    def do_POST(self) -> None:
        """A question to the model."""
        self._handle(self.rfile.read(int(self.headers.get("content-length", "0"))))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's
        """Say nothing."""

    def _handle(self, asked: bytes) -> None:
        begun_s = time.thread_time()
        server = self.server_of_models
        headers = {name.lower(): value for name, value in self.headers.items()}
        server.received.append(Received(self.path, headers, asked))
        self.close_connection = True
        self._give(server.answer)
        server.cpu_s += time.thread_time() - begun_s

    def _give(self, answer: Answer) -> None:
        match answer.mode:
            case "dropped":
                self._reset()
                return
            case "slow":
                self.server_of_models.wait(answer.sleep_s)
                status, body = 200, self._said(answer)
            case "non-json":
                status, body = 200, b"<html>busy</html>"
            case "200" | "truncated":
                status, body = 200, self._said(answer)
            case code:
                status, body = int(code), _refusal(answer, int(code))
        if answer.body is not None:
            body = answer.body
        try:
            self._write(status, body, answer)
        except OSError:  # the client has gone, as one does that has waited long enough
            return

    def _write(self, status: int, body: bytes, answer: Answer) -> None:
        is_cut = answer.mode == "truncated"
        self.send_response(status)
        kind = "text/html" if answer.mode == "non-json" else answer.content_type
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        if status == 302:
            self.send_header("location", f"http://127.0.0.1:{self.server_of_models.port}/moved")
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if is_cut else body)
        self.wfile.flush()

    def _reset(self) -> None:
        """Close so that the client sees a reset, not an end."""
        linger = b"\1\0\0\0\0\0\0\0"
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()

    def _said(self, answer: Answer) -> bytes:
        if self.path.endswith("/messages"):
            return said_by_anthropic(answer.text, answer.finish or "end_turn")
        return said_by_openai(answer.text, answer.finish or "stop")


def said_by_openai(text: str | None, finish: str | None = "stop", **message: object) -> bytes:
    """An answer in the form of chat completions."""
    body = {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": "m-1-served",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }
    return json.dumps(body).encode()


def said_by_anthropic(text: str, finish: str = "end_turn") -> bytes:
    """An answer in the form of Anthropic's messages."""
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m-1-served",
        "content": [{"type": "text", "text": text}],
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "output_tokens": 3},
    }
    return json.dumps(body).encode()


def _refusal(answer: Answer, status: int) -> bytes:
    said = answer.text or f"no, {status}"
    return json.dumps({"type": "error", "error": {"type": "refused", "message": said}}).encode()
