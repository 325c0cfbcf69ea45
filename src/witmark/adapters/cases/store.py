"""Packages as folders: ``<root>/<case id>/<package id>``."""

import re
from collections.abc import Sequence
from pathlib import Path

from witmark.adapters.disk import PosixDisk
from witmark.diagnosis.case import CaseId, PackageId
from witmark.kernel.errors import BadNameError

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}").fullmatch


class FolderStore:
    """A folder of cases. Keeps the promises of ``CaseStore``."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def disk(self, case_id: CaseId, package_id: PackageId) -> PosixDisk:
        """The folder of a package; it need not be there yet."""
        return PosixDisk(self._root / check_id(case_id) / check_id(package_id))

    def place(self, case_id: CaseId, package_id: PackageId) -> Path:
        """The folder itself, for people."""
        return self._root / check_id(case_id) / check_id(package_id)

    def packages(self, case_id: CaseId) -> Sequence[PackageId]:
        """The packages of a case, sorted."""
        return [PackageId(name) for name in _folders(self._root / check_id(case_id))]

    def cases(self) -> Sequence[CaseId]:
        """Every case, sorted."""
        return [CaseId(name) for name in _folders(self._root)]


def check_id(name: str) -> str:
    """Return the name if it can be the id of a case or a package.

    Raises:
        BadNameError: it cannot.
    """
    if _NAME(name) is None:
        raise BadNameError(
            "no id of a case",
            place=repr(name),
            hint="use lower-case letters, digits, -, _ and ., at most 100 of them",
        )
    return name


def _folders(root: Path) -> list[str]:
    if not root.is_dir():
        return []
    return sorted(one.name for one in root.iterdir() if one.is_dir() and _NAME(one.name))
