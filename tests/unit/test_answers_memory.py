"""What is kept of an ask for later: a few cards, and memories of one namespace."""

import pytest
from answer_samples import (
    ANSWER,
    CUP,
    MATERIAL,
    NOTES,
    PLASTIC,
    SILICA,
    nothing_found,
    packed,
    plan,
    quoted,
    root,
    support,
)

from witmark.answers.memory import MOST_RECALLED, recall, remember, review_cards

KEPT = [ANSWER, *(quoted(path, NOTES[path][1]) for path in (MATERIAL, SILICA, PLASTIC))]


def cards(kept=KEPT, language="en"):
    pack = packed(support=tuple(map(support, (MATERIAL, SILICA, PLASTIC))))
    return review_cards(plan(language=language), pack, kept, asked_on="2026-12-31")


def test_a_run_offers_at_most_three_cards_due_the_day_after():
    assert [card.question for card in cards()] == [
        "what is water glass?", "What is Glass material?", "What is Silica?",
    ]  # fmt: skip
    assert {card.due for card in cards()} == {"2027-01-01"}
    assert cards()[0].answer_atom_id == root(CUP)


def test_a_card_asks_in_the_language_of_the_question():
    assert cards(language="zh")[1].question == "什么是Glass material？"


@pytest.mark.clause("ANS-RUN-03")
def test_an_abstention_leaves_no_card_and_no_memory():
    assert cards([nothing_found()]) == ()
    assert remember((), plan(), [nothing_found()], namespace="me", asked_on="2026-01-01") == (
        (),
        None,
    )


@pytest.mark.clause("ANS-RUN-03")
def test_the_same_answer_is_remembered_once():
    first, stored = remember((), plan(), [ANSWER], namespace="me", asked_on="2026-01-01")
    second, known = remember(first, plan(), [ANSWER], namespace="me", asked_on="2026-02-01")

    assert second == first
    assert (stored.status, known.status) == ("stored", "already_known")


def test_memories_of_another_namespace_stay_there():
    mine, _ = remember((), plan(), [ANSWER], namespace="me", asked_on="2026-01-01")

    found, actions = recall(mine, plan(), packed(), namespace="me")
    others, none = recall(mine, plan(), packed(), namespace="you")

    assert found == mine
    assert [(a.kind, a.status, a.layer, a.namespace) for a in actions] == [
        ("recall", "recalled", "session", "me")
    ]
    assert (others, none) == ((), ())


def test_a_memory_comes_back_for_its_atom_or_for_a_word_and_not_otherwise():
    mine, _ = remember((), plan(), [ANSWER], namespace="me", asked_on="2026-01-01")
    by_word, _ = recall(mine, plan("glass?"), packed(shown=()), namespace="me")
    by_atom, _ = recall(mine, plan("cup?"), packed(), namespace="me")
    by_nothing, _ = recall(mine, plan("bonds?"), packed(shown=()), namespace="me")

    assert by_word == by_atom == mine
    assert by_nothing == ()


def test_only_a_few_memories_come_back_the_closest_first():
    known = ()
    for question in ("glass one", "glass two", "glass three", "water glass four"):
        known, _ = remember(
            known, plan(question), [ANSWER], namespace="me", asked_on="2026-01-01"
        )

    found, _ = recall(known, plan("water glass"), packed(shown=()), namespace="me")

    assert len(found) == MOST_RECALLED
    assert found[0].question == "water glass four"
