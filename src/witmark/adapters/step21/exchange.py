"""One pass over the bytes: every record of the DATA sections with its number, place and type.

Holds three integers per record and the file's own bytes; texts are cut out when asked for.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from witmark.adapters.step21.errors import (
    BrokenStepError,
    NotStepError,
    TruncatedStepError,
)
from witmark.review.brep import IntArray

_GAP = rb"(?:\s+|/\*.*?\*/)*+"
_BODY = rb"(?:[^';/]+|'[^']*'|/\*.*?\*/|/(?!\*))*+;"
_STATEMENT = re.compile(
    _GAP + rb"(?:#(\d+)\s*=" + _GAP + rb"([A-Za-z0-9_]*)|([A-Za-z][A-Za-z0-9_-]*))?" + _BODY,
    re.DOTALL,
)
_COMPLEX = re.compile(rb"([A-Za-z][A-Za-z0-9_]*)\s*\(")
_STRING = re.compile(rb"'((?:[^']|'')*)'")
_MAGIC = b"ISO-10303-21"

_LOOKS_LIKE = (
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
    (b"<?xml", "an XML file"),
    (b"solid ", "an STL mesh"),
    (b"glTF", "a glTF mesh"),
    (b"DBRep_DrawableShape", "an OCCT BREP file"),
    (b"CASCADE Topology", "an OCCT BREP file"),
)


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a DATA section."""

    number: int  # the 12 of #12=
    keyword: str  # '' for a complex record, ( A() B() )
    text: bytes  # from '#' to ';'
    line: int


@dataclass(frozen=True)
class Exchange:
    """A whole exchange file. Record indices count DATA records from 0, in file order."""

    source: str  # how to name the file in messages
    data: bytes = field(repr=False)
    schemas: tuple[str, ...]
    schema_line: int
    numbers: IntArray = field(repr=False)
    begins: IntArray = field(repr=False)
    ends: IntArray = field(repr=False)
    kinds: IntArray = field(repr=False)  # index into keywords
    keywords: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.numbers)

    def record(self, index: int) -> Record:
        """Cut one record out."""
        begin, end = int(self.begins[index]), int(self.ends[index])
        keyword = self.keywords[self.kinds[index]]
        return Record(int(self.numbers[index]), keyword, self.data[begin:end], self.line(begin))

    def by_number(self, number: int) -> Record | None:
        """The record called ``#number``; None when there is none."""
        index = self._index.get(number)
        return None if index is None else self.record(index)

    def index_of(self, number: int) -> int | None:
        """The index of the record called ``#number``; None when there is none."""
        return self._index.get(number)

    def of(self, *keywords: str) -> IntArray:
        """Indices of the simple records of some types, in file order."""
        wanted = [i for i, k in enumerate(self.keywords) if k in keywords]
        return np.flatnonzero(np.isin(self.kinds, wanted))

    def records(self, *keywords: str) -> Iterator[Record]:
        """The simple records of some types, in file order."""
        return (self.record(int(i)) for i in self.of(*keywords))

    def complex_records(self, *parts: str) -> Iterator[tuple[Record, frozenset[str]]]:
        """Complex records that have all these parts, with the parts they have."""
        for record in self.records(""):
            found = parts_of(record.text)
            if found.issuperset(parts):
                yield record, found

    def line(self, offset: int) -> int:
        """The 1-based line of a byte offset."""
        return int(np.searchsorted(self._line_ends, offset)) + 1

    def lines(self, indices: IntArray) -> IntArray:
        """The 1-based lines on which records begin."""
        return np.searchsorted(self._line_ends, self.begins[indices]) + 1

    @cached_property
    def _line_ends(self) -> IntArray:
        return _line_ends(self.data)

    @cached_property
    def _index(self) -> dict[int, int]:
        return {number: i for i, number in enumerate(self.numbers.tolist())}


def _line_ends(data: bytes) -> IntArray:
    """Offsets of line ends: LF, or CR in files that know no LF."""
    codes = np.frombuffer(data, dtype=np.uint8)
    return np.flatnonzero(codes == (10 if b"\n" in data else 13))


def parts_of(text: bytes) -> frozenset[str]:
    """The type names in a complex record (and in any typed value inside it)."""
    bare = _STRING.sub(b"''", text)
    return frozenset(m[1].decode("ascii").upper() for m in _COMPLEX.finditer(bare))


def scan(data: bytes, source: str) -> Exchange:
    """Index an exchange file.

    Raises:
        NotStepError: the bytes are something else.
        TruncatedStepError: the file stops before ``END-ISO-10303-21``.
        BrokenStepError: a statement is malformed, or two records share a number.
    """
    _refuse_other_formats(data, source)
    scanned = _Scan(data, source)
    scanned.run()
    return scanned.exchange()


