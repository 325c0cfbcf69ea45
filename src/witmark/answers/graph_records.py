"""Notes and edges as plain data under the contract's names, and back again.

What is written is enough to make the same values again, offsets and all. A reader accepts
what an older writer left out and passes over what a newer one added.
"""

from enum import StrEnum
from typing import TypeVar

from witmark.answers import plain_fields as fields
from witmark.answers.atoms import (
    AtomId,
    Document,
    DocumentId,
    EdgeId,
    EvidenceSpan,
    KnowledgeAtom,
    Passage,
    Representation,
    SpanId,
    corpus_of,
)
from witmark.answers.edges import (
    Provenance,
    RelationEdge,
    RelationKind,
    TemporalEdge,
    TemporalKind,
)
from witmark.answers.notes import BlockKind, PlainText, Run
from witmark.answers.plain import Plain, span_plain
from witmark.answers.plain_fields import Fields
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import DigestMismatchError, GarbledRecordError

ATOM_VERSION = 1
E = TypeVar("E", bound=StrEnum)


# Spans -------------------------------------------------------------------------------


def span_to_plain(span: EvidenceSpan) -> Plain:
    """The span as everywhere, and ``createdAt``.

    That is null: a span is cut anew from the text that ``sourceHash`` names, and a clock
    would make two exports of one workspace differ.
    """
    return {**span_plain(span), "createdAt": None}


# Notes -------------------------------------------------------------------------------


def document_to_plain(document: Document) -> Plain:
    """A resource: ``id, sourcePath, title, stem, aliases, corpusId, language, sourceHash, text,
    validFrom, validTo, updatedAt``; the text is the file's, so its digest is ``sourceHash``.
    """  # noqa: D205 - a list of fields, not a summary
    return {
        "id": document.id,
        "sourcePath": document.id,
        "title": document.title,
        "stem": document.stem,
        "aliases": list(document.aliases),
        "corpusId": document.corpus,
        "language": document.language,
        "sourceHash": document.source_hash,
        "text": document.text,
        "validFrom": document.valid_from,
        "validTo": document.valid_to,
        "updatedAt": document.updated,
    }


def document_from_plain(one: Fields, atoms: tuple[KnowledgeAtom, ...], place: str) -> Document:
    """Make a note again.

    Raises:
        DigestMismatchError: the text is not the one that was hashed.
        GarbledRecordError: a field has the wrong kind.
    """
    name = fields.text(one, "id", place)
    source, source_hash = fields.text(one, "text", place), fields.text(one, "sourceHash", place)
    if (found := digest_of(source.encode())) != source_hash:
        raise DigestMismatchError(source_hash, found)
    return Document(
        id=DocumentId(name),
        title=fields.text(one, "title", place),
        stem=fields.text(one, "stem", place),
        aliases=fields.strings(one, "aliases", place),
        corpus=corpus_of(name),
        language=fields.text(one, "language", place) or "und",
        source_hash=Digest(source_hash),
        text=source,
        valid_from=fields.text(one, "validFrom", place),
        valid_to=fields.text(one, "validTo", place),
        updated=fields.text(one, "updatedAt", place),
        atoms=atoms,
    )


def atom_to_plain(atom: KnowledgeAtom, span_ids: list[str]) -> Plain:
    """``id, stableKey, documentId, sourcePath, title, documentTitle, content,
    representationType, keywords, evidenceSpanIds, createdAt, updatedAt, ordinal,
    metadata{sectionPath, version, sourceHash, language}``, and ``contentRuns`` (plain start,
    source start, length) and ``passages``, which place the content in the source. ``updatedAt``
    is the day that the note states, empty if it states none; ``createdAt`` is null, as a
    span's; ``version`` is that of the way atoms are cut.
    """  # noqa: D205 - a list of fields, not a summary
    return {
        "id": atom.id,
        "stableKey": atom.stable_key,
        "documentId": atom.document_id,
        "sourcePath": atom.source_path,
        "title": atom.title,
        "documentTitle": atom.document_title,
        "content": atom.content.text,
        "contentRuns": [[r.plain_start, r.source_start, r.length] for r in atom.content.runs],
        "passages": [_passage(one) for one in atom.passages],
        "representationType": atom.representation.value,
        "keywords": list(atom.keywords),
        "evidenceSpanIds": span_ids,
        "createdAt": None,
        "updatedAt": atom.updated,
        "ordinal": atom.ordinal,
        "metadata": {
            "sectionPath": list(atom.section_path),
            "version": ATOM_VERSION,
            "sourceHash": atom.source_hash,
            "language": atom.language,
        },
    }


def _passage(one: Passage) -> Plain:
    return {
        "kind": one.kind.value,
        "start": one.start,
        "end": one.end,
        "sourceStart": one.source_start,
        "sourceEnd": one.source_end,
        "level": one.level,
        "info": one.info,
        "blockId": one.block_id,
    }


