"""The release review: every check lets a good draft pass and stops a bad one."""

from dataclasses import replace

import pytest
from answer_samples import (
    ANSWER,
    CUP,
    MATERIAL,
    NEW,
    NOTES,
    OLD,
    PLASTIC,
    SILICA,
    built,
    comparing,
    cut,
    dated,
    draft,
    fragment,
    learning,
    nothing_found,
    packed,
    plan,
    quoted,
    related,
    root,
    support,
    told,
    upstream,
)

from witmark.answers.answer import ReleaseDecision, SentenceKind
from witmark.answers.asking import Intent
from witmark.answers.edges import RelationKind
from witmark.answers.pack import Comparison, FragmentRole
from witmark.answers.release import CHECKS, cite, public_answer, released, review
from witmark.kernel.context import ContextPack
from witmark.kernel.gate import Outcome

LEARN = plan("how do I learn water glass?", Intent.LEARN)
FAUST = plan("who wrote Faust?", subjects=())
COMPARE = plan("compare water glass and plastic cup", Intent.COMPARE, (CUP, PLASTIC))
VALID = plan("is the washing guide 2019 still valid?", Intent.STILL_VALID, (OLD,))

ORDERED = built("Start with Silica, then Glass material.", SILICA, MATERIAL)
CONTRASTED = built("The notes set Water glass and Plastic cup in contrast.", CUP, PLASTIC)
REPLACED = built(
    "Washing guide 2019 expired on 2024-12-31 and was replaced by Washing guide 2025.",
    OLD, NEW, kind=SentenceKind.TEMPORAL,
)  # fmt: skip


def objections(plan_, pack, draft_):
    """The checks that object, by name."""
    return {check.name for check in review(plan_, pack, draft_).report.objections}


def notes(**bodies):
    """The sample notes with other words in them."""
    paths = {"cup": CUP, "material": MATERIAL, "silica": SILICA, "plastic": PLASTIC}
    return {
        **NOTES,
        **{paths[key]: (NOTES[paths[key]][0], body) for key, body in bodies.items()},
    }


def said(text):
    """A model's sentence about the cup, alone in its draft."""
    return plan(), packed(), (told(text, CUP),)


BUILDS_ON = built("To follow Water glass, know Glass material first.", MATERIAL)
BACKWARDS = built("Start with Glass material, then Silica.", SILICA, MATERIAL)
ASIDE = (fragment(CUP), fragment(SILICA, FragmentRole.BACKGROUND))


# The good ones -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "pack", "sentences"),
    [
        (plan(), packed(), (ANSWER,)),
        (plan(), learning(), (ANSWER, BUILDS_ON)),
        (LEARN, learning(), (ORDERED, ANSWER)),
        (COMPARE, comparing(), (ANSWER, quoted(PLASTIC, NOTES[PLASTIC][1]), CONTRASTED)),
        (VALID, dated(), (REPLACED, quoted(OLD, NOTES[OLD][1]))),
        said("A water glass takes 250 ml."),
    ],
    ids=["what", "what with a prerequisite", "learn", "compare", "still valid", "model"],
)  # fmt: skip
def test_a_good_draft_is_released_whole(asked, pack, sentences):
    outcome = review(asked, pack, draft(*sentences))

    assert outcome.report.objections == ()
    assert outcome.decision is ReleaseDecision.RELEASE


def test_a_chinese_draft_of_every_kind_is_released():
    zh = {
        **NOTES,
        CUP: ("水杯", "水杯是用来盛水的透明容器，多由钠钙玻璃制成。"),
        MATERIAL: ("玻璃材料", "玻璃是一种非晶态固体。"),
    }
    before = replace(upstream(MATERIAL, CUP), title="玻璃材料")
    pack = packed(Intent.WHAT, notes=zh, shown=(CUP, MATERIAL), predecessors=(before,))
    direct = quoted(CUP, zh[CUP][1], notes=zh)
    graph = built("水杯以玻璃材料为基础。", MATERIAL, notes=zh)
    asked = plan("什么是水杯？", language="zh")

    assert review(asked, pack, draft(direct, graph)).report.objections == ()


# Every check, stopped by what it is for ------------------------------------------------


