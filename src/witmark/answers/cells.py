"""The cell of a table that a question names by its row and its column.

"Who owns alpha?" is answered by the row whose label is alpha, under the heading that tells
owners. The row must be named whole, and whatever else is asked must stand in the heading of
the column or above the table; otherwise the table answers another question.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.asking import Intent
from witmark.answers.drafting import Sheet
from witmark.answers.expecting import Expected, expected
from witmark.answers.heading_words import held_in, words_of
from witmark.answers.late import late
from witmark.answers.notes import BlockKind
from witmark.answers.picking import Sentence
from witmark.answers.rows import cells_of, header_of, row_said
from witmark.answers.terms import query_terms

_ASKS_CELLS = frozenset({Intent.WHAT, Intent.LIST, Intent.GENERIC})
_MOST_ROWS = 2
_LEAST_VERB = 3  # letters of a verb that makes a name: own, owner
_DOER = re.compile(r"(?:e|o)rs?$")

_COLUMNS = {
    Expected.PERSON: late(
        r"负责人|所有者|作者|联系人|人员|姓名|维护者|\b(?:owner|person|people|author|contact"
        r"|assignee|maintainer|lead|who|responsible)\b",
        re.IGNORECASE,
    ),
    Expected.TIME: late(
        r"日期|时间|期限|截止|何时|\b(?:date|time|when|due|deadline|day|year)\b", re.IGNORECASE
    ),
    Expected.PLACE: late(
        r"地点|位置|地址|城市|房间|\b(?:place|location|where|city|room|address|site)\b",
        re.IGNORECASE,
    ),
}
"""The headings of columns that tell what a bare "who", "when" or "where" asks for."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row that the question names: its cells' headings, and the columns that it asks for."""

    row: Sentence
    header: Sentence
    columns: tuple[int, ...]
    label_words: int


def cells_asked(sheet: Sheet) -> list[DraftSentence]:
    """Draft the cells that a question names by row and column; nothing if none is meant."""
    if sheet.plan.intent not in _ASKS_CELLS or BlockKind.TABLE_ROW not in sheet.stock.kinds:
        return []
    found = list(_named(sheet))
    most = max((one.label_words for one in found), default=0)
    said: list[DraftSentence] = []
    for one in found:
        if one.label_words == most and len(said) < _MOST_ROWS:
            text = row_said(one.row, one.header, (), one.columns)
            said.append(sheet.join(text, [one.row, one.header], _kind(said)))
    return said


def _kind(said: Sequence[DraftSentence]) -> SentenceKind:
    return SentenceKind.RATIONALE if said else SentenceKind.DIRECT


def _named(sheet: Sheet) -> Iterator[_Row]:
    """The rows whose whole label the question holds, with the columns that it asks for."""
    asked = words_of(sheet.plan.question)
    for row in sheet.in_one_language(sheet.stock.all):
        if row.kind is not BlockKind.TABLE_ROW:
            continue
        cells = cells_of(row.text)
        label = words_of(cells[0]).every
        if not label or not label <= asked.every or (header := header_of(sheet, row)) is None:
            continue
        heads = cells_of(header.text)
        if len(heads) != len(cells):
            continue
        columns = tuple(
            at for at in _columns(sheet, row, heads, asked.needed - label) if cells[at]
        )
        if columns:
            yield _Row(row, header, columns, len(label))


def _columns(
    sheet: Sheet, row: Sentence, heads: Sequence[str], rest: frozenset[str]
) -> tuple[int, ...]:
    """The columns that hold all that is asked beyond the label and the table's headings."""
    above = "\n".join((*sheet.stock.section_over(row.fragment), heads[0]))
    meant = {at: _told_by(head, rest) for at, head in enumerate(heads) if at}
    told = {at: words for at, words in meant.items() if words}
    left = rest - held_in(rest, above)
    if told:
        return tuple(told) if left <= frozenset().union(*told.values()) else ()
    sort = _COLUMNS.get(expected(sheet.plan.question))
    if left or sort is None:
        return ()
    fitting = tuple(at for at, head in enumerate(heads) if at and sort.search(head))
    return fitting if len(fitting) == 1 else ()


def _told_by(head: str, rest: frozenset[str]) -> frozenset[str]:
    """The words asked for that a heading holds, as they stand or as the one who does it."""
    doers = {_DOER.sub("", term) for term in query_terms(head) if _DOER.search(term)}
    does = {word for word in rest & doers if len(word) >= _LEAST_VERB}
    return held_in(rest, head) | does
