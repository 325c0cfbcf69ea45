"""A run's record can be kept, read, reported, listed and compared; an edited one is refused."""

import json
from dataclasses import replace

import pytest
from answer_samples import (
    ANSWER,
    CUP,
    NEW,
    NOTES,
    OLD,
    PLASTIC,
    SILICA,
    built,
    comparing,
    dated,
    learning,
    nothing_found,
    packed,
    path_of,
    plan,
    quoted,
    run,
    told,
)

from witmark.answers.answer import SentenceKind
from witmark.answers.asking import Intent
from witmark.answers.comparing_runs import compare_runs, delta_to_plain
from witmark.answers.leaks import leaks_in
from witmark.answers.runs import (
    graph_signal,
    history,
    history_line,
    keep_run,
    read_run,
    release_audit,
    run_id_of,
    run_report,
    run_to_plain,
)
from witmark.kernel.canon import canonical_json
from witmark.kernel.errors import GarbledRecordError, NothingThereError
from witmark.testing.shelves import MemoryShelf

STALE = plan("is the washing guide 2019 still valid?", Intent.STILL_VALID, (OLD,))
REPLACED = built(
    "Washing guide 2019 has been replaced by Washing guide 2025.",
    OLD, NEW, kind=SentenceKind.TEMPORAL,
)  # fmt: skip


@pytest.mark.clause("ANS-RUN-01")
def test_a_kept_run_reads_back_with_its_graph_context():
    shelf = MemoryShelf()
    name = keep_run(run(pack_=learning(paths=(path_of(SILICA, CUP),))), shelf)

    record = read_run(shelf, name)

    context = record["graphContext"]
    assert context["anchorTitle"] == "Water glass"
    assert context["connectionPaths"][0]["pathTitles"] == ["Silica", "Water glass"]
    assert context["connectionPaths"][0]["length"] == 1
    assert [node["title"] for node in context["predecessorWindow"]] == [
        "Glass material", "Silica",
    ]  # fmt: skip
    assert record["status"] == "pass"
    assert record["evidenceClaims"][0]["status"] == "verified"
    assert record["citations"][0]["snippet"] == ANSWER.text


def test_the_same_ask_at_the_same_time_is_the_same_run():
    shelf = MemoryShelf()

    first, second = keep_run(run(), shelf), keep_run(run(), shelf)
    later = keep_run(run(generated_at="2026-06-18T10:00:00Z"), shelf)

    assert first == second != later
    assert list(shelf.run_ids()) == [first, later]


def test_an_edited_record_is_refused():
    shelf = MemoryShelf()
    record = run_to_plain(run())
    shelf.put_run("run-1", canonical_json({**record, "runId": "run-1", "status": "pass!"}))

    with pytest.raises(GarbledRecordError):
        read_run(shelf, "run-1")


def test_a_record_with_a_field_of_a_newer_writer_is_read_and_keeps_it():
    shelf = MemoryShelf()
    record = {**run_to_plain(run()), "mood": "glad"}
    name = run_id_of(record)
    shelf.put_run(name, canonical_json({**record, "runId": name}))

    assert read_run(shelf, name)["mood"] == "glad"


def test_an_unknown_run_is_said_to_be_none():
    with pytest.raises(NothingThereError, match="run-9"):
        read_run(MemoryShelf(), "run-9")


def test_the_graph_signal_counts_what_the_contract_names():
    told_ = replace(
        dated().diagnostics, support_node_count=1, missing_predecessor_atom_ids=("a#",),
        missing_path_source_atom_ids=("b#", "c#"),
    )  # fmt: skip
    record = run_to_plain(run(STALE, dated(diagnostics=told_), REPLACED))

    assert graph_signal(record) == {
        "graphOpsAvailable": True, "usedFallback": False,
        "selectedAnchorReason": "title_mention", "connectionPathCount": 0,
        "temporalWarningCount": 1, "supportNodeCount": 1, "supportNodeLimit": 2,
        "pathDepthLimit": 6, "missingLookupCount": 3,
    }  # fmt: skip


def test_a_record_without_a_graph_context_has_an_empty_signal():
    assert graph_signal({})["connectionPathCount"] == 0
    assert run_report({})["objections"] == []


def test_history_runs_from_the_oldest_and_can_be_cut_to_the_latest():
    shelf = MemoryShelf()
    for day in ("2026-06-01", "2026-06-02", "2026-06-03"):
        keep_run(run(generated_at=day), shelf)

    days = [report["generatedAt"] for report in history(shelf)]

    assert days == ["2026-06-01", "2026-06-02", "2026-06-03"]
    assert [report["generatedAt"] for report in history(shelf, latest=1)] == ["2026-06-03"]
    assert list(history(shelf, latest=0)) == []


