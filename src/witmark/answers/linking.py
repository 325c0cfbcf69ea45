"""From what a note says to edges between atoms, once it is known which notes are meant.

A relation joins the notes' root atoms, unless the author named a section or wrote the link
in one. Every edge here is the author's own statement; what is merely mentioned is found in
``mentions``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Protocol

from witmark.answers.atoms import AtomId, Document, DocumentId, SpanId
from witmark.answers.edges import (
    Provenance,
    RelationEdge,
    RelationKind,
    TemporalEdge,
    TemporalKind,
    edge_id,
)
from witmark.answers.names import ENDINGS, SECTIONS, target_keys
from witmark.answers.notes import ParsedNote
from witmark.answers.statements import Statement, Target, listed_names, statements
from witmark.kernel.evidence import TextRange

IN_ORDER = 0.5
"""Edge confidence of a note's own order: written so, but not as an order of learning."""

MOST_SPANS = 8
"""Of the places that say the same, the first ones are kept."""

ATTACHMENTS = frozenset(
    f".{ending}"
    for ending in (
        *("avif", "bmp", "gif", "heic", "ico", "jpeg", "jpg", "png", "svg", "tif", "webp"),
        *("flac", "m4a", "mp3", "ogg", "wav", "webm", "3gp", "mkv", "mov", "mp4", "ogv"),
        *("pdf", "canvas", "base", "csv", "xlsx", "xls", "docx", "doc", "pptx", "ppt", "txt"),
        *("py", "java", "c", "cpp", "h", "rs", "js", "ts", "css", "sh", "sql", "ipynb"),
        *("json", "xml", "yml", "yaml", "toml", "zip"),
    )
)
"""A link to such a file is no link to a note, whether the file is there or not."""


class Lookup(Protocol):
    """Knows which note and section a target means."""

    def find(self, target: Target, user: DocumentId) -> DocumentId | None:
        """The note meant in the note ``user``, or ``None``."""

    def section(self, document_id: DocumentId, target: Target) -> AtomId:
        """The section meant in a note, its root if there is none of that name."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A link that means no note of the workspace."""

    document_id: DocumentId
    name: str
    span_id: SpanId


@dataclass(frozen=True, slots=True)
class Links:
    """Everything the author of one note says about how it hangs together.

    Attributes:
        edges: Relations, the note's own order among them, sorted by id.
        temporal: Its window and what it replaces, sorted by id.
        unresolved: Links that mean no note, in source order.
        uses: The keys of every name it links by, and the notes into whose sections it links.
        joined: The pairs of an atom of this note and another note that are joined so.
        to_itself: Where it says that it comes before, replaces or is like itself.
    """

    edges: tuple[RelationEdge, ...]
    temporal: tuple[TemporalEdge, ...]
    unresolved: tuple[Unresolved, ...]
    uses: frozenset[str]
    joined: frozenset[tuple[AtomId, DocumentId]]
    to_itself: tuple[Unresolved, ...] = ()


def link(document: Document, parsed: ParsedNote, lookup: Lookup) -> Links:
    """Return the edges that a note states."""
    return join(document, statements(document, parsed), lookup)


def join(document: Document, said: Iterable[Statement], lookup: Lookup) -> Links:
    """Return the edges of statements that were read from a note before."""
    book = _Book(document, lookup)
    for statement in said:
        book.take(statement)
    edges = _merged([*book.edges, *_own_order(document)])
    temporal = {edge.id: edge for edge in [*book.temporal, *_window(document)]}
    return Links(
        edges,
        tuple(temporal[key] for key in sorted(temporal)),
        tuple(book.unresolved),
        frozenset(book.uses),
        frozenset(book.joined),
        tuple(book.to_itself),
    )


