"""A note falls into atoms along its headings, and an edit elsewhere renames none of them."""

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.answers.atoms import Representation
from witmark.answers.carving import LARGEST_ATOM, carve, slug
from witmark.answers.notes import BlockKind
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import UnreadableSourceError

NOTE = """---
title: 水杯
title_en: Water glass
aliases: [tumbler]
tags: [器皿]
keywords: [容器]
description: 盛水。
valid_from: 2024
valid_to: someday
updated: 2026-03-01
---
lead text

# 玻璃水杯

intro #家居

## Use

```py
x = 1
```

after code

### Use

deep

## Use

$$
a
$$
"""


def carved(text, path="shelf/water glass.md"):
    return carve(path, text.encode(), ComrakParser().parse(text))


def keys(text):
    return [atom.stable_key for atom in carved(text).document.atoms]


def test_a_document_has_the_names_and_dates_its_author_gave_it():
    made = carved(NOTE)
    note = made.document

    assert (note.id, note.stem, note.corpus) == ("shelf/water glass.md", "water glass", "shelf")
    assert (note.title, note.aliases) == ("水杯", ("Water glass", "tumbler", "玻璃水杯"))
    assert (note.valid_from, note.valid_to, note.updated) == ("2024-01-01", "", "2026-03-01")
    assert (note.text, note.source_hash) == (NOTE, digest_of(NOTE.encode()))
    assert made.faults == ("valid to: 'someday' is not a date; write YYYY-MM-DD",)


def test_headings_code_and_formulas_become_atoms_in_source_order():
    atoms = carved(NOTE).document.atoms

    assert [(a.stable_key, a.representation.value, a.content.text) for a in atoms] == [
        ("", "text", "盛水。\nlead text\n玻璃水杯\nintro #家居"),
        ("use", "text", "Use\nafter code"),
        ("use/:code", "code", "x = 1"),
        ("use/use", "text", "Use\ndeep"),
        ("use~2", "text", "Use"),
        ("use~2/:formula", "formula", "a"),
    ]
    assert [a.ordinal for a in atoms] == list(range(6))
    assert atoms[0].id == "shelf/water glass.md#"
    assert atoms[3].section_path == ("水杯", "Use", "Use")
    assert {a.keywords for a in atoms} == {("器皿", "家居", "容器")}


def test_passages_say_where_their_text_is():
    root = carved(NOTE).document.atoms[0]

    assert [p.kind for p in root.passages] == [
        BlockKind.FRONT_MATTER,
        BlockKind.PARAGRAPH,
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
    ]
    for passage in root.passages:
        shown = root.content.text[passage.start : passage.end]
        assert shown in NOTE[passage.source_start : passage.source_end]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: stated\n---\n# heading", "stated"),
        ("## second\n\n# first", "first"),
        ("## only second", "water glass"),
        ("", "water glass"),
    ],
)
def test_the_title_is_stated_or_the_first_great_heading_or_the_file_name(text, title):
    assert carved(text).document.title == title


def test_the_first_great_heading_is_part_of_the_root_and_a_later_one_is_not():
    assert keys("# A\n\n# B\n\n## C") == ["", "b", "b/c"]
    assert keys("## C\n\n# A") == ["", "c", "a"]


def test_one_of_several_great_headings_is_no_alias():
    text = "---\ntitle: t\n---\n# A\n\n# B"

    assert carved(text).document.aliases == ()


def test_an_empty_note_has_a_root():
    (root,) = carved("").document.atoms

    assert (root.stable_key, root.content.text, root.passages) == ("", "", ())


def test_an_edit_elsewhere_renames_nothing():
    before = "# T\n\n## A\n\ntext\n\n## B\n\n```\nx\n```\n"
    after = before.replace("text", "## New\n\nother text")

    assert set(keys(before)) < set(keys(after))


def test_a_long_section_is_cut_where_a_block_ends():
    paragraph = "word " * 200
    text = "# T\n\n## Long\n\n" + (paragraph + "\n\n") * 12
    atoms = carved(text).document.atoms

    assert [a.stable_key for a in atoms] == [
        "",
        "long",
        "long/:part",
        "long/:part~2",
        "long/:part~3",
    ]
    assert all(len(a.content.text) <= LARGEST_ATOM for a in atoms)
    assert sum(len(a.passages) for a in atoms) == 14
    assert {a.title for a in atoms[1:]} == {"Long"}


def test_a_block_that_is_too_long_alone_stays_whole():
    (root,) = carved("x" * 9000).document.atoms

    assert len(root.content.text) == 9000


def test_a_heading_cannot_take_the_name_of_a_code_atom():
    text = "## A\n\n```\nx\n```\n\n### :code\n\n### code"

    assert keys(text) == ["", "a", "a/:code", "a/code", "a/code~2"]


def test_numbered_names_do_not_collide_with_numbered_headings():
    names = keys("## a\n\n## a\n\n## a 2\n\n## a~2\n\n## a")

    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("heading", "name"),
    [("What is HTTP/2?", "what-is-http-2"), ("用途 (Uses)", "用途-uses"), ("!!!", "section")],
)
def test_a_slug_is_made_of_the_words(heading, name):
    assert slug(heading) == name


def test_an_atom_in_another_script_has_its_own_language():
    text = "水杯是盛水的容器。\n\n" * 9 + "\n## English\n\n" + "A cup that holds water. " * 5
    atoms = carved(text).document.atoms

    assert [atom.language for atom in atoms] == ["zh", "en"]


def test_the_language_of_the_folder_holds_for_its_latin_text():
    atoms = carved(
        "# Copa\n\n" + "Um copo de água para beber. " * 5, "pt-br/copo.md"
    ).document.atoms

    assert [atom.language for atom in atoms] == ["pt"]


def test_an_empty_note_is_in_the_language_of_its_title():
    assert carved("", "水杯.md").document.language == "zh"
    assert carved("", "42.md").document.language == "und"


def test_a_diagram_is_an_atom_of_its_own():
    atoms = carved("```mermaid\ngraph\n```").document.atoms

    assert [a.representation for a in atoms] == [Representation.TEXT, Representation.MERMAID]


def test_a_broken_front_matter_is_said_and_the_note_is_carved():
    made = carved("---\na: [\n---\n# T")

    assert made.document.title == "T"
    assert "not valid YAML" in made.faults[0]


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(UnreadableSourceError):
        carve("x.md", b"\xff\xfe", ComrakParser().parse(""))
