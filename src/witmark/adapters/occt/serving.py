"""The worker's side: answers requests about one file after another until its pipe closes.

Importing this module loads the CAD kernel; the fork server does so once, before it forks.
"""

import ctypes
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

_KILL_WITH_PARENT = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>


def serve(
    pipe: Connection, memory_bytes: int, scratch: Path, fault: Callable[[], None] | None
) -> None:
    """Answer requests until the other side closes the pipe."""
    _confine(memory_bytes)
    session = _Session(scratch, fault)
    while True:
        try:
            request: Request = pipe.recv()
        except EOFError:
            return
        pipe.send(session.answer(request))


def _confine(memory_bytes: int) -> None:
    """Limit this process, keep stdout clean, leave no core, and never outlive the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)  # OCCT prints to file descriptor 1, behind Python's back
    os.close(quiet)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_KILL_WITH_PARENT, signal.SIGKILL)


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
