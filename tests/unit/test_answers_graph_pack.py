"""The pack: what stands in it, in which order, within which limits, and why not more."""

from dataclasses import replace

import numpy as np
import pytest
from retrieval_samples import asked, library_of

from witmark.answers.asking import Intent
from witmark.answers.budget import budget_for
from witmark.answers.candidates import Candidate
from witmark.answers.dag import Dag
from witmark.answers.edges import Provenance, RelationKind, TemporalKind
from witmark.answers.graph_pack import assemble
from witmark.answers.pack import AnchorReason, FragmentRole, FragmentStatus
from witmark.answers.validity import always_valid
from witmark.kernel.errors import DiskError
from witmark.testing.noting import note as record
from witmark.testing.noting import relation
from witmark.testing.noting import window as temporal

K = RelationKind
TODAY = "2024-06-01"


def needs(note, *before, **more):
    """The note's own statements of what comes before it."""
    stated = (relation(note, b, note, K.PREREQUISITE, 1.0) for b in before)
    return [replace(edge, **more) for edge in stated]


GLASS = record(
    "glass.md",
    ": glass is a solid",
    "making: glass is blown",
    edges=needs("glass.md", "sand.md"),
)
CUP = record(
    "cup.md",
    ": a cup holds water",
    "use: a cup is for cold water",
    edges=[
        *needs("cup.md", "glass.md"),
        relation("cup.md", "cup.md", "mug.md", K.CONTRAST, 1.0),
    ],
)
MUG = record("mug.md", ": a mug holds tea", edges=needs("mug.md", "clay.md", "glass.md"))
SAND, CLAY = record("sand.md", ": sand is quartz"), record("clay.md", ": clay is soft")
KILN = record(
    "kiln.md", ": a kiln burns a cup", edges=[relation("kiln.md", "kiln.md", "cup.md")]
)
NEW = record("new.md", ": wash warm", temporal=[temporal("new.md", "new.md", "old.md")])
OLD = record(
    "old.md",
    ": wash hot",
    temporal=[
        temporal("old.md", "old.md", "old.md", TemporalKind.VALIDITY_WINDOW, "", "2020-12-31")
    ],
)
EVERY = (GLASS, CUP, MUG, SAND, CLAY, KILN, NEW, OLD)


def found(library, *paths):
    """Candidates, the first the best."""
    roots = library.roots(paths)
    return [_candidate(library, path, roots[path], 1 - i / 10) for i, path in enumerate(paths)]


def _candidate(library, path, root, score):
    atoms = library.document(path).atoms
    numbers = library.numbers([atom.id for atom in atoms])
    nos = tuple(numbers[atom.id] for atom in atoms)
    return Candidate(path, nos, atoms, root, score, (), always_valid(TODAY))


def packed(plan, *paths, notes=EVERY, scope=None, budget=None):
    library = library_of(*notes)
    mask = None
    if scope is not None:
        inside = {
            n
            for p in scope
            for n in library.numbers([a.id for a in library.document(p).atoms]).values()
        }
        mask = np.isin(library.graph().nodes, sorted(inside))
    return assemble(
        plan,
        found(library, *paths),
        library,
        Dag(library.graph()),
        as_of=TODAY,
        budget=budget or budget_for(plan.intent),
        scope_mask=mask,
    )


def what(question="what is a cup", names=None, intent=Intent.WHAT):
    return asked(question, names or {"cup": "cup.md"}, intent=intent)


def titles(nodes):
    return [node.title for node in nodes]


@pytest.mark.clause("ANS-PACK-02")
def test_the_anchor_is_what_the_question_names_and_says_why():
    pack = packed(what(), "kiln.md", "cup.md")

    assert pack.anchor.id == "cup.md#"
    assert pack.diagnostics.selected_anchor_reason is AnchorReason.TITLE_MENTION
    assert (pack.anchor_profile.in_degree, pack.anchor_profile.out_degree) == (2, 1)


def test_paths_run_from_support_to_anchor_and_keep_their_direction():
    pack = packed(what(), "cup.md", "glass.md", "mug.md")

    assert [p.titles for p in pack.paths] == [("glass", "cup"), ("cup", "mug")]
    assert [e.kind for e in pack.paths[1].edges] == [K.CONTRAST]


def test_predecessors_are_transitive_with_the_way_to_the_anchor():
    pack = packed(what(), "cup.md")

    assert titles(pack.predecessors) == ["glass", "sand", "kiln"]
    assert pack.predecessors[1].via.titles == ("sand", "glass", "cup")
    assert pack.predecessors[1].depth == pack.predecessors[1].via.length == 2


@pytest.mark.clause("ANS-PACK-05")
def test_the_way_to_learn_ends_at_the_anchor_and_starts_at_the_sources():
    pack = packed(what("how to learn cup", intent=Intent.LEARN), "cup.md")

    assert titles(pack.learning_order) == ["sand", "glass", "cup"]
    assert {f.atom_id for f in pack.fragments} >= {"sand.md#", "glass.md#"}


