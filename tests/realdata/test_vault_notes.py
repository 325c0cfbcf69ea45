"""Notes that nobody here wrote are read whole, and every place of them reads back."""

import os
import re
import zipfile
from pathlib import Path

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.answers.carving import carve
from witmark.answers.notes import LinkKind
from witmark.answers.places import Relocation, SourceText, relocate

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("WITMARK_DATA", ROOT.parent / "shared" / "data"))
VAULTS = ("JavaGuide", "OI-wiki", "book", "glossary", "knowledge-garden")


def notes(vault, *, every):
    packed = DATA / "vaults" / f"{vault}.zip"
    if not packed.is_file():
        message = "the vaults are not here; set WITMARK_DATA"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    with zipfile.ZipFile(packed) as opened:
        names = sorted(name for name in opened.namelist() if name.endswith(".md"))
        return [(name, opened.read(name)) for name in names[::every]]


@pytest.mark.parametrize("vault", VAULTS)
def test_every_place_of_a_note_reads_back(vault):
    seen = 0
    for name, raw in notes(vault, every=40):
        text = raw.decode()
        document = carve(name, raw, ComrakParser().parse(text)).document
        source = SourceText(name, raw, document.language)
        for atom in document.atoms:
            for passage in atom.passages:
                span = source.span(passage.source_start, passage.source_end)
                assert raw[span.start_byte : span.end_byte] == span.span.quote.encode()
                assert relocate(span, text).kind is Relocation.EXACT
                seen += 1
            for run in atom.content.runs:
                copied = text[run.source_start : run.source_start + run.length]
                shown = atom.content.text[run.plain_start : run.plain_start + run.length]
                assert copied == shown
    assert seen > 100


def test_nearly_all_wikilinks_of_a_vault_are_found():
    """The rest stand in code or comments, or lead to pictures and the like."""
    written = found = 0
    for _, raw in notes("knowledge-garden", every=10):
        text = raw.decode()
        written += len(re.findall(r"\[\[[^\[\]\n]+\]\]", text))
        found += sum(x.kind is not LinkKind.MARKDOWN for x in ComrakParser().parse(text).links)

    assert written > 400
    assert written * 0.95 <= found <= written


@pytest.mark.parametrize(
    ("vault", "languages"),
    [("JavaGuide", {"zh"}), ("OI-wiki", {"zh"}), ("book", {"en"})],
)
def test_the_language_of_nearly_every_note_is_found(vault, languages):
    told = [
        carve(name, raw, ComrakParser().parse(raw.decode())).document.language
        for name, raw in notes(vault, every=10)
    ]

    assert sum(language in languages for language in told) >= 0.9 * len(told)
