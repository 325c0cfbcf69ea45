"""The units an answer is made of: documents, atoms, and spans of source text.

A document is one note, an atom one section of it (or one code block, formula or diagram),
an evidence span one block with its exact place. Field names follow the contract on the
wire (``wire.py``); inside they are spelled the Python way.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, NewType

from witmark.answers.notes import BlockKind, PlainText
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import TextSpan

DocumentId = NewType("DocumentId", str)
"""The note's path below the workspace, with ``/`` on every system."""

AtomId = NewType("AtomId", str)
"""``<document id>#<stable key>``; changes when the note moves, the stable key does not."""

SpanId = NewType("SpanId", str)
"""``<document id>@<start>-<end>`` in code points."""

EdgeId = NewType("EdgeId", str)
"""A digest of owner, ends and kind: the same edge has the same id in every ingest."""


class Representation(StrEnum):
    """What an atom's content is (``representationType``)."""

    TEXT = "text"
    CODE = "code"
    FORMULA = "formula"
    MERMAID = "mermaid"


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """A place in a note's source, exact in code points, bytes, lines and columns.

    Attributes:
        id: Its name.
        document_id: The note.
        source_path: The note's path below the workspace.
        language: ``zh``, ``en`` and so on; ``und`` when nothing tells.
        span: Range and quote in code points; the quote is the source text, untouched.
        start_byte: Half-open range in the file's bytes.
        end_byte: Half-open range in the file's bytes.
        start_line: Counts from 1; a line ends at LF, CR LF or a lone CR.
        start_column: Counts code points from 1.
        end_line: The line of the last character.
        end_column: The column after the last character.
        prefix: Up to 32 code points before it, so that it can be found after an edit.
        suffix: Up to 32 code points after it.
        source_hash: SHA-256 of the file's bytes.
    """

    id: SpanId
    document_id: DocumentId
    source_path: str
    language: str
    span: TextSpan
    start_byte: int
    end_byte: int
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    prefix: str
    suffix: str
    source_hash: Digest


class Passage(NamedTuple):
    """A block of an atom: its place in the atom's plain text and in the source.

    Attributes:
        kind: What the block is.
        start: Half-open range in ``KnowledgeAtom.content.text``.
        end: Half-open range in ``KnowledgeAtom.content.text``.
        source_start: Half-open range of the whole block in the source, in code points.
        source_end: Half-open range of the whole block in the source, in code points.
        level: As in ``notes.Block``.
        info: As in ``notes.Block``.
        block_id: As in ``notes.Block``.
    """

    kind: BlockKind
    start: int
    end: int
    source_start: int
    source_end: int
    level: int = 0
    info: str = ""
    block_id: str = ""


@dataclass(frozen=True, slots=True)
class KnowledgeAtom:
    """A section of a note, or one code block, formula or diagram of it.

    Attributes:
        id: Its name.
        stable_key: Its name within the note: heading slugs joined by ``/``, numbered when
            repeated; ``""`` is the root atom, which stands for the note itself.
        document_id: The note.
        source_path: The note's path below the workspace.
        title: The nearest heading, or the note's title for the root atom.
        document_title: The note's title.
        section_path: Headings from the note's title down to this atom.
        content: Plain text of its passages, joined by a line feed, with its places.
        passages: Its blocks, in order.
        representation: What the content is.
        keywords: Tags and front matter keywords of the note; heading words are not here.
        language: ``zh``, ``en`` and so on; ``und`` when nothing tells.
        source_hash: SHA-256 of the file's bytes it was cut from.
        updated: Date of the last change that the note itself states, ISO, else empty.
        ordinal: Position of the atom in the note, from 0 (the root).
    """

    id: AtomId
    stable_key: str
    document_id: DocumentId
    source_path: str
    title: str
    document_title: str
    section_path: tuple[str, ...]
    content: PlainText
    passages: tuple[Passage, ...]
    representation: Representation
    keywords: tuple[str, ...]
    language: str
    source_hash: Digest
    updated: str
    ordinal: int

    @property
    def is_root(self) -> bool:
        """Whether it stands for the whole note."""
        return self.ordinal == 0


@dataclass(frozen=True, slots=True)
class Document:
    """One note of the workspace.

    Attributes:
        id: Its path below the workspace.
        title: Front matter ``title``, else the first level-1 heading, else the file stem.
        stem: The file name without its extension.
        aliases: Every other name its author gave it, in order, without repeats.
        corpus: The first-level folder, or ``""`` for a note at the top.
        language: The main language of the note.
        source_hash: SHA-256 of the file's bytes.
        text: The source text, decoded; what every offset counts.
        valid_from: ISO date from the front matter, else empty.
        valid_to: ISO date from the front matter (inclusive), else empty.
        updated: ISO date from the front matter, else empty.
        atoms: The root first, then in source order.
    """

    id: DocumentId
    title: str
    stem: str
    aliases: tuple[str, ...]
    corpus: str
    language: str
    source_hash: Digest
    text: str
    valid_from: str
    valid_to: str
    updated: str
    atoms: tuple[KnowledgeAtom, ...]


def atom_id(document: str, stable_key: str) -> AtomId:
    """Name an atom of a document; the root atom is ``<document>#``."""
    return AtomId(f"{document}#{stable_key}")


def corpus_of(path: str) -> str:
    """Return the first-level folder of a path below the workspace, or ``""`` at the top.

    >>> corpus_of("waterglass/water glass.md"), corpus_of("readme.md")
    ('waterglass', '')
    """
    return path.partition("/")[0] if "/" in path else ""
