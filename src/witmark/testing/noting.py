"""Notes as a library keeps them, made by hand: no parser, no tokeniser, no linker.

>>> [atom.id for atom in note("a.md", ": water glass", "k: more").document.atoms]
['a.md#', 'a.md#k']
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from witmark.answers.atoms import (
    AtomId,
    Document,
    DocumentId,
    KnowledgeAtom,
    Passage,
    Representation,
    SpanId,
    atom_id,
    corpus_of,
)
from witmark.answers.edges import (
    OWNER_IMPORT,
    Provenance,
    RelationEdge,
    RelationKind,
    TemporalEdge,
    TemporalKind,
    edge_id,
)
from witmark.answers.notes import BlockKind, PlainText, Run
from witmark.answers.ports import AliasEntry, AtomTerms, Record, Stamp
from witmark.kernel.canon import digest_of


def note(  # noqa: PLR0913 - every field that a test may want to say, by name
    path: str,
    *sections: str,
    language: str = "en",
    aliases: Sequence[str] = (),
    keywords: Sequence[str] = (),
    edges: Sequence[RelationEdge] = (),
    temporal: Sequence[TemporalEdge] = (),
    updated: str = "",
    valid_from: str = "",
) -> Record:
    """Make a note of sections ``"key: words of the body"``; the root's key is empty.

    The tokens of an atom are the words of its title and of its body.
    """
    text = "".join(f"{section}\n" for section in sections or (": a note",))
    stem, source_hash = PurePosixPath(path).stem, digest_of(text.encode())
    document = Document(
        id=DocumentId(path),
        title=stem,
        stem=stem,
        aliases=tuple(aliases),
        corpus=corpus_of(path),
        language=language,
        source_hash=source_hash,
        text=text,
        valid_from=valid_from,
        valid_to="",
        updated=updated,
        atoms=(),
    )
    atoms = tuple(_atoms(document, keywords))
    document = replace(document, atoms=atoms)
    return Record(
        document=document,
        stamp=Stamp(source_hash, len(text.encode()), 1),
        terms=tuple(_terms(atom) for atom in atoms),
        aliases=tuple(sorted((_alias(n) for n in (stem, *aliases)), key=_alias_key)),
        edges=tuple(edges),
        temporal=tuple(temporal),
    )


def relation(
    owner: str,
    source: str,
    target: str,
    kind: RelationKind = RelationKind.REFERENCE,
    edge_confidence: float = 0.7,
) -> RelationEdge:
    """Make a relation; ends are atom ids, or the path of a note for its root."""
    imported = owner.startswith(OWNER_IMPORT)
    return RelationEdge(
        id=edge_id(owner, _end(source), _end(target), kind.value),
        source=_end(source),
        target=_end(target),
        kind=kind,
        provenance=Provenance.FACT,
        edge_confidence=edge_confidence,
        span_ids=() if imported else (SpanId(f"{owner}@0-4"),),
        valid_from="",
        valid_to="",
        owner=owner,
    )


def window(  # noqa: PLR0913, PLR0917 - the fields of the edge, in their order
    owner: str,
    source: str,
    target: str,
    kind: TemporalKind = TemporalKind.SUPERSEDES,
    valid_from: str = "",
    valid_to: str = "",
) -> TemporalEdge:
    """Make a temporal edge; ends as in ``relation``."""
    return TemporalEdge(
        id=edge_id(owner, _end(source), _end(target), kind.value),
        source=_end(source),
        target=_end(target),
        kind=kind,
        valid_from=valid_from,
        valid_to=valid_to,
        source_document_hash=digest_of(owner.encode()),
        owner=owner,
    )


def _end(name: str) -> AtomId:
    return AtomId(name if "#" in name else f"{name}#")


def _atoms(document: Document, keywords: Sequence[str]) -> Iterable[KnowledgeAtom]:
    at = 0
    for ordinal, section in enumerate(document.text.removesuffix("\n").split("\n")):
        yield _atom(document, section, at, ordinal, tuple(keywords))
        at += len(section) + 1


def _atom(
    document: Document, section: str, at: int, ordinal: int, keywords: tuple[str, ...]
) -> KnowledgeAtom:
    key, _, body = section.partition(": ")
    begin = at + len(key) + 2
    return KnowledgeAtom(
        id=atom_id(document.id, key),
        stable_key=key,
        document_id=document.id,
        source_path=document.id,
        title=key or document.title,
        document_title=document.title,
        section_path=(document.title, key) if key else (document.title,),
        content=PlainText(body, (Run(0, begin, len(body)),) if body else ()),
        passages=(
            Passage(BlockKind.PARAGRAPH, 0, len(body), at, at + len(section)),
            Passage(BlockKind.LIST_ITEM, 0, 0, at, at, level=2, info="3.", block_id="block"),
        ),
        representation=Representation.TEXT,
        keywords=keywords,
        language=document.language,
        source_hash=document.source_hash,
        updated=document.updated,
        ordinal=ordinal,
    )


def _terms(atom: KnowledgeAtom) -> AtomTerms:
    return AtomTerms(tuple(atom.title.split()), tuple(atom.content.text.split()))


def _alias(name: str) -> AliasEntry:
    return AliasEntry(name.replace(" ", "").casefold(), "exact", name)


def _alias_key(entry: AliasEntry) -> tuple[str, str]:
    return entry.key, entry.surface
