"""A note that moved: the same note, atoms and edges under their new names.

What its new path changes beyond names (a title taken from the file, a link that resolves
otherwise) is for the ingest to find out; this keeps what others say about it pointing at it.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from witmark.answers.atoms import (
    AtomId,
    Document,
    DocumentId,
    EdgeId,
    SpanId,
    atom_id,
    corpus_of,
)
from witmark.answers.edges import RelationEdge, TemporalEdge, edge_id

Moves = Mapping[str, str]
"""Paths of notes, old to new."""

Names = Mapping[AtomId, AtomId]
"""Atom ids, old to new, those of atoms that do not exist included."""


def moved_document(document: Document, path: DocumentId) -> Document:
    """Return the same note at another path."""
    atoms = tuple(
        replace(atom, id=atom_id(path, atom.stable_key), document_id=path, source_path=path)
        for atom in document.atoms
    )
    return replace(
        document, id=path, stem=PurePosixPath(path).stem, corpus=corpus_of(path), atoms=atoms
    )


def moved_relation(edge: RelationEdge, moves: Moves, names: Names) -> RelationEdge:
    """Return the edge with owner, ends and spans renamed, and the id that follows."""
    owner, source, target, name = _renamed(edge, moves, names)
    spans = tuple(_moved_span(span, moves) for span in edge.span_ids)
    return replace(edge, id=name, owner=owner, source=source, target=target, span_ids=spans)


def moved_temporal(edge: TemporalEdge, moves: Moves, names: Names) -> TemporalEdge:
    """Return the edge with owner and ends renamed, and the id that follows."""
    owner, source, target, name = _renamed(edge, moves, names)
    return replace(edge, id=name, owner=owner, source=source, target=target)


def _renamed(
    edge: RelationEdge | TemporalEdge, moves: Moves, names: Names
) -> tuple[str, AtomId, AtomId, EdgeId]:
    owner = moves.get(edge.owner, edge.owner)
    source, target = names.get(edge.source, edge.source), names.get(edge.target, edge.target)
    same = (owner, source, target) == (edge.owner, edge.source, edge.target)
    name = edge.id if same else edge_id(owner, source, target, edge.kind.value)
    return owner, source, target, name


def _moved_span(span: SpanId, moves: Moves) -> SpanId:
    document, at, place = span.rpartition("@")
    return SpanId(f"{moves.get(document, document)}{at}{place}")
