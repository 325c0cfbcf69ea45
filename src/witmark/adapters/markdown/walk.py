"""From comrak's tokens to blocks, links and tags.

Every piece of text is looked up where comrak says it stands. Where that is not what stands
there (an escape, an entity, or one of comrak's own slips after a reference definition or a
link over two lines) it is looked for from the last piece on, within its block.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from witmark.adapters.markdown import links as spelling
from witmark.adapters.markdown.markup import BREAK, text_pieces
from witmark.adapters.markdown.places import Places
from witmark.adapters.markdown.plain import PlainBuilder
from witmark.adapters.markdown.spelled import Piece, found_from, spelled, words_from
from witmark.adapters.markdown.tree import Token
from witmark.answers.notes import Block, BlockKind, Link, LinkKind, PlainText, Tag
from witmark.kernel.evidence import TextRange

_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)$")
_LINK_REST = re.compile(r"\](?:\([^()\n]*\)|\[[^\[\]\n]*\])?")
_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*([A-Za-z0-9_+#.-]*)")
_LINE_END = re.compile(r"\r\n?|\n")
_CODE_KINDS = {"mermaid": BlockKind.MERMAID, "math": BlockKind.MATH}
_FRAME_KINDS = {
    "block_quote": BlockKind.QUOTE,
    "callout": BlockKind.CALLOUT,
    "footnote_definition": BlockKind.FOOTNOTE,
}


@dataclass(slots=True)
class _Frame:
    """A container that is open: a quote, a list, an item, a callout or a footnote."""

    name: str
    start: int
    info: str = ""
    number: int = 0  # of the next item, for an ordered list
    used: bool = False  # its marker belongs to a block already


@dataclass(slots=True)
class _OpenLink:
    """A Markdown link or image whose end is still to come."""

    start: int
    end: int
    destination: str
    shown_from: int


class Walk:
    """One pass over the tokens of one text.

    Args:
        source: The whole text; everything is copied from it.
        seen: What comrak saw in its place, as long and masked.
        places: Of what comrak saw.
        first_block: The number of blocks before the body's first.
    """

    def __init__(self, source: str, seen: str, places: Places, first_block: int) -> None:
        self.blocks: list[Block] = []
        self.links: list[Link] = []
        self.tags: list[Tag] = []
        self._source, self._seen = source, seen
        self._places = places
        self._first_block = first_block
        self._frames: list[_Frame] = []
        self._plain: PlainBuilder | None = None
        self._kind = BlockKind.PARAGRAPH
        self._level = 0
        self._start = self._end = self._cursor = 0
        self._hidden = 0
        self._open_links: list[_OpenLink] = []
        self._links_before = 0
        self._ends_in_text = False
        self._alone_math = False
        self._in_title = False
        self._title_waits = False
        self._header_row = False
        self._bars: list[int] = []

    def read(self, tokens: list[Token]) -> None:
        """Take every token in."""
        point = self._places.point
        for name, line, column, last_line, last_column, attributes, text, closed in tokens:
            if name == "text":
                if self._plain is not None and not self._hidden:
                    start = point(int(line), int(column))
                    self._text(html.unescape(text) if "&" in text else text, start)
            elif closed:
                _CLOSING[closed](self)
            elif name == "softbreak":
                self._break_line()
            else:
                start = point(int(line), int(column))
                end = point(int(last_line), int(last_column) + 1)
                if "&" in text:
                    text = html.unescape(text)  # noqa: PLW2901  # the XML's own escapes
                _OPENING[name](self, start, end, attributes, text)
        self._end_block()

    # Pieces of text -----------------------------------------------------------------

    def _text(self, text: str, start: int) -> None:
        if self._alone_math:
            self._alone_math, self._kind = False, BlockKind.PARAGRAPH
        self._ends_in_text = True
        plain = self._plain
        assert plain is not None  # noqa: S101  # the caller looked
        if self._bars:
            start = self._past_bars(start)
        if self._seen.startswith(text, start) and "[[" not in text:
            self._cursor = end = start + len(text)
            plain.copy(start, end)
            if "#" in text:
                self._find_tags(start, end)
            return
        pieces = self._find(text, start)
        plain.take(pieces)
        for piece in pieces:
            if isinstance(piece, tuple):
                self._cursor = piece[1]
                self._find_tags(*piece)

    def _find(self, text: str, start: int) -> list[Piece]:
        """Where a text stands that is not plainly where it should be."""
        if self._seen.startswith(text, start):
            return self._leftover_wikilinks(start, start + len(text))
        pieces = None
        if start >= self._cursor:
            pieces = spelled(text, self._seen, start, self._end)
        if pieces is None:
            pieces = found_from(text, self._seen, self._cursor, self._end)
        return [text] if pieces is None else pieces

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

    def _find_tags(self, start: int, end: int) -> None:
        for found in spelling.TAG.finditer(self._source, start, end):
            name = found[1].strip("/")
            if name and not name.replace("/", "").isdecimal():
                self.tags.append(Tag(name, TextRange(found.start(), found.end())))

    def _past_bars(self, at: int) -> int:
        """Comrak counts a table cell's columns without the backslashes before its bars."""
        for bar in self._bars:
            at += bar < at
        return at

    def _break_line(self, *_: object) -> None:
        if self._plain is None:
            return
        if self._alone_math:
            self._go_on(BlockKind.PARAGRAPH, self._cursor)
        else:
            self._plain.break_line()

    def _code(self, start: int, end: int, _: str, text: str) -> None:
        self._literal(text, start, end)

    def _math(self, start: int, end: int, attributes: str, text: str) -> None:
        plain = self._plain
        if plain is None or self._hidden:
            return
        display = 'math_style="display"' in attributes
        if display and plain.at_line_start and self._kind is not BlockKind.TABLE_ROW:
            self._go_on(BlockKind.MATH, start)
            self._literal(text, start, end)
            self._cursor, self._alone_math = end, True
        else:
            self._literal(text, start, end)

    def _go_on(self, kind: BlockKind, start: int) -> None:
        """End a block within its paragraph; the next one begins at what follows."""
        stop, self._end = self._end, self._cursor
        self._end_block()
        while start < stop and self._source[start] in " \t\r\n":
            start += 1
        self._begin_block(kind, start, stop)

    def _literal(self, text: str, start: int, end: int) -> None:
        """Code or mathematics: shown as written, without its marks."""
        plain = self._plain
        if plain is None or self._hidden:
            return
        self._alone_math = False
        self._ends_in_text = False
        if self._bars:
            start, end = self._past_bars(start), self._past_bars(end)
        at = self._seen.find(text, start, end) if "\n" not in text else -1
        if at >= 0:
            inside = self._source[at : at + len(text)]  # a masked formula has line breaks
            at += len(inside) - len(inside.lstrip())
            plain.copy(at, at + len(inside.strip()))
        else:
            start = start if start >= self._cursor else self._cursor
            plain.take(words_from(text, self._seen, start, max(end, self._end)))
        self._cursor = max(self._cursor, end)

    def _html_inline(self, start: int, end: int, _: str, text: str) -> None:
        if self._plain is None or self._hidden:
            return
        if BREAK.match(text):
            self._plain.break_line()
        else:
            self._plain.drop()
        self._ends_in_text = False

    def _comment(self, *_: object) -> None:
        if self._plain is not None:
            self._plain.drop()

    # Links --------------------------------------------------------------------------

    def _wikilink(self, start: int, end: int, attributes: str, _: str) -> None:
        if self._plain is not None and not self._hidden:
            if self._bars:
                start, end = self._past_bars(start), self._past_bars(end)
            found = spelling.WIKILINK.fullmatch(self._source, start, end)
            if found is None:
                found = spelling.WIKILINK.search(self._source, self._cursor, self._end)
            link = spelling.wikilink(found[0]) if found else None
            if found is not None and link is not None:
                self._plain.take(self._link_pieces(link, found.start(), found.end()))
                self._cursor = found.end()
            self._ends_in_text = False
            self._alone_math = False
        self._hide(attributes)

    def _link_pieces(self, link: spelling.Spelled, start: int, end: int) -> list[Piece]:
        """Note a wikilink; what is shown of it."""
        embed = self._source[start] == "!"
        if spelling.is_attachment(link.target):
            return [""] if embed else [(start + a, start + b) for a, b in link.shown]
        kind = LinkKind.EMBED if embed else LinkKind.WIKILINK
        self._keep_link(
            kind, (link.target, link.heading, link.block_id), link.label, start, end
        )
        pieces: list[Piece] = []
        for a, b in link.shown:
            pieces += [" > "] if pieces else []
            pieces.append((start + a, start + b))
        return pieces

    def _keep_link(
        self, kind: LinkKind, named: tuple[str, str, str], label: str, start: int, end: int
    ) -> None:
        block = self._first_block + len(self.blocks)
        self.links.append(Link(kind, *named, label, TextRange(start, end), block))

    def _link(self, start: int, end: int, attributes: str, _: str) -> None:
        shown_from = self._plain.length if self._plain else 0
        self._open_links.append(
            _OpenLink(start, end, _attribute(attributes, "destination"), shown_from)
        )
        if attributes.endswith("/"):
            self._end_link()

    def _end_link(self) -> None:
        link = self._open_links.pop()
        plain, named = self._plain, spelling.markdown_target(link.destination)
        if plain is None or self._hidden or named is None:
            return
        label = plain.text[link.shown_from :].strip()
        start, end = link.start, link.end
        if not (self._start <= start < end) or self._source[start] != "[":
            start, end = self._link_before_cursor()
        self._keep_link(LinkKind.MARKDOWN, named, label, start, end)

    def _link_before_cursor(self) -> tuple[int, int]:
        """Where a link stands that comrak places in another line."""
        start = max(self._source.rfind("[", self._start, self._cursor), self._start)
        rest = _LINK_REST.match(self._source, self._cursor)
        return start, max(rest.end() if rest else self._cursor, start + 1)

    def _image(self, start: int, end: int, attributes: str, _: str) -> None:
        destination = _attribute(attributes, "destination")
        if self._plain is not None and not self._hidden:
            named = spelling.markdown_target(destination)
            if named is not None and named[0].lower().endswith((".md", ".markdown")):
                self._keep_link(LinkKind.EMBED, named, "", start, end)
            self._plain.drop()
        self._hide(attributes)

    def _hide(self, attributes: str) -> None:
        self._hidden += not attributes.endswith("/")

    def _show(self) -> None:
        self._hidden -= 1

    # Blocks -------------------------------------------------------------------------

    def _begin_block(self, kind: BlockKind, start: int, end: int, level: int = 0) -> None:
        self._plain = PlainBuilder(self._source)
        self._kind, self._level = kind, level
        self._start, self._end = start, end
        self._cursor = start
        self._links_before = len(self.links)
        self._alone_math = self._ends_in_text = False

    def _end_block(self, info: str = "", *, header: bool = False) -> None:
        """Close the block at hand, unless there is nothing to be seen in it."""
        if (plain := self._plain) is None:
            return
        self._plain, self._title_waits = None, False
        block_id = self._block_id(plain) if self._ends_in_text else ""
        shown = plain.finish()
        if not shown.text and not (shown := self._links_alone()).text:
            self._name_the_last(block_id)
            return
        kind, level, start = self._kind, self._level, self._start
        if kind is BlockKind.PARAGRAPH and self._frames:
            kind, level, info = self._kind_here()
        if self._frames:
            start = self._claim(start)
        end = max(self._end, start + 1)
        self.blocks.append(
            Block(kind, TextRange(start, end), shown, level, info, block_id, header)
        )

    def _links_alone(self) -> PlainText:
        """A block of links that show nothing shows the first one as it is written."""
        plain = PlainBuilder(self._source)
        if len(self.links) > self._links_before:
            place = self.links[self._links_before].range
            plain.copy(place.start, place.end)
        return plain.finish()

    def _block_id(self, plain: PlainBuilder) -> str:
        if "^" not in (text := plain.text) or not (found := _BLOCK_ID.search(text.rstrip())):
            return ""
        plain.cut_tail(found.start())
        return found[1]

    def _name_the_last(self, block_id: str) -> None:
        """An id in a block of its own names the block before it."""
        if block_id and self.blocks and not self.blocks[-1].block_id:
            self.blocks[-1] = replace(self.blocks[-1], block_id=block_id)

    def _kind_here(self) -> tuple[BlockKind, int, str]:
        """What a paragraph is, by the containers it stands in."""
        for frame in reversed(self._frames):
            if frame.name == "item" and not frame.used:
                depth = sum(f.name == "list" for f in self._frames)
                return BlockKind.LIST_ITEM, depth, frame.info
            if frame.name in _FRAME_KINDS:
                return _FRAME_KINDS[frame.name], 0, frame.info
        return BlockKind.PARAGRAPH, 0, ""

    def _claim(self, start: int) -> int:
        """Where a block starts with the markers of the containers it is the first in."""
        for frame in reversed(self._frames):
            if frame.used:
                break
            frame.used = True
            start = min(start, frame.start)
        return start

    def _paragraph(self, start: int, end: int, *_: object) -> None:
        if self._title_waits and self._plain is not None and self._frames[-1].name == "callout":
            self._title_waits = False
            self._plain.add("\n")
            self._end, self._cursor = end, start
            return
        self._end_block()
        self._begin_block(BlockKind.PARAGRAPH, start, end)

    def _end_paragraph(self) -> None:
        if self._in_title:
            self._title_waits = True
        else:
            self._end_block()

    def _callout_title(self, *_: object) -> None:
        self._in_title = True

    def _end_callout_title(self) -> None:
        self._in_title = False

    def _heading(self, start: int, end: int, attributes: str, _: str) -> None:
        self._end_block()
        if self._frames:  # within a quote or a list it heads nothing
            self._begin_block(BlockKind.PARAGRAPH, start, end)
        else:
            level = int(_attribute(attributes, "level") or 1)
            self._begin_block(BlockKind.HEADING, start, end, level)

    def _code_block(self, start: int, end: int, _: str, text: str) -> None:
        self._end_block()
        first_end = _LINE_END.search(self._seen, start)
        opening = self._seen[start : first_end.start() if first_end else end]
        fence = _FENCE.match(opening)
        info = ""
        at = start
        if fence is not None and not text.startswith(opening):
            info, at = fence[1], first_end.end() if first_end else end
        self._begin_block(_CODE_KINDS.get(info.lower(), BlockKind.CODE), start, end)
        self._code_lines(text, at)
        self._ends_in_text = False
        self._end_block(info)

    def _code_lines(self, text: str, at: int) -> None:
        """Copy code, each line from the end of its line in the source."""
        plain, seen = self._plain, self._seen
        assert plain is not None  # noqa: S101  # the block was begun just now
        whole = text.rstrip("\r\n")
        if "\r" not in whole and seen.startswith(whole, at):
            plain.copy(at, at + len(whole))
            return
        for number, line in enumerate(_LINE_END.split(whole)):
            if number:
                plain.add("\n")
            found = _LINE_END.search(seen, at)
            stop = found.start() if found else len(seen)
            kept = line if seen.endswith(line, at, stop) else line.lstrip()
            if seen.endswith(kept, at, stop):
                plain.add(line[: len(line) - len(kept)])
                plain.copy(stop - len(kept), stop)
            else:
                plain.add(line)
            at = found.end() if found else stop

    def _html_block(self, start: int, end: int, *_: object) -> None:
        self._end_block()
        self._begin_block(BlockKind.HTML, start, end)
        plain = self._plain
        assert plain is not None  # noqa: S101  # the block was begun just now
        for low, high, breaks in text_pieces(self._source, start, end):
            shown = html.unescape(self._source[low:high])
            if breaks or shown[:1].isspace():
                plain.break_line()
            plain.take(words_from(shown, self._source, low, high))
            if shown[-1:].isspace():
                plain.break_line()
        self._end_block()

    def _table(self, *_: object) -> None:
        self._end_block()
        self._header_row = True

    def _table_row(self, start: int, end: int, *_: object) -> None:
        self._end_block()
        self._begin_block(BlockKind.TABLE_ROW, start, end)

    def _table_cell(self, start: int, end: int, *_: object) -> None:
        if self._plain is None:
            return
        self._plain.divide()
        self._bars = []
        if "\\|" in (cell := self._source[start:end]):
            self._bars = [start + bar.start() for bar in re.finditer(r"\\\|", cell)]

    def _end_row(self) -> None:
        self._bars = []
        self._end_block(header=self._header_row)
        self._header_row = False

    # Containers ---------------------------------------------------------------------

    def _open_frame(self, name: str, start: int, info: str = "", number: int = 0) -> None:
        self._end_block()
        self._frames.append(_Frame(name, start, info, number))

    def _close_frame(self) -> None:
        self._end_block()
        self._frames.pop()

    def _quote(self, start: int, *_: object) -> None:
        self._open_frame("block_quote", start)

    def _callout(self, start: int, _end: int, attributes: str, _: str) -> None:
        self._open_frame("callout", start, _attribute(attributes, "type"))

    def _footnote(self, start: int, _end: int, attributes: str, _: str) -> None:
        self._open_frame("footnote_definition", start, _attribute(attributes, "label"))

    def _list(self, start: int, _end: int, attributes: str, _: str) -> None:
        ordered = 'type="ordered"' in attributes
        mark = ")" if 'delim="paren"' in attributes else "."
        number = int(_attribute(attributes, "start") or 1) if ordered else 0
        self._open_frame("list", start, mark if ordered else "", number)

    def _item(self, start: int, *_: object) -> None:
        above = self._frames[-1] if self._frames else _Frame("list", start)
        info = f"{above.number}{above.info}" if above.info else ""
        above.number += 1
        self._open_frame("item", start, info)


