"""Notes and atoms as rows: what is asked for often stands in columns, the rest is packed."""

import json
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from json.decoder import JSONDecoder
from json.encoder import JSONEncoder, encode_basestring
from struct import Struct, pack
from typing import Any

from witmark.adapters.sqlite.seals import decoding, seal, unseal
from witmark.answers.atoms import (
    AtomId,
    Document,
    DocumentId,
    KnowledgeAtom,
    Passage,
    Representation,
    corpus_of,
)
from witmark.answers.notes import BlockKind, PlainText, Run
from witmark.kernel.canon import Digest

_KINDS = tuple(BlockKind)
_KIND = {kind: place for place, kind in enumerate(_KINDS)}

WORTH_PACKING = 2_048
"""Less than this gains little space, and packing costs as much as for far more."""

_RUNS, _PASSAGES = Struct("<3i").iter_unpack, Struct("<6i").iter_unpack
_passage_of = tuple.__new__  # of the class named first; a third of the time of calling it

AtomRow = tuple[str, str, bytes, bytes]  # head, text, runs, passages


def pack_facts(document: Document) -> str:
    """Everything of a note that has no column of its own, its text and atoms aside."""
    return _json(
        [
            document.stem,
            document.aliases,
            document.language,
            document.valid_from,
            document.valid_to,
            document.updated,
        ]
    )


def moved_facts(facts: str, stem: str) -> str:
    """The same facts under another file name."""
    return _json([stem, *json.loads(facts)[1:]])


def pack_text(text: str) -> str | bytes:
    """Half a surrogate cannot come out of UTF-8, so none comes in; a short text stays text."""
    return text if len(text) < WORTH_PACKING else zlib.compress(text.encode(), 1)


def unpack_text(packed: str | bytes) -> str:
    """Return the text as it was."""
    return packed if isinstance(packed, str) else zlib.decompress(packed).decode()


def unpack_document(
    row: tuple[str, str, str, str], text: str, atoms: Sequence[KnowledgeAtom]
) -> Document:
    """Put a note together from ``path, title, source_hash, facts``."""
    path, title, source_hash, facts = row
    with decoding(f"the note {path}"):
        stem, aliases, language, valid_from, valid_to, updated = json.loads(facts)
    return Document(
        id=DocumentId(path),
        title=title,
        stem=stem,
        aliases=tuple(aliases),
        corpus=corpus_of(path),
        language=language,
        source_hash=Digest(source_hash),
        text=text,
        valid_from=valid_from,
        valid_to=valid_to,
        updated=updated,
        atoms=tuple(atoms),
    )


def pack_atom(atom: KnowledgeAtom, document: Document) -> AtomRow:
    """What every atom of a note shares with the note is written as null."""
    notes = {}
    passages: list[int] = []
    for place, (kind, *numbers, info, block_id) in enumerate(atom.passages):
        passages.append(_KIND[kind])
        passages += numbers
        if info or block_id:
            notes[place] = [info, block_id]
    head = (
        _text(atom.stable_key),
        _text(atom.title),
        _own(atom.document_title, document.title),
        _texts(atom.section_path),
        _text(atom.representation),
        _texts(atom.keywords),
        _text(atom.language),
        _own(atom.source_hash, document.source_hash),
        _own(atom.updated, document.updated),
        _json(notes) if notes else "{}",
    )
    return (
        f"[{','.join(head)}]",  # as ``_json`` would write it, in a third of the time
        atom.content.text,
        _ints(list(chain.from_iterable(atom.content.runs))),
        _ints(passages),
    )


def unpack_atom(
    ordinal: int, packed: AtomRow, note: tuple[str, str, str, str]
) -> KnowledgeAtom:
    """Put an atom together from its row and its note's ``path, title, source_hash, facts``."""
    path, document_title, note_hash, facts = note
    with decoding(f"an atom of {path}"):
        head, text, runs, passages = packed
        (
            key,
            title,
            own_title,
            sections,
            kind,
            keywords,
            language,
            own_hash,
            own_updated,
            notes,
        ) = _read(head)
        return KnowledgeAtom(
            id=AtomId(f"{path}#{key}"),
            stable_key=key,
            document_id=DocumentId(path),
            source_path=path,
            title=title,
            document_title=document_title if own_title is None else own_title,
            section_path=tuple(sections),
            content=PlainText(text, tuple(map(Run._make, _RUNS(unseal(runs))))),
            passages=_passages(unseal(passages), notes),
            representation=Representation(kind),
            keywords=tuple(keywords),
            language=language,
            source_hash=Digest(note_hash if own_hash is None else own_hash),
            updated=_updated(facts) if own_updated is None else own_updated,
            ordinal=ordinal,
        )


def unpack_headings(head: str) -> tuple[str, ...]:
    """The section path of an atom alone, from its head."""
    _, _, _, sections, *_ = _read(head)
    return tuple(sections)


def _own(text: str, shared: str) -> str:
    return "null" if text == shared else _text(text)


def _texts(texts: Sequence[str]) -> str:
    return f"[{','.join(map(_text, texts))}]"


@lru_cache(256)
def _updated(facts: str) -> str:
    """When a note was changed, which every atom of it is asked for."""
    *_, updated = json.loads(facts)
    return str(updated)


def _passages(packed: bytes, notes: Mapping[str, Sequence[str]]) -> tuple[Passage, ...]:
    plain = [(_KINDS[kind], *numbers, "", "") for kind, *numbers in _PASSAGES(packed)]
    for place, (info, block_id) in notes.items():
        plain[int(place)] = (*plain[int(place)][:-2], info, block_id)
    return tuple([_passage_of(Passage, values) for values in plain])


def _read(text: str) -> list[Any]:
    """What ``json.loads`` reads, without its preliminaries, which cost as much again."""
    value, end = _decoded(text)
    if end != len(text) or not isinstance(value, list):
        raise ValueError("it does not end where it should")
    return value


def _ints(numbers: Sequence[int]) -> bytes:
    """Four bytes each, the low one first."""
    return seal(pack(f"<{len(numbers)}i", *numbers))


_decoded = JSONDecoder().raw_decode
_text = encode_basestring
_json = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
