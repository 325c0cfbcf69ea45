"""Exactly one request per dispatch, whatever the provider does; and nobody sleeps.

A counting server on loopback answers the OpenAI-compatible and the Anthropic adapter in every
way it can; scripts and embedded analysts are asked where a way to fail means something to them.
Every case goes through the real gateway on a real disk, three dispatches long:

1. one request;
2. at once again: none, but for an invalid answer, which is asked again;
3. an hour and more later: one where the transport had failed, else none (one after an invalid
   answer, which is the last of three).

A dispatch may take half a second of own CPU time; one whose provider asks us to wait for an
hour may take that of wall time. ``--full`` does everything five times.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.common import Stopwatch, finish, options
from bench.model_calls import GOOD, REMOTE, Counting, Desk, provider_of, scratch
from witmark.kernel.model.request import Profile
from witmark.testing.model_server import MODES, Answer, ModelServer
from witmark.testing.models import SteadyClock
from witmark.testing.provider_contract import FAILURES

LIMITS = {"wrong_counts": 0, "slowest_cpu_s": 0.5, "slowest_429_wall_s": 0.5}
TIMEOUT_S = 0.3
PATIENT_S = 10.0  # the machine may be busy; only ``slow`` is meant to run into a time-out


@dataclass(frozen=True, slots=True)
class Case:
    """One adapter, one way to answer, and how many requests each dispatch has to make."""

    adapter: str
    mode: str

    @property
    def expected(self) -> tuple[int, int, int]:
        """Requests of the three dispatches."""
        if self.mode == "200":
            return (1, 0, 0)
        if self.mode == "non-json":
            return (1, 1, 1)
        return (1, 0, 1) if FAILURES[self.mode][0] == "transport" else (1, 0, 0)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a case came to; the times are of its slowest dispatch."""

    case: Case
    counts: tuple[int, ...]
    cpu_s: float
    wall_s: float


def main(argv: Sequence[str] | None = None) -> int:
    given = options(argv, __doc__)
    watch = Stopwatch()
    with ModelServer() as server:
        for adapter in REMOTE:
            measure(Case(adapter, "200"), server)  # loading the clients is no call
        measured = [
            measure(case, server) for _ in range(5 if given.full else 1) for case in cases()
        ]
    wrong = [one for one in measured if one.counts != one.case.expected]
    for one in wrong:
        print(f"WRONG {one.case}: {one.counts} requests, not {one.case.expected}")
    slow = max(measured, key=lambda one: one.cpu_s)
    asked_to_wait = [one for one in measured if one.case.mode == "429"]
    longest = max(asked_to_wait, key=lambda one: one.wall_s)
    figures = {
        "wrong_counts": len(wrong),
        "slowest_cpu_s": round(slow.cpu_s, 4),
        "slowest_429_wall_s": round(longest.wall_s, 4),
        "slowest_cpu": f"{slow.case.adapter} {slow.case.mode}",
        "requests": sum(sum(one.counts) for one in measured),
        "dispatches": 3 * len(measured),
    }
    ok = all(figures[name] <= most for name, most in LIMITS.items())
    return finish("calls", watch, figures=figures, limits=LIMITS, n=len(measured), ok=ok)


def cases() -> Iterator[Case]:
    for adapter in REMOTE:
        yield from (Case(adapter, mode) for mode in MODES)
    yield Case("embedded", "200")
    yield from (Case("scripted", mode) for mode in MODES)


def measure(case: Case, server: ModelServer) -> Measured:
    with scratch() as folder:
        provider = provider_of(case.adapter, folder)
        clock = SteadyClock()
        desk = Desk(provider, arranged(case, server, folder), folder / "disk", clock)
        counts = []
        for pause_s in (0.0, 4_000.0, 0.0):
            before = asked(case, provider, server)
            desk.dispatch("run", "why", foreign_cpu_s=lambda: server.cpu_s)
            counts.append(asked(case, provider, server) - before)
            clock.pass_s(pause_s)
    cpu_s = max(one.cpu_s for one in desk.spent)
    return Measured(case, tuple(counts), cpu_s, max(one.wall_s for one in desk.spent))


def asked(case: Case, provider: Counting, server: ModelServer) -> int:
    """How many requests there were: as the server counts them, if there is one."""
    return len(server.received) if case.adapter in REMOTE else provider.sends


def arranged(case: Case, server: ModelServer, folder: Path) -> Profile:
    """Have the other side answer in this way."""
    wait = (("retry-after", "3600"),) if case.mode == "429" else ()
    server.answer = Answer(case.mode, GOOD, headers=wait, sleep_s=2.0)
    if case.adapter in REMOTE:
        url = server.url_of(case.adapter)
        timeout_s = TIMEOUT_S if case.mode == "slow" else PATIENT_S
        return Profile("p", case.adapter, "m-1", base_url=url, timeout_s=timeout_s)
    row = {"purpose": "*", "say": [scripted(case.mode)]}
    (folder / "script.json").write_text(json.dumps(row))
    return Profile("p", case.adapter, "m-1", base_url="script.json")


def scripted(mode: str) -> object:
    if mode in FAILURES:
        kind, code = FAILURES[mode]
        wait_s = 3600 if mode == "429" else None
        return {"fail": code, "kind": kind.value, "retry_after_s": wait_s}
    return GOOD if mode == "200" else "<html>busy</html>"


if __name__ == "__main__":
    sys.exit(main())
