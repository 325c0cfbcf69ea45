"""A note as its parser understood it: blocks, links and front matter, each at its place.

Every place is a half-open range of code points in the note's source text, which is the
file's UTF-8 decoded and nothing else: a byte order mark, carriage returns and tabs count.

What a note holds by the hundred is a named tuple: it is made three times as fast as a frozen
dataclass.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from witmark.kernel.evidence import TextRange


class Run(NamedTuple):
    """A stretch that the plain text copies from the source, character by character."""

    plain_start: int
    source_start: int
    length: int


class PlainText(NamedTuple):
    """What a reader sees of a piece of Markdown, and where in the source each bit stands.

    Runs are in order, do not overlap in the plain text, and copy verbatim. Characters
    between runs (a blank for a line break, a resolved entity) are ours and have no place
    of their own; a range that begins or ends on one shrinks to what was copied.
    """

    text: str
    runs: tuple[Run, ...]

    def source_range(self, start: int, end: int) -> TextRange | None:
        """Return the least source range that holds what [start, end) copied, if anything."""
        if start >= end or not self.runs:
            return None
        at = max(bisect_right(self.runs, start, key=_plain_start) - 1, 0)
        first: int | None = None
        last = 0
        for run in self.runs[at:]:
            if run.plain_start >= end:
                break
            low = max(start, run.plain_start)
            high = min(end, run.plain_start + run.length)
            if low < high:
                if first is None:
                    first = run.source_start + low - run.plain_start
                last = run.source_start + high - run.plain_start
        return None if first is None else TextRange(first, last)


def _plain_start(run: Run) -> int:
    return run.plain_start


class BlockKind(StrEnum):
    """What a block is. A list item, a table row and a footnote are blocks of their own."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    QUOTE = "quote"
    CALLOUT = "callout"
    CODE = "code"
    MATH = "math"
    MERMAID = "mermaid"
    FOOTNOTE = "footnote"
    HTML = "html"
    FRONT_MATTER = "front_matter"  # a description written in the front matter


class Block(NamedTuple):
    """A leaf of the note's structure, in source order.

    Attributes:
        kind: What it is.
        range: The whole block in the source, markers included.
        plain: What a reader sees of it; comments (``%%``), markup and ids are not in it.
        level: 1 to 6 for a heading, the nesting depth for a list item, else 0.
        info: The language of code, the type of a callout, the number of an ordered item
            (``"3."``), the label of a footnote; else empty.
        block_id: The Obsidian block id (``^like-this``) without its caret; else empty.
        is_header: A table's header row.
    """

    kind: BlockKind
    range: TextRange
    plain: PlainText
    level: int = 0
    info: str = ""
    block_id: str = ""
    is_header: bool = False


class LinkKind(StrEnum):
    """How a link is written."""

    WIKILINK = "wikilink"
    MARKDOWN = "markdown"
    EMBED = "embed"


@dataclass(frozen=True, slots=True)
class Link:
    """An authored link to another note or place.

    Attributes:
        kind: How it is written.
        target: The note as written, without fragment; empty for a place in this note.
        heading: The heading after ``#``, else empty.
        block_id: The block after ``#^``, else empty.
        label: What is shown instead of the target, else empty.
        range: The link in the source, brackets included.
        block: Index of the block it stands in; -1 for front matter.
    """

    kind: LinkKind
    target: str
    heading: str
    block_id: str
    label: str
    range: TextRange
    block: int


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag (``#like/this`` or from the front matter), without its hash."""

    name: str
    range: TextRange


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """Everything the parser found in one note.

    Attributes:
        front_matter: The YAML mapping as plain data (dates as ISO strings); empty if none.
        front_matter_range: Where it stands, fences included; ``None`` if there is none.
        front_matter_fault: Why it could not be read; empty if it could or there is none.
        blocks: In source order.
        links: In source order, those of the front matter first.
        tags: In source order.
    """

    front_matter: Mapping[str, object]
    front_matter_range: TextRange | None
    front_matter_fault: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    tags: tuple[Tag, ...]
