"""Each of the nine quality gates holds for a good run, and fails for a reason."""

from dataclasses import replace

import pytest
from answer_samples import (
    ANSWER,
    CUP,
    MATERIAL,
    NEW,
    OLD,
    PLASTIC,
    SILICA,
    anchor_node,
    built,
    comparing,
    cut,
    dated,
    draft,
    in_order,
    learning,
    nothing_found,
    packed,
    path_of,
    plan,
    related,
    root,
    scope,
    support,
    upstream,
)

from witmark.answers.answer import DraftSentence, SentenceKind
from witmark.answers.asking import (
    Intent,
    MissReason,
    ScopeRecovery,
    ScopeRequest,
)
from witmark.answers.edges import RelationKind
from witmark.answers.evidence_claims import ClaimStatus, claims_of
from witmark.answers.gates import (
    QualityStatus,
    evidence_coverage,
    memory_governance,
    quality,
    recall_transfer,
    scope_discipline,
)
from witmark.answers.graph_gates import (
    graph_budget,
    graph_comparison_branch,
    graph_op_fallback,
    graph_prerequisite_order,
    graph_temporal_warning,
)
from witmark.answers.memory import MemoryAction, review_cards
from witmark.answers.pack import Comparison
from witmark.kernel.evidence import Basis
from witmark.kernel.gate import Outcome

LEARN = plan("how do I learn water glass?", Intent.LEARN)
COMPARE = plan("compare water glass and plastic cup", Intent.COMPARE, (CUP, PLASTIC))


def holds(check):
    return check.outcome is Outcome.HOLDS


def cards():
    return review_cards(plan(), packed(), [ANSWER], asked_on="2026-06-17")


@pytest.mark.clause("ANS-GATE-01")
def test_a_good_run_passes_all_nine_gates_in_the_contracts_order():
    found = quality(plan(), scope(), packed(), draft(ANSWER), cards=cards(), actions=())

    assert found.status is QualityStatus.PASS
    assert found.score == 1.0
    assert [check.name for check in found.report.checks] == [
        "evidence_coverage", "scope_discipline", "recall_transfer", "memory_governance",
        "graph_prerequisite_order", "graph_comparison_branch", "graph_temporal_warning",
        "graph_op_fallback", "graph_budget",
    ]  # fmt: skip


def test_a_missing_review_card_asks_for_caution_and_costs_a_ninth():
    found = quality(plan(), scope(), packed(), draft(ANSWER), cards=(), actions=())

    assert found.status is QualityStatus.CAUTION
    assert found.score == round(8 / 9, 6)


def test_a_run_that_leaves_its_scope_fails():
    elsewhere = scope(ScopeRequest(corpora=("finance",)))

    found = quality(plan(), elsewhere, packed(), draft(ANSWER), cards=cards(), actions=())

    assert found.status is QualityStatus.FAIL


# Claims ------------------------------------------------------------------------------


def test_a_claim_with_path_snippet_and_line_is_verified():
    (claim,) = claims_of(draft(ANSWER), packed())

    assert claim.status is ClaimStatus.VERIFIED
    assert (claim.source_path, claim.line) == (CUP, 3)
    assert claim.snippet == "A water glass holds 250 ml of water."


def test_a_claim_whose_place_reads_otherwise_is_only_weak():
    strayed = replace(cut(CUP, "A water glass holds"), fragment_ref=cut(PLASTIC, "A").ref)
    (claim,) = claims_of(draft(replace(ANSWER, cuts=(strayed,))), packed())

    assert claim.status is ClaimStatus.WEAK
    assert claim.line == 0


def test_a_claim_from_a_note_that_was_not_shown_is_not_proven():
    (claim,) = claims_of(draft(replace(ANSWER, cuts=(cut(SILICA, "Silica"),))), packed())

    assert claim.status is ClaimStatus.NOT_PROVEN


def test_a_claim_without_a_cut_is_not_proven():
    (claim,) = claims_of(draft(replace(ANSWER, cuts=())), packed())

    assert claim.status is ClaimStatus.NOT_PROVEN


def test_with_nothing_retrieved_every_claim_is_rejected():
    (claim,) = claims_of(draft(ANSWER), packed(shown=()))

    assert claim.status is ClaimStatus.REJECTED


def test_coverage_fails_below_four_claims_in_five():
    bare = replace(ANSWER, cuts=())
    three_of_four = draft(ANSWER, ANSWER, ANSWER, bare)
    four_of_five = draft(ANSWER, ANSWER, ANSWER, ANSWER, bare)

    assert not holds(evidence_coverage(claims_of(three_of_four, packed())))
    assert holds(evidence_coverage(claims_of(four_of_five, packed())))


def test_an_abstention_covers_nothing():
    assert not holds(evidence_coverage(claims_of(draft(nothing_found()), packed())))


