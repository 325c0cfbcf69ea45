"""The worker's side: answers requests about one file after another until its pipe closes.

Importing this module loads the CAD kernel; the fork server does so once, before it forks.
"""

import fcntl
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from OCP.Standard import Standard_Failure

from witmark.adapters.occt.meshing import mesh_of
from witmark.adapters.occt.prototypes import PartShape
from witmark.adapters.occt.reader import read_with_shapes
from witmark.adapters.occt.requests import (
    Answer,
    Failed,
    Mesh,
    OutOfMemory,
    Read,
    Refused,
    Request,
    UnitUnknown,
)
from witmark.kernel.errors import InputError, UnknownLengthUnitError


def serve(
    pipe: Connection,
    lifeline: Connection,
    memory_bytes: int,
    scratch: Path,
    fault: Callable[[], None] | None,
) -> None:
    """Say that we are ready, then answer requests until the other side closes the pipe.

    ``lifeline`` carries nothing; that it closes is the message that the parent is no more.
    """
    _confine(memory_bytes)
    _die_with(lifeline)
    session = _Session(scratch, fault)
    pipe.send("ready")
    while True:
        try:
            request: Request = pipe.recv()
        except EOFError:
            return
        pipe.send(session.answer(request))


def _confine(memory_bytes: int) -> None:
    """Limit this process, keep stdout clean, leave no core."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)  # OCCT prints to file descriptor 1, behind Python's back
    os.close(quiet)


def _die_with(lifeline: Connection) -> None:
    """Let the system end this process when the other end of a pipe closes.

    By signal, because a kernel call may hold the interpreter for minutes; not by the parent's
    death signal, because our parent is the fork server, which lives as long as we do.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    if lifeline.poll():  # it closed before we listened
        sys.exit(0)


class _Session:
    """The shapes of the file read last, kept for meshing."""

    def __init__(self, scratch: Path, fault: Callable[[], None] | None) -> None:
        self._scratch, self._fault = scratch, fault
        self._shapes: tuple[PartShape, ...] = ()
        self._reads = 0

    def answer(self, request: Request) -> Answer:
        begun = time.process_time()
        try:
            value = self._value(request)
        except UnknownLengthUnitError as problem:
            value = UnitUnknown(problem.source)
        except InputError as problem:
            value = Refused(problem)
        except MemoryError:
            value = OutOfMemory()
        except Standard_Failure as problem:
            value = Failed(f"{type(problem).__name__}: {problem}")
        return Answer(value, time.process_time() - begun)

    def _value(self, request: Request) -> object:
        if self._fault is not None:
            self._fault()
        match request:
            case Read(path, length_unit_mm):
                self._reads += 1
                scratch = self._scratch / f"{self._reads}"
                scratch.mkdir()
                assembly, self._shapes = read_with_shapes(
                    path, length_unit_mm=length_unit_mm, scratch=scratch
                )
                return assembly
            case Mesh(parts, deflection_mm):
                return tuple(mesh_of(self._shapes[part], deflection_mm) for part in parts)
