"""Which of the notes that were found the question is about, and why."""

from retrieval_samples import asked

from witmark.answers.anchors import choose_anchor
from witmark.answers.asking import Intent
from witmark.answers.candidates import Candidate
from witmark.answers.pack import AnchorReason, Validity
from witmark.testing.noting import note as record

HOLDS, STALE = (
    Validity(True, "2024-01-01", (), ()),
    Validity(False, "2024-01-01", ("expired",), ()),
)


def found(path, score=0.5, validity=HOLDS):
    document = record(path, ": a note").document
    return Candidate(document.id, (1,), document.atoms, 1, score, (), validity)


def chosen(plan, *candidates, **more):
    candidate, reason = choose_anchor(plan, candidates, **more)
    return candidate.document_id, reason


def test_nothing_found_means_no_anchor():
    assert choose_anchor(asked("anything"), []) is None


def test_a_note_that_the_question_names_wins_over_a_slightly_better_score():
    plan = asked("what is a cup", {"cup": "cup.md"})

    assert chosen(plan, found("tea.md", 0.6), found("cup.md", 0.5)) == (
        "cup.md",
        AnchorReason.TITLE_MENTION,
    )


def test_a_title_in_the_words_of_the_question_is_a_reason():
    plan = asked("water glass cleaning")

    assert chosen(plan, found("glass water.md"), found("z.md")) == (
        "glass water.md",
        AnchorReason.TITLE_OVERLAP,
    )


def test_without_a_name_the_score_decides_and_says_so():
    assert chosen(asked("why so"), found("a.md", 0.3), found("b.md", 0.4)) == (
        "b.md",
        AnchorReason.RETRIEVAL_SCORE,
    )


def test_a_note_that_does_not_hold_stands_back():
    assert chosen(asked("why so"), found("a.md", 0.5, STALE), found("b.md", 0.4)) == (
        "b.md",
        AnchorReason.RETRIEVAL_SCORE_WITH_TEMPORAL_PENALTY,
    )


def test_whether_something_still_holds_is_asked_about_it_even_if_it_does_not():
    plan = asked("is it so", intent=Intent.STILL_VALID)

    assert chosen(plan, found("a.md", 0.5, STALE), found("b.md", 0.4))[0] == "a.md"


def test_of_two_things_compared_the_first_named_is_the_anchor():
    names = {"cup": "cup.md", "mug": "mug.md"}
    plan = asked("compare cup and mug", names, intent=Intent.COMPARE)

    assert chosen(plan, found("mug.md", 1.9), found("cup.md", 1.2))[0] == "cup.md"


def test_relations_break_a_tie_and_ids_the_next():
    plan = asked("why so")

    assert chosen(plan, found("a.md"), found("b.md"), degrees={"b.md": 3})[0] == "b.md"
    assert chosen(plan, found("b.md"), found("a.md"))[0] == "a.md"
