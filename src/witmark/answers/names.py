"""Which note a name means, seen from the note that uses it.

Names are compared by their compact key, so that "water glass" and ``waterGlass`` are one
name; among the notes of one key the author's very spelling decides, then nearness in the
folder tree. Everything is asked of the library by key, so one changed note costs what its
own names cost, however many notes there are.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from posixpath import normpath
from typing import Protocol

from witmark.answers.asking import AliasRule
from witmark.answers.atoms import AtomId, Document, DocumentId
from witmark.answers.notes import LinkKind
from witmark.answers.ports import AliasEntry
from witmark.answers.statements import Target
from witmark.answers.terms import compact_key

ENDINGS = (".md", ".markdown")
FOLDER_NOTES = ("index", "readme", "_index")
"""The note that stands for its folder when a link names the folder."""

STEM = "stem"
"""Rule of the entry by which links find a note's file; ``aliases`` leaves out some."""

SECTIONS = "#"
"""In a note's uses, before the id of a note whose sections its links name."""

Entry = tuple[DocumentId, AliasEntry]


class NameSource(Protocol):
    """Answers by key; a library does."""

    def aliases(self, keys: Sequence[str]) -> Mapping[str, Sequence[Entry]]:
        """The notes under each key that is known."""


class _Nobody:
    """The names of a library that holds none."""

    def aliases(self, keys: Sequence[str]) -> Mapping[str, Sequence[Entry]]:  # noqa: ARG002 - the port's signature
        """None, whatever the keys."""
        return {}


NO_NAMES = _Nobody()


@dataclass
class Names:
    """The names of a library as they will be after a change.

    Attributes:
        source: The library before the change.
        gone: Notes that it holds and that are changed or removed.
        fresh: The entries of the changed notes, by key.
    """

    source: NameSource
    gone: Collection[DocumentId] = frozenset()
    fresh: Mapping[str, Sequence[Entry]] = field(default_factory=dict)
    _known: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    _called: dict[str, tuple[Entry, ...]] = field(default_factory=dict)

    @property
    def is_all_fresh(self) -> bool:
        """Whether no note beside the changed ones has a name."""
        return self.source is NO_NAMES

    def under(self, keys: Iterable[str]) -> dict[str, tuple[Entry, ...]]:
        """The notes under each key, sorted; unknown keys have none."""
        asked = list(dict.fromkeys(keys))
        if missing := [key for key in asked if key not in self._known]:
            kept = self.source.aliases(missing)
            for key in missing:
                self._known[key] = self._sorted(kept.get(key, ()), self.fresh.get(key, ()))
        return {key: self._known[key] for key in asked}

    def borne(self, keys: Collection[str]) -> dict[str, tuple[Entry, ...]]:
        """Like ``under``, without the keys of no note; nothing is remembered."""
        kept = self.source.aliases(list(keys)) if not self.is_all_fresh else {}
        found = {
            key: self._sorted(kept.get(key, ()), self.fresh.get(key, ()))
            for key in {*kept, *(key for key in keys if key in self.fresh)}
        }
        return {key: entries for key, entries in found.items() if entries}

    def _sorted(self, kept: Sequence[Entry], fresh: Sequence[Entry]) -> tuple[Entry, ...]:
        if not kept and len(fresh) <= 1:
            return tuple(fresh)
        stay = [entry for entry in kept if entry[0] not in self.gone]
        return tuple(sorted({*stay, *fresh}, key=_entry_order))

    def called(self, name: str) -> tuple[Entry, ...]:
        """The notes that have a name, as title, alias or otherwise."""
        if (known := self._called.get(name)) is None:
            key = compact_key(name)
            found = self.under([key])[key] if key else ()
            known = tuple(entry for entry in found if entry[1].rule == AliasRule.EXACT.value)
            self._called[name] = known
        return known

    def files(self, key: str) -> tuple[DocumentId, ...]:
        """The notes whose file has a key that ``stem_key`` made."""
        return tuple(note for note, _ in self.under([key])[key])


def _entry_order(entry: Entry) -> tuple[str, str, str]:
    return entry[0], entry[1].rule, entry[1].surface


def by_key(
    entries: Iterable[tuple[DocumentId, Sequence[AliasEntry]]],
) -> dict[str, list[Entry]]:
    """Turn the entries of notes round: from a key to the notes."""
    found: dict[str, list[Entry]] = {}
    for document_id, made in entries:
        for entry in made:
            found.setdefault(entry.key, []).append((document_id, entry))
    return found


# Keys --------------------------------------------------------------------------------


def sign_key(name: str) -> str:
    """The key of a name, its signs if it has neither letters nor digits.

    >>> sign_key("Water-Glass"), sign_key("🍀")
    ('waterglass', '🍀')
    """
    return compact_key(name) or name.strip().casefold()


def stem_key(stem: str) -> str:
    """The key of a file name; no question can hit it, and no typo search sees it."""
    return f"≡{sign_key(stem)}"


def stem_entry(document: Document) -> AliasEntry:
    """The entry by which links find a note's file."""
    return AliasEntry(stem_key(document.stem), STEM, document.stem)


@lru_cache(maxsize=1 << 14)
def target_keys(target: Target) -> tuple[str, ...]:
    """Every key that decides which note a target means.

    >>> target_keys(Target("notes/Water Glass.md")), target_keys(Target("TCP/IP"))
    (('≡waterglass', 'noteswaterglass'), ('≡ip', 'tcpip'))
    """
    spelled = _spelled(target)
    keys = [stem_key(spelled.last)]
    if spelled.is_folder:
        keys += FOLDER_KEYS
    if name := spelled.name:
        keys.append(compact_key(name))
    return tuple(key for key in dict.fromkeys(keys) if key)


