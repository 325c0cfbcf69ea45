"""Python's search for garbage in circles waits while something large is built.

An ingest makes millions of small values and hardly a circle, so that search, which looks at
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