def test_a_line_of_history_shows_the_graph_and_a_fallback():
    lost = replace(
        packed().diagnostics, graph_ops_available=False, used_fallback=True,
        fallback_because="no arrays",
    )  # fmt: skip
    line = history_line(run_report(run_to_plain(run(pack_=packed(diagnostics=lost)))))

    assert "paths 0  support 0/2  warnings 0  missing 0  fallback  what is water glass?" in line
    assert "\n" not in line


def test_the_audit_counts_decisions_and_objections_over_runs():
    bad = told("A water glass holds 350 ml of water.", CUP)
    records = [
        run_to_plain(one) for one in (run(), run(None, None, ANSWER, bad), run(None, None, bad))
    ]

    assert release_audit(records) == {
        "runCount": 3,
        "decisions": {"release": 1, "revise": 1, "abstain": 1},
        "removedSentenceCount": 2,
        "objections": {"attribute_consistency": 2},
    }


def test_what_was_withheld_is_in_no_record():
    bad = told("Fuchs says a water glass holds 350 ml.", CUP)

    assert "Fuchs" not in json.dumps(run_to_plain(run(None, None, ANSWER, bad))["answer"])
    assert "says a water glass" not in json.dumps(run_to_plain(run(None, None, ANSWER, bad)))


def test_the_public_answer_of_a_record_leaks_nothing():
    for made in (
        run(),
        run(STALE, dated(), REPLACED),
        run(None, packed(shown=()), nothing_found()),
    ):
        assert list(leaks_in(made.answer.text)) == []


# Comparing ---------------------------------------------------------------------------


def test_a_run_equals_itself():
    record = run_to_plain(run())
    delta = compare_runs(record, record)

    assert delta.same_answer
    assert delta.same_question
    assert (delta.paths_new, delta.citations_gone, delta.gates_changed, delta.signal) == (
        (),
    ) * 4


@pytest.mark.clause("ANS-RUN-01")
def test_a_path_a_warning_and_a_citation_that_came_or_went_are_named():
    before = run_to_plain(run(pack_=packed(paths=(path_of(SILICA, CUP),))))
    second = quoted(CUP, "It does not stand boiling water.")
    warned = packed(temporal_warnings=dated().temporal_warnings, paths=(path_of(PLASTIC, CUP),))
    after = run_to_plain(run(None, warned, second))

    delta = compare_runs(before, after)

    assert delta.paths_gone == ("Silica →(prerequisite)→ Water glass",)
    assert delta.paths_new == ("Plastic cup →(prerequisite)→ Water glass",)
    assert delta.warnings_new == ("Washing guide 2019: superseded",)
    assert not delta.same_answer
    assert dict(delta.signal) == {"temporalWarningCount": 1}


def test_direction_makes_another_path():
    one = run_to_plain(run(pack_=packed(paths=(path_of(SILICA, CUP),))))
    other = run_to_plain(run(pack_=packed(paths=(path_of(CUP, SILICA),))))

    assert compare_runs(one, other).paths_new == ("Water glass →(prerequisite)→ Silica",)


def test_a_fallback_and_a_gate_that_changed_are_told():
    lost = replace(packed().diagnostics, graph_ops_available=False)
    one, other = run_to_plain(run()), run_to_plain(run(pack_=packed(diagnostics=lost)))

    delta = compare_runs(one, other)

    assert delta.gates_changed == (("graph_op_fallback", "holds", "fails"),)
    assert delta.status == ("pass", "caution")
    assert delta_to_plain(delta)["gates"] == [
        {"name": "graph_op_fallback", "before": "holds", "after": "fails"}
    ]


def test_a_record_of_an_older_writer_compares_as_empty():
    delta = compare_runs({}, run_to_plain(run()))

    assert delta.citations_new == (f"{CUP}:3",)
    assert delta.status == ("", "pass")


def test_a_comparison_keeps_its_branches_in_the_record():
    asked = plan("compare water glass and plastic cup", Intent.COMPARE, (CUP, PLASTIC))
    made = run(asked, comparing(), ANSWER, quoted(PLASTIC, NOTES[PLASTIC][1]))

    assert run_to_plain(made)["graphContext"]["comparison"]["branchKinds"] == ["contrast"]
