"""From comrak's tokens to blocks: which containers are open decides what a block is."""

from collections.abc import Callable
from dataclasses import dataclass

from witmark.adapters.markdown.inlines import Inlines, attribute
from witmark.adapters.markdown.places import Places
from witmark.adapters.markdown.tree import Token, unescaped
from witmark.adapters.markdown.verbatim import copy_code, copy_html, fence_info
from witmark.answers.notes import Block, BlockKind, PlainText, Run
from witmark.kernel.evidence import TextRange

_CODE_KINDS = {"mermaid": BlockKind.MERMAID, "math": BlockKind.MATH}
_FRAME_KINDS = {
    "quote": BlockKind.QUOTE,
    "callout": BlockKind.CALLOUT,
    "footnote": BlockKind.FOOTNOTE,
}
_MADE = tuple.__new__  # of the class named first; a third of the time of calling it


class _Numbers(dict[str, int]):
    """Small numbers by their spelling: half of the time would go into ``int``."""

    def __missing__(self, spelled: str) -> int:
        return int(spelled)


_NUMBERS = _Numbers((str(number), number) for number in range(2048))


@dataclass(slots=True)
class _Frame:
    """A container that is open: a quote, a list, an item, a callout or a footnote."""

    name: str
    start: int
    info: str = ""
    number: int = 0  # of the next item, for an ordered list
    used: bool = False  # its marker belongs to a block already


