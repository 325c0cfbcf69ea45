"""Reads a folder that a user calls a case; follows no link and changes nothing."""

import os
import stat
from pathlib import Path
from typing import NoReturn

from witmark.diagnosis.naming import fits
from witmark.kernel.errors import NoSuchFolderError, UnreadableSourceError, visible

_SKIPPED = frozenset({"__pycache__", "node_modules", ".venv", ".tox", ".mypy_cache"})
MOST_FILES = 50_000
MOST_BYTES = 1024 * 1024 * 1024


def read_case_folder(folder: Path) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Read every plain file below a folder.

    Returns:
        The bytes by relative path with ``/``, and what was left out and why, sorted.

    Raises:
        NoSuchFolderError: it is not there, or no folder.
        UnreadableSourceError: a file cannot be read, or there is too much.
    """
    if not folder.is_dir():
        raise NoSuchFolderError(str(folder), hint="give the folder that holds the report")
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    total = 0
    for place, folders, names in os.walk(folder, onerror=_cannot_list):
        made = sorted({*folders} & _SKIPPED)
        left_out += [
            f"{visible(_relative(folder, Path(place) / name))}: made by tools" for name in made
        ]
        folders[:] = sorted(set(folders) - _SKIPPED)
        for name in sorted(names):
            path = Path(place) / name
            relative = _relative(folder, path)
            if because := _refused(path, relative):
                left_out.append(f"{visible(relative)}: {because}")
                continue
            files[relative] = read_file(path)
            total += len(files[relative])
            if len(files) > MOST_FILES or total > MOST_BYTES:
                raise UnreadableSourceError(
                    str(folder),
                    f"more than {MOST_FILES} files or {MOST_BYTES} bytes",
                    hint="leave out what the analysis does not need",
                )
    return files, tuple(sorted(left_out))


def _refused(path: Path, relative: str) -> str:
    if not stat.S_ISREG(path.lstat().st_mode):
        return "a link or no plain file"
    return "" if fits(relative) else "its name is too long to be kept in a package"


def _cannot_list(error: OSError) -> NoReturn:
    raise UnreadableSourceError(
        os.fspath(error.filename),
        (error.strerror or "cannot be read").lower(),
        hint="give it read permission, or move it out of the case",
    ) from error


def _relative(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def read_file(path: Path) -> bytes:
    """Read a plain file.

    Raises:
        UnreadableSourceError: it is a pipe or a device, or cannot be read.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would keep us waiting
            raise UnreadableSourceError(os.fspath(path), "it is no plain file")
        return path.read_bytes()
    except OSError as error:
        because = (error.strerror or "cannot be read").lower()
        raise UnreadableSourceError(
            os.fspath(path), because, hint="give it read permission, or move it out of the case"
        ) from error
