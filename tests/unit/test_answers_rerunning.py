"""A run is made again from what was kept of it; one bit elsewhere, and it is refused."""

import json
import random
import shutil
from dataclasses import replace

import pytest
from model_asks import AS_OF, PROFILE, SAMPLE_NOTES, reply

from witmark.answers import runs
from witmark.bootstrap import composing
from witmark.bootstrap.answering import AnswersRoom
from witmark.bootstrap.rerunning import replay_run
from witmark.kernel.canon import canonical_json
from witmark.kernel.errors import (
    DanglingManifestError,
    IntegrityError,
    NothingThereError,
    ReplayDiffersError,
)
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.prompt import read_prompt
from witmark.testing.models import (
    PlayedProvider,
    SteadyClock,
    misconfigured,
    no_key,
    unreachable,
)

QUESTION = "what is a press fit?"
LINE = (
    "An interference fit is a fit whose shaft is always larger than its hole; after assembly"
    " the pressure of the elastic strain carries the torque."
)
GOOD = reply((LINE, "E1"))
SHORTER = reply(("An interference fit is a fit whose shaft is larger than its hole.", "E1"))
BITS = 50

ENDINGS = {
    "used": (GOOD,),
    "shortened": ("no JSON", SHORTER),
    "rejected": ("a", "b", "c"),
    "abstained": (reply(not_answered=True, reason="It does not say."),),
    "waiting": (unreachable(),),
    "blocked": (misconfigured(),),
}


class Scene:
    """A workspace of its own with one ask in it."""

    def __init__(self, folder, monkeypatch, *answers, most_bytes=4_000_000):
        monkeypatch.setenv("WITMARK_HOME", str(folder / "home"))
        self.notes = shutil.copytree(SAMPLE_NOTES, folder / "notes")
        self.provider, self.clock = PlayedProvider(answers), SteadyClock()
        self.gateway = DurableGateway(
            ModelRoutes({"answers": (PROFILE,)}, most_bytes),
            {"played": self.provider},
            self.clock,
        )
        self.room = AnswersRoom(str(self.notes), day=lambda: AS_OF, gateway=self.gateway)
        self.room.refresh()

    def ask(self, question=QUESTION, **how):
        return json.loads(self.room.ask(question, **how))["knowledgeRun"]

    def replay(self, run):
        return replay_run(self.room, run["runId"], self.gateway.readers)

    def calls(self):
        """Every file that the calls left, lock files aside."""
        folder = self.room.workspace.home / composing.CALLS_FOLDER
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return [path for path in files if path.suffix != ".lock"]


@pytest.mark.clause("ANS-REP-01")
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_run_replays_without_a_provider_and_without_the_notes(ending, tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch, *ENDINGS[ending])
    run = scene.ask()
    wanted = "used" if ending == "shortened" else ending
    assert run["modelDraft"]["outcome"] == wanted
    asked = len(scene.provider.asked)
    for note in scene.notes.rglob("*.md"):
        note.write_text("# Other\n\nSomething else.\n")
    scene.room.refresh()
    found = scene.replay(run)
    assert found.calls == len(run["modelDraft"]["calls"])
    assert len(scene.provider.asked) == asked


@pytest.mark.clause("ANS-REP-01")
def test_a_request_that_was_too_large_replays(tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch, GOOD, most_bytes=500)
    run = scene.ask()
    assert run["modelDraft"]["outcome"] == "too-large"
    assert scene.replay(run).calls == 0


@pytest.mark.clause("ANS-REP-01")
def test_an_ask_that_another_process_held_replays(tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch, GOOD)
    subject = scene.ask()["modelDraft"]["binding"]["subject"]
    disk = composing.calls_disk(scene.room.workspace.home)
    with disk.held(f"journals/{subject}.lock"):
        run = scene.ask()
    assert (run["modelDraft"]["outcome"], run["modelDraft"]["because"]) == ("waiting", "held")
    assert scene.replay(run).calls == 0


