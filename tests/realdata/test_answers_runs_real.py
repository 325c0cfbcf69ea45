"""A real folder of notes, asked, recorded, exported, imported and opened at its citations."""

import os
from pathlib import Path

import pytest

pytest.importorskip("comrak")

from witmark.adapters.markdown import ComrakParser
from witmark.adapters.vault import FolderVault
from witmark.answers import use_cases
from witmark.answers.composing import EmbeddedComposer
from witmark.answers.dag import Dag
from witmark.answers.exporting import Workspace, export_bundle
from witmark.answers.focus import FailureReason, open_source
from witmark.answers.focus_targets import target_of_citation
from witmark.answers.importing import import_bundle, put_into
from witmark.answers.ingesting import ingest
from witmark.answers.leaks import leaks_in
from witmark.answers.marking import Drift
from witmark.answers.reading import entries_of_note, terms_of
from witmark.answers.runs import history, read_run
from witmark.answers.source_paths import WorkspaceSources
from witmark.kernel.canon import canonical_json
from witmark.kernel.store import BlobStore
from witmark.testing.disks import MemoryDisk
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.shelves import MemoryShelf

HERE = Path(__file__).resolve()
DATA = Path(os.environ.get("WITMARK_DATA", HERE.parents[2].parent / "shared" / "data"))
VAULT = DATA / "vaults" / "waterglass-shape"
NOW = "2026-06-17"
QUESTIONS = (
    "什么是waterglass?", "什么是water glass", "compare water glass and plastic cup",
    "what is waterglass?", "how do I learn water glass?", "怎么学水杯",
    "is the washing guide 2019 still valid?", "washing guide 2025 还有效吗",
    "what is context budget probe?", "who wrote Faust?",
)  # fmt: skip


@pytest.fixture(scope="module")
def asked():
    """A desk over the notes, and what it made of every question."""
    if not VAULT.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{VAULT} is missing")
        pytest.skip(f"no shared data at {VAULT}")
    library, shelf = MemoryLibrary(), MemoryShelf()
    ingest(FolderVault(VAULT), ComrakParser(), library)
    graph = Dag(library.graph())
    desk = use_cases.AnswersDesk(
        "glass", library, lambda: graph, BlobStore(MemoryDisk({})), shelf, EmbeddedComposer()
    )
    answers = [
        use_cases.answer_question(
            use_cases.Question(one, NOW, session_id="s1", persist_memory=True), desk
        )
        for one in QUESTIONS
    ]
    return desk, answers


def test_every_draft_of_the_embedded_composer_is_released_whole(asked):
    for question, answer in zip(QUESTIONS[:-1], asked[1], strict=False):
        assert answer.review.report.objections == (), question
        assert answer.public.answered, question


def test_no_public_answer_leaks_and_each_is_short(asked):
    for answer in asked[1]:
        assert list(leaks_in(answer.public.text)) == []
        assert len(answer.public.sentences) <= 3


def test_every_run_passes_its_gates_but_the_one_with_no_answer(asked):
    desk, _ = asked
    reports = list(history(desk.shelf))

    assert [report["status"] for report in reports[:-1]] == ["pass"] * (len(QUESTIONS) - 1)
    assert reports[-1]["objections"] == ["evidence_coverage", "recall_transfer"]


def test_every_citation_opens_at_its_very_span(asked):
    desk, answers = asked
    sources = WorkspaceSources(FolderVault(VAULT), desk.library)
    for answer in answers:
        for citation in answer.pane.citations:
            found = open_source(target_of_citation(citation), sources)

            assert [found.text[a:b] for a, b in found.highlights] == [citation.snippet]
            assert found.drift is Drift.CURRENT
            assert found.diagnostics.failure is FailureReason.NONE


def test_the_workspace_exports_and_imports_to_equal_bytes(asked):
    desk, _ = asked
    about = Workspace("glass", "", {"status": "ready"})
    raw = canonical_json(export_bundle(about, desk.library, desk.shelf, generated_at=NOW))
    library, shelf = MemoryLibrary(), MemoryShelf()

    put_into(import_bundle(raw, terms=terms_of, names=entries_of_note), library, shelf)

    assert canonical_json(export_bundle(about, library, shelf, generated_at=NOW)) == raw
    for name in desk.shelf.run_ids():
        assert read_run(shelf, name) == read_run(desk.shelf, name)