BAD = {
    "evidence_sufficiency": (
        plan(), packed(shown=(CUP, SILICA)), (quoted(SILICA, NOTES[SILICA][1]),)),
    "graph_sufficiency": (LEARN, packed(Intent.LEARN), (replace(ORDERED, cuts=ANSWER.cuts),)),
    "comparison_consistency": said("A water glass is nicer than water."),
    "attribute_consistency": said("A water glass holds 350 ml of water."),
    "containment_consistency": (
        plan(), packed(), (told("A water glass contains boiling water.", CUP),)),
    "composition_consistency": said("A water glass is made of water."),
    "purpose_consistency": said("A water glass is used for water."),
    "dependency_consistency": said("A water glass needs water."),
    "location_consistency": said("A water glass is stored in water."),
    "subject_consistency": (
        plan(),
        packed(shown=(CUP, SILICA), fragments=ASIDE),
        (ANSWER, quoted(SILICA, NOTES[SILICA][1]))),
    "state_consistency": said("A water glass no longer holds water."),
    "polarity_consistency": said("A water glass does stand boiling water."),
    "causal_consistency": said("Boiling water causes a water glass."),
    "order_consistency": (
        LEARN, learning(), (BACKWARDS,)),
    "comparison_graph_consistency": (
        COMPARE, comparing(successors=(upstream(SILICA, NEW),)),
        (CONTRASTED, built("Water glass and Plastic cup go with Silica.", CUP, PLASTIC))),
    "temporal_consistency": (VALID, dated(), (quoted(OLD, NOTES[OLD][1]),)),
    "grounding_consistency": (
        plan(), packed(), (replace(ANSWER, text="A water glass holds plenty of water."),)),
    "intent_alignment": (COMPARE, comparing(), (ANSWER,)),
    "rag_completeness": (plan(), packed(context=ContextPack((), ())), (ANSWER,)),
    "rag_citation": (plan(), packed(), (replace(ANSWER, cuts=()),)),
    "rag_coverage": (
        FAUST, packed(anchor=None), (ANSWER,)),
    "surface_contraction": (plan(), packed(), (replace(ANSWER, text=f"{ANSWER.text} [1]"),)),
    "internal_diagnostic_leakage": (
        plan(), packed(), (told("Water glass: query_no_title_or_alias_hit.", CUP),)),
    "abstention_hygiene": (plan(), packed(), (ANSWER, nothing_found())),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
@pytest.mark.clause("ANS-GATE-03")
def test_every_check_can_fail(name):
    assert name in objections(*BAD[name][:2], draft(*BAD[name][2]))


def test_no_check_goes_without_a_case_that_fails_it():
    assert set(CHECKS) - set(BAD) == {"structured_consistency"}  # it has a test of its own
    assert len(CHECKS) == 25


def test_a_value_of_a_table_needs_the_label_of_its_row():
    table = notes(cup="| Water glass | 250 ml | round |")
    pack = packed(notes=table)
    whole = "A Water glass holds 250 ml."

    labelled = objections(plan(), pack, draft(told(whole, CUP, notes=table)))
    bare = objections(
        plan(), pack, draft(told("It holds 250 ml and is round.", CUP, notes=table))
    )

    assert "structured_consistency" not in labelled
    assert "structured_consistency" in bare


# Directions, denials, units ------------------------------------------------------------


@pytest.mark.parametrize(
    ("evidence", "said", "right"),
    [
        ("Silica causes Glass material to glow.", "Silica causes Glass material.", True),
        ("Silica causes Glass material to glow.", "Glass material causes Silica.", False),
        ("Silica causes Glass material to glow.", "Glass material is caused by Silica.", True),
        ("Glass material requires Silica.", "Glass material depends on Silica.", True),
        ("Glass material requires Silica.", "Silica depends on Glass material.", False),
        ("Heat Silica, then Glass material.", "Heat Silica before Glass material.", True),
        ("Heat Silica, then Glass material.", "Heat Glass material before Silica.", False),
        ("Glass material contains Silica.", "Silica is part of Glass material.", True),
    ],
)
def test_a_direction_is_kept_whatever_the_words(evidence, said, right):
    own = notes(material=evidence)
    pack = packed(anchor=MATERIAL, shown=(MATERIAL,), notes=own, support=(support(SILICA),))
    asked = plan("what is glass material?", subjects=(MATERIAL,))

    found = objections(asked, pack, draft(told(said, MATERIAL, notes=own)))

    assert (found == set()) is right


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("A water glass holds 250 ml.", None),
        ("A water glass holds 250 g.", "attribute_consistency"),
        ("A water glass holds 25 ml.", "attribute_consistency"),
        ("A water glass does not hold 250 ml.", "polarity_consistency"),
        ("A water glass does not stand boiling water.", None),
        ("Fuchs made the water glass hold 250 ml.", None),
        ("The water glass of Fuchs holds 250 ml.", "grounding_consistency"),
        ("Glasses delight everybody who owns several.", "grounding_consistency"),
        ("The water glass holds 250 ml since 2020-01-01.", "temporal_consistency"),
    ],
)
def test_a_model_shares_numbers_units_denials_and_names_with_what_it_cites(said, fault):
    found = objections(plan(), packed(), draft(told(said, CUP)))

    assert fault in found if fault else found == set()