# Scope, cards, memory ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "inside"),
    [
        (ScopeRequest(), True),
        (ScopeRequest(corpora=("glass",)), True),
        (ScopeRequest(corpora=("finance",)), False),
        (ScopeRequest(path_prefixes=("glass/water glass.md",)), True),
        (ScopeRequest(path_prefixes=("glass/",)), True),
        (ScopeRequest(path_prefixes=("gla",)), False),
        (ScopeRequest(document_ids=(CUP,)), True),
        (ScopeRequest(document_ids=(SILICA,)), False),
        (ScopeRequest(atom_ids=(root(CUP),)), True),
        (ScopeRequest(atom_ids=(root(CUP) + "use",)), False),
        (ScopeRequest(languages=("en",)), True),
        (ScopeRequest(languages=("zh",)), False),
    ],
)
def test_a_pack_keeps_to_each_kind_of_scope(request_, inside):
    assert holds(scope_discipline(scope(request_), packed())) is inside


def test_an_expansion_beyond_the_scope_is_seen():
    pack = packed(successors=(upstream(CUP, "glass/silica.md"),))
    pack = replace(pack, successors=(replace(pack.successors[0], document_id="finance/x.md"),))

    check = scope_discipline(scope(ScopeRequest(corpora=("glass",))), pack)

    assert not holds(check)
    assert "finance/x.md" in check.because


def test_a_recovered_note_lies_in_the_recovered_scope_and_no_other_does():
    recovery = ScopeRecovery(
        MissReason.QUERY_NO_TITLE_OR_ALIAS_HIT,
        ScopeRequest(corpora=("finance",)),
        (CUP,),
        (CUP,),
    )
    resolved = scope(ScopeRequest(corpora=("finance",)), recovery=recovery)

    assert holds(scope_discipline(resolved, packed()))
    assert not holds(scope_discipline(resolved, packed(shown=(CUP, SILICA))))


def test_recall_needs_one_to_three_cards():
    (card,) = cards()

    assert not holds(recall_transfer(()))
    assert holds(recall_transfer((card,)))
    assert not holds(recall_transfer((card,) * 4))


@pytest.mark.parametrize("field", ["kind", "status", "layer", "namespace"])
def test_a_memory_action_without_a_field_is_not_governed(field):
    whole = MemoryAction("remember", "stored", "session", "me", "memory:1")

    assert holds(memory_governance((whole,)))
    assert field in memory_governance((whole, replace(whole, **{field: ""}))).because


# Order -------------------------------------------------------------------------------


def test_an_order_that_follows_its_edges_holds():
    sentence = built("Start with Silica, then Glass material.", SILICA, MATERIAL)

    assert holds(graph_prerequisite_order(LEARN, learning(), draft(sentence)))


@pytest.mark.clause("ANS-GATE-02")
def test_upstream_nodes_in_the_wrong_order_fail_although_they_exist():
    wrong = (*in_order(MATERIAL, CUP)[:1], upstream(SILICA, MATERIAL, CUP), anchor_node())

    check = graph_prerequisite_order(LEARN, learning(learning_order=wrong), draft(ANSWER))

    assert not holds(check)
    assert "against its edge" in check.because


def test_upstream_nodes_that_nobody_put_in_order_fail_for_a_learner():
    check = graph_prerequisite_order(LEARN, learning(learning_order=()), draft(ANSWER))

    assert check.because == "prerequisites are known, but not put in order"


def test_a_draft_that_names_the_steps_backwards_fails():
    sentence = built("Start with Glass material, then Silica.", SILICA, MATERIAL)

    assert not holds(graph_prerequisite_order(LEARN, learning(), draft(sentence)))


def test_an_order_that_does_not_end_at_the_anchor_fails():
    order = learning().learning_order[:-1]

    assert not holds(graph_prerequisite_order(LEARN, learning(learning_order=order), draft()))


def test_a_path_that_is_no_chain_of_its_edges_fails():
    whole = path_of(SILICA, MATERIAL, CUP)
    turned = replace(whole, edges=whole.edges[::-1])

    assert not holds(graph_prerequisite_order(LEARN, learning(paths=(turned,)), draft()))


def test_a_window_node_that_leads_elsewhere_fails():
    stray = (upstream(SILICA, MATERIAL),)

    check = graph_prerequisite_order(LEARN, learning(predecessors=stray), draft())

    assert "upstream of nothing shown" in check.because


def test_an_edge_that_closes_a_cycle_orders_nothing():
    back = path_of(CUP, SILICA)
    pack = learning(paths=(back,))
    marked = replace(pack.diagnostics, order_broken_by=(back.edges[0].edge_id,))

    assert not holds(graph_prerequisite_order(LEARN, pack, draft()))
    assert holds(graph_prerequisite_order(LEARN, replace(pack, diagnostics=marked), draft()))


def test_a_learner_whose_graph_knows_nothing_upstream_cannot_be_judged():
    check = graph_prerequisite_order(LEARN, packed(Intent.LEARN), draft(ANSWER))

    assert check.outcome is Outcome.UNDETERMINED