FOLDER_KEYS = tuple(stem_key(name) for name in FOLDER_NOTES)


@dataclass(frozen=True, slots=True)
class _Spelled:
    """A target taken apart.

    Attributes:
        path: Without ending, ``/`` between its parts, none at its ends.
        last: The last part of the path.
        name: What a title or an alias may be compared with; empty for a file's address.
        is_absolute: It begins at the workspace.
        is_folder: It may mean a folder's own note.
    """

    path: str
    last: str
    name: str
    is_absolute: bool
    is_folder: bool


@lru_cache(maxsize=1 << 14)
def _spelled(target: Target) -> _Spelled:
    is_link = target.kind is LinkKind.MARKDOWN
    name = target.name.strip()
    path = (name.replace("\\", "/") if is_link else name).strip("/")
    bare = _without_ending(path)
    last = bare.rpartition("/")[2]
    is_absolute, ends_open = name.startswith("/"), name.endswith("/")
    is_file = is_link and "/" in bare  # one that is not there is not another one elsewhere
    is_page = is_link and (is_absolute or ends_open)  # a web site finds it by its last part
    return _Spelled(
        path=bare,
        last=last,
        name=last if is_page else ("" if is_file else bare),
        is_absolute=is_absolute,
        is_folder=is_link and (ends_open or (bare == path and "." not in last)),
    )


def _without_ending(path: str) -> str:
    folded = path.casefold()
    for ending in ENDINGS:
        if folded.endswith(ending):
            return path[: -len(ending)]
    return path


# Finding -----------------------------------------------------------------------------


def find(target: Target, user: DocumentId, names: Names) -> DocumentId | None:
    """The note that a target means in the note ``user``, or ``None``.

    In this order: the note at the very path; the notes whose path ends so, in the same
    letters, then in any case; those whose title or alias is spelled so; those whose key
    is the same. Among several the nearest is meant, as in Obsidian.
    """
    if not target.name:
        return user
    spelled = _spelled(target)
    keys = [key for key in target_keys(target) if key.startswith("≡")]
    paths = {note: _without_ending(note) for key in keys for note in names.files(key)}
    if paths and (note := _at(spelled, target, user, paths)) is not None:
        return note
    return named(spelled.name, names.called(spelled.name), user) if spelled.name else None


def _at(
    spelled: _Spelled, target: Target, user: DocumentId, paths: Mapping[DocumentId, str]
) -> DocumentId | None:
    """The note among these that stands where a target says, or ends as it does."""
    for wanted in _places(spelled, target, user):
        if at := [note for note, path in paths.items() if path == wanted]:
            return min(at)
    for fold in (str, str.casefold):
        wanted = fold(f"/{spelled.path}")
        if near := [n for n, path in paths.items() if fold(f"/{path}").endswith(wanted)]:
            return nearest(near, user)
    return None


def named(name: str, entries: Sequence[Entry], user: DocumentId) -> DocumentId | None:
    """The note among those of one key that a name means in the note ``user``."""
    for fold in (str, str.casefold):
        if same := {note for note, entry in entries if fold(entry.surface) == fold(name)}:
            return nearest(same, user)
    return nearest({note for note, _ in entries}, user) if entries else None


def nearest(notes: Collection[DocumentId], user: DocumentId) -> DocumentId:
    """The note fewest folders away; of equals the one higher up, then the first by path."""
    if len(notes) == 1:
        return next(iter(notes))
    here = user.split("/")[:-1]
    return min(notes, key=lambda note: (_steps(here, note.split("/")[:-1]), len(note), note))


def _steps(here: list[str], there: list[str]) -> int:
    shared = 0
    for one, other in zip(here, there, strict=False):
        if one != other:
            break
        shared += 1
    return len(here) + len(there) - 2 * shared


def _places(spelled: _Spelled, target: Target, user: DocumentId) -> list[str]:
    """The paths, without ending, at which a target would stand, best first."""
    relative = _joined(user.rpartition("/")[0] or ".", spelled.path)
    if target.kind is LinkKind.MARKDOWN and not spelled.is_absolute:
        bases = [relative, spelled.path]
    elif target.name.startswith(("./", "../")):
        bases = [relative]
    else:
        bases = [spelled.path]
    found = []
    for base in bases:
        if base is not None:
            found.append(base)
            found += _folder_notes(base) if spelled.is_folder else []
    return found


def _folder_notes(folder: str) -> list[str]:
    inside = f"{folder}/" if folder not in {"", "."} else ""
    return [inside + name for name in (*FOLDER_NOTES, "README", "Index")]


def _joined(folder: str, path: str) -> str | None:
    """A path from a folder, ``None`` if it climbs out of the workspace."""
    whole = normpath(f"{folder}/{path}")
    return None if whole == ".." or whole.startswith("../") else whole


# Sections ----------------------------------------------------------------------------


def section(document: Document, target: Target) -> AtomId:
    """The section that a target names in a note, its root if there is none of that name."""
    if target.block_id:
        for atom in document.atoms:
            if any(passage.block_id == target.block_id for passage in atom.passages):
                return atom.id
    wanted = target.heading.rpartition("#")[2]
    if wanted:
        key = sign_key(wanted)
        for atom in document.atoms:
            if atom.title and sign_key(atom.title) == key:
                return atom.id
    return document.atoms[0].id
