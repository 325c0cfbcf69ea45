"""A cut shows the words it was made for, at the very place, in at most 280 characters."""

import pytest
from answer_packs import PackMaker, note, text_at

from witmark.answers.asking import Intent
from witmark.answers.citing import Citer, aligned, inner_span, whole_inlines
from witmark.answers.pack import Fragment
from witmark.answers.sentences import sentences
from witmark.kernel.evidence import TextRange

TWICE = note(
    "cup.md",
    "水杯",
    "水杯适合盛放冷水。水杯适合盛放冷水。完。😀",
    "## Use",
    "Fill it.\r\nDrink it.",
)


def citer(one=TWICE, *, knows_atoms: bool = True) -> Citer:
    return Citer(PackMaker(Intent.WHAT, one if knows_atoms else None, shown=[one]).make())


def cut_of(one, number: int, sentence: int, *, knows_atoms: bool = True):
    fragment = one.fragments[number]
    where = sentences(fragment.text)[sentence]
    return citer(one, knows_atoms=knows_atoms).cut(fragment, where), fragment, where


def test_the_second_of_two_equal_sentences_is_cited_at_its_own_place():
    first, _, _ = cut_of(TWICE, 1, 0)
    second, _, _ = cut_of(TWICE, 1, 1)

    assert first.span.span.quote == second.span.span.quote == "水杯适合盛放冷水。"
    assert second.span.span.start == first.span.span.end
    assert text_at(TWICE.source, second) == "水杯适合盛放冷水。"


def test_it_is_so_without_the_atom_as_well():
    second, _, _ = cut_of(TWICE, 1, 1, knows_atoms=False)

    assert second.span.span.start == TWICE.source.index("水杯适合", TWICE.source.index("冷水"))


def test_bytes_lines_and_columns_are_those_of_the_cut():
    cut, _, _ = cut_of(TWICE, 3, 1)
    span, raw = cut.span, TWICE.source.encode()

    assert raw[span.start_byte : span.end_byte].decode() == "Drink it."
    lines = TWICE.source.splitlines()
    assert (
        lines[span.start_line - 1][span.start_column - 1 : span.end_column - 1] == "Drink it."
    )
    assert span.end_line == span.start_line
    assert TWICE.source[: span.span.start].endswith(span.prefix)
    assert cut.fragment_ref == TWICE.fragments[3].ref


def test_a_long_sentence_is_cited_by_the_clauses_that_hold_the_answer():
    clauses = [f"clause number {n} speaks of nothing much" for n in range(12)]
    clauses[9] = "clause number 9 gives the height as 55 m"
    one = note("long.md", "Long", ", ".join(clauses) + ".")
    fragment = one.fragments[1]
    where = sentences(fragment.text)[0]

    cut = citer(one).cut(
        fragment, where, lambda part: float("55 m" in fragment.text[part.start : part.end])
    )

    assert len(cut.span.span.quote) <= 280
    assert "55 m" in cut.span.span.quote
    assert text_at(one.source, cut) == cut.span.span.quote


def test_markup_counts_against_the_limit_and_is_never_cut_wrong():
    address = "https://example.org/" + 300 * "x"
    one = note("link.md", "Link", f"See [the guide]({address}) for all of it.")
    shown = one.fragments[1]
    fragment = Fragment(
        shown.ref, shown.atom_id, 99, shown.role, "See the guide for all of it.", shown.span
    )

    cut = citer(one).cut(fragment, TextRange(0, len(fragment.text)))

    assert len(cut.span.span.quote) <= 280
    assert text_at(one.source, cut) == cut.span.span.quote


def test_plain_text_is_found_in_its_source_around_markup():
    quote = "It is **made** of [[glass material|glass]], mostly."
    text = "It is made of glass, mostly."
    part = TextRange(text.index("made"), len(text))

    found = aligned(text, quote, part)

    assert found is not None
    assert quote[found.start : found.end] == "made** of [[glass material|glass]], mostly."


def test_the_span_of_a_whole_quote_is_the_span():
    span = TWICE.fragments[1].span

    inner = inner_span(span, TextRange(0, len(span.span.quote)))

    assert inner == span


@pytest.mark.parametrize(
    ("quote", "inside", "whole"),
    [
        ("参见[[fit|间隙配合]]：它松。", "间隙配合]]：它松。", "[[fit|间隙配合]]：它松。"),
        ("[Fit](fit.md): loose.", "Fit](fit.md): loose.", "[Fit](fit.md): loose."),
        ("**（可选）** 涂油。", "（可选）** 涂油。", "**（可选）** 涂油。"),
        ("**Fit** is loose.", "Fit** is loose.", "**Fit** is loose."),
        ("Run `a b` now.", "b` now.", "`a b` now."),
        ("2 * 3 is 6 * 1.", "3 is 6 * 1.", "3 is 6 * 1."),
        ("See *this* one.", "See *this", "See *this*"),
    ],
)
def test_a_citation_cuts_through_no_link_emphasis_or_code(quote, inside, whole):
    start = quote.index(inside)

    found = whole_inlines(quote, TextRange(start, start + len(inside)))

    assert quote[found.start : found.end] == whole
