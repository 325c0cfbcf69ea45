"""What an ingest reads, what it leaves alone, and what it says."""

from threading import Event

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.answers import ingesting
from witmark.answers.atoms import DocumentId
from witmark.answers.edges import Provenance, RelationEdge, RelationKind, edge_id
from witmark.answers.guardrails import guardrails, report_plain
from witmark.answers.ingest_plan import moves
from witmark.answers.ingesting import Relations, ingest, ingest_paths, pending
from witmark.answers.ports import Stamp
from witmark.answers.watching import watch
from witmark.kernel.errors import InputError
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.vaults import MemoryVault

PARSER = ComrakParser()


@pytest.fixture
def vault():
    return MemoryVault({"a.md": b"# A\n\n[[b]]", "b.md": b"# B\n\ntext"})


@pytest.fixture
def library(vault):
    library = MemoryLibrary()
    ingest(vault, PARSER, library)
    vault.reads.clear()
    return library


def targets(library, owner):
    return [edge.target for edge in library.edges_of(owner)]


def test_what_is_as_it_was_is_not_read(vault, library):
    report = ingest(vault, PARSER, library)
    assert (vault.reads, report.changes, report.unchanged) == ([], 0, 2)
    assert library.state().generation == 1


def test_a_touched_note_is_read_and_only_its_stamp_renewed(vault, library):
    vault.touch("b.md")
    report = ingest(vault, PARSER, library)
    assert (vault.reads, report.changes, report.unchanged) == (["b.md"], 0, 2)
    assert ingest(vault, PARSER, library).unchanged == 2
    assert vault.reads == ["b.md"]


@pytest.mark.clause("ANS-LIB-01")
def test_only_the_changed_note_is_read(vault, library):
    vault.write("b.md", b"# B\n\nother")
    assert ingest(vault, PARSER, library).changed == ("b.md",)
    assert vault.reads == ["b.md"]


def test_a_note_that_appears_is_linked_by_those_that_waited_for_it(vault, library):
    vault.write("c.md", b"[[d]]")
    ingest(vault, PARSER, library)
    vault.write("d.md", b"# D")
    report = ingest(vault, PARSER, library)
    assert (report.added, report.relinked) == (("d.md",), 1)
    assert targets(library, "c.md") == ["d.md#"]


@pytest.mark.clause("ANS-LIB-02")
def test_a_removed_note_takes_only_its_own_with_it(vault, library):
    ours = RelationEdge(
        id=edge_id("import:x", "a.md#", "b.md#", "causal"),
        source="a.md#", target="b.md#", kind=RelationKind.CAUSAL,
        provenance=Provenance.FACT, edge_confidence=0.9, span_ids=(),
        valid_from="", valid_to="", owner="import:x",
    )  # fmt: skip
    library.put_edges("import:x", [ours], [])
    vault.remove("a.md")
    assert ingest(vault, PARSER, library).removed == ("a.md",)
    assert library.edges_of("import:x") == (ours,)
    vault.write("a.md", b"# A")
    ingest(vault, PARSER, library)
    assert ours.id in {e.id for e in library.edges(library.graph().row.tolist())}


@pytest.mark.clause("ANS-LIB-03")
def test_a_note_that_moved_keeps_its_numbers_and_what_others_say_of_it(vault, library):
    before = library.roots([DocumentId("b.md")])["b.md"]
    vault.move("b.md", "x/new.md")
    report = ingest(vault, PARSER, library)
    assert report.moved == (("b.md", "x/new.md"),)
    assert (report.added, report.removed) == ((), ())
    assert library.roots([DocumentId("x/new.md")])["x/new.md"] == before


def test_of_equal_notes_the_one_that_kept_its_name_has_moved():
    stamps = {DocumentId(p): Stamp("h", 0, 1) for p in ("a/x.md", "a/y.md")}
    appeared = [(DocumentId("b/y.md"), "h"), (DocumentId("b/z.md"), "h")]
    found = moves(sorted(stamps), appeared, stamps)
    assert found == (("a/x.md", "b/z.md"), ("a/y.md", "b/y.md"))