def test_to_explain_a_thing_one_prerequisite_is_enough():
    assert titles(packed(what(), "cup.md").learning_order) == ["glass", "cup"]


def test_an_order_that_rests_on_a_guess_says_so():
    notes = [
        record("a.md"),
        record("b.md", edges=needs("b.md", "a.md", provenance=Provenance.INFERRED)),
    ]
    pack = packed(what("how to learn b", {"b": "b.md"}, Intent.LEARN), "b.md", notes=notes)

    assert pack.learning_order[0].provenance is Provenance.INFERRED
    assert pack.learning_order[0].path_confidence == pytest.approx(1.0)


def test_a_cycle_is_put_in_order_and_the_edge_that_breaks_it_is_told():
    weak = relation("a.md", "b.md", "a.md", K.PREREQUISITE, 0.4)
    notes = [record("a.md", edges=[weak]), record("b.md", edges=needs("b.md", "a.md"))]
    plan = what("how to learn b", {"b": "b.md"}, Intent.LEARN)
    pack = packed(plan, "b.md", "a.md", notes=notes)

    assert titles(pack.learning_order) == ["a", "b"]
    assert pack.diagnostics.order_broken_by == (weak.id,)


@pytest.mark.clause("ANS-PACK-05")
def test_a_comparison_has_both_sides_where_they_meet_and_where_they_part():
    plan = what("compare cup and mug", {"cup": "cup.md", "mug": "mug.md"}, Intent.COMPARE)
    pack = packed(plan, "mug.md", "cup.md", "kiln.md")

    assert pack.comparison.sides == ("cup.md#", "mug.md#")
    assert pack.comparison.nearest_common_ancestors == (("glass.md#", "glass"),)
    assert pack.comparison.branch_kinds == (K.CONTRAST,)
    assert pack.support[0].atom.id == "mug.md#"


def test_a_note_that_contrasts_beats_one_that_only_mentions():
    plan = what("compare cup", {"cup": "cup.md"}, Intent.COMPARE)
    pack = packed(plan, "cup.md", "kiln.md", "mug.md")

    assert [s.atom.id for s in pack.support] == ["mug.md#", "kiln.md#"]


def test_the_other_side_is_fetched_when_retrieval_did_not_find_it():
    plan = what("compare cup and mug", {"cup": "cup.md", "mug": "mug.md"}, Intent.COMPARE)

    assert packed(plan, "cup.md").comparison.sides == ("cup.md#", "mug.md#")


def test_what_replaced_the_anchor_stands_beside_it_with_a_warning():
    plan = what("is old still valid", {"old": "old.md"}, Intent.STILL_VALID)
    pack = packed(plan, "old.md")

    assert (pack.anchor.id, pack.anchor_validity.is_valid) == ("old.md#", False)
    assert [s.atom.id for s in pack.support] == ["new.md#"]
    assert [(w.reason, w.other_title) for w in pack.temporal_warnings] == [
        ("superseded", "new"),
        ("supersedes", "old"),
    ]
    assert FragmentRole.CONFLICT in {f.role for f in pack.fragments}


def test_nothing_in_the_pack_lies_out_of_scope():
    pack = packed(what(), "cup.md", scope=("cup.md", "sand.md"))

    assert (pack.predecessors, pack.successors, pack.paths) == ((), (), ())
    assert {f.span.document_id for f in pack.fragments} == {"cup.md"}


def test_a_neighbour_of_which_only_another_section_is_in_scope_is_not_quoted():
    library = library_of(*EVERY)
    inside = library.numbers(["cup.md#", "glass.md#making"]).values()
    pack = assemble(
        what(),
        [_candidate(library, "cup.md", library.roots(["cup.md"])["cup.md"], 1.0)],
        library,
        Dag(library.graph()),
        as_of=TODAY,
        budget=budget_for(Intent.WHAT),
        scope_mask=np.isin(library.graph().nodes, sorted(inside)),
    )

    assert {f.span.document_id for f in pack.fragments} == {"cup.md"}


def test_a_replacement_out_of_scope_is_neither_named_nor_shown():
    plan = what("is old still valid", {"old": "old.md"}, Intent.STILL_VALID)
    pack = packed(plan, "old.md", scope=("old.md",))

    assert pack.support == ()
    warning = pack.temporal_warnings[0]
    assert (warning.reason, warning.other_title) == ("superseded", "")


def test_a_bibliography_is_no_step_on_the_way():
    notes = [
        record("参考文献.md"),
        record("b.md", edges=needs("b.md", "参考文献.md")),
    ]
    pack = packed(what("how to learn b", {"b": "b.md"}, Intent.LEARN), "b.md", notes=notes)

    assert (pack.predecessors, pack.learning_order) == ((), ())


def test_every_quote_reads_back_from_its_source():
    pack = packed(what(), "cup.md", "glass.md")

    for fragment in pack.fragments:
        text = next(
            n.document.text for n in EVERY if n.document.id == fragment.span.document_id
        )
        assert fragment.span.span.covers(text)
        assert fragment.ref.at == fragment.span.span.range


