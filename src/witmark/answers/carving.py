"""A parsed note is cut into atoms: its lead, its sections, its code, formulas and diagrams.

Atom keys are stable: they are made of heading words, so an edit elsewhere in the note does
not rename them.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from witmark.answers.atoms import (
    Document,
    DocumentId,
    KnowledgeAtom,
    Passage,
    Representation,
    atom_id,
    corpus_of,
)
from witmark.answers.front_facts import FrontFacts, front_facts
from witmark.answers.languages import (
    UNDETERMINED,
    declared_language,
    language_of_text,
    languages_of_texts,
)
from witmark.answers.notes import Block, BlockKind, ParsedNote, PlainText, Run
from witmark.answers.places import decoded
from witmark.kernel.canon import Digest, digest_of

LARGEST_ATOM = 4000
"""Code points of a section; a longer one is cut where a block ends."""

_ALONE = {
    BlockKind.CODE: (Representation.CODE, ":code"),
    BlockKind.MATH: (Representation.FORMULA, ":formula"),
    BlockKind.MERMAID: (Representation.MERMAID, ":mermaid"),
}
_PART = ":part"  # a slug holds no colon, so no heading can take these names
_TELLING = 40  # code points below which an atom's own script says little
_SHOWN = 600  # code points that show it
_MADE = tuple.__new__  # of the class named first; a third of the time of calling it
_NO_SLUG = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Carved:
    """A note in atoms, and what of it could not be read (never fatal)."""

    document: Document
    faults: tuple[str, ...]


def carve(path: str, raw: bytes, parsed: ParsedNote) -> Carved:
    """Cut a note into its document and atoms.

    Args:
        path: Below the workspace.
        raw: The file's bytes, whose text was parsed.
        parsed: What the parser found in it.

    Raises:
        UnreadableSourceError: the bytes are not UTF-8.
    """
    text = decoded(path, raw)
    facts = front_facts(parsed.front_matter)
    stem = path.rpartition("/")[2].rpartition(".")[0] or path
    heading = _title_heading(parsed.blocks)
    title = facts.title or (heading.plain.text if heading else "") or stem
    body = text[parsed.front_matter_range.end :] if parsed.front_matter_range else text
    pieces = _pieces(title, parsed.blocks)
    contents = [_joined(piece.blocks) for piece in pieces]
    shown, *each = languages_of_texts([body, *map(_telling, pieces, contents)])
    language = declared_language(path, facts.language)
    if language == UNDETERMINED:
        language = shown if shown != UNDETERMINED else language_of_text(title)
    tags = [tag.name for tag in parsed.tags]
    note = _Note(
        path=path,
        title=title,
        keywords=tuple(dict.fromkeys([*tags, *facts.keywords])),
        source_hash=digest_of(raw),
        updated=facts.updated,
    )
    same = {UNDETERMINED, shown}
    languages = [language if one in same else one for one in each]
    document = Document(
        id=DocumentId(path),
        title=title,
        stem=stem,
        aliases=_aliases(facts, heading, title, parsed.blocks),
        corpus=corpus_of(path),
        language=language,
        source_hash=note.source_hash,
        text=text,
        valid_from=facts.valid_from,
        valid_to=facts.valid_to,
        updated=facts.updated,
        atoms=tuple(map(note.atom, count(), pieces, contents, languages)),
    )
    front = (parsed.front_matter_fault,) if parsed.front_matter_fault else ()
    return Carved(document, (*front, *facts.faults))


def slug(heading: str) -> str:
    """Name a heading by its words: lower case, ``-`` between them, any script.

    >>> slug("What is HTTP/2?"), slug("用途 (Uses)")
    ('what-is-http-2', '用途-uses')
    """
    words = unicodedata.normalize("NFKC", heading).casefold()
    return _NO_SLUG.sub("-", words).strip("-") or "section"


def _title_heading(blocks: Sequence[Block]) -> Block | None:
    return next((b for b in blocks if b.kind is BlockKind.HEADING and b.level == 1), None)


def _aliases(
    facts: FrontFacts, heading: Block | None, title: str, blocks: Sequence[Block]
) -> tuple[str, ...]:
    """Every other name: those stated, and the one heading above all others, if there is one."""
    names = list(facts.aliases)
    if heading is not None and heading is _first_heading(blocks):
        tops = sum(b.kind is BlockKind.HEADING and b.level == 1 for b in blocks)
        names += [heading.plain.text] if tops == 1 else []
    return tuple(dict.fromkeys(name for name in names if name != title))


def _first_heading(blocks: Sequence[Block]) -> Block | None:
    return next((b for b in blocks if b.kind is BlockKind.HEADING), None)


@dataclass(slots=True)
class _Piece:
    """Blocks that become one atom."""

    key: str
    title: str
    path: tuple[str, ...]
    representation: Representation
    blocks: list[Block]
    length: int = 0

    def more(self, key: str) -> "_Piece":
        """Go on with the same section under another key."""
        return _Piece(key, self.title, self.path, self.representation, [])


_Joined = tuple[PlainText, tuple[Passage, ...]]


@dataclass(frozen=True, slots=True)
class _Note:
    """What all atoms of a note share."""

    path: str
    title: str
    keywords: tuple[str, ...]
    source_hash: Digest
    updated: str

    def atom(
        self, ordinal: int, piece: _Piece, joined: _Joined, language: str
    ) -> KnowledgeAtom:
        """The atom of a piece; ``language`` is its own."""
        content, passages = joined
        return KnowledgeAtom(
            id=atom_id(self.path, piece.key),
            stable_key=piece.key,
            document_id=DocumentId(self.path),
            source_path=self.path,
            title=piece.title,
            document_title=self.title,
            section_path=piece.path,
            content=content,
            passages=passages,
            representation=piece.representation,
            keywords=self.keywords,
            language=language,
            source_hash=self.source_hash,
            updated=self.updated,
            ordinal=ordinal,
        )


def _telling(piece: _Piece, joined: _Joined) -> str:
    """What shows an atom's own language: nothing, unless a text long enough to tell one."""
    text = joined[0].text
    if piece.representation is not Representation.TEXT or len(text) < _TELLING:
        return ""
    return text[:_SHOWN]


