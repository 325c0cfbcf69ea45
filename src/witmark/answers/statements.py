"""What a note says about other notes: its front matter's relations and its links.

A statement names the other note in the author's words; which note that is, ``linking``
finds out. So the statements of a note depend on nothing but the note.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote

from witmark.answers.atoms import AtomId, Document
from witmark.answers.edges import RelationKind, TemporalKind
from witmark.answers.front_facts import spaced_key
from witmark.answers.notes import Link, LinkKind, ParsedNote
from witmark.kernel.evidence import TextRange


@dataclass(frozen=True, slots=True)
class Target:
    """Another note, or a place in one, in the author's words.

    Attributes:
        name: A path, a title or an alias; empty for the note itself.
        heading: The section meant, else empty.
        block_id: The block meant, else empty.
        kind: How it is written; ``None`` for plain text, which may name no note at all.
    """

    name: str
    heading: str = ""
    block_id: str = ""
    kind: LinkKind | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing a note says about another.

    Attributes:
        kind: What it says.
        comes_from: The other note is where the relation starts.
        target: The other note.
        atom_id: The atom of this note that the relation joins.
        range: The source text that says so.
        edge_confidence: From 0 to 1.
    """

    kind: RelationKind | TemporalKind
    comes_from: bool
    target: Target
    atom_id: AtomId
    range: TextRange
    edge_confidence: float


STATED, LINKED, EMBEDDED = 1.0, 0.7, 0.8
"""Edge confidences: a relation in the front matter, a link in the text, an embed."""

_Says = tuple[RelationKind | TemporalKind, bool]


def _keys(says: _Says, words: str) -> dict[str, _Says]:
    return dict.fromkeys(words.split(), says)


RELATION_KEYS: Mapping[str, _Says] = {
    **_keys(
        (RelationKind.PREREQUISITE, True),
        "prerequisites prerequisite prereqs requires dependson 先修 前置 前置知识",
    ),
    **_keys((RelationKind.CONTRAST, False), "contrasts contrast contrastswith vs 对比"),
    **_keys((RelationKind.ANALOGY, False), "analogies analogy 类比"),
    **_keys((RelationKind.CAUSAL, False), "causes 导致"),
    **_keys((RelationKind.CAUSAL, True), "causedby 原因"),
    **_keys((RelationKind.APPLICATION, False), "applications application appliesto 应用"),
    **_keys(
        (RelationKind.REFERENCE, False), "references reference related seealso refs 相关 参考"
    ),
    **_keys((RelationKind.SEQUENCE, False), "next 下一步"),
    **_keys((RelationKind.SEQUENCE, True), "previous prev 上一步"),
    **_keys((TemporalKind.SUPERSEDES, False), "supersedes replaces 取代"),
    **_keys((TemporalKind.SUPERSEDES, True), "supersededby replacedby 被取代"),
    **_keys((TemporalKind.DERIVED_FROM, False), "derivedfrom"),
}
"""Front matter keys as ``relation_key`` spells them, and what they say."""

_WIKILINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_MARKDOWN_LINK = re.compile(r"\[[^\[\]\n]*\]\(<?([^<>()\n]+(?:\([^()\n]*\)[^<>()\n]*)*)>?\)")
_LIST_MARKS = re.compile(r"\s*[,，、;；]\s*")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def relation_key(key: str) -> str:
    """Spell a front matter key the one way in which keys are compared.

    >>> relation_key("Depends-On"), relation_key("see also")
    ('dependson', 'seealso')
    """
    return spaced_key(key).replace(" ", "")


def statements(document: Document, parsed: ParsedNote) -> tuple[Statement, ...]:
    """Everything a note says, its front matter first, else in source order."""
    stated = list(_stated(document, parsed))
    taken = {(s.range.start, s.range.end) for s in stated}
    return (*stated, *_linked(document, parsed, taken))


# The front matter --------------------------------------------------------------------


def _stated(document: Document, parsed: ParsedNote) -> Iterator[Statement]:
    whole = parsed.front_matter_range
    if whole is None:
        return
    root = document.atoms[0].id
    for key, value in parsed.front_matter.items():
        says = RELATION_KEYS.get(relation_key(str(key)))
        if says is None:
            continue
        region = _region(document.text, whole, str(key))
        at = region.start
        for text in _texts(value):
            place = _place(document.text, text, at, region)
            at = place.end if place != region else at
            for target, part in _targets(text):
                here = place if part is None or place == region else _inside(place, part)
                yield Statement(*says, target, root, here, STATED)


def _texts(value: object) -> Iterator[str]:
    """The texts of a value, however they are nested; ``[[a]]`` unquoted is a list of lists."""
    match value:
        case str() if value.strip():
            yield value.strip()
        case [[str() as name]] if name.strip():
            yield f"[[{name.strip()}]]"
        case list() | tuple():
            for item in value:
                yield from _texts(_as_link(item))
        case _:
            return