def test_what_is_shown_is_what_may_be_cited():
    pack = packed(what(), "cup.md", "glass.md")

    assert [item.ref for item in pack.context.shown] == [f.ref for f in pack.fragments]


def test_the_anchors_own_matching_passages_come_first():
    pack = packed(what(), "glass.md", "cup.md")

    assert pack.fragments[0].atom_id.startswith("cup.md#")
    assert pack.fragments[0].role is FragmentRole.DIRECT_SUPPORT


def test_a_long_passage_is_cut_at_a_sentence_end_and_its_place_is_that_of_the_cut():
    body = "Filler comes first. " * 20 + "A cup holds water. " + "More filler follows. " * 20
    notes = [record("cup.md", f": {body.strip()}")]
    budget = replace(budget_for(Intent.WHAT), max_fragment_chars=200)
    pack = packed(what(), "cup.md", notes=notes, budget=budget)
    fragment = pack.fragments[0]

    assert "A cup holds water." in fragment.text
    assert fragment.text == fragment.span.span.quote
    assert len(fragment.text) <= 200
    assert fragment.text.endswith(".")
    told = [d for d in pack.decisions if d.status is FragmentStatus.FRAGMENT_TRUNCATED]
    assert told[0].chars == len(fragment.text)


def test_a_passage_without_a_sentence_end_is_left_out_and_that_is_told():
    budget = replace(budget_for(Intent.WHAT), max_fragment_chars=50)
    pack = packed(what(), "cup.md", notes=[record("cup.md", ": " + "cup " * 50)], budget=budget)

    assert pack.fragments == ()
    assert FragmentStatus.FRAGMENT_TRUNCATED in {d.status for d in pack.decisions}


@pytest.mark.clause("ANS-PACK-03")
def test_what_does_not_fit_is_left_out_and_named():
    budget = replace(budget_for(Intent.WHAT), max_total_chars=20)
    pack = packed(what(), "cup.md", budget=budget)

    assert sum(len(f.text) for f in pack.fragments) <= 20
    assert pack.context.omitted
    assert FragmentStatus.FRAGMENT_DROPPED in {d.status for d in pack.decisions}


def test_candidates_that_are_not_shown_are_told():
    pack = packed(what(), "cup.md", "glass.md", "mug.md", "kiln.md", "clay.md")

    dropped = [d.atom_id for d in pack.decisions if d.because == "other notes matter more"]
    assert dropped == ["clay.md#"]  # the kiln is quoted as a neighbour
    assert len(pack.support) == budget_for(Intent.WHAT).support_nodes


@pytest.mark.clause("ANS-PACK-04")
def test_without_a_graph_the_pack_is_made_of_what_was_found_and_says_so():
    library = library_of(*EVERY)
    pack = assemble(
        what(), found(library, "cup.md", "mug.md"), library, None,
        as_of=TODAY, budget=budget_for(Intent.WHAT), graph_fault="the disk is gone",
    )  # fmt: skip

    assert pack.diagnostics.used_fallback
    assert pack.diagnostics.fallback_because == "the disk is gone"
    assert (pack.anchor.id, [s.atom.id for s in pack.support]) == ("cup.md#", ["mug.md#"])
    assert pack.fragments
    assert (pack.paths, pack.predecessors) == ((), ())


@pytest.mark.clause("ANS-PACK-04")
def test_a_graph_that_fails_half_way_falls_open_too():
    library = library_of(*EVERY)
    candidates = found(library, "cup.md", "mug.md")
    dag = Dag(library.graph())

    def fails(rows):
        raise DiskError("cannot read the edges")

    library.edges = fails
    pack = assemble(
        what(), candidates, library, dag, as_of=TODAY, budget=budget_for(Intent.WHAT)
    )

    assert pack.diagnostics.fallback_because == "cannot read the edges"
    assert pack.fragments


def test_nothing_found_makes_an_empty_pack():
    pack = packed(what())

    assert (pack.anchor, pack.fragments, pack.diagnostics.candidate_count) == (None, (), 0)


@pytest.mark.parametrize("intent", list(Intent))
@pytest.mark.clause("ANS-PACK-01")
def test_whatever_is_asked_the_pack_keeps_its_budget_and_is_the_same_again(intent):
    names = {"cup": "cup.md", "mug": "mug.md"}
    plan = what("cup and mug", names, intent)
    paths = [note.document.id for note in EVERY]
    pack, budget = packed(plan, *paths), budget_for(intent)

    assert pack == packed(plan, *paths)
    assert len(pack.support) <= budget.support_nodes
    assert len(pack.paths) <= budget.support_nodes
    assert len(pack.predecessors) <= budget.predecessors
    assert len(pack.successors) <= budget.successors
    assert len(pack.fragments) <= budget.max_fragments
    assert len(pack.evidence_refs) <= budget.evidence_refs
    assert all(path.length <= budget.path_edges for path in pack.paths)
