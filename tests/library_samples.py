"""Notes as a library keeps them, made by hand: no parser, no tokeniser, no linker."""

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


def record(path, *sections, language="en", aliases=(), edges=(), temporal=(), **facts):
    """A note whose atoms are ``"key: words of the body"``; the root's key is empty.

    The tokens of an atom are the words of its title and of its body.
    """
    sections = sections or (": a note",)
    text = "".join(f"{section}\n" for section in sections)
    document_id, source_hash = DocumentId(path), digest_of(text.encode())
    stem = PurePosixPath(path).stem
    atoms, at = [], 0
    for ordinal, section in enumerate(sections):
        atoms.append(
            _atom(document_id, stem, section, at, ordinal, language, source_hash, facts)
        )
        at += len(section) + 1
    document = Document(
        id=document_id,
        title=facts.get("title", stem),
        stem=stem,
        aliases=tuple(aliases),
        corpus=corpus_of(path),
        language=language,
        source_hash=source_hash,
        text=text,
        valid_from=facts.get("valid_from", ""),
        valid_to=facts.get("valid_to", ""),
        updated=facts.get("updated", ""),
        atoms=tuple(atoms),
    )
    names = (stem, *aliases)
    return Record(
        document=document,
        stamp=Stamp(source_hash, len(text.encode()), facts.get("mtime_ns", 1)),
        terms=tuple(_terms(atom) for atom in atoms),
        aliases=tuple(sorted((_alias(n) for n in names), key=lambda e: (e.key, e.surface))),
        edges=tuple(edges),
        temporal=tuple(temporal),
    )


def relation(owner, source, target, kind=RelationKind.REFERENCE, confidence=0.7, **more):
    """A relation; ends are atom ids, or the path of a note for its root."""
    source, target = end(source), end(target)
    made = RelationEdge(
        id=edge_id(owner, source, target, kind.value),
        source=source,
        target=target,
        kind=kind,
        provenance=Provenance.FACT,
        edge_confidence=confidence,
        span_ids=(SpanId(f"{owner}@0-4"),) if owner.endswith(".md") else (),
        valid_from="",
        valid_to="",
        owner=owner,
    )
    return replace(made, **more)


def temporal(owner, source, target, kind=TemporalKind.SUPERSEDES, start="", stop=""):
    """A temporal edge; ends as in ``relation``."""
    source, target = end(source), end(target)
    return TemporalEdge(
        id=edge_id(owner, source, target, kind.value),
        source=source,
        target=target,
        kind=kind,
        valid_from=start,
        valid_to=stop,
        source_document_hash=digest_of(owner.encode()),
        owner=owner,
    )


def end(name):
    """An atom id as it is, or the root of a note."""
    return AtomId(name if "#" in name else f"{name}#")


def _atom(document_id, stem, section, at, ordinal, language, source_hash, facts):
    key, _, body = section.partition(": ")
    begin = at + len(key) + 2
    runs = (Run(0, begin, len(body)),) if body else ()
    title = key or facts.get("title", stem)
    return KnowledgeAtom(
        id=atom_id(document_id, key),
        stable_key=key,
        document_id=document_id,
        source_path=document_id,
        title=title,
        document_title=facts.get("title", stem),
        section_path=(stem, key) if key else (stem,),
        content=PlainText(body, runs),
        passages=(
            Passage(BlockKind.PARAGRAPH, 0, len(body), at, at + len(section)),
            Passage(BlockKind.LIST_ITEM, 0, 0, at, at, level=2, info="3.", block_id="block"),
        ),
        representation=facts.get("representation", Representation.TEXT),
        keywords=tuple(facts.get("keywords", ())),
        language=facts.get("languages", {}).get(key, language),
        source_hash=source_hash,
        updated=facts.get("updated", ""),
        ordinal=ordinal,
    )


def _terms(atom):
    return AtomTerms(tuple(atom.title.split()), tuple(atom.content.text.split()))


def _alias(name):
    return AliasEntry(name.replace(" ", "").casefold(), "exact", name)
