"""A bundle is read back: checked whole first, then put into an empty library and shelf.

Tokens and names are not in a bundle, since they can be made again; the caller says how, so
that an import and an ingest index a note alike.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from witmark.answers import plain_fields as fields
from witmark.answers.atoms import Document, DocumentId, KnowledgeAtom
from witmark.answers.edges import OWNER_IMPORT, RelationEdge, TemporalEdge
from witmark.answers.exporting import SCHEMA, bundle_hash
from witmark.answers.graph_records import (
    atom_from_plain,
    document_from_plain,
    relation_from_plain,
    temporal_from_plain,
)
from witmark.answers.plain_fields import Fields
from witmark.answers.ports import (
    AliasEntry,
    AtomTerms,
    Change,
    Library,
    NoteFailure,
    Record,
    RunShelf,
    Stamp,
)
from witmark.answers.runs import parse_run
from witmark.kernel.canon import canonical_json, read_canonical
from witmark.kernel.errors import AlreadyThereError, DigestMismatchError, GarbledRecordError

E = TypeVar("E", RelationEdge, TemporalEdge)
Terms = Callable[[Document], tuple[AtomTerms, ...]]
Names = Callable[[Document], tuple[AliasEntry, ...]]

CHANGED = "the bundle was changed since it was written; use a copy of it, or export again"


@dataclass(frozen=True, slots=True)
class Imported:
    """What a bundle holds, as values; nothing has been written yet.

    Attributes:
        change: All notes with the edges they own, the failures and the order-breaking marks.
        edges: Per owner ``import:NAME`` its relations and temporal edges, sorted by owner.
        runs: Ids and records, oldest first.
        sessions: Ids and states.
    """

    change: Change
    edges: tuple[tuple[str, tuple[RelationEdge, ...], tuple[TemporalEdge, ...]], ...]
    runs: tuple[tuple[str, bytes], ...]
    sessions: tuple[tuple[str, bytes], ...]


def parse_bundle(raw: bytes, *, place: str = "bundle") -> Fields:
    """Read a bundle's bytes and hold it to its hash.

    Absent optional fields and fields we do not know are fine.

    Raises:
        GarbledRecordError: it is not a bundle, or of another format.
        DigestMismatchError: it does not hold what its hash says.
    """
    bundle = fields.fields_of(read_canonical(raw, place=place), place)
    manifest = fields.part(bundle, "manifest", place)
    if fields.text(manifest, "schema", place) != SCHEMA:
        raise GarbledRecordError(f"not a {SCHEMA}", place=place)
    wanted = fields.text(manifest, "deterministicHash", place)
    if (found := bundle_hash(bundle)) != wanted:
        raise DigestMismatchError(wanted, found, place=place, hint=CHANGED)
    return bundle


def import_bundle(raw: bytes, *, terms: Terms, names: Names) -> Imported:
    """Read a bundle into values.

    Args:
        raw: Its bytes.
        terms: Makes the tokens of a note's atoms.
        names: Makes the keys under which a note can be named.

    Raises:
        IntegrityError: it was changed, or does not read as a bundle.
    """
    bundle = parse_bundle(raw)
    graph, runtime = fields.part(bundle, "graph"), fields.part(bundle, "runtime")
    relations = [relation_from_plain(*one) for one in fields.parts(graph, "relationEdges")]
    temporal = [temporal_from_plain(*one) for one in fields.parts(graph, "temporalEdges")]
    documents = _documents(bundle, graph)
    uses = {
        DocumentId(fields.text(one, "id", place)): fields.strings(one, "referenceKeys", place)
        for one, place in fields.parts(bundle, "resources")
    }
    records = tuple(
        Record(
            document=one,
            stamp=Stamp(one.source_hash, len(one.text.encode()), 0),
            terms=terms(one),
            aliases=names(one),
            edges=_owned(one.id, relations),
            temporal=_owned(one.id, temporal),
            uses=uses[one.id],
        )
        for one in documents
    )
    breaking = frozenset(edge.id for edge in relations if edge.breaks_order)
    failures = _failures(fields.part(bundle, "index"))
    owned = {edge.owner for edge in relations} | {edge.owner for edge in temporal}
    owners = sorted(owner for owner in owned if owner.startswith(OWNER_IMPORT))
    return Imported(
        Change(upserted=records, failures=failures, order_breaking=breaking),
        tuple((name, _owned(name, relations), _owned(name, temporal)) for name in owners),
        tuple(_runs(runtime)),
        tuple(_sessions(runtime)),
    )


def put_into(imported: Imported, library: Library, shelf: RunShelf) -> None:
    """Write an import into a library and a shelf that hold nothing.

    Raises:
        AlreadyThereError: they hold something; nothing was written.
        OutsideError: the disk refuses, or another writer is at work.
    """
    if library.state().documents or shelf.run_ids() or list(shelf.session_ids()):
        hint = "import into a folder that nothing was asked of, or set $WITMARK_HOME elsewhere"
        raise AlreadyThereError("what is kept of the workspace", hint=hint)
    # Imported edges first: their marks are set with the notes, when all edges are there.
    for owner, relations, temporal in imported.edges:
        library.put_edges(owner, relations, temporal)
    library.apply(imported.change)
    for name, record in imported.runs:
        shelf.put_run(name, record)
    for name, state in imported.sessions:
        shelf.put_session(name, 0, state)


def _documents(bundle: Fields, graph: Fields) -> tuple[Document, ...]:
    atoms: dict[DocumentId, list[KnowledgeAtom]] = {}
    for one, place in fields.parts(graph, "atoms"):
        atom = atom_from_plain(one, place)
        atoms.setdefault(atom.document_id, []).append(atom)
    return tuple(
        document_from_plain(one, _in_order(atoms, fields.text(one, "id", place)), place)
        for one, place in fields.parts(bundle, "resources")
    )


def _in_order(
    atoms: dict[DocumentId, list[KnowledgeAtom]], name: str
) -> tuple[KnowledgeAtom, ...]:
    return tuple(sorted(atoms.get(DocumentId(name), []), key=lambda atom: atom.ordinal))


def _owned(owner: str, edges: Iterable[E]) -> tuple[E, ...]:
    return tuple(edge for edge in edges if edge.owner == owner)


def _failures(index: Fields) -> tuple[NoteFailure, ...]:
    return tuple(
        NoteFailure(
            fields.text(one, "sourcePath", place),
            fields.text(one, "code", place),
            fields.text(one, "detail", place),
        )
        for one, place in fields.parts(index, "failures")
    )


def _runs(runtime: Fields) -> Sequence[tuple[str, bytes]]:
    found = []
    for one, place in fields.parts(runtime, "workflowArtifacts"):
        if fields.text(one, "artifactType", place) != "knowledge_run":
            continue  # of a newer writer; nothing of ours to put on the shelf
        name = fields.text(one, "artifactId", place)
        record = canonical_json(dict(fields.part(one, "payload", place)))
        parse_run(record, name)
        found.append((name, record))
    return found


def _sessions(runtime: Fields) -> Sequence[tuple[str, bytes]]:
    return [
        (fields.text(state, "sessionId", place), canonical_json(dict(state)))
        for state, place in fields.parts(runtime, "sessionStates")
    ]
