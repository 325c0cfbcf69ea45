"""A ref has one spelling, and what it points at can be shown."""

import json

import pytest

from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.errors import InputError, NothingThereError, RefError, SpanError
from witmark.kernel.evidence import (
    EvidenceRef,
    JsonPointer,
    Node,
    Passage,
    TextRange,
    TextSpan,
    Whole,
    in_context,
    media_type,
    parse_ref,
    resolve,
    text_of,
)

NAME = digest_of(b"")
FACTS = canonical_json({"parts": [{"a/b": {"m~n": 2.5}, "": "blank", "名": [1, None]}]})
NOTE = "one\ntwo\nthree 孔 here\nfour\nfive\nsix"


@pytest.mark.clause("KER-REF-01")
@pytest.mark.parametrize(
    ("at", "tail"),
    [
        (None, ""),
        (TextRange(0, 1), "#char=0,1"),
        (TextRange(5, 9), "#char=5,9"),
        (JsonPointer("/"), "#/"),
        (JsonPointer("/parts/0/a~1b/m~0n"), "#/parts/0/a~1b/m~0n"),
        (JsonPointer("/名/a b#c"), "#/名/a b#c"),
    ],
)
def test_a_ref_is_read_back_from_its_one_spelling(at, tail):
    ref = EvidenceRef(NAME, at)
    assert str(ref) == NAME + tail
    assert parse_ref(str(ref)) == ref


@pytest.mark.clause("KER-REF-02")
@pytest.mark.parametrize(
    "tail",
    [
        "#",
        "#char=05,9",
        "#char=5,09",
        "#char=5,5",
        "#char=9,5",
        "#char=-1,5",
        "#char=5",
        "#char=5,",
        "#char=,5",
        "#char=5,9 ",
        "#char= 5,9",
        "#char=٥,٩",
        "#char=0,0",
        "#char=1,99999999999999999999",
        "#char=0,9007199254740993",
        "#CHAR=5,9",
        "#line=5,9",
        "#a/b",
        "#/a~",
        "#/a~2",
        "#/\ud800",
        "?x",
        " ",
        "\n",
    ],
)
def test_any_other_spelling_is_refused(tail):
    with pytest.raises(RefError, match="not the spelling of a ref"):
        parse_ref(NAME + tail)


@pytest.mark.clause("KER-REF-02")
@pytest.mark.parametrize("text", ["", "#/a", "sha256:ab#/a", NAME.upper(), "x" + NAME])
def test_a_ref_begins_with_a_whole_digest(text):
    with pytest.raises(RefError):
        parse_ref(text)
    with pytest.raises(InputError):
        EvidenceRef(text)


@pytest.mark.clause("KER-REF-02")
@pytest.mark.parametrize("path", ["", "a", "/~", "/a~3b", "#/a"])
def test_a_pointer_that_is_none_cannot_be_made(path):
    with pytest.raises(RefError):
        JsonPointer(path)


@pytest.mark.clause("KER-REF-01")
def test_a_pointer_is_built_from_its_steps_and_gives_them_back():
    pointer = JsonPointer.to("a/b", 0, "m~n", "~1", "")
    assert pointer.path == "/a~1b/0/m~0n/~01/"
    assert pointer.steps == ("a/b", "0", "m~n", "~1", "")


@pytest.mark.clause("KER-REF-06")
def test_a_span_notices_that_the_text_moved():
    span = TextSpan(start=5, end=9, quote="step")
    assert span.covers("no a step here")
    assert not span.covers("no, a step here")
    assert span.range == TextRange(5, 9)


@pytest.mark.clause("KER-REF-06")
@pytest.mark.parametrize(("start", "end", "quote"), [(5, 5, ""), (5, 9, "ste"), (-1, 0, "a")])
def test_a_span_that_cannot_hold_its_quote_is_refused(start, end, quote):
    with pytest.raises(SpanError):
        TextSpan(start, end, quote)


@pytest.mark.clause("KER-REF-03")
def test_offsets_count_code_points_of_utf8():
    blob = "a😀孔b".encode()
    assert resolve(blob, TextRange(1, 3)) == "😀孔"


@pytest.mark.clause("KER-REF-03")
def test_offsets_count_bytes_when_the_blob_is_not_utf8():
    blob = "#12='孔';".encode("gbk")
    assert len(text_of(blob)) == len(blob)
    assert resolve(blob, TextRange(5, 7)).encode("latin-1").decode("gbk") == "孔"


