"""Front matter is read with distrust; whatever it holds, the note is read."""

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.answers.notes import BlockKind


def parse(yaml, body="# Note\n"):
    return ComrakParser().parse(f"---\n{yaml}\n---\n{body}")


def test_scalars_stay_what_a_person_sees():
    note = parse(
        "day: 2026-03-01\nwhen: 2026-03-01 12:30:00\nno: no\ntime: 12:30\nn: 42\nid: 007\n"
        "x: 1.5\nyes: true\nempty:\nquoted: '42'\nhuge: 99999999999999999999"
    )

    assert note.front_matter == {
        "day": "2026-03-01",
        "when": "2026-03-01 12:30:00",
        "no": "no",
        "time": "12:30",
        "n": 42,
        "id": "007",
        "x": 1.5,
        "yes": True,
        "empty": None,
        "quoted": "42",
        "huge": "99999999999999999999",
    }


def test_lists_and_mappings_nest():
    assert parse("a: [1, [x, {y: z}]]\nb:\n  - c: d\n").front_matter == {
        "a": [1, ["x", {"y": "z"}]],
        "b": [{"c": "d"}],
    }


@pytest.mark.parametrize(
    ("yaml", "fault"),
    [
        ("a: [", "not valid YAML"),
        ("a: b: c", "not valid YAML"),
        ("a: 1\na: 2", "twice"),
        ("a: &x 1\nb: *x", "anchors and aliases"),
        ("a: !!python/object/apply:os.system ['true']", "is not read"),
        ("? [a]\n: b", "a key must be"),
        ("a: " + "[" * 40 + "]" * 40, "deeper"),
        ("a: " + "[" * 30_000, "nesting depth"),
        ("a: b\nc: " + "x" * 70_000, "longer than 64 KiB"),
        ("a: \x01", "not valid YAML"),
        ("a: \ud800", "not valid YAML: surrogates"),
    ],
)
def test_what_cannot_be_read_is_said_and_the_note_is_read(yaml, fault):
    note = parse(yaml)

    assert fault in note.front_matter_fault
    assert note.front_matter == {}
    assert [block.plain.text for block in note.blocks] == ["Note"]


@pytest.mark.parametrize(("yaml", "seen"), [("just words", "just words"), ("- a", "a")])
def test_text_between_two_rules_is_text(yaml, seen):
    note = parse(yaml, body="")

    assert (note.front_matter_range, note.front_matter_fault) == (None, "")
    assert [block.plain.text for block in note.blocks] == [seen]


def test_an_entity_bomb_does_not_go_off():
    lines = ["a0: &a0 [x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 40)]

    assert "anchors and aliases" in parse("\n".join(lines)).front_matter_fault


@pytest.mark.parametrize("text", ["", "---", "---\n", "--- \n# x", "text\n---\na: b\n---"])
def test_without_both_fences_there_is_none(text):
    note = ComrakParser().parse(text)

    assert (note.front_matter_range, note.front_matter_fault) == (None, "")


def test_an_empty_one_is_no_fault():
    note = ComrakParser().parse("---\n---\ntext")

    assert (note.front_matter, note.front_matter_fault) == ({}, "")
    assert note.front_matter_range is not None


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_and_a_byte_order_mark_will_do(mark, end):
    text = mark + end.join(["---", "title: 水", "tags: [a, b/c]", "---", "body"])
    note = ComrakParser().parse(text)

    assert note.front_matter == {"title": "水", "tags": ["a", "b/c"]}
    assert [text[t.range.start : t.range.end] for t in note.tags] == ["a", "b/c"]
    assert text[note.blocks[0].range.start :] == "body"


def test_a_description_is_a_block_with_its_place():
    text = "---\ntitle: t\nSummary: '水杯 holds water'\n---\n"
    (block,) = ComrakParser().parse(text).blocks

    assert (block.kind, block.plain.text) == (BlockKind.FRONT_MATTER, "水杯 holds water")
    place = block.plain.source_range(0, 2)
    assert text[place.start : place.end] == "水杯"


def test_tags_in_one_text_are_told_apart():
    note = parse("tags: '#a, b c'")

    assert [tag.name for tag in note.tags] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "keys",
    [
        "title: Guide\nvalid_to: 2024-12-31\n",
        "Title: Guide\nValid to: 2024-12-31\n",
        "失效: 2024-12-31\n",
        "tags:\n  - glass\n- [more]\n",
        "title: Guide\n\nvalid_to: 2024-12-31\n",
        "title: Guide\r\nvalid_to: 2024-12-31\r\n",
    ],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_front_matter_that_is_never_closed_is_a_fault_and_no_prose(keys, mark):
    text = f"{mark}---\n{keys}\nGlass is washed warm.\n"

    note = ComrakParser().parse(text)

    assert "close it with ---" in note.front_matter_fault
    assert text[: note.front_matter_range.end].endswith(keys)
    assert [block.plain.text for block in note.blocks] == ["Glass is washed warm."]


@pytest.mark.parametrize(
    "text",
    [
        "---\nGlass is washed: always warm.\n",
        "---\n\nvalid_to: 2024-12-31\n",
        "---\nAlice: hello\nBob: good morning\n",
        "---\n- one: a list\n",
        "---\nhttp://example.org\n",
        "--- title: x\n",
        "---",
    ],
)
def test_a_rule_that_prose_follows_is_a_rule(text):
    note = ComrakParser().parse(text)

    assert note.front_matter_fault == ""
    assert note.front_matter_range is None


def test_a_rule_over_many_lines_that_nothing_closes_is_read_at_once():
    """Each end of a line, taken two ways, doubled the time: forty lines were a day's work."""
    prose = "---\r\n" + "A line of a note.\r\n" * 400

    assert [block.kind for block in ComrakParser().parse(prose).blocks] == [BlockKind.PARAGRAPH]
