"""An ask, end to end in memory: what is published, what is kept, and what a fault costs."""

import dataclasses
import json
from pathlib import Path

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.answers import scoping, sessions, wire
from witmark.answers.answer import Draft, DraftSentence, SentenceKind
from witmark.answers.asking import ScopeRequest
from witmark.answers.composing import EmbeddedComposer
from witmark.answers.dag import Dag
from witmark.answers.desk import AnswersDesk, Question
from witmark.answers.ingesting import ingest
from witmark.answers.responding import encode, respond
from witmark.answers.use_cases import answer_question, merge_panel, query
from witmark.kernel.canon import canonical_json
from witmark.kernel.errors import OutsideError
from witmark.kernel.evidence import Basis, parse_ref, resolve
from witmark.kernel.store import BlobStore
from witmark.testing.disks import MemoryDisk
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.shelves import MemoryShelf
from witmark.testing.vaults import MemoryVault

NOTES = Path(__file__).parents[2] / "samples" / "notes"
AS_OF = "2026-06-20"


@pytest.fixture(scope="module")
def library():
    made = MemoryLibrary()
    files = {
        str(path.relative_to(NOTES)): path.read_bytes() for path in sorted(NOTES.rglob("*.md"))
    }
    ingest(MemoryVault(files), ComrakParser(), made)
    return made


@pytest.fixture
def desk(library):
    dag = Dag(library.graph())
    return AnswersDesk(
        workspace="notes",
        library=library,
        dag=lambda: dag,
        blobs=BlobStore(MemoryDisk({})),
        shelf=MemoryShelf(),
        composer=EmbeddedComposer(),
    )


def ask(desk, message, **circumstances):
    asked = answer_question(Question(message, AS_OF, **circumstances), desk)
    wire.decode(encode(asked))
    return asked


class Liar:
    """A composer that says what it likes and cites what it was shown."""

    name = "liar"

    def __init__(self, *texts):
        self.texts = texts

    def compose(self, plan, pack):
        honest = EmbeddedComposer().compose(plan, pack)
        cuts = honest.sentences[0].cuts
        lies = (
            DraftSentence(text, SentenceKind.DIRECT, Basis.INFERRED, cuts)
            for text in self.texts
        )
        return Draft((*honest.sentences[:1], *lies))


def test_every_citation_resolves_in_the_blobs_that_were_kept(desk):
    asked = ask(desk, "what is a press fit?")
    assert asked.pane.citations
    for citation in asked.pane.citations:
        ref = parse_ref(str(citation.ref))
        assert resolve(desk.blobs.get(ref.blob), ref.at) == citation.snippet


@pytest.mark.clause("ANS-PUB-07")
def test_a_sentence_that_the_sources_do_not_bear_is_kept_in_the_trace_alone(desk):
    lie = "An interference fit needs a press of 40 kN."
    asked = ask(dataclasses.replace(desk, composer=Liar(lie)), "what is a press fit?")
    response = respond(asked)
    assert asked.review.decision == "revise"
    assert [s.text for s in asked.review.removed] == [lie]
    assert "40 kN" not in asked.public.text
    assert lie in [one["text"] for one in response["trace"]["draft"]]
    public = {key: response[key] for key in ("answer", "assistantMessage", "sentences")}
    assert "40 kN" not in json.dumps([public, response["assistantBlocks"]], ensure_ascii=False)


def test_a_draft_with_nothing_left_becomes_an_abstention_with_the_nearest_titles(desk):
    class OnlyLies(Liar):
        def compose(self, plan, pack):
            return Draft(super().compose(plan, pack).sentences[1:])

    lying = dataclasses.replace(desk, composer=OnlyLies("It weighs 12 kg, see [1]."))
    asked = ask(lying, "what is a press fit?")
    assert not asked.public.answered
    assert asked.review.decision == "abstain"
    assert asked.nearest
    assert asked.pane.citations == ()


@pytest.mark.clause("ANS-PACK-04")
def test_a_graph_that_cannot_be_read_costs_the_order_and_not_the_answer(desk):
    def broken():
        raise OutsideError("the disk is gone")

    asked = ask(dataclasses.replace(desk, dag=broken), "什么是过盈配合?")
    told = asked.pane.pack.diagnostics
    assert asked.public.text.startswith("过盈配合是")
    assert (told.graph_ops_available, told.used_fallback) == (False, True)
    assert told.fallback_because
    gates = {gate["name"]: gate["outcome"] for gate in asked.run.plain["quality"]["gates"]}
    assert gates["graph_op_fallback"] == "holds"


@pytest.mark.clause("ANS-SCOPE-02")
@pytest.mark.parametrize(
    ("newer", "message", "said"),
    [
        (
            {"old": "new", "new": "old"},
            "Is old still valid?",
            "each says it replaces the other",
        ),
        ({"old": "new", "new": "old"}, "old 还有效吗？", "互称取代了对方"),
        (
            {"old": "new", "new": "mid", "mid": "old"},
            "Is old still valid?",
            "replace one another",
        ),
    ],
)
def test_of_notes_that_replace_one_another_none_is_said_to_have_won(newer, message, said):
    notes = {
        f"{name}.md": (
            f"---\nsuperseded_by: {other}\n---\n# {name.title()} guide\n\n"
            f"The {name} guide says how glass is washed.\n"
        ).encode()
        for name, other in newer.items()
    }
    notes["old.md"] = notes["old.md"].replace(b"---\nsup", b"---\naliases: old\nsup")
    text = ask(desk_of(notes), message).public.text
    assert said in text
    assert "has been replaced" not in text