@pytest.mark.clause("KER-REF-03")
def test_line_ends_and_a_byte_order_mark_are_characters_too():
    assert resolve(b"\xef\xbb\xbfa\r\nb", TextRange(0, 4)) == "\ufeffa\r\n"


@pytest.mark.clause("KER-REF-04")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/parts/0/a~1b/m~0n", 2.5),
        ("/parts/0/", "blank"),
        ("/parts/0/名/1", None),
        ("/parts/0/名", [1, None]),
    ],
)
def test_a_pointer_resolves_to_the_value(path, value):
    assert resolve(FACTS, JsonPointer(path)) == value


@pytest.mark.clause("KER-REF-04")
@pytest.mark.parametrize(
    "path",
    ["/parts/1", "/parts/00", "/parts/-", "/parts/-1", "/parts/a", "/x", "/parts/0/名/0/0",
     "/parts/0/a~1b/m~0n/", "/parts/٠"],
)  # fmt: skip
def test_a_pointer_to_nothing_says_where_the_path_ends(path):
    with pytest.raises(NothingThereError, match="nothing at /"):
        resolve(FACTS, JsonPointer(path))


@pytest.mark.clause("KER-REF-04")
def test_a_range_beyond_the_end_points_at_nothing():
    assert resolve(b"abc", TextRange(1, 3)) == "bc"
    with pytest.raises(NothingThereError, match="ends at 3"):
        resolve(b"abc", TextRange(1, 4))


@pytest.mark.clause("KER-REF-04")
@pytest.mark.parametrize("blob", [b"\x89PNG\r\n\x1a\n\0", b"a note", b"", b"[" * 100_000])
def test_a_pointer_into_what_is_not_json_points_at_nothing(blob):
    with pytest.raises(NothingThereError, match="not JSON"):
        resolve(blob, JsonPointer("/0"))


@pytest.mark.clause("KER-REF-04")
def test_a_ref_to_the_whole_resolves_to_the_bytes():
    assert resolve(b"\0", None) == b"\0"


@pytest.mark.clause("KER-REF-05")
def test_text_is_shown_with_the_lines_around_it():
    at = NOTE.index("孔")
    assert in_context(NOTE.encode(), TextRange(at, at + 1), lines=1) == Passage(
        before="two\nthree ", hit="孔", after=" here\nfour", line=3
    )


@pytest.mark.clause("KER-REF-05")
@pytest.mark.parametrize("lines", [0, 1, 2, 9])
def test_context_is_cut_from_the_text_without_a_seam(lines):
    for start in range(len(NOTE)):
        seen = in_context(NOTE.encode(), TextRange(start, start + 1), lines=lines)
        assert seen.before + seen.hit + seen.after in NOTE
        assert seen.line == NOTE[:start].count("\n") + 1
        assert seen.before.count("\n") == min(lines, seen.line - 1)


@pytest.mark.clause("KER-REF-05")
def test_a_file_of_one_endless_line_is_shown_in_part():
    seen = in_context(b"x" * 10**6, TextRange(500_000, 500_001))
    assert 0 < len(seen.before) + len(seen.after) < 2000


@pytest.mark.clause("KER-REF-05")
def test_a_json_value_is_shown_with_everything_it_lies_in():
    seen = in_context(FACTS, JsonPointer("/parts/0/a~1b/m~0n"))
    whole = json.loads(FACTS)
    assert seen == Node(
        path="/parts/0/a~1b/m~0n",
        value=2.5,
        parents=(
            ("", whole),
            ("/parts", whole["parts"]),
            ("/parts/0", whole["parts"][0]),
            ("/parts/0/a~1b", {"m~n": 2.5}),
        ),
    )


@pytest.mark.clause("KER-REF-05")
@pytest.mark.parametrize(
    ("blob", "kind", "text"),
    [
        (b"\x89PNG\r\n\x1a\n rest", "image/png", None),
        (b"\xff\xd8\xff\xe0", "image/jpeg", None),
        (b"%PDF-1.7", "application/pdf", None),
        (bytes(9), "application/octet-stream", None),
        ("孔".encode("gbk"), "application/octet-stream", None),
        (FACTS, "application/json", FACTS.decode()),
        (b"[broken", "text/plain", "[broken"),
        ("一句话".encode(), "text/plain", "一句话"),
    ],
)
def test_a_whole_blob_says_its_kind_and_size(blob, kind, text):
    assert media_type(blob) == kind
    assert in_context(blob, None) == Whole(kind, len(blob), text)
