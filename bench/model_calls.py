"""What the two benches of model calls share: adapters, a gateway on a real disk, one ask.

Not a bench: `calls` and `overhead` are.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.common import ROOT
from witmark.adapters.disk import PosixDisk
from witmark.adapters.providers.anthropic import AnthropicProvider
from witmark.adapters.providers.embedded import EmbeddedProvider
from witmark.adapters.providers.openai import OpenAIProvider
from witmark.adapters.providers.scripted import ScriptedProvider
from witmark.kernel.canon import digest_of
from witmark.kernel.model.gateway import Clock, DurableGateway, ModelRoutes
from witmark.kernel.model.outcome import Admitted, Judgement, Outcome, Refused
from witmark.kernel.model.reply import Failure, LoadImage, Provider, Raw, Reply, Unreadable
from witmark.kernel.model.request import Ask, Message, OutputSchema, Profile, Request, Role

REMOTE = ("openai", "anthropic")
SCHEMA = OutputSchema(
    "bench/1",
    {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["a", "b"],
        "additionalProperties": False,
    },
)
GOOD = '{"a": "good", "b": ["x", "y"]}'


@dataclass
class Counting:
    """A provider that counts what it is asked to send."""

    inner: Provider
    sends: int = 0

    async def ready(self, request: Request) -> Failure | None:
        """As the provider says."""
        return await self.inner.ready(request)

    async def send(self, request: Request, load: LoadImage) -> Raw | Failure:
        """Count, and send."""
        self.sends += 1
        return await self.inner.send(request, load)

    def read(self, raw: Raw, request: Request) -> Reply | Unreadable:
        """Read what was kept."""
        return self.inner.read(raw, request)


@dataclass
class Spent:
    """Own CPU seconds and wall seconds of one dispatch."""

    cpu_s: float
    wall_s: float


@dataclass
class Desk:
    """Dispatches through the real gateway, on a real disk."""

    provider: Counting
    profile: Profile
    folder: Path
    clock: Clock
    prompt: str = "Why?"
    spent: list[Spent] = field(default_factory=list)

    def dispatch(
        self, subject: str, question: str, *, foreign_cpu_s: Callable[[], float] = lambda: 0.0
    ) -> Outcome:
        """Once; what it took is noted, less what others did in this process meanwhile."""
        gateway = DurableGateway(
            ModelRoutes({"*": (self.profile,)}),
            {self.profile.provider: self.provider},
            self.clock,
        )
        messages = (Message(Role.SYSTEM, "Answer in JSON."), Message(Role.USER, self.prompt))
        ask = Ask(subject, question, "bench.ask", messages, SCHEMA, digest_of(b"prompt"))
        cpu_s, wall_s = time.process_time() - foreign_cpu_s(), time.monotonic()
        outcome = asyncio.run(gateway.dispatch(ask, judge, PosixDisk(self.folder)))
        spent = Spent(time.process_time() - foreign_cpu_s() - cpu_s, time.monotonic() - wall_s)
        self.spent.append(spent)
        return outcome


def judge(text: str) -> Judgement:
    return Admitted() if text == GOOD else Refused("not good")


def provider_of(adapter: str, script: Path | None = None) -> Counting:
    """An adapter by name; a script lies beside ``script.json``."""
    made: dict[str, Provider] = {
        "openai": OpenAIProvider(),
        "anthropic": AnthropicProvider(),
        "embedded": EmbeddedProvider({"*": lambda _request: GOOD}),
        "scripted": ScriptedProvider(folder=script or Path()),
    }
    return Counting(made[adapter])


@contextmanager
def served_apart(text: str) -> Iterator[str]:
    """A model server in a process of its own, whose time is not ours; its address."""
    code = (
        "import sys\n"
        "from witmark.testing.model_server import Answer, ModelServer\n"
        "with ModelServer(Answer(text=sys.argv[1])) as server:\n"
        "    print(server.port, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, text],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        if child.stdout is None:
            raise AssertionError("a pipe was asked for")
        try:
            yield f"http://127.0.0.1:{child.stdout.readline().strip()}"
        finally:
            child.communicate("")


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    with TemporaryDirectory(prefix="witmark-bench-") as folder:
        yield Path(folder)
