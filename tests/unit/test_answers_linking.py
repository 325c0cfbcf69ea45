"""Which notes an author means, and the edges this makes."""

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.answers.edges import Provenance, RelationKind, TemporalKind
from witmark.answers.ingesting import ingest
from witmark.answers.linking import link
from witmark.answers.mentions import certainty, limit, spellings
from witmark.answers.names import nearest
from witmark.answers.reading import read_note
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.vaults import MemoryVault


def linked(notes, owner="a.md"):
    """The stated edges of a note: (source, kind, target), own order aside."""
    return {
        (e.source, e.kind.value, e.target): e
        for e in ingested(notes).edges_of(owner)
        if e.provenance is Provenance.FACT and e.edge_confidence != 0.5
    }


def mentioned(notes, owner="a.md"):
    found = ingested(notes).edges_of(owner)
    return {(e.source, e.target): e for e in found if e.provenance is Provenance.INFERRED}


def ingested(notes):
    library = MemoryLibrary()
    ingest(MemoryVault({k: v.encode() for k, v in notes.items()}), ComrakParser(), library)
    return library


@pytest.mark.parametrize(
    ("key", "kind", "runs_to_us"),
    [
        ("prerequisites", "prerequisite", True),
        ("Depends-On", "prerequisite", True),
        ("前置知识", "prerequisite", True),
        ("contrasts", "contrast", False),
        ("类比", "analogy", False),
        ("causes", "causal", False),
        ("caused_by", "causal", True),
        ("applies to", "application", False),
        ("see_also", "reference", False),
        ("next", "sequence", False),
        ("上一步", "sequence", True),
    ],
)
@pytest.mark.clause("ANS-EDGE-01")
def test_a_front_matter_key_says_what_it_says_in_its_direction(key, kind, runs_to_us):
    edges = linked({"a.md": f'---\n{key}: "[[b]]"\n---\n', "b.md": ""})
    ends = ("b.md#", kind, "a.md#") if runs_to_us else ("a.md#", kind, "b.md#")
    assert list(edges) == [ends]
    assert edges[ends].edge_confidence == 1.0


@pytest.mark.parametrize(
    "value",
    [
        '"[[b]]"',
        "[[b]]",
        "b",
        "B Note",
        "b.md",
        '"[b](b.md)"',
        '["[[b]]"]',
        "\n  - b",
        '"[[b|that]]"',
    ],
)
def test_a_value_may_be_a_link_a_path_a_title_or_a_list_of_them(value):
    notes = {"a.md": f"---\nrequires: {value}\n---\n", "b.md": "---\ntitle: B note\n---\n"}
    assert list(linked(notes)) == [("b.md#", "prerequisite", "a.md#")]


@pytest.mark.clause("ANS-EDGE-01")
def test_the_span_of_a_stated_relation_is_its_value():
    text = '---\ntitle: b\nrequires: [x, "[[b]]"]\n---\n'
    [edge] = linked({"a.md": text, "b.md": ""}).values()
    place = text.index("[[b]]")
    assert edge.span_ids == (f"a.md@{place}-{place + 5}",)


def test_a_plain_text_may_list_several_names():
    notes = {"a.md": "---\nrelated: b、c, d\n---\n", "b.md": "", "c.md": "", "d.md": ""}
    assert {target for _, _, target in linked(notes)} == {"b.md#", "c.md#", "d.md#"}


def test_a_link_joins_the_section_it_stands_in_with_the_section_it_names():
    notes = {
        "a.md": "# A\n\n## Use\n\n[[b#How it works]]\n",
        "b.md": "# B\n\n## How it works\n\nx\n",
    }
    edges = linked(notes)
    assert list(edges) == [("a.md#use", "reference", "b.md#how-it-works")]
    assert edges["a.md#use", "reference", "b.md#how-it-works"].edge_confidence == 0.7


def test_a_link_to_a_block_leads_to_the_section_that_holds_it():
    notes = {"a.md": "[[b#^here]]", "b.md": "# B\n\n## S\n\ntext ^here\n"}
    assert list(linked(notes)) == [("a.md#", "reference", "b.md#s")]