def test_what_the_note_denies_cannot_be_cut_out_as_a_statement():
    own = notes(cup="It is not true that water glass melts.")
    sentence = replace(quoted(CUP, "water glass melts", notes=own), text="water glass melts.")

    assert "polarity_consistency" in objections(plan(), packed(notes=own), draft(sentence))


def test_an_order_may_not_be_denied_when_the_pack_knows_one():
    claim = built("The notes name nothing to learn before Water glass.", CUP)

    assert "polarity_consistency" in objections(LEARN, learning(), draft(claim))
    assert objections(LEARN, packed(Intent.LEARN), draft(claim)) == set()


@pytest.mark.clause("ANS-PUB-05")
def test_a_stale_note_may_not_be_said_to_hold():
    claim = built("Washing guide 2019 is still valid.", OLD, kind=SentenceKind.TEMPORAL)

    assert "state_consistency" in objections(VALID, dated(), draft(claim))


def test_what_replaces_a_stale_note_may_be_said_to_hold():
    claim = built(
        "Washing guide 2025 has been valid since 2019-01-01.", NEW, kind=SentenceKind.TEMPORAL
    )

    assert objections(VALID, dated(), draft(claim, REPLACED)) == set()


@pytest.mark.parametrize(
    "turned",
    [
        "Washing guide 2025 expired on 2024-12-31 and was replaced by Washing guide 2019.",
        "Washing guide 2025 expired on 2024-12-31.",
        "Washing guide 2025 has been replaced by Washing guide 2019.",
        "Washing guide 2019 replaces Washing guide 2025.",
        "Washing guide 2025 已于 2024-12-31 失效，由 Washing guide 2019 取代。",
        "Washing guide 2019 取代了 Washing guide 2025。",
    ],
)
def test_old_and_new_are_not_told_the_other_way_round(turned):
    claim = built(turned, OLD, NEW, kind=SentenceKind.TEMPORAL)

    assert "temporal_consistency" in objections(VALID, dated(), draft(claim))


@pytest.mark.parametrize(
    "turned",
    [
        "To follow Glass material, know Water glass first.",
        "Glass material 以 Water glass 为基础。",
    ],
)
def test_a_foundation_is_not_told_the_other_way_round(turned):
    claim = built(turned, CUP, MATERIAL)

    assert "dependency_consistency" in objections(plan(), learning(), draft(ANSWER, claim))


def test_a_word_inside_a_name_claims_nothing():
    own = {**NOTES, SILICA: ("First Aid", "Aid is given at once.")}
    pack = packed(anchor=SILICA, shown=(SILICA,), notes=own)
    asked = replace(plan("what is first aid?", subjects=()), subjects=())

    assert (
        objections(asked, pack, draft(told("First Aid is given at once.", SILICA, notes=own)))
        == set()
    )


def test_of_two_notes_of_one_title_the_stale_one_may_be_warned_about():
    """A name cannot tell them apart, so it may mean either."""
    twin = support(NEW)
    named = replace(twin, atom=replace(twin.atom, document_title=NOTES[OLD][0]))
    claim = built("Washing guide 2019 expired on 2024-12-31.", OLD, kind=SentenceKind.TEMPORAL)

    assert objections(VALID, dated(support=(named,)), draft(claim)) == set()


def test_a_common_ancestor_must_be_one():
    shared = comparing(
        comparison=Comparison((root(CUP), root(PLASTIC)), ((root(SILICA), "Silica"),), (), ()),
        successors=(upstream(CUP, MATERIAL),),
    )
    right = built("Both Water glass and Plastic cup go back to Silica.", CUP, PLASTIC)
    wrong = built("Both Water glass and Plastic cup go back to Glass material.", CUP, PLASTIC)

    assert objections(COMPARE, shared, draft(right)) == set()
    assert "comparison_graph_consistency" in objections(COMPARE, shared, draft(wrong))