def _as_link(item: object) -> object:
    match item:
        case [str() as name]:
            return f"[[{name}]]"
        case _:
            return item


def _targets(text: str) -> Iterator[tuple[Target, tuple[int, int] | None]]:
    """What a front matter text names, each with its place in the text."""
    linked = False
    for found in _WIKILINK.finditer(text):
        linked = True
        yield wikilink_target(found[1]), found.span()
    for found in () if linked else _MARKDOWN_LINK.finditer(text):
        linked = True
        if not _SCHEME.match(found[1]):
            yield markdown_target(found[1]), found.span()
    if not linked and not _SCHEME.match(text):
        yield Target(text), None


def listed_names(text: str) -> list[str]:
    """Cut a plain text that names no note as a whole at its list marks.

    >>> listed_names("silica, 水杯、glass")
    ['silica', '水杯', 'glass']
    """
    return [part for part in _LIST_MARKS.split(text) if part]


def wikilink_target(inner: str, kind: LinkKind = LinkKind.WIKILINK) -> Target:
    """Read the inside of a wikilink.

    >>> wikilink_target("note#^block|shown")
    Target(name='note', heading='', block_id='block', kind=<LinkKind.WIKILINK: 'wikilink'>)
    """
    name, _, place = inner.partition("|")[0].partition("#")
    return _with_place(Target(name.strip(), kind=kind), place.strip())


def markdown_target(written: str) -> Target:
    """Read the address of a Markdown link to another note."""
    name, _, place = written.strip().partition("#")
    target = Target(unquote(name.strip()), kind=LinkKind.MARKDOWN)
    return _with_place(target, unquote(place.strip()))


def _with_place(target: Target, place: str) -> Target:
    if place.startswith("^"):
        return replace(target, block_id=place[1:])
    return replace(target, heading=place)


# Where in the front matter -----------------------------------------------------------


def _region(text: str, whole: TextRange, key: str) -> TextRange:
    """The lines of a key: its own and those indented or listed below it."""
    start = at = whole.start
    found = False
    for line in text[whole.start : whole.end].splitlines(keepends=True):
        if found and line[:1] not in {" ", "\t", "-", "\r", "\n", "#", "]"}:
            return TextRange(start, at)
        if not found and _is_key(line, key):
            found, start = True, at
        at += len(line)
    return TextRange(start, whole.end) if found else whole


def _is_key(line: str, key: str) -> bool:
    written, colon, _ = line.partition(":")
    return bool(colon) and written.strip().strip("\"'") == key


def _place(text: str, value: str, at: int, region: TextRange) -> TextRange:
    """Where a value stands, searched from ``at``; the whole region if it is not seen."""
    for spelling in (value, value.removeprefix("[[").removesuffix("]]")):
        start = text.find(spelling, at, region.end)
        if start >= 0:
            return TextRange(start, start + len(spelling))
    return region


def _inside(place: TextRange, part: tuple[int, int]) -> TextRange:
    start = min(place.start + part[0], place.end - 1)
    return TextRange(start, max(start + 1, min(place.start + part[1], place.end)))


# The links ---------------------------------------------------------------------------


def _linked(
    document: Document, parsed: ParsedNote, taken: Iterable[tuple[int, int]]
) -> Iterator[Statement]:
    """Links of the text, and those of front matter keys that state no relation."""
    homes = _Homes(document)
    seen = sorted(taken)
    for link in parsed.links:
        if link.block < 0 and _overlaps(link.range, seen):
            continue
        if link.kind is LinkKind.MARKDOWN and _SCHEME.match(link.target):
            continue
        sure = EMBEDDED if link.kind is LinkKind.EMBED else LINKED
        home = document.atoms[0].id if link.block < 0 else homes.of(link.range.start)
        yield Statement(RelationKind.REFERENCE, False, _target(link), home, link.range, sure)


def _target(link: Link) -> Target:
    return Target(link.target.strip(), link.heading, link.block_id, link.kind)


def _overlaps(place: TextRange, seen: list[tuple[int, int]]) -> bool:
    return any(start < place.end and place.start < end for start, end in seen)


class _Homes:
    """Which atom holds a place of the source."""

    def __init__(self, document: Document) -> None:
        found = sorted((p.source_start, a.ordinal) for a in document.atoms for p in a.passages)
        self._starts = [start for start, _ in found]
        self._atoms = [document.atoms[ordinal].id for _, ordinal in found]
        self._root = document.atoms[0].id

    def of(self, at: int) -> AtomId:
        """The atom whose block begins last before a place; the root before them all."""
        number = bisect_right(self._starts, at)
        return self._atoms[number - 1] if number else self._root
