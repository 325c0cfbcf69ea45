"""The text of one block: its pieces, and the links and tags among them.

Every piece is looked up where comrak says it stands. Where that is not what stands there (an
escape, an entity, or one of comrak's own slips after a reference definition or a link over
two lines) it is looked for from the last piece on, within its block.
"""

import html
import re
from bisect import bisect_left
from dataclasses import dataclass

from witmark.adapters.markdown import links as spelling
from witmark.adapters.markdown.markup import BREAK
from witmark.adapters.markdown.plain import PlainBuilder
from witmark.adapters.markdown.spelled import Piece, found_from, spelled, words_from
from witmark.answers.notes import Link, LinkKind, Tag
from witmark.kernel.evidence import TextRange

_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)$")
_HEADING_ID = re.compile(r"\s*\{:?\s*#([\w.:-]+)[^{}]*\}$")
_LONGEST_ID = 128  # Obsidian makes six characters; people write a few words
_MAY_END_ID = re.compile(r"[A-Za-z0-9}\s-]").match
_BAR = re.compile(r"\\\|")
_LINK_REST = re.compile(r"\](?:\([^()\n]*\)|\[[^\[\]\n]*\])?")


@dataclass(slots=True)
class _OpenLink:
    """A Markdown link whose end is still to come."""

    start: int
    end: int
    destination: str
    shown_from: int


