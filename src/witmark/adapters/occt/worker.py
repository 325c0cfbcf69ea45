"""The CAD kernel behind a wall: one child process, with limits, that may die without harm.

The child is forked from a fork server that has the kernel loaded, so a new one costs
milliseconds. It ends with this process, whatever ends this process.
"""

import contextlib
import multiprocessing
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from types import TracebackType
from typing import Self

from witmark.adapters.occt.errors import (
    CadKernelCrashError,
    CadKernelMemoryError,
    CadKernelMissingError,
    CadKernelTimeoutError,
)
from witmark.adapters.occt.requests import (
    Answer,
    Failed,
    Mesh,
    NotInstalled,
    OutOfMemory,
    Read,
    Refused,
    Request,
    UnitUnknown,
)
from witmark.kernel.errors import UnknownLengthUnitError, visible
from witmark.review.assembly import Assembly
from witmark.review.ports import PartMesh

_SERVING = "witmark.adapters.occt.serving"
_LONGEST_TEMP_DIR_BYTES = 70
_STARTS_WITHIN_S = 120.0
"""Loading the kernel takes a second or two of CPU, and machines can be busy."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may take before the worker is stopped."""

    seconds: float = 300.0
    memory_bytes: int = 4 << 30


class CadWorker:
    """Reads and meshes STEP files in a child process.

    Use as a context manager. After a failure the next request gets a new child, so one bad file
    in a batch costs only itself.

    Args:
        limits: Time and memory per request.
        fault: For tests: called in the child before each request (``witmark.testing``).
    """

    def __init__(
        self, limits: Limits | None = None, *, fault: Callable[[], None] | None = None
    ) -> None:
        self._limits, self._fault = limits or Limits(), fault
        self._process: ForkServerProcess | None = None
        self._pipe: Connection | None = None
        self._lifeline: Connection | None = None
        self._scratch = Path(tempfile.mkdtemp(prefix="witmark-"))
        self._source = ""
        self.cpu_s = 0.0
        """CPU seconds that all answered requests took in the child."""

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as undo:  # Ctrl-C while the fork server loads the kernel
            undo.callback(self.__exit__, None, None, None)
            self._start()
            undo.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def read(
        self, path: str | os.PathLike[str], *, length_unit_mm: float | None = None
    ) -> Assembly:
        """Read a STEP file; see ``reader.read_step``.

        Raises:
            InputError: the file cannot be reviewed.
            CadKernelError: the kernel crashed, hung or outgrew its memory on it.
        """
        self._source = os.fsencode(path).decode("utf-8", errors="backslashreplace")
        value = self._ask(Read(Path(path), length_unit_mm))
        assert isinstance(value, Assembly)  # noqa: S101 - what serving answers to Read
        return value

    def mesh(self, parts: Sequence[int], deflection_mm: float) -> tuple[PartMesh, ...]:
        """Triangulate parts (indices into ``Assembly.parts``) of the file read last.

        Raises:
            CadKernelError: the kernel crashed, hung or outgrew its memory on them.
        """
        value = self._ask(Mesh(tuple(parts), deflection_mm))
        assert isinstance(value, tuple)  # noqa: S101 - what serving answers to Mesh
        return value

    def _start(self) -> tuple[ForkServerProcess, Connection]:
        if self._process is not None and self._pipe is not None:
            return self._process, self._pipe
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([_SERVING])
        _start_fork_server()
        ours, theirs = context.Pipe()
        far_end, lifeline = context.Pipe(duplex=False)
        target = (theirs, far_end, self._limits.memory_bytes, self._scratch, self._fault)
        process = context.Process(target=_serve, args=target, daemon=True, name="witmark-cad")
        process.start()
        theirs.close()
        far_end.close()
        self._process, self._pipe, self._lifeline = process, ours, lifeline
        self._expect_ready(ours)
        return process, ours

    def _expect_ready(self, pipe: Connection) -> None:
        """Wait until the child has the kernel loaded: time limits begin to count only then."""
        source = self._source or "CAD worker"
        try:
            if not pipe.poll(_STARTS_WITHIN_S):
                self._stop()
                raise CadKernelTimeoutError(source, "the CAD kernel did not start")
            first = pipe.recv()
        except (EOFError, ConnectionError) as gone:
            why = f"the CAD kernel did not start; {_epitaph(self._stop())}"
            raise CadKernelCrashError(source, why) from gone
        if isinstance(first, NotInstalled):
            self._stop()
            raise CadKernelMissingError(source, first.why)

    def _stop(self) -> int | None:
        """Kill the child and wait for it; answer its exit code."""
        process, ends = self._process, (self._pipe, self._lifeline)
        self._process = self._pipe = self._lifeline = None
        for end in ends:
            if end is not None:
                end.close()
        if process is None:
            return None
        process.kill()
        process.join()
        return process.exitcode

    def _ask(self, request: Request) -> object:
        process, pipe = self._start()
        try:
            pipe.send(request)
            if not pipe.poll(self._limits.seconds):
                self._stop()
                why = f"stopped after {self._limits.seconds:g} s; the CAD kernel did not finish"
                raise CadKernelTimeoutError(self._source, why)
            answer: Answer = pipe.recv()
        except (EOFError, ConnectionError) as gone:
            process.join(5.0)
            raise CadKernelCrashError(self._source, _epitaph(self._stop())) from gone
        self.cpu_s += answer.cpu_s
        return self._judged(answer.value)

    def _judged(self, value: object) -> object:
        match value:
            case Refused(error):
                raise error
            case UnitUnknown(source):
                raise UnknownLengthUnitError(source)
            case OutOfMemory():
                self._stop()
                allowed = self._limits.memory_bytes >> 20
                why = f"stopped at its memory limit of {allowed} MB"
                raise CadKernelMemoryError(self._source, why)
            case Failed(why):
                self._stop()
                raise CadKernelCrashError(self._source, f"the CAD kernel failed: {why}")
            case _:
                return value


def _start_fork_server() -> None:
    """Start it deaf to Ctrl-C, as its children are: this process decides what that means.

    The resource tracker goes first: starting it unblocks the signals that it blocks for itself,
    and a fork server started after that would hear Ctrl-C while Python itself is loading.
    """
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _short_temp_dir():
            forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _short_temp_dir() -> Iterator[None]:
    """Where the fork server's socket goes: its whole name must fit into 107 bytes."""
    usual = tempfile.gettempdir()
    if len(os.fsencode(usual)) > _LONGEST_TEMP_DIR_BYTES:
        tempfile.tempdir = "/tmp"  # noqa: S108 - only as a parent: the socket's folder is made by mkdtemp
    try:
        yield
    finally:
        tempfile.tempdir = usual


def _epitaph(code: int | None) -> str:
    if code is not None and code < 0:
        return f"the CAD kernel crashed (signal {-code})"
    return "the CAD kernel stopped without an answer"


def _serve(
    pipe: Connection,
    lifeline: Connection,
    memory_bytes: int,
    scratch: Path,
    fault: Callable[[], None] | None,
) -> None:
    """Run the worker's side; imported here so that this module never loads the kernel."""
    try:
        from witmark.adapters.occt import serving  # noqa: PLC0415 - only the child has the kernel
    except ImportError as missing:
        pipe.send(NotInstalled(visible(str(missing))))
        return
    # nobody to speak to any more (Ctrl-C, a killed parent): there is nothing left to say
    with contextlib.suppress(BrokenPipeError):
        serving.serve(pipe, lifeline, memory_bytes, scratch, fault)
