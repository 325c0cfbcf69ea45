"""One review that many tests look at; none of them writes to it."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from support_cli import BRACKET, witmark


@pytest.fixture(scope="session")
def bracket(tmp_path_factory):
    """The sample with findings, reviewed once: where it lies, how it ended, what it says."""
    home = tmp_path_factory.mktemp("bracket")
    shutil.copy(BRACKET, home)
    ran = witmark("review", BRACKET.name, cwd=home)
    folder = home / "bearing_bracket.witmark"
    raw = (folder / "report.json").read_bytes()
    return SimpleNamespace(home=home, ran=ran, folder=folder, raw=raw, report=json.loads(raw))


@pytest.fixture
def copy(bracket, tmp_path):
    """A copy of that report, to be changed."""
    return Path(shutil.copytree(bracket.folder, tmp_path / "copy.witmark"))
