"""What became of each operation of an ``ingest-diff``.

An operation says where to look; what lies in the folder decides. So a request that does not
agree with the folder is not carried out, and its outcome says so.
"""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from witmark.answers.names import ENDINGS
from witmark.answers.plain import Plain
from witmark.kernel.errors import visible


class Op(StrEnum):
    """What a request says has happened to a note."""

    UPSERT = "upsert"
    DELETE = "delete"
    MOVE = "move"


class Outcome(StrEnum):
    """How the folder answers (``outcome``)."""

    APPLIED = "applied"
    STILL_THERE = "still_there"  # the note that was to go, or to move away, is in the folder
    NOT_THERE = "not_there"  # the note that was to come is not
    UNREADABLE = "unreadable"  # it is, and is among the failures


@dataclass(frozen=True, slots=True)
class Operation:
    """One note by its path below the workspace, and for a move where it went."""

    op: Op
    path: str
    to_path: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Where to look."""
        return (self.path, self.to_path) if self.op is Op.MOVE else (self.path,)


def fault_of(path: str) -> str:
    """Why a path cannot be that of a note below a workspace; empty if it can.

    >>> fault_of("a/b.md"), fault_of("../b.md")
    ('', 'it leads out of the workspace')
    """
    parts = path.split("/")
    if path.startswith("/") or ".." in parts:
        return "it leads out of the workspace"
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in path):
        return "it holds control characters"
    if any(not part or part.startswith(".") for part in parts):
        return "a part of it is empty or hidden, and those are not read"
    if not path.lower().endswith(ENDINGS):
        return "not the name of a Markdown file (.md or .markdown)"
    return ""


def outcomes_plain(
    operations: Sequence[Operation], kept: Collection[str], unread: Collection[str]
) -> list[Plain]:
    """``op, path, toPath, outcome`` of each operation, in their order.

    Args:
        operations: What was asked for.
        kept: The notes in the index afterwards.
        unread: The notes that are there and could not be read, as failures spell them.
    """
    return [
        {
            "op": one.op.value,
            "path": one.path,
            "toPath": one.to_path or None,
            "outcome": _outcome(one, kept, unread).value,
        }
        for one in operations
    ]


def _outcome(one: Operation, kept: Collection[str], unread: Collection[str]) -> Outcome:
    if one.op is not Op.UPSERT and (one.path in kept or visible(one.path) in unread):
        return Outcome.STILL_THERE
    wanted = one.paths[-1]
    if one.op is Op.DELETE or wanted in kept:
        return Outcome.APPLIED
    return Outcome.UNREADABLE if visible(wanted) in unread else Outcome.NOT_THERE
