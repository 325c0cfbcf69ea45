"""What stands in witmark.toml: read strictly, with the place and the way out."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from witmark.bootstrap import setting_words
from witmark.bootstrap.models import gateway_of, prompt
from witmark.bootstrap.settings import PURPOSES, SettingsError, load_settings
from witmark.kernel.errors import GarbledRecordError, one_line
from witmark.kernel.model.request import Prices, Profile

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "config" / "witmark.example.toml"
LOCAL = '[models.profiles.local]\nprovider = "openai"\nmodel = "m"\n'
CANARY = "sk-canary0123456789"

pytestmark = pytest.mark.clause("KER-MOD-18")


@pytest.fixture
def settled(tmp_path):
    """Write settings and load them."""

    def settle(text):
        file = tmp_path / "witmark.toml"
        file.write_text(text, encoding="utf-8")
        return load_settings(file)

    return settle


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A folder without settings, and a user without any."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def refusal(settled, text):
    with pytest.raises(SettingsError) as raised:
        settled(text)
    assert raised.value.exit_code == 2
    line = one_line(raised.value)
    assert line.count("; ") >= 1
    return line


def test_without_a_file_there_is_no_model(nowhere):
    settings = load_settings()
    assert (settings.file, settings.profiles) == (None, ())
    assert gateway_of(settings) is None
    assert settings.models.of("answers.compose") == ()


def test_the_settings_of_the_folder_come_before_those_of_the_user(nowhere):
    users = nowhere / "config" / "witmark" / "witmark.toml"
    users.parent.mkdir(parents=True)
    users.write_text("[models]\nmax_invalid_responses = 7\n")
    assert load_settings().models.max_invalid_responses == 7
    (nowhere / "witmark.toml").write_text("[models]\nmax_invalid_responses = 8\n")
    assert load_settings().models.max_invalid_responses == 8
    named = nowhere / "other.toml"
    named.write_text("[models]\nmax_invalid_responses = 9\n")
    assert load_settings(named).models.max_invalid_responses == 9


def test_a_profile_has_the_defaults_that_the_kernel_has(settled):
    assert settled(LOCAL).profiles == (Profile("local", "openai", "m"),)


def test_every_setting_arrives(settled):
    settings = settled(
        """
        [models]
        max_request_bytes = 1000
        max_invalid_responses = 5
        [models.profiles.b]
        provider = "anthropic"
        model = "m"
        base_url = "https://example.org/x"
        key_env = "SOME_KEY"
        max_output_tokens = 10
        temperature = "unset"
        seed = 3
        timeout_s = 4
        retries = 0
        backoff_s = 1.5
        backoff_cap_s = 6
        sends_schema = false
        takes_images = true
        prices = { input_per_million = 1, output_per_million = 2.5, currency = "EUR" }
        """
    )
    assert settings.models.max_request_bytes == 1000
    assert settings.models.max_invalid_responses == 5
    [profile] = settings.profiles
    assert profile == Profile(
        "b", "anthropic", "m", "https://example.org/x", "SOME_KEY", 10, None, 3, 4.0, 0, 1.5,
        6.0, sends_schema=False, takes_images=True,
    )  # fmt: skip
    assert profile.prices == Prices(1.0, 2.5, "EUR")


def test_purposes_are_served_in_order_and_quotes_are_optional(settled):
    two = LOCAL + LOCAL.replace("local", "cloud")
    quoted = settled(two + '[models.use]\n"review.judge" = ["local", "cloud"]\n"*" = ["cloud"]')
    bare = settled(two + '[models.use]\nreview.judge = ["local", "cloud"]\n"*" = ["cloud"]')
    assert quoted.models == bare.models
    names = [profile.name for profile in quoted.models.of("review.judge")]
    assert names == ["local", "cloud"]
    assert [profile.name for profile in quoted.models.of("answers.compose")] == ["cloud"]


WRONG = {
    "[model]\n": "model: no such setting",
    "[models]\nmax_bytes = 3\n": "models.max_bytes: no such setting",
    "[models]\nmax_request_bytes = 0\n": "models.max_request_bytes: ",
    '[models]\nmax_request_bytes = "many"\n': "models.max_request_bytes: ",
    f"{LOCAL}retrys = 3\n": "models.profiles.local.retrys: no such setting",
    f"{LOCAL}retries = -1\n": "models.profiles.local.retries: ",
    f"{LOCAL}retries = 1.5\n": "models.profiles.local.retries: ",
    f"{LOCAL}timeout_s = 0\n": "models.profiles.local.timeout_s: ",
    f"{LOCAL}timeout_s = inf\n": "models.profiles.local.timeout_s: ",
    f"{LOCAL}backoff_s = nan\n": "models.profiles.local.backoff_s: ",
    f"{LOCAL}takes_images = 1\n": "models.profiles.local.takes_images: ",
    f"{LOCAL}temperature = 3\n": "models.profiles.local.temperature",
    f'{LOCAL}key_env = "two words"\n': "models.profiles.local.key_env: ",
    f'{LOCAL}base_url = "ftp://a"\n': "models.profiles.local.base_url: not an http",
    f'{LOCAL}base_url = "localhost:80"\n': "models.profiles.local.base_url: not an http",
    '[models.profiles.a]\nprovider = "openai"\n': "models.profiles.a.model: ",
    '[models.profiles.a]\nprovider = "gpt"\nmodel = "m"\n': "models.profiles.a.provider: ",
    '[models.profiles.a]\nprovider = "scripted"\nmodel = "m"\n': "profiles.a.base_url: ",
    '[models.use]\n"*" = ["gone"]\n': "models.use.\"*\": no profile is called 'gone'",
    f'{LOCAL}[models.use]\nanswer.all = ["local"]\n': 'models.use."answer.all": no such',
    f'{LOCAL}[models.use]\n"*" = []\n': "models.use.*: ",
    f'{LOCAL}[models.use]\n"*" = "local"\n': "models.use.*: ",
    f'{LOCAL}[models.use]\n"*" = ["local", "local"]\n': "named twice",
    "models = 3\n": "models: ",
    "[models\n": "not TOML (at line 1",
}


MAY_STAND = {
    "provider": (['"gpt"', "3", "true"], '"openai", "anthropic", "embedded" or "scripted"'),
    "model": (['""', "3"], "a text that is not empty"),
    "base_url": (["3", '["http://a"]'], "an http or https address"),
    "key_env": (['"two words"', "3", '"1ST"'], "the name of an environment variable"),
    "max_output_tokens": (["0", "1.5", '"x"', "true"], "a whole number from 1 on"),
    "temperature": (["3", "-1", "true", "nan", '"hot"'], 'a number from 0 to 2, or "unset"'),
    "seed": (["1.5", '"x"', "true"], "a whole number"),
    "timeout_s": (["0", "inf", '"x"', "90000"], "a number of seconds above 0, at most 86400"),
    "retries": (["-1", "1.5", '"x"'], "a whole number from 0 on"),
    "backoff_s": (["-1", "nan", '"x"'], "a number of seconds from 0 to 86400"),
    "backoff_cap_s": (["1e9", '"x"'], "a number of seconds from 0 to 86400"),
    "sends_schema": (["1", '"yes"'], "true or false"),
    "takes_images": (["0", '"no"'], "true or false"),
    "prices": (["3", '"free"'], "{ input_per_million, output_per_million, currency }"),
}
"""Of every setting of a profile: what may not stand there, and what is said that may."""


@pytest.mark.clause("KER-MOD-24")
@pytest.mark.parametrize("setting", MAY_STAND)
def test_a_wrong_value_is_refused_with_the_table_the_key_and_what_may_stand_there(
    settled, tmp_path, setting
):
    wrong, may = MAY_STAND[setting]
    rest = {"provider": '"openai"', "model": '"m"'}
    for value in wrong:
        said = {**rest, setting: value}
        lines = "".join(f"{name} = {said[name]}\n" for name in said)
        line = refusal(settled, f"[models.profiles.local]\n{lines}")
        where = f"{tmp_path / 'witmark.toml'}: models.profiles.local.{setting}: "
        assert line.startswith(f"input.settings: {where}")
        assert may in line


@pytest.mark.clause("KER-MOD-24")
def test_that_table_has_every_setting_of_a_profile_and_every_one_has_words():
    settings = {part.name for part in fields(Profile)} - {"name"}
    assert set(MAY_STAND) == set(setting_words.PROFILE) == settings
    assert set(setting_words.PRICES) == {part.name for part in fields(Prices)}


@pytest.mark.clause("KER-MOD-24")
@pytest.mark.parametrize(
    ("text", "place", "may"),
    [
        (
            "[models]\nmax_request_bytes = 0\n",
            "models.max_request_bytes",
            "from 1 on, in bytes",
        ),
        ("[models]\nmax_invalid_responses = 0\n", "models.max_invalid_responses", "from 1 on"),
        ("[models]\nprofiles = 3\n", "models.profiles", "[models.profiles.NAME]"),
        ("[models]\nuse = 3\n", "models.use", "[models.use]"),
        ("[models]\nbytes = 3\n", "models.bytes", "there are max_invalid_responses, max_re"),
        ("[models.profiles]\na = 3\n", "models.profiles.a", "[models.profiles.a]"),
        (f'{LOCAL}[models.use]\n"*" = [3]\n', "models.use.*", "names of profiles"),
        (f"{LOCAL}colour = 3\n", "models.profiles.local.colour", "there are backoff_cap_s, "),
        (f"{LOCAL}prices = {{ currency = 3 }}\n", "local.prices.input_per_million", "a number"),
        (f"{LOCAL}prices.currency = 3\n", "local.prices", "price of a million tokens"),
        (
            '[models.profiles.a]\nmodel = "m"\n',
            "models.profiles.a.provider: is missing",
            '"openai"',
        ),
        ("models = 3\n", "models", "[models]"),
        ("[modles]\n", "modles: no such setting", "there are models"),
    ],
)
def test_every_other_place_of_the_settings_says_what_may_stand_there(settled, text, place, may):
    line = refusal(settled, text)
    assert place in line
    assert may in line
    assert "constrained" not in line


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_refused_with_its_place_and_the_way_out(settled, tmp_path, text):
    line = refusal(settled, text)
    assert line.startswith(f"input.settings: {tmp_path / 'witmark.toml'}: ")
    assert WRONG[text] in line


@pytest.mark.parametrize(
    ("name", "because"), [("gone.toml", "no such file or directory"), (".", "is a directory")]
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path, name, because):
    with pytest.raises(SettingsError, match=because) as raised:
        load_settings(tmp_path / name)
    assert str(tmp_path / name) in str(raised.value)


def test_a_file_that_is_not_utf8_is_refused(tmp_path):
    file = tmp_path / "witmark.toml"
    file.write_bytes(b"# \xff\n")
    with pytest.raises(SettingsError, match="not UTF-8"):
        load_settings(file)


@pytest.mark.clause("KER-MOD-16")
@pytest.mark.parametrize(
    "line",
    [
        f'api_key = "{CANARY}"',
        'key = "short"',
        'token = "short"',
        'client_secret = "short"',
        "password = 3",
        f'key_env = "{CANARY}"',
        f'model = "{CANARY}"',
        'base_url = "https://me:canary0123456789@example.org/v1"',
        'base_url = "https://canary0123456789@example.org/v1"',
    ],
)
def test_a_key_that_is_written_down_is_refused_and_not_repeated(settled, line):
    profile = LOCAL.replace('model = "m"\n', "") if line.startswith("model") else LOCAL
    told = refusal(settled, f"{profile}{line}\n")
    assert f"models.profiles.local.{line.partition(' ')[0]}: a key is not written" in told
    assert "environment variable" in told
    assert "canary" not in told


@pytest.mark.clause("KER-MOD-16")
@pytest.mark.parametrize(
    "text",
    [
        f'x = = "{CANARY}"\n',
        f'x = "{CANARY}\n',
        f'{LOCAL}provider = "{CANARY}"\n',
        f"{CANARY}\n",
    ],
)
def test_a_message_about_a_broken_file_shows_no_value(settled, text):
    assert "canary" not in refusal(settled, text)


def test_the_example_is_what_we_read():
    settings = load_settings(EXAMPLE)
    assert [profile.name for profile in settings.profiles] == ["cloud", "hosted", "local"]
    assert set(settings.models.profiles) <= {*PURPOSES}
    assert gateway_of(settings).serves("review.judge")


def test_the_page_names_every_setting_with_its_default():
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    plain = Profile("p", "openai", "m").to_plain()
    fields = {**plain, **plain["parameters"], "prices": None}
    for name in set(fields) - {"name", "parameters"}:
        assert f"| `{name}` |" in page, name
    for name in ("timeout_s", "retries", "backoff_s", "backoff_cap_s", "max_output_tokens"):
        assert re.search(rf"\| `{name}` \| \w+ \| {re.escape(str(fields[name]))} \|", page), (
            name
        )
    for purpose in PURPOSES:
        assert f"| `{purpose}` |" in page


def test_a_prompt_that_is_not_there_is_a_broken_installation():
    with pytest.raises(GarbledRecordError, match=r"none\.v1\.md"):
        prompt("witmark.answers", "none.v1.md")
