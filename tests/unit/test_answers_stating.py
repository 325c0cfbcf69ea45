"""What the graph knows is cited where a note says it."""

import pytest
from whole_desk import asked, cited

from witmark.answers.asking import ScopeRequest
from witmark.answers.responding import respond

GUIDES = {
    "old.md": "---\ntitle: Washing guide 2019\nvalid_to: 2023-12-31\n---\n"
    "Oil the shaft before pressing.\n",
    "new.md": "---\ntitle: Washing guide 2024\nvalid_from: 2024-01-01\n"
    'supersedes: "[[old]]"\n---\nThe washing guide tells how to wash a glass.\n',
}
FITS = {
    "fit.md": "---\ntitle: Fit\n---\nA fit is how tight a hole and a shaft are.\n",
    "press.md": "---\ntitle: Press fit\nprerequisites:\n  - fit\ncontrasts: [slide]\n---\n"
    "A press fit is a fit whose shaft is larger than its hole.\n",
    "slide.md": "---\ntitle: Slide fit\n---\n"
    "A slide fit is a fit whose shaft is smaller than its hole.\n",
}


def test_an_expiry_is_cited_at_the_lines_that_say_so():
    answer = asked(GUIDES, "Is the Washing guide 2019 still valid?")

    assert cited(answer, "expired on 2023-12-31 and was replaced by") == [
        "valid_to: 2023-12-31",
        'supersedes: "[[old]]"',
        "valid_from: 2024-01-01",
    ]


def test_an_order_is_cited_at_the_prerequisites_of_the_note_that_has_them():
    answer = asked(FITS, "How do I learn Press fit?")

    assert cited(answer, "Start with Fit") == ["prerequisites:\n  - fit"]


def test_what_to_know_first_is_cited_at_the_prerequisites():
    notes = {
        "iron.md": "# Iron\n\nIron is a metal.\n",
        "steel.md": "---\nrequires: iron\n---\n# Steel\n\nSteel is a hard alloy.\n",
    }

    assert cited(asked(notes, "What is Steel?"), "know Iron first") == ["requires: iron"]


def test_a_contrast_is_cited_at_the_front_matter_that_draws_it():
    answer = asked(FITS, "Compare Press fit and Slide fit")

    assert cited(answer, "set Press fit and Slide fit in contrast") == ["contrasts: [slide]"]


def test_a_line_of_the_front_matter_is_never_an_answer():
    answer = asked(GUIDES, "What is supersedes?")

    assert "supersedes" not in answer.public.text.partition("Your notes")[0]


# What is left out is told ---------------------------------------------------------------


def test_what_comes_earlier_than_the_steps_named_is_counted():
    notes = {
        f"n{at}.md": f"---\ntitle: Node{at}\nrequires: [n{at - 1}]\n---\nNode{at} is a part.\n"
        for at in range(1, 11)
    }

    text = asked(notes, "How do I learn Node10?").public.text
    zh = asked(notes, "怎么学 Node10").public.text

    assert text.startswith("After 4 earlier steps, learn Node5, Node6")
    assert zh.startswith("在此之前还有 4 步，然后依次学 Node5、Node6")


def test_items_of_a_list_that_are_not_shown_are_named_as_omitted():
    items = "".join(f"- P{at} world\n" for at in range(1, 31))

    answer = asked(
        {"planets.md": f"# Planets\n\nThe planets are:\n\n{items}"}, "list the planets"
    )

    assert "30 in all" in answer.public.text
    pack = answer.pane.pack
    shown = [f for f in pack.fragments if f.list_length]
    assert len(pack.context.omitted) == 30 - len(shown)


# Scope ----------------------------------------------------------------------------------

RULES = {
    "in/old.md": "# Old rule\n\nThe old rule is a rule about shafts.\n",
    "out/new.md": "---\ntitle: Secret rule\nsupersedes: old\n---\n"
    "The secret rule is a rule about shafts.\n",
}


def test_a_replacement_out_of_scope_is_told_without_its_name():
    scope = ScopeRequest(path_prefixes=("in/",))

    answer = asked(RULES, "Is the old rule still valid?", scope=scope)

    assert answer.public.text == "Old rule has been replaced by a note outside this scope."
    assert "Secret" not in repr(answer.pane.pack)
    gates = {g["name"]: g["outcome"] for g in answer.run.plain["quality"]["gates"]}
    assert gates["scope_discipline"] == "holds"


# A note that does not hold ----------------------------------------------------------------