class _Book:
    """The statements of one note, as they become edges."""

    def __init__(self, document: Document, lookup: Lookup) -> None:
        self._document, self._lookup = document, lookup
        self.edges: list[RelationEdge] = []
        self.temporal: list[TemporalEdge] = []
        self.unresolved: list[Unresolved] = []
        self.to_itself: list[Unresolved] = []
        self.uses: set[str] = set()
        self.joined: set[tuple[AtomId, DocumentId]] = set()

    def take(self, said: Statement) -> None:
        """Turn a statement into an edge for every note it means."""
        whole = said.target
        if whole.name:
            self.uses.update(target_keys(whole))
        note = self._lookup.find(whole, self._document.id)
        if note is not None:
            self._join(said, whole, note)
            return
        parts = listed_names(whole.name) if whole.kind is None else []
        for name in parts if len(parts) > 1 else []:
            self.take(replace(said, target=Target(name)))
        if whole.kind is not None and not _is_attachment(whole.name):
            self.unresolved.append(
                Unresolved(self._document.id, whole.name, span_id(self._document, said.range))
            )

    def _join(self, said: Statement, target: Target, note: DocumentId) -> None:
        other = self._place(target, note)
        ends = (other, said.atom_id) if said.comes_from else (said.atom_id, other)
        if note == self._document.id and (ends[0] == ends[1] or not _names_a_place(target)):
            if said.kind is not RelationKind.REFERENCE:
                place = span_id(self._document, said.range)
                self.to_itself.append(Unresolved(self._document.id, target.name, place))
            return
        self.joined.add((said.atom_id, note))
        if isinstance(said.kind, RelationKind):
            self.edges.append(_relation(self._document, said, said.kind, ends))
        else:
            self.temporal.append(_temporal(self._document, said.kind, ends))

    def _place(self, target: Target, note: DocumentId) -> AtomId:
        if not _names_a_place(target):
            return AtomId(f"{note}#")
        if note != self._document.id:
            self.uses.add(SECTIONS + note)
        return self._lookup.section(note, target)


def _names_a_place(target: Target) -> bool:
    return bool(target.heading or target.block_id)


def _is_attachment(name: str) -> bool:
    suffix = PurePosixPath(name.rstrip("/")).suffix.casefold()
    return suffix not in ENDINGS and suffix in ATTACHMENTS


def _relation(
    document: Document, said: Statement, kind: RelationKind, ends: tuple[AtomId, AtomId]
) -> RelationEdge:
    source, target = ends
    return RelationEdge(
        id=edge_id(document.id, source, target, kind),
        source=source,
        target=target,
        kind=kind,
        provenance=Provenance.FACT,
        edge_confidence=said.edge_confidence,
        span_ids=(span_id(document, said.range),),
        valid_from="",
        valid_to="",
        owner=document.id,
    )


def _temporal(
    document: Document, kind: TemporalKind, ends: tuple[AtomId, AtomId]
) -> TemporalEdge:
    """A replacement holds from the day its new note does, where that note says so itself."""
    source, target = ends
    is_ours = source.startswith(f"{document.id}#")
    return TemporalEdge(
        id=edge_id(document.id, source, target, kind),
        source=source,
        target=target,
        kind=kind,
        valid_from=document.valid_from if is_ours else "",
        valid_to="",
        source_document_hash=document.source_hash,
        owner=document.id,
    )


def _window(document: Document) -> Iterator[TemporalEdge]:
    """The window in which a note holds, if it states one."""
    if document.valid_from or document.valid_to:
        root = document.atoms[0].id
        yield TemporalEdge(
            id=edge_id(document.id, root, root, TemporalKind.VALIDITY_WINDOW.value),
            source=root,
            target=root,
            kind=TemporalKind.VALIDITY_WINDOW,
            valid_from=document.valid_from,
            valid_to=document.valid_to,
            source_document_hash=document.source_hash,
            owner=document.id,
        )


def _own_order(document: Document) -> Iterator[RelationEdge]:
    """Each atom of a note leads to the next."""
    for before, after in zip(document.atoms, document.atoms[1:], strict=False):
        spans: tuple[SpanId, ...] = ()
        if after.passages:
            first = after.passages[0]
            spans = (SpanId(f"{document.id}@{first.source_start}-{first.source_end}"),)
        yield RelationEdge(
            id=edge_id(document.id, before.id, after.id, RelationKind.SEQUENCE),
            source=before.id,
            target=after.id,
            kind=RelationKind.SEQUENCE,
            provenance=Provenance.FACT,
            edge_confidence=IN_ORDER,
            span_ids=spans,
            valid_from="",
            valid_to="",
            owner=document.id,
        )


def _merged(edges: Iterable[RelationEdge]) -> tuple[RelationEdge, ...]:
    """One edge for all that say the same: the surest, with every place that says so."""
    found: dict[str, RelationEdge] = {}
    for edge in edges:
        if (other := found.get(edge.id)) is not None:
            spans = tuple(dict.fromkeys((*other.span_ids, *edge.span_ids)))[:MOST_SPANS]
            surest = max(other.edge_confidence, edge.edge_confidence)
            edge = replace(edge, span_ids=spans, edge_confidence=surest)  # noqa: PLW2901 - the edge that both became
        found[edge.id] = edge
    return tuple(found[key] for key in sorted(found))


def span_id(document: Document, place: TextRange) -> SpanId:
    """Name a place of a note."""
    return SpanId(f"{document.id}@{place.start}-{place.end}")
