"""Where a note may lie now: the paths under which a citation's source is looked for.

A payload may be older than the workspace, may come from another system, or may name no path
at all. What is tried, and in which order, is recorded; a path is never guessed from a title.
"""

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol
from urllib.parse import unquote

from witmark.answers.ports import Library, Vault
from witmark.kernel.errors import UnreadableSourceError

MOST_CANDIDATES = 24


class Sources(Protocol):
    """The notes of a workspace as they are now."""

    def paths(self) -> Sequence[str]:
        """Every note's path below the workspace, sorted."""

    def read(self, path: str) -> str | None:
        """The note's text as it is now; ``None`` when it is not there or not readable."""

    def with_hash(self, source_hash: str) -> Sequence[str]:
        """The notes whose bytes have this digest, sorted."""


def candidate_paths(
    named: Iterable[str], hashes: Iterable[str], sources: Sources
) -> tuple[str, ...]:
    """Paths worth trying, the most literal first, each once.

    Args:
        named: The path that was asked for, then those of the matched spans; empty ones
            are passed over.
        hashes: Digests of the sources the spans were cut from; a note that moved has the
            same.
        sources: The workspace.
    """
    known = tuple(sources.paths())
    wanted = [name for name in named if name.strip()]
    found: dict[str, None] = dict.fromkeys(wanted)
    for name in wanted:
        found.update(dict.fromkeys(_spellings(name)))
    for name in wanted:
        found.update(dict.fromkeys(_below_a_root(name, known)))
    for name in wanted:
        found.update(dict.fromkeys(_folded_alike(name, known)))
    for one in hashes:
        found.update(dict.fromkeys(sources.with_hash(one) if one else ()))
    return tuple(found)[:MOST_CANDIDATES]


def plain_path(name: str) -> str:
    r"""A path with ``/`` between its parts, without a leading ``./``, drive or root.

    >>> plain_path("C:\\notes\\a b.md"), plain_path("./glass/../glass/a.md#use")
    ('notes/a b.md', 'glass/a.md')
    """
    path = re.sub(r"(?i)(\.(?:md|markdown))[#?].*$", r"\1", name.strip()).replace("\\", "/")
    path = re.sub(r"^(?:file://)?/*(?:[A-Za-z]:)?/*", "", path)
    path = posixpath.normpath(path) if path else ""
    return re.sub(r"^(?:\.\./)+|^\.$", "", path)


def is_same_place(name: str, path: str) -> bool:
    r"""Whether a path that was cited is another spelling of this one, and not another place.

    Case, composition and width may differ, and the folder of the workspace may stand before.

    >>> is_same_place("/home/me/notes/a.md", "a.md"), is_same_place("old/a.md", "a.md")
    (True, False)
    """
    spelled = {_fold(one) for one in _spellings(name)}
    from_a_root = re.match(r"(?i)file:|[a-z]:[\\/]|[\\/]", name.strip()) is not None
    wanted = _fold(path)
    return wanted in spelled or (
        from_a_root and any(one.endswith("/" + wanted) for one in spelled)
    )


def _spellings(name: str) -> Iterator[str]:
    yield plain_path(name)
    yield plain_path(unquote(name))
    yield unicodedata.normalize("NFC", plain_path(name))


def _below_a_root(name: str, known: Sequence[str]) -> Iterator[str]:
    """Known paths that the name ends with (a root before them), or that end with the name."""
    for spelling in dict.fromkeys(_spellings(name)):
        inner = [path for path in known if spelling.endswith("/" + path)]
        yield from sorted(inner, key=lambda path: (-len(path), path))
        outer = [path for path in known if spelling and path.endswith("/" + spelling)]
        if len(outer) == 1:  # of two nobody can tell which was meant
            yield outer[0]


def _folded_alike(name: str, known: Sequence[str]) -> Iterator[str]:
    """Known paths that differ in case, in composition or in width alone, roots aside."""
    spelled = {_fold(one) for one in _spellings(name)} - {""}
    alike = [path for path in known if _fold(path) in spelled]
    inner = [path for path in known if any(one.endswith("/" + _fold(path)) for one in spelled)]
    yield from alike or sorted(inner, key=lambda path: (-len(path), path))


def _fold(path: str) -> str:
    return unicodedata.normalize("NFKC", path).casefold()


class WorkspaceSources:
    """The notes as they lie in the folder now, with the library's knowledge of moves."""

    def __init__(self, vault: Vault, library: Library) -> None:
        self._vault = vault
        self._stamps = library.stamps()

    def paths(self) -> Sequence[str]:
        """Every note the library keeps."""
        return sorted(self._stamps)

    def read(self, path: str) -> str | None:
        """The note's text as it is in the folder, index or not."""
        try:
            return self._vault.read(path).decode()
        except (FileNotFoundError, UnreadableSourceError, UnicodeDecodeError):
            return None

    def with_hash(self, source_hash: str) -> Sequence[str]:
        """The notes whose bytes, when last ingested, had this digest."""
        return sorted(d for d, s in self._stamps.items() if s.source_hash == source_hash)
