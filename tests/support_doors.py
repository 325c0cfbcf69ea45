"""The server as a client meets it: a process of its own, asked over loopback."""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager

from support_cli import LONGEST_S, environment


@contextmanager
def serving(workspace, home, *options):
    command = [sys.executable, "-m", "witmark", "serve", "--port", "0", "--json", *options]
    server = subprocess.Popen(
        [*command, "--workspace", str(workspace)],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield server, json.loads(server.stdout.readline())
    finally:
        server.terminate()
        server.wait(timeout=LONGEST_S)


def call(said, path, body=None, headers=None):
    """The status, the bytes and the headers of one request."""
    plain = {"authorization": f"Bearer {said['token']}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(  # noqa: S310 - our own loopback address
        said["url"] + path, data, {**plain, **(headers or {})}
    )
    try:
        with urllib.request.urlopen(request, timeout=LONGEST_S) as answered:  # noqa: S310
            return answered.status, answered.read(), answered.headers
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read(), refused.headers
