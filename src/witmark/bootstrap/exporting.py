"""Export bundles on disk: written once, and proved by importing and exporting again."""

from pathlib import Path
from tempfile import TemporaryDirectory

from witmark.adapters.disk import PosixDisk
from witmark.adapters.sqlite import SqliteLibrary, SqliteShelf
from witmark.answers import exporting
from witmark.answers import plain_fields as fields
from witmark.answers.importing import import_bundle, parse_bundle, put_into
from witmark.answers.reading import entries_of_note, terms_of
from witmark.answers.runs import parse_run
from witmark.bootstrap.answering import AnswersRoom
from witmark.bootstrap.reviewing import read_source
from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.errors import AlreadyThereError, ReplayDiffersError, UnreadableSourceError


def write_bundle(place: Path, bundle: bytes) -> None:
    """Write a bundle where nothing is yet.

    Raises:
        AlreadyThereError: something is there; it is left alone.
        DiskError: the disk refuses.
    """
    try:
        PosixDisk(place.parent).write_new(place.name, bundle)
    except FileExistsError as error:
        hint = "give --out a file that does not exist"
        raise AlreadyThereError(str(place), hint=hint) from error


def restore_bundle(place: Path, room: AnswersRoom) -> str:
    """Put a bundle into a workspace of which nothing is kept; return the bundle's hash.

    The sources that its runs cite are kept again, where the bundle still holds them.

    Raises:
        UnreadableSourceError: it cannot be read, or is plainly no bundle.
        IntegrityError: it was changed.
        AlreadyThereError: something is kept of the workspace; nothing was written.
    """
    raw = _read(place)
    if not raw.lstrip().startswith(b"{"):
        raise UnreadableSourceError(
            str(place), "it is no bundle; `witmark export` writes those"
        )
    manifest = fields.part(parse_bundle(raw, place=str(place)), "manifest")
    imported = import_bundle(raw, terms=terms_of, names=entries_of_note)
    put_into(imported, room.library, room.shelf)
    cited = {
        fields.text(citation, "sourceHash")
        for name, record in imported.runs
        for citation, _ in fields.parts(parse_run(record, name), "citations")
    }
    for kept in imported.change.upserted:
        if kept.document.source_hash in cited:
            room.blobs.put(kept.document.text.encode())
    return fields.text(manifest, "deterministicHash")


def verify_bundle(place: Path) -> str:
    """Import a bundle into an empty library and export it again; return its hash.

    Raises:
        UnreadableSourceError: it cannot be read.
        DigestMismatchError: it does not hold what its hash says.
        ReplayDiffersError: it exports to other bytes.
    """
    raw = _read(place)
    bundle = parse_bundle(raw, place=str(place))
    manifest = fields.part(bundle, "manifest")
    with TemporaryDirectory(prefix="witmark-bundle-") as folder:
        library = SqliteLibrary(Path(folder) / "library.sqlite3")
        shelf = SqliteShelf(Path(folder) / "runs.sqlite3")
        put_into(import_bundle(raw, terms=terms_of, names=entries_of_note), library, shelf)
        again = exporting.export_bundle(
            exporting.Workspace(
                fields.text(manifest, "workspaceId"),
                fields.text(manifest, "corpusId"),
                fields.part(bundle, "readiness"),
            ),
            library,
            shelf,
            generated_at=fields.text(manifest, "generatedAt"),
        )
        library.close()
        shelf.close()
    exported = canonical_json(again)
    if exported != raw:
        raise ReplayDiffersError(str(place), digest_of(raw), digest_of(exported))
    return fields.text(manifest, "deterministicHash")


def _read(place: Path) -> bytes:
    try:
        return read_source(place)
    except UnreadableSourceError as error:
        error.hint = "give a bundle that `witmark export` wrote"
        raise
