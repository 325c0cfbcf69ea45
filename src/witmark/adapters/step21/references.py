"""Files that a STEP file refers to: confined to its folder, staged where the kernel may look.

The kernel would follow ``../../`` and absolute names, and read a file whose part is missing as
half a model. So it never sees the real folder: every referred STEP file is resolved here, and
copied into a scratch folder under a name of ours.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from witmark.adapters.step21.encoding import Encoding, encoding_of
from witmark.adapters.step21.errors import ExternalReferenceError
from witmark.adapters.step21.exchange import Exchange, Record, scan
from witmark.adapters.step21.rewrite import Edit, edited, shortening_edits
from witmark.adapters.step21.units import UnitFindings, length_units
from witmark.adapters.step21.values import readable

_FIRST_TEXT = re.compile(rb"\(\s*(?:IDENTIFIER\s*\(\s*)?'((?:[^']|'')*)'", re.IGNORECASE)
_STEP_SUFFIXES = {".stp", ".step", ".p21", ".stpa", ".stpx"}


@dataclass(frozen=True, slots=True)
class StepFile:
    """A STEP file that takes part in a model, as read and as staged for the kernel."""

    name: str  # relative to the folder of the opened file; its own name for the opened file
    staged: Path  # what the kernel opens
    exchange: Exchange
    encoding: Encoding
    units: UnitFindings
    shortened_lines: tuple[int, ...] = ()
    other_documents: tuple[
        tuple[str, int], ...
    ] = ()  # referred files that are no STEP, with lines


@dataclass(slots=True)
class Staging:
    """All files of one model. The opened file comes first."""

    folder: Path  # the opened file's, resolved: nothing outside it is read
    scratch: Path
    files: list[StepFile] = field(default_factory=list)
    _open: list[Path] = field(default_factory=list)
    _known: dict[Path, str] = field(default_factory=dict)

    def add(self, path: Path, source: str, data: bytes) -> StepFile:
        """Take a file in, with everything it refers to.

        Raises:
            ExternalReferenceError: a referred file is missing, outside the folder, or circular.
            StepInputError: one of the files is not a sound exchange structure.
        """
        exchange = scan(data, source)
        encoding = encoding_of(data)
        place = len(self.files)
        self._known[path] = f"{place:04}.stp"
        units = length_units(exchange)
        self.files.append(StepFile(self._relative(path), path, exchange, encoding, units))
        self._open.append(path)
        edits = shortening_edits(exchange, encoding.python)
        lines = tuple(exchange.line(e.begin) for e in edits)
        others: list[tuple[str, int]] = []
        edits += self._reference_edits(path.parent, exchange, encoding, others)
        self._open.pop()
        staged = path
        if edits or self._open or not _is_utf8(path):
            staged = self.scratch / f"{place:04}.stp"
            staged.write_bytes(edited(data, edits))
        self.files[place] = replace(
            self.files[place],
            staged=staged,
            shortened_lines=lines,
            other_documents=tuple(others),
        )
        return self.files[place]

    def _reference_edits(
        self,
        folder: Path,
        exchange: Exchange,
        encoding: Encoding,
        others: list[tuple[str, int]],
    ) -> list[Edit]:
        edits = []
        for record, begin, end, name in _references(exchange, encoding.python):
            if not name.strip():
                continue
            staged = ""
            if record.keyword != "EXTERNAL_SOURCE":
                if PurePosixPath(name.lower()).suffix in _STEP_SUFFIXES:
                    staged = self._referred(folder, exchange, record, name)
                else:
                    others.append((name, record.line))
                    staged = "not-step"
            edits.append(Edit(begin, end, staged.encode("ascii")))
        return edits

    def _referred(self, folder: Path, exchange: Exchange, record: Record, name: str) -> str:
        """Resolve one referred file and take it in; answer its staged name."""

        def refused(why: str) -> ExternalReferenceError:
            return ExternalReferenceError(exchange.source, f"{name!r} {why}", line=record.line)

        if "\\" in name or ":" in name or PurePosixPath(name).is_absolute() or "\0" in name:
            raise refused("is an absolute path; only files in the same folder are read")
        try:
            path = (folder / name).resolve(strict=True)
        except (OSError, RuntimeError) as problem:
            raise refused("is referred to and cannot be found") from problem
        if not path.is_relative_to(self.folder):
            raise refused("lies outside the folder of the opened file")
        if path in self._open:
            raise refused("refers back to itself")
        if path in self._known:
            return self._known[path]
        if not path.is_file():  # a pipe would keep us waiting
            raise refused("is referred to and is no regular file")
        try:
            data = path.read_bytes()
        except OSError as problem:
            raise refused("is referred to and cannot be read") from problem
        self.add(path, self._relative(path), data)
        return self._known[path]

    def _relative(self, path: Path) -> str:
        inside = (
            path.relative_to(self.folder) if path.is_relative_to(self.folder) else path.name
        )
        return os.fsencode(inside).decode("utf-8", errors="backslashreplace")


def _references(exchange: Exchange, encoding: str) -> Iterator[tuple[Record, int, int, str]]:
    """Every text that the kernel might take for a file name or its folder."""
    kinds = ("DOCUMENT_FILE", "APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT", "EXTERNAL_SOURCE")
    for index in exchange.of(*kinds).tolist():
        record = exchange.record(index)
        if found := _FIRST_TEXT.search(record.text):
            base = int(exchange.begins[index])
            begin, end = base + found.start(1), base + found.end(1)
            yield record, begin, end, readable(found[1], encoding)


def _is_utf8(path: Path) -> bool:
    try:
        os.fsencode(path).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
