"""What a user hands in as a case: a folder, one file, or an archive; changed in nothing.

Archives are kept as they are and unpacked beside. One that lies deep inside a source tree
belongs to that tree (a test's data, say) and is only kept.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from witmark.adapters.archives import ArchiveLimits, unpack
from witmark.adapters.cases.folders import read_case_folder, read_file
from witmark.diagnosis.case import InputKind
from witmark.diagnosis.placing import UNPACKED, is_archive_name
from witmark.diagnosis.sorting import kind_of
from witmark.kernel.errors import NoSuchFolderError, UnreadableSourceError, visible

_TREES = {InputKind.SOURCE, InputKind.GOOD_SOURCE, InputKind.REPOSITORY}
_BESIDE = 2  # parts of a path: an archive here is a tree, deeper it is a file of one


@dataclass(frozen=True, slots=True)
class Handed:
    """What was handed in.

    Attributes:
        files: Bytes by path with ``/``.
        members: What was unpacked, by archive and member.
        left_out: What was not taken, and why: each a line for people.
    """

    files: Mapping[str, bytes]
    members: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def read_case(path: Path, limits: ArchiveLimits | None = None) -> Handed:
    """Read a folder, a single file or an archive.

    Args:
        path: What the user named.
        limits: How much may be unpacked, all archives together.

    Raises:
        NoSuchFolderError: nothing is there.
        UnreadableSourceError: it cannot be read, is empty, or there is too much.
    """
    if path.is_dir():
        files, left_out = read_case_folder(path)
    elif path.exists():
        files, left_out = {path.name: read_file(path)}, ()
    else:
        raise NoSuchFolderError(
            os.fspath(path),
            what="neither a folder nor a file",
            hint="give the folder that holds the report, a report, or an archive",
        )
    handed = _unpacked(Handed(files, {}, left_out), limits or ArchiveLimits())
    if not any(handed.files.values()):
        raise UnreadableSourceError(
            os.fspath(path), "there is nothing in it", hint="a case needs at least a report"
        )
    return handed


def _unpacked(handed: Handed, limits: ArchiveLimits) -> Handed:
    members: dict[str, Mapping[str, bytes]] = {}
    left_out = list(handed.left_out)
    for name, raw in sorted(handed.files.items()):
        if not is_archive_name(name.rsplit("/", 1)[-1]) or limits.max_members < 1:
            continue
        if because := _not_unpacked(name, handed.files):
            left_out.append(f"{visible(name)}: kept, not unpacked: {because}")
            continue
        found = unpack(name, raw, limits)
        left_out += [f"{visible(name)}!{one}" for one in found.left_out]
        if found.members:
            members[name] = found.members
        limits = _less(limits, found.members)
    return Handed(handed.files, members, tuple(left_out))


def _not_unpacked(name: str, files: Mapping[str, bytes]) -> str:
    if kind_of(name) in _TREES and len(name.split("/")) > _BESIDE:
        return "it lies inside a source tree"
    folder = name + UNPACKED
    if any(one.startswith(folder) for one in files):
        return f"a folder {visible(folder)} is there already"
    return ""


def _less(limits: ArchiveLimits, members: Mapping[str, bytes]) -> ArchiveLimits:
    """What is left for the archives that follow."""
    total = limits.max_total_bytes - sum(map(len, members.values()))
    return replace(
        limits, max_members=limits.max_members - len(members), max_total_bytes=max(total, 0)
    )
