"""A place is the same place however it is counted, and is found again or said to be gone."""

import pytest

from witmark.answers.places import Relocated, Relocation, SourceText, relocate
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import SpanError, UnreadableSourceError

TEXT = "\ufeffa\r\n水杯 👍🏽\r\tb\nlast"


def cut(text, quote, nth=1):
    at = -1
    for _ in range(nth):
        at = text.index(quote, at + 1)
    return SourceText("n.md", text.encode(), "en").span(at, at + len(quote))


@pytest.mark.clause("ANS-READ-02")
def test_a_span_is_exact_in_code_points_bytes_lines_and_columns():
    span = cut(TEXT, "杯 👍🏽")

    assert (span.span.start, span.span.end) == (5, 9)
    assert TEXT.encode()[span.start_byte : span.end_byte].decode() == "杯 👍🏽"
    assert (span.start_line, span.start_column, span.end_line, span.end_column) == (2, 2, 2, 6)
    assert (span.prefix, span.suffix) == ("\ufeffa\r\n水", "\r\tb\nlast")
    assert (span.id, span.source_path) == ("n.md@5-9", "n.md")
    assert span.source_hash == digest_of(TEXT.encode())


@pytest.mark.parametrize(
    ("quote", "lines"),
    [
        ("\ufeffa", (1, 1, 1, 3)),
        ("\r\n", (1, 3, 1, 5)),
        ("\tb", (3, 1, 3, 3)),
        ("last", (4, 1, 4, 5)),
    ],
)
def test_a_line_ends_at_lf_crlf_or_a_lone_cr(quote, lines):
    span = cut(TEXT, quote)

    assert (span.start_line, span.start_column, span.end_line, span.end_column) == lines


def test_a_span_over_lines_ends_where_its_last_character_stands():
    span = cut("one\ntwo\nthree", "e\ntwo\n")

    assert (span.start_line, span.start_column, span.end_line, span.end_column) == (1, 3, 2, 5)


@pytest.mark.parametrize(("start", "end"), [(3, 3), (4, 2), (0, 999)])
def test_a_span_that_cannot_be_is_refused(start, end):
    with pytest.raises(SpanError):
        SourceText("n.md", b"abcdef", "en").span(start, end)


def test_bytes_far_into_a_long_text_are_exact():
    text = "水a" * 5000
    source = SourceText("n.md", text.encode(), "zh")

    assert [source.byte(n) for n in (0, 1, 2, 1023, 1024, 2047, 9999, 10000)] == [
        len(text[:n].encode()) for n in (0, 1, 2, 1023, 1024, 2047, 9999, 10000)
    ]


def test_bytes_that_are_no_text_are_refused_by_their_place():
    with pytest.raises(UnreadableSourceError, match=r"n\.md: it is not UTF-8 \(byte 3\)"):
        SourceText("n.md", "abc孔".encode("gbk"), "zh")


# After an edit -----------------------------------------------------------------------

NOTE = "First line here.\nThe cup holds water.\nSome more text follows.\nThe end of it."


def test_an_untouched_span_is_where_it_was():
    span = cut(NOTE, "The cup holds water.")

    assert relocate(span, NOTE) == Relocated(Relocation.EXACT, 17, 37)


def test_text_put_before_it_moves_a_span():
    span = cut(NOTE, "The cup holds water.")

    assert relocate(span, "New.\n" + NOTE) == Relocated(Relocation.MOVED, 22, 42)


def test_an_edit_next_to_it_leaves_a_span_where_it_was():
    span = cut(NOTE, "The cup holds water.")

    new = NOTE.replace("Some more", "Much less").replace("First", "Third")
    assert relocate(span, new).kind is Relocation.EXACT


def test_a_repeated_sentence_is_told_apart_by_what_stands_around_it():
    text = "One. It rains. Two.\n\nThree. It rains. Four."
    span = cut(text, "It rains.", nth=2)

    new = text.replace("One. It rains. Two.\n\n", "")
    assert relocate(span, new) == Relocated(Relocation.MOVED, 7, 16)
    gone = text.replace("Three. It rains. Four.", "")
    assert relocate(span, gone).kind is Relocation.GONE


@pytest.mark.clause("ANS-FOCUS-03")
def test_a_twin_that_slid_to_the_old_place_is_not_taken_for_it():
    text = "AAAA same words BBBB\nCCCC same words DDDD\n"
    span = cut(text, "same words")

    new = "CCCC same words DDDD\nAAAA same words BBBB\n"
    now = relocate(span, new)

    assert (now.kind, now.start) == (Relocation.MOVED, 26)


def test_twins_nobody_can_tell_apart_are_gone():
    text = "x y z"
    span = cut(text, "y")

    assert relocate(span, "a y b\nc y d") == Relocated(Relocation.GONE, 0, 0)


def test_new_words_between_the_same_neighbours_are_a_change():
    span = cut(NOTE, "The cup holds water.")

    new = NOTE.replace("The cup holds water.", "The cup holds tea.")
    now = relocate(span, new)

    assert (now.kind, new[now.start : now.end]) == (Relocation.CHANGED, "The cup holds tea.")


def test_a_deleted_sentence_is_gone():
    span = cut(NOTE, "The cup holds water.")

    assert relocate(span, NOTE.replace("The cup holds water.\n", "")).kind is Relocation.GONE
    assert relocate(span, "").kind is Relocation.GONE


def test_one_short_word_elsewhere_is_not_the_one_that_was_meant():
    span = cut("The cup is here and nowhere else.", "cup")

    assert relocate(span, "Nothing of this remains; a cup?").kind is Relocation.GONE
