"""Where the notes say what the graph knows: the very lines an edge was read from.

A relation carries the place of its text; what is said of time stands in the front matter of
the note that says it. A statement about an order, a contrast or a date is cited there, and
not at whatever its notes happen to begin with.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from witmark.answers.atoms import Document, DocumentId, EdgeId
from witmark.answers.budget import SNIPPET_CHARS
from witmark.answers.edges import OWNER_IMPORT, RelationEdge, TemporalEdge, TemporalKind
from witmark.answers.front_facts import spaced_key
from witmark.answers.pack import TemporalDetail
from witmark.answers.statements import RELATION_KEYS, relation_key
from witmark.kernel.evidence import TextRange

_VALID_FROM = frozenset({"valid from", "生效"})
_VALID_TO = frozenset({"valid to", "valid until", "expires", "失效"})
_SUPERSEDES = frozenset(
    key for key, (kind, _) in RELATION_KEYS.items() if kind is TemporalKind.SUPERSEDES
)
_OPENS = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSES = re.compile(r"(?:---|\.\.\.)[ \t]*\r?\n?$")
_KEY = re.compile(r"(?P<key>[^\s#\-:][^:]*?)\s*:(?=\s|$)")
_SPAN = re.compile(r"(?P<document>.*)@(?P<start>\d+)-(?P<end>\d+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Saying:
    """A place in a note that states an edge.

    Attributes:
        edge_id: What it states.
        document_id: The note.
        at: The range of the note's text.
        is_front: It is a line of the front matter.
    """

    edge_id: EdgeId
    document_id: DocumentId
    at: TextRange
    is_front: bool


def said_by_relation(edge: RelationEdge, document: Document | None) -> Iterator[Saying]:
    """Where a note states a relation; nowhere if it was imported or the note has changed."""
    for name in edge.span_ids[:1]:
        found = _SPAN.fullmatch(name)
        if document is None or found is None or found["document"] != document.id:
            continue
        at = TextRange(int(found["start"]), int(found["end"]))
        for line in _lines(document.text):
            if line.start <= at.start < line.end:
                whole = _readable(document.text, line, at)
                yield Saying(edge.id, document.id, whole, is_front=True)
                break
        else:
            yield Saying(edge.id, document.id, at, is_front=False)


def said_of_time(
    detail: TemporalDetail, edge: TemporalEdge, document: Document | None
) -> Iterator[Saying]:
    """The lines of a note's front matter that say when something holds, or what it replaces.

    Args:
        detail: What is told of it: why a note does not hold tells which line is meant.
        edge: What the note states.
        document: The note that states it.
    """
    if document is None or edge.owner.startswith(OWNER_IMPORT):
        return
    for line in _lines(document.text):
        if _is_meant(line.key, detail, edge, document):
            at = _readable(document.text, line, line.range)
            yield Saying(edge.id, document.id, at, is_front=True)


def _is_meant(key: str, detail: TemporalDetail, edge: TemporalEdge, document: Document) -> bool:
    if edge.kind is TemporalKind.SUPERSEDES:
        says = RELATION_KEYS.get(relation_key(key))
        is_newer = edge.source.rpartition("#")[0] == document.id
        return relation_key(key) in _SUPERSEDES and says is not None and says[1] != is_newer
    ends, begins = spaced_key(key) in _VALID_TO, spaced_key(key) in _VALID_FROM
    if detail.reason == "expired":
        return ends
    return begins if detail.reason == "not_yet_valid" else begins or ends


def limit_edge(document: DocumentId) -> EdgeId:
    """Under which name the time limits are told that a note states and nobody can read."""
    return EdgeId(f"limit:{document}")


def title_edge(document: DocumentId) -> EdgeId:
    """Under which name the line is told in which a note states its title."""
    return EdgeId(f"title:{document}")


def said_of_limits(document: Document) -> Iterator[Saying]:
    """The lines of a front matter that state a time limit which could not be taken.

    It is no date, no day at all, or the front matter as a whole could not be read.
    """
    for line in _lines(document.text):
        key = spaced_key(line.key)
        kept = document.valid_from if key in _VALID_FROM else document.valid_to
        value = document.text[line.start : line.end].partition(":")[2].strip().strip("\"'")
        if (key in _VALID_FROM or key in _VALID_TO) and value and not kept:
            at = _readable(document.text, line, line.range)
            yield Saying(limit_edge(document.id), document.id, at, is_front=True)


def said_of_title(document: Document) -> Iterator[Saying]:
    """The line of a front matter that states the note's title."""
    for line in _lines(document.text):
        if spaced_key(line.key) == "title":
            at = _readable(document.text, line, line.range)
            yield Saying(title_edge(document.id), document.id, at, is_front=True)
            return


def owner_of(edge: RelationEdge | TemporalEdge) -> DocumentId | None:
    """The note that states an edge; ``None`` for one that came from outside."""
    return None if edge.owner.startswith(OWNER_IMPORT) else DocumentId(edge.owner)


# The lines of a front matter -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """A key with all that belongs to it."""

    key: str
    start: int
    end: int

    @property
    def range(self) -> TextRange:
        return TextRange(self.start, self.end)


def _lines(text: str) -> Sequence[_Line]:
    """The keys of a note's front matter, each with its value below it; none without one."""
    opening = _OPENS.match(text)
    if opening is None:
        return ()
    found: list[_Line] = []
    at = opening.end()
    for line in _split(text, at):
        if _CLOSES.fullmatch(line):
            return tuple(found)
        begun = _KEY.match(line)
        if begun is not None:
            found.append(_Line(begun["key"].strip("\"'"), at, at + len(line)))
        elif found:
            found[-1] = _Line(found[-1].key, found[-1].start, at + len(line))
        at += len(line)
    return ()  # never closed: it is no front matter


def _split(text: str, at: int) -> Iterable[str]:
    return text[at : at + _FARTHEST].splitlines(keepends=True)


_FARTHEST = 20_000  # code points of front matter that are looked at


def _readable(text: str, line: _Line, at: TextRange) -> TextRange:
    """A key with its value, trimmed; of one with many values the line that is meant."""
    start, end = line.start, line.end
    if end - start > SNIPPET_CHARS or "\n" in text[start:end].strip():
        before = text.rfind("\n", line.start, at.start)
        after = text.find("\n", at.end, line.end)
        end = after if after >= 0 else line.end
        if end - start > SNIPPET_CHARS:  # too far below its key
            start = max(line.start, before + 1)
        end = min(end, start + SNIPPET_CHARS)
    while text[start].isspace() and start < at.start:
        start += 1
    while end > start + 1 and text[end - 1].isspace():
        end -= 1
    return TextRange(start, end)
