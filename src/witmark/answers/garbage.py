"""Python's search for garbage in circles waits while something large is built.

What stays to the end (modules, the graph of a library) is not looked through again either. An
ingest makes millions of small values and hardly a circle, so that search, which looks at
all of them again and again, would cost a fifth of the time and find nothing.
"""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def garbage_waits() -> Iterator[None]:
    """Search for no circles inside, and afterwards as before, whatever happens.

    >>> import gc
    >>> with garbage_waits():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()


def keep_what_is_loaded() -> None:
    """Leave what lives now out of every later search; once a process, so that nothing piles up.

    A full search looks at some hundred thousand values of modules and tables, for as long as
    two answers take, and finds no garbage among them.
    """
    if not _kept:
        _kept.append(True)
        gc.freeze()


_kept: list[bool] = []
