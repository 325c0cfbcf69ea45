"""Ways for a CAD kernel to die, for ``CadWorker(fault=...)``: each runs in the child."""

import ctypes
import os
import time


def segfault() -> None:
    """Read address zero, as native code does when it is wrong."""
    ctypes.string_at(0)


def hang() -> None:
    """Never come back."""
    while True:
        time.sleep(60)


def eat_memory() -> None:
    """Ask for more until the limit is reached."""
    hoard = []
    while True:
        hoard.append(bytearray(32 << 20))


def leave() -> None:
    """End the process without a word."""
    os._exit(3)


def shout() -> None:
    """Print to file descriptor 1 behind Python's back, as OCCT does."""
    os.write(1, b"noise that no JSON reader expects\n")