def test_a_cut_that_is_not_where_the_sentence_stands_is_no_grounding():
    elsewhere = (cut(CUP, "It does not stand boiling water."),)

    found = objections(plan(), packed(), draft(replace(ANSWER, cuts=elsewhere)))

    assert "grounding_consistency" in found


@pytest.mark.clause("ANS-PUB-03")
def test_a_cut_whose_words_are_not_those_of_its_place_is_no_citation():
    honest = ANSWER.cuts[0]
    moved = replace(
        honest.span,
        span=replace(honest.span.span, start=2, end=2 + len(honest.span.span.quote)),
    )

    found = objections(
        plan(), packed(), draft(replace(ANSWER, cuts=(replace(honest, span=moved),)))
    )

    assert "rag_citation" in found  # fmt: skip


def test_a_built_sentence_says_only_our_phrases_and_what_the_pack_holds():
    strange = built("Start with Silica, then marry Glass material.", SILICA, MATERIAL)
    zh = built("先学 Silica，再吃 Glass material。", SILICA, MATERIAL)
    items = built("In order: an amorphous solid, (2) the oxide of silicon.", SILICA, MATERIAL)

    assert "grounding_consistency" in objections(LEARN, learning(), draft(strange))
    assert "grounding_consistency" in objections(LEARN, learning(), draft(zh))
    assert "grounding_consistency" not in objections(LEARN, learning(), draft(items))


# Surface and leaks -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "A water glass holds 250 ml of water", "- A water glass holds 250 ml of water.",
        "A **water glass** holds 250 ml of water.", "A [[water glass]] holds 250 ml of water.",
        "A water glass\nholds 250 ml of water.", "A water glass holds 250 ml of water.[^2]",
        "| A water glass | 250 ml of water.", "## A water glass holds 250 ml of water.", "",
    ],
)  # fmt: skip
def test_what_does_not_read_like_a_sentence_is_taken_out(text):
    assert "surface_contraction" in objections(
        plan(), packed(), draft(replace(ANSWER, text=text))
    )


@pytest.mark.parametrize(
    "leak",
    [
        "matchedAtomCount", "titleLikeQueries", "workspaceReadiness", "planner_scope_recovery",
        "retrieval_candidates_below_threshold", "glass/water glass.md", "notes.md",
        "glass/water glass.md#use", "edge:0123456789abcdef", "sha256:00", "confidence 0.71",
        "score: 3", "置信度：0.7", "#char=3,9", "graph_neighbor_support",
    ],
)  # fmt: skip
@pytest.mark.clause("ANS-PUB-02")
def test_nothing_of_ours_reaches_the_reader(leak):
    said = told(f"A water glass holds water ({leak}).", CUP)

    assert "internal_diagnostic_leakage" in objections(plan(), packed(), draft(said))


def test_a_note_about_such_things_may_be_quoted():
    own = notes(cup="The water glass field matchedAtomCount is described in api.md.")
    sentence = quoted(CUP, own[CUP][1], notes=own)

    assert objections(plan(), packed(notes=own), draft(sentence)) == set()


# Decisions ---------------------------------------------------------------------------


@pytest.mark.clause("ANS-GATE-03")
def test_a_bad_sentence_is_taken_out_and_the_rest_is_released():
    bad = told("A water glass holds 350 ml of water.", CUP)

    outcome = review(plan(), packed(), draft(ANSWER, bad))

    assert outcome.decision is ReleaseDecision.REVISE
    assert outcome.removed == (bad,)
    assert released(outcome, draft(ANSWER, bad)) == draft(ANSWER)


def test_a_draft_with_nothing_left_is_withheld():
    bad = told("A water glass holds 350 ml of water.", CUP)

    outcome = review(plan(), packed(), draft(bad))

    assert outcome.decision is ReleaseDecision.ABSTAIN
    assert outcome.removed == (bad,)


def test_taking_out_the_warning_takes_out_what_it_warned_about():
    """The stale sentence leant on the warning; alone it would be served as current."""
    wrong_day = replace(REPLACED, text="Washing guide 2019 expired on 2023-01-01.")
    stale = quoted(OLD, NOTES[OLD][1])

    outcome = review(VALID, dated(), draft(wrong_day, stale))

    assert outcome.decision is ReleaseDecision.ABSTAIN