def _pieces(title: str, blocks: Sequence[Block]) -> list[_Piece]:
    """What becomes atoms: the root first, then in source order."""
    cutter = _Cutter(title)
    for block in blocks:
        cutter.take(block)
    return cutter.pieces


class _Cutter:
    """Sorts blocks into pieces; the first piece is the root."""

    def __init__(self, title: str) -> None:
        self._root = _Piece("", title, (title,), Representation.TEXT, [])
        self.pieces = [self._root]
        self._now = self._root  # where text goes
        self._section = self._root
        self._above: list[tuple[int, str, str]] = []  # level, key and title of open headings
        self._keys: dict[str, int] = {}
        self._headings = 0

    def take(self, block: Block) -> None:
        """Put a block where it belongs."""
        kind = block.kind
        if kind is BlockKind.HEADING:
            self._headings += 1
            if self._headings > 1 or block.level > 1:
                self._begin_section(block)
        elif kind in _ALONE:
            representation, name = _ALONE[kind]
            section = self._section
            key = self._free(_below(section.key, name))
            piece = _Piece(key, section.title, section.path, representation, [block])
            self.pieces.append(piece)
            return
        now, size = self._now, len(block.plain.text) + 1
        if now.length + size > LARGEST_ATOM and now.blocks:
            now = self._now = self._section.more(self._free(_below(self._section.key, _PART)))
            self.pieces.append(now)
        now.blocks.append(block)
        now.length += size

    def _begin_section(self, block: Block) -> None:
        title, above = block.plain.text.replace("\n", " "), self._above
        while above and above[-1][0] >= block.level:
            above.pop()
        key = self._free(_below(above[-1][1] if above else "", slug(title)))
        above.append((block.level, key, title))
        path = (self._root.title, *[named for _, _, named in above])
        self._now = self._section = _Piece(key, title, path, Representation.TEXT, [])
        self.pieces.append(self._now)

    def _free(self, key: str) -> str:
        """Number a key that was used before: ``~2``, ``~3`` and so on."""
        count = self._keys[key] = self._keys.get(key, 0) + 1
        return key if count == 1 else f"{key}~{count}"


def _below(key: str, name: str) -> str:
    return f"{key}/{name}" if key else name


def _joined(blocks: Sequence[Block]) -> _Joined:
    """The blocks' texts joined by a line feed, and where each one is."""
    texts: list[str] = []
    runs: list[Run] = []
    passages: list[Passage] = []
    at = 0
    for kind, place, (text, copied), level, info, block_id, _ in blocks:
        end = at + len(text)
        texts.append(text)
        if at:
            for plain, source, length in copied:
                runs.append(_MADE(Run, (at + plain, source, length)))
        else:
            runs += copied
        passages.append(
            _MADE(Passage, (kind, at, end, place.start, place.end, level, info, block_id))
        )
        at = end + 1
    return _MADE(PlainText, ("\n".join(texts), tuple(runs))), tuple(passages)
