"""Does every stored place read back as the very bytes of its note, in every way of counting?

Every note of the five vaults is parsed and carved. Of every passage, every run of every
passage and every link and tag, the range of bytes is cut from the file and decoded, and must
equal the quote and the slice of the text; line and column are counted anew, here, in the
bytes before it. Beside it: how fast notes are parsed and carved, in CPU time, and how fast
comrak alone makes HTML of the same bytes in the same run. A quarter of those notes is also
put into an index in a file, and its passages and runs are read back from there. Notes that
are not UTF-8 are left out and counted. Without ``--full`` every tenth note of each vault is
looked at. ``--data`` takes a folder of Markdown or of zips of Markdown.
"""

import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import comrak

from bench.common import Stopwatch, finish, options, shared_data
from witmark.adapters.markdown import ComrakParser
from witmark.adapters.sqlite import SqliteLibrary
from witmark.answers.atoms import Document
from witmark.answers.carving import carve
from witmark.answers.failures import FRONT_MATTER
from witmark.answers.ingesting import ingest
from witmark.answers.notes import ParsedNote
from witmark.answers.places import SourceText
from witmark.testing.vaults import MemoryVault

_EVERY = 10
_STORED_EVERY = 4  # of the notes that are looked at
_LARGEST_MB = 200  # of one vault unpacked


