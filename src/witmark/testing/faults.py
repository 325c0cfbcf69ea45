"""Death at any system call: the nearest a test comes to pulling the plug of a real disk.

The action runs in a forked child that ends at once, without any clean-up, just before its
n-th call that could change the disk. What is not simulated is the loss of what was written
and never synced; that the syncs stand where they must is held by the order of the calls.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as name:
...     ends = [end for _, end in every_death(lambda f: (f / "a").mkdir, Path(name))]
>>> ends == [End.KILLED, End.DONE]
True
"""

import os
from collections.abc import Callable, Iterator
from enum import IntEnum
from pathlib import Path

from witmark.adapters.disk import renaming

CALLS = ("open", "mkdir", "write", "fsync", "ftruncate", "link", "unlink", "rename", "close")
"""The calls of ``os`` before which a child may die; a rename that refuses counts too."""


class End(IntEnum):
    """How a child ended; the numbers are its exit codes."""

    DONE = 0
    FAILED = 1
    KILLED = 7


Action = Callable[[], object]


def every_death(
    prepare: Callable[[Path], Action], parent: Path, *, most: int = 400
) -> Iterator[tuple[Path, End]]:
    """Run an action once for every call it makes, killed at that call; at last unharmed.

    Every other death falls in the middle of a write, half of whose bytes are there.

    Args:
        prepare: Is given an empty folder and returns the action to run in the child.
        parent: Where the folders are made.
        most: How many deaths to try before giving up.

    Yields:
        The folder as it was left, and how the child ended: killed, killed, …, done.
    """
    for calls_left in range(most):
        folder = parent / f"death-{calls_left}"
        folder.mkdir()
        end = run_and_kill(prepare(folder), calls_left, torn=calls_left % 2 == 0)
        yield folder, end
        if end is not End.KILLED:
            return
    raise AssertionError(f"the action made more than {most} calls")


def run_and_kill(action: Action, calls_left: int, *, torn: bool = False) -> End:
    """Run an action in a child that dies before its n-th call, counted from 0.

    Args:
        action: What to run; it must not rely on threads of this process.
        calls_left: How many calls are made before the death.
        torn: Dying in a ``write`` leaves half of its bytes.
    """
    child = os.fork()
    if child == 0:
        _arm(calls_left, torn=torn)
        try:
            action()
        except BaseException:  # noqa: BLE001 - a child must never return into the test
            os._exit(End.FAILED)
        os._exit(End.DONE)
    return End(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _arm(calls_left: int, *, torn: bool) -> None:
    left = calls_left

    def deadly(call: str, real: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*args: object, **kwargs: object) -> object:
            nonlocal left
            if left == 0:
                if torn and call == "write" and isinstance(data := args[1], bytes | memoryview):
                    real(args[0], data[: len(data) // 2])
                os._exit(End.KILLED)
            left -= 1
            return real(*args, **kwargs)

        return wrapped

    for call in CALLS:
        setattr(os, call, deadly(call, getattr(os, call)))
    setattr(renaming, "_renameat2", deadly("rename", renaming._renameat2))  # noqa: B010, SLF001 - a fault of the system, put where the system is called