def test_a_link_to_a_section_that_is_not_there_leads_to_the_note():
    assert list(linked({"a.md": "[[b#gone]]", "b.md": ""})) == [("a.md#", "reference", "b.md#")]


def test_an_embed_is_surer_than_a_link_and_both_are_one_edge():
    [edge] = linked({"a.md": "[[b]] and ![[b]]", "b.md": ""}).values()
    assert edge.edge_confidence == 0.8
    assert edge.span_ids == ("a.md@0-5", "a.md@10-16")


def test_a_note_that_links_to_itself_says_nothing():
    notes = {"a.md": "---\nrequires: a\n---\n[[a]] [x](a.md) [[#^b]]\n"}
    assert linked(notes) == {}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("[[b]]", "x/b.md"),  # the nearest of that name
        ("[[y/b]]", "y/b.md"),
        ("[[/y/b]]", "y/b.md"),
        ("[[../y/b]]", "y/b.md"),
        ("[[B]]", "x/b.md"),  # in any case
        ("[t](../y/b.md)", "y/b.md"),
        ("[t](b.md)", "x/b.md"),
        ("[t](/y/b.md)", "y/b.md"),
        ("[t](c%20d.md)", "x/c d.md"),
        ("[[Sea Salt]]", "y/b.md"),  # by title
        ("[[seaSalt]]", "y/b.md"),
        ("[[盐]]", "y/b.md"),  # by alias
        ("[t](../y/)", "y/README.md"),
    ],
)
def test_a_link_means_the_path_then_the_nearest_file_then_a_title_or_alias(written, meant):
    notes = {
        "x/a.md": written,
        "x/b.md": "",
        "x/c d.md": "",
        "y/b.md": "---\ntitle: Sea salt\naliases: [盐]\n---\n",
        "y/README.md": "",
    }
    assert list(linked(notes, "x/a.md")) == [("x/a.md#", "reference", f"{meant}#")]


def test_the_nearest_note_is_the_one_fewest_folders_away():
    assert nearest(["b/n.md", "a/c/n.md", "n.md"], "a/x.md") == "n.md"
    assert nearest(["b/n.md", "a/c/n.md"], "a/x.md") == "a/c/n.md"


def test_links_that_mean_no_note_are_counted_and_pictures_are_not():
    vault = MemoryVault({"a.md": b"[[gone]] ![[p.png]] [t](x/gone.md) [w](https://x.y/z.md)"})
    report = ingest(vault, ComrakParser(), MemoryLibrary())
    assert [link.name for link in report.unresolved] == ["gone", "x/gone.md"]


def test_the_window_and_what_a_note_replaces_are_temporal():
    notes = {
        "new.md": "---\nsupersedes: old\nvalid_from: 2025-01-01\n---\n",
        "old.md": "---\nvalid_to: 2024-12-31\n---\n",
        "heir.md": "---\nsuperseded_by: new\n---\n",
        "copy.md": "---\nderived_from: new\n---\n",
    }
    found = {
        (e.source, e.kind, e.target): (e.valid_from, e.valid_to)
        for e in ingested(notes).temporal()
    }
    assert found == {
        ("new.md#", TemporalKind.SUPERSEDES, "old.md#"): ("2025-01-01", ""),
        ("new.md#", TemporalKind.VALIDITY_WINDOW, "new.md#"): ("2025-01-01", ""),
        ("old.md#", TemporalKind.VALIDITY_WINDOW, "old.md#"): ("", "2024-12-31"),
        ("new.md#", TemporalKind.SUPERSEDES, "heir.md#"): ("", ""),
        ("copy.md#", TemporalKind.DERIVED_FROM, "new.md#"): ("", ""),
    }


def test_a_note_leads_through_its_sections_in_order():
    edges = ingested({"a.md": "# A\n\n## B\n\nx\n\n## C\n\ny\n"}).edges_of("a.md")
    found = {(e.source, e.target, e.kind, e.edge_confidence) for e in edges}
    assert found == {
        ("a.md#", "a.md#b", RelationKind.SEQUENCE, 0.5),
        ("a.md#b", "a.md#c", RelationKind.SEQUENCE, 0.5),
    }


