"""A row of a table as a sentence: its label, and the cells asked for under their headings."""

import re
from collections.abc import Collection, Sequence

from witmark.answers.drafting import Sheet
from witmark.answers.notes import BlockKind
from witmark.answers.picking import Sentence, tokens_of

_LEAST = 2  # cells of a row that says something
_BAR = re.compile(r"\s*\|\s*")


def cells_of(text: str) -> list[str]:
    """The cells of a row as plain text gives it.

    >>> cells_of("42CrMo4 | 55 HRC | gears")
    ['42CrMo4', '55 HRC', 'gears']
    """
    return _BAR.split(text.strip().strip("|").strip())


def is_label_in(text: str, asked: Sequence[str]) -> bool:
    """Whether the words of a row's first cell are all among those asked for."""
    label = set(tokens_of(cells_of(text)[0]))
    return bool(label) and label <= set(asked)


def row_said(
    row: Sentence, header: Sentence, asked: Sequence[str], columns: Collection[int] = ()
) -> str:
    """A row as a sentence; empty if its cells do not match its header.

    Args:
        row: The row.
        header: The headings of its columns.
        asked: What the question asks; columns that hold some of it are told, else all.
        columns: The numbers of the columns to tell, if they are known.
    """
    cells, heads = cells_of(row.text), cells_of(header.text)
    if len(cells) != len(heads) or len(cells) < _LEAST:
        return ""
    label, *values = cells
    pairs = [
        (h, v)
        for at, (h, v) in enumerate(zip(heads[1:], values, strict=True), 1)
        if h and v and (not columns or at in columns)
    ]
    meant = [(h, v) for h, v in pairs if set(tokens_of(h)) & set(asked)] or pairs
    if not label or not meant:
        return ""
    is_zh = row.language == "zh" or header.language == "zh"
    told = ("，" if is_zh else ", ").join(f"{h} {v}" for h, v in meant)
    return f"{label}{'：' if is_zh else ': '}{told}{'。' if is_zh else '.'}"


def header_of(sheet: Sheet, row: Sentence) -> Sentence | None:
    """The first row of the same table, if the pack shows it."""
    above = [
        one
        for one in sheet.stock.all
        if one.kind is BlockKind.TABLE_ROW
        and one.fragment.atom_id == row.fragment.atom_id
        and one.fragment.passage == row.fragment.table_header >= 0
    ]
    return above[0] if above and above[0] is not row else None
