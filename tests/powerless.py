"""A process that may not write anywhere, also where tests run as root."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody may read; those of tests are closed to others."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Nothing that root made may be written inside; whatever is imported must be by now."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
