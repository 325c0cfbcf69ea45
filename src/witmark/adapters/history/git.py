"""Commits of a Git folder, from the bytes of its files (dulwich; nothing is run)."""

import io
import zlib
from collections.abc import Iterator, Mapping, Sequence

from dulwich.errors import (
    ApplyDeltaError,
    ChecksumMismatch,
    FileFormatException,
    NotCommitError,
    NotTreeError,
    ObjectFormatException,
)
from dulwich.object_format import DEFAULT_OBJECT_FORMAT
from dulwich.objects import Commit as GitCommit
from dulwich.objects import ObjectID, ShaFile, Tag, Tree
from dulwich.pack import Pack, PackData, load_pack_index_file

from witmark.diagnosis.ports import Commit, UnreadableHistoryError

MOST_BYTES = 8 * 1024 * 1024  # of one commit or tree
MOST_PATHS = 500  # that one commit touches
MOST_MESSAGE = 400  # characters

_BROKEN = (
    ApplyDeltaError,
    AssertionError,  # how the library refuses some broken packs
    ChecksumMismatch,
    EOFError,
    FileFormatException,
    IndexError,
    KeyError,
    NotCommitError,
    NotTreeError,
    ObjectFormatException,
    RecursionError,
    ValueError,
    zlib.error,
)


class GitHistory:
    """Keeps the promises of ``History`` for Git folders whose objects are all there."""

    def commits(self, files: Mapping[str, bytes], *, most: int) -> Sequence[Commit]:
        """The first-parent history from the checked-out commit, newest first."""
        try:
            return tuple(_walk(_Objects(files), _refs(files), most))
        except _BROKEN as error:
            raise UnreadableHistoryError(f"it cannot be read: {error!r}"[:200]) from error


class _Objects:
    """Objects by name, loose or packed; large ones are refused before they are unpacked."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._packs = [
            (_pack(raw, files[name.removesuffix(".pack") + ".idx"]), raw)
            for name, raw in sorted(files.items())
            if name.startswith("objects/pack/") and name.endswith(".pack")
        ]

    def get(self, name: ObjectID) -> ShaFile:
        text = name.decode("ascii")
        loose = self._files.get(f"objects/{text[:2]}/{text[2:]}")
        if loose is not None:
            return ShaFile.from_file(io.BytesIO(loose), max_size=MOST_BYTES)
        for pack, raw in self._packs:
            if name in pack:
                _check_size(raw, pack.index.object_offset(name))
                return ShaFile.from_raw_string(*pack.get_raw(name))
        raise KeyError(text)


def _pack(data: bytes, index: bytes) -> Pack:
    form = DEFAULT_OBJECT_FORMAT
    return Pack.from_objects(
        PackData.from_file(io.BytesIO(data), form, len(data)),
        load_pack_index_file("", io.BytesIO(index), form),
    )


def _check_size(raw: bytes, offset: int) -> None:
    """Read the size that a packed entry declares; the library holds it to that."""
    size, shift = raw[offset] & 15, 4
    while raw[offset] & 0x80:
        offset += 1
        size |= (raw[offset] & 0x7F) << shift
        shift += 7
    if size > MOST_BYTES:
        raise ValueError(f"an object of {size} bytes")


def _refs(files: Mapping[str, bytes]) -> dict[str, ObjectID]:
    found: dict[str, ObjectID] = {}
    for line in files.get("packed-refs", b"").decode("utf-8", "replace").splitlines():
        value, _, name = line.partition(" ")
        if name.startswith("refs/"):
            found[name.strip()] = ObjectID(value.encode())
    for path, raw in files.items():
        if path.startswith("refs/") and len(raw) < 200:
            found[path] = ObjectID(raw.strip())
    head = files["HEAD"].decode("utf-8", "replace").strip()
    target = head.removeprefix("ref: ")
    found["HEAD"] = found[target] if head.startswith("ref: ") else ObjectID(head.encode())
    return found


def _walk(objects: _Objects, refs: Mapping[str, ObjectID], most: int) -> Iterator[Commit]:
    tags: dict[ObjectID, list[str]] = {}
    for name, target in sorted(refs.items()):
        if name.startswith("refs/tags/"):
            meant = _peeled(objects, target)
            tags.setdefault(meant, []).append(name.removeprefix("refs/tags/"))
    at: ObjectID | None = refs["HEAD"]
    for _ in range(most):
        if at is None:
            return
        commit = _commit(objects, at)
        parent = commit.parents[0] if commit.parents else None
        before = _commit(objects, parent).tree if parent is not None else None
        paths = sorted(set(_changed(objects, before, commit.tree, "")))[:MOST_PATHS]
        yield Commit(
            at.decode("ascii"),
            int(commit.commit_time),
            _text(commit.author),
            _text(commit.message)[:MOST_MESSAGE],
            tuple(paths),
            tuple(tags.get(at, ())),
        )
        at = parent


def _peeled(objects: _Objects, name: ObjectID) -> ObjectID:
    """What a tag means in the end: an annotated one is an object that names another."""
    found = objects.get(name)
    return _peeled(objects, found.object[1]) if isinstance(found, Tag) else name


def _commit(objects: _Objects, name: ObjectID) -> GitCommit:
    found = objects.get(name)
    if not isinstance(found, GitCommit):
        raise NotCommitError(name)
    return found


def _changed(
    objects: _Objects, old: ObjectID | None, new: ObjectID | None, above: str
) -> Iterator[str]:
    """Paths that differ between two trees; what is equal is not opened."""
    if old == new:
        return
    before, after = _entries(objects, old), _entries(objects, new)
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        path = f"{above}{_text(name)}"
        folders = [one[1] if one and one[0] == _FOLDER else None for one in (was, now)]
        if any(folders):
            yield from _changed(objects, folders[0], folders[1], f"{path}/")
        if any(one and one[0] != _FOLDER for one in (was, now)):
            yield path


_FOLDER = 0o040000


def _entries(objects: _Objects, name: ObjectID | None) -> dict[bytes, tuple[int, ObjectID]]:
    if name is None:
        return {}
    tree = objects.get(name)
    if not isinstance(tree, Tree):
        raise NotTreeError(name)
    return {one.path: (one.mode, one.sha) for one in tree.iteritems()}


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip()