def test_a_note_that_can_no_longer_be_read_is_a_failure_and_no_evidence(vault, library):
    vault.write("b.md", b"\xff\xfe\x00")
    report = ingest(vault, PARSER, library)
    assert [(f.path, f.code) for f in report.failures] == [("b.md", "not-utf-8")]
    assert report.removed == ("b.md",)
    assert library.failures() == report.failures


def test_broken_front_matter_is_said_for_as_long_as_it_is_there(vault, library):
    vault.write("b.md", b"---\na: [\n---\ntext")
    first = ingest(vault, PARSER, library)
    assert [(f.path, f.code) for f in first.failures] == [("b.md", "front-matter")]
    vault.write("a.md", b"other")
    assert ingest(vault, PARSER, library).failures == first.failures
    vault.write("b.md", b"text")
    assert ingest(vault, PARSER, library).failures == ()


def test_a_note_changed_while_it_was_read_is_read_again(vault, library):
    class Busy(MemoryVault):
        def read(self, path):
            raw = super().read(path)
            self.write(path, raw + b" more")
            return raw

    busy, fresh = Busy({"a.md": b"x"}), MemoryLibrary()
    ingest(busy, PARSER, fresh)
    assert ingest(busy, PARSER, fresh).changed == ("a.md",)


def test_relations_that_were_put_off_are_made_up_for(vault):
    library = MemoryLibrary()
    ingest(vault, PARSER, library, relations=Relations.NONE)
    assert pending(library)
    assert (targets(library, "a.md"), library.state().documents) == ([], 2)
    ingest(vault, PARSER, library)
    assert not pending(library)
    assert targets(library, "a.md") == ["b.md#"]


@pytest.mark.clause("ANS-EDGE-03")
def test_a_cycle_is_kept_and_its_weaker_edge_is_marked(vault, library):
    vault.write("a.md", b"---\nrequires: b\n---\n")
    vault.write("b.md", b"---\nrequires: a\n---\n")
    report = ingest(vault, PARSER, library)
    assert len(report.order_broken_by) == 1
    vault.write("b.md", b"nothing")
    assert ingest(vault, PARSER, library).order_broken_by == frozenset()
    assert not any(edge.breaks_order for edge in library.edges_of("a.md"))


def test_how_many_edges_break_the_order_is_said_by_every_ingest(vault, library):
    vault.write("a.md", b"---\nrequires: b\n---\n")
    vault.write("b.md", b"---\nrequires: a\n---\n")
    assert ingest(vault, PARSER, library).order_breaking_edges == 1
    again = ingest(vault, PARSER, library)
    assert (again.changes, again.order_broken_by, again.order_breaking_edges) == (0, None, 1)
    assert report_plain(again)["orderBreakingEdges"] == 1


def test_notes_that_replace_one_another_are_named_by_every_ingest(vault, library):
    vault.write("a.md", b"---\nsupersedes: b\n---\n")
    vault.write("b.md", b"---\nsupersedes: c\n---\n")
    vault.write("c.md", b"---\nsupersedes: a\n---\n")
    vault.write("d.md", b"---\nsupersedes: a\n---\n")
    for _ in range(2):
        report = ingest(vault, PARSER, library)
        assert report.replacement_circles == (("a.md", "b.md", "c.md"),)
    assert report_plain(report)["replacementCircles"] == [["a.md", "b.md", "c.md"]]
    vault.write("c.md", b"nothing")
    assert ingest(vault, PARSER, library).replacement_circles == ()


def test_a_note_that_precedes_or_replaces_itself_is_told_so(vault, library):
    vault.write("a.md", b"---\nsupersedes: a\nrequires: [a, b]\n---\nSee [[a]].\n")
    report = ingest(vault, PARSER, library)
    assert [(one.document_id, one.name) for one in report.to_itself] == [("a.md", "a")] * 2
    assert [one["name"] for one in report_plain(report)["selfReferences"]] == ["a", "a"]


