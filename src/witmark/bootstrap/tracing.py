"""From a citation to what it points at, wherever its blob lies."""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from witmark.adapters.disk import PosixDisk
from witmark.bootstrap.home import homes
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import (
    DigestMismatchError,
    GarbledRecordError,
    NoSuchFolderError,
    NothingThereError,
)
from witmark.kernel.evidence import EvidenceRef, Node, Passage, Whole, in_context, parse_ref
from witmark.kernel.publish import MANIFEST_NAME, read_sealed
from witmark.kernel.store import BlobStore, blob_path

MOST_SHOWN_CHARS = 4000
"""A whole blob is shown up to here; the rest is counted, not printed."""


def trace(text: str, folder: Path | None) -> str:
    """What a citation points at, with its surroundings, as text for a terminal.

    A folder that was not named and whose manifest is somebody else's is passed over.

    Raises:
        RefError: not a citation.
        NoSuchFolderError: the folder named is not there.
        GarbledRecordError: the folder named is no report, or its manifest was edited.
        NothingThereError: no report folder here holds the blob, or it ends before the place.
        DigestMismatchError: the blob is there, but its bytes are other ones now.
    """
    ref = parse_ref(text)
    if folder is not None and not folder.is_dir():
        raise NoSuchFolderError(str(folder))
    name, blob = _found(ref, folder)
    return f"{name}\n{_shown(ref, blob)}"


def _found(ref: EvidenceRef, folder: Path | None) -> tuple[Path, bytes]:
    looked = []
    for place in _places(folder):
        disk = PosixDisk(place)
        try:
            names = read_sealed(disk)
        except GarbledRecordError:
            if place == folder:
                raise
            looked.append(f"{place}, whose {MANIFEST_NAME} is not one of ours")
            continue
        looked.append(str(place))
        for name, digest in names.items():
            if digest == ref.blob and (blob := disk.read(name)) is not None:
                if (found := digest_of(blob)) != ref.blob:
                    raise DigestMismatchError(ref.blob, found)
                return place / name, blob
    if (kept := _cited(ref.blob) or _of_a_case(ref.blob)) is not None:
        return kept
    raise NothingThereError(
        f"no report folder and no case has this blob (looked in {', '.join(looked) or 'none'})",
        place=ref.blob,
        hint="say where the report lies: witmark trace REF --in FOLDER",
    )


def _cited(blob: Digest) -> tuple[Path, bytes] | None:
    """A source that an answer cited, as it was then."""
    for home in homes():
        with contextlib.suppress(KeyError):
            return home / blob_path(blob), BlobStore(PosixDisk(home)).get(blob)
    return None


def _of_a_case(blob: Digest) -> tuple[Path, bytes] | None:
    """A file of a case package that a finding cites."""
    from witmark.bootstrap.case_packages import blob_of_a_case  # noqa: PLC0415 - a desk's code, loaded where it is asked for

    return blob_of_a_case(blob)


def _places(folder: Path | None) -> Iterator[Path]:
    """Report folders: the one given, the current one and those in it, then the home."""
    given = [] if folder is None else [folder]
    home = os.environ.get("WITMARK_HOME")
    seen: set[Path] = set()
    for root in [*given, Path.cwd(), *([Path(home)] if home else [])]:
        inside = sorted(root.glob("*.witmark*")) if root.is_dir() else []
        for place in [root, *inside]:
            if place.resolve() not in seen and (place / MANIFEST_NAME).is_file():
                seen.add(place.resolve())
                yield place


def _shown(ref: EvidenceRef, blob: bytes) -> str:
    match in_context(blob, ref.at):
        case Passage(before, hit, after, line):
            return f"line {line}:\n{before}>>>{hit}<<<{after}"
        case Node(path, value, parents):
            return "\n".join([*_parents(parents), f"{path or '/'} = {_pretty(value)}"])
        case Whole(kind, size, text):
            return f"{kind}, {size} bytes" + (f"\n{_cut(text)}" if text else "")


def _parents(parents: tuple[tuple[str, object], ...]) -> Iterator[str]:
    """The plain values that stand beside each step on the way: names, kinds, numbers."""
    for path, value in parents[1:]:
        if isinstance(value, dict):
            plain = {k: v for k, v in value.items() if not isinstance(v, dict | list)}
            if plain:
                yield f"{path}: {_cut(json.dumps(plain, ensure_ascii=False))}"


def _pretty(value: object) -> str:
    return _cut(json.dumps(value, ensure_ascii=False, indent=2))


def _cut(text: str) -> str:
    if len(text) <= MOST_SHOWN_CHARS:
        return text
    return f"{text[:MOST_SHOWN_CHARS]}\n... {len(text) - MOST_SHOWN_CHARS} more characters"
