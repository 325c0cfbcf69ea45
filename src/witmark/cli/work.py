"""``witmark work``: drain the queue of cases."""

import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Self

import click

from witmark.cli.options import (
    config_option,
    diagnosis_config_option,
    model_option,
    program,
    retry_option,
)

if TYPE_CHECKING:
    from witmark.adapters.queue import SqliteQueue
    from witmark.diagnosis.dispatch import Entry
    from witmark.diagnosis.use_cases import DiagnosisDesk
    from witmark.diagnosis.working import Dispatched

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_STOPPING = b"stopping after this step; once more stops at once\n"


@click.command("work")
@click.option("--wait", is_flag=True, help="Stay when nothing is left, and wait for more.")
@click.option("--rebuild", is_flag=True, help="Queue every case without a diagnosis first.")
@click.option("--list", "only_list", is_flag=True, help="Say what is in the queue; do nothing.")
@click.option("--json", "as_json", is_flag=True, help="With --list: as JSON.")
@config_option
@diagnosis_config_option
@model_option
@retry_option
def command(  # noqa: PLR0913 - a command's options
    *,
    wait: bool,
    rebuild: bool,
    only_list: bool,
    as_json: bool,
    config: Path | None,
    diagnosis_config: Path | None,
    use_model: bool,
    retry_id: str | None,
) -> int:
    """Diagnose what `case enqueue` queued, one dispatch after another.

    Several may run side by side; no two work on one package. Ctrl-C ends it after the step
    that is under way, a second one at once; the next run goes on, also after a crash. What
    cannot be done is laid aside with the reason (--list) until it is queued again.

    Exit code 0 when nothing is left to do now, 1 when something was laid aside.
    """
    from witmark.bootstrap.diagnosing import desk
    from witmark.bootstrap.dispatching import open_queue
    from witmark.bootstrap.settings import load_settings
    from witmark.diagnosis.config import DiagnosisConfig

    if as_json and not only_list:
        raise click.UsageError("--json goes with --list")
    with open_queue() as queue:
        if rebuild:
            _rebuild(queue)
        if only_list:
            _list(queue.entries(), as_json=as_json)
            return 0
        policy = (
            DiagnosisConfig()
            if diagnosis_config is None
            else DiagnosisConfig.load(diagnosis_config)
        )
        made = desk(load_settings(config), policy, use_model=use_model)
        return _work(queue, made, wait=wait, retry_id=retry_id)


class Stop:
    """Hears the first signal as a wish, and lets the second one through.

    What whoever started us has us ignore, as ``nohup`` and ``&`` do, stays ignored.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        heard = [one for one in _SIGNALS if signal.getsignal(one) is not signal.SIG_IGN]
        self._before = {number: signal.signal(number, self._hear) for number in heard}
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.number is not None:
            self._before[number](number, frame)
            return
        self.number = number
        os.write(2, _STOPPING)  # a handler may not print: the step may be printing


def _work(
    queue: "SqliteQueue", made: "DiagnosisDesk", *, wait: bool, retry_id: str | None
) -> int:
    import asyncio

    from witmark.bootstrap.dispatching import keeper
    from witmark.diagnosis.working import Did, Worker

    told: Counter[Did] = Counter()

    async def drain(stop: Stop) -> None:
        worker = Worker(
            queue,
            made,
            keeper(queue),
            asyncio.sleep,
            lambda: stop.number is not None,
            retry_id,
        )
        async for one in worker.work(wait=wait):
            told[one.did] += 1
            click.echo(_line(one, made.clock.now_ms()))

    with Stop() as stop:
        asyncio.run(drain(stop))
    left = _left(queue.entries(), made.clock.now_ms())
    did = ", ".join(f"{told[one]} {one.value}" for one in Did if told[one])
    click.echo(f"{did or 'nothing was to be done'}; {left}", err=True)
    if stop.number is not None:
        return 128 + stop.number
    return 1 if told[Did.PARKED] else 0


def _line(one: "Dispatched", now_ms: int) -> str:
    from witmark.kernel.errors import visible

    again = "" if one.again_ms is None else _in(one.again_ms, now_ms)
    return f"{one.job.package}  {one.did.value}: {visible(one.told)}{again}"


def _in(at_ms: int, now_ms: int) -> str:
    """How long until then, for people."""
    return f"; again in {(at_ms - now_ms) // 1000 + 1} s" if at_ms > now_ms else ""


def _left(entries: "Sequence[Entry]", now_ms: int) -> str:
    from witmark.diagnosis.dispatch import Standing

    many = Counter(one.standing for one in entries)
    due = [one.due_ms for one in entries if one.standing is Standing.WAITING]
    words = {
        Standing.WAITING: "waiting" + (_in(min(due), now_ms).replace(";", ",") if due else ""),
        Standing.LEASED: "with other workers",
        Standing.PARKED: f"laid aside ({program()} work --list)",
    }
    left = [f"{many[one]} {said}" for one, said in words.items() if many[one]]
    return f"left: {', '.join(left)}" if left else "nothing is left"


def _rebuild(queue: "SqliteQueue") -> None:
    from witmark.bootstrap.dispatching import unfinished
    from witmark.kernel.errors import one_line

    jobs, unreadable = unfinished()
    for name, error in unreadable:
        click.echo(f"{name}  not queued: {one_line(error)}", err=True)
    for job in queue.enqueue(jobs):
        click.echo(f"{job.package}  queued", err=True)


def _list(entries: "Sequence[Entry]", *, as_json: bool) -> None:
    from witmark.adapters.clock import SystemClock
    from witmark.diagnosis.plain import to_plain
    from witmark.kernel.errors import visible

    if as_json:
        jobs = [to_plain(one) for one in entries]
        text = json.dumps({"format": "witmark.queue/1", "jobs": jobs}, ensure_ascii=False)
        click.echo(text)
        return
    now_ms = SystemClock().now_ms()
    for one in entries:
        reason = f": {visible(one.reason)}" if one.reason else ""
        click.echo(f"{one.job.package}  {one.standing.value}{reason}{_in(one.due_ms, now_ms)}")
    if not entries:
        click.echo(f"the queue is empty; {program()} case enqueue CASE fills it", err=True)
