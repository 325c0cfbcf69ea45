"""Where Witmark keeps what is not a user's file: indexes, runs, sessions, cited sources."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path


def home() -> Path:
    """Return ``$WITMARK_HOME``, else the user's data folder; it need not exist yet."""
    if set_by_hand := os.environ.get("WITMARK_HOME"):
        return Path(set_by_hand)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "witmark"


def home_of(workspace: Path) -> Path:
    """Return the folder that holds what belongs to one workspace.

    It is named by the SHA-256 of the resolved path's bytes, so that every spelling of one
    folder is one workspace, and any bytes a file system allows can be in the path.
    """
    resolved = os.fsencode(workspace.resolve())
    return home() / "workspaces" / hashlib.sha256(resolved).hexdigest()


def homes() -> Iterator[Path]:
    """The folders of all workspaces that something is kept of, sorted."""
    kept = home() / "workspaces"
    yield from sorted(path for path in kept.glob("*") if path.is_dir())