@dataclass
class _Tally:
    """What was read, and what did not read back."""

    notes: int = 0
    read_mb: float = 0.0
    passages: int = 0
    runs: int = 0
    others: int = 0
    left_out: int = 0
    stored_notes: int = 0
    stored_places: int = 0
    wrong: list[str] = field(default_factory=list)
    parse_s: float = 0.0
    carve_s: float = 0.0
    comrak_s: float = 0.0


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the first places that do not read back, and the last line."""
    asked = options(argv, __doc__)
    watch = Stopwatch()
    tally = _Tally()
    with tempfile.TemporaryDirectory() as folder:
        for vault in _vaults(asked.data or shared_data() / "vaults", Path(folder)):
            notes = sorted(
                p for p in vault.rglob("*") if p.suffix.lower() in {".md", ".markdown"}
            )
            chosen = notes if asked.full else notes[::_EVERY]
            for path in chosen:
                _look_at(path.relative_to(vault).as_posix(), path.read_bytes(), tally)
            some = chosen[::_STORED_EVERY]
            files = {path.relative_to(vault).as_posix(): path.read_bytes() for path in some}
            _read_back_stored(files, Path(folder) / f"{vault.name}.sqlite3", tally)
    for line in tally.wrong[:20]:
        print(line)
    figures = {
        "passages": tally.passages,
        "runs": tally.runs,
        "links_and_tags": tally.others,
        "notes_left_out": tally.left_out,
        "stored_notes": tally.stored_notes,
        "stored_places": tally.stored_places,
        "not_read_back": len(tally.wrong),
        "read_mb": round(tally.read_mb, 2),
        "parse_mb_per_s": _rate(tally.read_mb, tally.parse_s),
        "carve_mb_per_s": _rate(tally.read_mb, tally.carve_s),
        "both_mb_per_s": _rate(tally.read_mb, tally.parse_s + tally.carve_s),
        "comrak_to_html_mb_per_s": _rate(tally.read_mb, tally.comrak_s),
    }
    limits = {"not_read_back": 0}
    ok = not tally.wrong and tally.passages > 0 and tally.stored_places > 0
    return finish("spans", watch, figures=figures, limits=limits, n=tally.notes, ok=ok)


def _rate(read_mb: float, spent_s: float) -> float:
    return round(read_mb / spent_s, 2) if spent_s else 0.0


def _vaults(data: Path, scratch: Path) -> Iterator[Path]:
    """The vaults in a folder: its zips, unpacked, else the folder itself."""
    zips = sorted(data.glob("*.zip")) if data.is_dir() else [data]
    if not zips:
        yield data
    for packed in zips:
        with zipfile.ZipFile(packed) as vault:
            if sum(entry.file_size for entry in vault.infolist()) > _LARGEST_MB * 1e6:
                print(f"left out, larger than {_LARGEST_MB} MB: {packed.name}")
                continue
            vault.extractall(scratch / packed.stem)
        yield scratch / packed.stem


def _look_at(path: str, raw: bytes, tally: _Tally) -> None:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        tally.left_out += 1
        print(f"left out, not UTF-8: {path}")
        return
    parser = ComrakParser()
    begun = time.process_time()
    comrak.markdown_to_html(text)
    parsed_alone = time.process_time()
    note = parser.parse(text)
    parsed = time.process_time()
    document = carve(path, raw, note).document
    carved = time.process_time()
    tally.comrak_s += parsed_alone - begun
    tally.parse_s += parsed - parsed_alone
    tally.carve_s += carved - parsed
    tally.notes += 1
    tally.read_mb += len(raw) / 1e6
    _check(document, note, raw, tally)


def _read_back_stored(files: Mapping[str, bytes], index: Path, tally: _Tally) -> None:
    """Put notes into an index, open it anew, and read back what it says of their places."""
    if not files:
        return
    writing = SqliteLibrary(index)
    ingest(MemoryVault(dict(files)), ComrakParser(), writing)
    writing.close()
    library = SqliteLibrary(index)
    for document_id in library.stamps():
        document = library.document(document_id)
        if document is not None:
            tally.stored_notes += 1
            passages, runs = _read_atoms_back(document, files[document_id], tally)
            tally.stored_places += passages + runs
    unread = {failure.path for failure in library.failures() if failure.code != FRONT_MATTER}
    strays = sorted(files.keys() - library.stamps().keys() - unread)
    tally.wrong += [f"not in the index, and no failure says why: {path}" for path in strays]
    library.close()


def _read_atoms_back(document: Document, raw: bytes, tally: _Tally) -> tuple[int, int]:
    """Read all passages and runs back; how many there were."""
    reader = _Reader(document, raw, tally)
    passages = runs = 0
    for atom in document.atoms:
        for passage in atom.passages:
            passages += 1
            reader.read_back(passage.source_start, passage.source_end)
        for run in atom.content.runs:
            runs += 1
            end = run.source_start + run.length
            shown = atom.content.text[run.plain_start : run.plain_start + run.length]
            reader.read_back(run.source_start, end, shown)
    return passages, runs


def _check(document: Document, note: ParsedNote, raw: bytes, tally: _Tally) -> None:
    passages, runs = _read_atoms_back(document, raw, tally)
    tally.passages += passages
    tally.runs += runs
    reader = _Reader(document, raw, tally)
    for place in (*(link.range for link in note.links), *(tag.range for tag in note.tags)):
        tally.others += 1
        reader.read_back(place.start, place.end)


class _Reader:
    """Cuts spans from one note and counts them anew, by other means than the product's."""

    def __init__(self, document: Document, raw: bytes, tally: _Tally) -> None:
        self._source = SourceText(document.id, raw, document.language)
        self._document, self._raw, self._tally = document, raw, tally
        self._at_byte, self._at = 0, (1, 1, 0)

    def read_back(self, start: int, end: int, shown: str | None = None) -> None:
        """Note the place as wrong unless bytes, quote, text, line and column agree."""
        span = self._source.span(start, end)
        cut = self._raw[span.start_byte : span.end_byte]
        text = self._document.text
        agrees = (
            cut == span.span.quote.encode()
            and span.span.quote == text[start:end]
            and (shown is None or shown == span.span.quote)
            and self._counted(span.start_byte) == (span.start_line, span.start_column, start)
            and text[:start].endswith(span.prefix)
            and text[end:].startswith(span.suffix)
        )
        if not agrees:
            self._tally.wrong.append(f"{self._document.id} [{start}, {end}) {cut[:60]!r}")

    def _counted(self, byte: int) -> tuple[int, int, int]:
        """Line, column and code point of a byte, counted over the bytes one by one.

        Places come mostly in order, so counting goes on from the last one where it can.
        """
        at, (line, column, point) = self._at_byte, self._at
        if byte < at:
            at, line, column, point = 0, 1, 1, 0
        for char in self._raw[at:byte].decode():
            if char == "\n" or (char == "\r" and self._raw[at + 1 : at + 2] != b"\n"):
                line, column = line + 1, 1
            else:
                column += 1
            point += 1
            at += len(char.encode())
        self._at_byte, self._at = at, (line, column, point)
        return self._at


if __name__ == "__main__":
    sys.exit(main())
