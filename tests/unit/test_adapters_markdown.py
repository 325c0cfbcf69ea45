"""A note is read as its author meant it, and every piece of it says where it stands."""

from pathlib import Path

import pytest
from support_markdown import outline

from witmark.adapters.markdown import ComrakParser
from witmark.answers.notes import BlockKind, LinkKind

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "markdown"
NOTES = sorted(GOLDEN.glob("*.md"))


def parse(text):
    return ComrakParser().parse(text)


def plain(text):
    return [block.plain.text for block in parse(text).blocks]


def spelled(note):
    return [(x.kind.value, x.target, x.heading, x.block_id, x.label) for x in note.links]


def cut(text, place):
    return text[place.start : place.end]


@pytest.mark.parametrize("note", NOTES, ids=[note.stem for note in NOTES])
@pytest.mark.clause("ANS-READ-04")
def test_a_note_of_the_golden_corpus_is_read_as_before(note):
    text = note.read_bytes().decode()

    assert outline(text) == note.with_suffix(".txt").read_text("utf-8")


def test_the_golden_corpus_has_notes():
    assert len(NOTES) >= 6


# Text --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("one\ntwo", "one two"),
        ("水杯\n透明", "水杯透明"),
        ("水杯\nglass", "水杯 glass"),
        ("hard  \nbreak", "hard break"),
        ("back\\\nslash", "back slash"),
        ("a %%secret%% b", "a b"),
        ("a <!-- secret --> b", "a b"),
        ("a<b>c</b>d", "acd"),
        ("a<br>b", "a b"),
        ("&amp; &copy; &#x6c34;", "& © 水"),
        ("&amp;lt; &unknown;", "&lt; &unknown;"),
        (r"\*a\* \\b", r"*a* \b"),
        ("==lit== ~~gone~~ **b** _i_", "lit gone b i"),
        ("`` a`b `` and $x_1$", "a`b and x_1"),
        ("see [^1] there\n\n[^1]: n", "see there"),
        ("![alt](p.png) after", "after"),
        ("![[p.png|300]] after", "after"),
        ("https://x.org/a_b_c?d==e==f", "https://x.org/a_b_c?d==e==f"),
        ("**https://x.org/a_b**", "https://x.org/a_b"),
        ("nul\0here", "nul\0here"),
    ],
)
@pytest.mark.clause("ANS-READ-03")
def test_a_reader_sees(source, shown):
    assert plain(source)[0] == shown


def test_a_comment_over_several_paragraphs_is_not_seen():
    assert plain("a\n\n%%\nhidden\n\n[[too]]\n%%\n\nb") == ["a", "b"]
    assert parse("%%\n[[too]]\n%%").links == ()


def test_text_after_a_reference_definition_keeps_its_place():
    text = "[r]: x.md\n[s]: y.md\nsome *text* here, see [r].\n"
    (block,) = parse(text).blocks

    place = block.plain.source_range(0, len(block.plain.text))
    assert block.plain.text == "some text here, see r."
    assert cut(text, place) == "some *text* here, see [r]."


def test_a_link_over_two_lines_does_not_move_what_follows():
    text = "a [b](c.md\n'title') same same *same*"
    (block,) = parse(text).blocks

    at = block.plain.text.rindex("same")
    assert cut(text, block.plain.source_range(at, at + 4)) == "same"
    assert block.plain.source_range(at, at + 4).start == text.rindex("same")


def test_half_a_character_does_no_harm():
    assert plain("a \ud83d b") == ["a \ud83d b"]


# Blocks ------------------------------------------------------------------------------


def test_an_id_in_a_line_of_its_own_names_the_block_before_it():
    note = parse("| a |\n|---|\n| b |\n\n^table-1\n\ntext")

    assert [block.block_id for block in note.blocks] == ["", "table-1", ""]


def test_a_caret_in_a_formula_is_no_id():
    (block,) = parse("the square $a ^b$").blocks

    assert (block.block_id, block.plain.text) == ("", "the square a ^b")


@pytest.mark.parametrize("mark", ["{#the-use}", "{: #the-use .big}", "^the-use"])
def test_a_heading_may_have_a_name_for_links(mark):
    (block,) = parse(f"# Use it {mark}").blocks

    assert (block.plain.text, block.block_id) == ("Use it", "the-use")


def test_a_tag_may_hold_a_bracket_in_quotes():
    assert plain('<Figure title="`Option<T>` > x">\n\nafter') == ["after"]
    assert plain("<div>a < b and c</div>") == ["a < b and c"]


def test_an_ordered_item_has_the_number_a_reader_sees():
    note = parse("3. c\n3. d\n\n1) e")

    assert [block.info for block in note.blocks] == ["3.", "4.", "1)"]


def test_a_heading_within_a_quote_heads_nothing():
    note = parse("> # quoted\n\n# real")

    assert [b.kind for b in note.blocks] == [BlockKind.QUOTE, BlockKind.HEADING]


def test_a_formula_may_hold_what_looks_like_a_heading():
    note = parse("$$\na\n=\n- b\n$$\n\nafter")

    assert [(b.kind, b.plain.text) for b in note.blocks] == [
        (BlockKind.MATH, "a\n=\n- b"),
        (BlockKind.PARAGRAPH, "after"),
    ]


def test_an_info_string_cannot_break_out_of_the_tree():
    text = '```a">x</code_block><paragraph>&lt;\ncode\n```\n\nafter'
    note = parse(text)

    assert [(b.kind, b.plain.text) for b in note.blocks] == [
        (BlockKind.CODE, "code"),
        (BlockKind.PARAGRAPH, "after"),
    ]


