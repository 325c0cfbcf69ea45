"""Where an input stood when it was handed in: its folders, its name, its path in a source tree.

A member of an archive stands in a folder that is called like the archive, without its ending:
``source.zip!pkg/a.py`` is ``a.py`` in ``source``, ``pkg``.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from witmark.diagnosis.case import InputKind, RawInput

MEMBER = "!"
"""Stands between an archive's path and its member's."""

UNPACKED = ".unpacked/"
"""Ends the folder that an archive's members are kept in."""

_ENDING = re.compile(
    r"(?<=.)\.(?:zip|whl|jar|egg|tar|tgz|tbz2?|txz|(?:tar\.)?(?:gz|bz2|xz))$", re.IGNORECASE
)

SOURCE_FOLDERS = {
    "source": InputKind.SOURCE,
    "src": InputKind.SOURCE,
    "code": InputKind.SOURCE,
    "good": InputKind.GOOD_SOURCE,
    "source-good": InputKind.GOOD_SOURCE,
    "last-good": InputKind.GOOD_SOURCE,
}


def is_archive_name(name: str) -> bool:
    """Whether a file's name says that it is an archive.

    >>> is_archive_name("source.tar.gz"), is_archive_name("notes.docx")
    (True, False)
    """
    return _ENDING.search(name) is not None


@dataclass(frozen=True, slots=True)
class Place:
    """An origin taken apart.

    Attributes:
        archive: The archive it is a member of, or nothing.
        folders: From the outside; an archive counts as one, without its ending.
        name: Its own name.
    """

    archive: str
    folders: tuple[str, ...]
    name: str

    @property
    def own(self) -> str:
        """Its path below the archive, or whole where there is none."""
        outside = self.archive.count("/") + 1 if self.archive else 0
        return "/".join((*self.folders[outside:], self.name))


def place_of(origin: str) -> Place:
    """Take an origin apart.

    >>> place_of("in/source.zip!pkg/a.py")
    Place(archive='in/source.zip', folders=('in', 'source', 'pkg'), name='a.py')
    >>> place_of("what!.txt").archive
    ''
    """
    archive, mark, member = origin.partition(MEMBER)
    if mark and member and is_archive_name(archive):
        *outside, packed = archive.split("/")
        *inside, name = member.split("/")
        return Place(archive, (*outside, _ENDING.sub("", packed), *inside), name)
    *folders, name = origin.split("/")
    return Place("", tuple(folders), name)


def source_paths(inputs: Iterable[RawInput]) -> Mapping[str, RawInput]:
    """The files of a snapshot by their path in the source tree.

    The folder that made it source is not part of the path, nor is the one folder that an
    archive of a release puts around everything; a package that is alone in its tree is.
    """
    trees: dict[str, dict[str, RawInput]] = {}
    for one in inputs:
        tree, path = _in_its_tree(one.origin)
        trees.setdefault(tree, {})[path] = one
    found: dict[str, RawInput] = {}
    for _, files in sorted(trees.items()):
        wrapping = _wrapping(files)
        for path, one in sorted(files.items()):
            short = path.removeprefix(wrapping)
            found[one.origin if short in found else short] = one
    return found


def _in_its_tree(origin: str) -> tuple[str, str]:
    place = place_of(origin)
    for depth, folder in enumerate(place.folders):
        if folder.lower() in SOURCE_FOLDERS:
            tree = "/".join((place.archive + MEMBER, *place.folders[: depth + 1]))
            return tree, "/".join((*place.folders[depth + 1 :], place.name))
    return place.archive, place.own


def _wrapping(files: Mapping[str, RawInput]) -> str:
    """The folder around everything, with its slash, unless it is a package itself."""
    first = {path.partition("/")[0] for path in files}
    top = next(iter(first)) if len(first) == 1 else ""
    is_folder = bool(top) and all("/" in path for path in files)
    is_package = any(path.startswith(f"{top}/__init__.") for path in files)
    return f"{top}/" if is_folder and not is_package and _is_release(top) else ""


def _is_release(folder: str) -> bool:
    """Whether a folder is called like a release or a branch of something, not like a package.

    >>> [_is_release(name) for name in ("requests-2.27.0", "networkx-main", "requests", "lib")]
    [True, True, False, False]
    """
    return "-" in folder
