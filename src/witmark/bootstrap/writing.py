"""Whether a result can be put where it is wanted, said before the work begins."""

import os
from pathlib import Path

from witmark.kernel.errors import UnwritableError


def refuse_unwritable(parent: Path) -> None:
    """Hold that the nearest folder above a result is one, and lets us write.

    Raises:
        UnwritableError: it is none, or it does not.
    """
    above = next(p for p in (parent, *parent.parents) if os.path.lexists(p))
    if not above.is_dir():
        raise UnwritableError(str(above), "is no folder, so nothing can be put in it")
    if not os.access(above, os.W_OK | os.X_OK):
        raise UnwritableError(str(above), "may not be written to")