class Walk:
    """One pass over the tokens of one text.

    Args:
        source: The whole text; everything is copied from it.
        seen: What comrak saw in its place, as long and masked.
        places: Of what comrak saw.
        first_block: The number of blocks before the body's first.

    Attributes:
        blocks: What was found, in source order.
        inlines: Holds the links and tags that were found.
    """

    def __init__(self, source: str, seen: str, places: Places, first_block: int) -> None:
        self.blocks: list[Block] = []
        self.inlines = Inlines(source, seen)
        self._source, self._seen = source, seen
        self._places = places
        self._first_block = first_block
        self._frames: list[_Frame] = []
        self._kind = BlockKind.PARAGRAPH
        self._level = self._start = self._end = 0
        self._in_title = self._title_waits = False
        self._header_row = False

    def read(self, tokens: list[Token]) -> None:  # noqa: C901 - a hot loop, kept in one piece
        """Take every token in."""
        inlines, number = self.inlines, _NUMBERS
        point, lines, points = self._places.point, self._places.lines, self._places.points
        opening, closing = self._opening(), self._closing()
        for (
            name, line, column, last_line, last_column, attributes,
            only_line, only_column, only, text, closed,
        ) in tokens:  # fmt: skip
            if name == "text":
                if inlines.hidden:
                    continue
                try:  # what point does
                    start = points[lines[number[line]] + number[column] - 1]
                except IndexError:
                    start = points[-1]
                inlines.text(unescaped(text) if "&" in text else text, start)
            elif closed:
                closing[closed]()
            elif (opens := opening.get(name)) is not None:
                try:
                    start = points[lines[number[line]] + number[column] - 1]
                    end = points[lines[number[last_line]] + number[last_column]]
                except IndexError:
                    start = point(number[line], number[column])
                    end = point(number[last_line], number[last_column] + 1)
                if not only:
                    opens(start, end, attributes, unescaped(text) if "&" in text else text)
                    continue
                at = point(number[only_line], number[only_column])
                only = unescaped(only) if "&" in only else only  # noqa: PLW2901  # XML's own
                if not self._takes_whole(name, attributes, (start, end), only, at):
                    opens(start, end, attributes, "")
                    if not inlines.hidden:
                        inlines.text(only, at)
                    closing[name]()
            elif name == "softbreak":
                self._break_line()
        self._end_block()

    def _takes_whole(
        self, name: str, attributes: str, place: tuple[int, int], text: str, at: int
    ) -> bool:
        """Take a heading or a paragraph in that is one text, if it stands there as it is read.

        What is made of it is what its three tokens would come to one after the other.
        """
        inlines = self.inlines
        if inlines.plain is not None or self._in_title or not inlines.is_bare(text, at):
            return False
        start, end = place
        kind, level, info = BlockKind.PARAGRAPH, 0, ""
        if self._frames:
            kind, level, info = self._kind_here()
            start = self._claim(start)
        elif name == "heading":
            kind, level = BlockKind.HEADING, int(attribute(attributes, "level") or 1)
        self._title_waits = False
        whole = TextRange(start, end if end > start else start + 1)
        plain = _MADE(PlainText, (text, (_MADE(Run, (0, at, len(text))),)))
        self.blocks.append(_MADE(Block, (kind, whole, plain, level, info, "", False)))
        return True

    def _opening(self) -> dict[str, Callable[[int, int, str, str], None]]:
        inlines = self.inlines
        return {
            "linebreak": self._break_line,
            "code": inlines.literal,
            "math": self._math,
            "html_inline": inlines.html,
            "comment": inlines.drop,
            "footnote_reference": inlines.drop,
            "wikilink": inlines.wikilink,
            "link": inlines.link,
            "image": inlines.image,
            "paragraph": self._paragraph,
            "heading": self._heading,
            "code_block": self._code_block,
            "html_block": self._html_block,
            "table": self._table,
            "table_row": self._table_row,
            "table_cell": inlines.cell,
            "callout_title": self._callout_title,
            "block_quote": self._quote,
            "callout": self._callout,
            "footnote_definition": self._footnote,
            "list": self._list,
            "item": self._item,
            "taskitem": self._item,
        }

    def _closing(self) -> dict[str, Callable[[], None]]:
        return {
            "paragraph": self._end_paragraph,
            "heading": self._end_block,
            "table_row": self._end_row,
            "callout_title": self._end_callout_title,
            "block_quote": self._close_frame,
            "callout": self._close_frame,
            "footnote_definition": self._close_frame,
            "list": self._close_frame,
            "item": self._close_frame,
            "taskitem": self._close_frame,
            "link": self.inlines.end_link,
            "image": self.inlines.show,
            "wikilink": self.inlines.show,
        }

    # Blocks -------------------------------------------------------------------------

    def _begin_block(self, kind: BlockKind, start: int, end: int, level: int = 0) -> None:
        self._kind, self._level, self._start, self._end = kind, level, start, end
        self.inlines.begin(self._first_block + len(self.blocks), start, end)

    def _end_block(self, info: str = "", *, header: bool = False) -> None:
        """Close the block at hand, unless there is nothing to be seen in it."""
        inlines = self.inlines
        if (plain := inlines.plain) is None:
            return
        block_id = inlines.take_block_id(of_heading=self._kind is BlockKind.HEADING)
        inlines.plain, self._title_waits = None, False
        shown = plain.finish()
        if not shown.text:
            inlines.show_first_link(plain)
            if not (shown := plain.finish()).text:
                self._name_the_last(block_id)
                return
        kind, level, start, end = self._kind, self._level, self._start, self._end
        if kind is BlockKind.PARAGRAPH:
            if inlines.only_math:
                kind = BlockKind.MATH
            elif self._frames:
                kind, level, info = self._kind_here()
        if self._frames:
            start = self._claim(start)
        place = TextRange(start, end if end > start else start + 1)
        self.blocks.append(Block(kind, place, shown, level, info, block_id, header))

    def _name_the_last(self, block_id: str) -> None:
        """An id in a block of its own names the block before it."""
        if block_id and self.blocks and not self.blocks[-1].block_id:
            self.blocks[-1] = self.blocks[-1]._replace(block_id=block_id)

    def _kind_here(self) -> tuple[BlockKind, int, str]:
        """What a paragraph is, by the containers it stands in: kind, level and info."""
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
        plain = self.inlines.plain
        if plain is not None and self._title_waits and self._frames[-1].name == "callout":
            self._title_waits = False
            self._end = end
            plain.add("\n")
            self.inlines.widen(start, end)
            return
        self._end_block()
        self._begin_block(BlockKind.PARAGRAPH, start, end)

    def _end_paragraph(self) -> None:
        if self._in_title:
            self._title_waits = True
        else:
            self._end_block()

    def _heading(self, start: int, end: int, attributes: str, _: str) -> None:
        self._end_block()
        if self._frames:  # within a quote or a list it heads nothing
            self._begin_block(BlockKind.PARAGRAPH, start, end)
        else:
            level = int(attribute(attributes, "level") or 1)
            self._begin_block(BlockKind.HEADING, start, end, level)

    def _break_line(self, *_: object) -> None:
        if self.inlines.plain is None:
            return
        if self.inlines.only_math:
            self._go_on(self.inlines.cursor)
        else:
            self.inlines.plain.break_line()

    def _math(self, start: int, end: int, attributes: str, text: str) -> None:
        """A formula; one on lines of its own is a block of its own."""
        inlines = self.inlines
        if inlines.plain is None or inlines.hidden:
            return
        alone = (
            'math_style="display"' in attributes
            and self._kind is BlockKind.PARAGRAPH
            and inlines.plain.at_line_start
        )
        if alone:
            self._go_on(start)
        inlines.literal(start, end, attributes, text)
        inlines.only_math = alone

    def _go_on(self, start: int) -> None:
        """End a block within its paragraph; the next one begins at what follows."""
        stop, self._end = self._end, self.inlines.cursor
        self._end_block()
        while start < stop and self._source[start] in " \t\r\n":
            start += 1
        self._begin_block(BlockKind.PARAGRAPH, start, stop)

    def _code_block(self, start: int, end: int, _: str, text: str) -> None:
        self._end_block()
        info, at = fence_info(self._seen, start, text)
        self._begin_block(_CODE_KINDS.get(info.lower(), BlockKind.CODE), start, end)
        if self.inlines.plain is not None:
            copy_code(self.inlines.plain, self._seen, text, at)
        self._end_block(info)

    def _html_block(self, start: int, end: int, *_: object) -> None:
        self._end_block()
        self._begin_block(BlockKind.HTML, start, end)
        if self.inlines.plain is not None:
            copy_html(self.inlines.plain, self._source, start, end)
        self._end_block()

    def _table(self, *_: object) -> None:
        self._end_block()
        self._header_row = True

    def _table_row(self, start: int, end: int, *_: object) -> None:
        self._end_block()
        self._begin_block(BlockKind.TABLE_ROW, start, end)

    def _end_row(self) -> None:
        self.inlines.end_row()
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
        self._open_frame("quote", start)

    def _callout(self, start: int, _end: int, attributes: str, _: str) -> None:
        self._open_frame("callout", start, attribute(attributes, "type"))

    def _callout_title(self, *_: object) -> None:
        self._in_title = True

    def _end_callout_title(self) -> None:
        self._in_title = False

    def _footnote(self, start: int, _end: int, attributes: str, _: str) -> None:
        self._open_frame("footnote", start, attribute(attributes, "label"))

    def _list(self, start: int, _end: int, attributes: str, _: str) -> None:
        ordered = 'type="ordered"' in attributes
        mark = ")" if 'delim="paren"' in attributes else "."
        number = int(attribute(attributes, "start") or 1) if ordered else 0
        self._open_frame("list", start, mark if ordered else "", number)

    def _item(self, start: int, *_: object) -> None:
        above = self._frames[-1] if self._frames else _Frame("list", start)
        info = f"{above.number}{above.info}" if above.info else ""
        above.number += 1
        self._open_frame("item", start, info)
