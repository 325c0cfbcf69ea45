"""A plan names what is asked about in every spelling that the notes use."""

from collections import defaultdict

from witmark.answers.aliases import alias_entries
from witmark.answers.asking import Intent
from witmark.answers.atoms import Document, DocumentId
from witmark.answers.planning import TITLE_LENGTH, plan


class Shelf:
    def __init__(self, *notes):
        self.notes = {note.id: note for note in notes}
        self.keys = defaultdict(list)
        for note in notes:
            for entry in alias_entries(note):
                self.keys[entry.key].append((note.id, entry))

    def aliases(self, keys):
        return {key: self.keys[key] for key in keys if key in self.keys}

    def latin_keys(self, shortest, longest, *, initial=""):
        keys = (k for k in self.keys if k.isascii() and k.startswith(initial))
        return sorted(k for k in keys if shortest <= len(k) <= longest)

    def frequencies(self, tokens):
        return dict.fromkeys(tokens, 0)

    def note(self, document_id):
        return self.notes.get(document_id)


def note(path, title, *aliases):
    stem = path.rpartition("/")[2].removesuffix(".md")
    return Document(DocumentId(path), title, stem, aliases, "", "zh", "", "", "", "", "", ())


SHELF = Shelf(
    note("k/tea pot.md", "茶壶", "tea pot", "紫砂壶"),
    note("k/coffee mill.md", "Coffee mill", "咖啡磨"),
    note("k/salt and pepper.md", "Salt and pepper"),
    note("k/vinegar.md", "Vinegar", "醋"),
    note("k/tea vs coffee.md", "Tea vs coffee"),
)


def test_compact_and_spaced_questions_have_one_plan_but_for_their_words():
    plans = [plan(q, SHELF) for q in ("什么是teapot?", "什么是tea pot", "tea-pot是什麼")]
    assert {p.intent for p in plans} == {Intent.WHAT}
    assert {p.language for p in plans} == {"zh"}
    assert {frozenset(p.query_variants) for p in plans} == {
        frozenset({"teapot", "tea pot", "茶壶", "紫砂壶"})
    }
    assert {frozenset(p.query_tokens) for p in plans} == {
        frozenset({"tea", "pot", "teapot", "茶壶", "紫砂", "砂壶"})
    }
    assert [p.alias_hits[0].document_id for p in plans] == ["k/tea pot.md"] * 3


def test_a_comparison_has_a_subject_for_each_side():
    made = plan("compare tea pot and coffee mill", SHELF)
    assert [s.text for s in made.subjects] == ["tea pot", "coffee mill"]
    assert [[h.document_id for h in s.hits] for s in made.subjects] == [
        ["k/tea pot.md"], ["k/coffee mill.md"],
    ]  # fmt: skip


def test_a_name_with_and_in_it_stays_whole():
    made = plan("what is the difference between salt and pepper and vinegar?", SHELF)
    assert [s.text for s in made.subjects] == ["salt and pepper", "vinegar"]


def test_a_note_about_a_comparison_does_not_hide_its_sides():
    made = plan("tea vs coffee", SHELF)
    assert [s.text for s in made.subjects] == ["tea", "coffee"]
    assert "k/tea vs coffee.md" in {hit.document_id for hit in made.alias_hits}


def test_a_question_without_names_still_has_words():
    made = plan("What is the boiling point of vanadium?", SHELF)
    assert made.planner_query == "boiling point of vanadium"
    assert {"boil", "point", "vanadium"} <= set(made.query_tokens)
    assert made.alias_hits == ()
    assert [s.text for s in made.subjects] == ["boiling point of vanadium"]


def test_tokens_and_variants_come_once_and_in_order():
    made = plan("tea pot 茶壶 tea pot", SHELF)
    assert len(set(made.query_tokens)) == len(made.query_tokens)
    assert len(set(made.query_variants)) == len(made.query_variants)
    assert plan("tea pot 茶壶 tea pot", SHELF) == made


def test_a_long_question_is_no_title():
    made = plan("why " + "very " * 30 + "hot", SHELF)
    assert all(len(title) <= TITLE_LENGTH for title in made.title_like_queries)


def test_nothing_asked_is_an_empty_plan():
    made = plan(" ？\n", SHELF)
    assert (made.query_tokens, made.query_variants, made.alias_hits) == ((), (), ())
    assert made.intent is Intent.GENERIC