def _refuse_other_formats(data: bytes, source: str) -> None:
    head = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not data:
        raise NotStepError(source, "the file is empty")
    if head.upper().startswith(_MAGIC):
        return
    if re.match(_GAP + _MAGIC, data[:65536], re.DOTALL | re.IGNORECASE):
        return
    for start, what in _LOOKS_LIKE:
        if head.startswith(start):
            raise NotStepError(source, f"this is {what}, not a STEP file")
    if not head:
        raise NotStepError(source, "the file holds nothing but white space")
    shown = "".join(chr(b) if 32 <= b < 127 else "." for b in head[:24])
    raise NotStepError(source, f"not a STEP file: it begins with {shown!r}, not ISO-10303-21")


class _Scan:
    """The state of one pass: which section we are in, and the columns found so far."""

    def __init__(self, data: bytes, source: str) -> None:
        self.data, self.source = data, source
        self.numbers, self.begins, self.ends, self.kinds = (array("q") for _ in range(4))
        self.keywords: dict[bytes, int] = {}
        self.section, self.finished = "", False
        self.schema_at = (0, 0)

    def run(self) -> None:
        begin = self.data[: 65536 + len(_MAGIC)].upper().find(_MAGIC)
        match = _STATEMENT.scanner(self.data, begin).match  # type: ignore[attr-defined] # typeshed does not know it
        at, keywords = begin, self.keywords
        numbers, begins, ends, kinds = self.numbers, self.begins, self.ends, self.kinds
        while (found := match()) is not None:
            at = found.end()
            if found.lastindex == 2:
                numbers.append(int(found[1]))
                begins.append(found.start(1) - 1)
                ends.append(at)
                kinds.append(keywords.setdefault(found[2], len(keywords)))
                if self.section != "DATA":
                    self._refuse(found.start(1), "a record stands outside the DATA section")
            elif self._statement((found[3] or b"").upper(), found.start(3), at):
                return
        self._stopped(at)

    def _statement(self, word: bytes, begin: int, end: int) -> bool:
        """Follow a section statement; True at the end of the exchange structure."""
        if word in {b"HEADER", b"DATA", b"ANCHOR", b"REFERENCE", b"SIGNATURE"}:
            self.section = word.decode()
        elif word == b"ENDSEC":
            self.section = ""
        elif word == b"FILE_SCHEMA" and self.section == "HEADER":
            self.schema_at = (begin, end)
        elif word == b"END-ISO-10303-21":
            return True
        elif self.section == "DATA":
            self._refuse(begin if begin >= 0 else end, "this is not a record")
        return False

    def _refuse(self, offset: int, why: str) -> None:
        line = int(np.searchsorted(_line_ends(self.data), offset)) + 1
        raise BrokenStepError(self.source, why, line=line)

    def _stopped(self, at: int) -> None:
        """No further statement: the file is cut off, or its next statement never ends."""
        rest = self.data[at:].lstrip()
        at = len(self.data) - len(rest)
        line = int(np.searchsorted(_line_ends(self.data), at)) + 1
        if b"END-ISO-10303-21" in rest.upper():
            raise BrokenStepError(
                self.source,
                "a quotation mark or comment opened here is never closed",
                line=line,
            )
        where = "in the middle of a record" if rest else "before END-ISO-10303-21"
        raise TruncatedStepError(self.source, f"the file stops {where}", line=line)

    def exchange(self) -> Exchange:
        names: dict[str, int] = {}
        turn = [names.setdefault(k.decode("ascii").upper(), len(names)) for k in self.keywords]
        kinds = np.array(self.kinds, dtype=np.int64)
        begin, end = self.schema_at
        exchange = Exchange(
            source=self.source,
            data=self.data,
            schemas=tuple(
                m[1].decode("latin-1").strip() for m in _STRING.finditer(self.data, begin, end)
            ),
            schema_line=self.data.count(b"\n", 0, begin) + 1,
            numbers=np.array(self.numbers, dtype=np.int64),
            begins=np.array(self.begins, dtype=np.int64),
            ends=np.array(self.ends, dtype=np.int64),
            kinds=np.array(turn, dtype=np.int64)[kinds] if turn else kinds,
            keywords=tuple(names),
        )
        self._refuse_twins(exchange)
        return exchange

    def _refuse_twins(self, exchange: Exchange) -> None:
        order = np.argsort(exchange.numbers, kind="stable")
        twins = np.flatnonzero(np.diff(exchange.numbers[order]) == 0)
        if len(twins):
            second = int(order[twins[0] + 1])
            number = int(exchange.numbers[second])
            self._refuse(int(exchange.begins[second]), f"a second record is called #{number}")