@pytest.mark.clause("ANS-REP-01", "KER-MOD-21", "KER-MOD-22")
def test_a_run_that_lacked_a_key_and_one_whose_settings_came_too_late_replay(
    tmp_path, monkeypatch
):
    scene = Scene(tmp_path, monkeypatch, "a", "b", "c")
    scene.provider._missing = [no_key()]
    blocked = scene.ask()
    spent = scene.ask()
    scene.gateway._routes = replace(scene.gateway._routes, max_invalid_responses=9)
    late = scene.ask()
    assert "9 since" in late["modelDraft"]["because"]
    for run, calls in ((blocked, 0), (spent, 3), (late, 0)):
        assert scene.replay(run).calls == calls


@pytest.mark.clause("ANS-REP-02")
def test_a_run_replays_after_its_journal_has_grown(tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch, unreachable(), GOOD)
    first = scene.ask()
    scene.clock.pass_s(10)
    second = scene.ask()
    outcomes = [run["modelDraft"]["outcome"] for run in (first, second)]
    assert outcomes == ["waiting", "used"]
    assert [scene.replay(run).calls for run in (first, second)] == [1, 1]


@pytest.mark.clause("ANS-REP-02", "ANS-MOD-09")
def test_a_run_that_used_a_kept_reply_says_no_call_and_replays(tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch, "no JSON", GOOD)
    first, second = scene.ask(), scene.ask()
    assert [runs.model_line(run["modelDraft"]) for run in (first, second)] == [
        "model used: 2 calls, 14+6 tokens, 2.6e-05 EUR, 0 ms",
        "model used: a kept reply, no call",
    ]
    assert [scene.replay(run).calls for run in (first, second)] == [2, 0]


@pytest.mark.clause("ANS-REP-03")
@pytest.mark.parametrize("ending", ["used", "rejected"])
def test_a_flipped_bit_in_anything_that_a_run_is_bound_to_is_refused(
    ending, tmp_path, monkeypatch
):
    scene = Scene(tmp_path, monkeypatch, *ENDINGS[ending])
    run = scene.ask()
    cited = {one["sourceHash"].removeprefix("sha256:") for one in run["citations"]}
    blobs = scene.room.workspace.home / "blobs" / "sha256"
    sources = [blobs / name[:2] / name[2:] for name in sorted(cited)]
    files = [*scene.calls(), *sources]
    assert len(files) == 3 + len(cited)  # the journal, the schema, plan and pack
    chosen = random.Random(4)  # noqa: S311 - the same places every time
    for file in files:
        whole = file.read_bytes()
        file.chmod(0o644)
        for at in sorted(chosen.sample(range(len(whole)), BITS)):
            bit = 1 << chosen.randrange(8)
            file.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
            with pytest.raises(IntegrityError):
                scene.replay(run)
        file.write_bytes(whole)
    assert scene.replay(run)


@pytest.mark.clause("ANS-REP-03")
def test_a_flipped_bit_in_the_record_is_refused(tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch, GOOD)
    run = scene.ask()
    whole = canonical_json(run)
    chosen = random.Random(4)  # noqa: S311 - the same places every time
    for at in sorted(chosen.sample(range(len(whole)), BITS)):
        bent = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
        monkeypatch.setattr(scene.room.shelf, "run", lambda _, bent=bent: bent)
        with pytest.raises(IntegrityError):
            scene.replay(run)


@pytest.mark.clause("ANS-REP-03")
@pytest.mark.parametrize("gone", range(3))
def test_whatever_is_gone_is_missed(gone, tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch, GOOD)
    run = scene.ask()
    scene.calls()[gone].unlink()
    with pytest.raises(IntegrityError):
        scene.replay(run)


@pytest.mark.clause("ANS-REP-03")
def test_another_prompt_is_noticed(tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch, GOOD)
    run = scene.ask()
    raw = f"---\npurpose: {composing.PURPOSE}\ninputs: a\noutput: b\n---\nBe kind.\n".encode()
    monkeypatch.setattr(composing, "prompt", lambda _, name: read_prompt(raw, name))
    with pytest.raises(ReplayDiffersError, match="prompt"):
        scene.replay(run)


