"""The stored inputs of a package, held open: where a ref leads, and what a line says."""

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from witmark.diagnosis.assembling import INPUTS
from witmark.diagnosis.case import InputKind, Inventory, RawInput
from witmark.diagnosis.package import Package
from witmark.diagnosis.placing import source_paths
from witmark.diagnosis.redacting import Redactor
from witmark.diagnosis.report import Place
from witmark.kernel.canon import Digest
from witmark.kernel.evidence import EvidenceRef, TextRange, text_of

_FIRST = {InputKind.SOURCE: 0, InputKind.GOOD_SOURCE: 2}


class Text:
    """A stored text with its lines; a ref's offsets are counted in it."""

    def __init__(self, raw: bytes, redactor: Redactor) -> None:
        self.text = text_of(raw)
        self._redactor = redactor

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        found = [0]
        at = self.text.find("\n")
        while at >= 0:
            found.append(at + 1)
            at = self.text.find("\n", at + 1)
        return found

    @cached_property
    def lines(self) -> list[str]:
        """Every line with secrets replaced by marks, as many as there are."""
        return self._redactor.lines(self.text)

    def where(self, at: int) -> tuple[int, int]:
        """Line and column of a character, both from 1."""
        line = bisect_right(self.starts, at)
        return line, at - self.starts[line - 1] + 1

    def span(self, first: int, last: int) -> TextRange | None:
        """The range of some whole lines; ``None`` if there is nothing in them."""
        if not 1 <= first <= last <= len(self.starts):
            return None
        start = self.starts[first - 1]
        end = self.starts[last] - 1 if last < len(self.starts) else len(self.text)
        return TextRange(start, end) if start < end else None


class Inputs:
    """The inputs of one revision by their digests and by their paths in the source.

    Args:
        package: Whose.
        inventory: Its inputs; they are as they were listed.
        redactor: Replaces secrets in what is shown.
    """

    def __init__(self, package: Package, inventory: Inventory, redactor: Redactor) -> None:
        self._package, self._redactor = package, redactor
        self.sources = dict(source_paths(inventory.of(InputKind.SOURCE)))
        self._source_path = {one.path: path for path, one in self.sources.items()}
        ordered = sorted(inventory.inputs, key=lambda one: (_FIRST.get(one.kind, 1), one.path))
        self._by_digest: dict[Digest, RawInput] = {}
        for one in ordered:
            self._by_digest.setdefault(one.digest, one)
        self._texts: dict[Digest, Text] = {}

    def text(self, one: RawInput) -> Text:
        """An input as text."""
        if one.digest not in self._texts:
            self._texts[one.digest] = Text(self._package.read(one.path), self._redactor)
        return self._texts[one.digest]

    def behind(self, ref: EvidenceRef) -> RawInput | None:
        """The input that a ref points into; of equal ones, the source that was analysed."""
        return self._by_digest.get(ref.blob)

    def place(self, ref: EvidenceRef) -> Place | None:
        """Where a ref leads; ``None`` if no input holds it."""
        one = self.behind(ref)
        if one is None:
            return None
        path = self._redactor.text(shown_path(one))
        source = self._redactor.text(self._source_path.get(one.path, ""))
        if not isinstance(ref.at, TextRange):
            return Place(path, one.kind, source)
        text = self.text(one)
        if ref.at.end > len(text.text):
            return Place(path, one.kind, source)
        line, column = text.where(ref.at.start)
        end_line, end_column = text.where(ref.at.end - 1)
        return Place(path, one.kind, source, line, end_line, column, end_column + 1)

    def places(self, refs: Iterable[EvidenceRef]) -> dict[EvidenceRef, Place]:
        """Where each of some refs leads."""
        found = {ref: self.place(ref) for ref in sorted(set(refs), key=str)}
        return {ref: place for ref, place in found.items() if place is not None}


def shown_path(one: RawInput) -> str:
    """A file's path as people know it: as it lies in the package, without our own folder."""
    return one.path.removeprefix(INPUTS)
