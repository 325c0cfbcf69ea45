"""Asking a workspace as a user does: by the command line, by the server, with wrong input."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest
from support_cli import LONGEST_S, ROOT, environment, listing, witmark
from support_doors import call, serving

from witmark.answers import wire

NOTES = ROOT / "samples" / "notes"
QUESTION = "什么是interferencefit?"
AS_OF = ("--as-of", "2026-06-20")


@pytest.fixture
def home(tmp_path):
    return {"WITMARK_HOME": str(tmp_path / "home")}


@pytest.fixture
def notes(tmp_path):
    """The sample workspace at a Chinese path with a blank in it, ours to edit."""
    return shutil.copytree(NOTES, tmp_path / "我的 笔记")


def asked(home, *arguments, workspace=NOTES, cwd=ROOT):
    return witmark("ask", *arguments, "--workspace", str(workspace), *AS_OF, cwd=cwd, env=home)


def response(ran):
    wire.decode(ran.out)
    return json.loads(ran.out)


def test_a_question_is_answered_with_its_sources_at_the_very_span(home):
    ran = asked(home, QUESTION)
    out = ran.out.decode()
    assert ran.code == 0
    assert out.startswith("过盈配合是轴的尺寸总大于孔的配合")
    assert "fits/interference fit.md:10:1" in out


def test_the_citation_is_the_source_between_its_offsets(home):
    for citation in response(asked(home, QUESTION, "--json"))["citations"]:
        text = (NOTES / citation["sourcePath"]).read_bytes().decode()
        start, end = citation["startOffset"], citation["endOffset"]
        assert text[start:end] == citation["snippet"]
        assert text[:start].count("\n") + 1 == citation["startLine"]


@pytest.mark.clause("ANS-PUB-04")
def test_what_the_notes_do_not_tell_is_exit_1_and_says_so(home):
    ran = asked(home, "what is a quasar?")
    assert ran.code == 1
    assert ran.out.decode().startswith("Your notes do not answer this")


@pytest.mark.clause("ANS-DOOR-01")
def test_both_doors_give_the_same_bytes(home):
    with serving(NOTES, home) as (_, said):
        body = {"message": QUESTION, "asOf": "2026-06-20"}
        status, data, headers = call(said, "/api/knowledge/conversation", body)
    printed = asked(home, QUESTION, "--json").out
    assert status == 200
    assert headers["server-timing"].startswith("desk;dur=")
    assert printed.rstrip(b"\n") == data


@pytest.mark.clause("ANS-RUN-01")
def test_the_same_question_twice_is_one_run_and_the_same_bytes(home):
    first, second = asked(home, QUESTION, "--json"), asked(home, QUESTION, "--json")
    assert first.out == second.out
    runs = witmark("runs", "--workspace", str(NOTES), cwd=ROOT, env=home).out.decode()
    assert len(runs.splitlines()) == 1


@pytest.mark.clause("ANS-READ-01")
def test_the_workspace_is_never_written_to(home, notes):
    before = listing(notes)
    assert asked(home, QUESTION, workspace=notes).code == 0
    witmark("export", "--workspace", str(notes), cwd=notes, env=home)
    assert listing(notes) == before


@pytest.mark.clause("ANS-FOCUS-03")
def test_a_span_that_moved_is_marked_where_it_is_now(home, notes):
    asked(home, QUESTION, workspace=notes)
    note = notes / "fits" / "interference fit.md"
    note.write_text(
        note.read_text("utf-8").replace("# 过盈配合\n", "# 过盈配合\n\n新的一段。\n"), "utf-8"
    )
    ran = witmark("open", "c1", "--workspace", str(notes), cwd=ROOT, env=home)
    out = ran.out.decode()
    assert ran.code == 0
    assert "moved since it was cited" in out
    assert "⟦过盈配合是轴的尺寸总大于孔的配合，装配后靠弹性变形产生的压力传递力矩。⟧" in out


@pytest.mark.clause("ANS-FOCUS-03")
def test_a_note_that_was_moved_is_opened_where_it_is_now_and_both_places_are_told(home, notes):
    asked(home, QUESTION, workspace=notes)
    (notes / "old").mkdir()
    (notes / "fits" / "interference fit.md").rename(notes / "old" / "press.md")
    ran = witmark("open", "c1", "--workspace", str(notes), cwd=ROOT, env=home)
    out = ran.out.decode()
    assert ran.code == 0
    assert "moved since it was cited, from fits/interference fit.md to old/press.md" in out
    assert "⟦过盈配合是" in out


@pytest.mark.clause("ANS-FOCUS-03")
def test_a_span_that_is_gone_marks_nothing(home, notes):
    asked(home, QUESTION, workspace=notes)
    (notes / "fits" / "interference fit.md").write_text("# 过盈配合\n\n全部重写。\n", "utf-8")
    ran = witmark("open", "c1", "--workspace", str(notes), cwd=ROOT, env=home)
    assert ran.code == 1
    assert "⟦" not in ran.out.decode()
    assert "not marked" in ran.out.decode()


@pytest.mark.clause("ANS-FOCUS-03")
def test_c1_is_of_the_question_asked_last_even_if_it_was_asked_before(home):
    asked(home, QUESTION)
    asked(home, "what is reaming?")
    asked(home, QUESTION)
    ran = witmark("open", "c1", "--workspace", str(NOTES), cwd=ROOT, env=home)
    assert ran.code == 0
    assert "fits/interference fit.md" in ran.out.decode()


def test_a_ref_opens_without_naming_the_workspace(home, tmp_path):
    ref = response(asked(home, QUESTION, "--json"))["citations"][0]["ref"]
    ran = witmark("open", ref, cwd=tmp_path, env=home)
    assert ran.code == 0
    assert "⟦过盈配合是" in ran.out.decode()


def test_a_citation_can_be_traced_to_the_bytes_that_were_cited(home, notes, tmp_path):
    ref = response(asked(home, QUESTION, "--json", workspace=notes))["citations"][0]["ref"]
    shutil.rmtree(notes)
    ran = witmark("trace", ref, cwd=tmp_path, env=home)
    assert ran.code == 0
    assert ">>>过盈配合是轴的尺寸总大于孔的配合" in ran.out.decode()


@pytest.mark.clause("ANS-DOOR-05")
def test_our_own_rulebook_answers_in_one_language(home):
    ran = asked(home, "加工面与不加工面为什么不应平齐", "--json", workspace="rulebook")
    answer = response(ran)
    assert ran.code == 0
    assert answer["knowledgePoints"][0]["documentId"] == "18.2.4.md"
    assert "看不见的边界" in answer["answer"]
    assert not any(word in answer["answer"] for word in ("cutter", "machined"))


def test_a_folder_called_rulebook_is_reached_by_its_path(home, tmp_path):
    folder = tmp_path / "rulebook"
    folder.mkdir()
    (folder / "tea.md").write_text("# Tea\n\nTea is a drink made from leaves.\n", "utf-8")
    ran = witmark("ask", "what is tea?", "--workspace", "./rulebook", cwd=tmp_path, env=home)
    assert ran.out.decode().startswith("Tea is a drink made from leaves.")


def test_a_bundle_that_was_exported_imports_and_exports_to_the_same_bytes(home, tmp_path):
    asked(home, QUESTION)
    bundle = tmp_path / "bundle.json"
    made = witmark(
        "export", "--workspace", str(NOTES), "--out", str(bundle), cwd=ROOT, env=home
    )
    assert made.code == 0
    checked = witmark("export", "--verify", str(bundle), cwd=ROOT, env=home)
    assert checked.code == 0, checked.err
    changed = json.loads(bundle.read_bytes())
    changed["manifest"]["workspaceId"] = "another"
    bundle.write_text(
        json.dumps(changed, ensure_ascii=False, sort_keys=True, separators=(",", ":")), "utf-8"
    )
    assert witmark("export", "--verify", str(bundle), cwd=ROOT, env=home).code == 3


def test_a_bundle_is_never_written_over_a_file_and_a_changed_one_says_the_way_out(
    home, tmp_path
):
    bundle = tmp_path / "bundle.json"
    export = ("export", "--workspace", str(NOTES), "--out", str(bundle))
    assert witmark(*export, cwd=ROOT, env=home).code == 0
    again = witmark(*export, cwd=ROOT, env=home)
    assert again.code == 2
    assert again.refusal.endswith("give --out a file that does not exist")
    bundle.write_bytes(bundle.read_bytes().replace(b"notes", b"other"))
    changed = witmark("export", "--verify", str(bundle), cwd=ROOT, env=home)
    assert changed.code == 3
    assert changed.refusal.startswith("integrity.digest-mismatch: ")
    assert "witmark verify" not in changed.refusal
    folder = witmark("export", "--verify", str(tmp_path), cwd=ROOT, env=home)
    assert folder.refusal.endswith("give a bundle that `witmark export` wrote")


def test_a_bundle_is_restored_where_nothing_is_kept_and_nowhere_else(home, notes, tmp_path):
    cited = response(asked(home, QUESTION, "--json", workspace=notes))["citations"][0]
    bundle = tmp_path / "bundle.json"
    export = ("export", "--workspace", str(notes), "--out")
    witmark(*export, str(bundle), cwd=ROOT, env=home)
    new = {"WITMARK_HOME": str(tmp_path / "new")}
    restore = ("import", str(bundle), "--workspace", str(notes))
    assert witmark(*restore, cwd=ROOT, env=new).code == 0
    opened = witmark("open", "c1", "--workspace", str(notes), cwd=ROOT, env=new)
    traced = witmark("trace", cited["ref"], cwd=ROOT, env=new)
    witmark(*export, str(tmp_path / "again.json"), cwd=ROOT, env=new)
    twice = witmark(*restore, cwd=ROOT, env=new)
    assert "⟦过盈配合是" in opened.out.decode()
    assert traced.code == 0, traced.err
    assert (tmp_path / "again.json").read_bytes() == bundle.read_bytes()
    assert twice.code == 2
    assert twice.refusal.startswith("input.already-there: ")


def test_a_session_remembers_what_it_is_told_to_and_nothing_else(home):
    told = response(asked(home, QUESTION, "--json", "--session", "s"))
    kept = response(asked(home, QUESTION, "--json", "--session", "s", "--remember"))
    again = response(asked(home, QUESTION, "--json", "--session", "s"))
    assert told["memoryActions"] == []
    assert [one["kind"] for one in kept["memoryActions"]] == ["remember"]
    assert [one["question"] for one in again["recalledMemories"]] == [QUESTION]
    assert asked(home, QUESTION, "--remember").code == 2


@pytest.mark.parametrize("command", [("ask", QUESTION), ("export",), ("runs",)])
def test_a_full_disk_behind_standard_output_is_one_line_and_exit_4(home, command):
    asked(home, QUESTION)
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device, and no file of ours
        ran = subprocess.run(
            [sys.executable, "-m", "witmark", *command, "--workspace", str(NOTES)],
            env=environment(home),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=LONGEST_S,
            check=False,
            text=True,
        )
    assert ran.returncode == 4
    assert ran.stderr.startswith("outside.disk: standard output: no space left on device;")
    assert len(ran.stderr.splitlines()) == 1


def test_a_reader_that_has_read_enough_is_no_fault(home):
    asked(home, QUESTION)
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "wb") as closed:
        ran = subprocess.run(
            [sys.executable, "-m", "witmark", "export", "--workspace", str(NOTES)],
            env=environment(home),
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=LONGEST_S,
            check=False,
        )
    assert ran.stderr == b""
    assert ran.returncode == 141


def test_scope_recovery_is_told_to_the_reader(home):
    with serving(NOTES, home) as (_, said):
        body = {"message": "what is reaming?", "asOf": "2026-06-20", "activeTarget": "fits"}
        found = json.loads(call(said, "/api/knowledge/conversation", body)[1])
    assert found["usedScope"]["scopeSource"] == "planner_scope_recovery"
    assert found["trace"]["scopeRecovery"]["recoveredSourcePaths"] == ["holes/reaming.md"]
    notices = [b for b in found["assistantBlocks"] if b["type"] == "system_notice"]
    assert notices[0]["notice"] == "scope_recovered"


@pytest.mark.parametrize(
    ("arguments", "workspace", "code"),
    [
        ((QUESTION,), "no-such-folder", "input.no-such-folder"),
        ((QUESTION,), "README.md", "input.no-such-folder"),
        ((QUESTION,), "empty", "input.no-markdown"),
        ((QUESTION, "--scope", "corpus:nowhere"), "notes", "input.unknown-scope"),
        ((QUESTION, "--scope", "nonsense"), "notes", "input.unknown-scope"),
        (("",), "notes", "input.request"),
        (("x" * 2001,), "notes", "input.request"),
    ],
)
@pytest.mark.clause("ANS-DOOR-04")
def test_bad_input_is_one_line_with_the_way_out(home, tmp_path, arguments, workspace, code):
    (tmp_path / "empty").mkdir()
    (tmp_path / "README.md").write_text("# a file\n", "utf-8")
    shutil.copytree(NOTES, tmp_path / "notes")
    ran = witmark("ask", *arguments, "--workspace", workspace, cwd=tmp_path, env=home)
    assert ran.code == 2
    assert ran.refusal.startswith(code + ": ")


@pytest.mark.clause("ANS-READ-05")
def test_notes_that_cannot_be_read_are_listed_and_stop_nothing(home, notes):
    (notes / "binary.md").write_bytes(bytes(range(256)) * 8)
    (notes / "gbk.md").write_bytes("过盈配合".encode("gbk") * 50)
    (notes / "bom.md").write_bytes(
        b"\xef\xbb\xbf---\ntitle: [broken\n---\r\n# Bom\r\n\r\nA bom is a mark.\r\n"
    )
    with (notes / "huge.md").open("wb") as huge:
        huge.truncate(100 * 1024 * 1024)
    ran = witmark("ingest", str(notes), cwd=ROOT, env=home)
    told = ran.out.decode() + ran.err
    assert ran.code == 0
    for name in ("binary.md", "gbk.md", "huge.md", "bom.md"):
        assert name in told
    assert asked(home, QUESTION, workspace=notes).code == 0
    assert (
        asked(home, "what is bom?", workspace=notes).out.decode().startswith("A bom is a mark.")
    )


def test_an_index_of_an_older_reader_is_made_anew(home, notes, tmp_path):
    asked(home, QUESTION, workspace=notes)
    [stamp] = (tmp_path / "home").rglob("reader")
    assert "unchanged" in witmark("ingest", str(notes), cwd=ROOT, env=home).out.decode()
    stamp.write_text("0", "utf-8")
    assert "changed" in witmark("ingest", str(notes), cwd=ROOT, env=home).out.decode()
    assert stamp.read_text("utf-8") != "0"


def test_notes_that_were_not_read_are_mentioned_beside_the_answer(home, notes):
    (notes / "gbk.md").write_bytes("过盈配合".encode("gbk") * 50)
    ran = asked(home, QUESTION, workspace=notes)
    assert ran.code == 0
    assert "1 note was not read" in ran.err


@pytest.mark.clause("ANS-DOOR-03")
def test_the_server_refuses_strangers(home):
    with serving(NOTES, home) as (_, said):
        body = {"message": QUESTION}
        path = "/api/knowledge/conversation"
        assert call(said, path, body, {"authorization": "Bearer wrong"})[0] == 401
        assert call(said, path, body, {"host": "evil.example"})[0] == 421
        assert call(said, path, body, {"origin": "http://evil.example"})[0] == 403
        assert call(said, path, {"message": "x" * 1_100_000})[0] == 413


@pytest.mark.clause("ANS-DOOR-02")
def test_readers_accept_absent_null_and_unknown_fields(home):
    with serving(NOTES, home) as (_, said):
        body = {
            "message": QUESTION,
            "scope": None,
            "topK": None,
            "sentByAFutureClient": {"a": 1},
        }
        assert call(said, "/api/knowledge/conversation", body)[0] == 200
        status, data, _ = call(said, "/api/knowledge/conversation", {"topK": 3})
    assert status == 422
    assert json.loads(data)["code"] == "input.request"
    assert "message" in json.loads(data)["message"]


@pytest.mark.clause("ANS-FOCUS-04")
def test_focus_diagnostics_survive_later_writes_of_the_session(home):
    with serving(NOTES, home) as (_, said):
        body = {"message": QUESTION, "sessionId": "s1", "asOf": "2026-06-20"}
        first = json.loads(call(said, "/api/knowledge/conversation", body)[1])
        clicked = {"sessionId": "s1", "citation": first["citations"][0], "title": "t"}
        focus = json.loads(call(said, "/api/knowledge/source-focus", clicked)[1])
        panel = {"sessionId": "s1", "panelState": {"layout": {"split": 2}}}
        call(said, "/api/knowledge/session-state/panel", panel)
        call(said, "/api/knowledge/conversation", body)
        state = json.loads(call(said, "/api/knowledge/session-state?sessionId=s1")[1])
        bundle = json.loads(call(said, "/api/knowledge/export")[1])
    assert focus["diagnostics"]["inlineHighlightStrategy"] == "source_offset_provenance"
    [start, end] = focus["highlights"][0]
    assert focus["text"][start:end] == first["citations"][0]["snippet"]
    assert state["panelState"]["layout"] == {"split": 2}
    assert len(state["panelState"]["graphFocus"]["reports"]) == 1
    assert len(state["conversation"]["turns"]) >= 1
    assert len(bundle["runtime"]["graphFocusReports"]) == 1


@pytest.mark.clause("ANS-LIB-01")
def test_an_ingest_over_http_reads_what_changed_and_is_searchable_at_once(home, notes):
    with serving(notes, home) as (_, said):
        (notes / "holes" / "boring.md").write_text(
            "# Boring\n\nBoring widens a hole.\n", "utf-8"
        )
        body = {"operations": [{"op": "upsert", "path": "holes/boring.md"}]}
        told = json.loads(call(said, "/api/knowledge/ingest-diff", body)[1])
        asked_now = {"message": "what is boring?", "asOf": "2026-06-20"}
        answer = json.loads(call(said, "/api/knowledge/conversation", asked_now)[1])
        state = json.loads(call(said, "/api/knowledge/state")[1])
        (notes / "holes" / "boring.md").unlink()
        whole = json.loads(call(said, "/api/knowledge/ingest-diff", {})[1])
        folders = json.loads(call(said, "/api/folders")[1])
        rails = json.loads(call(said, "/api/knowledge/ingest/guardrails/evaluate", {})[1])
    assert told["added"] == ["holes/boring.md"]
    assert answer["answer"].startswith("Boring widens a hole.")
    assert state["documents"] == 10
    assert whole["removed"] == ["holes/boring.md"]
    assert {"corpusId": "fits", "documents": 6} in folders
    assert (rails["changedDocuments"], rails["deletedDocuments"]) == (1, 1)
    assert rails["ingestP95Ms"] > 0


@pytest.mark.clause("ANS-LIB-01")
def test_each_operation_says_what_came_of_it_for_the_folder_decides(home, notes):
    with serving(notes, home) as (_, said):
        (notes / "holes" / "reaming.md").rename(notes / "reamed.md")
        operations = [
            {"op": "move", "path": "holes/reaming.md", "toPath": "reamed.md"},
            {"op": "delete", "path": "fits/clearance fit.md"},
            {"op": "upsert", "path": "no such note.md"},
            {"op": "delete", "path": "nor this.md"},
        ]
        body = {"operations": operations, "incremental": False}
        told = json.loads(call(said, "/api/knowledge/ingest-diff", body)[1])
    outcomes = [one["outcome"] for one in told["operations"]]
    assert outcomes == ["applied", "still_there", "not_there", "applied"]
    assert told["moved"] == [["holes/reaming.md", "reamed.md"]]
    assert told["changed"] == ["fits/clearance fit.md"]  # read anew, as it was asked for


@pytest.mark.clause("ANS-LIB-01")
@pytest.mark.clause("ANS-DOOR-02")
def test_requests_out_of_shape_are_refused_and_nothing_is_kept_of_them(home):
    diff, panel = "/api/knowledge/ingest-diff", "/api/knowledge/session-state/panel"
    focus = "/api/knowledge/source-focus"
    wrong = [
        *(
            (diff, {"operations": [{"op": "upsert", "path": path}]})
            for path in (
                "/etc/a.md",
                "../a.md",
                "a/../../b.md",
                "a.txt",
                ".git/a.md",
                "",
                "\0.md",
            )
        ),
        (diff, {"operations": [{"op": "move", "path": "a.md"}]}),
        (diff, {"operations": [{"op": "move", "path": "a.md", "toPath": "../b.md"}]}),
        (panel, {"sessionId": "s", "panelState": {"graphFocus": [1]}}),
        (panel, {"sessionId": "s", "panelState": {"graphFocus": {"reports": [1]}}}),
        (panel, {"sessionId": "s", "panelState": {"a": float("nan")}}),
        (panel, {"sessionId": "s", "panelState": {"a": "\ud800"}}),
        (focus, {"citations": [1]}),
        (focus, {"citation": {"snippet": 7}}),
        (focus, {"matchedSpans": [{"startOffset": -1}]}),
    ]
    with serving(NOTES, home) as (_, said):
        for path, body in wrong:
            status, data, _ = call(said, path, body)
            assert (status, json.loads(data)["code"]) == (422, "input.request"), body
        state = json.loads(call(said, "/api/knowledge/state")[1])
        ignored = {"sessionId": "s", "panelState": {"graphFocus": None, "b": 1}}
        kept = json.loads(call(said, panel, ignored)[1])
    assert state["failures"] == []
    assert kept["panelState"] == {"b": 1}


@pytest.mark.clause("ANS-DOOR-02")
def test_what_is_not_there_is_404_and_says_so_in_the_shape_of_every_error(home):
    nothing = "sha256:" + "0" * 64
    with serving(NOTES, home) as (_, said):
        found = [
            call(said, path, body)
            for path, body in (
                ("/api/knowledge/runs/run-" + "0" * 24, None),
                ("/evidence/" + nothing, None),
                ("/no/such/endpoint", None),
                ("/api/knowledge/state", {}),
            )
        ]
    assert [status for status, _, _ in found] == [404, 404, 404, 405]
    assert all(set(json.loads(data)) == {"code", "message", "hint"} for _, data, _ in found)


@pytest.mark.clause("ANS-FOCUS-04")
def test_a_card_of_any_age_opens_by_whatever_it_names_its_place(home):
    with serving(NOTES, home) as (_, said):
        body = {"message": QUESTION, "asOf": "2026-06-20"}
        first = json.loads(call(said, "/api/knowledge/conversation", body)[1])
        point = first["knowledgePoints"][0]
        words, path = point["citations"][0]["snippet"], point["sourcePath"]
        cards = [
            {"citations": point["citations"]},
            {"matchedSpans": point["matchedSpans"], "citations": None},
            {"sourcePath": path, "snippet": words},
            {"sourcePath": path, "text": words},
            point,
        ]
        opened = [
            json.loads(call(said, "/api/knowledge/source-focus", card)[1]) for card in cards
        ]
    marked = [[one["text"][a:b] for a, b in one["highlights"]] for one in opened]
    assert all(words in one for one in marked[:1] + marked[2:])
    assert marked[1]
    assert {one["drift"] for one in opened} == {"current"}


def test_a_study_session_is_kept_beside_everything_else_of_the_session(home):
    with serving(NOTES, home) as (_, said):
        panel = {"sessionId": "s", "panelState": {"layout": {"split": 2}}}
        call(said, "/api/knowledge/session-state/panel", panel)
        study = {"sessionId": "s", "studySession": {"deck": ["a"]}}
        told = json.loads(call(said, "/api/knowledge/session-state/study", study)[1])
        kept = json.loads(call(said, "/api/knowledge/session-state?sessionId=s")[1])
    assert told == kept
    assert kept["studySession"] == {"deck": ["a"]}
    assert kept["panelState"]["layout"] == {"split": 2}


def test_a_query_tells_why_each_note_was_found_and_records_no_run(home):
    with serving(NOTES, home) as (_, said):
        body = {"query": "interference fit", "asOf": "2026-06-20", "topK": 2}
        found = json.loads(call(said, "/api/knowledge/query", body)[1])
        runs = json.loads(call(said, "/api/knowledge/runs")[1])
    first = found["results"][0]
    assert first["documentId"] == "fits/interference fit.md"
    assert first["features"]["alias"] > 0
    assert first["citations"][0]["startLine"] >= 1
    assert found["trace"]["planner"]["aliasHits"]
    assert runs == []


def test_ctrl_c_ends_the_server_cleanly(home):
    with serving(NOTES, home) as (server, _):
        server.send_signal(signal.SIGINT)
        server.wait(timeout=LONGEST_S)
        assert "Traceback" not in server.stderr.read()
        assert server.returncode in {0, 130}


def test_another_index_version_says_what_to_do(home, tmp_path):
    asked(home, QUESTION)
    [library] = (tmp_path / "home").rglob("library.sqlite3")
    for side in library.parent.glob("library.sqlite3-*"):
        side.unlink()
    library.write_bytes(b"not a database at all" * 1000)
    ran = asked(home, QUESTION)
    assert ran.code == 3
    assert os.fsdecode(library.name) in ran.refusal
