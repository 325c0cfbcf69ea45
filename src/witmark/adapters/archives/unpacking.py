"""Unpacks one archive into members and a list of what was left out."""

import re
from collections.abc import Iterator

from witmark.adapters.archives import tars, zips
from witmark.adapters.archives.limits import ArchiveLimits, Budget, TooMuchError, Unpacked
from witmark.adapters.archives.members import Names
from witmark.diagnosis.placing import is_archive_name
from witmark.kernel.errors import visible

_PACKED = re.compile(r"\.(?:gz|bz2|xz)$", re.IGNORECASE)
_MOST_NAMED = 50  # lines for one archive; the rest is counted


def unpack(name: str, raw: bytes, limits: ArchiveLimits | None = None) -> Unpacked:
    """Unpack an archive as far as it can be trusted to be one.

    Args:
        name: The archive's own file name.
        raw: Its bytes.
        limits: How much may come out.
    """
    limits = limits or ArchiveLimits()
    members: dict[str, bytes] = {}
    left_out: list[str] = []
    names = Names()
    try:
        for member, found in _members(name, raw, Budget(limits, len(raw)), limits):
            because = found if isinstance(found, str) else names.refused(member)
            if because:
                left_out.append(f"{visible(member)}: {because}")
            elif isinstance(found, bytes):
                members[member] = found
                if is_archive_name(member):
                    left_out.append(
                        f"{visible(member)}: kept, but an archive in an archive is not unpacked"
                    )
    except TooMuchError as error:
        left_out.append(f"what follows in it: {error}")
    except (*zips.BROKEN, *tars.BROKEN) as error:
        left_out.append(f"what follows in it: damaged: {error}")
    return Unpacked(members, _shortened(left_out))


def _members(
    name: str, raw: bytes, budget: Budget, limits: ArchiveLimits
) -> Iterator[tuple[str, bytes | str]]:
    if zips.is_zip(raw):
        yield from zips.members_of(raw, budget, limits.max_members)
    elif tars.is_tar(raw):
        yield from tars.members_of(raw, budget, limits)
    elif tars.unpacked_stream(raw) is not None:
        budget.member()
        yield _PACKED.sub("", name.rsplit("/", 1)[-1]), tars.single_of(raw, budget)
    else:
        yield name, "named like an archive, but it is none that is read"


def _shortened(left_out: list[str]) -> tuple[str, ...]:
    if len(left_out) <= _MOST_NAMED:
        return tuple(left_out)
    rest = len(left_out) - _MOST_NAMED
    last = left_out[-1:]  # a limit that was passed is told last, and it is what counts
    return (*left_out[: _MOST_NAMED - 1], *last, f"and {rest} members more")