def test_an_explanation_is_judged_only_where_a_prerequisite_is_known():
    stray = packed(predecessors=(upstream(SILICA, MATERIAL),))
    broken = graph_prerequisite_order(plan(), stray, draft())

    assert holds(graph_prerequisite_order(plan(), packed(), draft()))
    assert not holds(broken)


# Comparison, time, fallback, budget ----------------------------------------------------


def test_sides_joined_by_a_contrast_are_compared():
    assert holds(graph_comparison_branch(COMPARE, comparing()))


def test_a_reference_between_the_sides_is_no_branch():
    only = (related(CUP, PLASTIC, RelationKind.REFERENCE),)
    aside = ((root(CUP), root(SILICA), "Silica", RelationKind.REFERENCE),
             (root(PLASTIC), root(SILICA), "Silica", RelationKind.REFERENCE))  # fmt: skip
    sides = comparing().comparison.sides

    check = graph_comparison_branch(
        COMPARE, comparing(relations=only, comparison=Comparison(sides, (), (), aside))
    )

    assert check.because == "0 branches beyond references"


def test_two_branches_of_their_own_are_compared_and_one_is_not():
    sides = comparing().comparison.sides
    one = (root(CUP), root(MATERIAL), "Glass material", RelationKind.APPLICATION)
    other = (root(PLASTIC), root(SILICA), "Silica", RelationKind.CAUSAL)
    lone = comparing(relations=(), comparison=Comparison(sides, (), (), (one,)))
    both = comparing(relations=(), comparison=Comparison(sides, (), (), (one, other)))

    assert not holds(graph_comparison_branch(COMPARE, lone))
    assert holds(graph_comparison_branch(COMPARE, both))


def test_a_contrast_with_a_third_note_does_not_compare_the_sides():
    third = (related(CUP, SILICA, RelationKind.CONTRAST),)
    alone = Comparison(comparing().comparison.sides, (), (), ())
    pack = comparing(relations=third, comparison=alone)

    assert not holds(graph_comparison_branch(COMPARE, pack))


def test_a_replaced_anchor_needs_a_warning():
    assert holds(graph_temporal_warning(dated()))
    assert not holds(graph_temporal_warning(dated(temporal_warnings=())))


def test_a_warning_about_another_note_does_not_count():
    stale = support(OLD, dated().anchor_validity)
    other = replace(dated().temporal_warnings[0], atom_id=root(SILICA), other_atom_id="")

    beside = packed(support=(stale,), temporal_warnings=(other,))
    warned = packed(support=(stale,), temporal_warnings=dated().temporal_warnings)

    assert not holds(graph_temporal_warning(beside))
    assert holds(graph_temporal_warning(warned))


def test_a_missing_graph_must_be_admitted_with_its_reason():
    told = packed().diagnostics
    silent = replace(told, graph_ops_available=False)
    flagged = replace(silent, used_fallback=True)
    honest = replace(flagged, fallback_because="the arrays could not be read")

    assert holds(graph_op_fallback(packed()))
    assert not holds(graph_op_fallback(packed(diagnostics=silent)))
    assert not holds(graph_op_fallback(packed(diagnostics=flagged)))
    assert holds(graph_op_fallback(packed(diagnostics=honest)))


def test_a_window_is_held_to_its_own_limit_not_to_that_of_support():
    three = (upstream(MATERIAL, CUP), upstream(SILICA, MATERIAL, CUP), upstream(NEW, CUP))

    assert packed().budget.support_nodes == 2
    assert holds(graph_budget(packed(predecessors=three)))
    assert not holds(graph_budget(packed(predecessors=(*three, upstream(OLD, CUP)))))


def test_a_path_is_measured_in_edges():
    six = path_of(CUP, SILICA, MATERIAL, PLASTIC, OLD, NEW, CUP)
    seven = path_of(CUP, SILICA, MATERIAL, PLASTIC, OLD, NEW, CUP, SILICA)

    assert holds(graph_budget(packed(paths=(six,))))
    assert graph_budget(packed(paths=(seven,))).because == "7 edges in a path, the limit is 6"


@pytest.mark.parametrize(
    "tight",
    [
        {"support_nodes": 1}, {"successors": 0}, {"max_fragments": 1}, {"evidence_refs": 1},
        {"max_fragment_chars": 10}, {"max_total_chars": 60},
    ],
    ids=str,
)  # fmt: skip
def test_every_limit_of_the_budget_is_held(tight):
    full = packed(
        shown=(CUP, SILICA), support=(support(SILICA), support(PLASTIC)),
        successors=(upstream(CUP, PLASTIC),),
    )  # fmt: skip

    assert holds(graph_budget(full))
    assert not holds(graph_budget(replace(full, budget=replace(full.budget, **tight))))


def test_a_sentence_of_the_graph_alone_is_read_for_its_order():
    """A note may name its steps as it likes; only our own statements are held to the edges."""
    authored = DraftSentence(
        "Glass material comes from Silica.", SentenceKind.RATIONALE, Basis.OBSERVED, ()
    )

    assert holds(graph_prerequisite_order(LEARN, learning(), draft(authored)))
