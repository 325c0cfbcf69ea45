"""The server's process: a loopback socket, the guard, the app, until it is told to stop."""

import json
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from witmark.bootstrap.answering import AnswersRoom
from witmark.kernel.errors import OutsideError
from witmark.server.app import create_app
from witmark.server.guard import Guard, Keys


class NoPortError(OutsideError):
    """No port of this machine's loopback can be listened on."""

    code = "outside.no-port"
    hint = "check that loopback networking is up, or name another --host"


def serve(
    room: AnswersRoom, host: str, port: int, *, say: Callable[[str], None], as_json: bool
) -> None:
    """Listen until interrupted.

    Args:
        room: The workspace, opened.
        host: A loopback address.
        port: The port wished for; when it is taken, any free one.
        say: Is told where and with which secrets, once we listen.
        as_json: Say it as one JSON object.

    Raises:
        NoPortError: nothing can be listened on.
    """
    listener = _listener(host, port)
    taken = listener.getsockname()[1]
    keys = Keys()
    names = {f"{_bracketed(host)}:{taken}", f"localhost:{taken}"}
    app = Guard(create_app(room), keys, names)
    url = f"http://{_bracketed(host)}:{taken}"
    said = {"url": url, "link": f"{url}/?token={keys.link}", "token": keys.token}
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
    server = uvicorn.Server(config)
    say(json.dumps(said) if as_json else _for_people(said))
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def _for_people(said: dict[str, str]) -> str:
    return (
        f"Witmark listens on {said['url']} (Ctrl-C ends it)\n"
        f"  browser, once:  {said['link']}\n"
        f"  programs:       Authorization: Bearer {said['token']}"
    )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _listener(host: str, port: int) -> socket.socket:
    for wish in dict.fromkeys((port, 0)):
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, wish))
        except OSError:
            listener.close()
            continue
        listener.listen(64)
        return listener
    raise NoPortError("no port can be listened on", place=host)
