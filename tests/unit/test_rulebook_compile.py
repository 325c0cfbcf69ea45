"""A card that cannot be decided does not compile, and the message names the line."""

import json

import pytest

from witmark.adapters.cards.book import bundled
from witmark.adapters.cards.reader import LARGEST_CARD_BYTES, read_card, read_cards
from witmark.review.rulebook.cards import CardError
from witmark.review.rulebook.compile import compile_book
from witmark.review.rulebook.index import INDEX_FILE, RulebookError, load_index
from witmark.review.rulebook.rule import STORE_FILE
from witmark.review.rulebook.store import load_store

CARD = """---
rule_id: 18.P29
catalogue_id: P29
title: 深孔
title_en: Deep hole
primary_view: hole_feature
knowledge_category: hole_structure
retrieval_sentence: 孔的深度与直径保持适当比例。
keywords: [深孔]
applies_to: [hole]
required_facts: [hole.ld]
required_model_facts: [hole.ld]
bad_if:
  - major: hole.ld > 10
  - minor: hole.ld > 4
good_if: hole.ld <= 4
source: somebody
grade: a
---

## 中文

### 为什么

排屑困难。

### 怎样改

加大孔径。

## English

### Why

Chips
stay inside.

### How to put it right

Enlarge it.
"""
LINES = CARD.splitlines()


def compiled(*cards):
    return compile_book("book", [read_card(f"{i}.md", c.encode()) for i, c in enumerate(cards)])


def changed(old, new):
    assert old in CARD
    return CARD.replace(old, new, 1)


@pytest.mark.clause("REV-RULE-01")
def test_a_card_compiles_into_the_contracts_two_shapes():
    book = compiled(CARD)
    index, store = json.loads(book.index)["rules"][0], json.loads(book.store)["rules"][0]

    assert index["retrieval_unit"] == {
        "retrieval_sentence": "孔的深度与直径保持适当比例。",
        "aliases": [],
        "keywords": ["深孔"],
    }
    rule = store["verification_rule"]
    assert rule["bad_if"] == "hole.ld > 10 or hole.ld > 4"
    assert rule["good_if"] == "hole.ld <= 4"
    assert rule["unknown_if"] == []
    assert rule["severity_tiers"][0] == {
        "severity": "major",
        "when": "hole.ld > 10",
        "grade": "a",
    }
    assert (store["title"], store["title_en"]) == ("深孔", "Deep hole")
    assert store["why_en"] == "Chips stay inside."


TIERS = "  - major: hole.ld > 10\n  - minor: hole.ld > 4"
GOOD, MINOR = "good_if: hole.ld <= 4", "  - minor: hole.ld > 4"
REFUSED = (
    ("rule_id: 18.P29", "rule_id: 17.P29", 2, "17.P29 does not begin with '18.'"),
    ("rule_id: 18.P29", "rule_id: 18.P30", 2, "18.P30 is not 18.P29"),
    ("rule_id: 18.P29", "rule_id: 18.29", 2, "must be a text (put it in quotes if need be)"),
    ("catalogue_id: P29", "catalogue_id: Q29", 3, "P or A and two digits"),
    ("primary_view: hole_feature", "primary_view: hole", 6, "there is no 'hole'"),
    ("title_en: Deep hole\n", "", 1, "the field 'title_en' is missing"),
    ("title_en: Deep hole", "title_en: Deep hole\ntitel: x", 6, "there is no field 'titel'"),
    ("grade: a", "grade: d", 18, "grade must be a, b or c"),
    ("applies_to: [hole]", "applies_to: [hole, holes]", 10, "there is no 'holes'"),
    ("keywords: [深孔]", "keywords: 深孔", 9, "keywords must be a list of texts"),
    (MINOR, "  - minor: hole.ld > 4 mm", 15, "1 cannot be compared with mm"),
    (MINOR, "  - minor: hole.lt > 4", 15, "there is no fact 'hole.lt'"),
    (MINOR, "  - small: hole.ld > 4", 15, "'small' is not one of"),
    (MINOR, "  - major: hole.ld > 4", 15, "from the worst down"),
    (MINOR, "  - minor: hole.ld > 11", 15, "minor can never be reached"),
    (MINOR, "  - minor: hole.ld >= 4", 15, "minor and good both hold at hole.ld = 4 (hole)"),
    (GOOD, "good_if: hole.ld < 12", 14, "major and good both hold at hole.ld = 11 (hole)"),
    (GOOD, "good_if: hole.ld < 0", 16, "good can never be reached"),
    (GOOD, "good_if: hole.d < 3 mm", 11, "hole.d is read but not required"),
    (
        "required_facts: [hole.ld]",
        "required_facts: [hole.ld, hole.d]",
        11,
        "hole.d is required but never read",
    ),
    (
        "required_model_facts: [hole.ld]",
        "required_model_facts: []",
        12,
        "what geometry can tell is: hole.ld",
    ),
    (
        GOOD,
        f"{GOOD}\napplies_if: hole.ld > 20 and hole.ld < 10",
        14,
        "major can never be reached",
    ),
    ("### Why", "### Reasons", 33, "the heading 'Reasons' is not one of"),
    ("### Why\n\nChips\nstay inside.\n", "", len(LINES) - 4, "the en part has no 'why'"),
    ("title: 深孔", "title: 深孔\ntitle: 浅孔", 5, "stands there twice"),
    ("title: 深孔", "title: &a 深孔\naliases: [*a]", 5, "aliases are not allowed"),
    ("title: 深孔", "title: [深孔", 5, "not YAML"),
)


