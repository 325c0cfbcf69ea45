"""``witmark models``: what is set up, and what of it answers."""

import pytest
from support_cli import witmark

from witmark.bootstrap import checking
from witmark.bootstrap.settings import load_settings
from witmark.review.analysts import analysts
from witmark.testing.model_server import Answer, ModelServer

CANARY = "canary-4fa1-key-that-nobody-may-read"
SETTINGS = """
[models.profiles.claude]
provider = "anthropic"
model = "m-1"
base_url = "{anthropic}"
key_env = "CANARY_KEY"
[models.profiles.local]
provider = "openai"
model = "m-2"
base_url = "{openai}"
key_env = "CANARY_KEY"
[models.profiles.rules]
provider = "embedded"
model = "rules"
[models.profiles.script]
provider = "scripted"
model = "script"
base_url = "script.jsonl"
[models.use]
answers = ["local", "claude"]
"""

pytestmark = pytest.mark.clause("KER-MOD-16", "KER-MOD-17", "KER-MOD-18")


@pytest.fixture
def server():
    with ModelServer(Answer(text='{"ok": true}')) as server:
        yield server


@pytest.fixture
def run(server, tmp_path):
    """Run a command in a folder with settings, and see that it leaves nothing behind."""
    text = SETTINGS.format(openai=server.url_of("openai"), anthropic=server.url_of("anthropic"))
    (tmp_path / "witmark.toml").write_text(text)
    (tmp_path / "script.jsonl").write_text(
        '{"purpose": "models", "say": [{"json": {"ok": true}}]}\n'
    )
    before = sorted(tmp_path.rglob("*"))

    def ran(*arguments, key=CANARY):
        env = {"CANARY_KEY": key, "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
        done = witmark("models", *arguments, cwd=tmp_path, env=env)
        assert CANARY not in done.err + done.out.decode()
        assert sorted(tmp_path.rglob("*")) == before
        return done

    return ran


def rows_of(ran):
    return {line.split()[0]: line for line in ran.out.decode().splitlines()}


def test_all_that_work_are_said_to_work_with_one_request_each(run, server):
    ran = run("check")
    rows = rows_of(ran)
    assert ran.code == 0
    assert list(rows) == ["profile", "claude", "local", "rules", "script"]
    assert all(rows[name].endswith("works") for name in ("claude", "local", "script"))
    assert rows["rules"].endswith("serves nothing")
    assert "7+3" in rows["local"]
    assert sorted(one.path for one in server.received) == [
        "/v1/chat/completions",
        "/v1/messages",
    ]


def test_what_does_not_work_is_said_with_the_reason(run, server):
    server.answer = Answer("401", text=f"no such key: {CANARY}")
    ran = run("check")
    rows = rows_of(ran)
    assert ran.code == 1
    assert "status-401: status 401: no such key: [key]" in rows["claude"]
    assert "no such key: [key]" in rows["local"]
    assert rows["script"].endswith("works")
    assert len(server.received) == 2


def test_an_answer_in_another_form_is_no_yes(run, server):
    server.answer = Answer(text="Sure! {}")
    assert "answers, but not in JSON" in rows_of(run("check"))["local"]
    server.answer = Answer(text='{"ok": "yes"}')
    assert "answers, but not in the form asked" in rows_of(run("check"))["local"]


def checked(tmp_path, use, *limits):
    profiles = [f'[models.profiles.{n}]\nprovider = "embedded"\nmodel = "m"' for n in "ab"]
    script = '[models.profiles.s]\nprovider = "scripted"\nmodel = "m"\nbase_url = "s.jsonl"'
    text = "\n".join(["[models]", *limits, *profiles, script, "[models.use]", use])
    (tmp_path / "witmark.toml").write_text(text)
    (tmp_path / "s.jsonl").write_text(
        '{"purpose": "models", "say": [{"json": {"ok": true}}]}\n'
    )
    return witmark("models", "check", cwd=tmp_path, env={"XDG_CONFIG_HOME": str(tmp_path)})


def test_an_embedded_profile_works_if_everything_it_serves_has_an_analyst(tmp_path):
    use = 'review = ["a"]\n"diagnosis.decide" = ["a"]\n"answers.compose" = ["b"]'
    ran = checked(tmp_path, use)
    purposes = "diagnosis.decide, review.interfaces, review.judge, review.roles, review.units"
    assert ran.code == 0
    assert rows_of(ran)["a"].endswith(f"has an analyst for {purposes}")
    assert rows_of(ran)["b"].endswith("has an analyst for answers.compose")


def test_an_embedded_profile_that_lacks_an_analyst_does_not_work(tmp_path, monkeypatch):
    """As in an installation whose review desk has fewer of them."""
    use = 'review = ["a"]\n"answers.compose" = ["b"]'
    assert checked(tmp_path, use).code == 0
    fewer = {name: one for name, one in analysts().items() if name != "review.judge"}
    monkeypatch.setattr(checking, "analysts", lambda: fewer)
    settings = load_settings(tmp_path / "witmark.toml")
    one, two, _ = checking.check_models(settings)
    assert (one.works, one.says) == (False, "no analyst for review.judge")
    assert (two.works, two.says) == (True, "has an analyst for answers.compose")


def test_a_request_that_is_too_large_leaves_the_others_checked(tmp_path):
    ran = checked(tmp_path, 'review = ["s", "a"]', "max_request_bytes = 10")
    assert ran.code == 1
    assert list(rows_of(ran)) == ["profile", "a", "b", "s"]
    assert "raise max_request_bytes" in rows_of(ran)["s"]


def test_a_key_that_is_not_set_is_named(run, server):
    ran = run("check", key="")
    assert ran.code == 1
    assert "no-key: the environment variable CANARY_KEY is not set" in rows_of(ran)["claude"]
    assert "CANARY_KEY (not set)" in rows_of(run("list", key=""))["claude"]
    assert server.received == []


def test_the_list_says_who_serves_what_and_asks_nobody(run, server):
    ran = run("list")
    rows = rows_of(ran)
    assert ran.code == 0
    address = server.url_of("openai")
    assert (
        rows["local"].split() == f"local openai m-2 {address} CANARY_KEY (set) answers".split()
    )
    assert "CANARY_KEY (set)" in rows["claude"]
    assert rows["rules"].split() == ["rules", "embedded", "rules", "-", "none", "nothing"]
    assert server.received == []


def test_wrong_settings_are_the_callers_to_mend(tmp_path):
    (tmp_path / "witmark.toml").write_text("[models]\nmax = 3\n")
    for what in ("check", "list"):
        ran = witmark("models", what, cwd=tmp_path)
        assert ran.code == 2
        assert ran.refusal.startswith(
            "input.settings: witmark.toml: models.max: no such setting"
        )


def test_without_settings_there_is_nothing_to_check(tmp_path):
    env = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert witmark("models", "list", cwd=tmp_path, env=env).code == 0
    ran = witmark("models", "check", cwd=tmp_path, env=env)
    assert (ran.code, ran.refusal.split(":")[0]) == (2, "input.no-model-profile")
    assert witmark("models", "check", "--config", "gone.toml", cwd=tmp_path, env=env).code == 2