class Inlines:
    """Collects one block after another.

    Args:
        source: The whole text; everything is copied from it.
        seen: What comrak saw in its place, as long and masked.

    Attributes:
        links: All so far.
        tags: All so far.
        plain: The text of the block at hand, or ``None`` between blocks.
        cursor: Where the last piece ended.
        hidden: How many open nodes hide what is in them.
        only_math: Nothing but one display formula stands in the block.
    """

    __slots__ = (
        "_bars",
        "_block",
        "_end",
        "_ends_in_text",
        "_first_link",
        "_open_links",
        "_seen",
        "_source",
        "_start",
        "cursor",
        "hidden",
        "links",
        "only_math",
        "plain",
        "tags",
    )

    def __init__(self, source: str, seen: str) -> None:
        self.links: list[Link] = []
        self.tags: list[Tag] = []
        self.plain: PlainBuilder | None = None
        self.hidden = 0
        self._source, self._seen = source, seen
        self._open_links: list[_OpenLink] = []
        self._bars: list[int] = []

    def begin(self, block: int, start: int, end: int) -> PlainBuilder:
        """Begin the block of a number, whose pieces lie in [start, end)."""
        self.plain = plain = PlainBuilder(self._source)
        self._block, self._start, self._end = block, start, end
        self._first_link = len(self.links)
        self.cursor = start
        self.only_math = self._ends_in_text = False
        return plain

    def widen(self, start: int, end: int) -> None:
        """Go on in another paragraph with the same block."""
        self.cursor, self._end = start, end

    def take_block_id(self, *, of_heading: bool = False) -> str:
        """Cut the block id off the end of the text, if there is one.

        A heading may also be named as many site generators do: ``{#name}``.
        """
        plain = self.plain
        if plain is None or not self._ends_in_text or not _MAY_END_ID(plain.last):
            return ""
        tail = plain.tail(max(plain.length - _LONGEST_ID, 0))
        pattern = _BLOCK_ID if "^" in tail else _HEADING_ID if of_heading else None
        if pattern is None or (found := pattern.search(tail.rstrip())) is None:
            return ""
        plain.cut_tail(plain.length - len(tail) + found.start())
        return found[1]

    def show_first_link(self, plain: PlainBuilder) -> None:
        """A block whose links show nothing shows the first one as it is written."""
        if len(self.links) > self._first_link:
            place = self.links[self._first_link].range
            plain.copy(place.start, place.end)

    # Text ---------------------------------------------------------------------------

    def is_bare(self, text: str, start: int) -> bool:
        """Whether a text stands where it should, and holds no link, no tag and no id."""
        source, seen = self._source, self._seen
        return (
            not (self.hidden or self._bars or text[-1].isspace())
            and "#" not in text
            and "[[" not in text
            and "^" not in text
            and source.startswith(text, start)
            and (seen is source or seen.startswith(text, start))
        )

    def text(self, text: str, start: int) -> None:
        """A text that begins at a place, as far as comrak knows."""
        plain = self.plain
        if plain is None:
            return
        self._ends_in_text = True
        self.only_math = False
        if self._bars:
            start = self._past_bars(start)
        if self._seen.startswith(text, start) and "[[" not in text:
            self.cursor = end = start + len(text)
            plain.copy(start, end)
            if "#" in text:
                self._find_tags(start, end)
            return
        pieces = self._find(text, start)
        plain.take(pieces)
        for piece in pieces:
            if isinstance(piece, tuple):
                self.cursor = piece[1]
                self._find_tags(*piece)

    def literal(self, start: int, end: int, _: str, text: str) -> None:
        """Code or mathematics: shown as written, without its marks."""
        plain = self.plain
        if plain is None or self.hidden:
            return
        self.only_math = self._ends_in_text = False
        if self._bars:
            start, end = self._past_bars(start), self._past_bars(end)
        at = self._seen.find(text, start, end) if "\n" not in text else -1
        if at >= 0:
            inside = self._source[at : at + len(text)]  # a masked formula has line breaks
            bare = inside.strip()
            if len(bare) < len(inside):
                at += len(inside) - len(inside.lstrip())
            plain.copy(at, at + len(bare))
        else:
            start = max(start, self.cursor)
            plain.take(words_from(text, self._seen, start, max(end, self._end)))
        self.cursor = max(self.cursor, end)

    def html(self, *parts: object) -> None:
        """A tag or a comment: not shown."""
        if self.plain is None or self.hidden:
            return
        if BREAK.match(str(parts[-1])):
            self.plain.break_line()
        else:
            self.plain.drop()
        self._ends_in_text = False

    def drop(self, *_: object) -> None:
        """A comment, or the mark of a footnote: not shown."""
        if self.plain is not None:
            self.plain.drop()

    def cell(self, start: int, end: int, *_: object) -> None:
        """A table cell begins."""
        if self.plain is not None:
            self.plain.divide()
        self._bars = []
        if "\\|" in self._source[start:end]:
            bars = _BAR.finditer(self._source, start, end)
            self._bars = [bar.start() - before for before, bar in enumerate(bars)]

    def end_row(self) -> None:
        """The cells of a table row are over."""
        self._bars = []

    def _past_bars(self, at: int) -> int:
        """Comrak counts a table cell's columns without the backslashes before its bars."""
        return at + bisect_left(self._bars, at)

    def _find(self, text: str, start: int) -> list[Piece]:
        """Where a text stands that is not plainly where it should be."""
        if self._seen.startswith(text, start):
            return self._leftover_wikilinks(start, start + len(text))
        pieces = None
        if start >= self.cursor:
            pieces = spelled(text, self._seen, start, self._end)
        if pieces is None:
            pieces = found_from(text, self._seen, self.cursor, self._end)
        return [text] if pieces is None else pieces

    def _find_tags(self, start: int, end: int) -> None:
        for found in spelling.TAG.finditer(self._source, start, end):
            name = found[1].strip("/")
            if name and not name.replace("/", "").isdecimal():
                self.tags.append(Tag(name, TextRange(found.start(), found.end())))

    # Links --------------------------------------------------------------------------

    def wikilink(self, start: int, end: int, attributes: str, _: str) -> None:
        """A wikilink or an embed; it is read from the source, comrak only says where."""
        if self.plain is not None and not self.hidden:
            if self._bars:
                start, end = self._past_bars(start), self._past_bars(end)
            found = spelling.WIKILINK.fullmatch(self._source, start, end)
            if found is None:
                found = spelling.WIKILINK.search(self._source, self.cursor, self._end)
            link = spelling.wikilink(found[0]) if found else None
            if found is not None and link is not None:
                self.plain.take(self._link_pieces(link, found.start(), found.end()))
                self.cursor = found.end()
            self.only_math = self._ends_in_text = False
        self._hide(attributes)

    def _leftover_wikilinks(self, start: int, end: int) -> list[Piece]:
        """Wikilinks that comrak does not take for links, such as ``![[x.png|alt|300]]``."""
        pieces: list[Piece] = []
        for found in spelling.WIKILINK.finditer(self._source, start, end):
            link = spelling.wikilink(found[0])
            if link is None or self._source[found.start() - 1 : found.start()] == "\\":
                continue
            if start < found.start():
                pieces.append((start, found.start()))
            pieces += self._link_pieces(link, found.start(), found.end())
            start = found.end()
        return [*pieces, (start, end)] if start < end else pieces

    def _link_pieces(self, link: spelling.Spelled, start: int, end: int) -> list[Piece]:
        """Note a wikilink; what is shown of it."""
        embed = self._source[start] == "!"
        if spelling.is_attachment(link.target):
            return [""] if embed else [(start + a, start + b) for a, b in link.shown]
        kind = LinkKind.EMBED if embed else LinkKind.WIKILINK
        self._keep(kind, (link.target, link.heading, link.block_id), link.label, (start, end))
        pieces: list[Piece] = []
        for a, b in link.shown:
            pieces += [" > "] if pieces else []
            pieces.append((start + a, start + b))
        return pieces

    def link(self, start: int, end: int, attributes: str, _: str) -> None:
        """A Markdown link begins."""
        destination = attribute(attributes, "destination")
        shown_from = self.plain.length if self.plain else 0
        self._open_links.append(_OpenLink(start, end, destination, shown_from))
        if attributes.endswith("/"):
            self.end_link()

    def end_link(self) -> None:
        """A Markdown link ends; it is kept if it may lead to a note."""
        link = self._open_links.pop()
        plain, named = self.plain, spelling.markdown_target(link.destination)
        if plain is None or self.hidden or named is None:
            return
        place = link.start, link.end
        if not (self._start <= link.start < link.end) or self._source[link.start] != "[":
            place = self._link_before_cursor()
        label = plain.tail(link.shown_from).strip()
        self._keep(LinkKind.MARKDOWN, named, label, place)

    def image(self, start: int, end: int, attributes: str, _: str) -> None:
        """A picture: not shown; one whose source is a note is an embed."""
        if self.plain is not None and not self.hidden:
            named = spelling.markdown_target(attribute(attributes, "destination"))
            if named is not None and spelling.is_note(named[0]):
                self._keep(LinkKind.EMBED, named, "", (start, max(end, start + 1)))
            self.plain.drop()
        self._hide(attributes)

    def show(self) -> None:
        """What hid its content has ended."""
        self.hidden -= 1

    def _hide(self, attributes: str) -> None:
        self.hidden += not attributes.endswith("/")

    def _keep(
        self, kind: LinkKind, named: tuple[str, str, str], label: str, place: tuple[int, int]
    ) -> None:
        self.links.append(Link(kind, *named, label, TextRange(*place), self._block))

    def _link_before_cursor(self) -> tuple[int, int]:
        """Where a link stands that comrak places in another line."""
        start = max(self._source.rfind("[", self._start, self.cursor), self._start)
        rest = _LINK_REST.match(self._source, self.cursor)
        return start, max(rest.end() if rest else self.cursor, start + 1)


def attribute(attributes: str, name: str) -> str:
    """The value of an attribute of a token, or empty."""
    at = attributes.find(f'{name}="')
    if at < 0:
        return ""
    at += len(name) + 2
    value = attributes[at : attributes.index('"', at)]
    return html.unescape(value) if "&" in value else value