def atom_from_plain(one: Fields, place: str) -> KnowledgeAtom:
    """Make an atom again.

    Raises:
        GarbledRecordError: a field has the wrong kind, or a kind is none of ours.
    """
    about = fields.part(one, "metadata", place)
    return KnowledgeAtom(
        id=AtomId(fields.text(one, "id", place)),
        stable_key=fields.text(one, "stableKey", place),
        document_id=DocumentId(fields.text(one, "documentId", place)),
        source_path=fields.text(one, "sourcePath", place),
        title=fields.text(one, "title", place),
        document_title=fields.text(one, "documentTitle", place),
        section_path=fields.strings(about, "sectionPath", place),
        content=PlainText(fields.text(one, "content", place), _runs(one, place)),
        passages=tuple(_passage_from(p, at) for p, at in fields.parts(one, "passages", place)),
        representation=_enum(Representation, one, "representationType", place),
        keywords=fields.strings(one, "keywords", place),
        language=fields.text(about, "language", place) or "und",
        source_hash=Digest(fields.text(about, "sourceHash", place)),
        updated=fields.text(one, "updatedAt", place),
        ordinal=fields.count(one, "ordinal", place),
    )


def _runs(one: Fields, place: str) -> tuple[Run, ...]:
    found = []
    for run in fields.items(one, "contentRuns", place):
        match run:
            case [int(plain), int(source), int(length)]:
                found.append(Run(plain, source, length))
            case _:
                raise GarbledRecordError(
                    "three numbers belong here", place=f"{place}/contentRuns"
                )
    return tuple(found)


def _passage_from(one: Fields, place: str) -> Passage:
    return Passage(
        kind=_enum(BlockKind, one, "kind", place),
        start=fields.count(one, "start", place),
        end=fields.count(one, "end", place),
        source_start=fields.count(one, "sourceStart", place),
        source_end=fields.count(one, "sourceEnd", place),
        level=fields.count(one, "level", place),
        info=fields.text(one, "info", place),
        block_id=fields.text(one, "blockId", place),
    )


# Edges -------------------------------------------------------------------------------


def relation_to_plain(edge: RelationEdge) -> Plain:
    """``id, sourceAtomId, targetAtomId, relationKind, provenance, confidence, evidenceSpanIds,
    temporal{validFrom, validTo}, owner, breaksOrder``.
    """  # noqa: D205 - a list of fields, not a summary
    return {
        "id": edge.id,
        "sourceAtomId": edge.source,
        "targetAtomId": edge.target,
        "relationKind": edge.kind.value,
        "provenance": edge.provenance.value,
        "confidence": edge.edge_confidence,
        "evidenceSpanIds": list(edge.span_ids),
        "temporal": {"validFrom": edge.valid_from, "validTo": edge.valid_to},
        "owner": edge.owner,
        "breaksOrder": edge.breaks_order,
    }


def relation_from_plain(one: Fields, place: str) -> RelationEdge:
    """Make a relation again."""
    time = fields.part(one, "temporal", place)
    return RelationEdge(
        id=EdgeId(fields.text(one, "id", place)),
        source=AtomId(fields.text(one, "sourceAtomId", place)),
        target=AtomId(fields.text(one, "targetAtomId", place)),
        kind=_enum(RelationKind, one, "relationKind", place),
        provenance=_enum(Provenance, one, "provenance", place),
        edge_confidence=fields.number(one, "confidence", place),
        span_ids=tuple(map(SpanId, fields.strings(one, "evidenceSpanIds", place))),
        valid_from=fields.text(time, "validFrom", place),
        valid_to=fields.text(time, "validTo", place),
        owner=fields.text(one, "owner", place),
        breaks_order=fields.flag(one, "breaksOrder", place),
    )


def temporal_to_plain(edge: TemporalEdge) -> Plain:
    """``id, sourceAtomId, targetAtomId, edgeKind, validFrom, validTo, sourceDocumentHash,
    owner, isActive``.
    """  # noqa: D205 - a list of fields, not a summary
    return {
        "id": edge.id,
        "sourceAtomId": edge.source,
        "targetAtomId": edge.target,
        "edgeKind": edge.kind.value,
        "validFrom": edge.valid_from,
        "validTo": edge.valid_to,
        "sourceDocumentHash": edge.source_document_hash,
        "owner": edge.owner,
        "isActive": edge.is_active,
    }


def temporal_from_plain(one: Fields, place: str) -> TemporalEdge:
    """Make a temporal edge again; whether it is active is the library's to find."""
    return TemporalEdge(
        id=EdgeId(fields.text(one, "id", place)),
        source=AtomId(fields.text(one, "sourceAtomId", place)),
        target=AtomId(fields.text(one, "targetAtomId", place)),
        kind=_enum(TemporalKind, one, "edgeKind", place),
        valid_from=fields.text(one, "validFrom", place),
        valid_to=fields.text(one, "validTo", place),
        source_document_hash=Digest(fields.text(one, "sourceDocumentHash", place)),
        owner=fields.text(one, "owner", place),
    )


def _enum(kind: type[E], one: Fields, name: str, place: str) -> E:
    value = fields.text(one, name, place)
    try:
        return kind(value)
    except ValueError as error:
        known = ", ".join(kind)
        raise GarbledRecordError(
            f"{value!r} is none of {known}", place=f"{place}/{name}"
        ) from error