@pytest.mark.clause("ANS-REP-03")
@pytest.mark.parametrize(
    ("where", "bent"),
    [
        ("/answer/text", lambda run: run["answer"].update(text="Otherwise.")),
        ("/answer/answered", lambda run: run["answer"].update(answered=False)),
        ("/citations/0/snippet", lambda run: run["citations"][0].update(snippet="Else.")),
        ("/citations/0/startLine", lambda run: run["citations"][0].update(startLine=1)),
        ("/citations", lambda run: run["answer"]["sentences"][0].update(citationIds=[])),
        ("/quality/score", lambda run: run["quality"].update(score=0.5)),
        (
            "/quality/gates/7",
            lambda run: run["graphContext"]["diagnostics"].update(graphOpsAvailable=False),
        ),
        (
            "/answerReleaseReview/decision",
            lambda run: run["answerReleaseReview"]["checks"][3].update(outcome="fails"),
        ),
        (
            "/graphContext/fragments/0/span/snippet",
            lambda run: run["graphContext"]["fragments"][0]["span"].update(snippet="Else."),
        ),
        ("/quality/status", lambda run: run["quality"].update(status="caution")),
        ("/quality/gates/0", lambda run: run["evidenceClaims"][0].update(status="not_proven")),
        ("/reviewCards/0/cardId", lambda run: run["reviewCards"][0].update(question="Eh?")),
        ("/reviewState/pending", lambda run: run["reviewState"].update(pending=7)),
        ("/summary/citationCount", lambda run: run["summary"].update(citationCount=9)),
    ],
)
def test_a_record_without_a_model_that_contradicts_itself_is_refused(
    where, bent, tmp_path, monkeypatch
):
    """It may bear the right name of its own: somebody wrote it so."""
    scene = Scene(tmp_path, monkeypatch)
    run = scene.ask(use_model=False)
    assert "modelDraft" not in run
    assert scene.replay(run).citations == len(run["citations"])
    bent(run)
    run["runId"] = runs.run_id_of(run)
    scene.room.shelf.put_run(run["runId"], canonical_json(run))
    with pytest.raises(ReplayDiffersError) as refused:
        scene.replay(run)
    assert str(refused.value.place).startswith(run["runId"] + where)


@pytest.mark.clause("ANS-REP-03")
@pytest.mark.parametrize(
    ("where", "bent"),
    [
        ("/language", lambda run: run.update(language="zh")),
        ("/modelDraft/because", lambda run: run["modelDraft"].update(because="no reason")),
        ("/modelDraft/calls/0", lambda run: run["modelDraft"]["calls"][0].update(x=1)),
        ("/modelDraft/total", lambda run: run["modelDraft"]["total"].update(calls=9)),
        (
            "/modelDraft/binding/requests",
            lambda run: run["modelDraft"]["binding"].update(requests=[]),
        ),
        (
            "/graphContext/contextDigest",
            lambda run: run["graphContext"].update(contextDigest=""),
        ),
        (
            "/answerReleaseReview/checks/0/because",
            lambda run: run["answerReleaseReview"]["checks"][0].update(because="so"),
        ),
    ],
)
def test_a_record_with_a_model_is_made_again_to_the_last_field(
    where, bent, tmp_path, monkeypatch
):
    scene = Scene(tmp_path, monkeypatch, GOOD)
    run = scene.ask()
    bent(run)
    run["runId"] = runs.run_id_of(run)
    scene.room.shelf.put_run(run["runId"], canonical_json(run))
    with pytest.raises(ReplayDiffersError) as refused:
        scene.replay(run)
    assert str(refused.value.place).startswith(run["runId"] + where)


def test_runs_of_every_kind_of_question_replay(tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch)
    for question in (
        "how do I learn interference fit?",
        "compare clearance fit and interference fit",
        "is press guide 2018 still valid?",
        "who is the king of Spain?",
        "什么是过盈配合？",
        "压装前要先做什么？",
    ):
        for how in ({}, {"use_model": False}):
            scene.replay(scene.ask(question, **how))


def test_a_run_that_was_never_made_is_the_askers_mistake(tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch)
    with pytest.raises(NothingThereError):
        replay_run(scene.room, "run-0")


def test_a_source_that_is_gone_is_named(tmp_path, monkeypatch):
    scene = Scene(tmp_path, monkeypatch)
    run = scene.ask(use_model=False)
    name = run["citations"][0]["sourceHash"].removeprefix("sha256:")
    (scene.room.workspace.home / "blobs" / "sha256" / name[:2] / name[2:]).unlink()
    with pytest.raises(DanglingManifestError):
        scene.replay(run)