@pytest.mark.parametrize(("old", "new", "line", "because"), REFUSED)
@pytest.mark.clause("REV-RULE-05")
def test_a_wrong_card_is_refused_with_its_line(old, new, line, because):
    with pytest.raises(CardError) as refused:
        compiled(changed(old, new))

    assert because in refused.value.because
    assert refused.value.line == line
    assert str(refused.value).startswith(f"0.md:{line}: ")


def test_the_tier_that_shadows_another_is_found():
    with pytest.raises(CardError, match="minor can never be reached"):
        compiled(changed("  - minor: hole.ld > 4", "  - minor: hole.ld > 10"))


def test_two_cards_cannot_share_an_id():
    with pytest.raises(CardError, match=r"18\.P29 is also the id of 0\.md"):
        compiled(CARD, CARD)


@pytest.mark.clause("REV-RULE-05")
def test_an_overlap_by_way_of_two_facts_is_found_with_a_point():
    """Half a diameter can be less than the least wall: the catalogue's own words overlap."""
    card = (
        changed("[hole.ld]", "[hole.edge_dist, hole.d]")
        .replace("[hole.ld]", "[hole.edge_dist, hole.d]")
        .replace(TIERS, "  - critical: hole.edge_dist < 0.8 mm")
        .replace("good_if: hole.ld <= 4", "good_if: hole.edge_dist >= hole.d")
    )  # fmt: skip
    with pytest.raises(CardError) as refused:
        compiled(card)

    assert refused.value.line == 14
    assert "both hold at hole.d = 0 mm, hole.edge_dist = " in refused.value.because


def test_a_named_value_overlaps_only_with_itself():
    good = "good_if: hole.step_order == {}"
    card = CARD.replace("hole.ld]", "hole.step_order]").replace(
        TIERS,
        "  - major: hole.step_order == bulged",
    )
    compiled(card.replace("good_if: hole.ld <= 4", good.format("single")))
    with pytest.raises(CardError, match=r"both hold at hole\.step_order = bulged"):
        compiled(card.replace("good_if: hole.ld <= 4", "good_if: hole.step_order != single"))


def test_a_place_at_which_nothing_can_be_bad_is_named():
    card = changed("applies_to: [hole]", "applies_to: [hole, part]").replace(
        "  - major: hole.ld > 10\n", ""
    )
    card = card.replace("minor: hole.ld > 4", "minor: hole.ld > 4 and anchor.kind == hole")
    with pytest.raises(CardError, match="nothing is ever bad about a part") as refused:
        compiled(card)

    assert refused.value.line == 10


def test_a_tangle_of_cases_is_refused_and_does_not_run_away():
    many = " and ".join(f"(hole.ld != {n} or hole.ld > {n + 100})" for n in range(20))
    with pytest.raises(CardError, match="more than 4096 cases"):
        compiled(changed("  - minor: hole.ld > 4", f"  - minor: {many}"))


@pytest.mark.parametrize(
    ("data", "line", "because"),
    [
        (b"# no front matter", 1, "a card begins with front matter"),
        (b"---\ntitle: x\n", 2, "the front matter has no end"),
        (b"---\n- a\n---\n", 2, "not a list of fields"),
        (b"---\ntitle: x\n# \xff\n---\n", 3, "not UTF-8"),
        (b"-" * (LARGEST_CARD_BYTES + 1), 1, "larger than"),
        (b"---\ntitle: x\n---\nstray\n", 4, "text outside a section"),
    ],
)
def test_a_file_that_is_no_card_is_refused(data, line, because):
    with pytest.raises(CardError, match=because) as refused:
        read_card("x.md", data)

    assert refused.value.line == line


@pytest.mark.clause("REV-RULE-06")
def test_the_committed_halves_are_what_the_cards_say():
    made = compile_book("machined-parts", read_cards(bundled()))

    assert (bundled() / INDEX_FILE).read_bytes() == made.index
    assert (bundled() / STORE_FILE).read_bytes() == made.store


@pytest.mark.clause("REV-RULE-02")
def test_the_index_says_nothing_about_what_a_rule_checks():
    raw = (bundled() / INDEX_FILE).read_text(encoding="utf-8")
    allowed = {
        "rule_id", "title", "title_en", "catalogue_id", "primary_view", "secondary_views",
        "knowledge_category", "retrieval_unit",
    }  # fmt: skip

    assert all(set(item) == allowed for item in json.loads(raw)["rules"])
    for word in (
        "bad_if",
        "good_if",
        "required",
        "hole.",
        "pocket.",
        " mm",
        ">",
        "<",
        "severity",
    ):
        assert word not in raw


def test_what_was_compiled_reads_back_the_same():
    raw = (bundled() / STORE_FILE).read_bytes()
    index = load_index((bundled() / INDEX_FILE).read_bytes())
    store = load_store(raw)

    assert [store.open(e.rule_id).to_plain() for e in index.entries] == json.loads(raw)["rules"]


@pytest.mark.parametrize("load", [load_index, load_store])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"format": "other"}',
        b'{"format": "chapter18_rule_index_v1", "rulebook": "x", "rules": [{}]}',
        b'{"format": "chapter18_rule_store_v1", "rulebook": "x", "rules": [{"rule_id": 1}]}',
    ],
)
def test_a_broken_half_is_an_error_that_says_what_to_do(load, data):
    with pytest.raises(RulebookError) as refused:
        load(data)

    assert "compile" in refused.value.hint


def test_an_id_that_only_the_index_has_is_an_error():
    store = load_store((bundled() / STORE_FILE).read_bytes())
    with pytest.raises(RulebookError, match=r"names 18\.P99, the store does not"):
        store.open("18.P99")
