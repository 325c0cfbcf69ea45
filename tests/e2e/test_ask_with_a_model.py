"""A workspace asked with a model behind it: scripted or embedded, by both doors, offline."""

import json
import subprocess
import sys

import pytest
from support_cli import ROOT, environment, witmark
from support_doors import call, serving

NOTES = ROOT / "samples" / "notes"
QUESTION = "what is a press fit?"
SHORTER = "An interference fit is a fit whose shaft is larger than its hole."
AS_OF = ("--as-of", "2026-06-20")
SCRIPTED = """
[models.profiles.script]
provider = "scripted"
model = "s-1"
base_url = "script.json"
retries = 0
[models.use]
"answers.compose" = ["script"]
"""
EMBEDDED = """
[models.profiles.own]
provider = "embedded"
model = "analyst-1"
[models.use]
answers = ["own"]
"""


@pytest.fixture
def home(tmp_path):
    return {"WITMARK_HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "none")}


def settings(tmp_path, *say, text=SCRIPTED):
    rows = [{"purpose": "answers.compose", "say": list(say)}]
    (tmp_path / "script.json").write_text(
        json.dumps({"format": "witmark.script/1", "rows": rows}), "utf-8"
    )
    (tmp_path / "witmark.toml").write_text(text, "utf-8")
    return ("--config", str(tmp_path / "witmark.toml"))


def good():
    said = {"text": SHORTER, "exhibits": ["E1"]}
    return {"json": {"sentences": [said], "not_answered": False, "reason": ""}}


def asked(home, *options, question=QUESTION):
    return witmark(
        "ask", question, "--workspace", str(NOTES), *AS_OF, *options, cwd=ROOT, env=home
    )


def run_of(ran):
    return json.loads(ran.out)["knowledgeRun"]


@pytest.mark.clause("ANS-MOD-03", "ANS-REP-01")
def test_a_good_reply_is_the_answer_with_its_source_and_replays(home, tmp_path):
    config = settings(tmp_path, good())
    ran = asked(home, *config, "--trace")
    out = ran.out.decode()
    assert ran.code == 0
    assert out.startswith(f"{SHORTER} [c1]")
    assert "fits/interference fit.md:12:1" in out
    assert "Worded by the model s-1" in out
    assert "model used: 1 call" in out
    listed = witmark("runs", "--workspace", str(NOTES), cwd=ROOT, env=home).out.decode()
    assert "model used: 1 call" in listed
    run = listed.split()[0]
    replayed = witmark("replay", run, "--workspace", str(NOTES), cwd=ROOT, env=home)
    assert (replayed.code, replayed.out.decode().split(";")[0]) == (0, f"{run}: identical")
    shown = witmark("runs", "show", run, "--workspace", str(NOTES), cwd=ROOT, env=home)
    assert "call 1 script s-1: accepted" in shown.out.decode()


@pytest.mark.clause("ANS-MOD-05", "ANS-MOD-12")
def test_without_a_usable_reply_the_answer_is_the_one_without_a_model(home, tmp_path):
    plain = asked(home)
    for say in (
        ["no", "nor this", "nor that"],
        [{"fail": "status-503"}],
        [{"fail": "status-401"}],
    ):
        ran = asked(home, *settings(tmp_path, *say))
        assert (ran.code, ran.out) == (0, plain.out)
        told = [line for line in ran.err.splitlines() if "not worded by the model" in line]
        assert len(told) == 1
        assert "; more: " in told[0]
        assert " runs show " in told[0]
    ran = asked(home, *settings(tmp_path, good()), "--no-model")
    assert (ran.code, ran.out) == (0, plain.out)


@pytest.mark.clause("KER-MOD-07", "KER-MOD-22")
def test_the_way_out_of_a_spent_question_is_named_and_leads_out(home, tmp_path):
    lacking = SCRIPTED.replace("script.json", "gone.json")
    missing = asked(home, *settings(tmp_path, "a", "b", "c", text=lacking), "--json")
    assert run_of(missing)["modelDraft"]["calls"] == []
    assert "blocked" in missing.err
    assert "mend what is wrong or missing and ask again" in missing.err
    spent = asked(home, *settings(tmp_path, "a", "b", "c"))
    assert (spent.code, "not worded by the model (rejected)" in spent.err) == (0, True)
    assert "another model or other parameters in [models]" in spent.err
    anew = asked(
        home, *settings(tmp_path, good(), text=SCRIPTED.replace("s-1", "s-2")), "--json"
    )
    assert run_of(anew)["modelDraft"]["outcome"] == "used"
    assert "not worded" not in anew.err


@pytest.mark.clause("ANS-MOD-12")
def test_a_question_that_nothing_answers_ends_with_1_with_a_model_too(home, tmp_path):
    ran = asked(home, *settings(tmp_path, good()), question="who is the king of Spain?")
    assert ran.code == 1


@pytest.mark.clause("ANS-MOD-12")
def test_without_a_profile_the_bytes_are_those_without_settings(home, tmp_path):
    (tmp_path / "witmark.toml").write_text("[models]\n", "utf-8")
    config = ("--config", str(tmp_path / "witmark.toml"))
    assert asked(home, "--json").out == asked(home, "--json", *config).out
    assert "modelDraft" not in run_of(asked(home, "--json"))


@pytest.mark.clause("ANS-MOD-12")
def test_a_model_that_is_wanted_and_not_set_up_is_the_askers_mistake(home):
    for option in (("--model",), ("--retry-id", "r1")):
        ran = asked(home, *option)
        assert ran.code == 2
        assert ran.refusal.startswith("input.no-model-profile: answers.compose: ")
    assert asked(home, "--no-model", "--retry-id", "r1").code == 2


@pytest.mark.clause("ANS-MOD-10")
def test_the_embedded_analyst_works_offline_end_to_end(home, tmp_path):
    config = settings(tmp_path, text=EMBEDDED)
    first, second, third = (asked(home, *config, "--json") for _ in range(3))
    assert second.out == third.out
    assert [run_of(one)["modelDraft"]["total"]["calls"] for one in (first, second)] == [2, 0]
    assert run_of(first)["modelDraft"]["outcome"] == "used"
    assert json.loads(first.out)["trace"]["draftBy"] == "model"


@pytest.mark.clause("ANS-MOD-12", "ANS-DOOR-01")
def test_both_doors_ask_the_model_and_give_the_same_bytes(home, tmp_path):
    config = settings(tmp_path, good())
    asked(home, *config)
    ran = asked(home, *config, "--json")  # a kept reply, by either door
    body = {"message": QUESTION, "asOf": "2026-06-20", "unknownField": 1}
    with serving(NOTES, home, *config) as (_, said):
        status, answer, _ = call(said, "/api/knowledge/conversation", body)
        assert (status, answer) == (200, ran.out.removesuffix(b"\n"))
        off = {**body, "useModel": False}
        status, answer, _ = call(said, "/api/knowledge/conversation", off)
        assert "modelDraft" not in json.loads(answer)["knowledgeRun"]
    with serving(NOTES, home) as (_, said):
        wanting = {**body, "useModel": True}
        status, answer, _ = call(said, "/api/knowledge/conversation", wanting)
        assert (status, json.loads(answer)["code"]) == (422, "input.no-model-profile")


@pytest.mark.clause("ANS-MOD-05")
def test_a_damaged_journal_of_calls_names_the_answer_without_a_model(home, tmp_path):
    config = settings(tmp_path, good())
    asked(home, *config)
    [journal] = (tmp_path / "home").rglob("calls/journals/*.jsonl")
    whole = journal.read_bytes()
    journal.write_bytes(whole.replace(b"model.sent", b"model.sens", 1))
    ran = asked(home, *config)
    assert ran.code == 3
    assert "--no-model answers without it" in ran.refusal
    assert asked(home, *config, "--no-model").code == 0
    assert journal.read_bytes() != whole


@pytest.mark.clause("ANS-MOD-09")
def test_an_export_lists_every_call_by_opentelemetrys_names_and_their_total(home, tmp_path):
    asked(home, *settings(tmp_path, "no JSON", good()))
    bundle = witmark("export", "--workspace", str(NOTES), cwd=ROOT, env=home)
    calls = json.loads(bundle.out)["runtime"]["modelCalls"]
    assert [one["witmark.end"] for one in calls["calls"]] == ["refused", "accepted"]
    assert {one["gen_ai.provider.name"] for one in calls["calls"]} == {"scripted"}
    assert calls["total"]["calls"] == 2
    (tmp_path / "bundle.json").write_bytes(bundle.out)
    verified = witmark(
        "export", "--verify", str(tmp_path / "bundle.json"), "--workspace", str(NOTES),
        cwd=ROOT, env=home,
    )  # fmt: skip
    assert verified.code == 0


@pytest.mark.clause("ANS-MOD-12")
def test_an_ask_without_a_model_loads_nothing_of_one(home):
    code = (
        "import sys; sys.argv = ['witmark', 'ask', 'what is a press fit?', '--workspace', "
        f"{str(NOTES)!r}, '--as-of', '2026-06-20']\n"
        "from witmark.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert end.code == 0, end.code\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in "
        "('asyncio', 'pydantic_ai', 'httpx', 'openai', 'anthropic') or name in "
        "('witmark.answers.modelling', 'witmark.answers.model_checks', "
        "'witmark.bootstrap.settings', 'witmark.bootstrap.models', "
        "'witmark.answers.rerunning')))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(home),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert ran.stdout.splitlines()[-1] == "[]"