def _attribute(attributes: str, name: str) -> str:
    at = attributes.find(f'{name}="')
    if at < 0:
        return ""
    at += len(name) + 2
    return html.unescape(attributes[at : attributes.index('"', at)])


_OPENING: dict[str, Callable[..., None]] = {
    "softbreak": Walk._break_line,
    "linebreak": Walk._break_line,
    "code": Walk._code,
    "math": Walk._math,
    "html_inline": Walk._html_inline,
    "comment": Walk._comment,
    "footnote_reference": Walk._comment,
    "wikilink": Walk._wikilink,
    "link": Walk._link,
    "image": Walk._image,
    "paragraph": Walk._paragraph,
    "heading": Walk._heading,
    "code_block": Walk._code_block,
    "html_block": Walk._html_block,
    "table": Walk._table,
    "table_row": Walk._table_row,
    "table_cell": Walk._table_cell,
    "callout_title": Walk._callout_title,
    "block_quote": Walk._quote,
    "callout": Walk._callout,
    "footnote_definition": Walk._footnote,
    "list": Walk._list,
    "item": Walk._item,
    "taskitem": Walk._item,
}
_CLOSING: dict[str, Callable[[Walk], None]] = {
    "paragraph": Walk._end_paragraph,
    "heading": Walk._end_block,
    "table_row": Walk._end_row,
    "callout_title": Walk._end_callout_title,
    "block_quote": Walk._close_frame,
    "callout": Walk._close_frame,
    "footnote_definition": Walk._close_frame,
    "list": Walk._close_frame,
    "item": Walk._close_frame,
    "taskitem": Walk._close_frame,
    "link": Walk._end_link,
    "image": Walk._show,
    "wikilink": Walk._show,
}
