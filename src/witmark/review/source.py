"""Where a face's record stands in the STEP file, as a citation that opens at the record.

Offsets count characters of the text that `witmark.kernel.evidence.text_of` makes of the bytes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.evidence import text_of

_RECORD_END = re.compile(r"(?:[^';]|'(?:[^']|'')*')*;")


@dataclass(frozen=True)
class SourceText:
    """The bytes of a STEP file, and the lines of its text."""

    raw: bytes

    @cached_property
    def digest(self) -> Digest:
        """The file's name among blobs."""
        return digest_of(self.raw)

    @cached_property
    def text(self) -> str:
        """The file's characters."""
        return text_of(self.raw)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts, at = [0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def ref(self, record: int, line: int) -> str | None:
        """Cite a record by its number and line; ``None`` if it does not stand there."""
        if not 1 <= line <= len(self._line_starts):
            return None
        begin = re.compile(rf"#{record}\s*=").search(self.text, self._line_starts[line - 1])
        if begin is None or self.text.count("\n", self._line_starts[line - 1], begin.start()):
            return None
        end = _RECORD_END.match(self.text, begin.end())
        stop = end.end() if end else begin.end()
        return f"{self.digest}#char={begin.start()},{stop}"


@dataclass(frozen=True)
class Sources:
    """The opened file, and the files beside it that it refers to, by relative name."""

    main: SourceText
    referred: Mapping[str, SourceText]

    def of(self, name: str) -> SourceText:
        """The file that a part's records stand in; ``""`` is the opened one."""
        return self.referred[name] if name else self.main