def test_ten_thousand_links_in_a_note_join_it_with_the_two_notes_meant():
    text = "\n\n".join(f"[[b]] [[c{n}]]" for n in range(5_000))
    found = linked({"a.md": text, "b.md": "", "c7.md": ""})
    assert {target for _, _, target in found} == {"b.md#", "c7.md#"}


def test_a_statement_can_be_linked_against_any_lookup():
    class Everything:
        def find(self, target, user):
            return "z.md"

        def section(self, document_id, target):
            return f"{document_id}#s"

    parser = ComrakParser()
    note = read_note("a.md", b"[[q#h]]", parser)
    made = link(note.document, parser.parse(note.document.text), Everything())
    assert [(e.source, e.target) for e in made.edges] == [("a.md#", "z.md#s")]
    assert made.uses == {"≡q", "q", "#z.md"}


# Mentions ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("a water glass here", "Water Glass", True),
        ("the waterGlass type", "water glass", True),
        ("water-glass, of course", "water glass", True),
        ("water. Glass", "water glass", False),
        ("waterglasses", "water glass", False),
        ("骤热使水杯开裂", "水杯", True),
        ("什麼是水杯", "水杯", True),
        ("水 杯", "水杯", False),
        ("using Silica二氧化硅 now", "silica 二氧化硅", True),
        ("go on", "Go", False),
        ("written in Go.", "Go", True),
        ("a linked hash map", "LinkedHashMap", True),
        ("K8s", "k8s", True),
        ("in C++ too", "C++", True),
        ("rule 18.2.4 says", "18.2.4", True),
        ("the 2024 plan", "2024", False),
        ("the what", "what", False),
    ],
)
def test_a_name_is_found_as_words_in_latin_and_anywhere_in_han(text, name, found):
    notes = {"a.md": text, "b.md": f"---\ntitle: {name!r}\n---\n"}
    assert (("a.md#", "b.md#") in mentioned(notes)) is found


def test_the_longest_name_is_meant():
    notes = {"a.md": "a water glass", "b.md": "# Water glass", "c.md": "# Glass"}
    assert list(mentioned(notes)) == [("a.md#", "b.md#")]


def test_a_shorter_name_elsewhere_is_meant_too():
    notes = {"a.md": "a water glass of glass", "b.md": "# Water glass", "c.md": "# Glass"}
    assert list(mentioned(notes)) == [("a.md#", "b.md#"), ("a.md#", "c.md#")]


@pytest.mark.clause("ANS-EDGE-02")
def test_what_the_author_linked_is_not_inferred_again():
    assert mentioned({"a.md": "silica: see [[silica]]", "silica.md": "# Silica"}) == {}


def test_code_mentions_nothing():
    assert mentioned({"a.md": "x\n\n```\nsilica\n```\n", "b.md": "# Silica"}) == {}


def test_a_mention_shows_the_passage_in_which_it_stands():
    [edge] = mentioned({"a.md": "first\n\nthe silica here\n", "b.md": "# Silica"}).values()
    assert edge.span_ids == ("a.md@7-22",)


@pytest.mark.clause("ANS-EDGE-02")
def test_a_name_that_many_notes_use_is_less_sure_and_then_says_nothing():
    few = {f"{n}.md": "silica" for n in range(3)} | {"b.md": "# Silica"}
    many = {f"{n}.md": "silica" for n in range(21)} | {"b.md": "# Silica"}
    [edge] = mentioned(few, "0.md").values()
    assert edge.edge_confidence == certainty(4, limit(4)) == 0.154741  # itself included
    assert mentioned(many, "0.md") == {}


def test_a_name_of_one_character_or_of_no_meaning_has_no_spelling():
    for name in ("水", "C", "7", "2024", "the", "如何", "—"):
        assert spellings(name) == ()
