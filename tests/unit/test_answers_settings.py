"""Whether a model is set up is found out where the settings are looked for, and cheaply."""

import pytest

from witmark.bootstrap import answers_model, settings
from witmark.kernel.errors import InputError

EMBEDDED = """
[models.profiles.own]
provider = "embedded"
model = "analyst-1"
[models.use]
answers = ["own"]
"""


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))


@pytest.mark.clause("ANS-MOD-12")
@pytest.mark.parametrize("at", range(2))
def test_a_model_is_found_wherever_the_settings_are(at):
    assert answers_model.answers_gateway(None) is None
    place = answers_model.settings_places()[at]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(EMBEDDED, "utf-8")
    assert settings.load_settings().file == place
    assert answers_model.answers_gateway(None).serves(answers_model.PURPOSE)


@pytest.mark.clause("ANS-MOD-12")
def test_a_profile_for_another_desk_is_none_for_this_one(tmp_path):
    file = tmp_path / "other.toml"
    file.write_text(EMBEDDED.replace("answers =", "review ="), "utf-8")
    assert answers_model.answers_gateway(file) is None


def test_settings_that_are_named_and_not_there_are_the_askers_mistake(tmp_path):
    with pytest.raises(InputError):
        answers_model.answers_gateway(tmp_path / "none.toml")