@pytest.mark.clause("ANS-PUB-01")
def test_the_fourth_sentence_and_the_third_graph_statement_go():
    graph = [
        built("To follow Water glass, know Glass material first.", MATERIAL),
        built("To follow Glass material, know Silica first.", SILICA),
        built("Start with Silica, then Glass material.", SILICA, MATERIAL),
    ]
    asked = plan(intent=Intent.WHAT)

    three = review(asked, learning(intent=Intent.WHAT), draft(ANSWER, *graph))
    two = review(asked, learning(intent=Intent.WHAT), draft(*graph))

    assert three.removed == (graph[2],)
    assert three.decision is ReleaseDecision.REVISE
    assert two.decision is ReleaseDecision.ABSTAIN  # nothing of what is left answers "what"


def test_an_honest_abstention_stays_an_abstention():
    outcome = review(
        FAUST,
        packed(anchor=None, shown=()),
        draft(nothing_found()),
    )

    assert outcome.decision is ReleaseDecision.ABSTAIN
    assert outcome.removed == ()
    assert outcome.report.admits


def test_an_empty_draft_is_withheld_and_says_why():
    outcome = review(plan(), packed(), draft())

    assert outcome.decision is ReleaseDecision.ABSTAIN
    assert [c.name for c in outcome.report.checks if c.outcome is Outcome.FAILS] == [
        "abstention_hygiene"
    ]


# Publication -------------------------------------------------------------------------


def published(draft_, plan_=None, pack=None, language="en"):
    outcome = review(plan_ or plan(), pack or packed(), draft_)
    citations = cite(
        outcome, draft_, titles={root(CUP): "Water glass"}, scores={root(CUP): 0.5}
    )
    return public_answer(outcome, draft_, citations, language=language), citations


@pytest.mark.clause("ANS-PUB-02")
@pytest.mark.clause("ANS-PUB-07")
def test_the_text_is_the_sentences_and_the_marks_stand_beside_it():
    second = quoted(CUP, "It does not stand boiling water.")
    answer, citations = published(draft(ANSWER, second))

    assert answer.text == NOTES[CUP][1]
    assert [sentence.citation_ids for sentence in answer.sentences] == [("c1",), ("c2",)]
    assert [citation.snippet for citation in citations] == [ANSWER.text, second.text]
    assert citations[0].title == "Water glass"
    assert citations[0].score == 0.5


def test_a_place_cited_twice_is_one_citation():
    again = replace(ANSWER, kind=SentenceKind.RATIONALE, text="It holds 250 ml of water.")
    answer, citations = published(draft(ANSWER, replace(again, basis=told("x", CUP).basis)))

    assert [citation.citation_id for citation in citations] == ["c1"]
    assert [sentence.citation_ids for sentence in answer.sentences] == [("c1",), ("c1",)]


def test_a_long_citation_is_cut_short_and_its_offsets_with_it():
    long = "A water glass holds water; " + "it is clear, round and thin, " * 12 + "and so on."
    own = notes(cup=long)
    whole = quoted(CUP, long, notes=own)
    outcome = review(plan(), packed(notes=own), draft(whole))
    (citation,) = cite(outcome, draft(whole), titles={}, scores={})

    assert len(citation.snippet) == 280
    assert citation.span.span.end - citation.span.span.start == 280
    assert citation.snippet == long[:280]
    assert citation.ref.at == citation.span.span.range
    assert citation.title == "water glass"


def test_a_withheld_draft_leaves_no_word_of_itself():
    answer, citations = published(draft(told("Fine: matchedAtomCount.", CUP)), language="zh")

    assert answer.text == "你的笔记里没有这个问题的答案。"
    assert not answer.answered
    assert citations == ()


def test_chinese_sentences_are_joined_without_a_blank():
    own = notes(cup="水杯盛水。它是透明的。")
    one, two = quoted(CUP, "水杯盛水。", notes=own), quoted(CUP, "它是透明的。", notes=own)
    answer, _ = published(draft(one, two), pack=packed(notes=own))

    assert answer.text == "水杯盛水。它是透明的。"


def test_the_same_draft_is_reviewed_alike():
    sentences = draft(ANSWER, CONTRASTED, REPLACED)

    assert review(COMPARE, comparing(), sentences) == review(COMPARE, comparing(), sentences)


def test_a_relation_the_pack_does_not_hold_is_not_stated():
    only = (related(CUP, PLASTIC, RelationKind.REFERENCE),)
    alone = Comparison(comparing().comparison.sides, (), (RelationKind.REFERENCE,), ())
    loose = comparing(relations=only, comparison=alone)

    assert "comparison_consistency" in objections(COMPARE, loose, draft(ANSWER, CONTRASTED))
