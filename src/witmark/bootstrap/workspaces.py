"""Workspaces by name: which folder is meant, and where what is kept of it lies."""

import ast
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import witmark.review
from witmark.adapters.disk import PosixDisk
from witmark.bootstrap.home import home_of
from witmark.kernel.canon import canonical_json, read_canonical
from witmark.kernel.errors import GarbledRecordError, NoSuchFolderError, UnwritableError

RULEBOOK = "rulebook"
"""The reserved name of our own rulebook; a folder so called is ``./rulebook``."""

WORKSPACE_FILE = "workspace.json"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder of notes by the name it was given, and where what we keep of it lies."""

    name: str
    folder: Path
    home: Path


def workspace(named: str) -> Workspace:
    """Return the workspace of a name: our rulebook, or a folder.

    Raises:
        NoSuchFolderError: it is not a folder.
    """
    folder = _rulebook() if named == RULEBOOK else Path(named)
    if not folder.is_dir():
        what = "not a folder" if folder.exists() else "no such folder"
        hint = "name the folder that holds your notes, or `rulebook` for our own rules"
        raise NoSuchFolderError(named, what=what, hint=hint)
    name = named if named == RULEBOOK else folder.resolve().name
    return Workspace(name, folder, home_of(folder))


def _rulebook() -> Path:
    """The cards of our own rules. Importing the desk's package loads nothing of it."""
    return Path(witmark.review.__file__).parent / "rulebooks" / "machined-parts"


def remember(known: Workspace) -> None:
    """Note once, beside the index, which folder it belongs to."""
    place = known.home / WORKSPACE_FILE
    folder = os.fsencode(known.folder.resolve()).decode("utf-8", "surrogateescape")
    named = {"format": "witmark.workspace/1", "name": known.name, "folder": ascii(folder)}
    if not place.exists():
        with suppress(FileExistsError):
            PosixDisk(known.home).write_new(WORKSPACE_FILE, canonical_json(named))


_HOME_HINT = (
    "our own files lie there, below $WITMARK_HOME; set WITMARK_HOME to a folder that can be "
    "written, or change its permissions"
)


def remembered(home: Path) -> Workspace:
    """The workspace of which something is kept in a folder.

    Raises:
        GarbledRecordError: the note of which workspace it is cannot be read.
    """
    raw = PosixDisk(home).read(WORKSPACE_FILE)
    if raw is None:
        raise GarbledRecordError("it does not say whose it is", place=str(home))
    named = read_canonical(raw, place=WORKSPACE_FILE)
    if not isinstance(named, dict) or not isinstance(named.get("folder"), str):
        raise GarbledRecordError("it names no folder", place=str(home / WORKSPACE_FILE))
    folder = Path(ast.literal_eval(named["folder"]))
    return Workspace(str(named.get("name", "")), folder, home)


def made(folder: Path) -> Path:
    """The folder, made if it is not there.

    Raises:
        UnwritableError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refused = UnwritableError(str(folder), error.strerror or str(error))
        refused.hint = _HOME_HINT
        raise refused from error
    return folder
