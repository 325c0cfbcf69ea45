"""What a model call costs us: own CPU time, and syncs to the disk.

A prompt of 6 kB through the real gateway on a real disk, each call a run of its own; the median
of the calls, after the clients are loaded, for every adapter. The server on loopback is another
process. Beside it, told and not held: embedded calls in one run, where each reads the record of
all calls before it.

Syncs are counted by ``strace -f -e trace=fsync,fdatasync`` around a child that makes calls;
where there is no strace, by counting ``os.fsync`` in this process, and ``figures.counted_by``
says so. ``--full`` takes 400 calls of each instead of 25.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.common import ROOT, Stopwatch, finish, options
from bench.model_calls import GOOD, REMOTE, Desk, provider_of, scratch, served_apart
from witmark.adapters.clock import SystemClock
from witmark.kernel.model.outcome import Accepted
from witmark.kernel.model.request import Profile

ADAPTERS = (*REMOTE, "embedded", "scripted")
PROMPT = "The bore is Ø8 H7 and 20 mm deep. 孔径为八毫米。\n" * 100
PROMPT_BYTES = 6_000
LIMITS = {"openai_ms": 10.0, "anthropic_ms": 10.0, "embedded_ms": 10.0, "scripted_ms": 10.0}
MOST_FSYNCS = 8
COUNTED = 10  # calls whose syncs are counted, after the one that makes the folders


def main(argv: Sequence[str] | None = None) -> int:
    given = options(argv, __doc__)
    watch = Stopwatch()
    calls = 400 if given.full else 25
    figures: dict[str, object] = {}
    with served_apart(GOOD) as url:
        for adapter in ADAPTERS:
            figures[f"{adapter}_ms"] = median_ms(adapter, url, calls, same_run=False)
        in_one_run = median_ms("embedded", url, calls, same_run=True)
        figures["embedded_in_one_run_ms"] = in_one_run
    by_strace = shutil.which("strace") is not None
    figures["fsyncs_per_call"] = fsyncs_by_strace() if by_strace else fsyncs_here()
    figures["counted_by"] = "strace" if by_strace else "os.fsync"
    limits = {**LIMITS, "fsyncs_per_call": MOST_FSYNCS}
    ok = all(figures[name] <= most for name, most in limits.items())
    return finish(
        "overhead", watch, figures=figures, limits=limits, n=calls * len(ADAPTERS), ok=ok
    )


def median_ms(adapter: str, url: str, calls: int, *, same_run: bool) -> float:
    with scratch() as folder:
        desk = desk_of(adapter, folder, url)
        warm = 3
        for number in range(calls + warm):
            subject = "run" if same_run else f"run-{number}"
            outcome = desk.dispatch(subject, f"why-{number}")
            if not isinstance(outcome, Accepted):
                raise SystemExit(f"{adapter}: {outcome}")
        return round(statistics.median(one.cpu_s for one in desk.spent[warm:]) * 1000, 2)


def desk_of(adapter: str, folder: Path, server: str = "") -> Desk:
    (folder / "script.json").write_text(json.dumps({"purpose": "*", "say": [GOOD]}))
    urls = {"openai": f"{server}/v1", "anthropic": server, "scripted": "script.json"}
    profile = Profile("p", adapter, "m-1", base_url=urls.get(adapter, ""), timeout_s=30.0)
    prompt = PROMPT.encode()[:PROMPT_BYTES].decode(errors="ignore")
    return Desk(provider_of(adapter, folder), profile, folder / "disk", SystemClock(), prompt)


def make_calls(count: int) -> None:
    """The calls whose syncs are counted. The adapters write nothing, so a script will do."""
    with scratch() as folder:
        desk = desk_of("scripted", folder)
        for number in range(count):
            desk.dispatch("run", f"why-{number}")


def fsyncs_by_strace() -> float:
    """What calls after the first sync, each."""
    return (traced(1 + COUNTED) - traced(1)) / COUNTED


def traced(calls: int) -> int:
    with scratch() as folder:
        log = folder / "syncs"
        code = f"from bench.overhead import make_calls; make_calls({calls})"
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        subprocess.run(
            ["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-e", "signal=none",
             "-o", str(log), sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": paths},
            check=True,
            timeout=120,
        )  # fmt: skip
        return sum("sync(" in line for line in log.read_text().splitlines())


def fsyncs_here() -> float:
    counted: list[str] = []
    real = {name: getattr(os, name) for name in ("fsync", "fdatasync")}

    def counting(name: str) -> Callable[[int], None]:
        def counted_sync(descriptor: int) -> None:
            counted.append(name)
            real[name](descriptor)

        return counted_sync

    try:
        for name in real:
            setattr(os, name, counting(name))
        make_calls(1)
        first = len(counted)
        make_calls(1 + COUNTED)
    finally:
        for name, function in real.items():
            setattr(os, name, function)
    return (len(counted) - 2 * first) / COUNTED


if __name__ == "__main__":
    sys.exit(main())
