"""Whatever is written, the parser reads it, and says truly where everything stands."""

from datetime import timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from witmark.adapters.markdown import ComrakParser
from witmark.answers.carving import carve
from witmark.answers.places import Relocation, SourceText, relocate

PIECES = st.sampled_from(
    [
        *"#*_`~=$%|>-+[](){}<>!^\\&;:.\"' \t\n\r\f\0",
        "\r\n",
        "\n\n",
        "---\n",
        "***",
        "[[",
        "]]",
        "![[",
        "](",
        ".md",
        "$$",
        "%%",
        "==",
        "```",
        "~~~",
        "|---|---|\n",
        "| a \\| b |",
        "> [!note] ",
        "- [ ] ",
        "1. ",
        "    ",
        "[^1]",
        "[^1]: ",
        "[r]: x.md\n",
        "&amp;",
        "&#10;",
        "<b>",
        "</div>",
        "<!--",
        "-->",
        "<code_block",
        "https://a.b/c_d",
        " ^id",
        "#tag/x",
        "title: ",
        "tags: ",
        "水",
        "杯，",
        "👍🏽",
        "é",
        "\u200b",
        "\ufeff",
        "\u2028",
        "\U00020000",
        "\ud800",
        "abc",
        "x",
    ]
)
NOTES = st.lists(PIECES, max_size=60).map("".join)


@settings(max_examples=300, deadline=timedelta(seconds=5))
@given(NOTES)
@example("---\na: b\n---\n> - $$\n> x\n> $$ y\n")
@pytest.mark.clause("ANS-READ-03")
def test_everything_stands_where_the_parser_says(text):
    note = ComrakParser().parse(text)

    last = 0
    for block in note.blocks:
        assert last <= block.range.start < block.range.end <= len(text)
        last = block.range.end
        assert_copies(block.plain, text)
        for run in block.plain.runs:
            assert block.range.start <= run.source_start
            assert run.source_start + run.length <= block.range.end
    for link in note.links:
        assert link.range.end <= len(text)
        assert -1 <= link.block < len(note.blocks)
    for tag in note.tags:
        assert tag.name in text[tag.range.start : tag.range.end]


@settings(max_examples=150, deadline=timedelta(seconds=5))
@given(NOTES.map(lambda text: text.replace("\ud800", "")))
@pytest.mark.clause("ANS-READ-02")
def test_every_atom_can_be_read_back_from_the_bytes(text):
    raw = text.encode()
    document = carve("a/note.md", raw, ComrakParser().parse(text)).document
    source = SourceText("a/note.md", raw, document.language)

    assert document.atoms[0].is_root
    assert len({atom.stable_key for atom in document.atoms}) == len(document.atoms)
    for atom in document.atoms:
        assert_copies(atom.content, text)
        for passage in atom.passages:
            span = source.span(passage.source_start, passage.source_end)
            assert raw[span.start_byte : span.end_byte].decode() == span.span.quote
            assert span.span.covers(text)


@settings(max_examples=150)
@given(NOTES.map(lambda text: text.replace("\ud800", "")), st.data())
def test_a_span_is_never_found_again_at_other_words(text, data):
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    at = data.draw(st.integers(0, len(text)))
    new = text[:at] + data.draw(NOTES) + text[data.draw(st.integers(at, len(text))) :]
    span = SourceText("n.md", text.encode(), "und").span(start, end)

    now = relocate(span, new)

    if now.kind in (Relocation.EXACT, Relocation.MOVED):
        assert new[now.start : now.end] == span.span.quote
        assert (now.start == start) == (now.kind is Relocation.EXACT)
    assert relocate(span, text) == type(now)(Relocation.EXACT, start, end)


def assert_copies(plain, text):
    last = 0
    for run in plain.runs:
        assert last <= run.plain_start
        assert run.length > 0
        last = run.plain_start + run.length
        copied = text[run.source_start : run.source_start + run.length]
        assert plain.text[run.plain_start : last] == copied
    assert last <= len(plain.text)
