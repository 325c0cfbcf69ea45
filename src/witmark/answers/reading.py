"""From a note's bytes to everything that follows from the note alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witmark.answers.aliases import alias_entries, surfaces
from witmark.answers.atoms import Document
from witmark.answers.carving import carve
from witmark.answers.counting import ENOUGH, Vocabulary
from witmark.answers.failures import FRONT_MATTER, decode
from witmark.answers.mentions import mention_entries
from witmark.answers.names import sign_key, stem_entry
from witmark.answers.ports import AliasEntry, AtomTerms, NoteFailure, NoteParser
from witmark.answers.statements import Statement, statements
from witmark.answers.terms import body_terms, title_terms

READER = 2
"""Rises when the same note would be read otherwise; an older index is then read anew."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note that was read, and nothing that depends on other notes.

    Attributes:
        document: With its atoms.
        entries: Every key under which it can be named.
        said: What it says of other notes.
        faults: What of its front matter could not be read.
    """

    document: Document
    entries: tuple[AliasEntry, ...]
    said: tuple[Statement, ...]
    faults: tuple[NoteFailure, ...] = ()


def read_note(path: str, raw: bytes, parser: NoteParser) -> Note | NoteFailure:
    """Read a note, or say why its bytes are none."""
    text = decode(path, raw)
    if isinstance(text, NoteFailure):
        return text
    parsed = parser.parse(text)
    carved = carve(path, raw, parsed)
    return Note(
        carved.document,
        entries_of_note(carved.document),
        statements(carved.document, parsed),
        tuple(NoteFailure(path, FRONT_MATTER, fault) for fault in carved.faults),
    )


def kept_note(document: Document, parser: NoteParser) -> Note:
    """Read a note that a library keeps once more, from the text it keeps."""
    said = statements(document, parser.parse(document.text))
    return Note(document, entries_of_note(document), said)


def entries_of_note(document: Document) -> tuple[AliasEntry, ...]:
    """Every key of a note: for questions, for links and for mentions."""
    named = alias_entries(document)
    return (*named, stem_entry(document), *mention_entries(named))


def terms_of_all(
    documents: Sequence[Document], vocabulary: Vocabulary
) -> list[tuple[AtomTerms, ...]]:
    """What ``terms_of`` returns for each note; the more text, the less it costs."""
    texts = [atom.content.text for document in documents for atom in document.atoms]
    if sum(map(len, texts)) < ENOUGH:
        return list(map(terms_of, documents))
    bodies = iter(vocabulary.read(texts))
    return [
        tuple(
            AtomTerms(title, body)
            for title, body in zip(_titles(document), bodies, strict=False)
        )
        for document in documents
    ]


def terms_of(document: Document) -> tuple[AtomTerms, ...]:
    """The tokens of each atom; the root is also found by the note's other names."""
    return tuple(_terms_of(document))


def _terms_of(document: Document) -> Iterator[AtomTerms]:
    bodies = body_terms([atom.content.text for atom in document.atoms])
    return map(AtomTerms, _titles(document), bodies)


def _titles(document: Document) -> Iterator[tuple[str, ...]]:
    """The tokens of the names of each atom."""
    names = surfaces(document.id, document.title, document.stem, document.aliases)
    for atom in document.atoms:
        yield title_terms(names if atom.is_root else (atom.title,))


def sections_of(document: Document) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """What links into a note can name: its headings and blocks, and the atoms they lead to."""
    return tuple(
        (
            atom.id,
            sign_key(atom.title),
            tuple(passage.block_id for passage in atom.passages if passage.block_id),
        )
        for atom in document.atoms
    )