def test_only_the_named_paths_are_looked_at(vault, library):
    vault.write("a.md", b"# A\n\nno link")
    vault.write("c.md", b"# C")
    vault.move("b.md", "d.md")
    assert ingest_paths(vault, PARSER, library, ["a.md"]).changed == ("a.md",)
    assert ingest_paths(vault, PARSER, library, ["b.md", "d.md"]).moved == (("b.md", "d.md"),)
    assert sorted(library.stamps()) == ["a.md", "d.md"]
    assert ingest(vault, PARSER, library).added == ("c.md",)


def test_one_named_path_is_taken_in_without_a_look_at_all_stamps(vault, library, monkeypatch):
    def refused():
        raise AssertionError("all stamps are read")

    vault.write("a.md", b"# A\n\nno link")
    with monkeypatch.context() as patched:
        patched.setattr(library, "stamps", refused)
        report = ingest_paths(vault, PARSER, library, ["a.md"])
    assert (report.changed, report.unchanged) == (("a.md",), 1)


@pytest.mark.parametrize("relations", [Relations.NONE, Relations.INCREMENTAL])
def test_a_note_beside_the_named_ones_that_joins_otherwise_keeps_its_bytes_known(
    vault, library, monkeypatch, relations
):
    monkeypatch.setattr(ingesting, "BATCH_NOTES", 1)
    before = library.stamps()["a.md"]
    vault.remove("b.md")
    vault.write("sub/b.md", b"# B\n\nelsewhere")
    ingest_paths(vault, PARSER, library, ["sub/b.md", "b.md"], relations=relations)
    after = library.stamps()["a.md"]
    assert (after.source_hash, after.size) == (before.source_hash, before.size)
    assert pending(library) is (relations is Relations.NONE)
    ingest(vault, PARSER, library)
    assert targets(library, "a.md") == ["sub/b.md#"]
    assert not pending(library)


def test_a_note_said_to_be_deleted_that_is_there_stays(vault, library):
    assert ingest_paths(vault, PARSER, library, ["a.md", "never.md"]).changes == 0
    assert sorted(library.stamps()) == ["a.md", "b.md"]


def test_a_large_ingest_tells_how_far_it_is_and_ends_with_all(vault, monkeypatch):
    monkeypatch.setattr(ingesting, "BATCH_NOTES", 1)
    told = []
    ingest(vault, PARSER, MemoryLibrary(), progress=lambda *step: told.append(step))
    assert told == [
        ("reading", 1, 2),
        ("reading", 2, 2),
        ("indexing", 1, 2),
        ("indexing", 2, 2),
    ]


def test_a_watched_folder_is_ingested_when_it_has_been_still(vault, library):
    stop, said, polls = Event(), [], []

    class Typing(MemoryVault):
        def scan(self):
            polls.append(len(polls))
            if len(polls) in (2, 3):
                self.write("a.md", b"%d" % len(polls))
            if len(polls) > 8:
                stop.set()
            return super().scan()

    typing = Typing({"a.md": b"# A\n\n[[b]]", "b.md": b"# B\n\ntext"})
    watch(typing, PARSER, library, said=said.append, stop=stop, poll_s=0)
    assert [report.changed for report in said] == [("a.md",)]
    assert library.document("a.md").text == "3"


def test_a_folder_that_cannot_be_listed_is_said_once_and_watched_on(vault, library):
    stop, said, polls = Event(), [], []

    class Away(MemoryVault):
        def scan(self):
            polls.append(1)
            if 2 < len(polls) < 6:
                raise InputError("away")
            if len(polls) == 7:
                self.write("c.md", b"new")
            if len(polls) > 12:
                stop.set()
            return super().scan()

    away = Away({"a.md": b"# A\n\n[[b]]", "b.md": b"# B\n\ntext"})
    watch(away, PARSER, library, said=said.append, stop=stop, poll_s=0)
    assert [type(what).__name__ for what in said] == ["InputError", "IngestReport"]


def test_the_guardrails_sum_up(vault):
    report = ingest(vault, PARSER, MemoryLibrary())
    found = guardrails([report, report], 2, ingest_ms=[1.0, 9.0], recompute_ms=[])
    assert (found.changed_documents, found.ingest_p95_ms, found.recompute_p95_ms) == (
        4,
        9.0,
        None,
    )
