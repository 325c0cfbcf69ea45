"""``witmark review`` with a model of the settings, as a process of its own, offline."""

import json

import pytest
from support_cli import BRACKET, COVER, witmark

from witmark.testing.model_server import Answer, ModelServer

SETTINGS = """
[models.profiles.here]
provider = "embedded"
model = "analyst"
takes_images = true
prices = { input_per_million = 1.0, output_per_million = 2.0, currency = "EUR" }

[models.use]
review = ["here"]
"""


@pytest.fixture
def room(tmp_path):
    (tmp_path / "mine.toml").write_text(SETTINGS)
    return tmp_path


def run(room, *arguments):
    return witmark(*arguments, cwd=room, env={"WITMARK_HOME": str(room / "home")})


ASKED = ("--no-pictures", "--fail-on", "never", "--config", "mine.toml")


@pytest.mark.clause("REV-MOD-01", "REV-MOD-11", "REV-MOD-15")
def test_a_review_asks_the_model_says_what_it_took_and_verifies(room):
    ran = run(room, "review", BRACKET, *ASKED, "--out", "one")
    report = json.loads((room / "one/report.json").read_bytes())
    checked = run(room, "verify", "one")

    assert ran.code == 0
    assert "model: " in ran.out.decode()
    assert f"{len(report['model']['said'])} questions" in ran.out.decode()
    assert {one["agrees"] for one in report["model"]["opinions"]} == {True}
    assert checked.code == 0
    assert "recorded replies judged again" in checked.out.decode()


@pytest.mark.clause("REV-MOD-10")
def test_a_second_review_of_the_same_file_sends_nothing_and_says_the_same(room):
    run(room, "review", COVER, *ASKED, "--out", "one")
    before = sorted((room / "home").rglob("*.jsonl"))
    sizes = [path.stat().st_size for path in before]
    ran = run(room, "review", COVER, *ASKED, "--out", "two")

    assert "now 0 calls; 17 kept replies used" in " ".join(ran.out.decode().split())
    assert before
    assert sizes == [path.stat().st_size for path in before]
    assert (room / "one/report.json").read_bytes() == (room / "two/report.json").read_bytes()


@pytest.mark.clause("REV-MOD-02")
def test_without_a_model_nothing_is_kept_and_every_byte_is_as_before(room):
    run(room, "review", COVER, *ASKED, "--no-model", "--out", "one")
    run(room, "review", COVER, *ASKED[:-2], "--out", "two")

    files = {path.relative_to(room / "one") for path in (room / "one").rglob("*")}
    assert files == {path.relative_to(room / "two") for path in (room / "two").rglob("*")}
    for name in files:
        if (room / "one" / name).is_file():
            assert (room / "one" / name).read_bytes() == (room / "two" / name).read_bytes()
    assert not (room / "home").exists()


def test_a_model_that_is_wanted_and_not_set_up_is_refused_early(room):
    ran = run(room, "review", COVER, "--model")

    assert ran.code == 2
    assert "no-model-profile" in ran.refusal


def test_a_model_server_on_loopback_is_asked_once_a_dispatch_over_a_whole_review(room):
    with ModelServer() as server:
        server.answer = Answer(text='{"units": []}')
        (room / "mine.toml").write_text(
            f"""
[models.profiles.near]
provider = "openai"
model = "m"
base_url = "{server.url_of("openai")}"
[models.use]
review = ["near"]
"""
        )
        ran = run(room, "review", COVER, *ASKED, "--out", "one")
        asked = len(server.received)
    report = json.loads((room / "one/report.json").read_bytes())
    outcomes = {(s["purpose"], s["outcome"]) for s in report["model"]["said"]}

    assert ran.code == 0
    assert ("review.units", "accepted") in outcomes
    assert ("review.roles", "rejected") in outcomes
    assert asked == report["model"]["ledger"]["calls"]
    assert run(room, "verify", "one").code == 0