def desk_of(notes):
    made = MemoryLibrary()
    ingest(MemoryVault(notes), ComrakParser(), made)
    return AnswersDesk(
        workspace="notes",
        library=made,
        dag=lambda: Dag(made.graph()),
        blobs=BlobStore(MemoryDisk({})),
        shelf=MemoryShelf(),
        composer=EmbeddedComposer(),
    )


def test_the_response_has_its_shape_and_reads_back(desk):
    for message in ("什么是过盈配合?", "compare press fit and running fit", "a quasar?"):
        asked = ask(desk, message)
        assert wire.decode(encode(asked)).used_scope.readiness.status == "ready"
        assert encode(asked) == canonical_json(respond(asked))
        assert desk.shelf.run(asked.run.run_id) == canonical_json(asked.run.plain)


def test_a_response_out_of_shape_is_not_read(desk):
    response = respond(ask(desk, "什么是过盈配合?"))
    with pytest.raises(wire.MalformedAnswerError):
        wire.decode(canonical_json({**response, "spare": 1}))


def test_a_record_that_was_cut_short_is_an_integrity_error():
    with pytest.raises(wire.MalformedAnswerError):
        wire.decode(b"{}")


@pytest.mark.clause("ANS-RUN-03")
def test_memory_is_kept_only_when_asked_for_and_is_no_part_of_the_answer(desk):
    ask(desk, "什么是过盈配合?", session_id="s")
    _, state = sessions.read_session(desk.shelf, "s")
    assert sessions.memories_of(state) == ()

    first = ask(desk, "什么是过盈配合?", session_id="s", persist_memory=True)
    again = ask(desk, "过盈配合怎么装配?", session_id="s")
    assert [action["kind"] for action in first.memory_actions] == ["remember"]
    assert [memory["question"] for memory in again.recalled] == ["什么是过盈配合?"]
    notices = [b for b in respond(first)["assistantBlocks"] if b.get("notice") == "memory"]
    assert len(notices) == 1
    assert "memory" not in first.public.text


def test_the_folder_that_was_open_is_remembered_by_the_session(desk):
    ask(desk, "什么是过盈配合?", session_id="s", active_target="fits")
    later = ask(desk, "什么是过盈配合?", session_id="s")
    assert later.trace.scope.scope_source == "workspace_hydration"


def test_panels_are_merged_domain_by_domain(desk):
    merge_panel("s", {"layout": {"split": 1}}, desk)
    state = merge_panel("s", {"filter": {"lang": "zh"}}, desk)
    assert state["panelState"] == {"layout": {"split": 1}, "filter": {"lang": "zh"}}


def test_a_query_finds_and_records_nothing(desk):
    found = query(Question("press fit", AS_OF), desk)
    assert found["results"][0]["documentId"] == "fits/interference fit.md"
    assert list(desk.shelf.run_ids()) == []


def test_a_scope_is_never_left_by_the_graph(desk, library):
    scope = scoping.parse(["path:fits"], library)
    asked = ask(desk, "how do I learn press guide 2024?", scope=scope)
    shown = {fragment.span.source_path for fragment in asked.pane.pack.fragments}
    shown |= {node.document_id for node in asked.pane.pack.predecessors}
    assert shown
    assert all(path.startswith("fits/") for path in shown)


def test_the_same_ask_has_the_same_bytes_whatever_was_asked_before(desk):
    first = encode(ask(desk, "什么是配合?"))
    ask(desk, "what is drilling?")
    assert encode(ask(desk, "什么是配合?")) == first


def test_a_withheld_answer_leaves_a_run_that_says_why(desk):
    asked = ask(desk, "what is a quasar?")
    assert asked.run.plain["status"] in {"caution", "fail"}
    assert asked.run.plain["answerReleaseReview"]["decision"] == "abstain"
    assert list(desk.shelf.run_ids()) == [asked.run.plain["runId"]]


def test_the_day_of_asking_and_the_day_asked_about_are_both_kept_and_not_mixed_up(desk):
    said = ask(desk, "什么是interferencefit?", session_id="s", asked_on="2026-07-01")
    _, state = sessions.read_session(desk.shelf, "s")
    assert (said.run.plain["generatedAt"], said.run.plain["asOf"]) == ("2026-07-01", AS_OF)
    assert state["conversation"]["turns"][0]["recordedAt"] == "2026-07-01"
    assert {card["due"] for card in said.run.plain["reviewCards"]} == {"2026-07-02"}
    assert said.run.plain["reviewState"]["nextDue"] == "2026-07-02"
    again = ask(desk, "什么是interferencefit?", session_id="s", asked_on="2026-07-02")
    assert again.run.plain["runId"] != said.run.plain["runId"]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("what is reaming?", "There is no such workspace or folder here."),
        ("什么是过盈配合？", "这里没有这样的工作区或文件夹。"),
    ],
)
def test_a_workspace_that_is_not_here_is_said_to_be_so_and_nothing_of_it_is_counted(
    desk, message, words
):
    said = ask(desk, message, scope=ScopeRequest(workspace_id="another"))
    ready = said.trace.scope.readiness
    assert said.public.text == words
    assert said.nearest == ()
    assert (ready.indexed_segment_count, said.trace.scope.matched_atom_count) == (0, 0)
    assert respond(said)["usedScope"]["missDiagnostics"]["indexedScopeAtomCount"] == 0