def test_code_in_a_quote_is_shown_without_the_quote_marks():
    text = "> ```\n> a\n>\tb\n> ```"
    (block,) = parse(text).blocks

    assert block.plain.text == "a\n  b"
    assert cut(text, block.plain.source_range(4, 5)) == "b"


def test_a_footnote_nobody_refers_to_is_read():
    (block,) = parse("[^1]: alone").blocks

    assert (block.kind, block.info, block.plain.text) == (BlockKind.FOOTNOTE, "1", "alone")


# Links and tags ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "link"),
    [
        ("[[a]]", ("wikilink", "a", "", "", "")),
        ("[[a#h|l]]", ("wikilink", "a", "h", "", "l")),
        ("[[#h]]", ("wikilink", "", "h", "", "")),
        ("[[a#^id]]", ("wikilink", "a", "", "id", "")),
        ("[[a|b|c]]", ("wikilink", "a", "", "", "b|c")),
        ("[[Vue.js]]", ("wikilink", "Vue.js", "", "", "")),
        ("![[a]]", ("embed", "a", "", "", "")),
        ("https://x.org[[a]]", ("wikilink", "a", "", "", "")),
        ("| [[a\\|b]] |\n|---|", ("wikilink", "a", "", "", "b")),
        ("[t](b.md)", ("markdown", "b.md", "", "", "t")),
        ("[t](../x%20y.md#h%20i)", ("markdown", "../x y.md", "h i", "", "t")),
        ("[t](<x y.md>)", ("markdown", "x y.md", "", "", "t")),
        ("[t](#here)", ("markdown", "", "here", "", "t")),
        ("[t][r]\n\n[r]: z.md", ("markdown", "z.md", "", "", "t")),
        ("[t](folder/page)", ("markdown", "folder/page", "", "", "t")),
    ],
)
@pytest.mark.clause("ANS-READ-04")
def test_a_link_is_found(source, link):
    note = parse(source)

    assert spelled(note) == [link]
    assert note.links[0].block == 0


@pytest.mark.parametrize(
    "source",
    [
        "`[[a]]`",
        r"\[[a]]",
        "```\n[[a]]\n```",
        "$[[a]]$",
        "[t](https://x.org/a.md)",
        "<https://x.org/a.md>",
        "[t](mailto:a@b.md)",
        "[t](//x.org/a.md)",
        "[t](a.pdf)",
        "![[a.png]]",
        "![t](a.png)",
        "[[]]",
        "[[ ]]",
    ],
)
def test_this_is_no_link_to_a_note(source):
    assert parse(source).links == ()


def test_a_link_without_words_still_stands_in_a_block():
    note = parse("[](a.md)")

    assert spelled(note) == [("markdown", "a.md", "", "", "")]
    assert note.blocks[note.links[0].block].plain.text == "[](a.md)"


def test_links_of_the_front_matter_come_first_and_stand_in_no_block():
    text = "---\nrelated: '[[x#y|z]]'\n---\n[[a]]"
    note = parse(text)

    assert [(link.target, link.block) for link in note.links] == [("x", -1), ("a", 0)]
    assert cut(text, note.links[0].range) == "[[x#y|z]]"


@pytest.mark.parametrize(
    ("source", "tags"),
    [
        ("#a and #b/c-d_e", ["a", "b/c-d_e"]),
        ("#水杯 与 #器皿/玻璃。", ["水杯", "器皿/玻璃"]),
        ("x#a `#b` $#c$ [l](#d) #12 \\#e &#35;f", []),
        ("# heading #t", ["t"]),
        ("- #one, #two.", ["one", "two"]),
        ("#y2024 #2024y", ["y2024", "2024y"]),
    ],
)
def test_tags(source, tags):
    note = parse(source)

    assert [tag.name for tag in note.tags] == tags
    assert all(cut(source, tag.range) == "#" + tag.name for tag in note.tags)


def test_an_attachment_is_shown_by_its_name_only_if_it_is_linked():
    assert plain("see [[plan.pdf]] and ![[plan.png]]!") == ["see plan.pdf and !"]
    assert LinkKind.EMBED not in {x.kind for x in parse("![[plan.png]]").links}


# Bombs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bomb",
    [
        ">" * 100_000 + " x",
        "[" * 10_000,
        "*" * 50_000 + "a" + "*" * 50_000,
        "*a _b " * 20_000 + "c" + "_*" * 20_000,
        "- " * 10_000 + "x",
        "`" * 10_000 + "a",
        "$$a" * 5_001,
        "[^1]" * 5_000 + "\n\n[^1]: [^1]",
        "&" * 50_000,
        "<!--" * 5_000,
        "水\n" * 20_000,
        "|a|\n|-|\n| " + r"a\|b *c* " * 10_000 + "|\n",
        "[水](d.md) " * 10_000,
    ],
    ids=lambda bomb: bomb[:6],
)
def test_deep_nesting_is_read_like_anything_else(bomb):
    note = parse(bomb)

    assert all(block.range.end <= len(bomb) for block in note.blocks)


def test_ten_thousand_links_in_a_line_are_all_found():
    text = "水 [[a|b]] [c](d.md) " * 5_000
    note = parse(text)

    assert len(note.links) == 10_000
    assert cut(text, note.links[-1].range) == "[c](d.md)"