MANUALS = {
    "old.md": "---\ntitle: Pressing guide 2019\nvalid_to: 2023-12-31\n---\n"
    "Oil the shaft before pressing.\n\n## Steps\n\n1. Oil the shaft.\n2. Push it in.\n",
    "new.md": "---\ntitle: Pressing guide 2024\nvalid_from: 2024-01-01\n"
    "supersedes: old\n---\nCool the shaft before pressing.\n\n"
    "## Steps\n\n1. Cool the shaft.\n2. Drop it in.\n",
}


def test_the_replacement_of_a_stale_note_answers_alone():
    text = asked(MANUALS, "What should I do before pressing?").public.text

    assert text == "Cool the shaft before pressing."


def test_who_asks_for_a_stale_note_by_name_is_told_and_gets_the_new_steps():
    text = asked(MANUALS, "How do I use the Pressing guide 2019?").public.text

    assert "cool the shaft, drop it in" in text.lower()
    assert "Pressing guide 2019 expired on 2023-12-31" in text
    assert "Oil" not in text


def test_a_stale_note_asked_for_is_told_of_by_what_replaced_it():
    notes = {
        "old.md": "---\ntitle: Rule A\n---\nRule A is a rule about oil.\n",
        "new.md": "---\ntitle: Rule B\nsupersedes: old\n---\nRule B is a rule about water.\n",
    }

    text = asked(notes, "What is Rule A?").public.text

    assert text == "Rule B is a rule about water. Rule A has been replaced by Rule B."


# How to ----------------------------------------------------------------------------------

STEEL = {
    "heat.md": "# Heat treatment\n\nHeat treatment is a way of heating steel.\n\n"
    "## How to temper steel\n\n1. Heat it to 200 degrees.\n2. Hold it for an hour.\n"
    "3. Let it cool.\n4. Check how hard it is.\n",
    "steels.md": "# Steels\n\nSteels are alloys of iron. Steel is made of iron.\n",
}


def test_a_section_that_is_headed_by_the_question_gives_all_its_steps():
    text = asked(STEEL, "How to temper steel?").public.text

    assert text.startswith(
        "In order: heat it to 200 degrees, hold it for an hour, let it cool,"
    )


# Circles -----------------------------------------------------------------------------------

CIRCLE = {
    "one.md": "---\ntitle: First art\nrequires: two\n---\nThe first art is a subject.\n",
    "two.md": "---\ntitle: Second art\nrequires: one\n---\nThe second art is a subject.\n",
}


def test_a_learner_in_a_circle_is_told_and_the_gate_names_the_edge():
    answer = asked(CIRCLE, "How do I learn First art?")

    assert "The notes form a circle here: " in answer.public.text
    gates = {gate["name"]: gate for gate in answer.run.plain["quality"]["gates"]}
    assert "closes a circle" in gates["graph_prerequisite_order"]["because"]


def test_what_to_read_first_is_in_order_and_no_mere_mention():
    notes = {
        "a.md": "# Alpha\n\nAlpha is the start.\n",
        "b.md": "---\nrequires: a\n---\n# Beta\n\nBeta is next.\n",
        "c.md": "---\nrequires: b\n---\n# Gamma\n\nGamma is last.\n",
        "d.md": "# Delta\n\nDelta mentions [[c]].\n",
    }

    structured = respond(asked(notes, "How do I learn Gamma?"))["assistantBlocks"][0]

    assert structured["nextActionsMarkdown"] == "- Read first: [[a|Alpha]], [[b|Beta]]"


# Tables ------------------------------------------------------------------------------------

TABLE = {
    "steels.md": "# Steels\n\nSteels are alloys of iron.\n\n| Steel | Hardness | Use |\n"
    "|---|---|---|\n| C45 | 50 HRC | shafts |\n| 42CrMo4 | 55 HRC | gears |\n",
}


def test_a_row_is_told_under_its_headings_and_not_its_neighbour():
    answer = asked(TABLE, "42CrMo4 hardness")

    assert answer.public.text == "42CrMo4: Hardness 55 HRC."
    assert "42CrMo4 | 55 HRC | gears" in cited(answer, "55 HRC")[0]


# No answer ---------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["what is not welding", "什么不是焊接"])
def test_what_a_thing_is_not_is_not_answered_by_what_it_is(question):
    notes = {"weld.md": "# 焊接\n\n焊接是连接金属的方法。\n\nWelding is a way to join metal.\n"}

    assert not asked(notes, question).public.answered


def test_a_comment_of_code_is_no_sentence():
    notes = {"run.md": "# Runner\n\n// the runner starts the job\n\nThe runner stops late.\n"}

    assert "//" not in asked(notes, "When does the runner start the job?").public.text
